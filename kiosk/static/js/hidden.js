// The gamemaster's hidden rolls: asked for and kept apart from the table's own view, so that nothing of them is shown or
// said anywhere else.
import { key, post } from "./api.js";
import { say } from "./announce.js";
import { byId } from "./dom.js";
import { whyNot, wireEntry } from "./entry.js";
import { refuse } from "./forms.js";
import { t } from "./language.js";
import { LONGEST, UNSURE } from "./outbox.js";
import { placeParts } from "./parts.js";
import { attempt } from "./shell.js";

/** The key of each step whose answer is still open, so that whoever presses again asks for the same step again. */
const open = new Map();
let painted = 0;

async function paint() {
  painted += 1;
  const mine = painted;
  const parts = await shown();
  if (mine !== painted) return;
  await placeParts(parts);
  wireEntry(byId("hidden"));
}

/** The rolls as the server renders them: the part of the page by its id. */
async function shown() {
  const answer = await fetch(`/parts/hidden?language=${document.documentElement.lang}`, { cache: "no-store" });
  return answer.ok ? answer.json() : {};
}

/** One step of a hidden roll; `near` shows a refusal. What it came to is said to this device alone. */
export function hide(change, near = null) {
  const step = JSON.stringify(change);
  if (!open.has(step)) open.set(step, key());
  return attempt(async () => {
    let found;
    try {
      found = await post("/api/v1/hidden", { ...change, idempotency: open.get(step) }, { signal: AbortSignal.timeout(LONGEST) });
    } catch (error) {
      if (!UNSURE.has(error.status)) open.delete(step);
      throw error;
    }
    open.delete(step);
    await paint();
    attend(found.rolls.find((one) => one.roll_id === change.roll_id) ?? (change.action === "declare" && found.rolls.at(-1)));
  }, near?.querySelector("[data-error]") ?? byId("error"));
}

/** Leads on to what a roll asks for now, or to what it came to. */
function attend(found) {
  if (!found) return;
  const place = byId(`hidden-${found.roll_id}`);
  (place.querySelector(".entry input") ?? place.querySelector(".stage"))?.focus();
  say(t("Hidden roll {number}: {what}", { number: found.roll_id, what: found.waits_for ? found.stage.word : found.said || found.stage.word }));
}

byId("hidden").addEventListener("submit", (event) => {
  const form = event.target;
  event.preventDefault();
  const why = whyNot(form);
  if (why) return void refuse(form, why);
  const faces = [...form.querySelectorAll(".entry input")].map((field) => Number(field.value));
  void hide({ action: form.dataset.hidden, roll_id: form.dataset.roll, ...(faces.length ? { faces } : {}) }, form);
});

/** Fetches them: at the start, and whenever this or another device of the gamemaster has changed one. */
export async function lookForHidden() {
  const before = painted;
  try {
    const answer = await fetch("/api/v1/hidden", { cache: "no-store" });
    const found = answer.ok ? await answer.json() : null;
    if (found && painted === before) await paint();
    else if (found) void lookForHidden(); // something else was painted meanwhile, older or newer than this
  } catch { /* the connection says so itself */ }
}
