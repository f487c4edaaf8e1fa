// What can be pressed or filled in, and where it is: for pictures that show refs.

const MARKED_MOST = 300;
const WIDGETS = new Set([
  "button", "checkbox", "combobox", "gridcell", "link", "listbox", "menuitem", "menuitemcheckbox",
  "menuitemradio", "option", "radio", "scrollbar", "searchbox", "slider", "spinbutton", "switch", "tab",
  "textbox", "treeitem",
]);
const CONTROLS_SHOWN =
  'a[href],area[href],button,input:not([type="hidden"]),select,textarea,summary,[contenteditable=""],[contenteditable="true"],[contenteditable="plaintext-only"],[onclick]';

function isControl(element) {
  if (matches(element, CONTROLS_SHOWN)) return true;
  if (hasAttribute(element, "role")) return WIDGETS.has(roleOf(element));
  if (tagName(element) === "label") return Boolean(element.control) && !isShown(element.control);
  if (Number(attribute(element, "tabindex") || -1) >= 0) return true;
  // A plain element that says with its cursor that it can be pressed, and does not inherit that.
  if (getComputedStyle(element).cursor !== "pointer") return false;
  const parent = parentOf(element);
  return !isElement(parent) || getComputedStyle(parent).cursor !== "pointer";
}

// The part of an element that the boxes around it let be seen.
function unclipped(element) {
  let box = boxOf(element);
  for (let at = parentOf(element); box && isElement(at); at = parentOf(at)) {
    if (at === documentElement(document) || at === bodyOf(document)) break;
    const { overflowX, overflowY } = getComputedStyle(at);
    if (overflowX !== "visible" || overflowY !== "visible") box = meet(box, boxOf(at));
  }
  return box;
}

// Where it can be seen: in the window if nothing lies over all of it, or also beyond the window.
function shownBox(element, beyond) {
  if (!isShown(element)) return null;
  const box = unclipped(element);
  const inside = box && meet(box, view());
  if (inside && !freePoint(element).point) return null;
  return beyond ? box : inside;
}

function marks(beyond) {
  const found = [];
  let more = 0;
  for (const element of cssAll(document, "*")) {
    if (!isControl(element)) continue;
    const box = shownBox(element, beyond);
    if (!box || box.right - box.left < 1 || box.bottom - box.top < 1) continue;
    if (found.length >= MARKED_MOST) more += 1;
    else {
      const { role, name, ref } = describe(element);
      found.push({ role, name, ref, box: [box.left, box.top, box.right, box.bottom] });
    }
  }
  return { found, more };
}

// Where a frame's document begins in the window of its owner, and how much larger it is drawn.
function frameBox(element) {
  adoptRoots(element);
  const box = boxOf(element);
  const style = getComputedStyle(element);
  const across = element.offsetWidth ? box.width / element.offsetWidth : 1;
  const down = element.offsetHeight ? box.height / element.offsetHeight : 1;
  const [width, height] = innerSize(element);
  return {
    left: box.left + (element.clientLeft + parseFloat(style.paddingLeft)) * across,
    top: box.top + (element.clientTop + parseFloat(style.paddingTop)) * down,
    across, down, width: width * across, height: height * down,
    shown: isShown(element),
  };
}

// An element that a picture is to be taken of: brought into view, with its box in its window.
PREPARE.picture = (element) => {
  scrollIntoView(element, { block: "nearest", inline: "nearest", behavior: "instant" });
  const { x, y, width, height } = boxOf(element);
  return { box: { x, y, width, height } };
};
