// The declaration form with script: sent as JSON, with the exact odds and the price while it is filled in.
import { post, send } from "./api.js";
import { untold } from "./chances.js";
import { helperRows, makeRoom, wireChoosing } from "./choosing.js";
import { byId, el, keyed } from "./dom.js";
import { t, titled } from "./language.js";
import { mine, player } from "./me.js";
import { attempt, setText } from "./shell.js";

const ROWS = [1, 2, 3];
const REROLLS = ["aim", "accurate_aim", "ship_system"];

/** The declaration in the form, in the JSON form of `declare_task`. */
export function declarationOf(form) {
  const at = (name) => form.elements[name]?.value?.trim() ?? "";
  const number = (name) => Math.trunc(Number(at(name) || 0));
  const yes = (name) => Boolean(form.elements[name]?.checked);
  const difficulty = number("difficulty");
  return {
    character_id: at("character_id"),
    attribute: at("attribute"),
    discipline: at("discipline"),
    focus: yes("focus"),
    label: at("label"),
    difficulty,
    complication_range: number("complication_range"),
    rolled: yes("rolled") || difficulty > 0,
    may_succeed_at_cost: yes("may_succeed_at_cost"),
    opposed: yes("opposed"),
    rerolls: REROLLS.filter((reason) => yes(`rerolls_${reason}`)),
    value: at("value"),
    modifiers: ROWS.filter((row) => number(`change${row}`) || at(`reason${row}`)).map((row) => ({ reason: at(`reason${row}`), change: number(`change${row}`) })),
    purchases: ROWS.filter((row) => at(`purchase${row}`)).map((row) => ({
      payer: at(`purchase${row}`), threat_part: at(`purchase${row}`) === "momentum" ? number(`threat_part${row}`) : 0,
    })),
    assists: helperRows(form).filter((row) => at(`assist${row}`)).map((row) => ({
      character_id: at(`assist${row}`), attribute: at(`assist_attribute${row}`), discipline: at(`assist_discipline${row}`), focus: yes(`assist_focus${row}`),
    })),
    ship: at("ship") ? { ship_id: at("ship"), system: at("system"), department: at("department") } : null,
  };
}

/** Chooses who acts in the form, as when somebody says whose phone this is. */
export function actAs(characterId) {
  const list = byId("declare-form")?.elements.character_id;
  if (!list || ![...list.options].some((one) => one.value === characterId)) return;
  list.value = characterId;
  list.dispatchEvent(new Event("input", { bubbles: true }));
}

/** What is focused stops above the panels that stick to the bottom, however many lines they have. */
function keepClear(...panels) {
  const root = document.documentElement.style;
  const sizes = new ResizeObserver(() => {
    const sticks = getComputedStyle(panels[0]).position === "sticky";
    root.scrollPaddingBottom = sticks ? `${panels.reduce((sum, one) => sum + one.offsetHeight, 12)}px` : "";
  });
  for (const one of panels) sizes.observe(one);
}

/** Who can declare now, the expected first: characters, and crews of NPC ships. */
function declarers({ declarers: ids, table: { characters, ships } }) {
  const known = [...characters, ...ships.map(({ ship_id, name }) => ({ character_id: ship_id, name }))];
  return ids.map((id) => known.find((one) => one.character_id === id));
}

/** Whether this is the phone of whoever acts: nobody declares against themselves. */
function acts({ task, characters }) {
  return Boolean(byId("me")) && player(characters) === task.declaration.character_id;
}

/** Whether the Task in hand is over as soon as another is declared: nothing of it is to follow or to be settled. */
function makesRoom({ table: { task, agenda }, options }) {
  const follows = options.some((one) => one.command.command === "follow_through");
  return task.phase === "spending" && !task.complications_open && !agenda.length && !follows;
}

