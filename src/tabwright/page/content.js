// The text of what an element contains, as a part of a name: through shadow roots and slots, with
// generated content and the values of controls, and with spaces where boxes part the words.

const NEVER_READ = new Set(words(`datalist defs desc head link meta metadata noscript param rp rt script
  source style template track`));
const REPLACED = new Set(words(`audio button canvas embed iframe img input meter progress select svg
  textarea video`));

// One line of siblings. A space goes between two of them unless both are plain text in one flow:
// `joins` is said of an inline box, `plain` of words that are from its content, and `blocks` tells
// two flows apart that a block between them parts.
const emptyLine = () => ({ text: "", joins: true, plain: true, blocks: 0 });

function append(line, text, how, joins, plain = true, blocks = how.blocks) {
  if (text && line.text) {
    const together = joins && plain && line.joins && line.plain && blocks === line.blocks;
    if (!together) line.text += " ";
  }
  line.text += text;
  line.joins = joins;
  line.blocks = blocks;
  if (text) line.plain = plain;
}

// The text alternative of an element that is met on the way to the name of another one.
function alternative(element, role, how) {
  if (how.seen.has(element)) return NOTHING;
  how.seen.add(element);
  const value = embeddedValue(element, role, how);
  if (value !== null) return { text: value, from: "value" };
  const found = authored(element, role, how);
  if (found) return found;
  if (!isValued(element) && (how.referent || handsOnContent(element, role))) {
    const text = contentOf(element, how);
    if (text) return { text, from: "content" };
  }
  const entitled = how.referent === element || isEntitled(element, role);
  return (entitled ? titled(element) : null) ?? NOTHING;
}

const HANDING_ON = /^(details|address|svg)$/;

function handsOnContent(element, role) {
  if (NAMED_BY_CONTENT.has(role) || HANDS_ON_CONTENT.has(role)) return true;
  if (role === "math") return tagName(element) !== "math";
  return HANDING_ON.test(tagName(element)) && !statedRole(element);
}

// What a control holds stands for it in the name of another. null if it is no such control.
function embeddedValue(element, role, how) {
  // An empty field goes by its name.
  if (/^(input|textarea)$/.test(tagName(element)) && EDITABLE.has(role)) return fieldText(element) || null;
  if (TEXT_FIELDS.has(role)) return fieldText(element);
  if (RANGES.has(role)) return attribute(element, "aria-valuetext") || rangeValue(element, role);
  if (role === "listbox") return chosenText(element, how);
  if (role !== "combobox") return null;
  const chosen = chosenText(element, how);
  if (chosen || isValued(element)) return chosen;
  return (isFocusable(element) && contentOf(element, how)) || null;
}

function chosenText(element, how) {
  if (tagName(element) === "select") return chosenLabels(element).join(" ");
  const chosen = [...queryAll(element, "[role=option][aria-selected=true]")];
  return chosen.map((option) => alternative(option, roleOf(option), how).text).join(" ");
}

function contentOf(element, how) {
  const line = emptyLine();
  readInto(line, element, how, getComputedStyle(element));
  return line.text;
}

function readInto(line, element, how, style, around = generatedAround(element, how)) {
  const { before, after } = around;
  if (before) appendGenerated(line, before, how);
  for (const child of shownChildren(element, style, how)) {
    if (how.seen.size > NAME_NODES || how.budget.visits <= 0) return;
    how.budget.visits -= 1;
    if (isText(child)) readText(line, child, how, style);
    else if (isElement(child)) readElement(line, child, how);
  }
  if (after) appendGenerated(line, after, how);
}

function appendGenerated(line, { text, joins, plain, parts }, how) {
  append(line, text, how, joins, plain);
  if (parts) how.blocks += 1;
}

function shownChildren(element, style, how) {
  const children = childrenOf(element);
  if (!how.hidden) {
    if (style.contentVisibility === "hidden" && style.display !== "inline") return [];
    if (tagName(element) === "details" && !hasAttribute(element, "open")) {
      return [...elementChildren(element)].filter((child) => detailsOf(child)).slice(0, 1);
    }
  }
  const owned = hasAttribute(element, "aria-owns") ? referents(element, "aria-owns") : [];
  return owned.length ? [...children, ...owned] : children;
}

function readText(line, node, how, style) {
  if (!how.hidden && style.visibility !== "visible") return;
  const text = cased(textContent(node), style.textTransform, line.text.at(-1));
  if (text.trim()) how.seen.add(node);
  append(line, text, how, !how.boxless);
}

