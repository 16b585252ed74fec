// A player's phone.
import { say } from "./announce.js";
import { wireDeclare } from "./declare.js";
import { byId } from "./dom.js";
import { listen, steppers, view as now } from "./shell.js";
import { paintWork, wireUndo } from "./work.js";

let sound = null;

/** The last sentence again, in words for a screen reader and, where the kiosk has a voice, as sound on this phone. */
byId("hear").addEventListener("click", () => {
  const narration = now?.narration;
  if (!narration) return;
  say(narration.full);
  sound?.pause();
  if (!now.voice.available) return;
  sound = new Audio(`/api/v1/speech/${encodeURIComponent(narration.id)}.wav?length=full`);
  sound.play().catch(() => say(narration.full));
});

steppers();
wireUndo();
const paintDeclare = wireDeclare((character) => character.standing === "player");
listen({
  sources: false,
  paint: (view) => {
    byId("hear").hidden = !view.narration;
    paintDeclare(view);
    paintWork(view, "player");
  },
});
