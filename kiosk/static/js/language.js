// The words that scripts put on a page: English in the source; the page's block `#catalog` holds the listener's language.
const words = JSON.parse(document.getElementById("catalog")?.textContent || "{}");

/** The template with its places filled: `t("{name} throws.", { name })`. Templates are literals: they are collected. */
export function t(template, fills = {}) {
  return (words[template] ?? template).replace(/\{(\w+)\}/g, (place, name) => (name in fills ? String(fills[name]) : place));
}

/** A word of the vocabulary, as the name of a face; the page's block holds them all. */
export const term = (word) => words[word] ?? word;
