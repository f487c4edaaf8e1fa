// The page as lines of words and controls, in one walk of the tree as it is shown.
//
// A line is [depth, kind, parts, flags]: a part is text, or an object that stands for an
// element. What comes in long rows is not walked beyond what matters now: a line of the kind "run"
// says how many there are, and where to go on.

const IN_VIEW = 1;
const FOCUSED = 2;
const URGENT = 4;
const CONTROL = 8;
const TITLE = 16;

const RUN_LENGTH = 40;

const SKIPPED = new Set(words("script style noscript template head meta link title base source track param datalist"));
const URGENT_ROLES = new Set(words("alert alertdialog dialog status log tooltip"));
// Containers that are worth a line even without a name.
const TOLD_ALWAYS = new Set(words(`alert alertdialog complementary dialog form grid listbox menu menubar
  navigation radiogroup search tablist tabpanel table toolbar tree treegrid group`));
// Those that are worth one if they have a name.
const TOLD_NAMED = new Set(words(`article banner contentinfo feed figure list log main region rowgroup
  status timer tooltip`));
const NAMED_ONLY = new Set(words("form group listbox radiogroup toolbar complementary navigation search tabpanel"));
class Walk {
  constructor(options) {
    this.options = options;
    this.lines = [];
    this.parts = null;
    this.hidden = 0;
    this.focus = focused();
    this.attended = new Set();
    for (let at = this.focus; isElement(at); at = parentOf(at)) this.attended.add(at);
    this.edge = edgeOfPage();
    this.outside = !options.everything || reachesOut(document, this.edge);
    this.altered = options.whole ? takeAltered() : new Set();
    this.height = innerHeight;
    this.width = innerWidth;
  }

  get full() {
    return this.lines.length >= this.options.lines;
  }

  // Where the next words go. Words of one block make one line.
  line(depth, kind = "", element = null) {
    this.end();
    this.open = [depth, kind, [], 0, element];
    this.parts = this.open[2];
  }

  end() {
    if (!this.open) return;
    const [depth, kind, parts, flags, element] = this.open;
    this.open = this.parts = null;
    if (typeof parts.at(-1) === "string") parts.push(parts.pop().trimEnd());
    if (!parts.some((part) => part !== "" && part !== "|")) return;
    this.lines.push([depth, kind, parts, flags | this.placeOf(element)]);
  }

  // Everything is in view when nobody asks: the question costs as much as the rest of the walk.
  placeOf(node) {
    if (!node || this.options.everything) return IN_VIEW;
    const box = isText(node) ? textBox(node) : boxOf(node);
    const inView = box.bottom > 0 && box.top < this.height && box.right > 0 && box.left < this.width;
    return inView && (box.width || box.height) ? IN_VIEW : 0;
  }

  flag(flags) {
    if (this.open) this.open[3] |= flags;
  }

  // A long text makes several lines, so that each can be had alone.
  text(said, at, node) {
    if (!this.parts) this.line(at.depth, "", node);
    const last = this.parts.at(-1);
    const goesOn = typeof last === "string" && last !== "|";
    let rest = goesOn ? join(this.parts.pop(), said) : said.trimStart();
    while (rest.length > TEXT_CHARS) {
      const end = endOfWord(rest, TEXT_CHARS);
      this.parts.push(rest.slice(0, end));
      this.line(this.open[0], "", node);
      rest = rest.slice(end).trimStart();
    }
    this.parts.push(rest);
  }

  part(part, at, node) {
    if (!this.parts) this.line(at.depth, "", node);
    const last = this.parts.at(-1);
    if (last === "") this.parts.pop();
    this.parts.push(part);
  }
}

function textBox(node) {
  const range = createRange(document);
  range.selectNodeContents(node);
  return range.getBoundingClientRect();
}

// Where a text is cut: behind a word, or not inside of a character.
function endOfWord(text, most) {
  const space = text.lastIndexOf(" ", most);
  if (space > most / 2) return space;
  return /[\udc00-\udfff]/.test(text[most]) ? most - 1 : most;
}

const join = (before, after) => (/\s$/.test(before) ? before + after.trimStart() : before + after);

