// The conflict page: the server renders it whole; here it is fetched again when the table changed, and its forms are
// sent without leaving the page. What somebody is typing is never taken from under their fingers.
import { say } from "./announce.js";
import { byId } from "./dom.js";
import { t } from "./language.js";
import { attempt, listen, steppers } from "./shell.js";
import { wireUndo } from "./work.js";

let shown = null;
let waiting = false;

const typing = () => byId("live").contains(document.activeElement) && document.activeElement.matches("input, select, textarea");

/** Puts the newest page in place of the old; what was unfolded stays so. */
function replace(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = page.getElementById("live");
  if (!fresh) return;
  const open = new Set([...byId("live").querySelectorAll("details[open] > summary")].map((one) => one.textContent));
  const focused = byId("live").contains(document.activeElement);
  byId("live").replaceChildren(...fresh.children);
  for (const one of byId("live").querySelectorAll("details > summary")) one.parentElement.open = open.has(one.textContent);
  steppers(byId("live"));
  if (focused) {
    const heading = byId("overview-title");
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
}

async function refresh() {
  if (typing()) {
    waiting = true;
    return;
  }
  waiting = false;
  const answer = await fetch(location.href, { cache: "no-store" });
  if (answer.ok) replace(await answer.text());
}

async function sent(form, submitter) {
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, submitter)) });
  const text = await answer.text();
  const words = new DOMParser().parseFromString(text, "text/html").querySelector("main > .error[role=alert]")?.textContent;
  if (!answer.ok) throw new Error(words ?? t("That was not possible. Try once more from this page."));
  replace(text);
}

byId("live").addEventListener("submit", (event) => {
  if (event.target.method !== "post") return;
  event.preventDefault();
  void attempt(() => sent(event.target, event.submitter));
});
byId("live").addEventListener("focusout", () => setTimeout(() => waiting && !typing() && refresh().catch(() => say(t("The page could not be fetched again."))), 0));

steppers();
wireUndo();
listen({
  sources: false,
  paint: (view) => {
    byId("undo-bar").hidden = !view.undo && !view.redo;
    byId("undo").textContent = view.undo ? t("Undo: {what}", { what: view.undo }) : t("Nothing to undo");
    byId("undo").disabled = !view.undo;
    byId("redo").hidden = !view.redo;
    const first = shown === null;
    if (shown === view.sequence) return;
    shown = view.sequence;
    if (!first) void attempt(refresh, null);
  },
});
