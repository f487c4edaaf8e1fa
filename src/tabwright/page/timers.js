function () {
  // Runs in the page's own world while an act is under way, and writes down, in a text node that
  // both worlds hold (`this`), what the page has asked for: timers, frames, steps in history, answers
  // of workers. Of each: id, when, due, and when the first of the chain was asked for that led to it.
  const cell = this;
  const TRAVEL_MS = 200;
  const WORKER_MS = 50;
  const clock = performance;
  const pending = Object.create(null);
  let running = null;
  let on = false;
  let saved = null;
  let later = null;
  const write = () => {
    let text = "";
    for (const id in pending) text += (text ? ";" : "") + pending[id];
    cell.data = text;
  };
  const forget = (id) => {
    if (id in pending) {
      delete pending[id];
      write();
    }
  };
  // Frames have negative ids, so that they cannot be taken for timers.
  const asked = (real, self, callback, delay, rest, sign) => {
    let key = 0;
    const now = clock.now();
    const root = running === null ? now : running;
    const wrapped = function () {
      const outer = running;
      running = root;
      try {
        return Reflect.apply(callback, this, arguments);
      } finally {
        running = outer;
        forget(key);
      }
    };
    const id = Reflect.apply(real, self, sign < 0 ? [wrapped] : [wrapped, delay, ...rest]);
    key = sign * id;
    pending[key] = `${key},${now},${now + delay},${root}`;
    write();
    return id;
  };
  // What is answered a little later, or never: nobody says which.
  let asks = 0;
  const answered = (place, type, patience) => (real, self, args) => {
    const result = Reflect.apply(real, self, args);
    if (!on) return result;
    const target = place ?? self;
    const key = `ask ${++asks}`;
    const now = clock.now();
    pending[key] = `0,${now},${now},${running === null ? now : running}`;
    write();
    const over = () => {
      target.removeEventListener(type, over);
      forget(key);
    };
    target.addEventListener(type, over);
    later(over, patience);
    return result;
  };
  const handlers = {
    setTimeout: (real, self, args) =>
      on && typeof args[0] === "function"
        ? asked(real, self, args[0], Math.max(0, Number(args[1]) || 0), args.slice(2), 1)
        : Reflect.apply(real, self, args),
    clearTimeout: (real, self, args) => {
      forget(args[0]);
      return Reflect.apply(real, self, args);
    },
    requestAnimationFrame: (real, self, args) =>
      on && typeof args[0] === "function"
        ? asked(real, self, args[0], 20, [], -1)
        : Reflect.apply(real, self, args),
    cancelAnimationFrame: (real, self, args) => {
      forget(-args[0]);
      return Reflect.apply(real, self, args);
    },
  };
  const travelled = answered(window, "popstate", TRAVEL_MS);
  const travels = { back: travelled, forward: travelled, go: travelled, traverseTo: travelled };
  const places = [
    [window, handlers],
    [window.History?.prototype, travels],
    [window.Navigation?.prototype, travels],
    [window.Worker?.prototype, { postMessage: answered(null, "message", WORKER_MS) }],
  ];
  const standIns = {
    begin() {
      on = true;
      if (saved) return;
      saved = [];
      later = window.setTimeout.bind(window);
      for (const [place, others] of places) {
        for (const name in place ? others : null) {
          const real = place[name];
          if (typeof real !== "function") continue;
          const proxy = new Proxy(real, { apply: others[name] });
          saved.push([place, name, real, proxy]);
          place[name] = proxy;
        }
      }
    },
    end() {
      on = false;
      for (const id in pending) delete pending[id];
      cell.data = "";
      for (const [place, name, real, proxy] of saved ?? []) if (place[name] === proxy) place[name] = real;
      saved = null;
    },
  };
  standIns.begin();
  return standIns;
}
