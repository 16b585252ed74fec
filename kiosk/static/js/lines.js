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
  follow(place, fit);
  new ResizeObserver(fit).observe(document.body);
}

/** Keeps `place` in one line while its letters need not be made smaller than `--least` of their size for it. */
export function keepOneLine(place) {
  const fit = () => {
    const least = Number(getComputedStyle(place).getPropertyValue("--least"));
    for (let size = 1; size > least; size *= STEP) {
      place.style.setProperty("--fits", size.toFixed(3));
      if (place.offsetHeight < 1.5 * parseFloat(getComputedStyle(place).fontSize)) return;
    }
    place.style.setProperty("--fits", least);
  };
  follow(place, fit);
  new ResizeObserver(fit).observe(place.parentElement);
}

function follow(place, fit) {
  new MutationObserver(fit).observe(place, { childList: true, characterData: true, subtree: true });
  document.fonts.ready.then(fit);
}
