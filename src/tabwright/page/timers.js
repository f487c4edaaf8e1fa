function () {
  // Runs in the page's own world while an act is under way, and writes down, in a text node that
  // both worlds hold (`this`), which timers and frames the page has asked for: id, when, due, and
  // when the first of the chain was asked for that led to it.
  const cell = this;
  const names = ["setTimeout", "clearTimeout", "requestAnimationFrame", "cancelAnimationFrame"];
  const clock = performance;
  const pending = Object.create(null);
  let running = null;
  let on = false;
  let saved = null;
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
  return {
    begin() {
      on = true;
      if (saved) return;
      saved = Object.create(null);
      for (const name of names) {
        const real = window[name];
        if (typeof real !== "function") continue;
        const proxy = new Proxy(real, { apply: handlers[name] });
        saved[name] = [real, proxy];
        window[name] = proxy;
      }
    },
    end() {
      on = false;
      for (const id in pending) delete pending[id];
      cell.data = "";
      if (!saved) return;
      for (const name in saved) {
        const [real, proxy] = saved[name];
        if (window[name] === proxy) window[name] = real;
      }
      saved = null;
    },
  };
}
