// What can be read of elements without touching them.

const READERS = {
  text: (element) => (element instanceof HTMLElement ? innerText(element) : textContent(element)),
  html: (element) => element.outerHTML,
  value: (element) => {
    const value = holding(element);
    return value === null ? (stateOf(element).value ?? null) : value;
  },
  attribute: (element, name) => getAttribute(element, name),
  property: (element, name) => plainly(element[name]),
  box: (element) => {
    const { x, y, width, height } = boxOf(element);
    return { x, y, width, height };
  },
  styles: (element, names) => {
    const style = getComputedStyle(element);
    const asked = names ? names.split(/[\s,]+/) : TELLING_STYLES;
    return Object.fromEntries(asked.map((name) => [name, style.getPropertyValue(name)]));
  },
};
const TELLING_STYLES = [
  "display", "visibility", "opacity", "position", "width", "height", "margin", "padding", "color",
  "background-color", "font-family", "font-size", "font-weight", "line-height", "text-align",
  "border", "overflow", "z-index", "cursor", "pointer-events",
];

// A property as JSON can carry it.
function plainly(value) {
  if (value === null || value === undefined) return null;
  if (/^(string|number|boolean)$/.test(typeof value)) return value;
  return String(value);
}

function firstOf(parts) {
  try {
    return findOne(parts);
  } catch (error) {
    return { invalid: String(error.message).split("\n")[0] };
  }
}

// Wait a moment for a match that is about to come, then read it.
async function read(parts, what, name, absentMs) {
  const began = performance.now();
  for (;;) {
    const { element, count, invalid } = firstOf(parts);
    if (invalid) return no("invalid", invalid);
    if (element) return { ok: true, count, value: READERS[what](element, name), element: describe(element) };
    const left = absentMs - (performance.now() - began);
    if (left <= 0) return { ...missing(parts), count: 0 };
    await nextChange(left);
  }
}

function count(parts) {
  try {
    return { ok: true, count: findAll(parts).length };
  } catch (error) {
    return no("invalid", String(error.message).split("\n")[0]);
  }
}

// S0's element information: six keys that are always there, and what an agent asks next.
READERS.info = (element) => {
  const box = boxOf(element);
  return {
    tagName: tagName(element).toUpperCase(),
    id: attribute(element, "id"),
    className: attribute(element, "class"),
    innerText: element instanceof HTMLElement ? innerText(element) : squeezed(textContent(element)),
    href: typeof element.href === "string" ? element.href : "",
    value: holding(element) ?? "",
    role: roleOf(element),
    name: nameOf(element),
    state: stateOf(element),
    visible: isShown(element),
    box: { x: box.x, y: box.y, width: box.width, height: box.height },
  };
};

READERS.is = (element, what) => {
  switch (what) {
    case "visible": return [isShown(element), hiddenHow(element)];
    case "enabled": return [!whyDisabled(element), whyDisabled(element)];
    case "editable": {
      const why = whyDisabled(element) || whyReadOnly(element);
      return [!why, why];
    }
    case "checked": {
      const { checked, pressed, selected } = stateOf(element);
      const found = checked ?? pressed ?? selected;
      return [found === true, found === undefined ? "it has no checked state" : found === "mixed" ? "it is mixed" : ""];
    }
    default: return [contains(element, focused()), ""];
  }
};
