// The page as it is to be read: a copy of what a person can see of it, with open shadow roots and
// slots in their places, for a finder of articles; and the same as plain text.

// What these hold is shown only where they cannot do their work, or when they are opened.
const INSTEAD = new Set(words("audio canvas embed object select textarea video"));
const FRAMES = new Set(words("frame iframe"));
const LOOSE = /[^\S ]|\s\s/;

const importNode = method(Document, "importNode");
const createElement = method(Document, "createElement");
const createText = method(Document, "createTextNode");
const appendChild = method(Node, "appendChild");
const outerHtml = getter(Element, "outerHTML");

class Reading {
  constructor(most) {
    // No script runs in it, and nothing is loaded.
    this.page = new DOMParser().parseFromString("<!doctype html><title></title>", "text/html");
    this.said = [];
    this.length = 0;
    this.most = most;
    this.frames = [];
    this.hidden = 0;
    this.edge = edgeOfPage();
    this.outside = reachesOut(document, this.edge);
  }

  get full() {
    return this.length >= this.most;
  }

  say(words) {
    this.said.push(words);
    this.length += words.length;
  }

  // The words, a line for each line of the page.
  get text() {
    return this.said.join("").replace(/[ \t]*\n\s*/g, "\n").trim();
  }

  // An element of the page in the copy. One that a script defined is nothing a finder knows.
  copyOf(element) {
    const own = tagName(element).includes("-");
    return own ? createElement(this.page, "div") : importNode(this.page, element, false);
  }
}

function readChildren(reading, element, into, at) {
  const root = rootOf(element);
  if (root && !reading.outside) reading.outside = reachesOut(root, reading.edge);
  const closed = tagName(element) === "details" && !hasAttribute(element, "open");
  for (const child of childrenOf(element)) {
    if (reading.full) return;
    if (closed && !(isElement(child) && detailsOf(child))) continue;
    if (isText(child)) readText(reading, child, into, at);
    else if (isElement(child)) readElement(reading, child, into, at);
  }
}

function readText(reading, node, into, at) {
  const said = node.data;
  if (!said.trim()) {
    reading.say(" ");
    appendChild(into, createText(reading.page, said));
    return;
  }
  at.unread ??= unreadBy(reading, at);
  if (at.unread) {
    reading.hidden += 1;
    return;
  }
  const loose = LOOSE.test(said) && at.style.whiteSpaceCollapse === "collapse";
  reading.say(loose ? said.replace(/\s+/g, " ") : said);
  appendChild(into, createText(reading.page, said));
}

function readElement(reading, element, into, around) {
  const tag = tagName(element);
  if (SKIPPED.has(tag) || INSTEAD.has(tag)) return undefined;
  const style = getComputedStyle(element);
  const { display } = style;
  if (display === "none") return undefined;
  const at = { element, style, sight: sightOf(element, style, display, around.sight) };
  if (FRAMES.has(tag)) return readFrame(reading, element, at);
  const apart = isBlock(display) || tag === "br";
  if (apart) reading.say("\n");
  const copy = tag === "slot" ? into : appendChild(into, reading.copyOf(element));
  if (style.contentVisibility !== "hidden") readChildren(reading, element, copy, at);
  if (apart) reading.say("\n");
  return undefined;
}

// What a frame shows is read by itself, if a person can see it here.
function readFrame(reading, element, { style, sight }) {
  const roomy = clientWidthOf(element) > CLIPPED_PX && clientHeightOf(element) > CLIPPED_PX;
  // Whether anything is outside was asked of words only, and a frame has none of its own.
  const walk = { edge: reading.edge, outside: true };
  if (roomy && !unseenAt(walk, element, style, sight)) reading.frames.push({ e: refNumber(element), n: calledOf(element) });
}

function article(most) {
  const reading = new Reading(most);
  const { page } = reading;
  const body = bodyOf(document);
  if (body) {
    const style = getComputedStyle(body);
    readChildren(reading, body, bodyOf(page), { element: body, style, sight: sightOf(body, style, style.display, OPEN_SIGHT) });
  }
  return {
    ...pageFacts(focused(), modalDialog()),
    html: outerHtml(documentElement(page)),
    text: reading.text,
    frames: reading.frames,
    hidden: reading.hidden,
    cut: reading.full,
  };
}

eyesApi.article = article;
