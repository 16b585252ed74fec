// What is legal now, each with its price, and what may still be said about it. The twin of kiosk/views/option_fields.py.
import { die, el } from "./dom.js";
import { t, term } from "./language.js";

/** Commands that have a form of their own, beside the dice they are about. */
const OF_CHALLENGE = new Set(["reroll_challenge", "reroll_damage", "reroll_ship_damage"]);
const ELSEWHERE = new Set([...OF_CHALLENGE, "reroll_dice", "correct_die", "drop_die", "dismiss_throw", "attach_free_roll"]);
const REASONS = {
  inspiration: t("Inspiration: 1 Determination, and a Value"),
  aim: t("Aim: one die"),
  accurate_aim: t("Aim with an Accurate weapon"),
  ship_system: t("The ship's systems: one die"),
};
/** The label of the words without which an option cannot be taken; only Create Advantage has such. */
const ADVANTAGE = t("What the Advantage is");
const TEXTS = {
  make_spend: { note: t("Note") },
  take_complication: { name: t("What the Complication is") },
  avoid_injury: { complication: t("What the Complication is") },
};

/** An Injury avoided for points has no Complication, and a Complication that is taken away needs no words. */
function textsOf(command) {
  const wordless = (command.command === "avoid_injury" && command.how !== "complication") || (command.command === "make_spend" && command.trait_id);
  return wordless ? {} : TEXTS[command.command] ?? {};
}

const once = (words) => [...new Set(words)];

/** The options of the list: what an attack goes on to first, what ends the spending after what Momentum pays for, and what adds to Threat last. */
export function listed(options) {
  return options.filter((one) => !ELSEWHERE.has(one.command.command)).sort((one, other) => place(one) - place(other));
}

function place({ command, price }) {
  if (command.command === "follow_through") return -1;
  if (price.threat && !price.threat_spent) return 2;
  return command.command === "finish_spending" ? 1 : 0;
}

export function cost(price) {
  return [
    price.momentum && (price.threat_allowed && !price.threat
      ? t("{number} Momentum or Threat", { number: price.momentum })
      : t("{number} Momentum", { number: price.momentum })),
    price.threat && (price.threat_spent
      ? t("{number} Threat", { number: price.threat })
      : t("{number} Threat added", { number: price.threat })),
    price.determination && t("{number} Determination", { number: price.determination }),
  ].filter(Boolean).join(", ");
}

export function field(id, label, attributes = {}) {
  return el("div", { class: "field" }, el("label", { for: id }, label), el("input", { id, type: "text", maxlength: 200, autocomplete: "off", ...attributes }));
}

export function choice(id, label, options) {
  return el("div", { class: "field" }, el("label", { for: id }, label),
    el("select", { id, name: id }, options.map(([value, words]) => el("option", { value }, words))));
}

export function errorLine() {
  return el("p", { class: "error", "data-error": true, hidden: true });
}

/** Choices of one kind, one for each person it may be about, that are folded into one. */
const FOLDS = [
  [(command) => command.command === "keep_initiative", t("Keep the Initiative")],
];

/** The options as forms; what there is one of for each person is folded into one choice. `own`: whoever has the Turn looks. */
export function optionForms(options, send, own) {
  const forms = (some) => el("div", { class: "options" }, some.map((one) => optionForm(one, send, own)));
  const folds = FOLDS.map(([fits, words]) => [options.filter((one) => fits(one.command)), words]).filter(([some]) => some.length > 1);
  const folded = new Set(folds.flatMap(([some]) => some));
  return [forms(options.filter((one) => !folded.has(one))),
    ...folds.map(([some, words]) => el("details", {}, el("summary", {}, words), forms(some)))];
}

/** One option as a form; `send(command, form)` is called with what was chosen. */
export function optionForm(option, send, own = false) {
  const { command, price } = option;
  const shown = (own && option.own_label) || option.label;
  const [needed, fields] = [[], []];
  for (const [name, label] of Object.entries(textsOf(command))) {
    const required = name === option.asks_for;
    (required ? needed : fields).push(field(`option-${option.option_id}-${name}`, required ? ADVANTAGE : label, { name, required, value: command[name] }));
  }
  if (price.threat_allowed && price.momentum > 1 && "threat_part" in command) {
    fields.push(field(`option-${option.option_id}-threat`, t("Points of it as Threat"),
      { name: "threat_part", type: "number", inputmode: "numeric",
        min: command.threat_part, max: command.threat_part + price.momentum, value: command.threat_part }));
  }
  const words = cost(price);
  const form = el("form", { class: fields.length || needed.length ? "card" : "option", onsubmit: (event) => {
    event.preventDefault();
    const made = { ...command };
    for (const one of form.querySelectorAll("input")) made[one.name] = one.name === "threat_part" ? Number(one.value || 0) : one.value.trim();
    return send(made, form);
  } },
    needed,
    el("button", { type: "submit", "aria-label": words ? t("{label}, {price}", { label: shown, price: words }) : null },
      shown, words && el("small", {}, words)),
    fields.length > 0 && el("details", {}, el("summary", {}, t("Say more")), fields), errorLine());
  return form;
}

