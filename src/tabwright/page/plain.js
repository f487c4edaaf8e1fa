function (maxDepth, maxItems) {
  // Any value as JSON. What JSON cannot say becomes {"$type": …}, so that nothing is lost unseen.
  const seen = new Map();
  let left = maxItems;
  const describe = (node) => {
    if (node.nodeType === Node.DOCUMENT_NODE) return "#document";
    if (node.nodeType !== Node.ELEMENT_NODE) return `${node.nodeName} ${JSON.stringify(node.data || "")}`;
    const name = node.localName + (node.id ? `#${node.id}` : "");
    const classes = [...node.classList].map((c) => `.${c}`).join("");
    return `<${name}${classes}>`;
  };
  const number = (n) => {
    if (Object.is(n, -0)) return { $type: "number", value: "-0" };
    return Number.isFinite(n) ? n : { $type: "number", value: String(n) };
  };
  const primitive = (v) => {
    switch (typeof v) {
      case "undefined": return { $type: "undefined" };
      case "bigint": return { $type: "bigint", value: String(v) };
      case "symbol": return { $type: "symbol", value: String(v) };
      case "function": return { $type: "function", value: v.name || "anonymous" };
      case "number": return number(v);
      default: return v;
    }
  };
  const special = (v, go) => {
    if (v instanceof Date) {
      return { $type: "date", value: isNaN(v) ? "Invalid Date" : v.toISOString() };
    }
    if (v instanceof RegExp) return { $type: "regexp", value: String(v) };
    if (v instanceof Error) {
      return { $type: "error", name: v.name, message: v.message, stack: String(v.stack || "") };
    }
    if (v instanceof Map) return { $type: "map", value: [...v].map(([k, w]) => [go(k), go(w)]) };
    if (v instanceof Set) return { $type: "set", value: [...v].map(go) };
    if (v instanceof Promise) return { $type: "promise" };
    if (v instanceof WeakMap || v instanceof WeakSet) return { $type: v.constructor.name };
    if (v instanceof ArrayBuffer) return { $type: "arraybuffer", value: v.byteLength };
    if (ArrayBuffer.isView(v) && !(v instanceof DataView)) {
      return { $type: v.constructor.name, value: [...v].map(go) };
    }
    if (v === globalThis) return { $type: "window", value: location.href };
    if (v instanceof Node) return { $type: "node", value: describe(v) };
    if (v instanceof NodeList || v instanceof HTMLCollection) return [...v].map(go);
    return undefined;
  };
  const plain = (v, depth, path) => {
    if (v === null || (typeof v !== "object")) return primitive(v);
    if (seen.has(v)) return { $type: "circular", value: seen.get(v) };
    if (depth > maxDepth || left-- <= 0) return { $type: "cut", value: "too deep or too many values" };
    seen.set(v, path);
    const go = (inner, key) => plain(inner, depth + 1, `${path}.${key}`);
    try {
      const known = special(v, (inner) => go(inner, "…"));
      if (known !== undefined) return known;
      if (Array.isArray(v)) return Array.from(v, (inner, i) => plain(inner, depth + 1, `${path}[${i}]`));
      if (typeof v.toJSON === "function") return plain(v.toJSON(), depth + 1, path);
      const out = Object.create(null);
      for (const key of Object.keys(v)) {
        try { out[key] = go(v[key], key); } catch (e) { out[key] = { $type: "threw", value: String(e) }; }
      }
      return out;
    } finally {
      seen.delete(v);
    }
  };
  return JSON.stringify(plain(this, 0, "$"));
}
