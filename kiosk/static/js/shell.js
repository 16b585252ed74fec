// What every live page does with a new table: connection, parts, caption, and one spoken sentence.
import { post } from "./api.js";
import { byId, el } from "./dom.js";
import { alertOf, say, tell, wordsOf } from "./ear.js";
import { keepAs, kept } from "./kept.js";
import { t } from "./language.js";
import { live, placeParts } from "./live.js";
import { flush } from "./outbox.js";

/** The newest narration, null before any; and the awaited thing that it mentioned: no alert repeats that. */
let said = null, told = "";

/** The header's words while this page could not be fetched anew; empty if it could. */
let outdated = "", line = null;
let fetches = 0, follows = 0; // of this page, and of what in it is old

function link(...now) {
  line = now;
  const [state, words, polling = false] = outdated && now[0] === "live" ? ["old", outdated] : now;
  const place = byId("link");
  if (!place || place.textContent === words) return;
  const before = place.dataset.state;
  document.documentElement.toggleAttribute("data-polling", polling);
  document.documentElement.dataset.link = place.dataset.state = state; // for the styles of the page, which :has() would all make anew
  place.firstChild.data = words; // likewise
  if (state === "live") void flush();
  for (const one of state === "live" ? document.querySelectorAll("[data-away]") : []) one.hidden = true;
  const quiet = before === state || before === "starting" || state === "starting" || (before === "old" && state === "live");
  if (state === "old" || !quiet) say(state === "live" ? t("Connected again.") : words);
}

/** Whether a new narration mentions what is awaited; for dice to look at the alert does. */
function tells({ narration, questions, awaited: { about, words } }) {
  if (!about || questions.length) return false;
  return about === "complications" ? narration.urgent : wordsOf(narration).includes(words);
}

const TOLD = "trueroll.told";
const parts = JSON.parse(kept(TOLD) ?? "{}");

/**
 * Takes in how a part of the kiosk is; whether that is news at this device. What was told once is no news again, also
 * not after the kiosk or this page was started anew; a loss after a return is. That a part starts is no news.
 */
function isNews({ source, state, what }) {
  if (state === "starting") return false;
  const words = `${state} ${what}`;
  if (parts[source] === words) return false;
  parts[source] = words;
  keepAs(TOLD, JSON.stringify(parts));
  return true;
}

/** Fetches the present elements of this page, as parts; if that fails, the header says so, and there are none. */
export async function anew(ids) {
  const mine = (fetches += 1);
  const html = await fetch(location.href, { cache: "no-store" }).then((answer) => answer.ok && answer.text()).catch(() => "");
  if (mine === fetches) outdated = html ? "" : t("Old: load this page again"); // what asks next may have it
  if (line) link(...line);
  const page = new DOMParser().parseFromString(html || "", "text/html");
  if ("locked" in page.documentElement.dataset && document.body.matches(".bridged")) location.reload(); // what is the gamemaster's is shown no more
  return html && Object.fromEntries(ids.map((id) => [id, page.getElementById(id)?.outerHTML]));
}

/**
 * Fetches anew what shows something as it is no more: an element follows a thing, and has the stamp of it with which it
 * was made, be it with the page before its line was up. `put(place)` of the page puts in place what came.
 */
async function follow(stamps, put) {
  const old = [...document.querySelectorAll("[data-follows]")].filter(({ dataset }) => dataset.asOf !== stamps[dataset.follows]);
  if (!old.length && !outdated) return;
  const mine = (follows += 1);
  const found = await anew(old.map(({ id }) => id));
  if (found && mine === follows) await put(() => placeParts(found)); // what is asked for since has it, too
}

/**
 * Follows the table. `page` names the parts that the server renders for it, where it has some, `me()` whom they are for,
 * and `onParts` takes them where that is not to put them in place; `onAnew` as of `follow`.
 */
