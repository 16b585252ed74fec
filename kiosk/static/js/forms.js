// The forms of what can be done now, rendered by the server: sent unchanged, with a key of their own.
import { refused } from "./api.js";
import { check, wireEntry } from "./dice.js";
import { byId, fieldsOf, focusOn, SEEN } from "./dom.js";
import { freshen, hold, renew, settled, shut } from "./fresh.js";
import { t } from "./language.js";
import { placeParts } from "./live.js";
import { delivered, LONGEST, markOf, sendForm } from "./outbox.js";
import { attempt, OWN_DOING, ownDoing } from "./shell.js";

/** Whether this page is a player's, who waits for each throw; the gamemaster's does so for their own. */
const MINE = document.body.classList.contains("tabbed");

/** The first field of the dice asked for, the timer that leads on from a control that is gone, and what was news last. */
let asked = "", leading = 0, shown = null;

/** Sends a form as `submitter` would, with `more` fields; `seen` is the mark of what a question that was answered was about. */
async function give(form, submitter, more = {}, seen = "") {
  const action = (submitter?.getAttribute("formaction") ?? form.getAttribute("action")).split("/").pop();
  const about = submitter?.dataset.act ?? form.dataset.act;
  const answer = await attempt(async () => {
    check(form);
    await settled(form);
    try {
      return await sendForm(action, { ...fieldsOf(form, submitter), ...more }, about, submitter, seen);
    } catch (problem) {
      if (problem.kind !== "/problems/ask-first") throw problem;
      return ask(form, submitter, about, problem.message);
    }
  }, form.querySelector("[data-error]"));
  if (answer) await (form.id === "declare-form" ? shut().then(() => bring(true)) : form.reset());
}

/** Asks the kiosk's question, as before others' decisions are undone; it closes once it is about what is no more. */
function ask(form, submitter, about, words) {
  const seen = markOf(about), question = byId("first-asked").content.firstChild.cloneNode(true);
  document.body.append(question);
  byId("first-asked-words").textContent = words;
  for (const one of question.querySelectorAll("button")) one.textContent = submitter?.dataset[one.value || "no"] ?? form.dataset[one.value || "no"] ?? one.textContent;
  const watch = setInterval(() => markOf(about) !== seen && question.close("over"), SEEN);
  const over = () => attempt(() => { throw refused(t("Something else was decided meanwhile, so the question is closed. Look at the table, then decide anew."), 409); });
  question.onclose = () => { clearInterval(watch); question.remove(); void { yes: () => give(form, submitter, { confirmed: "yes" }, seen), over }[question.returnValue]?.(); };
  question.showModal();
}

/** Sends a form as a browser does, once the kiosk answers: else what was typed would go with the page. */
const leave = (form) => fetch("/manifest.webmanifest", { cache: "no-store", signal: AbortSignal.timeout(LONGEST) })
  .then(() => form.submit(), () => { throw refused(t("The kiosk does not answer. What you typed stays here: save again when it is back."), 0); });

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-act], [data-stays]")) return;
  event.preventDefault();
  if (!form.dataset.act) void attempt(() => leave(form), form.querySelector("[data-error]"));
  else if (event.submitter?.formMethod === "get") void freshen(form, event.submitter);
  else void give(form, event.submitter);
});

/** Whether what comes now is this person's own doing, so that it may move their focus. */
const own = () => ownDoing() || (Date.now() - delivered() < OWN_DOING && !document.activeElement?.matches("input, select, textarea"));

/**
 * Puts the parts of a page in place. Who did something is led on to the dice that are asked for now. Who stood on a
 * control that is gone is led to what came of it: never back to the top of the page.
 */
export async function place(parts) {
  const before = document.activeElement, within = before?.closest("#held, #entered, #pictured, #asked, #declare, #fighting, #actions, #master-turn, #foes, #crew, #dial, #library, #more, #later, #undo-bar")?.id;
  placeParts(hold(parts));
  wireEntry(byId("entered"));
  const die = byId("entered")?.querySelector(".entry input") ?? null;
  const first = die?.checkVisibility() ? die : byId("entered")?.querySelector(".watching") ?? null;
  const fresh = die !== null && die.id !== asked;
  asked = die?.id ?? "";
  bring();
  renew();
  const lost = within && !before.isConnected;
  if (fresh && first && own() && !lost && !before?.closest("#hidden")) focusOn(first);
  else if (lost) {
    clearTimeout(leading); // what came of the newest counts
    leading = setTimeout(() => lead(within, own() ? first : null), SEEN); // dice of somebody else take no keys
  }
}

/**
 * Brings what is new into view, what the server marks as news and on a player's page what is to be done first: it may lie
 * far from where one was. Never from under somebody who types, nor who declares, until their form is `gone`.
 */
function bring(gone = false) {
  const declaring = byId("declare-form"), first = !declaring && [...document.querySelectorAll(".tabbed main:not(:has(#held > section)) :is(.main-action, .watching)")].find((one) => one.checkVisibility());
  const news = [...document.querySelectorAll("[data-news]")].map((one) => [one.dataset.news, one, "start"]);
  if (first) news.push([first.id || first.form?.id || first.textContent + asked, first, "nearest"]);
  const before = gone ? new Set() : shown;
  shown = new Set([...news.map(([what]) => what), ...(declaring && shown ? shown : [])]);
  if (!before || (!gone && document.activeElement?.matches("input:not([type=file], [type=checkbox], [type=radio]), select, textarea"))) return;
  const brought = news.filter(([what, one]) => !before.has(what) && (MINE || ownDoing() || one.id !== "stage"));
  for (const [, one, block] of brought) one.scrollIntoView({ block, behavior: "instant" });
}

/** Moves on to the next awaited dice, to whose Turn it is above what leads on, after a throw to the actor's first choice, else to the result. */
function lead(within, first) {
  if (document.activeElement && document.activeElement !== document.body) return;
  const mine = ["entered", "held"].includes(within) ? document.querySelector("#actions [data-own] .options button:not(details:not([open]) *)") : null;
  const next = first ?? document.querySelector("#stage:has(~ #own-turn > *) h2") ?? mine ?? byId("fighting-title") ?? document.querySelector("#master-turn h2") ?? byId(within).querySelector("h2, h3") ?? byId("stage") ?? byId("tab-title");
  focusOn(next);
  next.scrollIntoView({ block: "nearest" }); // the page may be shorter now
}

wireEntry(byId("entered")); // the page itself came with what was asked for then
