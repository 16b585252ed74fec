// The form of a Task: the server renders it when somebody opens it, and anew with each choice, with what it comes to.
import { say } from "./announce.js";
import { byId, fieldsOf, focusOn, SEEN } from "./dom.js";
import { t } from "./language.js";
import { forgetPart, placeParts } from "./parts.js";
import { attempt } from "./shell.js";

/** Milliseconds that somebody may type on before the chances are asked for. */
const TYPING = 150;

/** Milliseconds that an answer may take: whoever declares does not wait for longer. */
const LONGEST = 3_000;
const KEPT = "trueroll.form";

/** The part as the server has it while nobody has opened the form. */
let closed = "";
let asking = null;
let typing = 0;

/** What was touched and is not yet in the form: the next question asks for it, too. */
let touched = [];
let answered = Promise.resolve();

const kept = () => {
  try {
    return sessionStorage;
  } catch {
    return null; // a browser that keeps nothing
  }
};

/** What is open stays open here when the page is loaded again; an empty text forgets it. */
function keep(query) {
  if (query) kept()?.setItem(KEPT, query);
  else kept()?.removeItem(KEPT);
}

/** Puts the form that `query` asks for in its place, or what is there without a form. */
async function show(query) {
  const place = byId("declare");
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  setTimeout(() => mine.abort(new DOMException("", "TimeoutError")), LONGEST);
  const answer = await fetch(`${place.dataset.fresh}&language=${document.documentElement.lang}&${query}`, { cache: "no-store", signal: mine.signal });
  if (!answer.ok) throw new Error(t("The kiosk answered {status}. Try again.", { status: answer.status }));
  const { declare } = await answer.json();
  if (!declare) return close();
  keep(query);
  await put(declare);
  return undefined;
}

async function put(html) {
  forgetPart("declare");
  await placeParts({ declare: html });
  for (const one of byId("declare").querySelectorAll("input[type=radio], input[type=checkbox]")) one.checked = one.hasAttribute("checked");
  for (const one of byId("declare").querySelectorAll("option")) one.selected = one.hasAttribute("selected");
}

async function close() {
  asking?.abort(); // or an answer that is under way would open it again
  keep("");
  if (closed) await put(closed);
}

/** Asks for the form anew, with the choice of `submitter` made in it. */
export function freshen(form, submitter = null) {
  answered = asked(form, submitter);
  return answered;
}

/** Comes when the form holds what was touched. */
export const settled = () => answered;

async function asked(form, submitter) {
  clearTimeout(typing);
  const fields = fieldsOf(form, submitter);
  if (fields.choose) touched.push(fields.choose);
  try {
    await show(new URLSearchParams({ ...fields, choose: touched.join(" ") }).toString());
    touched = [];
  } catch (error) {
    if (error.name === "AbortError") return;
    touched = [];
    if (byId("odds")) byId("odds").textContent = t("The chances are not known now: the kiosk does not answer.");
    return;
  }
  if (submitter && !submitter.isConnected) setTimeout(() => focusOn(byId("declare-title")), SEEN);
}

/** Closes the form: it was sent, or somebody else acts here now. */
export const shut = () => (byId("declare-form") ? close() : undefined);

/** Takes from `parts` what would take an open form away, and asks for that form anew: the table has gone on. */
export function hold({ declare = "", ...others }) {
  closed = declare || closed;
  const form = byId("declare-form");
  if (!form) return { declare, ...others };
  if (!form.hasAttribute("aria-busy")) void freshen(form);
  return others;
}

/** Opens the form as a link has it, and leads to where one goes on: the heading first, which stays. */
async function open(link) {
  const then = link.dataset.opens;
  byId("declare-title").focus({ preventScroll: true });
  await attempt(() => show(link.search.slice(1)));
  if (!byId("declare-form")) return;
  byId("declare-title").scrollIntoView({ block: "start" });
  if (then === "declare-title") return;
  setTimeout(() => byId(then)?.focus({ preventScroll: true }), SEEN);
  say(t("Ready to declare."));
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-opens], a[data-closes]");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (link.dataset.opens) void open(link);
  else void close().then(() => byId("declare-open")?.focus());
});
document.addEventListener("input", ({ target }) => {
  const form = target.closest("#declare-form");
  if (!form) return;
  clearTimeout(typing);
  typing = setTimeout(() => freshen(form), target.matches("[type=radio], [type=checkbox], select") ? 0 : TYPING);
});

const left = kept()?.getItem(KEPT);
if (left && byId("declare") && !byId("declare-form")) show(left).catch(() => {});
