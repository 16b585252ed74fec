// The chance beside every choice in a declaration, and one-tap choices for Difficulty, dice and help.
import { post } from "./api.js";
import { beside, choiceButtons, chooseDice, percent, setPurchases, showDice } from "./chances.js";
import { el } from "./dom.js";
import { t } from "./language.js";

const ROWS = [1, 2, 3];

/** The numbers of the helpers' rows, of which there is always one more than helpers. */
export function helperRows(form) {
  return [...form.querySelectorAll("[data-helper]")].map((one) => Number(one.dataset.helper));
}

/** Makes room for so many helpers, and one more. */
export function makeRoom(form, helpers) {
  for (let row = helperRows(form).length + 1; row <= helpers + 1; row += 1) {
    const last = form.querySelector(`[data-helper="${row - 1}"]`);
    const made = last.cloneNode(true);
    made.dataset.helper = row;
    made.querySelector("legend").textContent = t("Helper {number}", { number: row });
    for (const one of made.querySelectorAll("[id], [name], [for]")) {
      for (const name of ["id", "name", "for"]) if (one.hasAttribute(name)) one.setAttribute(name, one.getAttribute(name).replace(/[0-9]+$/, row));
    }
    const [who] = made.querySelectorAll("select");
    who.value = "";
    delete who.dataset.key;
    made.querySelector("input").checked = false;
    last.after(made);
  }
}

function setHelpers(form, assists) {
  makeRoom(form, assists.length);
  helperRows(form).forEach((row, place) => {
    const help = assists[place];
    form.elements[`assist${row}`].value = help?.character_id ?? "";
    if (help) {
      form.elements[`assist_attribute${row}`].value = help.attribute;
      form.elements[`assist_discipline${row}`].value = help.discipline;
    }
    form.elements[`assist_focus${row}`].checked = help?.focus ?? false;
  });
}

function setShip(form, ship) {
  form.elements.ship.value = ship?.ship_id ?? "";
  if (!ship) return;
  form.elements.system.value = ship.system;
  form.elements.department.value = ship.department;
}

/**
 * Makes one choice in the form and leaves all else as it is there now: `declaration` was worked out from what stood there
 * before, and somebody may have chosen more since.
 */
function choose(form, choice, now) {
  const { field, value, declaration } = choice;
  if (field === "difficulty") form.elements.difficulty.value = value;
  else if (field === "ship") setShip(form, declaration.ship);
  else if (field === "help") {
    const others = now.assists.filter((one) => one.character_id !== value);
    setHelpers(form, others.length < now.assists.length ? others : [...others, ...declaration.assists.filter((one) => one.character_id === value)]);
  } else chooseDice(form, choice, now);
  form.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Puts a declaration into the form, field by field, as if a person had chosen it. */
export function loadDeclaration(form, declared) {
  const set = (name, value) => { if (form.elements[name]) form.elements[name].value = value; };
  const tick = (name, on) => { if (form.elements[name]) form.elements[name].checked = on; };
  for (const name of ["character_id", "attribute", "discipline", "label"]) set(name, declared[name]);
  set("difficulty", String(declared.difficulty));
  set("complication_range", String(declared.complication_range));
  for (const name of ["focus", "rolled", "may_succeed_at_cost", "opposed"]) tick(name, declared[name]);
  for (const reason of ["aim", "accurate_aim", "ship_system"]) tick(`rerolls_${reason}`, declared.rerolls.includes(reason));
  ROWS.forEach((row, place) => {
    set(`reason${row}`, declared.modifiers[place]?.reason ?? "");
    set(`change${row}`, String(declared.modifiers[place]?.change ?? 0));
  });
  setPurchases(form, declared);
  setHelpers(form, declared.assists);
  setShip(form, declared.ship);
  form.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Makes the chances live; returns `ask(declaration, table)`, to be called when anything has changed. `read()` gives the
 * declaration that stands in the form.
 */
export function wireChoosing(form, read) {
  const before = form.querySelector(".stepper:has(#difficulty)");
  const rows = {
    difficulty: row(t("Each Difficulty and its chance")),
    dice: row(t("Dice and help, and their chance")),
  };
  const buttons = choiceButtons((choice) => choose(form, choice, read()));
  before.after(rows.difficulty, rows.dice);
  let asking = null;

  function row(label) {
    return el("div", { class: "quick", role: "group", "aria-label": label, hidden: true });
  }

  /** Who would help, by the name they have at the table, and whether they do so already. */
  function help({ field, value, declaration }, now, table) {
    const name = [...table.characters, ...table.ships].find((one) => (one.character_id ?? one.ship_id) === value)?.name;
    const pressed = field === "help" ? now.assists.some((one) => one.character_id === value) : now.ship?.ship_id === value;
    return { words: declaration && name ? t("{name} helps", { name }) : value, pressed };
  }

  return async function ask(now, table) {
    asking?.abort();
    asking = new AbortController();
    let answer;
    try {
      answer = await post("/api/v1/odds/choices", now, { signal: asking.signal });
    } catch (error) {
      if (error.name === "AbortError") return;
      for (const one of form.querySelectorAll(".chance")) one.textContent = "";
      buttons.forget(); // `#odds` says what is wrong with it
      return;
    }
    for (const one of answer.choices) {
      const { field, value, chance } = one;
      if (field === "attribute" || field === "discipline") beside(form.querySelector(`input[name=${field}][value=${value}]`), chance);
      else if (field === "focus") { if ((value === "yes") !== now.focus) beside(form.elements.focus, chance); }
      else if (field === "difficulty") {
        buttons.show(rows.difficulty, `${field}/${value}`, one, { words: value, pressed: now.difficulty === Number(value),
          label: t("Difficulty {difficulty}: {chance}", { difficulty: value, chance: percent(chance) }) });
      } else if (field === "help" || field === "ship") buttons.show(rows.dice, `${field}/${value}`, one, help(one, now, table));
      else showDice(buttons, rows.dice, one, now);
    }
    buttons.done();
    for (const place of Object.values(rows)) place.hidden = !place.childElementCount;
  };
}
