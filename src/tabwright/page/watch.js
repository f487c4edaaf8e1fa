// What happened between an act's beginning and its end: which trusted events arrived where, what
// changed near and far, and what the page has set going. Receipts are made of it.

// Told to our own side at once: the page may be gone when its handler is done.
const TOLD = new Set(["click", "auxclick", "dblclick", "contextmenu", "submit", "drop", "mousedown"]);
const MANY = 2000;

let watch = null;

// The innermost element that an event is for. A closed root shows it only to listeners inside.
const innermost = (event) => event.composedPath()[0];

function heard(event) {
  const ledger = watch;
  if (!ledger || !event.isTrusted) return;
  const at = innermost(event);
  const here = isElement(at) ? belongs(ledger.target, at) : at === document;
  let entry = ledger.events.get(event.type);
  if (!entry) ledger.events.set(event.type, (entry = { count: 0, here: 0, there: 0, elsewhere: null }));
  const again = entry.last === event;
  if (!again) {
    entry.last = event;
    entry.counted = false;
    entry.count += 1;
    ledger.now = event.type;
    begin(ledger);
  }
  // A closed root hides from the window what is inside; our own ears in the root will tell.
  const hidden = !here && ledger.roots.some((root) => root.host === at);
  if (entry.counted || hidden) return;
  entry.counted = true;
  if (here) {
    entry.here += 1;
    if (isElement(at)) ledger.deepest = at;
  } else entry.elsewhere = at;
  if (ledger.other && isElement(at) && belongs(ledger.other, at)) entry.there += 1;
  const named = event.type === "keydown" && event.key.length > 1;
  if (TOLD.has(event.type) || named) tell({ act: ledger.number, event: event.type, here });
}

// Mouse moves come in one task with the page's frames, whose doing is not theirs.
const PASSING = new Set(["mousemove", "mouseover", "pointerover", "wheel", "scroll"]);

// Whatever handlers ask for belongs to the event: until the next task begins, or, for an event that
// only passes, until it has passed.
function begin(ledger) {
  ledger.first ??= performance.now();
  ledger.until = Infinity;
  if (ledger.ending) return;
  ledger.ending = true;
  soon(() => {
    ledger.ending = false;
    if (ledger.until === Infinity) ledger.until = performance.now();
    if (ledger.events.has(ledger.expected)) ledger.arrived();
  });
}

function passed(event) {
  if (watch && event.isTrusted && PASSING.has(event.type)) watch.until = performance.now();
}

function tell(fact) {
  if (typeof tabwrightTell === "function") tabwrightTell(JSON.stringify(fact));
}

// Whether an event at a node is one of the target's: in it, on its label, or on what it stands in.
function belongs(element, at) {
  if (contains(element, at)) return true;
  const label = closest(at, "label");
  return Boolean(label) && label.control === element;
}

// The ears are there since the document began (ears.js), or come with this script.
globalThis.tabwrightHear = (event, over) => {
  if (event.type === "scroll") scrolledAt = performance.now();
  return over ? passed(event) : heard(event);
};

let acts = 0;

// The act before this one: whether it was the same, and whether anything has changed since.
let lastAct = null;

function arm(element, name, key, other) {
  disarm();
  globalThis.tabwrightListen();
  const same = lastAct && lastAct.key === key && lastAct.target.deref() === element;
  const ledger = {
    number: ++acts,
    key,
    target: element,
    other: other ?? null,
    deepest: element,
    repeated: Boolean(same) && lastAct.idle && lastAct.generation === countChanges(),
    events: new Map(),
    before: stateNow(element, name),
    page: pageNow(),
    changes: new Map(),
    animations: new Set(runningAnimations(document)),
    first: null,
    until: 0,
    ending: false,
    now: "",
    reacted: false,
    expected: "",
    arrived: () => {},
    roots: [],
  };
  ledger.observer = new MutationObserver((records) => note(ledger, records));
  const what = { subtree: true, childList: true, attributes: true, characterData: true };
  ledger.observer.observe(document, what);
  for (let root = getRootNode(element); root instanceof ShadowRoot; root = getRootNode(root.host)) {
    ledger.observer.observe(root, what);
    for (const type of globalThis.tabwrightEars) root.addEventListener(type, heard, { capture: true, passive: true });
    ledger.roots.push(root);
  }
  watch = ledger;
  return ledger.number;
}

function disarm() {
  if (!watch) return;
  watch.observer.disconnect();
  for (const root of watch.roots) {
    for (const type of globalThis.tabwrightEars) root.removeEventListener(type, heard, { capture: true });
  }
  watch = null;
}

const PRESSES = new Set(["pointerdown", "mousedown"]);

