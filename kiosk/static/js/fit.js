// Keeps what a place shows in sight: what does not fit at its full size is made smaller, a little at a time, and once it
// would be too small to read leaves out what matters least.

const STEP = 0.94;

/** Letters that are still read by who leans forward, in CSS pixels; only where nothing more can be left out are they smaller. */
const LEAST = 13;

/** Of the letters that are read from the farthest seat: what those beside them have at least, while more can be left out. */
const SHARE = 0.4;

/** The stage: the sentence about a result is left out before it is too small to be read, for the caption says it. */
const STAGE = [
  { without: [], smallest: 0.7 },
  { without: ["lines"], smallest: 0.6 },
  { without: ["lines", "dice"], smallest: 0.5 },
  { without: ["lines", "dice", "reach"], smallest: 0.3 },
];

/**
 * A conflict, layout after layout: with ships drawn from above, without the bars that say what numbers say and with people
 * by their last names, then with a hull drawn round a ship's numbers and what does not work, without the line that all work,
 * without what a ship has in full or without the picture of the map, without both, without what its zones are like,
 * without who has acted, with the Breaches of a system alone, with one after the other in a line, at last without people
 * whom nothing befell. Who acts, who is hurt, Shields, Breaches and hulls stay.
 */
const FIGHT = [
  { without: [], smallest: 0.6, least: LEAST },
  { without: ["bars", "names"], smallest: 0.55, least: LEAST },
  { without: ["bars", "names", "full"], smallest: 0.55, least: LEAST },
  { without: ["bars", "names", "full", "works"], smallest: 0.5, least: LEAST },
  { without: ["bars", "names", "whole"], smallest: 0.5, least: LEAST },
  { without: ["bars", "names", "whole", "works"], smallest: 0.5, least: LEAST },
  { without: ["bars", "names", "whole", "works", "full"], smallest: 0.5, least: LEAST },
  { without: ["bars", "names", "whole", "works", "drawings"], smallest: 0.45, least: LEAST },
  { without: ["bars", "names", "whole", "works", "drawings", "full"], smallest: 0.45, least: LEAST },
  { without: ["bars", "names", "whole", "works", "drawings", "full", "like"], smallest: 0.45, least: LEAST },
  { without: ["bars", "names", "whole", "works", "drawings", "full", "like", "done"], smallest: 0.45, least: LEAST },
  { without: ["bars", "names", "whole", "works", "drawings", "full", "like", "done", "states"], smallest: 0.4, least: LEAST },
  { without: ["bars", "names", "whole", "works", "drawings", "full", "like", "done", "states", "rows"], smallest: 0.4, least: LEAST },
  { without: ["bars", "names", "whole", "works", "drawings", "full", "like", "done", "states", "rows", "people"], smallest: 0.2, least: LEAST },
];

/** Beside dice large letters come before bars, whole names and systems that work. */
const BESIDE = [{ without: [], smallest: 0.9, least: LEAST }, ...FIGHT.slice(4)];

/** How large what matters most of a conflict stays, of the letters that are read from the farthest seat; 0 is as the rest. */
const KEPT = [1, 0.85, 0.7, 0.55, 0.4, 0];

/** At last without any least size. */
const kept = (layouts) => [...KEPT.flatMap((keep) => layouts.map((one) => ({ ...one, keep }))), { ...layouts.at(-1), keep: 0, least: 0 }];

/** How a conflict is laid out: over the whole width while nobody throws, else beside what is thrown. */
export const fightLayouts = () => (document.querySelector(".stage:is([data-kind=idle], [data-kind=turn])") ? kept(FIGHT) : kept(BESIDE));

/** Fits `place` now, and whenever what it shows or its size changes. One that may grow with its page is left alone. */
export function keepFitting(place, layouts = () => STAGE) {
  const fit = () => {
    for (const one of ["--fit", "--keep"]) place.style.removeProperty(one);
    place.removeAttribute("data-tight");
    place.dataset.without = "";
    if (getComputedStyle(place).overflowY === "visible") return;
    layouts().some((layout) => fits(place, layout));
    place.toggleAttribute("data-tight", overflows(place)); // a name without a single space may be broken at last
  };
  new MutationObserver(fit).observe(place, { childList: true, characterData: true, subtree: true });
  new ResizeObserver(fit).observe(place);
  place.addEventListener("load", fit, { capture: true });
  document.fonts.ready.then(fit);
}

/** Whether `place` fits in a layout at some size; the largest is kept, and where none fits the smallest. */
function fits(place, { without, smallest, least = 0, keep = 1 }) {
  const set = (size) => {
    place.style.setProperty("--fit", size.toFixed(3));
    return parseFloat(getComputedStyle(place).fontSize);
  };
  const floor = least && Math.max(least, SHARE * parseFloat(getComputedStyle(document.body).fontSize));
  place.dataset.without = without.join(" ");
  place.style.setProperty("--keep", keep);
  const low = Math.max(smallest, Math.floor(1000 * floor / set(1)) / 1000);
  set(low);
  if (low > 1 || overflows(place)) return false; // one measuring tells that no size is small enough, and large enough to be read
  for (let size = 1; size > smallest; size *= STEP) {
    if (set(size) < floor) return false;
    if (!overflows(place)) return true;
  }
  return set(smallest) >= floor;
}

function overflows(place) {
  return place.scrollHeight > place.clientHeight || place.scrollWidth > place.clientWidth
    || [...place.querySelectorAll(".die, .stage-word, .systems li, .fighters, .fighter, .fighter-name")].some((one) => one.scrollWidth > one.clientWidth);
}
