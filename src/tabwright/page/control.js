// Controls: which pattern an element follows, and what it holds. `set` is made of it.

const MOMENTS = new Set(words("date time datetime-local month week"));
const PRESSED_TYPES = new Set(words("button submit reset image hidden"));
const FIELDS =
  "input:not([type=hidden]),select,textarea,summary,[role],[contenteditable],[aria-pressed],[aria-haspopup],[aria-expanded]";
const CHOSEN_BY = words("aria-controls aria-owns aria-autocomplete aria-activedescendant");

const ROLE_KINDS = {
  checkbox: "check",
  switch: "check",
  menuitemcheckbox: "check",
  radio: "radio",
  menuitemradio: "radio",
  radiogroup: "radios",
  listbox: "listbox",
  combobox: "combobox",
  slider: "slider",
  spinbutton: "spin",
  textbox: "text",
  searchbox: "text",
  tree: "tree",
  treegrid: "tree",
  tablist: "tabs",
  tab: "tab",
  option: "option",
  treeitem: "treeitem",
  menu: "menu",
  menubar: "menu",
  summary: "disclosure",
};

function kindOf(element) {
  const tag = tagName(element);
  if (tag === "select") return "select";
  if (tag === "input") return inputKind(element);
  if (tag === "details") return "disclosure";
  const role = roleOf(element);
  if (tag === "textarea") return role === "combobox" && !isSearch(element) ? "combobox" : "text";
  if (hasAttribute(element, "aria-pressed")) return "check";
  if (role === "button" || role === "link" || role === "menuitem") return buttonKind(element);
  if (role === "separator") return isFocusable(element) && hasAttribute(element, "aria-valuenow") ? "slider" : "";
  if (role === "menu" || role === "menubar") {
    return queryAll(element, "[role=menuitemradio],[role=menuitemcheckbox]").length ? "menu" : "";
  }
  if (role in ROLE_KINDS) return ROLE_KINDS[role];
  if (isEditingHost(element)) return "text";
  if (isBareHandle(element)) return "slider";
  return /^(grid|table|application)$/.test(role) && daysIn(element).length ? "calendar" : "";
}

function inputKind(element) {
  const type = inputType(element);
  if (type === "checkbox") return "check";
  if (type === "radio") return "radio";
  if (type === "range") return "slider";
  if (type === "file" || type === "color") return type;
  if (MOMENTS.has(type)) return "moment";
  if (PRESSED_TYPES.has(type)) return hasAttribute(element, "aria-pressed") ? "check" : buttonKind(element);
  // What the browser itself suggests need not be chosen: the text is all there is to it.
  if (inputList(element) || isSearch(element)) return "text";
  const role = roleOf(element);
  if (role === "combobox" || comboboxAround(element)) return "combobox";
  if (type === "number") return "number";
  if (role === "spinbutton" || role === "slider") return role === "slider" ? "slider" : "spin";
  if (role === "switch" || role === "checkbox") return "check";
  return CHOSEN_BY.some((name) => hasAttribute(element, name)) && isCombobox(element) ? "combobox" : "text";
}

// A search takes any words; what it suggests leads on to other pages.
const isSearch = (element) => element.type === "search" || Boolean(closest(element, "[role=search],search"));

// The oldest shape of a combobox says so by its popup only.
function isCombobox(element) {
  return (
    /^(list|both)$/.test(attribute(element, "aria-autocomplete")) ||
    /^(listbox|tree|grid)$/.test(popupState(element) ?? "")
  );
}

// Version 1.1 of ARIA put the role on a box around the field.
const comboboxAround = (element) => closest(parentOf(element), "[role=combobox]");

function buttonKind(element) {
  if (popupState(element)) return "popup";
  return hasAttribute(element, "aria-expanded") || hasAttribute(element, "popovertarget") ? "disclosure" : "";
}