const nextSibling = getter(Node, "nextSibling");
const childCount = getter(Element, "childElementCount");

function walkChildren(walk, element, at, from = 0) {
  const root = rootOf(element);
  if (root && !walk.outside) walk.outside = reachesOut(root, walk.edge);
  const moved = root || tagName(element) === "slot";
  const many = !walk.options.everything && (moved || childCount(element) > RUN_LENGTH);
  if (moved || many || from) {
    const children = childrenOf(element);
    if (many && children.length - from > RUN_LENGTH) return walkRun(walk, element, children, at, from);
    for (let index = from; index < children.length; index += 1) walkNode(walk, children[index], at);
    return undefined;
  }
  for (let child = firstChild(element); child; child = nextSibling(child)) walkNode(walk, child, at);
  return undefined;
}

function walkNode(walk, node, at) {
  if (walk.full) return;
  if (isText(node)) walkText(walk, node, at);
  else if (isElement(node)) walkElement(walk, node, at);
}

// A long row of children: the first few, those in view and those with the focus, and marks for the rest.
function walkRun(walk, element, children, at, from) {
  let [left, first] = [0, 0];
  const mark = () => {
    if (!left) return;
    walk.end();
    walk.lines.push([at.depth, "run", [{ count: left, of: wordFor(children[first]), e: refNumber(element), from: first }], 0]);
    left = 0;
  };
  let shown = 0;
  for (let index = from; index < children.length; index += 1) {
    const child = children[index];
    if (!isElement(child)) {
      if (!isText(child) || !child.data.trim()) continue;
      if (!left) walkText(walk, child, at);
      continue;
    }
    const near = shown < walk.options.head || (from && shown < walk.options.most) || walk.attended.has(child) || walk.altered.has(child) || walk.placeOf(child);
    if (near) {
      mark();
      shown += 1;
      walkElement(walk, child, at);
    } else if (checkVisibility(child)) {
      if (!left) first = index;
      left += 1;
    }
  }
  mark();
}

const RUN_WORDS = { row: "row", listitem: "item", option: "option", treeitem: "item", article: "article", link: "link" };
const wordFor = (element) => RUN_WORDS[roleOf(element)] ?? "part";

function walkText(walk, node, at) {
  const said = node.data;
  if (!said.trim()) {
    if (walk.parts?.length && said && typeof walk.parts.at(-1) === "string") walk.text(" ", at, node);
    return;
  }
  if (at.unread === undefined) at.unread = at.style ? unreadBy(walk, at) : "";
  if (at.unread) {
    walk.hidden += 1;
    if (!walk.options.hidden) return;
    walk.part({ r: "text", n: squeezed(said), x: at.unread }, at, node);
    return;
  }
  if (!walk.options.interactive) walk.text(said.replace(/[\s\u00a0]+/g, " "), at, node);
}

const isBlock = (display) => !/^(inline|contents|ruby)/.test(display);

function walkElement(walk, element, at) {
  const tag = tagName(element);
  if (SKIPPED.has(tag) || walk.full) return;
  const style = getComputedStyle(element);
  const { display } = style;
  // The areas of an image have no box of their own.
  if (display === "none" && tag !== "area") return;
  if (tag === "br") {
    if (!at.row) walk.end();
    else walk.text(" ", at, element);
    return;
  }
  const sight = sightOf(element, style, display, at.sight);
  const role = roleOf(element);
  const block = !at.row && isBlock(display);
  const inner = { ...at, element, style, display, sight, unread: undefined };
  if (block) walk.end();
  walkAs(walk, element, role, tag, style, inner, at);
  if (block) walk.end();
}

