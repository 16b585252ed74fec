// Forms that the server renders, sent without leaving the page they stand on.
import { key } from "./api.js";
import { t } from "./language.js";

const underWay = new Map();

/** The key of a tap on a form that has no answer yet: pressed again, it is the same tap. */
const unanswered = new WeakMap();

/**
 * Sends `form` as `submitter` would; the page it leads to, as text. A second tap while the first is under way is the same
 * tap. Raises what a person can do where it was refused.
 */
export function submitted(form, submitter) {
  const control = submitter ?? form;
  const sent = underWay.get(control) ?? sendForm(form, submitter).finally(() => underWay.delete(control));
  underWay.set(control, sent);
  return sent;
}

async function sendForm(form, submitter) {
  const body = new URLSearchParams(new FormData(form, submitter));
  if (!unanswered.has(form)) unanswered.set(form, key()); // the page's own may be of a page that this device kept
  body.set("tap", unanswered.get(form));
  let answer;
  try {
    answer = await fetch(form.action, { method: "POST", body });
  } catch {
    throw new Error(t("The kiosk does not answer. Look at the table when it is back, then try again."));
  }
  const text = await answer.text();
  const words = new DOMParser().parseFromString(text, "text/html").querySelector("main > .error[role=alert]")?.textContent;
  if (answer.ok) unanswered.delete(form);
  if (!answer.ok) throw new Error(words ?? t("That was not possible. Try once more from this page."));
  return text;
}
