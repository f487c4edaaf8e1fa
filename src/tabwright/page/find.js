// From a selector to elements. A selector is a list of parts; each looks inside what the one
// before it found. Text is compared squeezed and without case, unless it is to be exact.

const NOT_SHOWN = "script,style,noscript,template,head,title,meta,link";
const LABELLABLE =
  "input,textarea,select,fieldset,summary,button,meter,progress,output,[contenteditable],[role],[aria-label],[aria-labelledby],[tabindex]";
const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa"];
// Elements that may have a role without stating it, so that a search need not look at all others.
const NATIVE = {
  button: "button,input,summary", link: "a,area", textbox: "input,textarea,[contenteditable]",
  searchbox: "input", checkbox: "input", radio: "input", switch: "input", slider: "input",
  spinbutton: "input", combobox: "select,input", listbox: "select,datalist", option: "option",
  heading: "h1,h2,h3,h4,h5,h6", img: "img,svg", image: "img,svg", list: "ul,ol,menu", listitem: "li",
  table: "table", row: "tr", cell: "td,th", columnheader: "th", rowheader: "th", dialog: "dialog",
  navigation: "nav", main: "main", form: "form", article: "article", group: "fieldset,details,optgroup",
  progressbar: "progress", meter: "meter", separator: "hr", paragraph: "p", status: "output",
};

const folded = (text) => squeezed(text).toLowerCase();

// The matches whose text is wholly what was asked for push out those that only contain it.
function ranked(elements, textsOf, wanted, exact) {
  if (exact) return elements.filter((e) => textsOf(e).some((t) => squeezed(t) === squeezed(wanted)));
  const needle = folded(wanted);
  const whole = [];
  const partly = [];
  for (const element of elements) {
    const texts = textsOf(element).map(folded);
    if (texts.includes(needle)) whole.push(element);
    else if (texts.some((text) => text.includes(needle))) partly.push(element);
  }
  return whole.length ? whole : partly;
}

// All matches of a CSS selector below a node, in it and in the shadow roots it holds.
function cssAll(scope, css) {
  const found = [];
  const trees = isElement(scope) && rootOf(scope) ? [scope, rootOf(scope)] : [scope];
  for (const start of trees) for (const tree of treesOf(start)) found.push(...queryAll(tree, css));
  return found;
}

// "my-card button" where the button is inside the card's shadow root: each step looks below the last.
function piercing(scope, css) {
  const steps = css.match(/(?:\[[^\]]*\]|\([^)]*\)|"[^"]*"|'[^']*'|[^\s[("'])+/g) || [];
  if (steps.length < 2 || steps.some((step) => /^[>+~,]$|,$/.test(step))) return [];
  let found = [scope];
  for (const step of steps) found = [...new Set(found.flatMap((inner) => cssAll(inner, step)))];
  return found;
}

function byCss(scope, part, thorough) {
  if (!thorough) {
    const light = queryAll(scope, part.value);
    if (light.length) return [...light];
  }
  const found = cssAll(scope, part.value);
  return found.length ? found : piercing(scope, part.value);
}

