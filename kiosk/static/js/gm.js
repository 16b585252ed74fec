// The gamemaster: everything a player does, and Threat, traits, scenes, sources.
import { post } from "./api.js";
import { wireDeclare } from "./declare.js";
import { byId, el, keyed } from "./dom.js";
import { attempt, listen, steppers } from "./shell.js";
import { t, titled } from "./language.js";
import { give, paintWork, wireUndo } from "./work.js";

function traitWords({ name, kind, potency }) {
  if (potency > 1) return t("{name} ({kind}, potency {potency})", { name, kind: titled(kind), potency });
  return t("{name} ({kind})", { name, kind: titled(kind) });
}

function paintTraits({ traits }) {
  keyed(byId("traits"), traits, () => traits.map((trait) => el("div", { class: "row" },
    el("p", {}, traitWords(trait)),
    el("button", { type: "button", onclick: () => give({ command: "remove_trait", trait_id: trait.trait_id }) }, t("Remove {name}", { name: trait.name })))));
}

for (const form of document.querySelectorAll("form[data-command]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const command = { command: form.dataset.command };
    for (const field of form.elements) {
      if (field.name && field.name !== "token") command[field.name] = field.type === "number" ? Number(field.value || 0) : field.value.trim();
    }
    give(command, form).then((answer) => {
      if (answer) for (const field of form.querySelectorAll("input[type=text]")) field.value = "";
    });
  });
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

steppers();
wireUndo();
const paintDeclare = wireDeclare(() => true);
listen({
  paint: (view) => {
    paintDeclare(view);
    paintTraits(view.table);
    paintVoice(view);
    paintWork(view, "gamemaster");
    byId("look").hidden = !view.sources.some((one) => one.source === "camera" && one.state === "ready");
  },
});
