// The accessibility audit: axe-core runs in our world, and each element it names gets a ref.

const MOST_NODES = 500;

// The frames' elements that the last audit came by: what they show is a part of it.
let framesMet = new Set();
let wholePage = true;

const hasAxe = () => Boolean(globalThis.axe) && !axe._running;

// A word among the rules or tags that axe does not know, with those it does.
function strangerIn(wanted) {
  if (!wanted) return null;
  const rules = axe.getRules();
  const known = wanted.type === "rule" ? rules.map((rule) => rule.ruleId) : rules.flatMap((rule) => rule.tags);
  const word = wanted.values.find((value) => !known.includes(value));
  return word && { word, known: [...new Set(known)].sort() };
}

const found = (target) => (target.length === 1 ? axe.utils.shadowSelect(target[0]) : null);
const written = (target) => [target[0]].flat().join(" >> ");

function toldNode(node) {
  const element = found(node.target);
  const { role, name, ref } = element ? describe(element) : { role: "", name: "", ref: "" };
  return {
    ref, role, name,
    selector: written(node.target),
    checks: [...node.any, ...node.all, ...node.none].map((check) => check.message),
    fix: node.failureSummary ?? "",
  };
}

const toldRule = ({ id, impact, help, helpUrl, tags, nodes }) => ({
  id, help, helpUrl, tags,
  impact: impact ?? "minor",
  count: nodes.length,
  nodes: nodes.slice(0, MOST_NODES).map(toldNode),
});

// `place` says what the document is to the page: the page itself, or a frame of this size.
async function audit(parts, place, wanted) {
  const stranger = strangerIn(wanted);
  if (stranger) return { ...no("unknown", stranger.word), known: stranger.known };
  let root = document;
  if (parts) {
    const { element, invalid } = firstOf(parts);
    if (invalid) return no("invalid", invalid);
    if (!element) return missing(parts);
    root = element;
  }
  // To preload is to fetch style sheets again: nobody asked for requests.
  const options = { preload: false, resultTypes: ["violations"], ...(wanted && { runOnly: wanted }) };
  const partial = await axe.runPartial({ ...place, include: [root], exclude: [] }, options);
  wholePage = root === document && place.page !== false;
  framesMet = new Set(partial.frames.map((frame) => found(frame.selector)));
  const report = await axe.finishRun([{ ...partial, frames: [] }], options);
  return {
    ok: true,
    version: axe.version,
    violations: report.violations.map(toldRule),
    passed: report.passes.map((rule) => rule.id),
    unsure: report.incomplete.map((rule) => rule.id),
  };
}

// What a frame is to the audit that came by its element; nothing if none did.
function placeOf(element) {
  if (!framesMet.has(element)) return null;
  const { width, height } = boxOf(element);
  const focusable = !(parseInt(attribute(element, "tabindex"), 10) < 0);
  return { initiator: false, page: wholePage, focusable, size: { width, height } };
}

const auditApi = { hasAxe, audit, placeOf };
