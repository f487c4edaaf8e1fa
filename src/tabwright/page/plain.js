function (maxDepth, maxItems) {
  // Any value as JSON text. What JSON cannot say becomes {"$type": …}, so that nothing is lost
  // unseen. The text is built here: JSON.stringify would ask a toJSON that the page put in its way.
  const quote = JSON.stringify;
  const seen = new Map();
  let left = maxItems;
  const tagged = (type, value) =>
    value === undefined ? `{"$type":${quote(type)}}` : `{"$type":${quote(type)},"value":${value}}`;
  const text = (type, value) => tagged(type, quote(String(value)));
  const list = (items, each) => {
    let out = "";
    let index = 0;
    for (const item of items) out += (index ? "," : "") + each(item, index++);
    return `[${out}]`;
  };
  const describe = (node) => {
    if (node.nodeType === Node.DOCUMENT_NODE) return "#document";
    if (node.nodeType !== Node.ELEMENT_NODE) return `${node.nodeName} ${quote(node.data || "")}`;
    let name = node.localName + (node.id ? `#${node.id}` : "");
    for (const word of node.classList) name += `.${word}`;
    return `<${name}>`;
  };
  const primitive = (v) => {
    switch (typeof v) {
      case "undefined": return tagged("undefined");
      case "bigint": return text("bigint", v);
      case "symbol": return text("symbol", v);
      case "function": return text("function", v.name || "anonymous");
      case "number":
        if (Object.is(v, -0)) return text("number", "-0");
        return Number.isFinite(v) ? String(v) : text("number", v);
      default: return v === null ? "null" : quote(v);
    }
  };
  const special = (v, go) => {
    if (v instanceof Date) return text("date", isNaN(v) ? "Invalid Date" : v.toISOString());
    if (v instanceof RegExp) return text("regexp", v);
    if (v instanceof Error) {
      const about = [["name", v.name], ["message", v.message], ["stack", v.stack || ""]];
      let out = `{"$type":"error"`;
      for (const [key, value] of about) out += `,"${key}":${quote(String(value))}`;
      return out + "}";
    }
    if (v instanceof Map) return tagged("map", list(v, ([k, w]) => list([k, w], go)));
    if (v instanceof Set) return tagged("set", list(v, go));
    if (v instanceof Promise) return tagged("promise");
    if (v instanceof WeakMap) return tagged("WeakMap");
    if (v instanceof WeakSet) return tagged("WeakSet");
    if (v instanceof ArrayBuffer) return tagged("arraybuffer", String(v.byteLength));
    if (ArrayBuffer.isView(v) && !(v instanceof DataView)) {
      return tagged(v.constructor.name, list(v, go));
    }
    if (v === globalThis) return text("window", location.href);
    if (v instanceof Node) return text("node", describe(v));
    if (v instanceof NodeList || v instanceof HTMLCollection) return list(v, go);
    return undefined;
  };
  const record = (v, depth, path) => {
    let out = "";
    for (const key of Object.keys(v)) {
      let value;
      try {
        value = plain(v[key], depth + 1, `${path}.${key}`);
      } catch (error) {
        value = text("threw", error);
      }
      out += `${out ? "," : ""}${quote(key)}:${value}`;
    }
    return `{${out}}`;
  };
  const plain = (v, depth, path) => {
    if (v === null || typeof v !== "object") return primitive(v);
    if (seen.has(v)) return text("circular", seen.get(v));
    if (depth > maxDepth || left-- <= 0) return text("cut", "too deep or too many values");
    seen.set(v, path);
    try {
      const go = (inner, key) => plain(inner, depth + 1, `${path}[${key}]`);
      const known = special(v, go);
      if (known !== undefined) return known;
      if (Array.isArray(v)) {
        let out = "";
        for (let i = 0; i < v.length; i++) out += (i ? "," : "") + go(v[i], i);
        return `[${out}]`;
      }
      if (typeof v.toJSON === "function") return plain(v.toJSON(), depth + 1, path);
      return record(v, depth, path);
    } finally {
      seen.delete(v);
    }
  };
  return plain(this, 0, "$");
}
