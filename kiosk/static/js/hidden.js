// The gamemaster's hidden rolls: asked for and kept apart from the table's own view, so that nothing of them is shown or
// said anywhere else.
import { key, post } from "./api.js";
import { say } from "./announce.js";
import { byId, el, keyed } from "./dom.js";
import { entryForm } from "./entry.js";
import { t, term } from "./language.js";
import { errorLine } from "./options.js";
import { LONGEST, UNSURE } from "./outbox.js";
import { attempt } from "./shell.js";
import { refuse } from "./work.js";

/** The key of each step whose answer is still open, so that whoever presses again asks for the same step again. */
const open = new Map();
let painted = 0;

async function paint({ rolls }) {
  painted += 1;
  const mine = painted;
  const stages = rolls.length ? await shown() : {};
  if (mine !== painted) return;
  const place = byId("hidden");
  const places = rolls.map(({ roll_id: id }) => place.querySelector(`[data-roll="${CSS.escape(id)}"]`) ?? el("div", { "data-roll": id }));
  keyed(place, rolls.map((one) => one.roll_id), () => rolls.length > 0 && el("section", { "aria-labelledby": "hidden-title" },
    el("h2", { id: "hidden-title" }, t("Hidden: only you see this")), places));
  rolls.forEach((one, number) => keyed(places[number], [one, stages[one.roll_id]], () => roll(one, stages[one.roll_id] ?? "")));
}

/** The stage of each roll as the server renders it, HTML by the roll's id. */
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
    await paint(found);
    attend(found.rolls.find((one) => one.roll_id === change.roll_id) ?? (change.action === "declare" && found.rolls.at(-1)));
  }, near?.querySelector("[data-error]") ?? byId("error"));
}

/** Leads on to what a roll asks for now, or to what it came to. */
function attend(found) {
  if (!found) return;
  const place = byId("hidden").querySelector(`[data-roll="${CSS.escape(found.roll_id)}"]`);
  (place.querySelector(".entry input") ?? place.querySelector(".stage"))?.focus();
  say(t("Hidden roll {number}: {what}", { number: found.roll_id, what: found.waits_for ? found.stage.word : found.said || found.stage.word }));
}

function roll({ roll_id: id, said, waits_for: count, faces }, stage) {
  const own = el("template");
  own.innerHTML = stage;
  const card = el("div", { class: "card hidden-roll" }, own.content, said && el("p", { class: "note" }, said), errorLine());
  if (count) {
    const { form } = entryForm({ kind: "d20", count, number: `hidden-${id}` },
      (entered) => hide({ action: "enter", roll_id: id, faces: entered }, form), (words) => refuse(form, words));
    card.append(form);
  } else {
    card.append(el("button", { type: "button", class: "main-action", onclick: () => hide({ action: "show", roll_id: id }, card) }, t("Show it to all")));
    if (faces.length) card.append(el("p", { class: "note" }, t("Dice as entered: {faces}.", { faces: faces.map((face) => term(String(face))).join(", ") })));
  }
  card.append(el("button", { type: "button", onclick: () => hide({ action: "drop", roll_id: id }, card) }, t("Forget hidden roll {number}", { number: id })));
  return card;
}

/** Fetches them: at the start, and whenever this or another device of the gamemaster has changed one. */
export async function lookForHidden() {
  const before = painted;
  try {
    const answer = await fetch("/api/v1/hidden", { cache: "no-store" });
    const found = answer.ok ? await answer.json() : null;
    if (found && painted === before) await paint(found);
    else if (found) void lookForHidden(); // something else was painted meanwhile, older or newer than this
  } catch { /* the connection says so itself */ }
}
