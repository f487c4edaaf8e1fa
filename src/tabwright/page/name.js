// The name and the description of an element: accname 1.2 and HTML-AAM, in Chrome's reading of them.

const NAME_CHARS = 1000;
// Chrome reads this many nodes for one name, and so do we: a card as large as a page has no name.
const NAME_NODES = 100;
const NAME_VISITS = 1000;

// Named by what they contain.
const NAMED_BY_CONTENT = new Set(words(`button cell checkbox columnheader gridcell heading link menuitem
  menuitemcheckbox menuitemradio option radio rowheader summary switch tab term tooltip treeitem
  doc-backlink doc-biblioref doc-glossref doc-noteref doc-subtitle graphics-object`));
// Not named by it, but they hand it on to what they are in.
const HANDS_ON_CONTENT = new Set(words(`abbr canvas caption code definition deletion emphasis figcaption
  generic insertion label legend list listitem mark none paragraph region ruby strong subscript
  superscript time`));
// A title describes these; it does not name them.
const NEVER_TITLED = new Set(words(`caption code definition deletion emphasis generic insertion mark none
  paragraph strong subscript suggestion superscript term time`));
const CONTROLS = new Set(words(`button checkbox listbox menuitem menuitemcheckbox menuitemradio
  option radio scrollbar searchbox slider spinbutton switch tab textbox tree treegrid treeitem meter`));
const TEXT_FIELDS = new Set(["textbox", "searchbox"]);
const RANGES = new Set(["slider", "spinbutton", "scrollbar", "progressbar", "meter"]);

const labelControl = getter(HTMLLabelElement, "control");
const positionOf = method(Node, "compareDocumentPosition");
const NOTHING = { text: "", from: "" };

function nameOf(element) {
  return readable(named(element).text);
}

const BEGINNING_VISITS = 40;

// The first words of what an element shows.
function beginningOf(element) {
  const how = { ...reading(element), budget: { visits: BEGINNING_VISITS } };
  return readable(contentOf(element, how)) || readable(textsIn(element, BEGINNING_VISITS).join(" "));
}

function textsIn(element, most, found = []) {
  for (const child of childNodes(element)) {
    if (found.length >= most) break;
    if (isElement(child) && !NEVER_READ.has(tagName(child))) textsIn(child, most, found);
    else if (isText(child) && child.data.trim()) found.push(child.data);
  }
  return found;
}

const DESCRIBING = /^(input|table)$/;

function descriptionOf(element) {
  const described = textOfReferents(element, "aria-describedby", reading(element));
  if (readable(described)) return readable(described);
  const stated = readable(attribute(element, "aria-description"));
  if (stated) return stated;
  const native = DESCRIBING.test(tagName(element)) || element instanceof SVGElement;
  if (!native && !hasAttribute(element, "title")) return "";
  const { from, text } = named(element);
  const own = nativeDescription(element, from);
  // A tooltip that says the name again describes nothing.
  return own !== readable(text) ? own : "";
}

