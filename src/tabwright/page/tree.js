// Trees: the items that are drawn, how deep they lie, and which one a path leads to next.

function treeItems(tree) {
  const items = membersOf(tree, "tree").filter(
    (item) =>
      roleOf(item) === "treeitem" ||
      attribute(item, "role") === "treeitem" ||
      (roleOf(item) === "row" && hasAttribute(item, "aria-level")),
  );
  const found = items.map((item) => ({ item, level: depthOf(item, tree), label: labelOfTreeItem(item) }));
  return found.every((one) => one.level === 1) ? byIndent(found) : found;
}

// A tree that is drawn as one list, and tells of its levels by how far its rows are moved in.
function byIndent(items) {
  const lefts = items.map(({ item }) => Math.round(textPlace(item)?.at.left ?? 0));
  const steps = [...new Set(lefts)].sort((a, b) => a - b);
  return items.map((one, at) => ({ ...one, level: steps.indexOf(lefts[at]) + 1 }));
}

function labelOfTreeItem(item) {
  const stated = attribute(item, "aria-label").trim();
  if (stated) return stated;
  if (hasAttribute(item, "aria-labelledby")) return nameOf(item);
  // The arrow before a name is not part of it.
  return squeezed(ownText(item)).replace(/^[^\p{L}\p{N}("'[.]+\s+/u, "") || nameOf(item);
}

function depthOf(item, tree) {
  const stated = number(item, "aria-level");
  if (stated) return stated;
  let depth = 1;
  for (let at = parentOf(item); isElement(at) && at !== tree; at = parentOf(at))
    if (attribute(at, "role") === "treeitem") depth += 1;
  return depth;
}

const isCollapsed = (item) => boolean(item, "aria-expanded") === false;

// The items below one, as far as they are drawn: those that follow it and lie deeper.
function below(items, at) {
  const found = [];
  for (const one of items.slice(at + 1)) {
    if (one.level <= items[at].level) break;
    found.push(one);
  }
  return found;
}

function bestOf(items, part) {
  const needle = folded(part);
  const shallow = (found) => found.sort((a, b) => a.level - b.level)[0];
  return (
    shallow(items.filter((one) => one.label === squeezed(part))) ??
    shallow(items.filter((one) => folded(one.label) === needle)) ??
    null
  );
}

// Branches that were opened in vain while looking for one name.
let triedBranches = new WeakSet();

// The next step on the way: the item itself, a branch to open, or what there is instead.
function treeStep(ref, path, first) {
  const { node: tree } = deref(Number(ref.slice(1)));
  if (!tree) return { gone: true };
  if (first) triedBranches = new WeakSet();
  const items = treeItems(tree).filter((one) => hasBox(one.item));
  let within = items;
  for (const [at, part] of path.entries()) {
    const found = bestOf(within, part);
    const last = at === path.length - 1;
    if (!found)
      return path.length === 1
        ? anyBranch(items, part)
        : {
            missing: part,
            near: nearLabels(
              within.map((one) => one.label),
              part,
            ),
          };
    if (last) return { item: treeFacts(found.item) };
    within = below(items, items.indexOf(found));
    if (isCollapsed(found.item) || (!within.length && boolean(found.item, "aria-expanded") !== undefined)) {
      return { branch: treeFacts(found.item), open: !isCollapsed(found.item) };
    }
  }
  return { missing: path.at(-1), near: [] };
}

function anyBranch(items, part) {
  const closed = items.find((one) => isCollapsed(one.item) && !triedBranches.has(one.item));
  if (!closed)
    return {
      missing: part,
      near: nearLabels(
        items.map((one) => one.label),
        part,
      ),
    };
  triedBranches.add(closed.item);
  return { branch: treeFacts(closed.item), open: false };
}

const TOGGLE = /toggle|switcher|expand|collapse|arrow|caret|chevron|icon|disclosure/i;

function treeFacts(item) {
  const toggle = [...elementsBelow(item)].find(
    (one) =>
      closestItem(one) === item &&
      isShown(one) &&
      (TOGGLE.test(attribute(one, "class")) || attribute(one, "role") === "button" || tagName(one) === "button"),
  );
  return {
    ...itemFacts(item),
    label: labelOfTreeItem(item),
    toggle: toggle ? describe(toggle).ref : "",
    ...wordsOf(item),
    focusable: hasAttribute(item, "tabindex"),
    toggles: hasAttribute(item, "aria-checked"),
  };
}

const closestItem = (element) => closest(element, "[role=treeitem],[role=row]");

// Where the item's own words stand: its box may hold all its children too. An element of their own
// can be pressed; words that stand in the item itself have a place in it.
function wordsOf(item) {
  const found = textPlace(item);
  if (!found) return { press: describe(item).ref, place: null };
  if (found.node !== item) return { press: describe(found.node).ref, place: null };
  const box = boxOf(item);
  return {
    press: "",
    place: { x: found.at.left + found.at.width / 2 - box.left, y: found.at.top + found.at.height / 2 - box.top },
  };
}

// The first words of an item that are drawn, and what they stand in.
function textPlace(item) {
  const walk = (node) => {
    for (const child of childrenOf(node)) {
      if (isText(child) && child.data.trim()) {
        const range = createRange(document);
        range.selectNodeContents(child);
        const at = range.getBoundingClientRect();
        if (hasArea(at)) return { node, at };
      } else if (isElement(child) && !matches(child, "[role=group],[role=treeitem],ul,ol")) {
        const inner = walk(child);
        if (inner) return inner;
      }
    }
    return null;
  };
  return walk(item);
}

// Waits until a branch is open and its children are there; null when it was drawn anew.
async function branchOpen(treeRef, ref, ms) {
  const end = performance.now() + ms;
  for (;;) {
    const { node } = deref(Number(ref.slice(1)));
    const { node: tree } = deref(Number(treeRef.slice(1)));
    if (!node || !tree) return null;
    const items = treeItems(tree);
    const at = items.findIndex((one) => one.item === node);
    if (!isCollapsed(node) && at >= 0 && below(items, at).some((one) => hasBox(one.item))) return true;
    const left = end - performance.now();
    if (left <= 0) return !isCollapsed(node);
    await nextChange(left);
  }
}
