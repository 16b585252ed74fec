// Forms to the kiosk. Taps that could not be sent are kept here, and sent in order when the kiosk is back. Each has a key,
// so that none counts twice, and the mark of the table that was seen: one that no longer fits is refused in words.
import { postForm } from "./api.js";
import { byId, el, focusOn } from "./dom.js";
import { say } from "./ear.js";
import { forget, keepAs, kept, keptNames } from "./kept.js";
import { t, term } from "./language.js";
import { view, withoutNetwork } from "./live.js";

const PREFIX = "trueroll.tap.";
const OLDEST = 15 * 60_000;
const AGAIN = 3_000;

/** Milliseconds after which an unanswered tap is shown as kept: soon enough that nobody taps again. */
const SOON = 700;

/** Milliseconds that an answer may take; the kiosk itself gives up before. */
export const LONGEST = 12_000;

/** What a label keeps of more than 80 letters: whole words. */
const TOO_LONG = /^(?=.{81})(.{1,80})\s.*$/s;

/** Answers that leave it open whether the command was applied: the same key asks again. */
const UNSURE = new Set([0, 503, 504]);

const underWay = new Set();
let refused = [], sending = false, turn = 0, sentAt = 0, failed = false;

/** What befalls what waits: it is kept once an answer failed or the header says that the connection is lost. */
const waits = () => (failed || withoutNetwork() || document.documentElement.dataset.link !== "live" ? t("Kept on this device until the kiosk is back") : t("Being sent …"));

/** The names of the kept taps, in order; also of one sent without an answer yet: what came after it must not arrive before. */
const names = () => keptNames(PREFIX);

/** The command kept under that name; null if it is gone, or invalid and dropped. */
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

/** The name of a kept tap: that of the pressed control, with the choices made in it. */
function words({ command, fields, words: label }) {
  if (command === "declare") return t("Declare the Task");
  if (command !== "enter") return label || command;
  const faces = Object.keys(fields).filter((name) => name.startsWith("face")).map((name) => term(fields[name]));
  return t("Enter the dice {faces}", { faces: faces.join(", ") });
}

/** The text of a control in its reader's language, without its price. */
const labelOf = (control) => ((control?.querySelector("span:not(.unseen)") ?? control?.firstChild)?.textContent.trim() ?? "").replace(TOO_LONG, "$1 …");

/** When this device last sent a kept answer: what follows is its person's own doing, however late. */
export const delivered = () => sentAt;

/** Keeps a command with its key for later; the name it is kept under, empty where this browser keeps nothing. */
function keep(command, sentAlready = false) {
  turn += 1;
  const name = `${PREFIX}${String(Date.now()).padStart(15, "0")}.${String(turn).padStart(6, "0")}.${command.idempotency}`;
  if (!keepAs(name, JSON.stringify(command))) return "";
  if (sentAlready) underWay.add(name);
  say(waits());
  paint();
  return name;
}

/** A key nobody else has; phones open the page by plain http, where randomUUID is missing. */
const key = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Commands of which each tap counts, however fast they come. */
const EACH = new Set(["adjust_pool"]);
const underway = new Map();

/** The mark of what a tap on `name` is about now; empty for commands that always mean the same. */
export const markOf = (name) => (view()?.about.any_time.includes(name) ? "" : view()?.about[view().about.of[name] ?? name] ?? view()?.about.table ?? "");

/**
 * Sends the `fields` of a form; a second tap while the first is under way is the same tap, except where each is one more.
 * One that could not be sent is kept on this device and sent when the kiosk is back: then the answer is `{ kept: true }`.
 * `about` names the command whose mark says what was seen, which is `seen` where that was before now; `control` was pressed.
 */
export function sendForm(action, fields, about, control, seen = "") {
  const asked = { command: action, fields, words: labelOf(control) };
  if (EACH.has(action)) return sendOnce(asked, about);
  const text = JSON.stringify([action, fields]); // what stands on the control may change meanwhile
  const sent = underway.get(text) ?? sendOnce(asked, about, seen).finally(() => underway.delete(text));
  underway.set(text, sent);
  return sent;
}

/** Keeps the command while its answer is late, and shows that; it stays kept if no answer comes. */
async function sendOnce(asked, about, seen = "") {
  const command = { ...asked, idempotency: key(), about: seen || markOf(about) };
  if (about !== "say_row" && (names().length || withoutNetwork()) && keep(command)) return { kept: true }; // what is to be said is for now
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
    if (name) say(waits());
    paint();
    return { kept: true };
  } finally {
    clearTimeout(late);
  }
}

const ask = ({ command, fields, idempotency, about }) =>
  postForm(command, { ...fields, tap: idempotency, ...(about && { about }) }, AbortSignal.timeout(LONGEST)).then((answer) => { failed = false; return answer; }, (error) => { failed = UNSURE.has(error.status); throw error; });

/** Drops a command whose answer has come, and sends the next ones. */
function release(name) {
  if (!name) return;
  underWay.delete(name);
  forget(name);
  paint();
  void flush();
}

/** Sends what waits, in order, until one cannot be sent; refused ones are shown and dropped. */
export async function flush() {
  if (sending) return;
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

/** Whether the kiosk has answered a kept command, even by a refusal. */
async function sent(name, command) {
  if (Date.now() - Number(name.slice(PREFIX.length).split(".")[0]) > OLDEST) {
    // Its first sending may have arrived, though no answer did.
    drop(name, t("{what} waited too long to be sent again. Look at the table whether it counted.", { what: words(command) }));
    return true;
  }
  try {
    if (command.about) sentAt = Date.now();
    await ask(command);
    if (command.about) sentAt = Date.now();
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
  const now = JSON.stringify([names(), [...underWay], refused, waits()]);
  if (!byId("waiting") || now === painted) return;
  painted = now;
  const inside = byId("waiting").contains(document.activeElement);
  byId("waiting-title").textContent = waits();
  byId("taps-kept").replaceChildren(...names().map((name) => [name, commandOf(name)]).filter(([, one]) => one).map(([name, command]) => el("li", {},
    el("span", {}, words(command)),
    underWay.has(name) ? "" : el("button", { type: "button", onclick: () => { forget(name); paint(); } }, t("Do not send: {what}", { what: words(command) })))));
  byId("taps-refused").replaceChildren(...refused.map((told) => el("li", {}, told)));
  byId("taps-read").hidden = !refused.length;
  if (inside) focusOn(byId("waiting").querySelector("section:has(li) h2") ?? byId("stage") ?? byId("main"));
}

addEventListener("online", flush);
addEventListener("storage", paint);
byId("taps-read")?.addEventListener("click", () => { refused = []; paint(); });
setInterval(() => { if (names().length) void flush(); }, AGAIN);
paint(); // what waits is sent once the connection is up
