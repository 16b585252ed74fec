// A player's own Turn in a fight, on their own phone: what they can do, each action with what it is aimed at. The server
// renders the forms, as for the conflict page; what somebody has chosen in them stays when the table changes.
import { keepChoices, named, nameOf, wireActing } from "./acting.js";
import { byId, el } from "./dom.js";
import { t } from "./language.js";
import { submitted } from "./plain.js";
import { acted, attempt, OWN_DOING } from "./shell.js";

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
  if (fresh) paint(place, fresh, who, options, conflict.kind === "starship");
  else shown = ""; // with the next view it is asked for again
}

async function menu(who) {
  const answer = await fetch(`/conflict?who=${encodeURIComponent(who)}`, { cache: "no-store" });
  return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("acting") : null;
}

function paint(place, fresh, who, options, aboard) {
  dropTaps(fresh, options);
  const before = place.querySelector("section");
  if (before) keepChoices(before, fresh);
  else if (aboard) for (const one of fresh.querySelectorAll('[data-fold="other"]')) one.open = false; // other stations than one's own
  const focused = before?.contains(document.activeElement) ? nameOf(document.activeElement) : "";
  const section = el("section", { "aria-labelledby": "fighting-title" },
    el("h2", { id: "fighting-title", tabindex: -1 }, t("Your Turn: choose an action")), ...fresh.childNodes);
  section.addEventListener("submit", (event) => {
    event.preventDefault();
    void attempt(() => submitted(event.target, event.submitter));
  });
  place.replaceChildren(section);
  wireActing(section);
  if (focused) (named(section, focused) ?? byId("fighting-title")).focus({ preventScroll: true });
  else if (!before && begun()) byId("fighting-title").focus();
}

/** Whether the Turn is one's own doing just now: then what it can be used for is what comes next. */
function begun() {
  return Date.now() - acted < OWN_DOING && (document.activeElement === document.body || byId("actions").contains(document.activeElement));
}

/** Minor Actions that are one tap below are not listed as forms too. */
function dropTaps(fresh, options) {
  const taps = new Set(options.filter((one) => TAPS.has(one.command.command)).map((one) => `${one.command.action.scope}/${one.command.action.name}`));
  for (const one of fresh.querySelectorAll(".action[data-minor=yes]")) if (taps.has(one.dataset.deed)) one.remove();
  for (const one of fresh.querySelectorAll("section")) if (!one.querySelector(".action")) one.remove();
}
