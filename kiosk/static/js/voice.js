// The page of the voice: each choice is kept at once and can be heard.
import { byId } from "./dom.js";
import { answer, listener, say, soundOf } from "./ear.js";
import { t } from "./language.js";
import { view } from "./live.js";
import { attempt, listen } from "./shell.js";

/** Sends a form unchanged; the resulting page has this device's new choices. */
async function keepAtOnce(form) {
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!answer.ok) throw new Error(page.querySelector("main > .error")?.textContent ?? t("The kiosk answered {status}. Try again.", { status: answer.status }));
  Object.assign(listener, JSON.parse(page.documentElement.dataset.listener));
  if (byId("sample")) byId("sample").src = soundOf(view()?.narration?.id ?? "pools");
  say(t("Kept."));
}

for (const form of document.querySelectorAll("[data-keep]")) form.addEventListener("change", () => attempt(() => keepAtOnce(form), form.querySelector("[data-error]")));

byId("try").hidden = false;
byId("try").addEventListener("click", () => {
  const told = view()?.narration ?? view()?.pools_told;
  if (!told) return;
  if (listener.ear === "off") void new Audio(soundOf(told.id)).play().catch(() => say(told[listener.length]));
  else answer(told.id, told[listener.length], listener.length, view().voice.available);
});

listen({});