const WORD_START = /(^|[^\p{L}\p{N}\p{M}'’])\p{L}/gu;

function cased(text, transform, before = " ") {
  switch (transform) {
    case "uppercase": return text.toUpperCase();
    case "lowercase": return text.toLowerCase();
    case "capitalize":
      return (before + text).replace(WORD_START, (start) => start.toUpperCase()).slice(before.length);
    default: return text;
  }
}

function readElement(line, element, how) {
  const tag = tagName(element);
  if (NEVER_READ.has(tag) || (tag === "title" && element instanceof SVGElement)) return;
  const style = getComputedStyle(element);
  if (!how.hidden && style.display === "none") return;
  if (!how.hidden && isTrue(element, "aria-hidden")) {
    if (partsLines(element, style)) how.blocks += 1;
    return;
  }
  const start = how.blocks;
  if (partsLines(element, style, false)) how.blocks += 1;
  if (tag === "br") return append(line, "\n", how, true);
  const role = roleOf(element);
  const inline = /^(inline|ruby)/.test(style.display) && !REPLACED.has(tag);
  const around = generatedAround(element, how);
  const idle = (role === "generic" || role === "none" || isBlank(element)) && around === NOT_GENERATED;
  const through = idle && !isKept(element);
  const invisible = !how.hidden && style.visibility !== "visible";
  if (invisible || (through && inline && style.display === "inline")) {
    return readInto(line, element, how, style, NOT_GENERATED);
  }
  const { text, from } = alternative(element, role, how);
  if (from !== "content" && inline && partsLines(element, style)) how.blocks += 1;
  if (!text && (tag === "slot" || (through && (inline || REPLACED.has(tag))))) return;
  const control = CONTROLS.has(role) || tag === "output";
  const joins = inline && !style.display.includes("-") && !how.boxless && !control;
  append(line, text, how, joins, from === "content" || from === "", start);
}

const isBlank = (element) => /^(canvas|svg)$/.test(tagName(element)) && !elementChildren(element).length;

const KEEPING = /^(aria-.*|id|lang|name|onclick|tabindex|title)$/;

// An inline box without a meaning of its own is passed through, unless something else makes Chrome
// keep a node for it.
function isKept(element) {
  const parent = parentNode(element);
  if (tagName(element) === "div" || parent instanceof ShadowRoot) return true;
  if (isEditingHost(element) || (isElement(parent) && rootOf(parent))) return true;
  if (tagName(element).includes("-") && closestInTree(element, "label")) return true;
  return attributeNames(element).some((name) => KEEPING.test(name));
}

// Whether a block, its own or one below, parts the line that it stands in.
function partsLines(element, style, deep = true) {
  if (element instanceof SVGElement) return false;
  const flows = style.float === "none" && style.position !== "absolute" && style.position !== "fixed";
  if (style.display === "inline") {
    if (!deep) return false;
    return [...elementChildren(element)].some((child) => partsLines(child, getComputedStyle(child)));
  }
  return flows && !/^(none|contents|inline|ruby)/.test(style.display);
}

const NOT_GENERATED = { before: null, after: null };

function generatedAround(element, how) {
  if (how.hidden || element instanceof SVGElement) return NOT_GENERATED;
  const { bare } = remembered();
  const look = bare && `${tagName(element)}.${attribute(element, "class")}`;
  if (bare?.has(look)) return NOT_GENERATED;
  const before = generated(element, "::before");
  const after = generated(element, "::after");
  if (before || after) return { before, after };
  bare?.add(look);
  return NOT_GENERATED;
}

const QUOTES = { "open-quote": "“", "close-quote": "”" };
const ALTERNATIVE = / \/ (?=(?:[^"]*"[^"]*")*[^"]*$)/;
const PIECES = /"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)[^)]*\)|(open-quote|close-quote)/g;

// Text that the style sheet puts before or after, or what it says instead of it.
function generated(element, which) {
  const style = getComputedStyle(element, which);
  const { content } = style;
  if (content === "none" || content === "normal" || content === "") return null;
  if (style.display === "none" || style.visibility !== "visible") return null;
  const [shown, spoken] = content.split(ALTERNATIVE);
  const plain = spoken === undefined;
  let text = "";
  for (const [, quoted, attr, quote] of (spoken ?? shown).replace(/url\("[^"]*"\)/g, "").matchAll(PIECES)) {
    text += quoted?.replace(/\\(.)/g, "$1") ?? (attr ? attribute(element, attr) : QUOTES[quote]);
  }
  if (plain) text = cased(text, style.textTransform);
  return { text, plain, joins: style.display === "inline", parts: partsLines(element, style, false) };
}