function byXpath(scope, part) {
  const found = [];
  for (const tree of treesOf(scope)) {
    const base = tree instanceof ShadowRoot ? tree.firstElementChild : tree;
    if (!base) continue;
    // "//x" begins at the document whatever the scope is; below an element it means "inside".
    const path = isElement(base) ? part.value.replace(/^\/\//, ".//") : part.value;
    const kind = XPathResult.ORDERED_NODE_SNAPSHOT_TYPE;
    const all = Document.prototype.evaluate.call(document, path, base, null, kind, null);
    for (let i = 0; i < all.snapshotLength; i++) {
      const node = all.snapshotItem(i);
      if (isElement(node)) found.push(node);
      else if (node.ownerElement || parentNode(node)) found.push(node.ownerElement || parentNode(node));
    }
  }
  return found;
}

function byRole(scope, part) {
  const css = NATIVE[part.value] ? `${NATIVE[part.value]},[role]` : "*";
  const withRole = cssAll(scope, css).filter((element) => roleOf(element) === part.value);
  if (part.name === null) return withRole;
  return ranked(withRole, (element) => [nameOf(element)], part.name, part.exact);
}

const BUTTON_TYPES = new Set(["submit", "button", "reset"]);

function visibleText(element) {
  let text = "";
  for (const child of childNodes(element)) {
    if (isText(child)) text += child.data;
    else if (isElement(child) && !matches(child, NOT_SHOWN)) text += visibleText(child);
  }
  return text;
}

// The smallest elements that show the text.
function byText(scope, part) {
  const exact = part.exact ? squeezed(part.value) : null;
  const needle = folded(part.value);
  const shows = (node) => {
    const text = squeezed(textContent(node));
    return exact === null ? text.toLowerCase().includes(needle) : text.includes(exact);
  };
  // The text of scripts and styles counts as text to the platform, not to a person.
  const says = (element) => {
    const text = squeezed(visibleText(element));
    return exact === null ? text.toLowerCase().includes(needle) : text.includes(exact);
  };
  const found = [];
  const descend = (element) => {
    if (matches(element, NOT_SHOWN)) return false;
    if (tagName(element) === "input") {
      if (!BUTTON_TYPES.has(element.type)) return false;
      if (!folded(element.value).includes(needle)) return false;
      found.push(element);
      return true;
    }
    if (!shows(element)) return false;
    let deeper = false;
    for (const child of elementChildren(element)) deeper = descend(child) || deeper;
    if (!deeper && !says(element)) return false;
    if (!deeper) found.push(element);
    return true;
  };
  for (const tree of treesOf(scope)) {
    if (isElement(tree)) for (const child of elementChildren(tree)) descend(child);
    else for (const child of childNodes(tree)) if (isElement(child)) descend(child);
    if (isElement(scope)) break;
    for (const input of queryAll(tree, "input")) if (!found.includes(input)) descend(input);
  }
  const textsOf = (element) => [tagName(element) === "input" ? element.value : textContent(element)];
  return ranked([...new Set(found)], textsOf, part.value, part.exact);
}

// What is hidden has no name; it is found by its labels all the same, so that a reply can say how.
const labelled = (element) => nameOf(element) || labelsOf(element).map(textContent).join(" ");

function byLabel(scope, part) {
  const candidates = cssAll(scope, LABELLABLE).filter((e) => roleOf(e) !== "generic");
  return ranked(candidates, (element) => [labelled(element)], part.value, part.exact);
}

function byAttribute(scope, part, names) {
  const css = names.map((name) => `[${name}]`).join(",");
  const textsOf = (element) => names.map((name) => attribute(element, name));
  if (part.by === "testid") return cssAll(scope, css).filter((e) => textsOf(e).includes(part.value));
  return ranked(cssAll(scope, css), textsOf, part.value, part.exact);
}

const SEARCHES = {
  css: byCss,
  xpath: byXpath,
  role: byRole,
  text: byText,
  label: byLabel,
  placeholder: (scope, part) => byAttribute(scope, part, ["placeholder", "aria-placeholder"]),
  alt: (scope, part) => byAttribute(scope, part, ["alt"]),
  title: (scope, part) => byAttribute(scope, part, ["title"]),
  testid: (scope, part) => byAttribute(scope, part, TEST_IDS),
};

// Everything that a selector matches. Throws what the platform says of a selector it cannot read.
// Unless it is to be thorough, CSS that matches in the open does not look into shadow roots.
function findAll(parts, thorough = true) {
  let found = [document];
  for (const part of parts) {
    if (part.by === "ref") {
      const { node } = deref(part.value);
      found = node ? [node] : [];
    } else if (part.by === "nth") {
      const at = part.value < 0 ? found.length + part.value : part.value;
      found = found[at] ? [found[at]] : [];
    } else if (part.by === "page") {
      found = [rootScroller()];
    } else if (part.by === "focused") {
      found = keysGoTo();
    } else {
      found = [...new Set(found.flatMap((scope) => SEARCHES[part.by](scope, part, thorough)))];
    }
    if (!found.length) break;
  }
  return found;
}

// The element that keys go to; none when they go to a frame inside this one, or around it.
function keysGoTo() {
  const element = focused() ?? bodyOf(document);
  if (!element || !hasFocus(document) || matches(element, "iframe,frame")) return [];
  return [element];
}

// The match to act on: the first that is shown, or else the first.
function findOne(parts) {
  let all = findAll(parts, false);
  let element = all.find(isShown);
  if (!element && parts[0].by !== "focused") {
    all = findAll(parts);
    element = all.find(isShown);
  }
  return { element: element ?? all[0], count: all.length };
}
