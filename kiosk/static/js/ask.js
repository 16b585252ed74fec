// What can be asked for at any time, by button and by key: the last outcome, more of it, the pools, whose turn it is,
// and where everybody is.
import { post } from "./api.js";
import { byId } from "./dom.js";
import { answer, listener, say, wordsOf } from "./ear.js";
import { bound } from "./keys.js";
import { t } from "./language.js";
import { attempt } from "./shell.js";

/**
 * Wires every `[data-ask]` button and the keys. `now()` is the newest view. In the `room` the kiosk's speaker answers,
 * and the words go to `show`; elsewhere this device does, and the words stand beside the buttons.
 */
export function wireAsking(now, { room = false, show = shown } = {}) {
  function ask(what) {
    const view = now();
    const narration = view?.[what === "more" ? "again_told" : `${what}_told`];
    if (!narration) return;
    const length = what === "more" ? "full" : listener.length;
    const text = room && length !== "full" ? narration[view.voice.length] : narration[length] ?? wordsOf(narration);
    show(text);
    answer(narration.id, text, length, view.voice.available);
    if (room) post("/api/v1/voice/say", { what }).catch(() => {});
  }
  for (const place of document.querySelectorAll(".ask")) place.hidden = false; // nothing answers without script
  for (const button of document.querySelectorAll("[data-hold]")) {
    button.addEventListener("click", () => attempt(async () => {
      const { held } = await post("/api/v1/hold", { held: button.getAttribute("aria-pressed") !== "true" });
      say(held ? t("The table's screen is held.") : t("The table's screen goes on."));
    }));
  }
  for (const button of document.querySelectorAll("[data-ask]")) button.addEventListener("click", () => ask(button.dataset.ask));
  addEventListener("keydown", (event) => {
    const what = bound(event);
    if (!what) return;
    event.preventDefault();
    ask(what);
  });
}

function shown(text) {
  const place = byId("answered");
  if (!place) return;
  place.hidden = false;
  place.textContent = text;
}