export function listen({ page = "", me = () => "", paint = () => {}, onParts = placeParts, onAnew = (place) => place(), onLive = () => {}, onHidden = null }) {
  return live({
    page,
    me,
    onParts,
    onLink: (state, ...how) => { link(state, ...how); if (state === "live") onLive(); },
    onHidden,
    onSource: (status) => say([isNews(status) && status.what, status.notice].filter(Boolean).join(" ")),
    onTable: (now) => {
      const first = said === null;
      for (const one of now.sources.filter(isNews)) if (!first) say(one.what); // a page that asks, or was away, hears it so
      const { narration, awaited: waits } = now;
      const fresh = !first && narration && narration.id !== said;
      if (waits.about !== told) told = fresh && tells(now) ? waits.about : "";
      const alerted = alertOf(told ? "" : waits.words);
      if (fresh) tell(narration, now.sounds, now.voice.available, alerted);
      if (fresh && byId("answered")) byId("answered").hidden = true; // it was asked before this
      said = narration?.id ?? "";
      if (fresh) drop([...document.querySelectorAll("[data-refused]")].filter(({ dataset }) => Date.now() - dataset.refused > OWN_DOING));
      void follow(now.stamps, onAnew);
      const unkept = byId("not-kept"); // not on the table's screen, which has it among all that is wrong
      if (unkept && unkept.textContent !== now.not_kept) Object.assign(unkept, { textContent: now.not_kept, hidden: !now.not_kept });
      paint(now);
    },
  });
}

/** Milliseconds after an action within which something new counts as its result. */
export const OWN_DOING = 3000;
let acted = 0, unanswered = 0;

/** Whether what comes now is this person's own doing: only that may move their focus, however long the kiosk takes. */
export const ownDoing = () => unanswered > 0 || Date.now() - acted < OWN_DOING;

/** Hides those of the shown refusals that have no way out: their reasons are gone, or may be. */
function drop(shown) {
  for (const one of shown) if (!one.querySelector("a")) one.hidden = true;
}

/** What is changed in a form is no longer what was refused. */
for (const change of ["input", "submit"]) addEventListener(change, ({ target }) => drop((target.form ?? target).querySelectorAll("[data-refused]")), true);

/** Runs `task` for a control; a refusal is shown beside it and spoken. */
export async function attempt(task, error = byId("error")) {
  unanswered += 1;
  for (const one of [error, byId("error")]) if (one) one.hidden = true;
  try {
    const answer = await task();
    acted = Date.now(); // what was refused, here or by the kiosk, brings nothing new
    return answer;
  } catch (problem) {
    if (problem.name === "AbortError") return undefined; // of a form, as another one was asked for since
    if (!error?.isConnected || (problem.status === 409 && error.closest("[data-act=enter]")) || (problem.kind === "/problems/gone-on" && !error.closest("#declare-form"))) error = byId("error"); // the table goes on, and the form with it
    if (error) {
      const join = problem.status === 401 && el("a", { className: "button", href: "/join" }, t("Join"));
      const pin = problem.kind === "/problems/pin-needed" && el("a", { className: "button", href: "/pin" }, t("Type in the PIN"));
      error.replaceChildren(problem.message, join || pin ? el("br") : "", join || pin || "");
      error.toggleAttribute("data-away", problem.status === 0); // until it is there again
      error.dataset.refused = Date.now();
      error.hidden = false;
      error.scrollIntoView({ block: "nearest" });
    }
    say(problem.message);
  } finally {
    unanswered -= 1;
  }
}

/** Controls that send something other than a form: address, data and spoken words are their attributes. */
addEventListener("click", ({ target }) => {
  const { post: path, body, said: words } = target.closest?.("button[data-post]")?.dataset ?? {};
  if (path) void attempt(() => post(path, JSON.parse(body)).then(() => say(words)));
});
addEventListener("change", ({ target }) => {
  const { post: path } = target.matches("select") && target.closest("[data-post]")?.dataset || {};
  if (path) void attempt(() => post(path, { [target.name]: target.value }));
});

/** Buttons beside a number field, for those who would rather tap than type; where no script runs they are not shown. */
document.body.dataset.steps = "";
addEventListener("click", ({ target }) => {
  const { for: id, step } = target.closest?.(".step")?.dataset ?? {}, field = id && byId(id);
  if (!field) return;
  field.stepUp(Number(step));
  if (field.placeholder === field.value) field.value = "";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  say(`${field.labels[0].textContent}: ${field.value || field.placeholder}`, field.id);
});
