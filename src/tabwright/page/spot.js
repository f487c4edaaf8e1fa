// Points of pictures: how everything was scrolled when one was taken, and what is at a point now.

const MOMENTS_KEPT = 50;
const moments = new Map();
const scrollLeftOf = getter(Element, "scrollLeft");
const scrollTopOf = getter(Element, "scrollTop");
const scrollElement = method(Element, "scrollTo");

// Everything that is scrolled, in shadow roots too. One pass: there may be tens of thousands.
function scrolledBoxes(root = document, found = new Map()) {
  for (const element of queryAll(root, "*")) {
    const left = scrollLeftOf(element);
    const top = scrollTopOf(element);
    if (left || top) found.set(element, { left, top });
    const inner = rootOf(element);
    if (inner) scrolledBoxes(inner, found);
  }
  found.delete(rootScroller());
  return found;
}

// How everything is scrolled now, for a picture that is about to be taken.
function remember(moment) {
  const places = [...scrolledBoxes()].map(([element, at]) => [new WeakRef(element), at]);
  moments.set(moment, { x: scrollX, y: scrollY, places });
  if (moments.size > MOMENTS_KEPT) moments.delete(moments.keys().next().value);
  const { pageLeft, pageTop, width, height, scale } = visualViewport;
  return {
    x: scrollX, y: scrollY, width: innerWidth, height: innerHeight,
    seen: [pageLeft, pageTop, width, height], zoom: scale,
  };
}

const holds = (box, x, y) => box.left <= x && x < box.right && box.top <= y && y < box.bottom;
const inWindow = (x, y) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;

// Scroll the boxes around a point of the window back to where they were at that moment.
function scrollBack(moment, x, y) {
  const remembered = moments.get(moment);
  if (!remembered) return;
  const then = new Map(remembered.places.map(([node, at]) => [node.deref(), at]));
  then.delete(undefined);
  const now = scrolledBoxes();
  for (const element of new Set([...then.keys(), ...now.keys()])) {
    const { left, top } = then.get(element) ?? { left: 0, top: 0 };
    const at = now.get(element);
    if ((at?.left ?? 0) === left && (at?.top ?? 0) === top) continue;
    if (holds(boxOf(element), x, y)) scrollElement(element, { left, top, behavior: "instant" });
  }
}

// What is fixed to the window was drawn elsewhere when the window stood elsewhere.
function isPinned(element) {
  for (let at = element; at; at = parentOf(at)) {
    if (isElement(at) && /^(fixed|sticky)$/.test(getComputedStyle(at).position)) return true;
  }
  return false;
}

// Where the window may be put so that it shows a point of the document: as it stood at the time if
// it showed it then, else as it stands, else around the point.
function* standings(at) {
  const { x, y, width, height } = at.window;
  if (holds({ left: x, top: y, right: x + width, bottom: y + height }, at.x, at.y)) {
    yield { left: x, top: y, same: true };
  }
  yield { left: scrollX, top: scrollY };
  for (const part of [0.5, 0.25, 0.75, 0.05, 0.95]) {
    const across = inWindow(at.x - scrollX, 0) ? scrollX : at.x - innerWidth / 2;
    yield { left: across, top: at.y - innerHeight * part };
  }
}

// The element at a point of the document; in a frame, of its window as it stood at that moment.
function spot(moment, at) {
  let cover = null;
  for (const { left, top, same } of at.window ? standings(at) : framed(moment)) {
    scrollTo({ left, top, behavior: "instant" });
    const x = at.window ? at.x - scrollX : at.x;
    const y = at.window ? at.y - scrollY : at.y;
    if (!inWindow(x, y)) continue;
    scrollBack(moment, x, y);
    const hit = elementAt(x, y);
    if (hit && (same || !isPinned(hit))) return atSpot(hit, x, y);
    cover ??= hit;
  }
  if (cover) return coveredBy(documentElement(document), cover);
  const { scrollWidth, scrollHeight } = rootScroller();
  return no("outside", `outside of it: it is only ${scrollWidth} x ${scrollHeight} px now`);
}

function framed(moment) {
  const { x, y } = moments.get(moment) ?? { x: scrollX, y: scrollY };
  return [{ left: x, top: y, same: true }];
}

// What a person would say is there: the button, not the picture in it.
function usedAt(hit) {
  for (let at = hit; isElement(at) && at !== bodyOf(document); at = parentOf(at)) {
    if (isControl(at)) return at;
  }
  return hit;
}

const couldHost = (element) =>
  tagName(element).includes("-") || (HOSTS.has(tagName(element)) && !childNodes(element).length);

function atSpot(hit, x, y) {
  const element = usedAt(hit);
  const box = boxOf(element);
  return {
    ok: true, x, y,
    ref: Number(describe(element).ref.slice(1)),
    position: { x: x - box.left, y: y - box.top },
    frame: matches(hit, "iframe,frame,object,embed"),
    // A closed root hides what is in it, until the browser is asked for it.
    closed: !rootOf(hit) && couldHost(hit),
  };
}

// A point of this window as the document of a frame in it has it, if the frame is there.
function intoFrame(element, x, y) {
  adoptRoots(element);
  if (elementAt(x, y) !== element) return null;
  const { left, top, across, down } = frameBox(element);
  return { x: (x - left) / across, y: (y - top) / down };
}
