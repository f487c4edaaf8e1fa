// What can be chosen: radios, options, tabs, items of menus and trees; and the popups they come in.

const ITEM_CSS = {
  radios: "input[type=radio],[role=radio],[role=menuitemradio]",
  checks: "input[type=checkbox],[role=checkbox],[role=switch],[role=menuitemcheckbox]",
  toggles: "[aria-pressed]",
  tabs: "[role=tab]",
  listbox: "[role=option]",
  menu: "[role=menuitemradio],[role=menuitemcheckbox],[role=menuitem]",
  tree: "[role=treeitem],[role=row]",
};
// The group that one of its members stands for.
const GROUP_OF = {
  radio: ["radios", "[role=radiogroup],[role=menu],[role=group],fieldset,form"],
  tab: ["tabs", "[role=tablist]"],
  option: ["listbox", "[role=listbox]"],
  treeitem: ["tree", "[role=tree],[role=treegrid]"],
};
const MANY_ITEMS = 200;

// true, false, "mixed", or null when the item says nothing of itself.
function onState(item) {
  if (tagName(item) === "input" && /^(checkbox|radio)$/.test(inputType(item))) {
    return isIndeterminate(item) ? "mixed" : inputChecked(item);
  }
  for (const name of ["aria-checked", "aria-pressed", "aria-selected"]) {
    const state = tristate(item, name);
    if (state !== undefined) return state;
  }
  if (CHECKABLE.has(roleOf(item))) return false;
  const said = attribute(item, "data-state");
  if (/^(checked|on|selected)$/.test(said)) return true;
  if (/^(unchecked|off)$/.test(said)) return false;
  return /(^|[\s_-])(selected|checked)($|\s)/.test(attribute(item, "class")) ? true : null;
}

// The members of a group, in order, whichever member or box stands for it.
function membersOf(element, kind) {
  const [group, around] = GROUP_OF[kind] ?? [kind, null];
  if (group === "radios" && tagName(element) === "input") return radiosLike(element);
  const box = around ? (closest(element, around) ?? element) : element;
  const owned = hasAttribute(box, "aria-owns") ? referents(box, "aria-owns") : [];
  const css = ITEM_CSS[group];
  const found = [...cssAll(box, css), ...owned.flatMap((one) => (matches(one, css) ? [one] : cssAll(one, css)))];
  return [...new Set(found)].filter((item) => hasBox(item) || standIn(item) || closest(item, "select"));
}

function radiosLike(radio) {
  const { name, form } = radio;
  const all = [...queryAll(getRootNode(radio), "input[type=radio]")];
  return name ? all.filter((one) => one.name === name && one.form === form) : [radio];
}

function labelOfItem(item, quick) {
  const plain = quick && !hasAttribute(item, "aria-label") && !hasAttribute(item, "aria-labelledby");
  return plain ? squeezed(ownText(item)) : nameOf(item) || squeezed(ownText(item));
}

// The text of an item without that of the items below it.
function ownText(item) {
  const nested = roleOf(item) === "treeitem" || attribute(item, "role") === "treeitem";
  if (!nested) return textContent(item);
  let text = "";
  for (const child of childrenOf(item)) {
    if (isText(child)) text += child.data;
    else if (isElement(child) && !matches(child, "[role=group],[role=treeitem],ul,ol,script,style"))
      text += ` ${textContent(child)} `;
  }
  return text;
}

function itemFacts(item, quick = false) {
  return {
    ref: describe(item).ref,
    label: labelOfItem(item, quick),
    value: attribute(item, "data-value") || attribute(item, "value"),
    on: onWord(onState(item)),
    disabled: isBarred(item),
  };
}

function groupFacts(element, kind) {
  const members = membersOf(element, kind);
  const quick = members.length > MANY_ITEMS;
  const label = /^tree/.test(kind) ? labelOfTreeItem : (item) => labelOfItem(item, quick);
  const on = members.filter((item) => onState(item) === true).map(label);
  const [group, around] = GROUP_OF[kind] ?? [kind, null];
  const box = (around && closest(element, around)) ?? element;
  return {
    members: group,
    multiple: /^(checks|toggles)$/.test(group) || isTrue(box, "aria-multiselectable"),
    chosen: on.slice(0, MANY_ITEMS),
    value: on.slice(0, 20).join(", "),
    own: around ? onWord(onState(element)) : "",
  };
}

