// What player and gamemaster both do at a table: answer questions, enter and correct dice, take options, undo.
import { send } from "./api.js";
import { byId, el, keyed } from "./dom.js";
import { entryForm } from "./entry.js";
import { t, term } from "./language.js";
import { mine, player } from "./me.js";
import { bringOutcome } from "./outcome.js";
import { errorLine, field, listed, optionForm, optionForms, rerollForm, valueForm } from "./options.js";
import { delivered } from "./outbox.js";
import { acted, attempt, OWN_DOING } from "./shell.js";
import { say } from "./announce.js";
import { paintUndo } from "./undo.js";

const LATER = new Set(["surge_of_activity", "use_value_against"]);

/** Sends a command; its refusal is shown beside the control in `near`. */
export function give(command, near = null) {
  return attempt(() => send(command), near?.querySelector("[data-error]") ?? byId("error"));
}

export function refuse(form, words) {
  const place = form.querySelector("[data-error]") ?? byId("error");
  place.textContent = words;
  place.hidden = false;
  say(words);
}

export function paintWork(view, role) {
  paintAnswer(view);
  paintActions(view, role);
  paintMore(view, role);
  paintUndo(view);
  bringOutcome(view, role === "player" || Date.now() - acted < OWN_DOING);
}

/** What the table waits for that somebody can answer here: dice to look at, and those to be entered. */
export function paintAnswer({ table }) {
  const place = byId("answer");
  const busy = place.contains(document.activeElement);
  const changed = keyed(place, [table.held, table.request, table.free_rolls], () => [
    table.held ? question(table) : null,
    table.request && entry(table.request, table.held !== null),
    table.request && picture(table.request),
    ...(table.request ? table.free_rolls.filter((roll) => fits(roll, table.request)).map(attach) : []),
  ]);
  if (!changed || !table.request || table.held) return;
  const late = Date.now() - delivered < OWN_DOING && !document.activeElement?.matches("input, select, textarea");
  if (busy || late || Date.now() - acted < OWN_DOING || document.activeElement?.closest("[hidden]")) place.querySelector(".entry input")?.focus();
}

function entry(request, held) {
  const { form } = entryForm(request,
    (faces) => give({ command: "enter_dice", request: request.number, faces }, form),
    (words) => refuse(form, words));
  if (!held) return form;
  return el("details", {}, el("summary", {}, t("Enter the whole throw by hand")), form);
}

/** The form for a picture of the throw; the script for it is fetched when one is awaited. */
function picture(request) {
  const place = el("div");
  import("./photograph.js").then(({ pictureForm }) => place.replaceWith(pictureForm(request)), () => { delete byId("answer").dataset.key; });
  return place;
}

/** Whether a free roll can be the throw that is awaited: still uncounted, as many dice, all of its kind. */
function fits(roll, request) {
  const right = roll.dice.every((die) => (die.kind === "d20") === (request.kind === "d20"));
  return !roll.attached && right && roll.dice.length === request.count;
}

/** What each face of a d6 that stands in for a Challenge Die counts as. */
const D6 = ["1", "2", "blank", "blank", "effect", "effect"];

function attach(roll) {
  const faces = roll.dice.map(({ kind, face }) => term(kind === "d6" && face !== null ? D6[Number(face) - 1] : String(face ?? "?"))).join(", ");
  return el("button", { type: "button", onclick: () => give({ command: "attach_free_roll", number: roll.number }) }, t("Count the free roll {faces}", { faces }));
}

/** What is asked about the dice of a held throw; the script for it is fetched when there is some. */
function question(table) {
  const place = el("section", { "aria-labelledby": "question-title" }, el("h2", { id: "question-title" }, t("Look at the dice")));
  import("./held.js").then(({ looking }) => place.append(...looking(table, give, refuse)), () => { delete byId("answer").dataset.key; });
  return place;
}

/** Whose Task is in hand, where it is not that of whoever plays on this phone: what it costs is theirs. */
function another({ task, characters }) {
  const players = characters.filter((one) => one.standing === "player");
  if (!task || task.declaration.character_id === mine(players) || players.length < 2) return "";
  return task.who;
}

