// The forms of actions in a conflict. The server renders them; here each shows its odds as it stands, and beside every
// choice that changes them. The rules say what a choice comes to: nothing of theirs is worked out here.
import { post, send } from "./api.js";
import { beside, choiceButtons, chooseDice, cost, percent, showDice, untold } from "./chances.js";
import { el } from "./dom.js";
import { t } from "./language.js";
import { attempt } from "./shell.js";

const ROWS = [1, 2, 3];
const WORDS = ["target_id", "ship_id", "also_id", "weapon", "effect", "note"];
const MARKS = ["lethal", "one_handed", "in_cover", "weakness"];

/** The declaration in the form of an action, in the JSON form of `declare_task`; kiosk/web/acting_form.py reads the same. */
function declarationOf(form) {
  const at = (name) => form.elements[name]?.value?.trim() ?? "";
  const number = (name) => Math.trunc(Number(at(name) || 0));
  const yes = (name) => Boolean(form.elements[name]?.checked);
  return {
    character_id: at("character_id"),
    attribute: at("attribute") || null,
    discipline: at("discipline") || null,
    focus: yes("focus"),
    value: at("value"),
    modifiers: ROWS.filter((row) => number(`change${row}`)).map((row) => ({ reason: at(`reason${row}`), change: number(`change${row}`) })),
    purchases: ROWS.filter((row) => at(`purchase${row}`)).map((row) => ({
      payer: at(`purchase${row}`), threat_part: at(`purchase${row}`) === "momentum" ? number(`threat_part${row}`) : 0,
    })),
    action: {
      name: at("deed"), scope: at("scope"), zones: number("zones"), zone_id: at("zone_id"),
      threat_part: number("threat_part"),
      at_range: at("at_range") || null, system: at("system") || null, level: at("level") ? number("level") : null,
      ...Object.fromEntries(WORDS.map((name) => [name, at(name)])), ...Object.fromEntries(MARKS.map((name) => [name, yes(name)])),
    },
  };
}

/** The chance of each choice in a list, behind its words; those that are not among `found` have none. */
function inList(list, found) {
  for (const one of list.options) {
    one.dataset.word ??= one.textContent;
    const chance = found.find((each) => each.value === one.value)?.chance;
    const words = chance === undefined ? one.dataset.word : t("{choice}: {chance}", { choice: one.dataset.word, chance: percent(chance) });
    if (one.textContent !== words) one.textContent = words;
  }
}

/** Makes the odds of every action in `root` live: asked for once it is opened, and whenever something is chosen in it. */
export function wireActing(root) {
  for (const one of root.querySelectorAll(".action[open]")) opened(one);
  root.addEventListener("toggle", ({ target }) => {
    if (target.open && target.matches(".action")) opened(target);
  }, true);
}

/** Wires an action that is open, once; a form that the page left out is fetched first. */
export async function opened(action) {
  const link = action.querySelector("a[href*=deed]");
  if (link && !(await fetched(action, link))) return;
  const place = action.querySelector("[data-odds]:not([data-live])");
  if (!place) return;
  place.dataset.live = "";
  besides(place.closest("form"), document);
  wire(place.closest("form"), place);
}

/** What was chosen in a form that is fetched anew: by the action that waits for it. */
const waiting = new WeakMap();

async function fetched(action, link) {
  const answer = await fetch(link.href, { cache: "no-store" }).catch(() => null);
  const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
  const form = page && page.querySelector(`[data-deed="${action.dataset.deed}"] > form`);
  if (!form || !link.isConnected) return false; // the link still leads there
  link.parentElement.replaceWith(form);
  if (waiting.has(action)) keepControls(waiting.get(action), action);
  return true;
}

/** Fills in what a Task of an action may have besides, of which the page holds one for all. */
function besides(form, root) {
  if (form.elements.purchase1) return;
  const made = root.querySelector("template[data-besides]").content.cloneNode(true);
  const { key } = form.closest(".action").dataset;
  for (const one of made.querySelectorAll("[id], [for], [data-for]")) {
    for (const name of ["id", "for", "data-for"]) if (one.hasAttribute(name)) one.setAttribute(name, one.getAttribute(name).replace("besides-", `${key}-`));
  }
  form.querySelector(".odds").before(made);
}