/** Makes `#declare-form` live; returns `paint(view)` that keeps its lists in step with the table. */
export function wireDeclare(isMine) {
  const form = byId("declare-form");
  if (!form) return (view) => view.table.characters.length && location.reload();
  let table = null;
  let able = [];
  let asking = null;
  let wait = 0;
  let counted = "";
  let opposing = false;
  let picked = ""; // by hand; else it is one's own character that acts
  let usual = "";

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => {
      await send({ command: "declare_task", declaration: declarationOf(form) });
      reset();
    }, form.querySelector("[data-error]"));
  });
  /** Rows of bonus dice appear one after the other; what a row does not need is out of the way. */
  function rows() {
    let open = true;
    for (const row of ROWS) {
      const payer = form.elements[`purchase${row}`].value;
      form.querySelector(`[data-purchase="${row}"]`).hidden = !open && !payer;
      form.elements[`threat_part${row}`].closest(".stepper").hidden = payer !== "momentum";
      open = payer !== "";
    }
    const determination = ROWS.some((row) => form.elements[`purchase${row}`].value === "determination");
    form.elements.value.closest(".field").hidden = !determination && !form.elements.value.value;
  }

  form.addEventListener("input", ({ target }) => {
    if (target === form.elements.character_id) picked = target.value === mine(table?.characters ?? []) ? "" : target.value;
    rows();
    helpers();
    card();
    declaring();
    clearTimeout(wait);
    wait = setTimeout(odds, 150);
  });

  /** What belongs to one Task only is cleared; character, attribute, discipline and Difficulty stay. */
  function reset() {
    for (const row of ROWS) {
      form.elements[`purchase${row}`].value = "";
      form.elements[`threat_part${row}`].value = "0";
      form.elements[`change${row}`].value = "0";
      form.elements[`reason${row}`].value = "";
    }
    for (const row of helperRows(form)) {
      form.elements[`assist${row}`].value = "";
      form.elements[`assist_focus${row}`].checked = false;
    }
    for (const name of ["label", "value", "ship"]) form.elements[name].value = "";
    for (const name of ["may_succeed_at_cost", "opposed", ...REROLLS.map((reason) => `rerolls_${reason}`)]) form.elements[name].checked = false;
    form.elements.rolled.checked = true;
    form.elements.complication_range.value = "1";
    rows();
    declaring();
    void odds();
  }

  /** Fills a list with `choices`, pairs of id and name; what was chosen stays where it is still there. */
  function fill(list, choices, empty) {
    const before = list.value;
    const changed = keyed(list, choices, () => [empty && el("option", { value: "" }, empty),
      ...choices.map(([id, name]) => el("option", { value: id }, name))]);
    if (changed && [...list.options].some((one) => one.value === before)) list.value = before;
  }

  /** Nobody helps themselves (ASST-1), or against their own side (OPP-1). One empty row is there to be filled, and as many as are filled. */
  function helpers() {
    const others = table?.characters.filter(({ character_id: id }) => id !== form.elements.character_id.value && able.includes(id)) ?? [];
    makeRoom(form, Math.min(helperRows(form).filter((row) => form.elements[`assist${row}`].value).length, others.length - 1));
    let open = true;
    for (const row of helperRows(form)) {
      const list = form.elements[`assist${row}`];
      fill(list, others.map((one) => [one.character_id, one.name]), t("Nobody"));
      list.closest("fieldset").hidden = !open && !list.value;
      open &&= Boolean(list.value);
    }
  }

  function card() {
    const one = table?.characters.find((character) => character.character_id === form.elements.character_id.value);
    const place = byId("character-card");
    place.hidden = !one;
    if (!one) return;
    const { attribute, discipline } = declarationOf(form);
    const target = one.attributes[attribute] + one.disciplines[discipline];
    place.textContent = t("Target Number {target}. Focuses: {focuses}. Determination {determination}.",
      { target, focuses: one.focuses.join(", ") || t("none"), determination: one.determination });
    for (const kind of ["attribute", "discipline"]) {
      for (const radio of form.querySelectorAll(`input[name=${kind}]`)) {
        const span = radio.nextElementSibling;
        span.dataset.word ??= span.textContent;
        const words = `${span.dataset.word} ${one[kind === "attribute" ? "attributes" : "disciplines"][radio.value]}`;
        if (span.textContent !== words) span.textContent = words;
      }
    }
    const values = one.values.filter((value) => !value.struck);
    keyed(byId("values"), values, () => values.map((value) => el("option", { value: value.text })));
  }

  /** What the button beside it would declare, though the fields have scrolled away. */
  function declaring() {
    const { character_id: id, attribute, discipline, focus, difficulty } = declarationOf(form);
    const name = form.elements.character_id.selectedOptions[0]?.text ?? "";
    const fills = { name, attribute: titled(attribute), discipline: titled(discipline), difficulty };
    setText(byId("declaring"), !name ? "" : focus
      ? t("{name}: {attribute} + {discipline}, focus, Difficulty {difficulty}", fills)
      : t("{name}: {attribute} + {discipline}, Difficulty {difficulty}", fills));
  }

  async function odds() {
    void choosing(declarationOf(form), table);
    asking?.abort();
    asking = new AbortController();
    const place = byId("odds");
    try {
      const answer = await post("/api/v1/odds", { declaration: declarationOf(form) }, { signal: asking.signal });
      bill(answer.bill);
      place.textContent = answer.words;
    } catch (error) {
      if (error.name === "AbortError") return;
      place.textContent = untold(error);
      bill({ dice: [], total: "" });
      counted = ""; // asked again with the next view
    }
  }

  /** What the chosen bonus dice would cost, each and together; the kiosk judges when the Task is declared. */
  function bill({ dice, total }) {
    const each = dice.map((price, place) => t("Bonus die {number}: {price}.", { number: place + 1, price }));
    byId("price").hidden = !dice.length;
    byId("price").textContent = [...each, dice.length > 1 && t("Together: {total}.", { total })].filter(Boolean).join(" ");
  }

  const choosing = wireChoosing(form, () => declarationOf(form));
  rows();
  keepClear(form.querySelector(".ready"), byId("undo-bar"));
  return (view) => {
    table = view.table;
    const otherSide = table.task?.phase === "awaiting_opposition" && !table.task.reactive;
    able = view.helpers;
    form.querySelector("[data-in-conflict]").hidden = !table.conflict;
    const here = declarers(view).filter(isMine);
    const own = mine(here);
    if (otherSide !== opposing) {
      opposing = otherSide;
      if (otherSide) usual = picked;
      picked = otherSide ? "" : usual;
    }
    fill(form.elements.character_id, here.map((one) => [one.character_id, one.name]), "");
    fill(form.elements.ship, table.ships.map((one) => [one.ship_id, one.name]), t("None"));
    const wanted = [picked, own, here[0]?.character_id].find((id) => here.some((one) => one.character_id === id));
    if (wanted && form.elements.character_id.value !== wanted) form.elements.character_id.value = wanted;
    helpers();
    byId("declare").hidden = !table.ready || table.request !== null || (table.task !== null && !otherSide && !makesRoom(view)) || (otherSide && !(here.length && view.may_be_plain));
    form.hidden = otherSide && acts(table);
    setText(byId("declare-title"), form.hidden ? t("The other side's Task: the gamemaster declares it, or another player") : otherSide ? t("Declare the other side's Task") : form.closest("details") ? t("Ask for a Task, or roll") : t("Declare a Task"));
    if (otherSide) byId("declare").querySelector("details.part")?.setAttribute("open", "");
    card();
    declaring();
    const { ruleset, options, characters, ships } = table;
    const counts = JSON.stringify([ruleset, options, characters, ships, form.elements.character_id.value]);
    if (byId("declare").hidden || counts === counted) return;
    counted = counts;
    void odds();
  };
}
