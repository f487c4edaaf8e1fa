// The first words that a page shows. It stops as soon as there is enough: innerText would lay out the
// whole of a large page, and tells what nobody can see.
const UNREAD_TAGS = /^(script|style|noscript|template|svg)$/;
const BLOCKS = /^(block|flex|grid|list-item|table|table-row|flow-root)$/;

function snippet(limit) {
  const pieces = [];
  let length = 0;
  const walk = { edge: edgeOfPage(), outside: true };
  const read = (node, at) => {
    if (length > limit) return;
    if (isText(node)) {
      const text = node.data.replace(/\s+/g, " ");
      if (text.trim()) {
        at.unread ??= unreadBy(walk, at);
        if (at.unread) return;
        length += text.length;
      }
      pieces.push(text);
      return;
    }
    if (!isElement(node) || UNREAD_TAGS.test(tagName(node))) return;
    if (!checkVisibility(node, { visibilityProperty: true })) return;
    const style = getComputedStyle(node);
    const { display } = style;
    const edge = BLOCKS.test(display) ? "\n" : display === "table-cell" || display === "inline-block" ? " " : "";
    if (edge) pieces.push(edge);
    const inner = { element: node, style, sight: sightOf(node, style, display, at.sight) };
    for (const child of childrenOf(node)) read(child, inner);
    if (edge) pieces.push(edge);
  };
  const body = bodyOf(document);
  if (body) read(body, { sight: OPEN_SIGHT });
  const text = pieces.join("").replace(/[ \t]*\n[\s]*/g, "\n").replace(/ +/g, " ").trim();
  const characters = Array.from(text.slice(0, limit * 2 + 2));
  const shown = characters.length > limit ? `${characters.slice(0, limit).join("")}…` : text;
  return { title: titleOf(document), snippet: shown };
}
