// What an element's state is, from its own properties and from ARIA. Only what applies is told.

const inputValue = getter(HTMLInputElement, "value");
const inputChecked = getter(HTMLInputElement, "checked");
const inputFiles = getter(HTMLInputElement, "files");
const isIndeterminate = getter(HTMLInputElement, "indeterminate");
const areaValue = getter(HTMLTextAreaElement, "value");
const selectedOptions = getter(HTMLSelectElement, "selectedOptions");
const isSelected = getter(HTMLOptionElement, "selected");
const meterValue = getter(HTMLMeterElement, "value");
const progressValue = getter(HTMLProgressElement, "value");
const optionLabel = getter(HTMLOptionElement, "label");

const VALUE_CHARS = 1000;
const MASKED_CHARS = 8;

function chosenLabels(select) {
  const labelled = (option) => squeezed(attribute(option, "aria-label") || optionLabel(option));
  return [...selectedOptions(select)].map(labelled);
}

// What is in a text field, as it may be told: a password is as many bullets.
function fieldText(element) {
  const tag = tagName(element);
  if (tag === "textarea") return areaValue(element);
  if (tag !== "input") return element instanceof HTMLElement ? innerText(element) : textContent(element);
  const value = inputValue(element);
  return inputType(element) === "password" ? "•".repeat(Math.min(value.length, MASKED_CHARS)) : value;
}

function rangeValue(element, role) {
  const tag = tagName(element);
  const stated = number(element, "aria-valuenow");
  if (stated !== null) return String(stated);
  if (tag === "input") return inputValue(element);
  if (tag === "meter") return String(meterValue(element));
  if (tag === "progress") return hasAttribute(element, "value") ? String(progressValue(element)) : "";
  switch (role) {
    case "slider": case "scrollbar": {
      const [least, most] = [number(element, "aria-valuemin") ?? 0, number(element, "aria-valuemax") ?? 100];
      return String((least + most) / 2);
    }
    case "meter": return String(number(element, "aria-valuemin") ?? 0);
    case "spinbutton": return "0";
    default: return "";
  }
}

function number(element, name) {
  const value = parseFloat(attribute(element, name));
  return Number.isFinite(value) ? value : null;
}

const CHECKABLE = new Set(words("checkbox menuitemcheckbox menuitemradio radio switch"));
const SELECTABLE = new Set(words("cell columnheader gridcell option row rowheader tab treeitem"));
const EDITABLE = new Set(words("combobox date datetime searchbox spinbutton textbox time"));
const POPUPS = new Set(words("dialog grid listbox menu tree"));
const CURRENT = new Set(words("page step location date time"));

// A state is left out when it is not there to be had: an absent `checked` is not a false one.
function stateOf(element) {
  const role = roleOf(element);
  const state = {
    checked: checkedState(element, role),
    pressed: role === "button" ? tristate(element, "aria-pressed") : undefined,
    expanded: expandedState(element),
    selected: selectedState(element, role),
    disabled: isBarred(element) || undefined,
    readonly: isReadOnly(element, role) || undefined,
    required: matches(element, ":required") || isTrue(element, "aria-required") || undefined,
    invalid: invalidState(element),
    level: levelOf(element, role),
    current: currentState(element),
    haspopup: popupState(element),
    ...valueState(element, role),
    sort: sortState(element),
    setsize: number(element, "aria-setsize") ?? undefined,
    posinset: number(element, "aria-posinset") ?? undefined,
    multiselectable: matches(element, 'select[multiple], [aria-multiselectable="true" i]') || undefined,
    orientation: tokenOf(element, "aria-orientation", ["horizontal", "vertical"]),
    modal: isTrue(element, "aria-modal") || (role === "dialog" && matches(element, ":modal")) || undefined,
    busy: isTrue(element, "aria-busy") || undefined,
  };
  for (const key of Object.keys(state)) if (state[key] === undefined) delete state[key];
  return state;
}

function tokenOf(element, name, allowed) {
  const token = attribute(element, name).trim().toLowerCase();
  return allowed.includes(token) ? token : undefined;
}

// true, false or "mixed", from an attribute that says one of them.
function tristate(element, name) {
  const token = tokenOf(element, name, ["true", "false", "mixed"]);
  return token === undefined || token === "mixed" ? token : token === "true";
}

function boolean(element, name) {
  const token = tokenOf(element, name, ["true", "false"]);
  return token === undefined ? undefined : token === "true";
}