// Whether a text has these words, and not only their letters: "None" does not say "one".
function saysWord(text, words) {
  const inside = /[\p{L}\p{N}]/u;
  for (let at = text.indexOf(words); words && at >= 0; at = text.indexOf(words, at + 1)) {
    if (!inside.test(text[at - 1] ?? " ") && !inside.test(text[at + words.length] ?? " ")) return true;
  }
  return false;
}

// How well items answer to a text. What is only part of a label counts when nothing else does, and
// only if it is the only one.
function bestItem(items, wanted, quick) {
  const exact = squeezed(wanted);
  const needle = folded(wanted);
  const labels = new Map(items.map((item) => [item, labelOfItem(item, quick)]));
  const lines = (item) =>
    item instanceof HTMLElement
      ? innerText(item)
          .split(/[\n\t]/)
          .map(folded)
      : [];
  const tests = [
    (item) => labels.get(item) === exact,
    (item) => folded(labels.get(item)) === needle,
    (item) => [attribute(item, "data-value"), attribute(item, "value"), attribute(item, "title")].includes(exact),
    (item) => lines(item).includes(needle),
  ];
  for (const test of tests) {
    const found = items.filter(test);
    if (found.length) return { item: found.find((one) => !isBarred(one) && isShown(one)) ?? found[0], sure: true };
  }
  const partly = items.filter((item) => saysWord(folded(labels.get(item)), needle));
  if (partly.length) return { item: partly.length === 1 ? partly[0] : null, sure: false };
  return { item: null, sure: false };
}

// What a combobox or the button of a popup shows as its choice.
function choiceFacts(element) {
  const field = fieldOf(element);
  const typed = field ? holding(field) : null;
  const own = field ? "" : squeezed(element instanceof HTMLElement ? innerText(element) : textContent(element));
  const around = shownAround(element, field);
  const list = popupFor(element, false);
  return {
    press: describe(pressOf(element)).ref,
    field: field ? describe(field).ref : "",
    editable: Boolean(field) && !whyReadOnly(field),
    expanded: expandedState(element) ?? (field ? expandedState(field) : undefined) ?? null,
    haspopup: popupState(element) ?? (field && popupState(field)) ?? "",
    multiple:
      Boolean(list) && queryAll(getRootNode(list), '[aria-multiselectable="true"]').length > 0 && isMultiList(list),
    typed: typed ?? "",
    around,
    date: field ? dateField(field) : null,
    modal: Boolean(closest(element, "dialog,[role=dialog],[role=alertdialog]")),
    value: typed || own || around,
  };
}

// What a person presses to open it: a field that is tiny, invisible or under its own drawn value is
// pressed by the box around it.
function pressOf(element) {
  const box = boxOf(element);
  const inside = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  const free = !inside || !partsInView(element).length || Boolean(freePoint(element).point);
  if (isShown(element) && box.width >= 8 && box.height >= 8 && free) return element;
  for (let at = parentOf(element), up = 0; isElement(at) && up < 4; at = parentOf(at), up += 1) {
    const around = boxOf(at);
    if (around.width >= 24 && around.height >= 16) return around.height <= 200 ? at : element;
  }
  return element;
}

const isMultiList = (list) =>
  isTrue(list, "aria-multiselectable") || queryAll(list, '[aria-multiselectable="true"]').length > 0;

function fieldOf(element) {
  if (/^(input|textarea)$/.test(tagName(element))) return element;
  if (isEditingHost(element)) return element;
  return (
    [...queryAll(element, "input:not([type=hidden]),textarea,[contenteditable=true]")].find((one) =>
      checkVisibility(one),
    ) ?? null
  );
}

