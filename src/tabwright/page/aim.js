// From a selector to a point that can be pressed, or the reason why there is none, in words.

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Something on the page changed, or a little time went by.
function nextChange(ms) {
  return new Promise((resolve) => {
    const observer = new MutationObserver(done);
    const timer = setTimeout(done, Math.min(ms, 50));
    const frame = requestAnimationFrame(done);
    function done() {
      observer.disconnect();
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      resolve();
    }
    const what = { subtree: true, childList: true, attributes: true, characterData: true };
    observer.observe(document, what);
  });
}

function no(reason, text, more) {
  return { ok: false, reason, text, ...more };
}

function whyDisabled(element) {
  if (matches(element, ":disabled")) {
    const set = closest(parentOf(element), "fieldset:disabled");
    return set && !hasAttribute(element, "disabled") ? `it is in a disabled ${shortly(set)}` : "it has the attribute";
  }
  const aria = closest(element, '[aria-disabled="true"]');
  return aria ? `aria-disabled="true"${aria === element ? "" : ` on its ancestor ${shortly(aria)}`}` : "";
}

function whyInert(element) {
  const inert = closest(element, "[inert]");
  if (inert) return `it is in an inert part of the page, ${shortly(inert)}`;
  for (const dialog of [...queryAll(document, "dialog:modal")].reverse()) {
    if (contains(dialog, element)) return "";
    const { role, name, ref } = describe(dialog);
    return `the ${role} "${name}" ${ref} is open over the page and lets nothing else be used`;
  }
  return "";
}

const TEXT_INPUTS =
  /^(text|search|url|tel|email|password|number|date|time|datetime-local|month|week|color|range)$/;

// Inputs that take no text as it is: they have fields, a handle or a picker of the browser's own.
const SPECIAL_INPUTS = /^(date|time|datetime-local|month|week|color|range)$/;

function isEditable(element) {
  const tag = tagName(element);
  if (tag === "textarea") return true;
  if (tag === "input") return TEXT_INPUTS.test(element.type);
  return element.isContentEditable === true;
}

function whyReadOnly(element) {
  if (!isEditable(element)) {
    const { role } = describe(element);
    return `it is a ${role}, and no text can be put into it`;
  }
  if (element.readOnly === true) return "it is read-only";
  return attribute(element, "aria-readonly") === "true" ? 'aria-readonly="true"' : "";
}

// A hidden checkbox under a pretty label: the label is what people press.
function standIn(element) {
  if (tagName(element) !== "input" || !/^(checkbox|radio|file)$/.test(element.type)) return null;
  return labelsOf(element).find(isShown) ?? null;
}

function bring(element) {
  const box = boxOf(element);
  const inside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
  if (inside && freePoint(element).point) return;
  scrollIntoView(element, { block: "center", inline: "center", behavior: "instant" });
}

// What stands in the way of pressing an element now; nothing when its point is free.
function pointOf(element, position) {
  // A point of a picture: the page stands as it has to, and the element is what is there.
  if (position?.here) return exactPoint(element, position);
  const there = isRendered(element) && isBoxed(element);
  const own = there && (isShown(element) || partsInView(element).length > 0);
  const pressed = own ? element : (standIn(element) ?? element);
  if (!isRendered(pressed) || !isBoxed(pressed)) {
    return noSight(element);
  }
  bring(pressed);
  if (position) return exactPoint(pressed, position);
  let { point, cover } = freePoint(pressed);
  for (const block of point ? [] : ["end", "start", "nearest"]) {
    scrollIntoView(pressed, { block, inline: "nearest", behavior: "instant" });
    ({ point, cover } = freePoint(pressed));
    if (point) break;
  }
  if (point) return { ok: true, ...point };
  if (!cover) return no("outside", "outside: the page cannot be scrolled so that it comes into view");
  return coveredBy(pressed, cover.hit);
}

function exactPoint(element, position) {
  const box = boxOf(element);
  const x = box.left + position.x;
  const y = box.top + position.y;
  if (!position.here && (position.x > box.width || position.y > box.height)) {
    const size = `${Math.round(box.width)} x ${Math.round(box.height)} px`;
    return no("outside", `outside: position ${position.x},${position.y} is beyond its ${size}`);
  }
  const hit = elementAt(x, y);
  if (!hit) return no("outside", "outside: that position is not in view");
  return reaches(element, hit) ? { ok: true, x, y } : coveredBy(element, hit);
}

