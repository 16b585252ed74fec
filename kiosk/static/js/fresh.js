// The forms of a Task and of actions, which the server renders anew with each choice: `data-fresh` says where from.
import { refused } from "./api.js";
import { byId, fieldsOf, focusOn, SEEN } from "./dom.js";
import { say } from "./ear.js";
import { storeOf } from "./kept.js";
import { t } from "./language.js";
import { forgetPart, placeParts, TAB } from "./live.js";
import { attempt } from "./shell.js";

/** Milliseconds after typing until the chances are requested. */
const TYPING = 150;
/** Milliseconds that an answer may take: whoever declares does not wait for longer. */
const LONGEST = 3_000;
const KEPT = "trueroll.form";

/** The server's part for declaring a Task while its form is closed; empty until it came. */
let closed = "";

/** What is under way for each part: the question asked, what was touched since, and what comes when the form holds it all. */
const parts = new WeakMap();

function stateOf(part) {
  if (!parts.has(part)) parts.set(part, { asking: null, typing: 0, touched: [], answered: Promise.resolve() });
  return parts.get(part);
}

const store = storeOf("sessionStorage");

/** Remembers what is open for when the page is loaded again; an empty text forgets it. */
const keep = (query) => store?.setItem(KEPT, query);

/** Puts the form for `query` in its part, or the part without a form. */
async function show(part, query) {
  const state = stateOf(part);
  state.asking?.abort();
  const mine = new AbortController();
  state.asking = mine;
  setTimeout(() => mine.abort(new DOMException("", "TimeoutError")), LONGEST);
  const answer = await fetch(`${part.dataset.fresh}&language=${document.documentElement.lang}&tab=${TAB}&${query}`, { cache: "no-store", signal: mine.signal })
    .catch((error) => { throw error.name === "AbortError" ? error : refused(t("The kiosk cannot be reached. Try again when it is back."), 0); });
  if (!answer.ok) throw new Error(t("The kiosk answered {status}. Try again.", { status: answer.status }));
  const html = (await answer.json())[part.id];
  if (part.id !== "declare") return html && put(part.id, html);
  if (!html) return close();
  keep(query);
  return put(part.id, html);
}

/** Puts a part in place; what somebody uses in it stays where it is. */
function put(id, html) {
  const used = document.activeElement, top = used.getBoundingClientRect().top;
  forgetPart(id);
  placeParts({ [id]: html });
  for (const one of byId(id).querySelectorAll("input[type=radio], input[type=checkbox]")) one.checked = one.hasAttribute("checked");
  for (const one of byId(id).querySelectorAll("option")) one.selected = one.hasAttribute("selected");
  if (used.isConnected && byId(id).contains(used)) scrollBy(0, used.getBoundingClientRect().top - top);
}

async function close() {
  const state = stateOf(byId("declare"));
  clearTimeout(state.typing);
  state.asking?.abort(); // or an answer that is under way would open it again
  keep("");
  if (new URLSearchParams(location.search).has("declare")) history.replaceState(null, "", location.pathname); // or it opens again
  if (closed) put("declare", closed);
  else byId("declare-form")?.remove(); // what was there without it comes with the next of the table
}

/** Requests a form again, with the choice of `submitter`. */
export function freshen(form, submitter = null) {
  const part = form.closest("[data-fresh]");
  const state = stateOf(part);
  state.answered = asked(part, state, form, submitter);
  return state.answered;
}

/** Resolves when the form holds the touched choice. */
export const settled = (form) => parts.get(form.closest("[data-fresh]"))?.answered;

async function asked(part, state, form, submitter) {
  clearTimeout(state.typing);
  const fields = fieldsOf(form, submitter);
  if (fields.choose) state.touched.push(fields.choose);
  try {
    await show(part, new URLSearchParams({ ...fields, choose: state.touched.join(" ") }).toString());
    state.touched = [];
  } catch (error) {
    if (error.name === "AbortError") return;
    state.touched = [];
    return form.querySelector(".odds > :last-child")?.replaceChildren(t("The chances are not known now: the kiosk does not answer."));
  }
  if (submitter && !submitter.isConnected) setTimeout(() => focusOn(part.querySelector("summary, h2")), SEEN);
}

/** Closes the form of a Task: it was sent, or somebody else acts here now. */
export const shut = async () => byId("declare-form") && close();

/** Removes from new parts whatever would close an open form of a Task. */
export function hold({ declare = "", ...others }) {
  closed = declare || closed;
  return byId("declare-form") ? others : { declare, ...others };
}

/** Requests each open form again: the table has changed. */
export function renew() {
  for (const form of document.querySelectorAll("#declare-form, [data-live] > form.card")) void freshen(form);
  wake();
}

/** Requests what open actions lack: their chances, or their whole form. */
export function wake(among = document.querySelectorAll("details:not([data-live])")) {
  for (const one of [...among].filter((each) => each.matches("[data-fresh][open]"))) {
    const form = one.querySelector("form");
    if (form) void freshen(form);
    else show(one, one.querySelector("a").search.slice(1)).then(() => one.querySelector(".main-action")?.scrollIntoView({ block: "nearest" })).catch(() => {}); // the link still leads there
  }
}

/** Opens the form of a link, and moves to its heading, which stays. */
async function open(link) {
  const then = link.dataset.opens;
  byId("declare-title").focus({ preventScroll: true });
  await attempt(() => show(byId("declare"), link.search.slice(1)));
  if (!byId("declare-form")) return;
  byId("declare-title").scrollIntoView({ block: "start" });
  if (then === "declare-title") return;
  setTimeout(() => byId(then)?.focus({ preventScroll: true }), SEEN);
  say(t("Ready to declare."));
}

document.addEventListener("click", (event) => {
  const link = event.ctrlKey || event.metaKey ? null : event.target.closest?.("a[data-opens], a[data-closes]");
  if (!link) return;
  if (!link.dataset.opens) void fetch(`${byId("declare").dataset.fresh}&tab=${TAB}&me=${encodeURIComponent(byId("declare-form")?.elements.character_id?.value ?? "")}`).catch(() => {}); // nobody chooses there any more
  if (!link.dataset.opens && !closed) return keep(""); // nothing came yet to put in its place: the link itself leads there
  event.preventDefault();
  void (link.dataset.opens ? open(link) : close().then(() => byId("declare-open")?.focus()));
});
document.addEventListener("toggle", ({ target }) => (target.open ? wake(target.matches(".action, :not([data-live])") ? [target] : []) : target.matches(".action") && fetch(`${target.dataset.fresh}&tab=${TAB}`).catch(() => {})), true); // of the others the kiosk knows
document.addEventListener("input", ({ target }) => {
  const form = target.closest("#declare-form, .action > form.card");
  if (!form) return;
  const state = stateOf(form.closest("[data-fresh]"));
  clearTimeout(state.typing);
  state.asking?.abort(); // it would bring back what was there before
  state.typing = setTimeout(() => freshen(form), target.matches("[type=radio], [type=checkbox], select") ? 0 : TYPING);
});

const left = store?.getItem(KEPT);
const again = performance.getEntriesByType("navigation")[0]?.type === "reload"; // the address may open a form as it began
if (left && byId("declare") && (again || !byId("declare-form"))) show(byId("declare"), left).catch(() => {});
