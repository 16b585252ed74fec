// A player's own Turn in a fight, on their own phone: what they can do, each action with what it is aimed at. The server
// renders the forms, as for the conflict page; what somebody has chosen in them stays when the table changes.
import { byId, el } from "./dom.js";
import { t } from "./language.js";
import { submitted } from "./plain.js";
import { attempt, steppers } from "./shell.js";

const TAPS = new Set(["take_minor_action"]);
let shown = "";
let asked = 0;

/** Whether `who` has to choose what to do: it is their Turn, or they were directed to act, and no Task is in hand. */
export function choosing({ conflict, task, request, held, agenda }, who) {
  const turn = conflict?.turn;
  return Boolean(who && turn && (turn.guest_id || turn.combatant_id) === who && !task && !request && !held && !agenda.length);
}

/** Shows what `who` can do at their own Turn; at any other time nothing. */
export async function paintFighting({ table, options }, who) {
  const place = byId("fighting");
  const own = choosing(table, who);
  const { conflict, effects, ships, characters, extended, traits, momentum, threat } = table;
  const key = own ? JSON.stringify([who, conflict, effects, ships, characters, extended, traits, momentum, threat]) : "";
  if (key === shown) return;
  shown = key;
  asked += 1;
  if (!own) {
    place.replaceChildren();
    return;
  }
  const mine = asked;
  const fresh = await menu(who).catch(() => null);
  if (mine !== asked) return;
  if (fresh) paint(place, fresh, who, options);
  else shown = ""; // with the next view it is asked for again
}

async function menu(who) {
  const answer = await fetch(`/conflict?who=${encodeURIComponent(who)}`, { cache: "no-store" });
  return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("acting") : null;
}

function paint(place, fresh, who, options) {
  dropTaps(fresh, options);
  const before = place.querySelector("section");
  if (before) keepChoices(before, fresh);
  const focused = before?.contains(document.activeElement) ? nameOf(document.activeElement) : "";
  const section = el("section", { "aria-labelledby": "fighting-title" },
    el("h2", { id: "fighting-title", tabindex: -1 }, t("Your Turn: choose an action")), ...fresh.childNodes);
  section.addEventListener("submit", (event) => {
    event.preventDefault();
    void attempt(() => submitted(event.target, event.submitter));
  });
  place.replaceChildren(section);
  steppers(section);
  if (focused) (controls(section).find((one) => nameOf(one) === focused) ?? byId("fighting-title")).focus({ preventScroll: true });
}

/** Minor Actions that are one tap below are not listed as forms too. */
function dropTaps(fresh, options) {
  const taps = new Set(options.filter((one) => TAPS.has(one.command.command)).map((one) => one.command.action.name));
  for (const one of fresh.querySelectorAll(".action[data-minor=yes]")) if (taps.has(one.dataset.deed)) one.remove();
  for (const one of fresh.querySelectorAll("section")) if (!one.querySelector(".action")) one.remove();
}

const controls = (root) => [...root.querySelectorAll("summary, select, input:not([type=hidden]), button")];

/** What tells a control from all others, also after the forms were rendered anew. */
function nameOf(one) {
  const deed = one.closest(".action")?.dataset.deed ?? "";
  return [deed, one.localName, one.name ?? "", one.dataset.step ?? "", one.localName === "summary" ? one.textContent : ""].join("/");
}

function keepChoices(before, fresh) {
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