// Changes before the first event arrived are the page's own doing.
function note(ledger, records) {
  if (ledger.first === null && !ledger.scripted) return;
  // In the same task as the press, so it was the press that did it.
  if (ledger.until === Infinity && PRESSES.has(ledger.now) && records.length) ledger.reacted = true;
  for (const record of records) {
    if (ledger.changes.size >= MANY) break;
    const known = ledger.changes.get(record.target) ?? { added: [], removed: 0, text: false, names: new Set() };
    ledger.changes.set(record.target, known);
    if (record.type === "attributes") known.names.add(record.attributeName);
    else if (record.type === "characterData") known.text = true;
    else {
      for (const node of record.addedNodes) known.added.push(node);
      known.removed += record.removedNodes.length;
    }
  }
}

function stateNow(element, name) {
  return { ...stateOf(element), name, value: shownValue(element), focused: contains(element, focused()), scroll: scrolled(element) };
}

// A field on a page that has not changed is called what it was: its name is made of other elements.
function nameAfter(ledger) {
  return isField(ledger.target) && !ledger.changes.size ? ledger.before.name : calledOf(ledger.target);
}

// A password is never told, only how long it is.
function shownValue(element) {
  const value = holding(element);
  return value && element.type === "password" ? "•".repeat(value.length) : value;
}

const scrolled = (element) => `${element.scrollLeft},${element.scrollTop},${scrollX},${scrollY}`;

function pageNow() {
  return { url: location.href, title: titleOf(document), focused: focused(), scrollX, scrollY };
}

const OFFERED = new Set(["dialog", "alertdialog", "alert", "status", "log", "menu", "listbox", "tooltip"]);
const OFFERS = "dialog,[role]";
const LIVE = '[role="alert"],[role="status"],[role="log"],[aria-live]:not([aria-live="off"]),output';
const SHOWN_CHANGES = 3;

// What changed, most telling first: what came up, what is being said, what else has a new text.
function changesOf(ledger) {
  const around = parentOf(ledger.target) ?? document;
  const summary = { near: 0, far: 0, seen: [] };
  const ranks = new Map();
  const rank = (element, value, word) => {
    if (isElement(element) && !ranks.has(element)) ranks.set(element, { value, word });
  };
  for (const [node, change] of ledger.changes) {
    const near = isConnected(node) && (contains(around, node) || contains(node, ledger.target) && node === around);
    summary[near ? "near" : "far"] += 1;
    if (!isConnected(node)) continue;
    const element = isElement(node) ? node : parentOf(node);
    const live = element && closest(element, LIVE);
    if (live) rank(live, 1, "says");
    for (const added of change.added) {
      if (!isElement(added) || !isConnected(added)) continue;
      const offered = OFFERED.has(roleOf(added)) ? added : [...queryAll(added, OFFERS)].find((e) => OFFERED.has(roleOf(e)));
      rank(offered ?? added, offered ? 0 : 3, "appeared");
    }
    const shown = ["open", "hidden", "class", "style", "aria-hidden", "popover"].some((n) => change.names.has(n));
    if (shown && isElement(node) && OFFERED.has(roleOf(node))) rank(node, 0, isShown(node) ? "shown" : "hidden");
    const retold = change.text || change.added.some(isText);
    if (retold && element !== ledger.target) rank(element, 2, "now");
  }
  const order = [...ranks].sort((a, b) => a[1].value - b[1].value);
  const told = [];
  for (const [element, { word }] of order) {
    if (summary.seen.length >= SHOWN_CHANGES) break;
    // What is new is new with all that is in it.
    if (told.some((whole) => whole !== element && contains(whole, element))) continue;
    if (matches(element, NOT_SHOWN) || (word !== "hidden" && !isShown(element))) continue;
    if (word === "appeared") told.push(element);
    const { role, name, ref } = describe(element);
    const said = word === "says" || !name ? cut(beginningOf(element)) : name;
    summary.seen.push({ what: word, role, name: said, ref });
  }
  return summary;
}

function differences(before, after) {
  const changed = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[key] !== after[key]) changed[key] = after[key] ?? null;
  }
  return changed;
}

const soon = (task) => {
  if (globalThis.scheduler?.postTask) scheduler.postTask(task, { priority: "user-blocking" });
  else setTimeout(task);
};

// A turn of the page's loop: everything that was ready to run before has run.
const turn = () =>
  new Promise((resolve) => {
    if (globalThis.scheduler?.postTask) scheduler.postTask(resolve);
    else setTimeout(resolve);
  });

// What the act's handlers have put off, written down by the page's own side (timers.js).
const cell = new Text("");
const SOON_MS = 1000;

