// What a screen reader says: one sentence for each event, in turn in two regions, so that the same words are heard again.
import { byId } from "./dom.js";

const TOGETHER = 200;
const regions = [byId("status-1"), byId("status-2")];
const gathered = new Map();
let turn = 0;
let waiting = 0;

/**
 * Says `text` politely. What comes within a fifth of a second is said together, in the order in which it came and none
 * of it twice; of what changes fast, as a number field, only the newest under the same `about` is said.
 */
export function say(text, about = text) {
  if (!text) return;
  gathered.delete(about);
  gathered.set(about, text);
  if (waiting) return;
  waiting = setTimeout(() => {
    waiting = 0;
    regions[turn].textContent = "";
    turn = 1 - turn;
    regions[turn].textContent = [...gathered.values()].join(" ");
    gathered.clear();
  }, TOGETHER);
}

/** Says `text` at once: only when someone must answer. An empty text ends it. Whether it is said now. */
export function alertOf(text) {
  const place = byId("alert");
  if (place.textContent === text) return false;
  place.textContent = text;
  return Boolean(text);
}
