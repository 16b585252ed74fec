// Elements. Everything a person typed goes in as text, never as markup.

/** An element with properties, such as `className` and `onclick`, and children. */
export function el(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Gives the focus to any element, also one that is no control. */
export function focusOn(element) {
  if (!element.matches("input, summary")) element.tabIndex = -1;
  element.focus({ preventScroll: element.id === "stage" });
}

/** Milliseconds after which a screen reader has seen that the old control is gone, and follows the focus. */
export const SEEN = 100;

/** The fields of a form as `submitter` would send it, without those that only a page without script needs. */
export function fieldsOf(form, submitter = null) {
  return Object.fromEntries([...new FormData(form, submitter)].filter(([name]) => !["token", "tap", "back"].includes(name)));
}

export const byId = (name) => document.getElementById(name);
