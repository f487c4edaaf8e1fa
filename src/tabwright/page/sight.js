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

function sightOf(element, style, around) {
  const unseen = around.unseen || unseenBy(element, style);
  const { backgroundColor } = style;
  const pointer = style.cursor === "pointer";
  const ground = backgroundColor === NO_COLOUR || TRANSPARENT.test(backgroundColor) ? around.ground : backgroundColor;
  if (unseen === around.unseen && ground === around.ground && pointer === around.pointer) return around;
  return { unseen, ground, read: "", pointer };
}

function unseenBy(element, style) {
  if (style.opacity === "0") return "transparent";
  const { overflowX } = style;
  // Fields clip what they hold as a rule.
  if ((overflowX === "hidden" || overflowX === "clip") && !isField(element)) {
    const box = boxOf(element);
    if (box.width <= CLIPPED_PX || box.height <= CLIPPED_PX) return "clipped";
  }
  if (style.position === "static" && style.transform === "none") return "";
  if (isClipped(style)) return "clipped";
  const box = boxOf(element);
  if (!box.width && !box.height) return "";
  return box.right + scrollX <= 0 || box.bottom + scrollY <= 0 ? "off-screen" : "";
}

function isClipped(style) {
  if (style.position !== "absolute" && style.position !== "fixed") return false;
  if (/^rect\((0px|1px),? (0px|1px),? (0px|1px),? (0px|1px)\)$/.test(style.clip)) return true;
  return /^(inset\((50|100)%\)|circle\(0)/.test(style.clipPath);
}

// Why the text of an element cannot be read, beside what hides the element itself.
function unreadBy(style, sight) {
  if (sight.unseen) return sight.unseen;
  if (style.visibility !== "visible") return "invisible";
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
