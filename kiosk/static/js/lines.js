// Keeps a line of words as large as it can be within its share of the screen's height.

const STEP = 0.94;
const SMALLEST = 0.3;

/** Sizes `place` now, and whenever its words or the screen change: at most its `--share` of the height, 0 to 1. */
export function keepLines(place) {
  const fit = () => {
    const share = Number(getComputedStyle(place).getPropertyValue("--share"));
    place.removeAttribute("data-long");
    for (let size = 1; size >= SMALLEST; size *= STEP) {
      place.style.setProperty("--lines", size.toFixed(3));
      if (place.offsetHeight <= share * innerHeight) return;
    }
    place.toggleAttribute("data-long", true); // what may be left out is
  };
  new MutationObserver(fit).observe(place, { childList: true, characterData: true, subtree: true });
  new ResizeObserver(fit).observe(document.body);
  document.fonts.ready.then(fit);
}
