// What a caller may have meant: the elements nearest to a selector that matched nothing.

const USABLE =
  'a[href],button,input:not([type="hidden"]),select,textarea,summary,[role],[tabindex],[contenteditable],[onclick],label';
const MOST = 20;
const LOOKED_AT = 3000;

// How far two texts are apart, from 0 (the same) to 1 (nothing in common): by pairs of letters,
// which forgives swapped words and endings and costs no more than the texts are long.
function apart(a, b) {
  const one = folded(a);
  const two = folded(b);
  if (one === two) return 0;
  if (!one || !two) return 1;
  if (two.includes(one) || one.includes(two)) {
    return 0.3 * (1 - Math.min(one.length, two.length) / Math.max(one.length, two.length));
  }
  const pairs = (text) => {
    const found = new Map();
    for (let i = 0; i < text.length - 1; i++) {
      const pair = text.slice(i, i + 2);
      found.set(pair, (found.get(pair) ?? 0) + 1);
    }
    return found;
  };
  const left = pairs(one);
  let shared = 0;
  for (const [pair, count] of pairs(two)) shared += Math.min(count, left.get(pair) ?? 0);
  return 1 - (2 * shared) / Math.max(one.length + two.length - 2, 1);
}

// What a selector asks for, as far as words can tell.
function wish(parts, known) {
  if (known) return { role: known.role, words: known.name };
  const part = parts.findLast((one) => one.by !== "nth") ?? parts[0];
  if (part.by === "role") return { role: part.value, words: part.name ?? "" };
  if (part.by === "css" || part.by === "xpath") {
    const words = (part.value.match(/[A-Za-z][A-Za-z0-9]+/g) ?? []).filter((word) => word !== "contains");
    return { role: "", words: words.join(" "), tag: /^[a-z][a-z0-9-]*/.exec(part.value)?.[0] ?? "", css: true };
  }
  return { role: "", words: String(part.value) };
}

function distance(element, wanted) {
  const role = roleOf(element);
  const texts = [nameOf(element)];
  for (const name of ["placeholder", "title", "value", "alt"]) texts.push(attribute(element, name));
  if (wanted.css) {
    for (const name of ["id", "class", "name", "data-testid", "type"]) texts.push(attribute(element, name));
  }
  let text = 1;
  for (const one of texts) if (one) text = Math.min(text, apart(wanted.words, one));
  if (!wanted.words) text = 0.5;
  const sameRole = wanted.role ? role === wanted.role : wanted.tag ? tagName(element) === wanted.tag : true;
  return text + (sameRole ? 0 : 0.25);
}

function candidates(parts, known) {
  const wanted = wish(parts, known);
  const found = [];
  for (const element of cssAll(document, USABLE).slice(0, LOOKED_AT)) {
    const far = distance(element, wanted);
    found.push({ element, far });
  }
  found.sort((a, b) => a.far - b.far);
  const near = [];
  for (const { element, far } of found) {
    if (near.length >= MOST) break;
    if (isShown(element)) near.push({ ...describe(element), distance: far });
  }
  return near;
}
