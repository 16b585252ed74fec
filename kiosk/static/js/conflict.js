// The conflict page: the server renders it whole; here it is fetched again when the table changed, and its forms are
// sent without leaving the page. What somebody is typing is never taken from under their fingers.
import { say } from "./announce.js";
import { wireAsking } from "./ask.js";
import { byId } from "./dom.js";
import { t } from "./language.js";
import { submitted } from "./plain.js";
import { attempt, listen, steppers, view } from "./shell.js";
import { wireUndo } from "./work.js";

let shown = null;
let waiting = false;

const typing = () => byId("live").contains(document.activeElement) && document.activeElement.matches("input, select, textarea");

/** On a phone only what whoever acts needs at once is unfolded: their own station, and what has to be answered. */
function fold() {
  if (!matchMedia("(max-width: 40rem)").matches) return;
  for (const one of byId("live").querySelectorAll("details[data-fold]")) one.open = one.dataset.fold === "own";
}

/** Puts the newest page in place of the old; what was unfolded stays so. */
function replace(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = page.getElementById("live");
  if (!fresh) return;
  const known = new Map([...byId("live").querySelectorAll("details > summary")].map((one) => [one.textContent, one.parentElement.open]));
  const focused = byId("live").contains(document.activeElement);
  byId("live").replaceChildren(...fresh.children);
  fold();
  for (const one of byId("live").querySelectorAll("details > summary")) one.parentElement.open = known.get(one.textContent) ?? one.parentElement.open;
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

byId("live").addEventListener("submit", (event) => {
  if (event.target.method !== "post") return;
  event.preventDefault();
  void attempt(async () => replace(await submitted(event.target, event.submitter)));
});
byId("live").addEventListener("focusout", () => setTimeout(() => waiting && !typing() && refresh().catch(() => say(t("The page could not be fetched again."))), 0));

fold();
wireAsking(() => view);
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
