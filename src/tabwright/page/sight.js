// What a person can see of an element, found on the way down: each step adds to what is known of
// the element around it. Text that cannot be seen is how a page speaks to a machine behind a
// person's back.

const TRANSPARENT = /^(transparent|rgba\(.*, 0\))$/;
const ICON_FONT = /icon|material|awesome|glyph|symbol/i;
const NO_COLOUR = "rgba(0, 0, 0, 0)";
const TINY_PX = 2;
// The usual way to hide words from the eye only is a box of one pixel that clips them.
const CLIPPED_PX = 2;

// `unseen` says why the inside of an element is not seen, `ground` is the colour that its text stands
// on, `read` is the colour of text that was found to stand out from it.
const OPEN_SIGHT = { unseen: "", ground: "rgb(255, 255, 255)", read: "", pointer: false };

function sightOf(element, style, display, around) {
  const unseen = around.unseen || unseenBy(element, style, display);
  const { backgroundColor } = style;
  const pointer = style.cursor === "pointer";
  const ground = backgroundColor === NO_COLOUR || TRANSPARENT.test(backgroundColor) ? around.ground : backgroundColor;
  if (unseen === around.unseen && ground === around.ground && pointer === around.pointer) return around;
  return { unseen, ground, read: "", pointer };
}

function unseenBy(element, style, display) {
  if (style.opacity === "0") return "transparent";
  if (/^(inset\((50|100)%\)|circle\(0)/.test(style.clipPath)) return "clipped";
  // What is part of a line has no box of its own that could clip.
  if (display === "inline") return "";
  const { overflowX } = style;
  // Fields clip what they hold as a rule.
  if ((overflowX === "hidden" || overflowX === "clip") && !isField(element)) {
    const box = boxOf(element);
    if (box.width <= CLIPPED_PX || box.height <= CLIPPED_PX) return "clipped";
  }
  return NO_RECT.test(style.clip) ? "clipped" : "";
}

const NO_RECT = /^rect\((0px|1px),? (0px|1px),? (0px|1px),? (0px|1px)\)$/;

// The edges of the page, as the window sees them: nothing beyond can be scrolled to. A page that runs
// from right to left begins at its other end.
function edgeOfPage() {
  const page = rootScroller();
  // A document that has only just begun has no element yet.
  if (!page) return { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
  const { direction, writingMode } = getComputedStyle(page);
  const fromRight = writingMode === "vertical-rl" || (writingMode === "horizontal-tb" && direction === "rtl");
  const left = (fromRight ? page.clientWidth - page.scrollWidth : 0) - scrollX;
  return { left, top: -scrollY, right: left + page.scrollWidth, bottom: page.scrollHeight - scrollY };
}

// Whether anything of a tree is drawn beyond the edges: one question instead of one for each element.
function reachesOut(tree, edge) {
  const range = createRange(document);
  range.selectNodeContents(tree);
  const box = range.getBoundingClientRect();
  return box.left < edge.left || box.top < edge.top || box.right > edge.right || box.bottom > edge.bottom;
}

function isOffScreen(element, edge) {
  const { left, top, right, bottom, width, height } = boxOf(element);
  const across = right <= edge.left || left >= edge.right;
  const down = bottom <= edge.top || top >= edge.bottom;
  if ((!across && !down) || (!width && !height)) return false;
  // What was scrolled away inside of something is still to be had.
  let [roomAcross, roomDown] = [0, 0];
  for (let at = parentOf(element); isElement(at) && at !== rootScroller(); at = parentOf(at)) {
    roomAcross += scrollWidthOf(at) - clientWidthOf(at);
    roomDown += scrollHeightOf(at) - clientHeightOf(at);
  }
  return (across && !roomAcross) || (down && !roomDown);
}

// Why an element cannot be seen where it is.
function unseenAt(walk, element, style, sight) {
  if (sight.unseen) return sight.unseen;
  if (style.visibility !== "visible") return "invisible";
  return walk.outside && isOffScreen(element, walk.edge) ? "off-screen" : "";
}

// The same of an element that the walk is not at.
function unseenElsewhere(walk, element) {
  for (let at = element; isElement(at); at = parentOf(at)) {
    const style = getComputedStyle(at);
    const unseen = unseenBy(at, style, style.display);
    if (unseen) return unseen;
  }
  return unseenAt(walk, element, getComputedStyle(element), OPEN_SIGHT);
}

// Why the text of an element cannot be read, beside what hides the element itself.
function unreadBy(walk, { element, style, sight }) {
  const unseen = unseenAt(walk, element, style, sight);
  if (unseen) return unseen;
  if (parseFloat(style.fontSize) < TINY_PX) return "tiny";
  if (parseFloat(style.textIndent) < -500) return "off-screen";
  const { color } = style;
  if (color.startsWith("rgba") && TRANSPARENT.test(color)) {
    return style.webkitBackgroundClip === "text" || style.webkitTextFillColor !== color ? "" : "transparent";
  }
  // What its neighbour could be read by, it can be, too.
  if (color === sight.read) return "";
  if (isSameColour(color, sight.ground) && style.backgroundImage === "none") return "same colour";
  sight.read = color;
  return "";
}

const CHANNELS = /[\d.]+/g;
const NEAR_COLOUR = 10;

function isSameColour(text, ground) {
  if (text === ground) return true;
  const [a, b] = [text, ground].map((colour) => (colour.match(CHANNELS) ?? []).map(Number));
  if (a.length < 3 || b.length < 3 || !text.startsWith("rgb") || !ground.startsWith("rgb")) return false;
  return [0, 1, 2].every((at) => Math.abs(a[at] - b[at]) <= NEAR_COLOUR) && (b[3] ?? 1) > 0.9;
}
