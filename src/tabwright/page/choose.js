// Native choices: which options there are, and where.

// An option as our side asks for it: by value, by label, or by its place.
function optionsOf(element) {
  const options = [];
  const walk = (node, barred) => {
    for (const child of elementChildren(node)) {
      const tag = tagName(child);
      if (tag === "optgroup") walk(child, barred || child.disabled);
      if (tag !== "option") continue;
      options.push({
        value: child.value,
        label: squeezed(child.label || textContent(child)),
        selected: child.selected,
        disabled: barred || child.disabled || getComputedStyle(child).display === "none",
      });
    }
  };
  walk(element, false);
  return options;
}

function chosen() {
  const element = watch?.target;
  if (!element || tagName(element) !== "select") return null;
  return optionsOf(element);
}

PREPARE.choose = (element) => {
  if (tagName(element) !== "select") return { select: null };
  focusOn(element);
  return {
    select: { multiple: element.multiple, size: element.size, options: optionsOf(element) },
    focused: contains(element, focused()),
  };
};

PREPARE.state = (element) => ({ state: stateOf(element), native: tagName(element), type: element.type ?? "" });

// Where an option of a list that is open on the page can be pressed.
function optionPoint(index) {
  const element = watch?.target;
  const option = element && [...queryAll(element, "option")][index];
  if (!option) return null;
  scrollIntoView(option, { block: "nearest", behavior: "instant" });
  const box = boxOf(option);
  return { x: box.left + Math.min(box.width / 2, 10), y: box.top + box.height / 2 };
}
