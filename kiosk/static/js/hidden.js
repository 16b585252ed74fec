// The gamemaster's hidden rolls: asked for and kept apart from the table's own view, so that nothing of them is shown or
// said anywhere else.
import { post } from "./api.js";
import { byId, el, keyed } from "./dom.js";
import { entryForm } from "./entry.js";
import { t, term } from "./language.js";
import { errorLine } from "./options.js";
import { attempt } from "./shell.js";
import { paintStage } from "./stage.js";
import { refuse } from "./work.js";

function paint({ rolls }) {
  keyed(byId("hidden"), rolls, () => rolls.length > 0 && el("section", { "aria-labelledby": "hidden-title" },
    el("h2", { id: "hidden-title" }, t("Hidden: only you see this")), rolls.map(roll)));
}

/** One step of a hidden roll; `near` shows a refusal. */
export function hide(change, near = null) {
  return attempt(async () => paint(await post("/api/v1/hidden", change)), near?.querySelector("[data-error]") ?? byId("error"));
}

function roll({ roll_id: id, stage, said, waits_for: count, faces }) {
  const own = el("div", { class: "stage", role: "group", "aria-label": t("Hidden roll {number}", { number: id }) });
  paintStage(own, { stage });
  const card = el("div", { class: "card hidden-roll" }, own, said && el("p", { class: "note" }, said), errorLine());
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

/** Fetches them once at the start; the gamemaster's own steps bring the rest. */
export async function wireHidden() {
  try {
    const answer = await fetch("/api/v1/hidden", { cache: "no-store" });
    if (answer.ok) paint(await answer.json());
  } catch { /* the connection says so itself */ }
}
