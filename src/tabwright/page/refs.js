// Refs: short names that stay with a node for as long as it lives and are never given out again.

let nextRef = 1;
const refByNode = new WeakMap();
const nodeByRef = new Map();
let sparing = false;

// What is asked in here gives out no refs, and has none in its words that was not given out before.
function withoutRefs(ask) {
  sparing = true;
  try {
    return ask();
  } finally {
    sparing = false;
  }
}

function refOf(element, role, name) {
  let ref = refByNode.get(element);
  if (!ref) {
    if (sparing) return "";
    ref = nextRef++;
    refByNode.set(element, ref);
    const known = { role: role ?? roleOf(element), name: name ?? nameOf(element) };
    nodeByRef.set(ref, { node: new WeakRef(element), ...known });
  }
  return `e${ref}`;
}

// Take back all refs from a number on: nobody was told of them.
function disown(first) {
  for (let ref = first; ref < nextRef; ref += 1) {
    refByNode.delete(nodeByRef.get(ref)?.node.deref());
    nodeByRef.delete(ref);
  }
}

// The living node of a ref, or what is known of one that is gone.
function deref(number) {
  const entry = nodeByRef.get(number);
  if (!entry) return { unknown: true };
  const node = entry.node.deref();
  if (node && isConnected(node)) return { node };
  return { gone: { role: entry.role, name: entry.name } };
}

const NAME_SHOWN = 60;
const cut = (text, length = NAME_SHOWN) =>
  text.length > length ? `${Array.from(text).slice(0, length - 1).join("")}…` : text;

// What a reply calls an element: its name, or the beginning of its text.
function calledOf(element) {
  if (element === documentElement(document)) return "";
  return cut(nameOf(element) || (isField(element) ? "" : beginningOf(element)));
}

// An element as a reply names it.
function describe(element) {
  if (!isElement(element)) return { role: "document", name: "", ref: "", tag: "#document" };
  if (element === documentElement(document)) return { role: "page", name: "", ref: refOf(element), tag: "html" };
  const role = roleOf(element);
  const tag = tagName(element);
  const shown = role === "generic" || role === "none" ? tag : role;
  return { role: shown, name: calledOf(element), ref: refOf(element), tag };
}
