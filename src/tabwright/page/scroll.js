// Scrolling: an element into view, or a container to a place or by an amount.

function canScroll(element) {
  const style = getComputedStyle(element);
  const root = element === rootScroller();
  const opens = (value) => root ? value !== "hidden" : /^(auto|scroll|overlay)$/.test(value);
  return (
    (element.scrollHeight > element.clientHeight + 1 && opens(style.overflowY)) ||
    (element.scrollWidth > element.clientWidth + 1 && opens(style.overflowX))
  );
}

// The element itself if it scrolls, or else what it scrolls in; the page in the end.
function scroller(element) {
  for (let at = element; at; at = parentOf(at)) if (isElement(at) && canScroll(at)) return at;
  return rootScroller();
}

const PAGE_PART = 0.8;

function goal(box, wish) {
  const amount = (whole) => (wish.amount ?? whole * PAGE_PART);
  switch (wish.to) {
    case "top": return [box.scrollLeft, 0];
    case "bottom": return [box.scrollLeft, box.scrollHeight];
    case "up": return [box.scrollLeft, box.scrollTop - amount(box.clientHeight)];
    case "down": return [box.scrollLeft, box.scrollTop + amount(box.clientHeight)];
    case "left": return [box.scrollLeft - amount(box.clientWidth), box.scrollTop];
    case "right": return [box.scrollLeft + amount(box.clientWidth), box.scrollTop];
    default: return [wish.x, wish.y];
  }
}

const DIRECTIONS = /^(up|down|left|right)$/;
const STILL_FRAMES = 2;
const TURNING_MS = 1000;
// What a turn of the wheel may move, and where it was.
let turned = null;

// Where the wheel took it, once it stands still.
async function afterWheel() {
  const { box, before } = turned;
  const began = performance.now();
  let last = "";
  for (let still = 0; still < STILL_FRAMES && performance.now() - began < TURNING_MS; ) {
    await nextFrame();
    const now = placeOf(box).join();
    still = now === last ? still + 1 : 0;
    last = now;
  }
  return { ...facts(box), moved: last !== before };
}

// The page hears of its scrolling with the next frame, and answers it then.
async function afterScroll() {
  for (let tries = 0; tries < MOMENT_TRIES && !watch?.events.has("scroll"); tries += 1) await nextFrame();
}

const placeOf = (box) => [box.scrollLeft, box.scrollTop];
const chainOf = (element) => {
  const chain = [];
  for (let at = parentOf(element); at; at = parentOf(at)) if (isElement(at) && canScroll(at)) chain.push(at);
  return chain;
};

PREPARE.scroll = (element, wish) => {
  if (wish.to === "view") {
    const chain = chainOf(element);
    const before = chain.map(placeOf).join();
    scrollIntoView(element, { block: "center", inline: "nearest", behavior: "instant" });
    const box = chain[0] ?? rootScroller();
    return { scroll: { ...facts(box), moved: chain.map(placeOf).join() !== before, inView: partsInView(element).length > 0 } };
  }
  const box = scroller(element);
  // What does not scroll itself may still listen to the wheel, as maps do.
  if (box !== element && DIRECTIONS.test(wish.to)) {
    turned = { box, before: placeOf(box).join() };
    return { scroll: { ...facts(box), moved: false, wheel: true } };
  }
  const before = placeOf(box).join();
  const [left, top] = goal(box, wish);
  box.scrollTo({ left, top, behavior: "instant" });
  return { scroll: { ...facts(box), moved: placeOf(box).join() !== before } };
};

function facts(box) {
  const page = box === rootScroller();
  return {
    x: box.scrollLeft,
    y: box.scrollTop,
    maxX: box.scrollWidth - box.clientWidth,
    maxY: box.scrollHeight - box.clientHeight,
    container: page ? "the page" : shortly(box),
  };
}