// The labels of a control in the order of the page: those around it and those that point to it.
function labelsOf(element) {
  const found = [];
  const id = attribute(element, "id");
  if (id) found.push(...labelsIn(getRootNode(element)).get(id) ?? []);
  for (let at = labelAround(element); at; at = labelAround(at)) if (!found.includes(at)) found.push(at);
  const labels = found.filter((label) => labelControl(label) === element);
  return labels.sort((a, b) => (positionOf(a, b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
}

function labelAround(element) {
  const parent = parentNode(element);
  return isElement(parent) ? closestInTree(parent, "label") : null;
}

// The platform's own list of labels reads the whole document for each control.
function labelsIn(root) {
  const { labels } = remembered();
  if (!labels.has(root)) {
    const byTarget = new Map();
    for (const label of queryAll(root, "label[for]")) {
      const target = attribute(label, "for");
      byTarget.set(target, [...byTarget.get(target) ?? [], label]);
    }
    labels.set(root, byTarget);
  }
  return labels.get(root);
}

// Icon fonts draw in the private use area, which nobody can read out; nor can they what has no width.
const UNREADABLE = /[\ue000-\uf8ff\u00ad\u200b-\u200d\u2060\ufeff]/g;
const readable = (text) => squeezed(text.replace(UNREADABLE, "")).slice(0, NAME_CHARS).trimEnd();

// How a name is being read. Below a `referent` of aria-labelledby every content counts; `hidden`
// nodes count when the referent is hidden itself; `boxless` ones have no lines to join.
const reading = (element) => ({
  seen: new Set([element]),
  budget: { visits: NAME_VISITS },
  blocks: 0,
  referent: null,
  hidden: false,
  boxless: false,
});

// The name and where it is from: "content", "title", "label", … or "" when there is none.
function named(element) {
  const role = roleOf(element);
  const how = reading(element);
  const found = authored(element, role, how);
  if (found) return found;
  const byContent = isNamedByContent(element, role);
  if (byContent) {
    const text = contentOf(element, how);
    if (readable(text)) return { text, from: "content" };
  }
  const title = isEntitled(element, role) ? titled(element) : null;
  if (title) return title;
  if (!byContent) return NOTHING;
  // Chrome has no name for a link around an article or a figure; any is better than none.
  return { text: contentOf(element, { ...reading(element), referent: element }), from: "content" };
}

function isNamedByContent(element, role) {
  if (isValued(element) || isEditingHost(element)) return false;
  if (NAMED_BY_CONTENT.has(role)) return true;
  if (role === "math") return tagName(element) !== "math";
  if (role !== "row") return false;
  const grid = closest(parentOf(element), "table, [role=grid], [role=treegrid], [role=table]");
  return grid !== null && /^(grid|treegrid)$/.test(roleOf(grid));
}

// Elements whose content is a value, or not to be seen.
const isValued = (element) => /^(input|select|textarea)$/.test(tagName(element));

// What its author says: aria-labelledby, aria-label, or the means of the language. null for nothing.
function authored(element, role, how) {
  if (!how.referent && hasAttribute(element, "aria-labelledby")) {
    const text = textOfReferents(element, "aria-labelledby", how);
    if (readable(text)) return { text, from: "related" };
  }
  const label = getAttribute(element, "aria-label");
  if (label && readable(label)) return { text: label, from: "attribute" };
  return nativeName(element, role, how);
}

function textOfReferents(element, name, how) {
  const found = referents(element, name).slice(0, NAME_NODES).map((target) => readReferent(element, target, how));
  // What was read here is not read again by the name that this is a part of.
  for (const { seen } of found) for (const node of seen) how.seen.add(node);
  return found.map(({ text }) => text).join(" ");
}

function readReferent(element, target, how) {
  const seen = new Set();
  const [hidden, boxless] = [!isExposed(target), !hasBox(target)];
  const inner = { ...how, seen, referent: target, hidden, boxless };
  const role = roleOf(target);
  if (target !== element) return { seen, text: alternative(target, role, inner).text };
  // An element may use its own name as a part of it.
  seen.add(element);
  const own = authored(target, role, inner) ?? titled(target);
  return { seen, text: own?.text || embeddedValue(target, role, inner) || contentOf(target, inner) };
}

// Whether a title names the element: it only describes what has no role, unless that is to be used.
function isEntitled(element, role) {
  return !NEVER_TITLED.has(role) || hasAttribute(element, "tabindex") || /^input$|-/.test(tagName(element));
}

const titled = (element) => fromAttributes(element, "title");

function nativeName(element, role, how) {
  const labels = isLabelable(element) ? labelsOf(element) : [];
  if (labels.length) {
    const text = labels.map((label) => labelText(label, how)).join(" ");
    if (readable(text)) return { text, from: "label" };
  }
  const source = NATIVE_NAMES[tagName(element)];
  if (source && element instanceof HTMLElement) return source(element, how);
  if (element instanceof SVGElement) return svgName(element);
  return TEXT_FIELDS.has(role) ? fromAttributes(element, "aria-placeholder") : null;
}

function labelText(label, how) {
  return isExposed(label) && !how.seen.has(label) ? alternative(label, roleOf(label), how).text : "";
}

const LABELABLE = /^(button|input|meter|output|progress|select|textarea)$|-/;
const isLabelable = (element) => LABELABLE.test(tagName(element)) && element instanceof HTMLElement;

function fromAttributes(element, ...names) {
  for (const name of names) {
    const text = attribute(element, name);
    if (readable(text)) return { text, from: name };
  }
  return null;
}

const NATIVE_NAMES = {
  __proto__: null,
  area: altName,
  img: altName,
  fieldset: (element, how) => childName(element, "legend", how),
  figure: (element, how) => childName(element, "figcaption", how),
  input: inputName,
  optgroup: (element) => fromAttributes(element, "label"),
  option: (element) => (optionLabel(element) ? { text: optionLabel(element), from: "content" } : null),
  abbr: (element, how) => (how.seen.size > 1 ? null : fromAttributes(element, "title")),
  table: (element, how) => childName(element, "caption", how) ?? fromAttributes(element, "summary"),
  textarea: (element) => fromAttributes(element, "title", "placeholder", "aria-placeholder"),
};

// An empty alternative is an answer: there is nothing to say.
function altName(element) {
  const text = getAttribute(element, "alt");
  return text === null ? null : { text, from: "attribute" };
}

function childName(element, tag, how) {
  for (const child of elementChildren(element)) {
    if (tagName(child) !== tag) continue;
    const text = how.seen.has(child) || !isExposed(child) ? "" : alternative(child, roleOf(child), how).text;
    return readable(text) ? { text, from: tag } : null;
  }
  return null;
}

const DEFAULT_BUTTONS = { submit: "Submit", reset: "Reset", image: "Submit" };

function inputName(element) {
  const type = inputType(element);
  switch (type) {
    case "image":
      return fromAttributes(element, "alt", "value", "title") ?? { text: DEFAULT_BUTTONS[type], from: "value" };
    case "button": case "submit": case "reset": {
      const text = getAttribute(element, "value") ?? DEFAULT_BUTTONS[type] ?? "";
      return text ? { text, from: "value" } : null;
    }
    case "file":
      return { text: hasAttribute(element, "multiple") ? "Choose Files" : "Choose File", from: "content" };
    case "checkbox": case "radio": case "range": case "color": case "date": case "time":
    case "datetime-local": case "month": case "week": return null;
    default: return fromAttributes(element, "title", "placeholder", "aria-placeholder");
  }
}

function svgName(element) {
  const title = svgChild(element, "title");
  if (title && readable(textContent(title))) return { text: textContent(title), from: "label" };
  return tagName(element) === "a" ? fromAttributes(element, "xlink:title") : null;
}

function nativeDescription(element, from) {
  if (element instanceof SVGElement) {
    const spare = from === "attribute" || from === "related" ? svgChild(element, "title") : null;
    const desc = svgChild(element, "desc") ?? spare;
    if (desc) return readable(textContent(desc));
  }
  const tag = tagName(element);
  if (tag === "input" && from !== "value" && /^(button|submit|reset)$/.test(inputType(element))) {
    const value = readable(attribute(element, "value"));
    if (value) return value;
  }
  if (tag === "table" && from !== "caption") {
    const caption = childName(element, "caption", reading(element));
    if (caption) return readable(caption.text);
  }
  return from === "title" ? "" : readable(attribute(element, "title"));
}