/** A die's number and face, and what it came to where that is written beside it; a Challenge Die's words say both. */
function dieName(number, face, state, challenge) {
  if (challenge && state) return t("Die {number}: {face}", { number, face: state });
  return state ? t("Die {number}: {face}, {state}", { number, face, state }) : t("Die {number}: {face}", { number, face });
}

/**
 * The dice as they lie, to be touched: those touched are thrown again, the others stay. One button for each reason, with
 * its price. `drawn` are the dice of the stage, in the same order. Null where nothing may be thrown again.
 */
export function rerollForm(options, table, drawn, send, refuse) {
  const commands = options.map((one) => one.command);
  const priced = options.find((one) => OF_CHALLENGE.has(one.command.command));
  const challenge = priced?.command.command;
  const offered = commands.filter((one) => one.command === "reroll_dice");
  if (!challenge && !offered.length) return null;
  const faces = challenge === "reroll_challenge" ? table.challenge.dice.map((one) => one.face) : table.attack?.faces;
  const places = challenge ? faces.map((_, place) => place) : once(offered.flatMap((one) => one.positions)).sort((a, b) => a - b);
  const faceAt = (place) => (challenge ? faces[place] : table.task.dice[place].die.face);
  const values = once(offered.map((one) => one.value)).filter(Boolean);
  const reasons = once(offered.map((one) => one.reason));
  const toggle = (event) => event.currentTarget.setAttribute("aria-pressed", String(event.currentTarget.getAttribute("aria-pressed") !== "true"));
  const throwAgain = (reason, words) => el("button", { type: "button", onclick: () => {
    const positions = [...form.querySelectorAll("[aria-pressed=true]")].map((one) => Number(one.dataset.position));
    if (!positions.length) return refuse(form, t("Touch at least one die to throw again."));
    if (!reason) return send({ command: challenge, positions }, form);
    const value = reason === "inspiration" ? form.querySelector("#again-value")?.value ?? "" : "";
    return send({ command: "reroll_dice", positions, reason, value }, form);
  } }, t("Throw these again"), el("small", {}, words));
  const form = el("div", { class: "card again" },
    el("p", {}, t("Touch the dice to throw again; the others stay.")),
    el("div", { class: "dice-picks", role: "group", "aria-label": t("Which dice; the others stay") }, places.map((place) =>
      el("button", { type: "button", "aria-pressed": "false", "data-position": place, onclick: toggle,
        "aria-label": dieName(place + 1, term(String(faceAt(place))), drawn[place]?.words ?? "", challenge) },
      drawn[place] && die(drawn[place]), drawn[place]?.words && el("span", {}, drawn[place].words)))),
    values.length > 0 && choice("again-value", t("Value cited"), values.map((value) => [value, value])),
    challenge ? throwAgain("", cost(priced.price)) : reasons.map((reason) => throwAgain(reason, REASONS[reason])), errorLine());
  return form;
}

/** A Value that helps or hinders: Make It So, or a Complication for Determination. Null where no Value stands. */
export function valueForm(characters, send, refuse) {
  const cited = characters.flatMap((one) => one.values.filter((value) => !value.struck).map((value) => [one.character_id, value.text, one.name]));
  if (!cited.length) return null;
  const form = el("form", { class: "card", onsubmit: (event) => {
    event.preventDefault();
    const [character, value] = cited[Number(form.querySelector("#value-cited").value)];
    const what = form.querySelector("#value-what").value.trim();
    if (!what) return refuse(form, t("Say what the Advantage or the Complication is."));
    const made = { character_id: character, value };
    return send(form.querySelector("#value-use").value === "make_it_so"
      ? { command: "make_it_so", ...made, advantage: what }
      : { command: "use_value_against", ...made, action: "accept_complication", complication: what }, form);
  } },
    choice("value-cited", t("Whose Value"), cited.map(([, text, name], place) => [place, `${name}: ${text}`])),
    choice("value-use", t("What for"), [["make_it_so", t("Make It So: an Advantage at once, for 1 Determination")],
      ["accept", t("The Value gets in the way: a Complication, 1 Determination back")]]),
    field("value-what", t("The Advantage or the Complication")),
    el("button", { type: "submit" }, t("Use the Value")), errorLine());
  return el("details", {}, el("summary", {}, t("Values and Determination")), form);
}
