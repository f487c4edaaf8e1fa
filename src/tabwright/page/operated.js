// What on a page can be operated: controls, and whatever else reacts to a press.

const OPERATED = new Set(words(`button checkbox color combobox date datetime file link listbox menuitem
  menuitemcheckbox menuitemradio option radio scrollbar searchbox slider spinbutton summary switch tab
  textbox time treeitem`));
// They hold no words of their own: what they show is their value.
const HOLDING = new Set(words(`color combobox date datetime file searchbox slider spinbutton textbox time
  progressbar meter`));
const NESTED = 'a[href],button,input,select,textarea,summary,iframe,[role],[tabindex],[onclick],[contenteditable]';
const TEXT_CHARS = 2000;

// A control or anything else that reacts to a press.
function isOperated(element, role, sight, around) {
  if (OPERATED.has(role)) return !isMeant(element, role);
  if (hasAttributes(element)) {
    if (isEditingHost(element)) return true;
    if (hasAttribute(element, "onclick")) return !isDelegate(element);
  }
  if (listening.has(element)) return !isDelegate(element);
  if (hasAttribute(element, "tabindex") && !TOLD_ALWAYS.has(role)) {
    return Number(attribute(element, "tabindex")) >= 0 && !isPageWide(element);
  }
  return sight.pointer && !around.pointer && role !== "label" && !isPageWide(element);
}

const hasAttributes = method(Element, "hasAttributes");

// It listens for what is in it, as frameworks do at their root.
function isDelegate(element) {
  if (isPageWide(element) || textContent(element).length > TEXT_CHARS) return true;
  for (const inner of queryAll(element, NESTED)) if (OPERATED.has(roleOf(inner))) return true;
  return false;
}

// Roles of controls that others have as well: a date in the text, an option of a closed list.
function isMeant(element, role) {
  if (role === "time") return tagName(element) !== "input";
  return role === "option" && closestInTree(element, "select") !== null;
}

const isPageWide = (element) => element === bodyOf(document) || element === documentElement(document);

const roleWord = (element, role) => (role === "generic" || role === "none" ? "textbox" : role);

function hasParts(element, role) {
  if (isField(element) || isEditingHost(element)) return false;
  if (!elementChildren(element).length && !rootOf(element)) return false;
  if (role === "listbox") return true;
  for (const inner of queryAll(element, NESTED)) if (!hasAttribute(inner, "aria-hidden") && roleOf(inner) !== "none" && OPERATED.has(roleOf(inner))) return true;
  return !OPERATED.has(role) && !HOLDING.has(role) && textContent(element).length > NAME_SHOWN * 2;
}
