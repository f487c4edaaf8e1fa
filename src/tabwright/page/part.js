// An element as a part of a line: role, name, ref, state, hint, address, box, and how it is hidden.

const OPTIONS_SHOWN = 6;

const refNumber = (element, role, name) => Number(refOf(element, role, name).slice(1));

function elementPart(walk, element, role, style, at, more) {
  const name = calledOf(element);
  const part = { r: role, n: name, ...more };
  if (!more.plain) part.e = refNumber(element, role, name);
  delete part.plain;
  const state = plainState(element, role) ?? stateOf(element);
  if (Object.keys(state).length) part.s = state;
  if (!name && role !== "iframe") {
    const hint = hintFor(element, style);
    if (hint) part.h = hint;
  }
  const described = hasAttribute(element, "aria-describedby") ? descriptionOf(element) : "";
  if (described) part.d = cut(described, 100);
  if (role === "combobox" && tagName(element) === "select") part.o = optionsOf(element);
  if (walk.options.urls && hasAttribute(element, "href")) part.u = element.href;
  if (walk.options.boxes) part.b = Object.values(sizes(element)).map(Math.round);
  const unseen = unseenAt(walk, element, style, at.sight);
  const label = unseen ? standIn(element) : null;
  if (unseen && (!label || unseenElsewhere(walk, label))) part.x = unseen;
  if (walk.focus === element) part.a = 1;
  return part;
}

const STATED = "[aria-pressed],[aria-expanded],[aria-haspopup],[aria-current],[aria-disabled],[aria-describedby],[popovertarget],[aria-invalid],[aria-busy]";

// Most links and buttons have no state but that of being disabled, which is quickly told.
function plainState(element, role) {
  if (role !== "link" && role !== "button") return null;
  if (matches(element, STATED)) return null;
  return isBarred(element) ? { disabled: true } : {};
}

function optionsOf(select) {
  const labels = [...queryAll(select, "option")].slice(0, OPTIONS_SHOWN + 1).map((option) => cut(squeezed(optionLabel(option)), 30));
  const total = queryAll(select, "option").length;
  return { total, labels: labels.slice(0, OPTIONS_SHOWN) };
}