function walkAs(walk, element, role, tag, style, inner, at) {
  if (isOperated(element, role, inner.sight, at.sight)) return walkControl(walk, element, role, style, inner);
  if (/^(iframe|frame)$/.test(tag)) return walk.part(elementPart(walk, element, "iframe", style, inner, { f: 1 }), inner, element);
  switch (role) {
    case "heading": return walkHeading(walk, element, inner);
    case "img": case "canvas": case "video": case "audio": case "object": case "embed":
      return walkPicture(walk, element, role, style, inner);
    case "progressbar": case "meter": return walk.part(elementPart(walk, element, role, style, inner, {}), inner, element);
    case "separator": return undefined;
    case "row": return walkRow(walk, element, inner);
    case "cell": case "gridcell": case "columnheader": case "rowheader":
      return inner.row ? walkCell(walk, element, role, inner) : walkChildren(walk, element, inner);
    case "listitem": return walkItem(walk, element, inner);
    case "caption": case "legend": case "figcaption":
      // It was said as the name of what it heads.
      return isSaid(element, inner) ? undefined : walkChildren(walk, element, inner);
    default: return walkContainer(walk, element, role, style, inner);
  }
}

const isSaid = (element, at) =>
  Boolean(at.said) && calledOf(element) === at.said && !queryAll(element, NESTED).length;

function walkControl(walk, element, role, style, at) {
  const known = OPERATED.has(role) || isEditingHost(element);
  const part = elementPart(walk, element, known ? roleWord(element, role) : "clickable", style, at, {});
  walk.part(part, at, element);
  walk.flag(CONTROL | (walk.attended.has(element) ? FOCUSED : 0));
  if (role === "treeitem" || !hasParts(element, role)) return role === "treeitem" ? walkTreeItem(walk, element, part, at) : undefined;
  // What can be operated inside of it, or the words of something large.
  part.n = known ? part.n : "";
  walkChildren(walk, element, { ...at, sight: { ...at.sight, pointer: true } });
  return undefined;
}

function walkTreeItem(walk, element, part, at) {
  walk.end();
  for (const child of childrenOf(element)) {
    if (!isElement(child)) continue;
    const group = roleOf(child) === "group" ? child : [...queryAll(child, "[role=group]")][0];
    if (group) walkElement(walk, group, { ...at, depth: at.depth + 1 });
  }
}

function walkHeading(walk, element, at) {
  if (!at.row) walk.line(at.depth, `h${levelOf(element, "heading")}`, element);
  walk.flag(TITLE);
  walkChildren(walk, element, { ...at, row: at.row || "heading" });
  if (!at.row) walk.end();
}

function walkPicture(walk, element, role, style, at) {
  const name = nameOf(element);
  if (!name && (role === "img" || role === "object" || role === "embed")) return walkChildren(walk, element, at);
  if (walk.options.interactive && role === "img") return undefined;
  walk.part(elementPart(walk, element, role, style, at, { plain: role === "img" }), at, element);
  if (tagName(element) === "svg" && queryAll(element, NESTED).length) walkChildren(walk, element, at);
  return undefined;
}

const ROW_STATES = "[aria-selected],[aria-expanded]";

function walkRow(walk, element, at) {
  if (at.row) return walkChildren(walk, element, at);
  walk.line(at.depth, "row", element);
  if (matches(element, ROW_STATES)) {
    const { selected, expanded, level } = stateOf(element);
    if (selected || expanded !== undefined) walk.parts.push({ r: "row", n: "", e: refNumber(element), s: { selected, expanded, level } });
  }
  walkChildren(walk, element, { ...at, row: "row", cells: { count: 0 } });
  walk.end();
  return undefined;
}

function walkCell(walk, element, role, at) {
  const first = at.cells ? at.cells.count++ === 0 : true;
  if (!first) walk.parts?.push("|");
  const sort = role === "columnheader" ? sortState(element) : undefined;
  walkChildren(walk, element, at);
  if (sort && walk.parts) walk.parts.push({ r: "sorted", n: sort });
}

function walkItem(walk, element, at) {
  if (!at.row) walk.line(at.depth, "item", element);
  walkChildren(walk, element, at.row ? at : { ...at, depth: at.depth, item: true });
  if (!at.row) walk.end();
}

