// What this device keeps for its person between visits. A browser that keeps nothing, as one that refuses cookies and
// throws at every try, costs only that it is not kept.

/** `localStorage` or `sessionStorage`, by name; null where this browser has none for the page. */
export function storeOf(name) {
  try {
    return globalThis[name];
  } catch {
    return null;
  }
}

const store = storeOf("localStorage");

/** What is kept under that name; null where nothing is. */
export const kept = (name) => store?.getItem(name) ?? null;

/** Keeps a text; false where this browser keeps nothing, or no more. */
export function keepAs(name, text) {
  try {
    store.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

/** Deletes what is kept under that name. */
export const forget = (name) => store?.removeItem(name);

/** The names with that beginning, in order. */
export const keptNames = (beginning) => Object.keys(store ?? {}).filter((name) => name.startsWith(beginning)).sort();
