// What is legal now, each with its price, and what may still be said about it. The twin of kiosk/option_fields.py.
import { el } from "./dom.js";

const TEXTS = {
  make_spend: { note: "Note" },
  take_complication: { name: "What the Complication is" },
  make_it_so: { advantage: "The Advantage" },
  use_value_against: { complication: "The Complication" },
  reroll_dice: { value: "Value cited" },
};

export function cost(price) {
  return [
    price.momentum && `${price.momentum} Momentum${price.threat_allowed ? " or Threat" : ""}`,
    price.threat && `${price.threat} Threat`,
    price.determination && `${price.determination} Determination`,
  ].filter(Boolean).join(" and ");
}

function diceOf(command, table) {
  if (command.command === "reroll_challenge") return (table.challenge?.dice ?? []).map((die, position) => ({ position, face: die.face }));
  return (table.task?.dice ?? []).map((one, position) => ({ position, face: one.die.face, fixed: one.die.fixed })).filter((one) => !one.fixed);
}

/** One option as a form; `send(command)` is called with what was chosen, `refuse(words)` where no die was. */
export function optionForm(option, table, send, refuse) {
  const { command, price } = option;
  const name = (field) => `option-${option.option_id}-${field}`;
  const fields = Object.entries(TEXTS[command.command] ?? {}).filter(([field]) => field in command).map(([field, label]) =>
    el("div", { class: "field", "data-needed": command.command === "make_it_so" || command.command === "use_value_against" ? "" : null }, el("label", { for: name(field) }, label),
      el("input", { id: name(field), name: field, type: "text", maxlength: 200, autocomplete: "off", value: command[field] ?? "" })));
  if (price.threat_allowed && price.momentum && "threat_part" in command) {
    fields.push(el("div", { class: "field" }, el("label", { for: name("threat") }, "Points of it as Threat"),
      el("input", { id: name("threat"), name: "threat_part", type: "number", inputmode: "numeric", min: 0, max: price.momentum, value: command.threat_part })));
  }
  if ("positions" in command) {
    const chosen = (event) => event.currentTarget.setAttribute("aria-pressed", String(event.currentTarget.getAttribute("aria-pressed") !== "true"));
    fields.push(el("div", { class: "dice-picks", "data-needed": "", role: "group", "aria-label": "Which dice" }, diceOf(command, table).map((die) =>
      el("button", { type: "button", "aria-pressed": "false", "data-position": die.position, onclick: chosen }, `Die ${die.position + 1}: ${die.face}`))));
  }
  const words = cost(price);
  const button = el("button", { type: "submit" }, option.label, words && el("small", {}, words));
  const needed = fields.filter((field) => field.dataset.needed !== undefined);
  const spare = fields.filter((field) => field.dataset.needed === undefined);
  const form = el("form", { class: "card", onsubmit: (event) => {
    event.preventDefault();
    const made = { ...command };
    for (const field of form.elements) {
      if (field.name === "threat_part") made.threat_part = Number(field.value || 0);
      else if (field.name) made[field.name] = field.value.trim();
    }
    if ("positions" in made) {
      made.positions = [...form.querySelectorAll("[aria-pressed=true]")].map((one) => Number(one.dataset.position));
      if (!made.positions.length) return refuse("Choose at least one die to throw again.");
    }
    return send(made);
  } }, needed.length > 0 && el("h3", {}, option.label), ...needed, button,
    spare.length > 0 && el("details", {}, el("summary", {}, "Say more"), ...spare));
  return form;
}