function wire(form, place) {
  const row = el("div", { class: "quick", role: "group", "aria-label": t("Dice and help, and their chance"), hidden: true });
  const buttons = choiceButtons((choice) => {
    chooseDice(form, choice, declarationOf(form));
    form.dispatchEvent(new Event("input", { bubbles: true }));
  });
  const fold = form.closest("details");
  const before = el("div"); // what lets it be done at all
  let asking = null;
  let wait = 0;

  function show(choices, now) {
    for (const one of form.elements) {
      const found = choices.filter(({ field }) => field === one.name);
      if (one.localName === "select") inList(one, found);
      else if (one.type === "checkbox") beside(one, found.find(({ value }) => (value === "yes") !== one.checked)?.chance ?? null);
    }
    for (const one of choices) if (one.field === "dice" || one.field === "determination") showDice(buttons, row, one, now);
    buttons.done();
    row.hidden = !row.childElementCount;
  }

  async function ask() {
    asking?.abort();
    asking = new AbortController();
    const now = declarationOf(form);
    try {
      const { odds, why_not: why, instead, choices } = await post("/api/v1/odds/choices", now, { signal: asking.signal });
      place.textContent = odds?.words ?? why;
      before.replaceChildren(...instead ? [el("button", { type: "button", onclick: () => attempt(() => send(instead.command)) }, instead.own_label || instead.label, el("small", {}, cost(instead.price)))] : []);
      show(choices, now);
    } catch (error) {
      if (error.name === "AbortError") return;
      place.textContent = untold(error);
      show([], now);
    }
  }

  form.querySelector("details").before(row);
  form.after(before);
  form.addEventListener("change", ({ target }) => {
    if (target.name?.startsWith("purchase")) form.elements[target.name.replace("purchase", "threat_part")].value = "0";
  });
  form.addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(ask, 150);
  });
  fold.addEventListener("toggle", () => fold.open && ask());
  if (fold.open) void ask();
}

const controls = (root) => [...root.querySelectorAll("summary, select, input:not([type=hidden]), [name^=threat_part], button")];

/** What tells a control from all others, also after the forms were rendered anew. */
export function nameOf(one) {
  const action = one.closest(".action");
  const words = one.matches("summary, button") && one.parentElement !== action && !one.dataset.step ? one.textContent : "";
  const step = one.dataset.step ? `${one.dataset.for.replace(/^.*-/, "")}${one.dataset.step}` : "";
  return [action?.dataset.deed ?? "", one.localName, one.name ?? "", step, words].join("/");
}

/** What was chosen and unfolded in `before` is so in `fresh`, too. */
export function keepChoices(before, fresh) {
  for (const form of before.querySelectorAll(".action form:has([name=purchase1])")) {
    const same = fresh.querySelector(`[data-deed="${form.closest(".action").dataset.deed}"] form:has(.odds)`);
    if (same) besides(same, fresh);
  }
  for (const one of before.querySelectorAll(".action:has(> form)")) {
    const same = fresh.querySelector(`[data-deed="${one.dataset.deed}"]:has(a[href*=deed])`);
    if (same) waiting.set(same, one);
  }
  keepControls(before, fresh);
}

function keepControls(before, fresh) {
  const known = new Map(controls(before).map((one) => [nameOf(one), one]));
  for (const one of controls(fresh)) {
    const old = known.get(nameOf(one));
    if (!old) continue;
    if (one.localName === "summary") one.parentElement.open = old.parentElement.open;
    else if (one.type === "checkbox") one.checked = old.checked;
    else if (one.localName === "select") { if ([...one.options].some((option) => option.value === old.value)) one.value = old.value; }
    else if (one.localName === "input") one.value = old.value;
  }
}

/** The control in `root` that `name` names; where it is no more, its action. */
export function named(root, name) {
  const all = controls(root);
  return all.find((one) => nameOf(one) === name) ?? all.find((one) => one.localName === "summary" && nameOf(one) === `${name.split("/", 2).join("/")}/summary///`);
}
