// Web vitals: the library listens from now on, and is told what happened before by the browser.

const METRICS = ["LCP", "CLS", "INP", "FCP", "TTFB"];
const newest = new Map();

for (const name of METRICS) webVitals[`on${name}`]((metric) => newest.set(name, metric), { reportAllChanges: true });

// One frame of the screen and one idle moment, or a tenth of a second where there are none.
const breath = () =>
  Promise.race([
    new Promise((done) => requestAnimationFrame(() => requestIdleCallback(done))),
    new Promise((done) => setTimeout(done, 100)),
  ]);

const isHidden = () => visibility(document) === "hidden";
const visibility = getter(Document, "visibilityState");

const WHY_NOT = {
  LCP: () => (isHidden() ? "the page is in the background" : newest.has("FCP") ? "no text or picture was painted before the first input" : "nothing was painted yet"),
  CLS: () => "it is counted from the first paint on, and there was none",
  INP: () => (performance.interactionCount ? "the interactions were too short to be timed" : "no click, tap or key press yet"),
  FCP: () => (isHidden() ? "the page is in the background" : "nothing was painted yet"),
  TTFB: () => "the document did not come over the network",
};

const SUBJECT = {
  LCP: ({ attribution }) => attribution.lcpEntry?.element,
  CLS: ({ attribution }) => attribution.largestShiftSource?.node,
  INP: ({ entries }) => entries.find((entry) => entry.target)?.target,
};
const SELECTOR = {
  LCP: ({ attribution }) => attribution.target,
  CLS: ({ attribution }) => attribution.largestShiftTarget,
  INP: ({ attribution }) => attribution.interactionTarget,
};
const PARTS = {
  LCP: ["timeToFirstByte", "resourceLoadDelay", "resourceLoadDuration", "elementRenderDelay"],
  CLS: ["largestShiftValue", "largestShiftTime"],
  INP: ["inputDelay", "processingDuration", "presentationDelay"],
};

function toldMetric(name) {
  const metric = newest.get(name);
  if (!metric) return { name, value: null, rating: null, why: WHY_NOT[name]() };
  const node = SUBJECT[name]?.(metric);
  const element = isText(node) ? parentOf(node) : node;
  return {
    name,
    value: metric.value,
    rating: metric.rating,
    element: element ? describe(element) : null,
    selector: SELECTOR[name]?.(metric) ?? "",
    kind: metric.attribution.interactionType ?? "",
    parts: Object.fromEntries((PARTS[name] ?? []).map((part) => [part, metric.attribution[part] ?? 0])),
  };
}

// What is known already takes the browser a few moments to tell; what is not, never comes.
async function vitals() {
  for (let left = 10; left; left--) {
    await breath();
    const awaited = METRICS.filter((name) => name !== "INP" || performance.interactionCount);
    if (left < 8 && awaited.every((name) => newest.has(name))) break;
  }
  return METRICS.map(toldMetric);
}

const vitalsApi = { vitals };
