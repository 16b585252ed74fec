// What a choice makes of the chances: beside its field, or on a button that makes it. For every form that declares a Task.
import { el } from "./dom.js";
import { t, tn } from "./language.js";

const ROWS = [1, 2, 3];

export function percent(chance) {
  return t("{percent} %", { percent: Math.round(100 * chance) });
}

/** A price in words; the templates have theirs from kiosk/views/option_fields.py. */
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

/** Why the chances cannot be told, for a person: nothing was sent that could count. */
export function untold(error) {
  return error.status === 0 ? t("The chances are not known now: the kiosk does not answer.") : error.message;
}

/** The chance of ticking a box, or of taking its tick away, beside it; with null none. */
export function beside(input, chance) {
  const label = input.closest("label");
  const small = label.querySelector(".chance") ?? label.appendChild(el("small", { class: "chance" }));
  small.textContent = chance === null ? "" : percent(chance);
}

/** Buttons for choices, each made once and kept, so that the focus stays where it is; `choose(choice)` when one is touched. */
export function choiceButtons(choose) {
  const buttons = new Map();
  const used = new Set();
  return {
    /** Shows a choice in `place` as `words`, with its chance and, of dice, their price. */
    show(place, key, choice, { words, pressed, label = null }) {
      if (!buttons.has(key)) {
        const made = el("button", { type: "button" }, el("span", {}), el("small", {}), el("small", { class: "price" }));
        made.addEventListener("click", () => choose(made.choice));
        buttons.set(key, made);
      }
      const made = buttons.get(key);
      if (made.parentElement !== place) place.append(made);
      made.choice = choice;
      made.setAttribute("aria-pressed", String(pressed));
      made.firstChild.textContent = words;
      made.children[1].textContent = percent(choice.chance);
      made.lastChild.textContent = ofDice(choice) ? cost(choice.price) : "";
      if (label) made.setAttribute("aria-label", label);
      used.add(key);
    },
    /** Leaves the choices and takes away their chances: what they were worked out for has changed. */
    forget() {
      for (const made of buttons.values()) {
        made.children[1].textContent = "";
        made.removeAttribute("aria-label");
      }
    },
    /** Takes away what was not shown since the last time. */
    done() {
      for (const [key, made] of buttons) if (!used.has(key)) { made.remove(); buttons.delete(key); }
      used.clear();
    },
  };
}

const ofDice = ({ field }) => field === "dice" || field === "determination";
const ofPool = (one) => one.payer !== "determination";

/** So many bought dice: those that are chosen already stay as they are paid, what is missing is paid as `offered`. */
function someOf(chosen, offered, count) {
  let left = count;
  const kept = chosen.filter((one) => {
    if (!ofPool(one)) return true;
    left -= 1;
    return left >= 0;
  });
  return [...kept, ...offered.filter(ofPool).slice(chosen.filter(ofPool).length, count)];
}

export function setPurchases(form, { purchases, value }) {
  ROWS.forEach((row, place) => {
    form.elements[`purchase${row}`].value = purchases[place]?.payer ?? "";
    form.elements[`threat_part${row}`].value = String(purchases[place]?.threat_part ?? 0);
  });
  if (form.elements.value) form.elements.value.value = value;
}

/** Chooses so many dice, or one of Determination, in a form that now has `now` in it. */
export function chooseDice(form, { field, value, declaration }, now) {
  if (field === "dice") return setPurchases(form, { purchases: someOf(now.purchases, declaration.purchases, Number(value)), value: now.value });
  const point = declaration.purchases.filter((one) => !ofPool(one));
  const purchases = [...point, ...now.purchases.filter(ofPool)];
  return setPurchases(form, { purchases, value: point.length ? now.value || declaration.value : "" });
}

/** Shows a choice of dice; what is chosen already of Determination is offered to be taken back, and the other way round. */
export function showDice(buttons, place, choice, now) {
  const { field, value, declaration } = choice;
  const has = now.purchases.some((one) => !ofPool(one));
  if (field === "dice") {
    const words = tn(Number(value), "{number} bonus die", "{number} bonus dice");
    buttons.show(place, `dice/${value}`, choice, { words, pressed: declaration.purchases.length === now.purchases.length });
  } else if ((value === "yes") !== has) buttons.show(place, field, choice, { words: t("Determination"), pressed: has });
}
