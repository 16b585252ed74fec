// The beat of an outcome: the dice arrive and are counted, then it lands, in a second and a half. Nothing waits for it.
import { byId } from "./dom.js";

const LASTS = 1_650;
const stage = byId("stage");
let ends = 0;

const end = () => { clearTimeout(ends); delete stage.dataset.playing; };

new MutationObserver(() => { // of another beat: htmx does not set what stands there already
  end();
  if (!stage.dataset.beat) return;
  stage.dataset.playing = "";
  ends = setTimeout(end, LASTS);
}).observe(stage, { attributes: true, attributeFilter: ["data-beat"] });
for (const skip of ["pointerdown", "keydown"]) addEventListener(skip, end);

/** A loaded picture hides the drawn die; a missing one leaves it. */
for (const [event, came] of [["load", true], ["error", false]]) {
  stage.addEventListener(event, ({ target }) => target.matches("img") && target.toggleAttribute("data-came", came), true);
}
for (const one of stage.querySelectorAll("img")) one.toggleAttribute("data-came", one.complete && one.naturalWidth > 0);
