// The gamemaster: everything a player does, and Threat, traits, scenes, sources.
import { post, send } from "./api.js";
import { wireAsking } from "./ask.js";
import "./app.js";
import { byId } from "./dom.js";
import { place } from "./forms.js";
import { shut } from "./fresh.js";
import { awaits } from "./photograph.js";
import { bringOutcome } from "./outcome.js";
import { acted, attempt, listen, OWN_DOING, view as now } from "./shell.js";
import { t } from "./language.js";
import { hide, lookForHidden } from "./hidden.js";

/** Sends a command; its refusal is shown in `near`. */
const give = (command, near = null) => attempt(() => send(command), near?.querySelector("[data-error]") ?? byId("error"));

for (const button of document.querySelectorAll("[data-pool]")) {
  button.hidden = false;
  button.addEventListener("click", () => give({ command: "adjust_pool", pool: button.dataset.pool, change: Number(button.dataset.change) }));
}
for (const button of document.querySelectorAll("[data-throw]")) {
  button.hidden = false;
  button.addEventListener("click", () => attempt(() => post("/api/v1/demo/throw", { where: button.dataset.throw })));
}
byId("look").addEventListener("click", () => {
  const picture = byId("camera-picture");
  picture.onload = () => { byId("camera").hidden = false; };
  picture.onerror = () => attempt(() => { throw new Error(t("The camera has no picture now.")); });
  picture.src = `/api/v1/camera.jpg?${Date.now()}`;
});

/** The room's speaker: how much it says, and whether it is silent; kept by the kiosk for every evening. */
function choose(wanted) {
  return attempt(() => post("/api/v1/voice", wanted), byId("voice").querySelector("[data-error]"));
}
byId("voice-length").addEventListener("change", (event) => choose({ length: event.target.value }));
byId("mute").addEventListener("click", () => choose({ muted: byId("mute").getAttribute("aria-pressed") !== "true" }));

function paintVoice({ voice }) {
  byId("voice").hidden = !voice.available;
  byId("mute").setAttribute("aria-pressed", String(voice.muted));
  if (document.activeElement !== byId("voice-length")) byId("voice-length").value = voice.length;
}

document.addEventListener("submit", (event) => {
  const declaration = event.submitter?.dataset.hide;
  if (!declaration) return;
  event.preventDefault();
  event.stopImmediatePropagation(); // nothing of it is sent where all see it
  void hide({ action: "declare", declaration: JSON.parse(declaration) }, event.target).then(shut);
}, true);

/** The camera's eye: closed at once, seen by all, until somebody opens it. */
byId("camera-switch").addEventListener("click", () => {
  const running = byId("camera-switch").dataset.running !== "true";
  return attempt(() => post("/api/v1/camera", { running }));
});

function paintCamera(sources) {
  const camera = sources.find((one) => one.source === "camera");
  const there = camera !== undefined && !(camera.state === "off" && byId("camera-switch").dataset.there !== "true");
  const running = camera?.state !== "off";
  byId("camera-switch").hidden = !there;
  byId("camera-switch").dataset.running = String(running);
  byId("camera-switch").textContent = running ? t("Stop the camera") : t("Start the camera again");
}

wireAsking(() => now);
listen({
  page: "gm",
  onParts: place,
  onHidden: lookForHidden,
  paint: (view) => {
    paintVoice(view);
    paintCamera(view.sources);
    awaits(view.table.request?.number ?? 0);
    bringOutcome(view, Date.now() - acted < OWN_DOING);
    byId("look").hidden = !view.sources.some((one) => one.source === "camera" && one.state === "ready");
  },
});
