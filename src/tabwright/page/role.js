// The role of an element, as Chrome's accessibility tree states it.

// Chrome's own names for what ARIA has no role for, and what we say instead. This is the whole
// list: a role that is not in it is ARIA's own. Ours are the words that people use for the control.
//
//   ColorWell            color        Date, DateTime       date, datetime
//   InputTime            time         (file input: button) file
//   DisclosureTriangle   summary      Iframe               iframe
//   Canvas, Video, Audio canvas, video, audio
//   PluginObject         object       EmbeddedObject       embed
//   image, SvgRoot       img          MathMLMath           math
//   LabelText            label        Legend               legend
//   Figcaption           figcaption   Abbr                 abbr
//   DescriptionList      list         Ruby                 ruby
//   LayoutTable, its rows and cells, LineBreak             none
//   MathML below math, RubyAnnotation                      generic

const words = (text) => text.trim().split(/\s+/);

const ARIA_ROLES = new Set(words(`
  alert alertdialog application article banner blockquote button caption cell checkbox code
  columnheader combobox comment complementary contentinfo definition deletion dialog document
  emphasis feed figure form generic grid gridcell group heading img insertion link list listbox
  listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter
  navigation none note option paragraph progressbar radio radiogroup region row rowgroup rowheader
  scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status strong
  subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar
  tooltip tree treegrid treeitem graphics-document graphics-object graphics-symbol doc-abstract
  doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography
  doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits
  doc-dedication doc-endnote doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example
  doc-footnote doc-foreword doc-glossary doc-glossref doc-index doc-introduction doc-noteref
  doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface
  doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc`));

const ROLE_SYNONYMS = { image: "img", presentation: "none", directory: "list" };

// Attributes that make an element worth telling of even if its author says it is not.
const GLOBAL_ARIA = words(`atomic braillelabel brailleroledescription busy controls current describedby
  description details flowto keyshortcuts label labelledby live owns relevant roledescription`)
  .map((name) => `aria-${name}`);

const INPUT_ROLES = {
  button: "button", checkbox: "checkbox", color: "color", date: "date", "datetime-local": "datetime",
  file: "file", hidden: "none", image: "button", month: "datetime", number: "spinbutton",
  radio: "radio", range: "slider", reset: "button", search: "searchbox", submit: "button",
  time: "time", week: "datetime",
};

const TAG_ROLES = new Map(Object.entries({
  abbr: "abbr", address: "group", article: "article", audio: "audio", blockquote: "blockquote",
  br: "none", button: "button", canvas: "canvas", caption: "caption", code: "code", datalist: "listbox",
  dd: "definition", del: "deletion", details: "group", dfn: "term", dialog: "dialog", dl: "list",
  dt: "term", em: "emphasis", embed: "embed", fieldset: "group", figcaption: "figcaption",
  figure: "figure", form: "form", frame: "iframe", h1: "heading", h2: "heading", h3: "heading",
  h4: "heading", h5: "heading", h6: "heading", hgroup: "group", hr: "separator", iframe: "iframe",
  ins: "insertion", label: "label", legend: "legend", main: "main", mark: "mark", menu: "list",
  meter: "meter", nav: "navigation", object: "object", ol: "list", optgroup: "group",
  option: "option", output: "status", p: "paragraph", progress: "progressbar", ruby: "ruby",
  s: "deletion", search: "search", strong: "strong", sub: "subscript", sup: "superscript",
  textarea: "textbox", time: "time", ul: "list", video: "video",
  a: linkRole, area: linkRole, img: imageRole, input: inputRole, li: itemRole,
  aside: (element) => (inSection(element, false) && !isNamedByAuthor(element) ? "generic" : "complementary"),
  footer: (element) => (inSection(element, true) ? "sectionfooter" : "contentinfo"),
  header: (element) => (inSection(element, true) ? "sectionheader" : "banner"),
  section: (element) => (isNamedByAuthor(element) ? "region" : "generic"),
  select: (element) => (isMultiple(element) || sizeOf(element) > 1 ? "listbox" : "combobox"),
  summary: (element) => (detailsOf(element) ? "summary" : "generic"),
  table: tableRole, tbody: tablePartRole, thead: tablePartRole, tfoot: tablePartRole,
  tr: tablePartRole, td: tablePartRole, th: tablePartRole,
}));

const inputType = getter(HTMLInputElement, "type");
const attributeNames = method(Element, "getAttributeNames");
const inputList = getter(HTMLInputElement, "list");
const isMultiple = getter(HTMLSelectElement, "multiple");
const sizeOf = getter(HTMLSelectElement, "size");
const isDisabled = (element) => matches(element, ":disabled");

function roleOf(element) {
  return statedRole(element) || nativeRole(element);
}

// The first role that its author gives an element and that holds, or "" for none.
function statedRole(element, inContext = true) {
  const stated = getAttribute(element, "role");
  if (!stated) return "";
  for (const token of stated.toLowerCase().split(/\s+/)) {
    const role = ROLE_SYNONYMS[token] ?? token;
    if (!ARIA_ROLES.has(role)) continue;
    if (role === "none") {
      // What can be focused is told of, whatever its author says, and by its own role.
      const told = isFocusable(element) || GLOBAL_ARIA.some((name) => hasAttribute(element, name));
      return told ? nativeRole(element) : "none";
    }
    if ((role === "form" || role === "region") && !isNamedByAuthor(element)) continue;
    if (inContext && role in ROLE_PARENTS && isOrphan(element, role)) continue;
    return role;
  }
  return "";
}

function nativeRole(element) {
  if (element instanceof HTMLElement) {
    const role = TAG_ROLES.get(tagName(element)) ?? "generic";
    return typeof role === "string" ? role : role(element);
  }
  return element instanceof SVGElement ? svgRole(element) : tagName(element) === "math" ? "math" : "generic";
}

