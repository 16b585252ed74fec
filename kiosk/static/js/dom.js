// Elements and dice. Everything a person typed goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";
const ICONS = "/static/icons.svg";

/** An element with attributes (`on…` are listeners; false, null and undefined are left out) and children. */
export function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function svg(name, attributes, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return made;
}

/** A die as it looks: hexagon with triangle, or square; 6 and 9 are underlined as on real dice. */
export function die({ shape, face, name }) {
  const effect = shape === "challenge" && face === "effect";
  const text = face === "blank" || effect ? "" : face;
  return svg("svg", { class: `die-face die-${shape}`, viewBox: "0 0 100 100", role: "img", "aria-label": name },
    svg("use", { href: `${ICONS}#${shape}` }),
    effect && svg("use", { href: `${ICONS}#effect` }),
    text && svg("text", { x: 50, y: shape === "d20" ? 64 : 67, "text-anchor": "middle" }, text),
    (face === "6" || face === "9") && shape === "d20" && svg("line", { x1: 40, x2: 60, y1: 70, y2: 70 }));
}

/**
 * Calls `build` and replaces the children of `place` only when `data` changed. Focus that was inside goes to what is
 * asked next, or to the heading: it never falls back to the top of the page.
 */
export function keyed(place, data, build) {
  const key = JSON.stringify(data);
  if (place.dataset.key === key) return false;
  place.dataset.key = key;
  const inside = document.activeElement !== place && place.contains(document.activeElement);
  place.replaceChildren(...[build()].flat().filter(Boolean));
  if (inside) focusOn(place.querySelector(".entry input") ?? place.querySelector("h2, h3") ?? byId("stage"));
  return true;
}

/** Gives the focus to what is no control, too. */
export function focusOn(element) {
  if (!element.matches("input")) element.tabIndex = -1;
  element.focus({ preventScroll: element.id === "stage" });
}

export function byId(name) {
  return document.getElementById(name);
}
