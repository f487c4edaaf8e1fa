// The page as it is to be read: a copy of what a person can see of it, with open shadow roots and
// slots in their places, for a finder of articles; and the same as plain text.

const READ_MOST = 2_000_000;
// What these hold is shown only where they cannot do their work, or when they are opened.
const INSTEAD = new Set(words("audio canvas embed frame iframe object select textarea video"));
const LOOSE = /[^\S ]|\s\s/;

const importNode = method(Document, "importNode");
const createElement = method(Document, "createElement");
const createText = method(Document, "createTextNode");
const appendChild = method(Node, "appendChild");
const outerHtml = getter(Element, "outerHTML");

class Reading {
  constructor() {
    // No script runs in it, and nothing is loaded.
    this.page = new DOMParser().parseFromString("<!doctype html><title></title>", "text/html");
    this.said = [];
    this.length = 0;
    this.hidden = 0;
    this.edge = edgeOfPage();
    this.outside = reachesOut(document, this.edge);
  }

  get full() {
    return this.length >= READ_MOST;
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
  if (SKIPPED.has(tag) || INSTEAD.has(tag)) return;
  const style = getComputedStyle(element);
  const { display } = style;
  if (display === "none") return;
  const at = { element, style, sight: sightOf(element, style, display, around.sight) };
  const apart = isBlock(display) || tag === "br";
  if (apart) reading.say("\n");
  const copy = tag === "slot" ? into : appendChild(into, reading.copyOf(element));
  if (style.contentVisibility !== "hidden") readChildren(reading, element, copy, at);
  if (apart) reading.say("\n");
}

function article() {
  const reading = new Reading();
  const { page } = reading;
  const body = bodyOf(document);
  if (body) {
    const style = getComputedStyle(body);
    readChildren(reading, body, bodyOf(page), { element: body, style, sight: sightOf(body, style, style.display, OPEN_SIGHT) });
  }
  const scroller = rootScroller();
  const [focus, modal] = [focused(), modalDialog()];
  return {
    url: location.href,
    title: titleOf(document),
    html: outerHtml(documentElement(page)),
    text: reading.text,
    hidden: reading.hidden,
    cut: reading.full,
    viewport: [innerWidth, innerHeight],
    scroll: [Math.round(scrollX), Math.round(scrollY)],
    size: scroller ? [scroller.scrollWidth, scroller.scrollHeight] : [0, 0],
    focus: focus && !isPageWide(focus) ? refOf(focus) : "",
    modal: modal ? refOf(modal) : "",
  };
}

eyesApi.article = article;
