// The words that scripts put on a page. What stands in the source is English; places are filled by name.

/** The template with its places filled: `t("{name} throws.", { name })`. Templates are literals: they are collected. */
export function t(template, fills = {}) {
  return template.replace(/\{(\w+)\}/g, (place, name) => (name in fills ? String(fills[name]) : place));
}

/** The template for one or for several; `{number}` is the count. */
export function tn(count, one, several, fills = {}) {
  return t(count === 1 ? one : several, { number: count, ...fills });
}
