function (selector) {
  // The first match's box in document coordinates, after it was scrolled into view.
  const xpath = /^(xpath=|\(?\.?\/)/.test(selector);
  let element;
  try {
    element = xpath
      ? document.evaluate(
          selector.replace(/^xpath=/, ""), document, null,
          XPathResult.FIRST_ORDERED_NODE_TYPE, null,
        ).singleNodeValue
      : document.querySelector(selector);
  } catch (error) {
    return { invalid: String(error.message).split("\n")[0] };
  }
  if (!element || !element.getBoundingClientRect) return { missing: true };
  element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const box = element.getBoundingClientRect();
  return {
    x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height,
  };
}
