// What can be called from outside. Each call brings the next free ref and takes the following back.

// Elements that may hide a closed root: no script can tell, so our own side asks the browser.
const HOSTS = new Set(words(`article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p
  section span`));
const askedHosts = new WeakSet();

function closedHosts(thorough) {
  const hosts = [];
  const look = (tree) => {
    const elements = queryAll(tree, "*");
    for (let at = 0; at < elements.length; at += 1) {
      const element = elements[at];
      const tag = tagName(element);
      const root = rootOf(element);
      if (root) look(root);
      else if (tag.includes("-")) hosts.push(element);
      else if (HOSTS.has(tag) && (thorough || isUnaskedAndEmpty(element))) {
        askedHosts.add(element);
        hosts.push(element);
      }
    }
  };
  look(document);
  return hosts.length ? hosts : null;
}

const isUnaskedAndEmpty = (element) => {
  const first = firstChild(element);
  return (!first || nodeType(first) === Node.COMMENT_NODE) && !askedHosts.has(element) && matches(element, ":empty");
};

// An element that the browser handed in may be inside of closed roots: then they are known, too.
function adoptRoots(element) {
  for (let root = getRootNode(element); root instanceof ShadowRoot; root = getRootNode(root.host)) {
    if (!rootOf(root.host)) closedRoots.set(root.host, root);
  }
}

// A point inside a frame's document, as its owner's window sees it. `this` is the frame's element.
function throughFrame(element, x, y) {
  adoptRoots(element);
  const place = () => {
    const box = boxOf(element);
    const style = getComputedStyle(element);
    const across = element.offsetWidth ? box.width / element.offsetWidth : 1;
    const down = element.offsetHeight ? box.height / element.offsetHeight : 1;
    return {
      x: box.left + (element.clientLeft + parseFloat(style.paddingLeft) + x) * across,
      y: box.top + (element.clientTop + parseFloat(style.paddingTop) + y) * down,
    };
  };
  let at = place();
  let hit = elementAt(at.x, at.y);
  if (hit !== element) {
    for (const block of ["center", "start", "end"]) {
      scrollIntoView(element, { block, inline: "center", behavior: "instant" });
      at = place();
      // A frame taller than the window: bring the point itself into it.
      if (at.y < 0 || at.y > innerHeight || at.x < 0 || at.x > innerWidth) {
        scrollBy({ left: at.x - innerWidth / 2, top: at.y - innerHeight / 2, behavior: "instant" });
        at = place();
      }
      hit = elementAt(at.x, at.y);
      if (hit === element) break;
    }
  }
  return hit === element ? { ok: true, ...at } : coveredBy(element, hit);
}

// The nodes that an event at an element passes, shadow roots and the document among them.
function pathOf(element) {
  // A closed root hid from us what inside of it was hit.
  if (closedRoots.has(element)) return null;
  const path = [];
  for (let at = element; at; at = slotOf(at) ?? parentNode(at) ?? at.host) {
    // Nobody can tell who listens inside a closed root that was not handed in.
    if (isElement(at) && tagName(at).includes("-") && !rootOf(at)) return null;
    path.push(at);
  }
  return path;
}

const innerSize = (element) => [
  element.clientWidth - parseFloat(getComputedStyle(element).paddingLeft) - parseFloat(getComputedStyle(element).paddingRight),
  element.clientHeight - parseFloat(getComputedStyle(element).paddingTop) - parseFloat(getComputedStyle(element).paddingBottom),
];
const isAt = (element, x, y) => elementAt(x, y) === element;

const fileNames = (element) => [...(element ?? watch?.target).files].map((file) => file.name);

// Elements that listen for presses: told from outside, since no script can see listeners.
const listening = new WeakSet();

const api = {
  aim, glance, disown, felt, report, conclude, disarm, candidates, read, count, chosen, optionPoint, fileNames, throughFrame, innerSize, isAt,
  change: nextChange,
  await: await_,
  standing: standingOf,
  afterScroll,
  afterWheel,
  remember, spot, intoFrame, marks, frameBox,
};

let told = 0;

// The refs that a call gave out, with what they stand for, so that our side knows them later.
function newRefs() {
  const fresh = [];
  for (let ref = Math.max(told, nextRef - 50); ref < nextRef; ref++) {
    const entry = nodeByRef.get(ref);
    if (entry) fresh.push([ref, entry.role, entry.name]);
  }
  told = nextRef;
  return fresh;
}

globalThis.tabwright = {
  cell,
  target: () => watch?.target ?? null,
  byRef: (ref) => deref(ref).node ?? null,
  path: () => (watch ? pathOf(watch.deepest) : null),
  closedHosts,
  // More functions, written in this scope; they come when they are first needed.
  extend(source) {
    Object.assign(api, eval(source));
  },
  listens(elements) {
    for (const element of elements) listening.add(element);
  },
  adopt(host, root) {
    closedRoots.set(host, root);
  },
  call(said, ...node) {
    const [next, name, args] = JSON.parse(said);
    nextRef = Math.max(nextRef, next);
    told = nextRef;
    const value = api[name](...node, ...args);
    const answer = (settled) => JSON.stringify([nextRef, newRefs(), settled]);
    return value instanceof Promise ? value.then(answer) : answer(value);
  },
};
