// The page of the voice: each choice is kept at once and can be heard.
import { post } from "./api.js";
import { say } from "./announce.js";
import { byId } from "./dom.js";
import { answer, listener, soundOf } from "./ear.js";
import { keepKeys, keys } from "./keys.js";
import { t } from "./language.js";
import { attempt, listen, view } from "./shell.js";

const TICKED = new Set(["earcons", "tones", "muted"]);
const NUMBERS = new Set(["rate", "volume"]);

/** What a form holds, in the JSON form of the API. */
function chosen(form) {
  const fields = [...form.elements].filter((one) => one.name && !["token", "tap", "whose"].includes(one.name));
  return Object.fromEntries(fields.map((one) => [one.name,
    TICKED.has(one.name) ? one.checked : NUMBERS.has(one.name) ? Number(one.value) : one.value]));
}

function keepAtOnce(form, path, after = () => {}) {
  form.addEventListener("change", () => attempt(async () => {
    const kept = await post(path, chosen(form));
    after(kept);
    say(t("Kept."));
  }, form.querySelector("[data-error]")));
}

keepAtOnce(byId("mine"), "/api/v1/listener", (kept) => {
  Object.assign(listener, kept);
  const sample = byId("sample");
  if (sample) sample.src = soundOf(view?.narration?.id ?? "pools");
});
keepAtOnce(byId("room-form"), "/api/v1/voice");

byId("try").hidden = false;
byId("try").addEventListener("click", () => {
  const told = view?.narration ?? view?.pools_told;
  if (!told) return;
  if (listener.ear === "off") void new Audio(soundOf(told.id)).play().catch(() => say(told[listener.length]));
  else answer(told.id, told[listener.length], listener.length, view.voice.available);
});

const form = byId("keys-form");
byId("keys").hidden = false;
for (const [name, value] of Object.entries(keys())) {
  const field = form.elements[name];
  if (typeof value === "boolean") field.checked = value;
  else field.value = value.toUpperCase();
}
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", () => {
  const wanted = Object.fromEntries(Object.keys(keys()).map((name) => {
    const field = form.elements[name];
    return [name, field.type === "checkbox" ? field.checked : field.value.trim().toLowerCase()];
  }));
  const letters = Object.values(wanted).filter((one) => typeof one === "string" && one);
  const error = form.querySelector("[data-error]");
  error.hidden = new Set(letters).size === letters.length;
  error.textContent = error.hidden ? "" : t("Each needs a key of its own.");
  if (error.hidden) keepKeys(wanted);
  say(error.hidden ? t("Kept.") : error.textContent);
});

listen({});
