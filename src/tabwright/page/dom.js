// The document as a tree that a person sees: shadow roots and slots are passed through, and every
// property is read by the platform's own getter. A form's fields and a document's images shadow
// properties by their names, in our world too: <input name="parentNode"> is a parent to its form.

const getter = (type, name) => {
  const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
  return (node) => get.call(node);
};
const method = (type, name) => {
  const own = type.prototype[name];
  return (node, ...args) => own.apply(node, args);
};

const parentNode = getter(Node, "parentNode");
const nodeType = getter(Node, "nodeType");
const ownerDocument = getter(Node, "ownerDocument");
const isConnected = getter(Node, "isConnected");
const childNodes = getter(Node, "childNodes");
const firstChild = getter(Node, "firstChild");
const textContent = getter(Node, "textContent");
const nodeContains = method(Node, "contains");
const getRootNode = method(Node, "getRootNode");
const tagName = getter(Element, "localName");
const openRoot = getter(Element, "shadowRoot");
const assignedSlot = getter(Element, "assignedSlot");
const textSlot = getter(Text, "assignedSlot");
const getAttribute = method(Element, "getAttribute");
const hasAttribute = method(Element, "hasAttribute");
const matches = method(Element, "matches");
const boxOf = method(Element, "getBoundingClientRect");
const boxesOf = method(Element, "getClientRects");
const checkVisibility = method(Element, "checkVisibility");
const scrollIntoView = method(Element, "scrollIntoView");
const scrollWidthOf = getter(Element, "scrollWidth");
const scrollHeightOf = getter(Element, "scrollHeight");
const clientWidthOf = getter(Element, "clientWidth");
const clientHeightOf = getter(Element, "clientHeight");
const elementChildren = getter(Element, "children");
const innerText = getter(HTMLElement, "innerText");
const focusOn = method(HTMLElement, "focus");
const assignedNodes = method(HTMLSlotElement, "assignedNodes");
const documentElement = getter(Document, "documentElement");
const bodyOf = getter(Document, "body");
const titleOf = getter(Document, "title");
const rootScroller = () => scrollingElement(document) ?? documentElement(document);
const scrollingElement = getter(Document, "scrollingElement");
const hasFocus = method(Document, "hasFocus");
const createRange = method(Document, "createRange");
const runningAnimations = method(Document, "getAnimations");
const activeIn = (root) => (root instanceof Document ? activeInDocument : activeInShadow)(root);
const activeInDocument = getter(Document, "activeElement");
const activeInShadow = getter(ShadowRoot, "activeElement");
const fromPoint = (root, x, y) =>
  (root instanceof Document ? Document : ShadowRoot).prototype.elementFromPoint.call(root, x, y);
const byId = (root, id) =>
  (root instanceof Document ? Document : DocumentFragment).prototype.getElementById.call(root, id);
const queryAll = (root, css) => {
  const type = root instanceof Document ? Document : root instanceof Element ? Element : DocumentFragment;
  return type.prototype.querySelectorAll.call(root, css);
};

// Closed shadow roots are not to be had from a script; they are handed in from outside.
const closedRoots = new WeakMap();
const rootOf = (element) => openRoot(element) || closedRoots.get(element) || null;

const isElement = (node) => Boolean(node) && nodeType(node) === Node.ELEMENT_NODE;
const isText = (node) => Boolean(node) && nodeType(node) === Node.TEXT_NODE;
const attribute = (element, name) => getAttribute(element, name) ?? "";

// The slot that a node is shown in, also when the slot's root is closed.
function slotOf(node) {
  const slot = isElement(node) ? assignedSlot(node) : isText(node) ? textSlot(node) : null;
  if (slot) return slot;
  const parent = parentNode(node);
  const root = isElement(parent) && closedRoots.get(parent);
  if (!root) return null;
  for (const candidate of queryAll(root, "slot")) {
    if (assignedNodes(candidate).includes(node)) return candidate;
  }
  return null;
}

// The parent in the tree as it is shown; null above the document.
function parentOf(node) {
  const slot = slotOf(node);
  if (slot) return slot;
  const parent = parentNode(node);
  if (!parent) return node instanceof ShadowRoot ? node.host : null;
  return parent instanceof ShadowRoot ? parent.host : parent;
}

// The children in the tree as it is shown.
function childrenOf(node) {
  if (isElement(node)) {
    const root = rootOf(node);
    if (root) return childNodes(root);
    if (tagName(node) === "slot") {
      const assigned = assignedNodes(node);
      if (assigned.length) return assigned;
    }
  }
  return childNodes(node);
}

function contains(ancestor, node) {
  for (let at = node; at; at = parentOf(at)) if (at === ancestor) return true;
  return false;
}

function closest(node, css) {
  for (let at = node; at; at = parentOf(at)) if (isElement(at) && matches(at, css)) return at;
  return null;
}

// Every element below a node, in the order in which it is shown.
function* elementsBelow(node) {
  for (const child of childrenOf(node)) {
    if (!isElement(child)) continue;
    yield child;
    yield* elementsBelow(child);
  }
}

// The document and every shadow root in it that is known.
function* treesOf(root) {
  yield root;
  for (const element of queryAll(root, "*")) {
    const inner = rootOf(element);
    if (inner) yield* treesOf(inner);
  }
}

// The innermost element at a point, through shadow roots.
function elementAt(x, y) {
  let found = fromPoint(document, x, y);
  while (found) {
    const root = rootOf(found);
    const inner = root && fromPoint(root, x, y);
    if (!inner || inner === found) return found;
    found = inner;
  }
  return found;
}

function focused() {
  let found = activeInDocument(document);
  while (found && rootOf(found)) {
    const inner = activeIn(rootOf(found));
    if (!inner) break;
    found = inner;
  }
  return found;
}

const isField = (element) => /^(input|select|textarea)$/.test(tagName(element));
const squeezed = (text) => text.replace(/[\s\u00a0]+/g, " ").trim();
