// What can be asked for at any time, by button and by key. At the table's screen the kiosk's speaker answers, and the words
// stand in the caption or the open menu; elsewhere this device does, and the words stand beside the buttons.
import { post } from "./api.js";
import { byId } from "./dom.js";
import { answer, listener, wordsOf } from "./ear.js";
import { forgetPart, view } from "./live.js";

/** Names written from the right: set apart, as in all other words of a page, they leave what follows in its place. */
const RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.source;
const NAMES = new RegExp(`${RIGHT}(?:[^\\p{L}\\p{N},.:;()]*${RIGHT})*`, "gu");
const room = document.body.classList.contains("display");

function ask(what) {
  const narration = view()?.[what === "more" ? "again_told" : `${what}_told`];
  if (!narration) return;
  const length = what === "more" ? "full" : listener.length;
  const text = room && length !== "full" ? narration[view().voice.length] : narration[length] ?? wordsOf(narration);
  const place = byId(!room ? "answered" : view().menu ? "menu" : "caption");
  forgetPart(place?.id); // what is said next may be what was said before
  if (place) Object.assign(place, { hidden: false, textContent: text.replace(NAMES, "\u2068$&\u2069") });
  answer(narration.id, text, length, view().voice.available);
  if (room) post("/api/v1/voice/say", { what }).catch(() => {});
}

addEventListener("click", ({ target }) => ask(target.closest?.("[data-ask]")?.dataset.ask));

/** Whether a pressed key is meant for the page: it stands alone, and is not typed in a field. */
export function freeKey(event) {
  const modified = event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.defaultPrevented;
  return !event.repeat && !modified && !event.target.closest?.("input, select, textarea, [contenteditable]");
}

/** Single keys that ask can be changed and switched off at each device; "?" lists all, but not at the table's screen. */
addEventListener("keydown", (event) => {
  const { on, panel: _, ...all } = listener.keys;
  if (!on || !freeKey(event)) return;
  if (event.key === "?" && !room) location.assign("/keys");
  const [what] = Object.entries(all).find(([, key]) => key && key === event.key.toLowerCase()) ?? [];
  if (!what) return;
  event.preventDefault();
  ask(what);
});
