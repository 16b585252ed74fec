// What this device keeps for its person between visits. A browser that keeps nothing, as one that refuses cookies and
// throws at every try, costs only that it is not kept.

/** What is kept under that name; null where nothing is. */
export function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a text; false where this browser keeps nothing. */
export function keepAs(name, text) {
  try {
    localStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

/** Lets go of what is kept under that name. */
export function forget(name) {
  try {
    localStorage.removeItem(name);
  } catch { /* then nothing is kept */ }
}

/** The names that begin so, in order. */
export function keptNames(beginning) {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(beginning)).sort();
  } catch {
    return [];
  }
}
