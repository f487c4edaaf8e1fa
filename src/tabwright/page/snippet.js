function (limit) {
  // Stops as soon as there is enough: innerText would lay out the whole of a large page.
  // A form's fields shadow its properties by their names, so the platform's own getters are asked.
  const getter = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (node) => get.call(node);
  };
  const nodeType = getter(Node, "nodeType");
  const childNodes = getter(Node, "childNodes");
  const tagName = getter(Element, "localName");
  const shadowRoot = getter(Element, "shadowRoot");
  const body = getter(Document, "body")(document);
  const title = getter(Document, "title")(document);
  const pieces = [];
  let length = 0;
  const block = /^(block|flex|grid|list-item|table|table-row|flow-root)$/;
  const walk = (node) => {
    if (length > limit) return;
    if (nodeType(node) === Node.TEXT_NODE) {
      const text = node.data.replace(/\s+/g, " ");
      pieces.push(text);
      if (text.trim()) length += text.length;
      return;
    }
    if (nodeType(node) !== Node.ELEMENT_NODE) return;
    if (/^(script|style|noscript|template|svg)$/.test(tagName(node))) return;
    if (!Element.prototype.checkVisibility.call(node, { visibilityProperty: true })) return;
    const { display } = getComputedStyle(node);
    const edge = block.test(display) ? "\n" : display === "table-cell" || display === "inline-block" ? " " : "";
    if (edge) pieces.push(edge);
    for (const child of childNodes(shadowRoot(node) || node)) walk(child);
    if (edge) pieces.push(edge);
  };
  if (body) walk(body);
  const text = pieces.join("").replace(/[ \t]*\n[\s]*/g, "\n").replace(/ +/g, " ").trim();
  const characters = Array.from(text.slice(0, limit * 2 + 2));
  const snippet = characters.length > limit ? characters.slice(0, limit).join("") + "…" : text;
  return { title, snippet };
}
