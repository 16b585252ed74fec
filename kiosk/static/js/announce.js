// What a screen reader says: one sentence for each event, in turn in two regions, so that the same words are heard again.
import { byId } from "./dom.js";

const regions = [byId("status-1"), byId("status-2")];
let turn = 0;
let waiting = 0;

/** Says `text` politely; what comes within a fifth of a second replaces it. */
export function say(text) {
  if (!text) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    regions[turn].textContent = "";
    turn = 1 - turn;
    regions[turn].textContent = text;
  }, 200);
}

/** Says `text` at once: only when someone must answer. An empty text ends it. */
export function alertOf(text) {
  const place = byId("alert");
  if (place.textContent !== text) place.textContent = text;
}
