// What may tell a control without a name from the others: never its name, so it is marked as a hint.

const NOISE = /^(btn|button|icon|icons|ico|svg|img|image|fa|fas|far|fab|fal|mdi|bi|ti|glyphicon|material|link|item|inner|wrapper|container|js|ng|is|has|the|ui|css|sm|md|lg|xl|xs|default|primary|secondary|active|lazy|small|large|medium|round|rounded)$/;
const HASHED = /^(?=.*\d)[a-z0-9]{5,}$|^[a-z]{1,2}\d+$|\d{3,}/;

const nameParts = (text) =>
  text.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !NOISE.test(word) && !HASHED.test(word));

const fileWords = (address) => {
  const file = address.split(/[?#]/)[0].split("/").pop() ?? "";
  return address.startsWith("data:") ? "" : nameParts(file.replace(/\.\w+$/, "")).join(" ");
};

function hintFor(element, style) {
  return fromIcon(element) || fromData(element) || fromIdentity(element) || fromLook(element, style) || fromPlace(element);
}

function fromIcon(element) {
  for (const inner of queryAll(element, "img[src],use,svg,i,span[class]")) {
    switch (tagName(inner)) {
      case "img": { const words = fileWords(attribute(inner, "src")); if (words) return words; break; }
      case "use": {
        const words = nameParts((attribute(inner, "href") || attribute(inner, "xlink:href")).split("#").pop()).join(" ");
        if (words) return words;
        break;
      }
      default: {
        const words = nameParts(["data-icon", "class", "id"].map((name) => attribute(inner, name)).join(" ")).slice(0, 3).join(" ");
        if (words) return words;
      }
    }
  }
  return "";
}

const isPassword = (element) => tagName(element) === "input" && inputType(element) === "password";
const TELLING_DATA = ["data-action", "data-tooltip", "data-title", "data-original-title", "data-label", "data-icon", "data-testid", "data-test", "name", "value"];

function fromData(element) {
  for (const name of TELLING_DATA) {
    if (name === "value" && isPassword(element)) continue;
    const said = squeezed(attribute(element, name));
    if (said && !HASHED.test(said)) return cut(said, 40);
  }
  return tagName(element) === "a" ? cut(fileWords(attribute(element, "href")), 40) : "";
}

function fromIdentity(element) {
  return nameParts(`${attribute(element, "id")} ${attribute(element, "class")}`).slice(0, 3).join(" ");
}

function fromLook(element, style) {
  const picture = /url\("([^"]+)"\)/.exec(style.backgroundImage);
  const words = picture ? fileWords(picture[1]) : "";
  if (words) return words;
  const { backgroundColor } = style;
  return TRANSPARENT.test(backgroundColor) ? "" : colourName(backgroundColor);
}

const hex = (channel) => Math.round(channel).toString(16).padStart(2, "0");

function colourName(colour) {
  const channels = (colour.match(CHANNELS) ?? []).map(Number);
  return colour.startsWith("rgb") ? `#${channels.slice(0, 3).map(hex).join("")}` : colour;
}

function fromPlace(element) {
  const parent = parentOf(element);
  if (!isElement(parent)) return "";
  const alike = [...elementChildren(parent)].filter((child) => tagName(child) === tagName(element));
  return alike.length > 1 ? `${alike.indexOf(element) + 1} of ${alike.length}` : "";
}
