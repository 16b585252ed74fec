// The words that scripts put on a page. What stands in the source is English; the page's block `#catalog` holds the
// listener's language, and is absent in English. Places are filled by name.

/**
 * `{"plural": name, "words": {template: [form, …]}}`. What is counted is found by its template for one; `plural` names
 * how a number chooses among the forms.
 */
const { plural = "one", words = {} } = JSON.parse(document.getElementById("catalog")?.textContent || "{}");

/** The place of the form for a number; a language of another kind adds its own. */
const PLURALS = {
  one: (count) => (count === 1 ? 0 : 1),
  none_or_one: (count) => (count === 0 || count === 1 ? 0 : 1),
};
const formOf = PLURALS[plural] ?? PLURALS.one;

function filled(template, fills) {
  return template.replace(/\{(\w+)\}/g, (place, name) => (name in fills ? String(fills[name]) : place));
}

/** The template with its places filled: `t("{name} throws.", { name })`. Templates are literals: they are collected. */
export function t(template, fills = {}) {
  return filled(words[template]?.[0] ?? template, fills);
}

/** The template for one or for several; `{number}` is the count. */
export function tn(count, one, several, fills = {}) {
  const forms = words[one] ?? [];
  return filled(forms[formOf(count)] ?? (count === 1 ? one : several), { number: count, ...fills });
}

/** A word of the vocabulary, as `dust_cloud`, as it is said; the page's block holds them all. */
export function term(word) {
  const english = word.replaceAll("_", " ");
  return words[english]?.[0] ?? english;
}
