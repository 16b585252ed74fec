// Keeps what a place shows in sight: what does not fit at its full size is made smaller, a little at a time, and once it
// would be too small to read leaves out what matters least.

const STEP = 0.94;

/** Letters that are still read by who leans forward, in CSS pixels; only where nothing more can be left out are they smaller. */
const LEAST = 13;

/** Of the letters that are read from the farthest seat: what those beside them have at least, while more can be left out. */
const SHARE = 0.4;

/** How large what matters most of a conflict stays, of the letters that are read from the farthest seat; 0 is as the rest. */
const KEPT = [1, 0.85, 0.7, 0.55, 0.4, 0];

/** Layouts from rows of the smallest size and what is left out, by names that style sheets know. */
const made = (rows, least = 0) => rows.map(([smallest, ...without]) => ({ smallest, without: without.join(" "), least, keep: 1 }));

/** The stage: the sentence about a result is left out before it is too small to be read, for the caption says it. */
export const STAGE = made([[0.7], [0.6, "lines"], [0.5, "lines", "dice"], [0.3, "lines", "dice", "reach"]]);

/** Who is there between throws. */
export const COMPANY = made([[0.6], [0.5, "stress"], [0.4, "stress", "crew"]]);

/**
 * A conflict, layout after layout: with ships drawn from above, without the bars that say what numbers say and with people
 * by their last names, without what a ship has in full and the line that all works, then with a hull drawn round a ship's
 * numbers and what does not work, without that line, without what a ship has in full or without the picture of the map,
 * without both, without what its zones are like, without who has acted, with the Breaches of a system alone, with one after
 * the other in a line, at last without people whom nothing befell. Who acts, who is hurt, Shields, Breaches and hulls stay.
 */
const FIGHT = made([
  [0.6],
  [0.55, "bars", "names"],
  [0.55, "bars", "names", "full"],
  [0.5, "bars", "names", "full", "works"],
  [0.5, "bars", "names", "whole"],
  [0.5, "bars", "names", "whole", "works"],
  [0.5, "bars", "names", "whole", "works", "full"],
  [0.45, "bars", "names", "whole", "works", "drawings"],
  [0.45, "bars", "names", "whole", "works", "drawings", "full"],
  [0.45, "bars", "names", "whole", "works", "drawings", "full", "like"],
  [0.45, "bars", "names", "whole", "works", "drawings", "full", "like", "done"],
  [0.4, "bars", "names", "whole", "works", "drawings", "full", "like", "done", "states"],
  [0.4, "bars", "names", "whole", "works", "drawings", "full", "like", "done", "states", "rows"],
  [0.2, "bars", "names", "whole", "works", "drawings", "full", "like", "done", "states", "rows", "people"],
], LEAST);

/** Beside dice large letters come before bars, whole names and systems that work. */
const BESIDE = [{ ...FIGHT[0], smallest: 0.9 }, ...FIGHT.slice(4)];

/** How a conflict is laid out: over the whole width while nobody throws, else beside what is thrown. */
export function fightLayouts() {
  const layouts = document.querySelector(".stage:is([data-kind=idle], [data-kind=turn])") ? FIGHT : BESIDE;
  return [...KEPT.flatMap((keep) => layouts.map((one) => ({ ...one, keep }))), { ...layouts.at(-1), keep: 0, least: 0 }];
}

/** Fits `place` now, and whenever what it shows or its size changes. One that may grow with its page is left alone. */
export function keepFitting(place, layouts) {
  follow(place, place, () => {
    for (const one of ["--fit", "--keep"]) place.style.removeProperty(one);
    place.removeAttribute("data-tight");
    place.dataset.without = "";
    if (getComputedStyle(place).overflowY === "visible") return;
    layouts().some((layout) => fits(place, layout));
    place.toggleAttribute("data-tight", overflows(place)); // a name without a single space may be broken at last
  });
}

/** Sizes a line of words now, and whenever it or the screen changes: at most its `--share` of the height, 0 to 1. */
export function keepLines(place) {
  follow(place, document.body, () => {
    const share = setting(place, "--share");
    place.removeAttribute("data-long");
    const low = sized(place, "--lines", 0.3, () => place.offsetHeight <= share * innerHeight);
    place.toggleAttribute("data-long", !low); // what may be left out is
  });
}

/** Keeps `place` in one line while its letters need not be made smaller than `--least` of their size for it. */
export function keepOneLine(place) {
  follow(place, place.parentElement, () => {
    sized(place, "--fits", setting(place, "--least"), () => place.offsetHeight < 1.5 * setting(place, "font-size"));
  });
}

const setting = (place, name) => parseFloat(getComputedStyle(place).getPropertyValue(name));

/** Calls `fit` whenever what `place` shows changes, or the size of `around`. */
function follow(place, around, fit) {
  new MutationObserver(fit).observe(place, { childList: true, characterData: true, subtree: true });
  new ResizeObserver(fit).observe(around);
  place.addEventListener("load", fit, { capture: true });
  document.fonts.ready.then(fit);
}

/** Sets the property `name` to the largest size, from 1 to `smallest`, at which it is `well`; whether there is one. */
function sized(place, name, smallest, well) {
  for (let size = 1; size > smallest; size *= STEP) {
    place.style.setProperty(name, size.toFixed(3));
    if (well()) return true;
  }
  place.style.setProperty(name, smallest);
  return well();
}

/** Whether `place` fits in a layout at some size; the largest is kept, and where none fits the smallest. */
function fits(place, { without, smallest, least, keep }) {
  const floor = least && Math.max(least, SHARE * setting(document.body, "font-size"));
  place.dataset.without = without;
  place.style.setProperty("--keep", keep);
  place.style.setProperty("--fit", 1);
  const low = Math.max(smallest, Math.ceil(1000 * floor / setting(place, "font-size")) / 1000);
  place.style.setProperty("--fit", low);
  if (low > 1 || overflows(place)) return false; // one measuring tells that no size is small enough, and large enough to be read
  return sized(place, "--fit", low, () => !overflows(place));
}

function overflows(place) {
  return place.scrollHeight > place.clientHeight || place.scrollWidth > place.clientWidth
    || [...place.querySelectorAll(".die, .stage-word, .systems li, .fighters, .fighter, .fighter-name")].some((one) => one.scrollWidth > one.clientWidth);
}