const OTHERS =
  "label,legend,[role=listbox],[role=menu],[role=dialog],[role=option],script,style,[aria-live],[role=log],[role=status]";

// The text beside a field that shows no text of its own: chips, or a choice that is drawn apart.
function shownAround(element, field) {
  const own = boxOf(element);
  let text = "";
  for (let at = parentOf(element), up = 0; isElement(at) && up < 4; at = parentOf(at), up += 1) {
    const box = boxOf(at);
    if (
      box.height > Math.max(own.height, 20) * 4 ||
      matches(at, "form,fieldset,body,main,section,[role=dialog],[role=group]")
    )
      break;
    if (
      [...queryAll(at, "input,select,textarea,[role=combobox]")].some(
        (one) => one !== field && one !== element && isShown(one),
      )
    )
      break;
    text = textBeside(at, element);
    if (text) break;
  }
  return text;
}

function textBeside(box, element) {
  const parts = [];
  const walk = (node) => {
    for (const child of childrenOf(node)) {
      if (isText(child)) parts.push(child.data);
      else if (isElement(child) && child !== element && !matches(child, OTHERS) && isShown(child)) walk(child);
    }
  };
  walk(box);
  return squeezed(
    parts
      .map((part) => part.trim())
      .filter(Boolean)
      .join(", "),
  );
}

const POPUP_CSS = "[role=listbox],[role=menu],[role=tree],[role=grid],[role=dialog],[popover]";
const CLIPPED = /^(hidden|clip)$/;

// A list that nobody sees, kept for screen readers beside the one that is drawn, has no size.
function drawnBox(element) {
  for (let at = element; isElement(at) && at !== bodyOf(document); at = parentOf(at)) {
    const box = boxOf(at);
    if (hasArea(box) && box.width > 2 && box.height > 2) return at === element || isShown(at) ? at : null;
    if (at === element && isBoxed(at) && !CLIPPED.test(getComputedStyle(at).overflowY)) return at;
  }
  return null;
}

// The open popup of a trigger: what it names, what its focus is in, or what came up with the act.
function popupFor(trigger, came = true) {
  const field = fieldOf(trigger);
  for (const one of field && field !== trigger ? [field, trigger] : [trigger]) {
    for (const name of ["aria-controls", "aria-owns"]) {
      for (const target of referents(one, name)) {
        if (target === one || contains(target, trigger)) continue;
        const list = isShown(target) ? drawnBox(target) : null;
        if (list) return list;
      }
    }
    const [active] = referents(one, "aria-activedescendant");
    const list = active && closest(active, POPUP_CSS);
    const drawn = list && isShown(list) && !contains(list, trigger) ? drawnBox(list) : null;
    if (drawn) return drawn;
  }
  if (hasAttribute(trigger, "popovertarget")) {
    const target = byId(getRootNode(trigger), attribute(trigger, "popovertarget"));
    if (target && isShown(target)) return target;
  }
  return came ? (popupThatCame(trigger) ?? popupOpenBefore(trigger, field)) : null;
}

// One that was open before the act, and that nothing connects with its trigger.
function popupOpenBefore(trigger, field) {
  if (watch?.before.expanded === false || (expandedState(trigger) !== true && !(field && expandedState(field))))
    return null;
  const open = cssAll(document, POPUP_CSS).filter(
    (one) => isShown(one) && isAfloat(one) && !contains(one, trigger) && !contains(trigger, one),
  );
  const asked = popupState(trigger) ?? "listbox";
  return open.findLast((one) => attribute(one, "role") === asked) ?? open.at(-1) ?? null;
}

// Whether an element floats over the page, by itself or with what it is in.
function isAfloat(element) {
  for (let at = element, up = 0; isElement(at) && up < 4; at = parentOf(at), up += 1) {
    if (/^(absolute|fixed)$/.test(getComputedStyle(at).position) || matches(at, "dialog[open],:popover-open"))
      return true;
  }
  return false;
}

