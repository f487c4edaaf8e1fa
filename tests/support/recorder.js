// The page's own record: every trusted event that one of its listeners heard, in the order of
// arrival, with the ids of the elements that it was for. Also what the page itself can say of an
// element: who listens, in what state it is, and whether it is plainly to be pressed.
const record = (window.record = (() => {
  const script = document.currentScript;
  const { name } = script.dataset;
  const POINTER = ["pointerover", "mouseover", "mousemove", "pointerdown", "mousedown", "pointerup", "mouseup"];
  const TYPES = [...POINTER, "click", "dblclick", "auxclick", "contextmenu", "keydown", "keyup", "beforeinput", "input", "change", "dragstart", "dragend", "drop"];
  const HEARD = { all: TYPES, click: ["click"], press: ["pointerdown", "mousedown"], hover: ["mouseover"], key: ["keydown"], none: [] };
  const roots = new Map();
  // Where the record outlives the page; a sandboxed document has no such place.
  const kept = (() => {
    try {
      return script.dataset.keep === undefined ? null : sessionStorage;
    } catch {
      return null;
    }
  })();
  const heard = new Map();
  let entries = [];
  let known = new WeakMap();

  function idsOf(path) {
    const ids = [];
    for (const node of path) {
      if (node.id) ids.push(node.id);
      if (node.control?.id) ids.push(node.control.id);
    }
    return ids;
  }

  function note(event) {
    if (!event.isTrusted) return;
    let entry = known.get(event);
    if (!entry) {
      known.set(event, (entry = { type: event.type, ids: [], first: "" }));
      entries.push(entry);
    }
    // A closed root shows the whole path only to listeners inside of it.
    const path = event.composedPath();
    const ids = idsOf(path);
    if (ids.length > entry.ids.length) entry.ids = ids;
    entry.first = entry.ids[0] ?? "";
    kept?.setItem(`record:${name}`, JSON.stringify(entries));
  }

  function hear(target, types) {
    for (const type of types) target.addEventListener(type, note, { capture: target === window });
    heard.set(target, new Set([...(heard.get(target) ?? []), ...types]));
  }

  if (script.dataset.witness !== undefined) hear(window, TYPES);
  for (const type of (script.dataset.swallow ?? "").split(" ").filter(Boolean)) {
    hear(window, [type]);
    addEventListener(type, (event) => event.stopImmediatePropagation(), true);
  }

  function* trees(root = document) {
    yield root;
    for (const element of root.querySelectorAll("*")) if (roots.has(element)) yield* trees(roots.get(element));
  }

  function find(id) {
    for (const tree of trees()) {
      const found = tree.getElementById(id);
      if (found) return found;
    }
    return null;
  }

  const ACTIONS = {
    remove: (element) => element.remove(),
    replace(element) {
      const copy = element.cloneNode(true);
      copy.id += "-copy";
      element.replaceWith(copy);
      hear(copy, heard.get(element) ?? []);
    },
    move: (element) => (element.style.translate = "400px 250px"),
    hide: (element) => (element.style.visibility = "hidden"),
    disable: (element) => (element.disabled = true),
    cover(element) {
      const box = element.getBoundingClientRect();
      const cover = document.createElement("div");
      cover.id = `${element.id}-cover`;
      cover.style.cssText = `position:fixed;z-index:99;left:${box.left - 5}px;top:${box.top - 5}px;width:${box.width + 10}px;height:${box.height + 10}px;background:#fa08`;
      document.body.append(cover);
      hear(cover, TYPES);
    },
    text: (element) => element.append("!"),
    elsewhere: (element) => document.body.append(`after ${element.id}`),
    later: (element) => setTimeout(() => element.append("!"), 30),
    hash: (element) => (location.hash = `${element.id}${Math.random()}`),
    leave: () => (location.href = "/verdicts/left"),
    alert: (element) => alert(element.id),
    confirm: (element) => confirm(element.id),
    fail() {
      throw new Error("the page's own fault");
    },
    prevent: (_, event) => event.preventDefault(),
    stop: (_, event) => event.stopPropagation(),
    halt: (_, event) => event.stopImmediatePropagation(),
    upper: (element) => (element.value = element.value.toUpperCase()),
    focus: () => document.querySelector("input")?.focus(),
  };

  const MOTIONS = { slow: 0.01, fast: 0.9, crawl: 0.002 };

  function move(element, speed) {
    const began = performance.now();
    const step = () => {
      const at = ((performance.now() - began) * MOTIONS[speed]) % 300;
      element.style.transform = `translateX(${at < 150 ? at : 300 - at}px)`;
      requestAnimationFrame(step);
    };
    step();
  }

  function grow(root) {
    for (const template of root.querySelectorAll("template[data-root]")) {
      const host = template.parentElement;
      const inner = host.attachShadow({ mode: template.dataset.root });
      inner.append(template.content);
      template.remove();
      roots.set(host, inner);
      grow(inner);
    }
  }

  function wire(element) {
    const { hear: which, does, moves, opens } = element.dataset;
    if (which) hear(element, HEARD[which]);
    for (const rule of does?.split(" ") ?? []) {
      const [type, action] = rule.split(":");
      hear(element, [type]);
      element.addEventListener(type, (event) => event.isTrusted && ACTIONS[action](element, event));
    }
    if (moves) move(element, moves);
    if (opens) element[opens]();
  }

  function begin() {
    grow(document);
    for (const tree of trees()) for (const element of tree.querySelectorAll("*")) wire(element);
  }

  const parentOf = (node) => node.assignedSlot ?? node.parentNode ?? node.host ?? null;
  // A slot of a closed root does not show itself as such.
  function around(node) {
    const root = node.parentNode && roots.get(node.parentNode);
    const slot = root && [...root.querySelectorAll("slot")].find((one) => one.assignedNodes().includes(node));
    return slot || parentOf(node);
  }

  function innermost(x, y) {
    let found = document.elementFromPoint(x, y);
    while (roots.has(found)) {
      const inner = roots.get(found).elementFromPoint(x, y);
      if (!inner || inner === found) break;
      found = inner;
    }
    return found;
  }

  function within(element, hit) {
    for (let at = hit; at; at = around(at)) if (at === element) return true;
    return false;
  }

  // Whether anything was drawn: a frame of another origin that is out of view is drawn no more,
  // and a busy machine draws nothing for a while, in which what moves by script stands still.
  const frame = (patience = 50) =>
    new Promise((resolve) => {
      requestAnimationFrame(() => resolve(true));
      setTimeout(() => resolve(false), patience);
    });
  const SPOTS = [[0.5, 0.5], [0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]];

  return {
    name,
    begin,
    reset() {
      entries = [];
      known = new WeakMap();
      kept?.clear();
      return true;
    },
    // What was recorded; what is said not to have happened is given time to happen.
    async take(late) {
      for (let i = 0; late && i < 2; i++) await frame();
      return entries;
    },
    left() {
      const keys = Object.keys(kept ?? {}).filter((key) => key.startsWith("record:"));
      return keys.flatMap((key) => JSON.parse(kept.getItem(key)));
    },
    alive: () => true,
    // The elements that an event at this one is for, as listeners outside of closed roots see it.
    hosts(id) {
      const ids = [];
      for (let at = find(id); at; at = at.parentNode ?? at.host) if (at.mode === "closed") ids.push(at.host.id);
      return ids;
    },
    // The types of events that anything from the element to the window listens for.
    hears(id) {
      const types = new Set(heard.get(window));
      for (let at = find(id); at; at = around(at)) for (const type of heard.get(at) ?? []) types.add(type);
      return [...types];
    },
    state(id) {
      const element = find(id);
      if (!element) return null;
      const { checked = null, value = null } = element;
      return { checked, value, text: element.isContentEditable ? element.innerText : null, hash: location.hash };
    },
    // Whole in view, enabled, covered nowhere and still: nobody could miss it.
    async plain(id) {
      const element = find(id);
      if (!element || element.matches(":disabled") || element.readOnly) return false;
      for (let at = element; at; at = around(at)) {
        if (at.inert || at.ariaDisabled === "true") return false;
        // While a script moves it back, the page may scroll along, and hold it where it is in view.
        if (at.dataset?.moves) return false;
      }
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) return false;
      element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      const boxes = element.getClientRects();
      if (boxes.length !== 1) return false;
      const [box] = boxes;
      if (box.width < 8 || box.height < 8) return false;
      if (box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight) return false;
      for (const [across, down] of SPOTS) {
        const hit = innermost(box.left + box.width * across, box.top + box.height * down);
        if (!within(element, hit)) return false;
      }
      for (let i = 0; i < 4; i++) {
        if (!(await frame(1000))) return false;
        const now = element.getBoundingClientRect();
        if (Math.hypot(now.x - box.x, now.y - box.y) > 0.1 || Math.abs(now.width - box.width) > 0.1) return false;
      }
      return true;
    },
  };
})());
