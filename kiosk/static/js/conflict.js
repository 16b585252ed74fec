// The conflict page: the server renders it whole; here it is fetched again when the table changed, and its forms are
// sent without leaving the page. What somebody is typing is never taken from under their fingers.
import { say } from "./announce.js";
import { keepChoices, named, nameOf, wireActing } from "./acting.js";
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
  const live = byId("live");
  const focused = live.contains(document.activeElement) ? nameOf(document.activeElement) : "";
  const turn = turnOf(live);
  const known = new Map([...live.querySelectorAll("summary")].map((one) => [nameOf(one), one.parentElement.open]));
  const acting = live.querySelector("#acting");
  const forms = fresh.querySelector("#acting");
  if (acting && forms && acting.dataset.who === forms.dataset.who) keepChoices(acting, forms);
  live.replaceChildren(...fresh.children);
  fold();
  for (const one of live.querySelectorAll("summary")) one.parentElement.open = known.get(nameOf(one)) ?? one.parentElement.open;
  wireActing(live);
  steppers(live);
  if (!focused) return;
  const begun = turnOf(live) && turnOf(live) !== turn;
  const next = !begun && named(live, focused);
  if (next) next.focus({ preventScroll: true });
  else land(byId(begun ? "acting-title" : "overview-title"), begun);
}

/** Whose Turn it is, where they act on this page. */
const turnOf = (live) => live.querySelector("#acting[data-turn]")?.dataset.who ?? "";

function land(heading, inView) {
  heading.tabIndex = -1;
  heading.focus({ preventScroll: !inView });
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
wireActing(byId("live"));
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
