// Which elements assistive technology is told of. What is asked again and again about one state of
// the page is kept until the script ends: no handler of the page runs in between, unless we act.

let kept = null;

function remembered() {
  if (!kept) {
    kept = { covered: new Map(), labels: new Map(), owners: new Map(), tables: new Map() };
    queueMicrotask(forget);
  }
  return kept;
}

// For scripts that go on reading after they have focused or changed something.
function forget() {
  kept = null;
}

const closestInTree = method(Element, "closest");
const DRAWN = { visibilityProperty: true };
const isTrue = (element, name) => attribute(element, name).toLowerCase() === "true";

// In the accessibility tree: drawn, and neither aria-hidden, inert nor behind a modal dialog.
function isExposed(element) {
  return isDrawn(element) && !isCovered(element);
}

// Has a box, or would have one but for display: contents, and is not invisible.
function isDrawn(element) {
  if (checkVisibility(element, DRAWN)) return true;
  const style = getComputedStyle(element);
  const proxy = drawnAs(element);
  if (proxy) return (style.display !== "none" || tagName(element) === "area") && isDrawn(proxy);
  if (style.display !== "contents" || style.visibility !== "visible") return false;
  const parent = parentOf(element);
  return isElement(parent) && hasBox(parent);
}

// What is drawn in place of an element that has no box and can be used nevertheless: the options
// of a closed list, and the areas of an image.
function drawnAs(element) {
  const tag = tagName(element);
  if (/^(option|optgroup|hr)$/.test(tag)) return closestInTree(element, "select");
  const map = tag === "area" ? closestInTree(element, "map") : null;
  return map && queryAll(getRootNode(element), `img[usemap="#${CSS.escape(attribute(map, "name"))}"]`)[0];
}

// Laid out at all, visible or not.
function hasBox(element) {
  if (checkVisibility(element)) return true;
  const parent = parentOf(element);
  return getComputedStyle(element).display === "contents" && isElement(parent) && hasBox(parent);
}

function isCovered(element) {
  const { covered } = remembered();
  const unknown = [];
  let at = element;
  for (; isElement(at) && !covered.has(at); at = parentOf(at)) unknown.push(at);
  let found = isElement(at) ? covered.get(at) : modalDialog() !== null;
  for (const one of unknown.reverse()) {
    // A modal dialog is not inert, whatever it stands in.
    if (one === modalDialog()) found = false;
    found = found || hasAttribute(one, "inert") || (isTrue(one, "aria-hidden") && !attended().has(one));
    covered.set(one, found);
  }
  return found;
}

// What the focus is in cannot be aria-hidden; without a focus, that is the body.
function attended() {
  const memory = remembered();
  if (!memory.attended) {
    memory.attended = new Set([documentElement(document), bodyOf(document)]);
    for (let at = focused(); isElement(at); at = parentOf(at)) memory.attended.add(at);
  }
  return memory.attended;
}

// The dialog that makes the rest of the document inert. When several are open, the last one has
// the focus; one in a shadow root is found by its focus only.
function modalDialog() {
  const memory = remembered();
  if (memory.modal === undefined) {
    const open = [...queryAll(document, "dialog:modal")];
    memory.modal = closest(focused(), "dialog:modal") || open.at(-1) || null;
  }
  return memory.modal;
}