function paintActions({ options, table, stage }, role) {
  const me = role === "player" ? player(table.characters) : "";
  const others = ({ command }) => me !== "" && command.command === "begin_turn" && command.combatant_id !== me;
  const offered = options.filter((one) => role === "gamemaster" || one.role !== "gamemaster").sort((one, other) => others(one) - others(other));
  const whose = role === "gamemaster" ? "" : another(table);
  const own = me && table.conflict?.turn?.combatant_id === me;
  keyed(byId("actions"), [offered, whose, own, table.task?.dice, table.challenge?.dice, table.attack?.faces], () => {
    const make = (option) => optionForm(option, give);
    const later = listed(offered).filter((one) => LATER.has(one.command.command));
    const now = listed(offered).filter((one) => !LATER.has(one.command.command));
    const again = rerollForm(offered, table, stage.dice, give, refuse);
    const inspired = later.length > 0 && el("details", {}, el("summary", {}, t("Determination now")), later.map(make));
    byId("later").replaceChildren(...now.length || again || !inspired ? [] : [inspired]); // alone it is nothing to be done now
    if (!now.length && !again) return null;
    return el("section", { "aria-labelledby": "actions-title" },
      el("h2", { id: "actions-title" }, whose ? t("What {name} can do now", { name: whose }) : t("What can be done now")), ...optionForms(now, give, own), again, inspired);
  });
}

function paintMore({ table, misread }, role) {
  const place = byId("more");
  const idle = table.ready && !table.request && !table.challenge && !table.held;
  const scored = table.task?.dice.map((one) => one.die) ?? table.challenge?.dice ?? [];
  const values = table.characters.filter((one) => role === "gamemaster" || one.standing === "player");
  keyed(place, [idle, scored, misread, values], () => [
    idle && table.ruleset !== "second-edition" && challengeForm(), (misread.places.length > 0 || misread.why_not) && correcting(scored, misread), values.length > 0 && valueForm(values, give, refuse),
  ]);
}

function challengeForm() {
  const form = el("form", { class: "card", onsubmit: (event) => {
    event.preventDefault();
    const at = (id) => form.querySelector(id).value.trim();
    give({ command: "declare_challenge", count: Number(at("#challenge-count")), label: at("#challenge-label"), who: "" }, form);
  } },
    field("challenge-count", t("How many Challenge Dice"), { type: "number", inputmode: "numeric", min: 1, max: 30, value: 3 }),
    field("challenge-label", t("What for")),
    el("button", { type: "submit" }, t("Ask for Challenge Dice")), errorLine());
  return el("details", {}, el("summary", {}, t("Challenge Dice")), form);
}

/** A die that was misread: touch it, then what it shows. Where it cannot be put right any more, why. */
function correcting(dice, { places, why_not: why }) {
  let wrong = -1;
  const pad = el("div", { class: "pad", role: "group", "aria-label": t("Faces"), hidden: true });
  const picks = dice.map((die, position) => places.includes(position) && el("button", { type: "button", "aria-pressed": "false", onclick: (event) => {
    wrong = position;
    for (const one of form.querySelectorAll(".dice-picks button")) one.setAttribute("aria-pressed", String(one === event.currentTarget));
    const faces = die.kind === "d20" ? Array.from({ length: 20 }, (_, less) => less + 1) : [1, 2, "blank", "effect"];
    pad.hidden = false;
    pad.replaceChildren(...faces.map((face) => el("button", { type: "button",
      onclick: () => give({ command: "correct_scored_die", position: wrong, face }, form) },
    el("span", { class: "unseen" }, t("Die {number} shows", { number: position + 1 }), " "), term(String(face)))));
  } }, t("Die {number}: {face}", { number: position + 1, face: term(String(die.face)) })));
  const form = el("div", { class: "card" },
    places.length > 0 && el("div", { class: "dice-picks", role: "group", "aria-label": t("Which die") }, picks), why && el("p", {}, why), pad, errorLine());
  return el("details", {}, el("summary", {}, t("A die was misread")), form);
}
