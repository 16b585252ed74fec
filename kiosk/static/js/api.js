// Forms to the kiosk. Each tap carries its own key, so that one sent twice counts once.

import { t } from "./language.js";
import { withoutNetwork } from "./live.js";
import { carry, keep, pressed, tend, waiting } from "./outbox.js";

/** What the kiosk refused, in words; `kind` is the problem's type, as "/problems/ask-first". */
export class Refused extends Error {
  constructor(message, status, kind = "") {
    super(message);
    this.status = status;
    this.kind = kind;
  }
}

/** A key nobody else has; phones open the page by plain http, where randomUUID is missing. */
export function key() {
  if (globalThis.isSecureContext && crypto.randomUUID) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const away = () => new Refused(t("The kiosk does not answer. Nothing was sent twice; try again when it is back."), 0);

/** POSTs JSON; resolves to the answer's JSON, throws `Refused` with words for the person. */
export function post(path, body, { signal } = {}) {
  return sendBody(path, JSON.stringify(body), "application/json", signal);
}

/** POSTs the fields of a form of the server's; answered as a command is. */
function postForm(action, fields, { signal } = {}) {
  return sendBody(`/text/${action}`, new URLSearchParams(fields).toString(), "application/x-www-form-urlencoded", signal);
}

/** Milliseconds that a picture may take on its way and while it is read. */
const PICTURE_LONGEST = 60_000;

/** POSTs a picture's file as one of the throw that is awaited under `number`. */
export function postPicture(file, number) {
  return sendBody(`/api/v1/pictures?request=${number}`, file, file.type || "image/jpeg", AbortSignal.timeout(PICTURE_LONGEST));
}

async function sendBody(path, body, type, signal) {
  let answer = null, json = {};
  try {
    answer = await fetch(path, { method: "POST", headers: { "Content-Type": type, "X-Trueroll": "1" }, body, signal });
    json = await answer.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    if (!answer || answer.ok) throw away(); // none came, or it broke off
  }
  if (!answer.ok) throw new Refused(json.detail ?? t("The kiosk answered {status}. Try again.", { status: answer.status }), answer.status, json.type);
  return json;
}

/** Commands of which each tap is one more, however fast they come. */
const EACH = new Set(["adjust_pool"]);
let marks = null;

/** Takes note of what this page shows, so that a tap can say what it was about. */
export function seen(view) {
  marks = view.about;
}

const underway = new Map();

/** What a tap on `name` is about now; empty for what means the same whatever has happened since. */
export const markOf = (name) => (marks?.any_time.includes(name) ? "" : marks?.[name] ?? marks?.table ?? "");

/**
 * Sends the `fields` of a form; a second tap while the first is under way is the same tap, except where each is one more.
 * One that could not be sent is kept on this device and sent when the kiosk is back: then the answer is `{ kept: true }`.
 * `about` names the command whose mark says what was seen, which is `seen` where that was before now.
 */
export function sendForm(action, fields, about, seen = "") {
  const asked = { command: action, fields };
  if (EACH.has(action)) return sendOnce(asked, about);
  const text = JSON.stringify(asked);
  const sent = underway.get(text) ?? sendOnce(asked, about, seen).finally(() => underway.delete(text));
  underway.set(text, sent);
  return sent;
}

async function sendOnce(asked, name, seen = "") {
  const about = seen || markOf(name);
  const whole = { ...asked, idempotency: key(), ...(about ? { about } : {}), words: pressed() };
  if (name !== "say_row" && (waiting() || withoutNetwork()) && keep(whole)) return { kept: true }; // what is to be said is for now
  return carry(whole);
}

tend(postForm);