function pendingTimers(ledger) {
  const pending = [];
  const now = performance.now();
  for (const line of cell.data ? cell.data.split(";") : []) {
    const [kind, ...times] = line.split(",");
    const [at, due, root] = times.map(Number);
    const caused = ledger.first !== null && root >= ledger.first && root <= ledger.until;
    if (!caused || due - at > SOON_MS) continue;
    if (kind === "t") pending.push(due);
    // It may be answered at any time.
    else if (due > now) pending.push(now);
  }
  return pending;
}

// Wait for what the act has set going, but not past the limit. A framework that renders in a task of
// its own has time for it after every timer, as it has after the event itself.
async function settleTimers(ledger, limit) {
  let rested = true;
  for (;;) {
    const pending = pendingTimers(ledger);
    const left = limit - performance.now();
    if (!pending.length && rested) return 0;
    if (left <= 0) return pending.length;
    if (!pending.length) {
      await turn();
      await turn();
      rested = true;
      continue;
    }
    rested = false;
    await wait(Math.max(0, Math.min(Math.min(...pending) - performance.now(), left)));
    await turn();
    // Not due work that is late keeps its place; look again a little later.
    if (Math.min(...pending) <= performance.now()) await wait(1);
  }
}

// Resolves when the expected event has arrived, or when `conclude` is called.
function expect(ledger, type) {
  if (!type || ledger.events.has(type)) return turn();
  return new Promise((resolve) => {
    ledger.expected = type;
    ledger.arrived = resolve;
  });
}

// Whether the mouse is felt at the element; gives it a frame's time.
async function felt() {
  const here = () => ["mousemove", "mouseover", "pointerover"].some((type) => watch?.events.get(type)?.here);
  if (!here()) await nextFrame();
  return here();
}

function conclude() {
  watch?.arrived();
}

const QUIET = /^(all|color|background|border|outline|box-shadow|text-decoration|fill|stroke|filter)/;

function newAnimations(ledger) {
  let count = 0;
  for (const animation of runningAnimations(document)) {
    if (ledger.animations.has(animation) || animation.playState !== "running") continue;
    if (animation.transitionProperty && QUIET.test(animation.transitionProperty)) continue;
    const { endTime } = animation.effect?.getComputedTiming() ?? {};
    if (Number.isFinite(endTime)) count += 1;
  }
  return count;
}

// What received a click of several that were meant for the element.
function strayClick(ledger) {
  const at = ledger.events.get("click")?.elsewhere;
  return at && isElement(at) ? describe(at) : null;
}

function newFocus(ledger, page) {
  const { focused: now } = page;
  if (!now || now === ledger.page.focused || now === bodyOf(document)) return null;
  return describe(now);
}

// The receipt's facts, once the page has settled or the limit is reached.
async function report(expected, limitMs) {
  const ledger = watch;
  if (!ledger) return null;
  await expect(ledger, expected);
  if (expected) await turn();
  const timers = await settleTimers(ledger, performance.now() + limitMs);
  const connected = isConnected(ledger.target);
  note(ledger, ledger.observer.takeRecords());
  const after = connected ? stateNow(ledger.target, nameAfter(ledger)) : null;
  const page = pageNow();
  const events = {};
  let elsewhere = null;
  for (const [type, entry] of ledger.events) {
    events[type] = [entry.count, entry.here, entry.there];
    if (entry.elsewhere && !entry.here && type === expected) elsewhere = entry.elsewhere;
  }
  const dom = changesOf(ledger);
  const changed = after ? differences(ledger.before, after) : {};
  const still = Object.keys(changed).every((key) => key === "focused");
  const idle = !ledger.changes.size && still && page.url === ledger.page.url;
  lastAct = { key: ledger.key, target: new WeakRef(ledger.target), idle, generation: countChanges() };
  const moved = page.scrollX !== ledger.page.scrollX || page.scrollY !== ledger.page.scrollY;
  return {
    number: ledger.number,
    repeated: ledger.repeated,
    events,
    elsewhere: elsewhere && isElement(elsewhere) ? describe(elsewhere) : null,
    stray: strayClick(ledger),
    // A press and a release at different elements make a click at what is around both.
    around: Boolean(elsewhere) && isElement(elsewhere) && contains(elsewhere, ledger.target),
    reacted: ledger.reacted,
    connected,
    changed,
    value: after ? after.value : null,
    dom,
    url: page.url === ledger.page.url ? null : page.url,
    title: page.title === ledger.page.title ? null : page.title,
    focus: newFocus(ledger, page),
    scrolled: moved ? [scrollX, scrollY] : null,
    pending: { timers, animations: newAnimations(ledger) },
  };
}
