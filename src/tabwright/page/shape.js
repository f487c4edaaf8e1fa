// Where an element is, whether it is shown, whether it moves, and what lies over it.

// What `content-visibility: auto` leaves out for now is there as soon as it is scrolled to.
const FULLY = { opacityProperty: true, visibilityProperty: true };
const RENDERED = { visibilityProperty: true };

const hasArea = (box) => box.width > 0 && box.height > 0;

// An inline element or one with display: contents has the boxes of what is in it.
function isBoxed(element) {
  if (hasArea(boxOf(element))) return true;
  const { overflowX, overflowY } = getComputedStyle(element);
  if (overflowX !== "visible" || overflowY !== "visible") return false;
  for (const child of childrenOf(element)) {
    if (isElement(child) ? isBoxed(child) : isText(child) && isTextBoxed(child)) return true;
  }
  return false;
}

function isTextBoxed(node) {
  const range = createRange(document);
  range.selectNodeContents(node);
  return hasArea(range.getBoundingClientRect());
}

// Whether a person can see it, wherever the page is scrolled to.
function isShown(element) {
  if (tagName(element) === "option" || tagName(element) === "optgroup") {
    const select = closest(element, "select");
    return Boolean(select) && isShown(select);
  }
  return isConnected(element) && isRendered(element, FULLY) && isBoxed(element);
}

// An element without a box of its own is there if anything in it is.
function isRendered(element, how = RENDERED) {
  if (checkVisibility(element, how)) return true;
  if (getComputedStyle(element).display !== "contents") return false;
  for (const child of childrenOf(element)) {
    if (isElement(child) ? isRendered(child, how) : isText(child) && isTextBoxed(child)) return true;
  }
  return false;
}

// Why a person cannot see it, in words; nothing when it can be seen.
function hiddenHow(element) {
  if (isShown(element)) return "";
  for (let at = element; at; at = parentOf(at)) {
    if (!isElement(at)) continue;
    const style = getComputedStyle(at);
    const whose = at === element ? "" : ` on its ancestor ${shortly(at)}`;
    if (style.display === "none") return `display: none${whose}`;
    if (style.contentVisibility === "hidden" && at !== element) return `content-visibility: hidden${whose}`;
    if (Number(style.opacity) === 0) return `opacity: 0${whose}`;
    if (at === element && style.visibility !== "visible") return `visibility: ${style.visibility}`;
  }
  if (!isRendered(element)) return closedDetails(element) ? "it is in a closed <details>" : "it is not rendered";
  const box = boxOf(element);
  return `it has no size (${Math.round(box.width)} x ${Math.round(box.height)} px)`;
}

function closedDetails(element) {
  const details = closest(element, "details:not([open])");
  return details && !isShown(element) ? details : null;
}

// What a person would press to have it shown: the summary of closed details, or the control that
// says it controls what the element is in.
function openerOf(element) {
  const details = closedDetails(element);
  const summary = details && [...elementChildren(details)].find((child) => tagName(child) === "summary");
  if (summary && isShown(summary)) return summary;
  for (let at = element; at; at = parentOf(at)) {
    const id = isElement(at) ? attribute(at, "id") : "";
    if (!id) continue;
    const controls = queryAll(getRootNode(at), `[aria-controls~="${CSS.escape(id)}"]`);
    const opener = [...controls].find((control) => !contains(at, control) && isShown(control));
    if (opener) return opener;
  }
  return null;
}

function noSight(element) {
  const opener = openerOf(element);
  return no("hidden", `hidden: ${hiddenHow(element)}`, { opener: opener ? describe(opener) : null });
}

function shortly(element) {
  const id = attribute(element, "id");
  return `<${tagName(element)}${id ? ` id="${cut(id, 30)}"` : ""}>`;
}

const view = () => ({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });

function meet(a, b) {
  const box = {
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  };
  return box.right > box.left && box.bottom > box.top ? box : null;
}

// The parts of an element that lie inside the window: a link over two lines has two.
function partsInView(element) {
  const parts = [];
  const take = (boxes) => {
    for (const box of boxes) {
      const part = hasArea(box) && meet(box, view());
      if (part) parts.push(part);
    }
  };
  take(boxesOf(element));
  if (!parts.length && !hasArea(boxOf(element))) {
    for (const child of childrenOf(element)) if (isElement(child)) take(boxesOf(child));
  }
  return parts;
}

const NEAR_FIRST = [0.5, 0.25, 0.75, 0.1, 0.9, 0.02, 0.98];

// Points to press, the centre first.
function* pointsIn(part) {
  const width = part.right - part.left;
  const height = part.bottom - part.top;
  for (const down of NEAR_FIRST) {
    for (const across of NEAR_FIRST) {
      yield { x: part.left + width * across, y: part.top + height * down };
    }
  }
}

// Whether what lies at a point hands the press on to the element: it is part of it, or its label.
function reaches(element, hit) {
  if (!hit) return false;
  if (contains(element, hit)) return true;
  const label = closest(hit, "label");
  return Boolean(label) && label.control === element && !closest(hit, "a,button,input,select,textarea");
}