// Roles that mean something only inside another one.
const ROLE_PARENTS = { listitem: "list", option: "listbox", treeitem: "tree" };
const THROUGH_PARENTS = new Set(["generic", "none", "group", "treeitem"]);

function isOrphan(element, role) {
  let at = ownerOf(element);
  for (let steps = 0; isElement(at) && steps < 50; steps += 1, at = ownerOf(at)) {
    const above = statedRole(at, false) || contextRole(at);
    if (above === ROLE_PARENTS[role]) return false;
    if (!THROUGH_PARENTS.has(above)) return true;
  }
  return true;
}

// The native role, where it does not depend on further ancestors: each would ask for its own.
function contextRole(element) {
  const role = TAG_ROLES.get(tagName(element)) ?? "generic";
  if (typeof role === "string") return role;
  return role === itemRole || role === linkRole ? role(element) : "";
}

// The parent in the accessibility tree: another element may claim one by its id.
function ownerOf(element) {
  const id = attribute(element, "id");
  if (!id) return parentOf(element);
  const root = getRootNode(element);
  const { owners } = remembered();
  if (!owners.has(root)) {
    const claims = [...queryAll(root, "[aria-owns]")];
    owners.set(root, new Map(claims.flatMap((owner) => idsIn(owner, "aria-owns").map((own) => [own, owner]))));
  }
  return owners.get(root).get(id) ?? parentOf(element);
}

// Whether it can take the focus, as far as markup says.
function isFocusable(element) {
  if (hasAttribute(element, "tabindex")) return !isDisabled(element);
  switch (tagName(element)) {
    case "a": case "area": return isLink(element);
    case "button": case "input": case "select": case "textarea": return !isDisabled(element);
    case "summary": return detailsOf(element) !== null;
    case "audio": case "video": return hasAttribute(element, "controls");
    default: return isEditingHost(element);
  }
}

const EDITING = /^(true|plaintext-only|)$/i;
const isEditingHost = (element) => EDITING.test(getAttribute(element, "contenteditable") ?? "false");
const isLink = (element) => hasAttribute(element, "href") || hasAttribute(element, "xlink:href");

// aria-label, a reference that leads somewhere, or a title.
function isNamedByAuthor(element) {
  return attribute(element, "aria-label").trim() !== "" || attribute(element, "title").trim() !== "" ||
    referents(element, "aria-labelledby").length > 0;
}

const reflected = (name) => (name in Element.prototype ? getter(Element, name) : () => null);
const REFLECTED = {
  "aria-labelledby": reflected("ariaLabelledByElements"),
  "aria-describedby": reflected("ariaDescribedByElements"),
};

// The elements that an attribute names by their ids. A script may set them without ids, which
// leaves the attribute empty.
function referents(element, name) {
  const stated = getAttribute(element, name);
  if (stated === null) return [];
  if (stated === "") return REFLECTED[name]?.(element) ?? [];
  const root = getRootNode(element);
  return idsIn(element, name).map((id) => byId(root, id)).filter(Boolean);
}

const idsIn = (element, name) => attribute(element, name).split(/\s+/).filter(Boolean);

function linkRole(element) {
  // Chrome counts any listener for clicks; a script can only see the attribute.
  return isLink(element) || hasAttribute(element, "onclick") ? "link" : "generic";
}

function imageRole(element) {
  if (getAttribute(element, "alt") !== "" || attribute(element, "title") || isFocusable(element)) return "img";
  return attributeNames(element).some((name) => name.startsWith("aria-")) ? "img" : "none";
}

function inputRole(element) {
  const type = inputType(element);
  if (type !== "color" && hasAttribute(element, "list") && inputList(element)) return "combobox";
  return INPUT_ROLES[type] ?? "textbox";
}

// A list with a role of its own, whatever it is, takes the meaning from its items.
function itemRole(element) {
  const parent = parentNode(element);
  const listed = isElement(parent) && /^(ul|ol|menu)$/.test(tagName(parent));
  if (!listed || attribute(element, "role").trim()) return "listitem";
  return /^(list|)$/i.test(attribute(parent, "role").trim()) ? "listitem" : "none";
}

function detailsOf(summary) {
  const parent = parentNode(summary);
  if (!isElement(parent) || tagName(parent) !== "details") return null;
  for (const child of elementChildren(parent)) {
    if (tagName(child) === "summary") return child === summary ? parent : null;
  }
  return null;
}

const SECTIONS = new Set(["article", "complementary", "navigation"]);
const SECTION_TAGS = new Set(["article", "aside", "nav", "section"]);

// Whether it heads, ends or stands beside a part of the page and not the page.
function inSection(element, orMain) {
  for (let at = parentOf(element); isElement(at); at = parentOf(at)) {
    const stated = statedRole(at, false);
    if (stated ? SECTIONS.has(stated) : SECTION_TAGS.has(tagName(at))) return true;
    if (orMain && (stated || tagName(at)) === "main") return true;
  }
  return false;
}

function svgRole(element) {
  const named = hasAttribute(element, "aria-label") || svgChild(element, "title") || svgChild(element, "desc");
  switch (tagName(element)) {
    case "svg": case "image": return "img";
    case "a": return linkRole(element) === "link" ? "link" : "group";
    case "g": return named || isFocusable(element) ? "group" : "generic";
    case "use": return named ? "graphics-object" : "generic";
    case "circle": case "ellipse": case "line": case "path": case "polygon": case "polyline": case "rect":
      return named ? "graphics-symbol" : "generic";
    default: return "generic";
  }
}

function svgChild(element, tag) {
  for (const child of elementChildren(element)) if (tagName(child) === tag) return child;
  return null;
}
