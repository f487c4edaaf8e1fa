function (limit) {
  // Stops as soon as there is enough: innerText would lay out the whole of a large page.
  const pieces = [];
  let length = 0;
  const block = /^(block|flex|grid|list-item|table|table-row|flow-root)$/;
  const walk = (node) => {
    if (length > limit) return;
    if (node.nodeType === Node.TEXT_NODE) {
      const text = node.data.replace(/\s+/g, " ");
      if (text.trim()) {
        pieces.push(text);
        length += text.length;
      }
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    if (/^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|SVG)$/i.test(node.tagName)) return;
    if (!node.checkVisibility({ visibilityProperty: true })) return;
    const breaks = block.test(getComputedStyle(node).display);
    if (breaks) pieces.push("\n");
    for (const child of (node.shadowRoot || node).childNodes) walk(child);
    if (breaks) pieces.push("\n");
  };
  if (document.body) walk(document.body);
  const text = pieces.join("").replace(/[ \t]*\n[\s]*/g, "\n").replace(/ +/g, " ").trim();
  const characters = Array.from(text.slice(0, limit * 2 + 2));
  const snippet = characters.length > limit ? characters.slice(0, limit).join("") + "…" : text;
  return { title: document.title, snippet };
}