function walkContainer(walk, element, role, style, at) {
  if (tagName(element) === "details" && !hasAttribute(element, "open")) {
    for (const child of elementChildren(element)) if (detailsOf(child)) return walkElement(walk, child, at);
    return undefined;
  }
  if (isBlock(at.display) && style.contentVisibility === "hidden") return undefined;
  const urgent = URGENT_ROLES.has(role);
  if (!at.row && (TOLD_ALWAYS.has(role) || TOLD_NAMED.has(role))) {
    const name = nameOf(element);
    if (name || (TOLD_ALWAYS.has(role) && !NAMED_ONLY.has(role))) {
      walk.line(at.depth, "in", element);
      const state = urgent || role === "grid" || role === "tree" || role === "tabpanel" ? stateOf(element) : {};
      const listed = urgent || /^(table|grid|treegrid|tree|menu|tablist)$/.test(role);
      walk.parts.push({ r: role, n: cut(name), e: listed ? refNumber(element, role, name) : 0, s: state });
      if (urgent) walk.flag(URGENT);
      walk.end();
      const before = walk.lines.length;
      walkChildren(walk, element, { ...at, depth: at.depth + 1, said: cut(name) });
      walk.end();
      // There is nothing in it, and nothing to be done with it.
      if (walk.lines.length === before && !state.modal) walk.lines.pop();
      if (urgent) for (let index = before; index < walk.lines.length; index += 1) walk.lines[index][3] |= URGENT;
      return undefined;
    }
  }
  const deeper = at.item && role === "list" ? { ...at, depth: at.depth + 1, item: false } : at;
  walkChildren(walk, element, deeper);
  if (urgent) walk.flag(URGENT);
  return undefined;
}

// Where a walk stands. All have the same members: it is quicker to copy what is alike.
const START = {
  depth: 0, element: null, style: null, display: "", sight: OPEN_SIGHT, unread: undefined, row: "", cells: null, said: "", item: false,
};

function snapshot(parts, options) {
  const { element: started = null, invalid } = parts ? firstOf(parts) : {};
  if (invalid) return no("invalid", invalid);
  if (parts && !started) return missing(parts);
  const root = started ?? bodyOf(document) ?? documentElement(document);
  // Elements that look alike are taken to be alike in what their style adds to their text.
  remembered().bare = new Set();
  const walk = new Walk(options);
  const modal = started ? null : modalDialog();
  const at = { ...START };
  if (modal) walkElement(walk, modal, at);
  else if (options.from) walkChildren(walk, root, at, options.from);
  else if (started) walkElement(walk, started, at);
  else if (root) walkChildren(walk, root, { ...at, element: root, style: getComputedStyle(root) });
  walk.end();
  return { ok: true, ...pageFacts(walk.focus, modal), hidden: walk.hidden, cut: walk.full, lines: walk.lines };
}

// What is to be known of the document as a whole.
function pageFacts(focus, modal) {
  const page = rootScroller();
  return {
    url: location.href,
    title: titleOf(document),
    viewport: [innerWidth, innerHeight],
    scroll: [Math.round(scrollX), Math.round(scrollY)],
    size: page ? [page.scrollWidth, page.scrollHeight] : [0, 0],
    focus: focus && !isPageWide(focus) ? refOf(focus) : "",
    modal: modal ? refOf(modal) : "",
  };
}

const knownRef = (element) => refByNode.get(element) ?? 0;

// A page that was loaded just now may still be built by its scripts.
async function settled(youngMs, quietMs, limitMs) {
  const began = performance.now();
  const [entry] = performance.getEntriesByType("navigation");
  for (;;) {
    const now = performance.now();
    const age = now - (entry?.loadEventEnd || now);
    if (now - began > limitMs || (age > youngMs && now - changedAt() > quietMs)) return;
    await wait(25);
  }
}

function source() {
  const root = documentElement(document);
  const body = bodyOf(document);
  return {
    url: location.href,
    title: titleOf(document),
    html: root ? root.outerHTML : "",
    text: body ? innerText(body) : "",
    viewport: [innerWidth, innerHeight],
    scroll: [Math.round(scrollX), Math.round(scrollY)],
  };
}

const stillThere = (refs) => refs.filter((ref) => {
  const { node } = deref(ref);
  return node && checkVisibility(node);
});

const eyesApi = { snapshot, knownRef, settled, source, stillThere };
