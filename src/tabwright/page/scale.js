// Sliders and spin buttons: where they stand, how far they go, and what moves them.

// A slider that tells nothing of itself: a bar with a handle that takes the focus.
function isBareHandle(element) {
  if (!/(^|[\s_-])slider($|[\s_-]|handle)/i.test(attribute(element, "class"))) return false;
  return bareHandle(element) !== null;
}

function bareHandle(element) {
  if (/handle|thumb/i.test(attribute(element, "class")) && hasAttribute(element, "tabindex")) return element;
  for (const inner of queryAll(element, "[tabindex]")) {
    if (/handle|thumb/i.test(attribute(inner, "class")) && !getAttribute(inner, "role")) return inner;
  }
  return null;
}

function boundsOf(element) {
  const role = roleOf(element);
  const one = (which) => {
    const value = bound(element, role, which);
    return typeof value === "number" ? value : null;
  };
  const step = parseFloat(attribute(element, "step"));
  return { min: one("min"), max: one("max"), step: Number.isFinite(step) ? step : null };
}

// Where a slider stands. One that tells nothing is read by the place of its handle, in percent.
function sliderFacts(element) {
  const bare = getAttribute(element, "role") || tagName(element) === "input" ? null : bareHandle(element);
  const handle = bare ?? element;
  const box = boxOf(handle);
  const track = trackOf(handle);
  const along = boxOf(track);
  const vertical = attribute(element, "aria-orientation")
    ? attribute(element, "aria-orientation") === "vertical"
    : along.height > along.width * 1.5;
  const place = { x: box.x, y: box.y, width: box.width, height: box.height };
  const facts = {
    ref: describe(handle).ref,
    vertical,
    handle: place,
    track: { x: along.x, y: along.y, width: along.width, height: along.height },
  };
  if (!bare) {
    const value = tagName(element) === "input" ? inputValue(element) : rangeValue(element, "slider");
    return {
      ...facts,
      ...boundsOf(element),
      now: parseFloat(value),
      value,
      text: attribute(element, "aria-valuetext"),
    };
  }
  const part = vertical
    ? (along.bottom - (box.top + box.bottom) / 2) / along.height
    : ((box.left + box.right) / 2 - along.left) / along.width;
  const now = Math.round(part * 1000) / 10;
  return { ...facts, min: 0, max: 100, step: null, now, value: `${Math.round(now)}%`, text: "", guessed: true };
}

// The bar that a handle moves along.
function trackOf(handle) {
  if (tagName(handle) === "input") return handle;
  const box = boxOf(handle);
  const long = Math.max(box.width, box.height, 8) * 2.5;
  for (let at = parentOf(handle), up = 0; isElement(at) && up < 4; at = parentOf(at), up += 1) {
    const around = boxOf(at);
    if (around.width >= long || around.height >= long) return at;
  }
  return parentOf(handle) ?? handle;
}

const MORE = /(^|\b)(increase|increment|plus|add|more|up|\+)(\b|$)|^[+▲↑⌃]$/i;
const LESS = /(^|\b)(decrease|decrement|minus|subtract|less|down)(\b|$)|^[-−–▼↓⌄]$/i;

function spinFacts(element) {
  const field = tagName(element) === "input" || element.isContentEditable ? element : queryAll(element, "input")[0];
  const own = field && holding(field);
  const now = number(element, "aria-valuenow") ?? parseFloat(own ?? "");
  const named = (wanted) => {
    for (let at = element, up = 0; isElement(at) && up <= CLOSE_BY; at = parentOf(at), up += 1) {
      for (const button of queryAll(at, "button,[role=button]")) {
        const said = nameOf(button) || attribute(button, "class").replace(/[-_]/g, " ");
        if (wanted.test(said)) return describe(button).ref;
      }
    }
    return "";
  };
  return {
    now: Number.isFinite(now) ? now : null,
    value: own || attribute(element, "aria-valuetext") || (Number.isFinite(now) ? String(now) : ""),
    text: attribute(element, "aria-valuetext"),
    editable: Boolean(field) && !whyReadOnly(field),
    field: field ? describe(field).ref : "",
    more: named(MORE),
    less: named(LESS),
  };
}
