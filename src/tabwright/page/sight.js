// What a person can see of an element, found on the way down: each step adds to what is known of
// the element around it. Text that cannot be seen is how a page speaks to a machine behind a
// person's back.

const TRANSPARENT = /^(transparent|rgba\(.*, 0\))$/;
const ICON_FONT = /icon|material|awesome|glyph|symbol/i;
const TINY_PX = 2;
// The usual way to hide words from the eye only is a box of one pixel that clips them.
const CLIPPED_PX = 2;

const OPEN_SIGHT = { unseen: "", colour: "rgb(255, 255, 255)", pointer: false };

// How the inside of an element is seen: `unseen` says why it is not, `colour` is what its text stands on.
function sightOf(element, style, around) {
  const unseen = around.unseen || unseenBy(element, style);
  const colour = style.backgroundImage === "none"
    ? TRANSPARENT.test(style.backgroundColor) ? around.colour : style.backgroundColor
    : "";
  const pointer = style.cursor === "pointer";
  if (unseen === around.unseen && colour === around.colour && pointer === around.pointer) return around;
  return { unseen, colour, pointer };
}

function unseenBy(element, style) {
  if (style.opacity === "0") return "transparent";
  if (style.overflowX !== "visible" && style.overflowX !== "auto" && style.overflowX !== "scroll") {
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
  if (TRANSPARENT.test(style.color) && style.webkitTextFillColor === style.color) {
    return style.webkitBackgroundClip === "text" ? "" : "transparent";
  }
  return isSameColour(style.color, sight.colour) ? "same colour" : "";
}

const CHANNELS = /[\d.]+/g;
const NEAR_COLOUR = 10;

function isSameColour(text, ground) {
  if (!ground) return false;
  if (text === ground) return true;
  const [a, b] = [text, ground].map((colour) => (colour.match(CHANNELS) ?? []).map(Number));
  if (a.length < 3 || b.length < 3 || !text.startsWith("rgb") || !ground.startsWith("rgb")) return false;
  return [0, 1, 2].every((at) => Math.abs(a[at] - b[at]) <= NEAR_COLOUR) && (b[3] ?? 1) > 0.9;
}