// Only what the act itself brought up: the page may have had lists before.
function popupThatCame(trigger) {
  if (!watch) return null;
  note(watch, watch.observer.takeRecords());
  const found = [];
  for (const [node, change] of watch.changes) {
    const shown = ["open", "hidden", "data-state"].some((name) => change.names.has(name));
    const styled = ["class", "style"].some((name) => change.names.has(name));
    for (const one of [...change.added, ...(shown || (styled && isElement(node) && isAfloat(node)) ? [node] : [])]) {
      if (!isElement(one) || !isConnected(one) || contains(one, trigger) || contains(trigger, one) || !isShown(one))
        continue;
      const inner = matches(one, POPUP_CSS) ? one : [...queryAll(one, POPUP_CSS)].find(isShown);
      if (inner) found.unshift(drawnBox(inner) ?? one);
      else if (daysIn(one).length || /^(absolute|fixed)$/.test(getComputedStyle(one).position)) found.push(one);
    }
  }
  const first = found[0] ?? null;
  // What it is in came up with it, and stays when its inside is drawn anew.
  const around = first && !matches(first, POPUP_CSS) ? found.filter((one) => contains(one, first)) : [];
  return around.find((one) => around.every((other) => contains(one, other))) ?? first;
}

const CHOOSABLE =
  "[role=option],[role=menuitemradio],[role=menuitemcheckbox],[role=menuitem],[role=radio],[role=treeitem]";

// What a popup is inside: a calendar, a tree, or a list of items.
function insideOf(popup) {
  if (daysIn(popup).length) return "calendar";
  const tree = matches(popup, "[role=tree]") ? popup : [...queryAll(popup, "[role=tree]")].find(isShown);
  return tree ? "tree" : "items";
}

function choosableIn(popup) {
  // A row of a grid is chosen as a whole, or by one of its cells.
  const grid = matches(popup, "[role=grid]") || queryAll(popup, "[role=grid]").length > 0;
  const roles = cssAll(popup, grid ? "[role=row],[role=gridcell]" : CHOOSABLE).filter(
    (item) => hasBox(item) && boxOf(item).height > 0 && drawnBox(item) === item && !isClippedAway(item),
  );
  return roles.length ? roles : plainItems(popup);
}

function isClippedAway(item) {
  const list = closest(item, "[role=listbox],[role=menu]");
  return Boolean(list) && !hasArea(boxOf(list)) && CLIPPED.test(getComputedStyle(list).overflowY);
}

// Items without a role: rows of a list, or repeated boxes with a text.
function plainItems(popup) {
  const marked = cssAll(
    popup,
    "li,[title],[data-value],[aria-selected],[tabindex],a,button,[role=button],[role=gridcell]",
  );
  const found = marked.filter((item) => isShown(item) && squeezed(textContent(item)) && !isClippedAway(item));
  if (found.length) return found.filter((item) => !found.some((inner) => inner !== item && contains(item, inner)));
  return [...elementsBelow(popup)].filter(
    (item) => isShown(item) && [...childNodes(item)].some((node) => isText(node) && node.data.trim()),
  );
}

function popupNow(ref) {
  const { node } = deref(Number(ref.slice(1)));
  const popup = node && popupFor(node);
  if (!popup) return null;
  const inside = insideOf(popup);
  const tree =
    inside === "tree"
      ? [popup, ...queryAll(popup, "[role=tree]")].find((one) => matches(one, "[role=tree]") && isShown(one))
      : popup;
  const items = inside === "items" ? choosableIn(popup) : [];
  return { ref: describe(tree).ref, inside, count: items.length, multiple: isMultiList(popup), busy: isBusy(popup) };
}

const isBusy = (element) =>
  isTrue(element, "aria-busy") || queryAll(element, '[aria-busy="true"],[role=progressbar]').length > 0;

// Waits until a popup is open and has something in it, or until time is up.
async function popupOpen(ref, ms) {
  const end = performance.now() + ms;
  for (;;) {
    const popup = popupNow(ref);
    if (popup && (popup.inside !== "items" || popup.count)) return popup;
    const left = end - performance.now();
    if (left <= 0) return popup;
    await nextChange(left);
  }
}
