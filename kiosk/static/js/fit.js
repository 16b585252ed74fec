// Keeps the whole stage in sight: what does not fit at its full size is made smaller, a little at a time.

const STEP = 0.94;
const SMALLEST = 0.3;

/** Fits `stage` now, and whenever what it shows or its size changes. A stage that may grow with its page is left alone. */
export function keepFitting(stage, smallest = SMALLEST) {
  const fit = () => {
    stage.style.removeProperty("--fit");
    stage.removeAttribute("data-tight");
    if (getComputedStyle(stage).overflowY === "visible") return;
    for (let size = STEP; size >= smallest && overflows(stage); size *= STEP) {
      stage.style.setProperty("--fit", size.toFixed(3));
    }
    stage.toggleAttribute("data-tight", overflows(stage)); // a name without a single space may be broken at last
  };
  new MutationObserver(fit).observe(stage, { childList: true });
  new ResizeObserver(fit).observe(stage);
  stage.addEventListener("load", fit, { capture: true });
  document.fonts.ready.then(fit);
}

function overflows(stage) {
  return stage.scrollHeight > stage.clientHeight || stage.scrollWidth > stage.clientWidth
    || [...stage.querySelectorAll(".die, .stage-word")].some((one) => one.scrollWidth > one.clientWidth);
}
