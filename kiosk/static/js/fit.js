// Keeps what a place shows in sight: what does not fit at its full size is made smaller, a little at a time, and once it
// would be too small to read leaves out what matters least.

const STEP = 0.94;

/** The least size of letters, in CSS pixels, still readable from close by; they are smaller only if nothing more can be left out. */
const LEAST = 13;
/** The least size of other letters, as a share of those read from the farthest seat, while more can be left out. */
const SHARE = 0.4;

/** The layouts of a place, the best first, as its style sheet has them: `--layouts` names for each the smallest size of the
 * letters and what it leaves out, `--keeps` the sizes at which what matters most is kept, 1 as large as it should be. Where
 * letters are to stay readable (`--readable`), only the layouts of `--at-last` let go of that, as little as they can. */
function layoutsOf(place) {
  const words = (name, between) => getComputedStyle(place).getPropertyValue(name).split(between).map((one) => one.trim()).filter(Boolean);
  const floor = words("--readable", ",").length && Math.max(LEAST, SHARE * setting(document.body, "font-size"));
  const layouts = (name, least) => words(name, ",").map((one) => one.split(/\s+/)).map(([smallest, ...without]) => ({ smallest, without: without.join(" "), least, keep: 1 }));
  const first = layouts("--layouts", floor), kept = words("--keeps", /\s+/).flatMap((keep) => first.map((one) => ({ ...one, keep })));
  const last = layouts("--at-last", LEAST).map((one) => ({ ...one, keep: 0 }));
  const all = [...(kept.length ? kept : first), ...last, ...last.slice(-1).map((one) => ({ ...one, least: 0 }))], full = setting(place, "font-size");
  return all.map((one) => ({ ...one, smallest: Math.max(one.smallest, Math.ceil(1000 * one.least / full) / 1000) })).filter(({ smallest }) => smallest <= 1);
}

/** Fits `place` now, and whenever what it shows or its size changes. One that may grow with its page is left alone. */
export function keepFitting(place) {
  follow(place, place, () => {
    if (!place.offsetWidth) return; // not shown; each try costs styles
    place.removeAttribute("data-tight");
    place.style.setProperty("--fit", 1); // as which its styles are asked for all that is needed
    if (getComputedStyle(place).overflowY === "visible") return void laid(place, { without: "", keep: "" }, "");
    const fitted = layoutsOf(place).some((layout, nth) => (layout.without.includes("#") ? fitsSome : fits)(place, layout, nth === 0));
    place.toggleAttribute("data-tight", !fitted && overflows(place)); // a name without a single space may be broken at last
  });
}

/** Sizes a line of words now, and whenever it or the screen changes: at most its `--share` of the height, 0 to 1. */
export function keepLines(place) {
  follow(place, document.body, () => {
    place.removeAttribute("data-long");
    const low = !place.firstChild || sized(place, "--lines", 0.3, () => place.offsetHeight <= setting(place, "--share") * innerHeight);
    place.toggleAttribute("data-long", !low); // what may be left out is
  });
}

/** Keeps `place` in one line while its letters need not be made smaller than `--least` of their size for it. */
export function keepOneLine(place) {
  follow(place, place.parentElement, () => sized(place, "--fits", setting(place, "--least"), () => place.offsetHeight < 1.5 * setting(place, "font-size")));
}

const setting = (place, name) => parseFloat(getComputedStyle(place).getPropertyValue(name));
const lettersNow = () => [...document.fonts].filter(({ status }) => status === "loaded").length;

/** Calls `fit` at once, and whenever what `place` shows changes, the size of `around`, or the letters. */
function follow(place, around, fit) {
  let size = "", letters = 0;
  const sizeNow = () => `${around.offsetWidth} ${around.offsetHeight}`;
  const again = () => { letters = lettersNow(); fit(); size = sizeNow(); }; // letters first: measuring may bring some in, too late for it
  new MutationObserver(again).observe(place, { childList: true, characterData: true, subtree: true });
  place.addEventListener("load", again, { capture: true });
  document.addEventListener("load", ({ target }) => target.id === "letters" && again(), { capture: true }); // sizes that come late change no content
  place.addEventListener("animationend", () => place.getAnimations({ subtree: true }).length || again()); // what moves takes more room
  document.fonts.addEventListener("loadingdone", () => lettersNow() === letters || again()); // until then others stand for them, which take another room
  new ResizeObserver(() => sizeNow() === size || again()).observe(around); // it calls at once
}

/** Sets the property `name` to the largest size, from 1 to `smallest`, at which it is `well`; whether there is one. */
function sized(place, name, smallest, well) {
  const at = (size) => { place.style.setProperty(name, size); return well(); };
  return at(1) || (at(smallest) && largest(STEP, smallest, at));
}

/** Ends at the largest size, from `size` to `smallest`, at which it is `well`, as it is at the smallest: by halves, as each try costs a layout. */
function largest(size, smallest, well) {
  const sizes = [];
  for (; size > smallest; size *= STEP) sizes.push(size.toFixed(3));
  for (let half = sizes.length >> 1; sizes.length; half = sizes.length >> 1)
    if (well(sizes[half])) [smallest] = sizes.splice(half); else sizes.splice(0, half + 1);
  return well(smallest);
}

/** Lays `place` out at a size; whether it fits. The same value anew makes styles anew. */
function laid(place, { without, keep, smallest }, size = smallest) {
  if (place.dataset.without !== without) place.dataset.without = without;
  for (const [name, value] of [["--keep", keep], ["--fit", size]]) if (place.style.getPropertyValue(name) !== `${value}`) place.style.setProperty(name, value);
  return !overflows(place);
}

/** Whether `place` fits in a layout at some size; the largest is kept, and where none fits the smallest. */
const fits = (place, layout, first) => (first && laid(place, layout, 1))
  || (laid(place, layout) && largest(first ? STEP : 1, layout.smallest, (size) => laid(place, layout, size)));

/** Whether a layout fits that shows some of many (15 at most), as many as have room: their count stands for its `#`. */
function fitsSome(place, layout) {
  const some = (count) => ({ ...layout, without: layout.without.replace("#", count) });
  let shown = 0;
  if (!place.querySelector("[data-quiet]") || !laid(place, some(shown))) return false;
  for (const more of [8, 4, 2, 1]) if (laid(place, some(shown + more))) shown += more;
  return fits(place, some(shown));
}

const overflows = (place) => place.scrollHeight > place.clientHeight || place.scrollWidth > place.clientWidth
  || [...place.querySelectorAll(".die, .stage-word, .systems li, .gauges, .fighters, .fighter, .fighter-name")].some((one) => one.scrollWidth > one.clientWidth);
