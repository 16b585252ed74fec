// Requests to the kiosk, and its answers.
import { t } from "./language.js";

/** What the kiosk refused, in words; `kind` is the problem's type, as "/problems/ask-first". */
export const refused = (words, status, kind = "") => Object.assign(new Error(words), { status, kind });

/** POSTs JSON; resolves to the answer's JSON, throws what `refused` makes, with words for the person. */
export const post = (path, body) => sendBody(path, JSON.stringify(body), "application/json");

/** POSTs the fields of a form of the server's; answered as JSON is. */
export const postForm = (action, fields, signal) =>
  sendBody(`/text/${action}`, new URLSearchParams(fields).toString(), "application/x-www-form-urlencoded", signal);

/** Milliseconds that a picture may take on its way and while it is read. */
const PICTURE_LONGEST = 60_000;

/** POSTs a picture's file for the throw awaited as `number`. */
export const postPicture = (file, number) =>
  sendBody(`/api/v1/pictures?request=${number}`, file, file.type || "image/jpeg", AbortSignal.timeout(PICTURE_LONGEST));

async function sendBody(path, body, type, signal) {
  let answer = null, json = {};
  try {
    answer = await fetch(path, { method: "POST", headers: { "Content-Type": type, "X-Trueroll": "1" }, body, signal });
    json = await answer.json();
  } catch {
    if (!answer || answer.ok) throw refused(t("The kiosk does not answer. Nothing was sent twice; try again when it is back."), 0); // none came, or it broke off
  }
  if (!answer.ok) throw refused(json.detail ?? t("The kiosk answered {status}. Try again.", { status: answer.status }), answer.status, json.type);
  return json;
}
