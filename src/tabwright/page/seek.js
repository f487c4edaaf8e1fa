// Finding an item by its text, also in a list that draws only what is in view, or that comes late.

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const BISECTIONS = 24;
const TAIL_MS = 300;
const STILL_MS = 600;

function itemsIn(box, kind) {
  return kind === "popup" ? choosableIn(box) : membersOf(box, kind);
}

// The part of a list that scrolls: itself, something in it, or something around it.
function scrollerOf(box) {
  const scrolls = (one) =>
    one.scrollHeight > one.clientHeight + 4 &&
    one.clientHeight > 0 &&
    !/^(visible|clip)$/.test(getComputedStyle(one).overflowY);
  for (const one of [box, ...elementsBelow(box)]) if (scrolls(one)) return one;
  for (let at = parentOf(box), up = 0; isElement(at) && up < 3; at = parentOf(at), up += 1) {
    if (scrolls(at) && at !== bodyOf(document) && at !== documentElement(document)) return at;
  }
  return null;
}

class Search {
  constructor(box, kind, wanted, end) {
    Object.assign(this, { box, kind, wanted, end });
    this.seen = new Map();
  }

  // The item that is surely meant, if it is drawn now. What else there is, is remembered.
  look() {
    const items = itemsIn(this.box, this.kind);
    this.quick = items.length > MANY_ITEMS;
    const best = bestItem(items, this.wanted, this.quick);
    this.labels = items.map((item) => labelOfItem(item, this.quick));
    for (const label of this.labels) if (this.seen.size < LOOKED_AT) this.seen.set(label, true);
    if (best.sure) return best.item;
    this.partly = best.item ?? this.partly;
    return null;
  }

  async draw(scroller, top) {
    const before = this.labels.join("\n");
    scroller.scrollTop = top;
    await nextFrame();
    let found = this.look();
    if (!found && this.labels.join("\n") === before) {
      await nextFrame();
      found = this.look();
    }
    return found;
  }

  get isSorted() {
    for (let i = 1; i < this.labels.length; i++)
      if (collator.compare(this.labels[i - 1], this.labels[i]) > 0) return false;
    return this.labels.length > 2;
  }

  // A list in order is halved again and again; another one is looked through from its top.
  async scroll(scroller) {
    const before = scroller.scrollTop;
    const found = (await this.halve(scroller)) ?? (await this.walk(scroller));
    if (!found) scroller.scrollTop = before;
    return found;
  }

  async halve(scroller) {
    let [low, high] = [0, scroller.scrollHeight - scroller.clientHeight];
    const found = await this.draw(scroller, low);
    if (found || !this.isSorted || collator.compare(this.wanted, this.labels[0]) < 0) return found;
    for (let i = 0; i < BISECTIONS && high - low > 1 && performance.now() < this.end; i++) {
      const middle = (low + high) / 2;
      const there = await this.draw(scroller, middle);
      if (there) return there;
      if (!this.isSorted) return null;
      if (collator.compare(this.wanted, this.labels[0]) < 0) high = middle;
      else if (collator.compare(this.wanted, this.labels.at(-1)) > 0) low = middle;
      else return null;
    }
    return this.draw(scroller, high);
  }

  // Waits for an item that comes late; one that answers in part will do once nothing moves any more.
  async await(patience) {
    let still = performance.now();
    while (performance.now() < patience && isConnected(this.box)) {
      const before = this.labels.join("\n");
      await nextChange(50);
      const found = this.look();
      if (found) return found;
      if (this.labels.join("\n") !== before) still = performance.now();
      if (this.partly && performance.now() - still > STILL_MS) return null;
    }
    return null;
  }

  // How far down the rows are drawn: often further than can be seen.
  drawnTo(scroller) {
    const last = itemsIn(this.box, this.kind).at(-1);
    return last ? boxOf(last).bottom - boxOf(scroller).top + scroller.scrollTop - 1 : 0;
  }

  async walk(scroller) {
    let top = 0;
    let stuck = 0;
    while (performance.now() < this.end) {
      const found = await this.draw(scroller, top);
      if (found) return found;
      if (top + scroller.clientHeight < scroller.scrollHeight - 1) {
        top = Math.max(this.drawnTo(scroller), top + Math.max(scroller.clientHeight * 0.8, 10));
        continue;
      }
      // The end may bring more: a list that loads as it is scrolled.
      stuck = performance.now();
      const height = scroller.scrollHeight;
      while (scroller.scrollHeight === height && performance.now() - stuck < TAIL_MS) await nextChange(50);
      if (scroller.scrollHeight === height) return null;
    }
    return null;
  }
}

