// What is known of a page before the page script comes: which elements a script moves. It begins with
// the page's first snippet, so that the first act need not stand and watch.
const STIRRING = new Set(["style", "class", "transform"]);

function acquaint() {
  const early = { stirredAt: new WeakMap(), known: false };
  const note = (records) => {
    const now = performance.now();
    for (const record of records) early.stirredAt.set(record.target, now);
  };
  const styles = new MutationObserver(note);
  styles.observe(document, { subtree: true, attributes: true, attributeFilter: [...STIRRING] });
  // What moves does so from frame to frame.
  early.soon = new Promise((resolve) =>
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        early.known = true;
        resolve();
      }),
    ),
  );
  early.end = () => {
    note(styles.takeRecords());
    styles.disconnect();
  };
  return early;
}

const early = (globalThis.tabwrightEarly ??= acquaint());
