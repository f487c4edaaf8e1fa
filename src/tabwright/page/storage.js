// Storage of the page's origin. What is said comes and goes as JSON text: any unicode passes, and
// no key means anything.
function (said) {
  const [kind, action, given] = JSON.parse(said);
  const answer = (facts) => JSON.stringify({ origin: location.origin, ...facts });
  let store;
  try {
    store = kind === "local" ? localStorage : sessionStorage;
  } catch {
    return answer({ refused: true });
  }
  const every = () => Array.from({ length: store.length }, (_, at) => store.key(at));
  const entries = (keys) => keys.map((key) => [key, store.getItem(key)]);
  const present = (keys) => keys.filter((key) => store.getItem(key) !== null);
  const remove = (keys) => keys.forEach((key) => store.removeItem(key));
  const write = (found) => found.forEach(([key, value]) => store.setItem(key, value));

  if (action === "get") return answer({ entries: entries(given ? present(given) : every()) });
  if (action === "delete") {
    const keys = given ? present(given) : every();
    if (given) remove(keys);
    else store.clear();
    return answer({ keys });
  }
  const keys = given.map(([key]) => key);
  const before = entries(present(keys));
  try {
    try {
      write(given);
    } catch {
      // A value that shrinks may make room for one that came before it.
      remove(keys);
      write(given);
    }
  } catch {
    remove(keys);
    write(before);
    return answer({ full: true });
  }
  return answer({ keys });
}