// The item that answers to a text: at once, after a scroll, or when it comes. In view when found.
async function seek(ref, kind, wanted, mayWait, ms) {
  const { node } = deref(Number(ref.slice(1)));
  if (!node) return { gone: true };
  const search = new Search(node, kind, wanted, performance.now() + ms);
  let found = search.look();
  const scroller = found ? null : scrollerOf(node);
  if (!found && scroller) found = await search.scroll(scroller);
  if (!found) found = await search.await(performance.now() + Math.min(ms, mayWait));
  if (!isConnected(node)) return { gone: true };
  const item = found ?? search.partly;
  if (!item || !isConnected(item)) return { item: null, near: nearLabels([...search.seen.keys()], wanted) };
  return { item: await inView(search, item), partly: !found };
}

// A list that draws its rows anew as it scrolls may give the row to another item meanwhile.
async function inView(search, item) {
  scrollIntoView(item, { block: "nearest", behavior: "instant" });
  await nextFrame();
  const again = isConnected(item) ? bestItem([item], search.wanted, search.quick).item : null;
  return itemFacts(again ?? search.look() ?? item, search.quick);
}

function nearLabels(labels, wanted) {
  return labels
    .filter(Boolean)
    .map((label) => [apart(wanted, label), label])
    .sort((a, b) => a[0] - b[0])
    .slice(0, MOST)
    .map((pair) => cut(pair[1], 80));
}

// The state of an item, by its ref; null when it is gone.
function itemNow(ref) {
  const { node } = deref(Number(ref.slice(1)));
  return node ? itemFacts(node) : null;
}

// Which item the keyboard is at, by focus or by what its owner names as active.
function activeItem(ref) {
  const { node } = deref(Number(ref.slice(1)));
  const owners = [focused(), node].filter(isElement);
  for (const owner of owners) {
    const [active] = referents(owner, "aria-activedescendant");
    if (active) return itemFacts(active);
  }
  const at = focused();
  return isElement(at) && matches(at, `${CHOOSABLE},[role=tab],[role=radio]`) ? itemFacts(at) : null;
}

// Waits until something that was asked for is so, or time is up; gives the last answer either way.
async function awaitControl(ref, kind, key, wanted, ms) {
  const end = performance.now() + ms;
  for (;;) {
    const now = controlNow(ref, kind);
    if (!now || String(now[key]) === String(wanted)) return now;
    const left = end - performance.now();
    if (left <= 0) return now;
    await nextChange(left);
  }
}

// Waits until a control no longer holds what it held.
async function awaitChange(ref, kind, key, before, ms) {
  const end = performance.now() + ms;
  for (;;) {
    const now = controlNow(ref, kind);
    if (!now || String(now[key]) !== String(before)) return now;
    const left = end - performance.now();
    if (left <= 0) return now;
    await nextChange(left);
  }
}

// Waits until a choice was taken: the control shows something else, or its popup is gone.
async function awaitTaken(ref, before, ms) {
  const end = performance.now() + ms;
  for (;;) {
    const now = controlNow(ref);
    const popup = now && popupNow(ref);
    if (!now || now.value !== before || !popup || (popup.inside === "items" && !popup.count)) return now;
    const left = end - performance.now();
    if (left <= 0) return now;
    await nextChange(left);
  }
}

// Waits until a popup is gone; whether it is.
async function popupClosed(ref, ms) {
  const end = performance.now() + ms;
  for (;;) {
    const popup = popupNow(ref);
    if (!popup || (popup.inside === "items" && !popup.count)) return true;
    const left = end - performance.now();
    if (left <= 0) return false;
    await nextChange(left);
  }
}

async function awaitItem(ref, wanted, ms) {
  const end = performance.now() + ms;
  for (;;) {
    const now = itemNow(ref);
    const { node } = deref(Number(ref.slice(1)));
    // What closed with its popup says no more.
    if (!now || now.on === wanted || !(hasBox(node) || standIn(node))) return now;
    const left = end - performance.now();
    if (left <= 0) return now;
    await nextChange(left);
  }
}