function checkedState(element, role) {
  if (tagName(element) === "input" && /^(checkbox|radio)$/.test(inputType(element))) {
    return isIndeterminate(element) ? "mixed" : inputChecked(element);
  }
  return tristate(element, "aria-checked") ?? (CHECKABLE.has(role) ? false : undefined);
}

function expandedState(element) {
  if (tagName(element) === "summary") {
    const details = detailsOf(element);
    if (details) return hasAttribute(details, "open");
  }
  if (hasAttribute(element, "popovertarget")) {
    const [target] = idsIn(element, "popovertarget").map((id) => byId(getRootNode(element), id));
    if (target && hasAttribute(target, "popover")) return matches(target, ":popover-open");
  }
  return boolean(element, "aria-expanded");
}

function selectedState(element, role) {
  const stated = SELECTABLE.has(role) ? boolean(element, "aria-selected") : undefined;
  return stated ?? (element instanceof HTMLOptionElement ? isSelected(element) : undefined);
}

// aria-disabled on a part of the page bars every control in it.
function isBarred(element) {
  if (isDisabled(element) || isTrue(element, "aria-disabled")) return true;
  return isFocusable(element) && closestInTree(element, '[aria-disabled="true" i]') !== null;
}

function isReadOnly(element, role) {
  if (isTrue(element, "aria-readonly")) return true;
  return hasAttribute(element, "readonly") && matches(element, "input, textarea") && EDITABLE.has(role);
}

function invalidState(element) {
  const stated = attribute(element, "aria-invalid").trim().toLowerCase();
  if (stated === "grammar" || stated === "spelling") return stated;
  if (stated) return stated === "false" ? undefined : true;
  if (!matches(element, ":is(input, select, textarea, button):invalid")) return undefined;
  // That a field is still empty is no mistake yet; `required` tells it.
  return validityOf(element).valueMissing ? undefined : true;
}

function validityOf(element) {
  for (const type of [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement]) {
    if (element instanceof type) return getter(type, "validity")(element);
  }
  return {};
}

function levelOf(element, role) {
  const stated = number(element, "aria-level");
  if (role !== "heading") return stated ?? undefined;
  const own = /^h[1-6]$/.test(tagName(element)) ? Number(tagName(element)[1]) : 2;
  return stated >= 1 ? stated : own;
}

function currentState(element) {
  const token = attribute(element, "aria-current").trim().toLowerCase();
  if (!token || token === "false") return undefined;
  return CURRENT.has(token) ? token : true;
}

function popupState(element) {
  const token = attribute(element, "aria-haspopup").trim().toLowerCase();
  return token === "true" ? "menu" : POPUPS.has(token) ? token : undefined;
}

function sortState(element) {
  return tokenOf(element, "aria-sort", ["ascending", "descending", "other"]);
}

// What a control holds: value, valuetext, min and max.
function valueState(element, role) {
  const state = {};
  const value = valueOf(element, role);
  if (value) state.value = value.length > VALUE_CHARS ? `${value.slice(0, VALUE_CHARS)}…` : value;
  if (!RANGES.has(role) && !hasAttribute(element, "min") && !hasAttribute(element, "max")) return state;
  state.valuetext = attribute(element, "aria-valuetext") || undefined;
  state.min = bound(element, role, "min");
  state.max = bound(element, role, "max");
  return state;
}

function valueOf(element, role) {
  const tag = tagName(element);
  if (tag === "select") return chosenLabels(element).join(", ");
  if (tag === "textarea") return areaValue(element);
  if (tag === "input") return inputState(element);
  if (TEXT_FIELDS.has(role) || isEditingHost(element)) return fieldText(element).trim();
  if (RANGES.has(role) || role === "separator") return rangeValue(element, role);
  return role === "combobox" ? embeddedValue(element, role, reading(element)) ?? "" : "";
}

function inputState(element) {
  switch (inputType(element)) {
    case "button": case "checkbox": case "hidden": case "image": case "radio": case "reset": case "submit":
      return "";
    case "file": return [...inputFiles(element)].map((file) => file.name).join(", ");
    default: return fieldText(element);
  }
}

// A number, or a date as its author wrote it.
function bound(element, role, which) {
  const stated = number(element, `aria-value${which}`);
  if (stated !== null) return stated;
  const native = attribute(element, which);
  if (native) return /^-?[\d.]+$/.test(native) ? Number(native) : native;
  const tag = tagName(element);
  if (tag === "progress" || tag === "meter") return which === "min" ? 0 : 1;
  return role === "slider" && tag === "input" ? (which === "min" ? 0 : 100) : undefined;
}