// From what a selector found to the control that is meant: a label stands for its control, a
// heading for what it heads, a box for the one control or the one group in it.
function controlMeant(element) {
  const tag = tagName(element);
  const kind = kindOf(element);
  // Its grid is often drawn anew, the box around it seldom.
  if (kind === "calendar") return { element: calendarBox(element), kind };
  if (kind) return { element: drawnInstead(element) ?? comboboxFor(element) };
  const label = closest(element, "label");
  const labelled = label && (labelControl(label) ?? queryAll(label, FIELDS)[0]);
  if (labelled && kindOf(labelled)) return { element: drawnInstead(labelled) ?? comboboxFor(labelled) };
  const around = tag === "legend" ? closest(element, "fieldset") : atomAround(element);
  if (around && kindOf(around)) return { element: around };
  const group = groupIn(around ?? element);
  if (group) return group;
  const id = attribute(element, "id");
  for (const named of id ? queryAll(getRootNode(element), `[aria-labelledby~="${CSS.escape(id)}"]`) : []) {
    if (named !== element && (kindOf(named) || groupIn(named))) return controlMeant(named);
  }
  return null;
}

// A list that a script has hidden in favour of one of its own, which follows it.
function drawnInstead(select) {
  if (tagName(select) !== "select" || (checkVisibility(select) && boxOf(select).width > 1)) return null;
  for (let at = select.nextElementSibling, step = 0; at && step < 3; at = at.nextElementSibling, step += 1) {
    const found = [at, ...queryAll(at, "[role=combobox],[aria-haspopup]")].find(
      (one) => /^(combobox|popup)$/.test(kindOf(one)) && isShown(one),
    );
    if (found) return found;
  }
  return null;
}

const comboboxFor = (element) =>
  tagName(element) === "input" && kindOf(element) === "combobox" ? (comboboxAround(element) ?? element) : element;

const ATOMS =
  "button,summary,[role=button],[role=option],[role=treeitem],[role=tab],[role=radio],[role=checkbox],[role=switch],[role=menuitemradio],[role=menuitemcheckbox],[contenteditable]";
const CLOSE_BY = 3;

function atomAround(element) {
  const found = closest(element, ATOMS);
  for (let at = element, up = 0; found && up <= CLOSE_BY; at = parentOf(at), up += 1) if (at === found) return found;
  return null;
}

// The controls in a box, but not those in another control.
function controlsIn(box) {
  const found = [];
  for (const element of cssAll(box, FIELDS)) {
    if (isTrue(element, "aria-hidden") || !kindOf(element) || !(checkVisibility(element) || standIn(element))) continue;
    if (!found.some((outer) => contains(outer, element))) found.push(element);
  }
  return found;
}

// A box of controls of one sort is a control by itself.
function groupIn(box) {
  const all = controlsIn(box);
  const kinds = all.map(kindOf);
  const only = (kind) => all.length > 0 && kinds.every((one) => one === kind);
  if (only("radio")) return { element: box, kind: "radios" };
  if (only("check") && all.length > 1) {
    return { element: box, kind: all.every((one) => hasAttribute(one, "aria-pressed")) ? "toggles" : "checks" };
  }
  if (only("slider") && all.length > 1) return { element: box, kind: "sliders" };
  if (all.length > 1 && Object.keys(momentParts(all)).length > 1) return { element: box, kind: "parts" };
  if (only("calendar")) return { element: box, kind: "calendar" };
  if (all.length === 1) return { element: comboboxFor(all[0]) };
  if (daysIn(box).length) return { element: box, kind: "calendar" };
  const fields = all.filter((one) => !/^(popup|disclosure|check)$/.test(kindOf(one)));
  if (fields.length === 1) return { element: comboboxFor(fields[0]) };
  const toggles = all.filter((one) => hasAttribute(one, "aria-pressed"));
  return toggles.length > 1 && !fields.length ? { element: box, kind: "toggles" } : null;
}

// The control that an element, given by its ref, stands for; null when it stands for none.
function controlAt(ref) {
  const { node } = deref(Number(ref.slice(1)));
  const meant = node && controlMeant(node);
  return meant ? controlFacts(meant.element, meant.kind) : null;
}

// What a control is and holds now, asked again by its ref; null when it is gone.
function controlNow(ref, kind) {
  const { node } = deref(Number(ref.slice(1)));
  return node ? controlFacts(node, kind) : null;
}

function controlFacts(element, group) {
  const kind = group ?? kindOf(element);
  const { role, ref, ...described } = describe(element);
  const field = described.name ? null : fieldOf(element);
  const name =
    kind === "calendar" ? cut(nameOf(element)) : field && field !== element ? describe(field).name : described.name;
  return { kind, group: group ?? "", role, name, ref, disabled: isBarred(element), ...CONTROL_FACTS[kind]?.(element) };
}

