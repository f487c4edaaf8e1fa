function () {
  // Runs in the page's own world while an act is under way, and writes down, in a text node that
  // both worlds hold (`this`), what the page has asked for: kind, when, due, and when the first of the
  // chain was asked for that led to it. "t" lasts until it ran; "a", which may never be answered, or
  // not so that we see it, until it is due at the latest. Nothing of ours may throw into the page.
  const cell = this;
  const MOST = 100;
  const STEP_MS = { sure: 900, unsure: 200 };
  const WORKER_MS = { "": 200, asked: 50, answered: 900 };
  const LATE_MS = 20;
  const PORT_MS = 50;
  const MOST_HOPS = 10;
  const now = Performance.prototype.now.bind(performance);
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const pending = new Map();
  let on = false;
  let saved = null;
  let dirty = false;

  function write() {
    const lines = [];
    for (const line of pending.values()) {
      lines.push(line);
      if (lines.length === MOST) break;
    }
    cell.data = lines.join(";");
  }
  // A page may have put its own in the place of whatever we use.
  function quietly(work, otherwise) {
    try {
      return work();
    } catch {
      return otherwise;
    }
  }
  // Once a task. It waits as no page can notice: promises and queueMicrotask may be the page's own.
  async function writeSoon() {
    if (dirty) return;
    dirty = true;
    await null;
    dirty = false;
    quietly(write);
  }
  function put(key, kind, at, due, root) {
    pending.set(key, `${kind},${at},${due},${root}`);
    writeSoon();
  }
  function forget(key) {
    if (pending.delete(key)) writeSoon();
  }

  // What the running script goes back to: the callback that runs, or the event that it answers.
  let running = null;
  const awaited = new Map();
  const ported = { root: 0, at: -Infinity, hops: 0 };
  const viaPort = (event) => event instanceof MessageEvent && event.target instanceof MessagePort;
  function eventRoot(event, at) {
    const answer = awaited.get(event.target);
    if (answer?.types.includes(event.type)) return answer.root;
    const known = viaPort(event) && at - ported.at < PORT_MS && ported.hops < MOST_HOPS;
    return known ? ported.root : at;
  }
  function rootOf(at) {
    if (running !== null) return running;
    return quietly(() => (window.event ? eventRoot(window.event, at) : at), at);
  }
  function within(root, callback, over) {
    return function () {
      const outer = running;
      running = root;
      try {
        return Reflect.apply(callback, this, arguments);
      } finally {
        running = outer;
        over();
      }
    };
  }

  // Frames have negative ids, so that they cannot be taken for timers.
  const keyOf = (sign, id) => (typeof id === "number" ? sign * id : id);
  const asks = (sign, delayOf) => (real, self, args) => {
    const [callback, ...rest] = args;
    if (!on) return Reflect.apply(real, self, args);
    const at = now();
    const root = rootOf(at);
    const due = at + quietly(() => delayOf(rest), 0);
    if (typeof callback !== "function") {
      const id = Reflect.apply(real, self, args);
      put(keyOf(sign, id), "a", at, due + LATE_MS, root);
      return id;
    }
    let key = null;
    const id = Reflect.apply(real, self, [within(root, callback, () => forget(key)), ...rest]);
    key = keyOf(sign, id);
    put(key, "t", at, due, root);
    return id;
  };
  const takesBack = (sign) => (real, self, args) => {
    forget(keyOf(sign, args[0]));
    return Reflect.apply(real, self, args);
  };
  const posts = (real, self, args) => {
    const [callback, options] = args;
    const delay = quietly(() => Number(options.delay), 0);
    if (!on || !(delay > 0) || typeof callback !== "function") return Reflect.apply(real, self, args);
    const at = now();
    const root = rootOf(at);
    const key = {};
    put(key, "a", at, at + delay + LATE_MS, root);
    return Reflect.apply(real, self, [within(root, callback, () => forget(key)), options]);
  };

  // What a target answers by an event: until then, and what its handlers put off in turn.
  function await_(target, types, patience, answered = () => {}) {
    if (pending.has(target)) return;
    awaited.get(target)?.stop();
    const at = now();
    const root = rootOf(at);
    const hear = () => {
      forget(target);
      answered();
    };
    for (const type of types) Reflect.apply(addEventListener, target, [type, hear]);
    const stop = () => {
      for (const type of types) Reflect.apply(removeEventListener, target, [type, hear]);
    };
    awaited.set(target, { types, root, stop });
    put(target, "a", at, at + patience, root);
  }
  const steps = (leads) => (real, self, args) => {
    const sure = on && quietly(() => leads(args), false);
    const result = Reflect.apply(real, self, args);
    if (on) quietly(() => await_(window, ["popstate", "hashchange"], sure ? STEP_MS.sure : STEP_MS.unsure));
    return result;
  };
  const manners = new WeakMap();
  function tell(worker) {
    if (pending.has(worker)) return;
    const patience = WORKER_MS[manners.get(worker) ?? ""];
    await_(worker, ["message"], patience, () => manners.set(worker, "answered"));
    manners.set(worker, "asked");
  }
  const tells = (real, self, args) => {
    const result = Reflect.apply(real, self, args);
    if (on) quietly(() => tell(self));
    return result;
  };
  const passes = (real, self, args) => {
    const result = Reflect.apply(real, self, args);
    if (!on) return result;
    const at = now();
    ported.root = rootOf(at);
    ported.hops = quietly(() => viaPort(window.event), false) ? ported.hops + 1 : 0;
    ported.at = at;
    return result;
  };

  const back = () => navigation.canGoBack;
  const forward = () => navigation.canGoForward;
  const delayed = ([delay]) => Math.max(0, Number(delay) || 0);
  const travels = {
    back: steps(back),
    forward: steps(forward),
    go: steps(([by]) => (by < 0 ? back() : by > 0 && forward())),
    traverseTo: steps(() => true),
  };
  const places = {
    History: travels,
    Navigation: travels,
    Worker: { postMessage: tells },
    MessagePort: { postMessage: passes },
    Scheduler: { postTask: posts },
  };
  const timers = {
    setTimeout: asks(1, delayed),
    setInterval: asks(1, delayed),
    clearTimeout: takesBack(1),
    clearInterval: takesBack(1),
    requestAnimationFrame: asks(-1, () => LATE_MS),
    cancelAnimationFrame: takesBack(-1),
  };
  // A page that guards its functions keeps them.
  function standIn(placeOf, name, apply) {
    quietly(() => {
      const place = placeOf();
      const real = place[name];
      if (typeof real !== "function") return;
      const proxy = new Proxy(real, { apply });
      saved.push([place, name, real, proxy]);
      place[name] = proxy;
    });
  }
  function leave(place, name, real, proxy) {
    if (place[name] === proxy) place[name] = real;
  }
  const standIns = {
    begin() {
      on = true;
      if (saved) return;
      saved = [];
      for (const name in timers) standIn(() => window, name, timers[name]);
      for (const type in places) {
        for (const name in places[type]) standIn(() => window[type].prototype, name, places[type][name]);
      }
    },
    end() {
      on = false;
      pending.clear();
      for (const { stop } of awaited.values()) quietly(stop);
      awaited.clear();
      cell.data = "";
      for (const one of saved ?? []) quietly(() => leave(...one));
      saved = null;
    },
  };
  standIns.begin();
  return standIns;
}
