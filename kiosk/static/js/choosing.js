// The chance beside every choice in a declaration, and one-tap choices for Difficulty, dice and help.
import { post } from "./api.js";
import { el } from "./dom.js";
import { t, tn } from "./language.js";
import { percent } from "./presets.js";

const ROWS = [1, 2, 3];

/** Puts a declaration into the form, field by field, as if a person had chosen it. */
export function loadDeclaration(form, declared) {
  const set = (name, value) => { if (form.elements[name]) form.elements[name].value = value; };
  const tick = (name, on) => { if (form.elements[name]) form.elements[name].checked = on; };
  for (const name of ["character_id", "attribute", "discipline", "label", "value"]) set(name, declared[name]);
  set("difficulty", String(declared.difficulty));
  set("complication_range", String(declared.complication_range));
  for (const name of ["focus", "rolled", "may_succeed_at_cost", "opposed"]) tick(name, declared[name]);
  for (const reason of ["aim", "accurate_aim", "ship_system"]) tick(`rerolls_${reason}`, declared.rerolls.includes(reason));
  ROWS.forEach((row, place) => {
    const [modifier, bought, help] = [declared.modifiers[place], declared.purchases[place], declared.assists[place]];
    set(`reason${row}`, modifier?.reason ?? "");
    set(`change${row}`, String(modifier?.change ?? 0));
    set(`purchase${row}`, bought?.payer ?? "");
    set(`threat_part${row}`, String(bought?.threat_part ?? 0));
    set(`assist${row}`, help?.character_id ?? "");
    if (help) {
      set(`assist_attribute${row}`, help.attribute);
      set(`assist_discipline${row}`, help.discipline);
    }
    tick(`assist_focus${row}`, help?.focus ?? false);
  });
  set("ship", declared.ship?.ship_id ?? "");
  if (declared.ship) {
    set("system", declared.ship.system);
    set("department", declared.ship.department);
  }
  form.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Makes the chances live; returns `ask(declaration, table)`, to be called when anything has changed. */
export function wireChoosing(form) {
  const before = form.querySelector(".stepper:has(#difficulty)");
  const rows = {
    difficulty: row(t("Each Difficulty and its chance")),
    dice: row(t("Dice and help, and their chance")),
  };
  const buttons = new Map();
  before.after(rows.difficulty, rows.dice);
  let asking = null;

  function row(label) {
    return el("div", { class: "quick", role: "group", "aria-label": label, hidden: true });
  }

  /** The button for a choice: made once and kept, so that the focus stays where it is. */
  function button(place, key) {
    if (!buttons.has(key)) {
      const made = el("button", { type: "button" }, el("span", {}), el("small", {}));
      made.addEventListener("click", () => loadDeclaration(form, made.declared));
      buttons.set(key, made);
    }
    const made = buttons.get(key);
    if (made.parentElement !== place) place.append(made);
    return made;
  }

  function beside(input, chance) {
    const label = input.closest("label");
    const small = label.querySelector(".chance") ?? label.appendChild(el("small", { class: "chance" }));
    small.textContent = percent(chance);
  }

  function words({ field, value, declaration }, table) {
    const name = [...table.characters, ...table.ships].find((one) => (one.character_id ?? one.ship_id) === value)?.name;
    switch (field) {
      case "difficulty": return value;
      case "dice": return tn(Number(value), "{number} bonus die", "{number} bonus dice");
      case "determination": return t("Determination");
      default: return declaration && name ? t("{name} helps", { name }) : value;
    }
  }

  function chosen({ field, value, declaration }, now) {
    switch (field) {
      case "difficulty": return now.difficulty === Number(value);
      case "dice": return declaration.purchases.length === now.purchases.length;
      case "determination": return now.purchases.some((one) => one.payer === "determination");
      case "help": return now.assists.some((one) => one.character_id === value);
      default: return now.ship?.ship_id === value;
    }
  }

  return async function ask(now, table) {
    asking?.abort();
    asking = new AbortController();
    let answer;
    try {
      answer = await post("/api/v1/odds/choices", now, { signal: asking.signal });
    } catch {
      return; // `#odds` says what is wrong with it
    }
    const has = now.purchases.some((one) => one.payer === "determination");
    const used = new Set();
    for (const one of answer.choices) {
      const { field, value, chance } = one;
      if (field === "attribute" || field === "discipline") beside(form.querySelector(`input[name=${field}][value=${value}]`), chance);
      else if (field === "focus") { if ((value === "yes") !== now.focus) beside(form.elements.focus, chance); }
      else if (field !== "determination" || (value === "yes") !== has) {
        const key = field === "determination" ? field : `${field}/${value}`;
        const made = button(field === "difficulty" ? rows.difficulty : rows.dice, key);
        made.declared = one.declaration;
        made.setAttribute("aria-pressed", String(chosen(one, now)));
        made.firstChild.textContent = words(one, table);
        made.lastChild.textContent = percent(chance);
        if (field === "difficulty") made.setAttribute("aria-label", t("Difficulty {difficulty}: {chance}", { difficulty: value, chance: percent(chance) }));
        used.add(key);
      }
    }
    for (const [key, made] of buttons) if (!used.has(key)) { made.remove(); buttons.delete(key); }
    for (const place of Object.values(rows)) place.hidden = !place.childElementCount;
  };
}
