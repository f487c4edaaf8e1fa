// Waiting for a state of elements or text, in the page.

const STATES = {
  attached: (found) => found.length > 0,
  detached: (found) => found.length === 0,
  visible: (found) => found.some(isShown),
  hidden: (found) => !found.some(isShown),
};

// Whether a state holds now, and what there is instead.
function standing(parts, state) {
  let found;
  try {
    found = findAll(parts);
  } catch (error) {
    return no("invalid", String(error.message).split("\n")[0]);
  }
  const shown = found.filter(isShown);
  return {
    ok: true,
    holds: STATES[state](found),
    count: found.length,
    visible: shown.length,
    why: found.length && !shown.length ? hiddenHow(found[0]) : "",
    element: found.length ? describe(shown[0] ?? found[0]) : null,
  };
}

// The same, asked of all frames of a page at a time.
const standingOf = (parts, state) => withoutRefs(() => standing(parts, state));

async function await_(parts, state, limitMs) {
  const began = performance.now();
  for (;;) {
    const now = standing(parts, state);
    const left = limitMs - (performance.now() - began);
    if (!now.ok || now.holds || left <= 0) return now;
    await nextChange(left);
  }
}