const parsed = (text) => (Number.isFinite(parseFloat(text)) ? parseFloat(text) : null);
const onWord = (state) => (state === undefined || state === null ? "" : String(state));

const CONTROL_FACTS = {
  text: (element) => textFacts(element),
  number: (element) => ({
    ...textFacts(element),
    ...boundsOf(element),
    now: parsed(inputValue(element)),
    editable: true,
  }),
  check: (element) => ({ value: onWord(onState(element)), native: tagName(element) === "input" }),
  radio: (element) => groupFacts(element, "radio"),
  radios: (element) => groupFacts(element, "radios"),
  checks: (element) => groupFacts(element, "checks"),
  toggles: (element) => groupFacts(element, "toggles"),
  tabs: (element) => groupFacts(element, "tabs"),
  tab: (element) => groupFacts(element, "tab"),
  option: (element) => groupFacts(element, "option"),
  listbox: (element) => groupFacts(element, "listbox"),
  menu: (element) => groupFacts(element, "menu"),
  tree: (element) => groupFacts(element, "tree"),
  treeitem: (element) => groupFacts(element, "treeitem"),
  select: (element) => ({
    multiple: isMultiple(element),
    value: chosenLabels(element).join(", "),
    values: optionsOf(element).filter((one) => one.selected),
  }),
  combobox: (element) => choiceFacts(element),
  popup: (element) => choiceFacts(element),
  slider: (element) => sliderFacts(element),
  sliders: (element) => ({ parts: controlsIn(element).map((one) => controlFacts(one)) }),
  spin: (element) => ({ ...spinFacts(element), ...boundsOf(element) }),
  disclosure: (element) => {
    const { role, name, ref } = describe(opener(element));
    return { value: String(isOpen(element)), role, name, ref };
  },
  moment: (element) => ({
    type: inputType(element),
    value: inputValue(element),
    min: attribute(element, "min"),
    max: attribute(element, "max"),
    step: attribute(element, "step"),
    readonly: isTrue(element, "aria-readonly") || hasAttribute(element, "readonly"),
  }),
  color: (element) => ({ value: inputValue(element) }),
  parts: (element) => {
    const parts = {};
    for (const [name, part] of Object.entries(momentParts(controlsIn(element)))) parts[name] = controlFacts(part);
    return { parts };
  },
  calendar: (element) => ({ value: chosenDay(element) }),
};

function textFacts(element) {
  const secret = tagName(element) === "input" && inputType(element) === "password";
  // Fields for numbers often take them over only when they are left.
  const commits =
    /^(numeric|decimal)$/.test(attribute(element, "inputmode")) || hasAttribute(element, "aria-roledescription");
  const facts = {
    value: shownValue(element) ?? fieldText(element),
    secret,
    readonly: Boolean(whyReadOnly(element)),
    search: isSearch(element),
    commits,
  };
  return tagName(element) === "input" && !secret ? { ...facts, date: dateField(element) } : facts;
}

function opener(element) {
  if (tagName(element) !== "details") return element;
  return [...elementChildren(element)].find((child) => tagName(child) === "summary") ?? element;
}

function isOpen(element) {
  return tagName(element) === "details" ? hasAttribute(element, "open") : expandedState(element) === true;
}

// A colour that the browser's own picker did not take: the last resort, and it is said.
function paint(ref, value) {
  const { node } = deref(Number(ref.slice(1)));
  if (!node) return;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(node, value);
  node.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  node.dispatchEvent(new Event("change", { bubbles: true }));
}

// How many keys the page itself has heard since the act began: those that a popup of the browser
// takes are not among them.
const keysHeard = () => watch?.events.get("keydown")?.count ?? 0;

// Waits until the page has heard an event of this type, in this act.
async function awaitHeard(type, ms) {
  const end = performance.now() + ms;
  while (!watch?.events.has(type) && performance.now() < end) await nextChange(50);
}

const controlApi = {
  controlAt,
  controlNow,
  awaitControl,
  awaitChange,
  awaitTaken,
  itemNow,
  awaitItem,
  activeItem,
  seek,
  popupNow,
  popupOpen,
  popupClosed,
  treeStep,
  branchOpen,
  calendarNow,
  calendarTurned,
  calendarGone,
  steady,
  meansDate,
  monthWord,
  paint,
  keysHeard,
  awaitHeard,
};