function coveredBy(element, hit) {
  if (!hit) return no("outside", "outside: the page cannot be scrolled so that it comes into view");
  const inert = whyInert(element);
  if (inert) return no("inert", `inert: ${inert}`);
  if (getComputedStyle(element).pointerEvents === "none") {
    return no("disabled", "disabled for the mouse (pointer-events: none)");
  }
  // The cover as a person would name it: the dialog, not a <div> in it.
  const named = closest(hit, '[role="dialog"],[role="alertdialog"],dialog');
  const shown = named && !contains(named, element) ? named : hit;
  const cover = describe(shown);
  const name = cover.name ? ` "${cover.name}"` : "";
  return no("covered", `covered by ${cover.role}${name} ${cover.ref}`, { cover });
}

// What an act needs of its element beside a point.
function whyNot(element, needs) {
  if (needs.enabled) {
    const disabled = whyDisabled(element);
    if (disabled) return no("disabled", `disabled (${disabled})`);
  }
  if (needs.editable || (needs.typeable && isEditable(element))) {
    const readOnly = whyReadOnly(element);
    if (readOnly) return no("readonly", `not editable: ${readOnly}`);
  }
  return null;
}

async function look(element, options, asked = (ask) => ask()) {
  const refused = asked(() => whyNot(element, options.needs));
  if (refused) return refused;
  if (!options.needs.point) {
    if (options.needs.shown && !isShown(element)) return asked(() => noSight(element));
    return { ok: true };
  }
  const first = asked(() => pointOf(element, options.position));
  if (!first.ok) return first;
  const motion = await motionOf(element);
  if (motion === "fast") return no("moving", "moving: it is being moved about");
  if (!isConnected(element)) return no("detached", "detached: it was taken off the page");
  return motion === "still" ? first : asked(() => pointOf(element, options.position));
}

function missing(parts) {
  const last = parts[0];
  if (last && last.by === "ref") {
    const found = deref(last.value);
    if (!found.node) return no("stale", "", { stale: found.gone ?? null });
  }
  return no("absent", "absent: nothing on the page matches");
}

// Whether there is a match and it is ready, asked of all frames of a page at a time.
async function glance(parts, options) {
  const { element, invalid } = firstOf(parts);
  if (invalid) return no("invalid");
  const { ok, reason } = element ? await look(element, options, withoutRefs) : missing(parts);
  return { ok, reason };
}

// Waits, in the page, until the element can be acted on or patience ends.
async function aim(parts, options) {
  const began = performance.now();
  let element;
  for (;;) {
    let result;
    let count = 0;
    try {
      ({ element, count } = findOne(parts));
    } catch (error) {
      return no("invalid", String(error.message).split("\n")[0]);
    }
    result = element ? await look(element, options) : missing(parts);
    if (result.ok) return aimed(element, count, result, options);
    const patience = element ? options.patienceMs : options.absentMs;
    const left = patience - (performance.now() - began);
    const hopeless = result.reason === "stale" || result.reason === "readonly";
    if (left <= 0 || hopeless) {
      return { ...result, count, element: element ? describe(element) : null, box: element ? sizes(element) : null };
    }
    await nextChange(left);
  }
}

function sizes(element) {
  const box = boxOf(element);
  return { x: box.x, y: box.y, width: box.width, height: box.height };
}

function aimed(element, count, result, options) {
  const answer = { ...result, count, element: describe(element) };
  const other = options.other ? findOne(options.other).element : null;
  if (options.watch) arm(element, answer.element.name, options.watch, other);
  if (options.prepare) Object.assign(answer, PREPARE[options.prepare](element, options.wish) ?? {});
  return answer;
}

function selectAll(element) {
  if (typeof element.select === "function" && /^(input|textarea)$/.test(tagName(element))) {
    element.select();
    return;
  }
  const range = createRange(document);
  range.selectNodeContents(element);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}

function caretToEnd(element) {
  if (/^(input|textarea)$/.test(tagName(element))) {
    try {
      element.setSelectionRange(element.value.length, element.value.length);
    } catch {
      // Dates, numbers and colours have no caret to place.
    }
    return;
  }
  selectAll(element);
  getSelection().collapseToEnd();
}

const PREPARE = {
  focus(element) {
    focusOn(element);
    return { focused: contains(element, focused()) };
  },
  append(element) {
    focusOn(element);
    caretToEnd(element);
    return { focused: contains(element, focused()) };
  },
  replace(element) {
    focusOn(element);
    selectAll(element);
    const special = tagName(element) === "input" && SPECIAL_INPUTS.test(element.type);
    return { focused: contains(element, focused()), empty: holding(element) === "", special };
  },
  blur(element) {
    element.blur();
    return { focused: contains(element, focused()) };
  },
  reveal(element) {
    scrollIntoView(element, { block: "center", inline: "nearest", behavior: "instant" });
  },
};

// What a control holds, as text.
function holding(element) {
  const tag = tagName(element);
  if (tag === "input" || tag === "textarea" || tag === "select") return element.value;
  if (element.isContentEditable) return innerText(element).replace(/\n$/, "");
  return null;
}