// The first free point of an element, or what lies over its centre.
function freePoint(element) {
  let cover = null;
  for (const part of partsInView(element)) {
    for (const point of pointsIn(part)) {
      const hit = elementAt(point.x, point.y);
      if (reaches(element, hit)) return { point };
      cover ??= { hit, point };
    }
  }
  return { cover };
}

const GEOMETRY =
  /^(transform|translate|scale|rotate|offset|left|top|right|bottom|inset|width|height|min|max|margin|padding|flex|grid|gap|font|line|border|zoom|columns)/;
const LAYOUT = /^(left|top|right|bottom|inset|width|height|min|max|margin|padding|flex|grid|gap|font|line|border)/;

// What a style sheet's animations change does not change, and takes long to ask.
const animated = new WeakMap();

function animatedBy(animation) {
  if (animation.transitionProperty) return [animation.transitionProperty];
  const { effect } = animation;
  const properties = animated.get(effect) ?? effect.getKeyframes().flatMap(Object.keys);
  if (animation.animationName) animated.set(effect, properties);
  return properties;
}

// Whether a running animation may carry the element along: its own, an ancestor's, or one that
// pushes the layout around. One that turns or fades something elsewhere does not.
function isCarried(element) {
  for (const animation of runningAnimations(document)) {
    if (animation.playState !== "running" || !animation.effect) continue;
    const { target } = animation.effect;
    if (!target) continue;
    const inside = contains(target, element);
    const moves = inside ? GEOMETRY : LAYOUT;
    if (!animatedBy(animation).some((property) => moves.test(property))) continue;
    if (inside || !/^(absolute|fixed)$/.test(getComputedStyle(target).position)) return true;
  }
  return false;
}

// When an element's style last changed: what moves by script changes it again and again.
const { stirredAt } = early;
const RESTLESS_MS = 120;
// Counts the changes of the document, so that one that has stayed the same is known.
let generation = 0;
let lastChange = -Infinity;

function changedAt() {
  noteChanges(everything.takeRecords());
  return lastChange;
}

function noteChanges(records) {
  const now = performance.now();
  if (records.length) {
    generation += 1;
    lastChange = now;
  }
  for (const record of records) {
    if (STIRRING.has(record.attributeName)) stirredAt.set(record.target, now);
    else if (record.type !== "attributes" && altered.size < MOST_ALTERED) noteAltered(record);
  }
}

// What got other words or other content since the page was last looked at; a page that is built
// anew is not altered but another one.
const MOST_ALTERED = 100;
const altered = new Set();

function noteAltered({ type, target, addedNodes }) {
  if (type === "characterData" || !addedNodes.length) altered.add(target);
  else for (const node of addedNodes) altered.add(node);
}

// Those that are still there, with all that they are in; from now on, only what comes after counts.
function takeAltered() {
  noteChanges(everything.takeRecords());
  const nodes = altered.size < MOST_ALTERED ? [...altered].filter(isConnected) : [];
  altered.clear();
  const found = new Set();
  for (const node of nodes) for (let at = node; at && !found.has(at); at = parentOf(at)) found.add(at);
  return found;
}

const everything = new MutationObserver(noteChanges);
everything.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
early.end();

function countChanges() {
  noteChanges(everything.takeRecords());
  return generation;
}

let looked = false;

// When anything was last scrolled: it may go on, and take the element along.
let scrolledAt = -Infinity;

function isRestless(element) {
  const now = performance.now();
  if (now - scrolledAt < RESTLESS_MS) return true;
  for (let at = element; at; at = parentOf(at)) {
    if (now - (stirredAt.get(at) ?? -RESTLESS_MS) < RESTLESS_MS) return true;
  }
  // Of a page that we have just come to, nothing may be known yet.
  const first = !looked && !early.known;
  looked = true;
  return first;
}

const nextFrame = () =>
  new Promise((resolve) => {
    // A tab in the background has no frames.
    const late = setTimeout(() => resolve(performance.now()), 100);
    requestAnimationFrame((time) => {
      clearTimeout(late);
      resolve(time);
    });
  });

const timelineOf = getter(Document, "timeline");
const MOMENT_TRIES = 10;

// The time of animations goes on with frames only, and a busy machine draws none for a while.
async function nextMoment() {
  const { currentTime } = timelineOf(document);
  for (let tries = 0; tries < MOMENT_TRIES; tries += 1) {
    await nextFrame();
    if (timelineOf(document).currentTime > currentTime) return;
  }
}

const REACH_MS = 60;
const KNOWN_MS = 50;

// How an element moves: not at all, slowly enough to be pressed, or too fast.
async function motionOf(element) {
  // A tab in the background has no frames.
  if (!looked) await Promise.race([early.soon, new Promise((resolve) => setTimeout(resolve, KNOWN_MS))]);
  if (!isCarried(element) && !isRestless(element)) return "still";
  await nextFrame();
  const before = boxOf(element);
  const began = performance.now();
  await nextMoment();
  const after = boxOf(element);
  const moved = Math.hypot(after.x - before.x, after.y - before.y);
  const grown = Math.max(Math.abs(after.width - before.width), Math.abs(after.height - before.height));
  if (moved < 0.5 && grown < 0.5) return "still";
  const speed = (moved + grown) / Math.max(performance.now() - began, 4);
  return speed * REACH_MS < Math.min(after.width, after.height) / 2 ? "slow" : "fast";
}
