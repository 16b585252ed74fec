// Commands to the kiosk. Each tap carries its own key, so that one sent twice counts once.

import { t } from "./language.js";

export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** A key nobody else has; phones open the page by plain http, where randomUUID is missing. */
export function key() {
  if (globalThis.isSecureContext && crypto.randomUUID) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** POSTs JSON; resolves to the answer's JSON, throws `Refused` with words for the person. */
export async function post(path, body, { signal } = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Trueroll": "1" },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(t("The kiosk does not answer. Nothing was sent twice; try again when it is back."), 0);
  }
  const json = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(json.detail ?? t("The kiosk answered {status}. Try again.", { status: answer.status }), answer.status);
  return json;
}

/**
 * Sends one command. The same command tried again after a broken connection keeps its key; a second tap while the first
 * is under way is the same tap.
 */
let unsure = { text: "", key: "" };
const underway = new Map();
export function send(command) {
  const text = JSON.stringify(command);
  const sent = underway.get(text) ?? sendOnce(command, text).finally(() => underway.delete(text));
  underway.set(text, sent);
  return sent;
}

async function sendOnce(command, text) {
  const idempotency = unsure.text === text ? unsure.key : key();
  try {
    const answer = await post("/api/v1/commands", { ...command, idempotency });
    unsure = { text: "", key: "" };
    return answer;
  } catch (error) {
    unsure = error.status === 0 || error.status === 504 ? { text, key: idempotency } : { text: "", key: "" };
    throw error;
  }
}
