// Taps that could not be sent are kept on this device, and sent in order when the kiosk is back. Each has its own key, so
// that none counts twice, and the mark of the table that was seen, so that one that no longer fits is refused in words.
import { byId, el, focusOn } from "./dom.js";
import { say } from "./ear.js";
import { forget, keepAs, kept, keptNames } from "./kept.js";
import { t, term } from "./language.js";

const PREFIX = "trueroll.tap.";
const OLDEST = 15 * 60_000;
const AGAIN = 3_000;

/** Milliseconds after which a tap that was not answered yet is told to be kept: soon enough that nobody taps again. */
const SOON = 700;

/** Milliseconds that an answer may take; the kiosk itself gives up before. */
const LONGEST = 12_000;

const LONGEST_WORDS = 80;

/** Answers that leave it open whether the command was taken in: the same key asks again. */
const UNSURE = new Set([0, 503, 504]);

const underWay = new Set();
let refused = [];
let post = null;
let sending = false;
let turn = 0;

const names = () => keptNames(PREFIX);

/** The command kept under that name; null where it is gone, or is none and is let go. */
function commandOf(name) {
  const text = kept(name);
  if (text === null) return null;
  try {
    const command = JSON.parse(text);
    if (typeof command?.command === "string" && command.fields) return command;
  } catch { /* somebody else's text under our name */ }
  forget(name);
  return null;
}

/** What a kept tap is called: as the control that was pressed, and what that leaves open. */
function words({ command, fields, words: label }) {
  if (command === "declare") return t("Declare the Task");
  if (command !== "enter") return label || command;
  const faces = Object.keys(fields).filter((name) => name.startsWith("face")).map((name) => term(fields[name]));
  return t("Enter the dice {faces}", { faces: faces.join(", ") });
}

let control = null;
addEventListener("click", ({ target }) => { control = target.closest?.("button") ?? null; }, true);

/** What stands on the control that was pressed last, without its price: each listener reads their own language there. */
export function pressed() {
  return (control?.querySelector("span:not(.unseen)") ?? control?.firstChild)?.textContent.trim().slice(0, LONGEST_WORDS) ?? "";
}

/**
 * How many taps are kept. One that was sent and has no answer yet counts too: it may have been lost, and what was tapped
 * after it must not arrive before it.
 */
export const waiting = () => names().length;

/** When this device last sent a kept tap about what was asked: what follows is its person's own doing, however late. */
export let delivered = 0;

/** Keeps a command with its key for later; the name it is kept under, empty where this browser keeps nothing. */
export function keep(command, sentAlready = false) {
  turn += 1;
  const name = `${PREFIX}${String(Date.now()).padStart(15, "0")}.${String(turn).padStart(6, "0")}.${command.idempotency}`;
  if (!keepAs(name, JSON.stringify(command))) return "";
  if (sentAlready) underWay.add(name);
  say(t("Kept on this device; sent when the kiosk is back."));
  paint();
  return name;
}

/**
 * Sends a command, which carries the `words` that it is called by on this device, and gives its answer. While that is
 * late the command is kept, and told to be; it stays kept where no answer comes: the answer is then `{ kept: true }`.
 */
export async function carry(command) {
  let name = "";
  const late = setTimeout(() => { name = keep(command, true); }, SOON);
  try {
    const answer = await ask(command);
    if (name) say(t("Sent: {what}.", { what: words(command) }));
    release(name);
    return answer;
  } catch (error) {
    if (!UNSURE.has(error.status)) {
      release(name);
      throw error;
    }
    underWay.delete(name);
    if (!name && !keep(command)) throw error;
    paint();
    return { kept: true };
  } finally {
    clearTimeout(late);
  }
}

const ask = ({ command, fields, idempotency, about }) =>
  post(command, { ...fields, tap: idempotency, ...(about ? { about } : {}) }, { signal: AbortSignal.timeout(LONGEST) });

/** Lets go of a command whose answer has come; what came behind it is sent. */
function release(name) {
  if (!name) return;
  underWay.delete(name);
  forget(name);
  paint();
  void flush();
}

/** Sends what waits, in order, until one cannot be sent; what is refused is told and let go. */
export async function flush() {
  if (sending || !post) return;
  sending = true;
  try {
    const tried = new Set();
    let name = "";
    while ((name = names().find((one) => !tried.has(one)))) {
      if (underWay.has(name)) break;
      tried.add(name);
      const command = commandOf(name);
      if (command && !(await sent(name, command))) break;
    }
  } finally {
    sending = false;
    paint();
  }
}

/** Whether the kiosk has decided on a kept command, be it to refuse it. */
async function sent(name, command) {
  if (Date.now() - Number(name.slice(PREFIX.length).split(".")[0]) > OLDEST) {
    // Its first sending may have arrived, though no answer did.
    drop(name, t("{what} waited too long to be sent again. Look at the table whether it counted.", { what: words(command) }));
    return true;
  }
  try {
    if (command.about) delivered = Date.now();
    await ask(command);
    if (command.about) delivered = Date.now();
    forget(name);
    say(t("Sent: {what}.", { what: words(command) }));
  } catch (error) {
    if (UNSURE.has(error.status)) return false;
    const why = error.kind === "/problems/ask-first" ? t("The kiosk asks first: press it again.") : error.message;
    drop(name, t("Not done: {what}. {why}", { what: words(command), why }));
  }
  paint();
  return true;
}

function drop(name, told) {
  forget(name);
  refused = [...refused, told];
  say(told);
}

let painted = "";

/** Shows what waits and what was refused, each in its list on the page. While nothing is new there, whoever stands on it stays. */
function paint() {
  const now = JSON.stringify([names(), [...underWay], refused]);
  if (!byId("waiting") || now === painted) return;
  painted = now;
  const inside = byId("waiting").contains(document.activeElement);
  byId("taps-kept").replaceChildren(...names().map((name) => [name, commandOf(name)]).filter(([, one]) => one).map(([name, command]) => el("li", {},
    el("span", {}, words(command)),
    underWay.has(name) ? "" : el("button", { type: "button", onclick: () => { forget(name); paint(); } }, t("Do not send: {what}", { what: words(command) })))));
  byId("taps-refused").replaceChildren(...refused.map((told) => el("li", {}, told)));
  byId("taps-read").hidden = !refused.length;
  if (inside) focusOn(byId("waiting").querySelector("section:has(li) h2") ?? byId("stage") ?? byId("main"));
}

/** Begins to look after what waits; `poster` sends one form, and throws `Refused`. */
export function tend(poster) {
  post = poster;
  addEventListener("online", flush);
  addEventListener("storage", paint);
  byId("taps-read")?.addEventListener("click", () => { refused = []; paint(); });
  setInterval(() => { if (waiting()) void flush(); }, AGAIN);
  paint();
  void flush();
}
