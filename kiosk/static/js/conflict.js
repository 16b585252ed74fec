// The conflict page: the server renders it whole; here it is fetched again when the table changed, and its forms are
// sent without leaving the page. What somebody is typing is never taken from under their fingers.
import { say } from "./announce.js";
import { wireAsking } from "./ask.js";
import { byId } from "./dom.js";
import { place } from "./forms.js";
import { t } from "./language.js";
import { awaits } from "./photograph.js";
import { submitted } from "./plain.js";
import { acted, attempt, listen, OWN_DOING, view } from "./shell.js";

let shown = null;
let waiting = false;
let asked = 0;

const typing = () => byId("live").contains(document.activeElement) && document.activeElement.matches("input, select, textarea");

/** On a phone only what whoever acts needs at once is unfolded: their own station, and what has to be answered. */
function fold() {
  if (!matchMedia("(max-width: 40rem)").matches) return;
  for (const one of byId("live").querySelectorAll("details[data-fold]")) one.open = one.dataset.fold === "own";
}

/** What an action's form needs is loaded when one is opened. */
const forms = () => import("./acting.js");

/** Puts the page that `fetched` brings in place of the old, unless a newer one came or was asked for, or `kept()` says no. */
async function replace(fetched, kept = () => false) {
  const mine = asked;
  const text = await fetched;
  const { keepChoices, named, nameOf } = await forms();
  if (mine !== asked || kept()) return;
  asked += 1;
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = page.getElementById("live");
  if (!fresh) return;
  const live = byId("live");
  const active = live.contains(document.activeElement) ? document.activeElement : null;
  const focused = active ? nameOf(active) : "";
  const turn = turnOf(live);
  const known = new Map([...live.querySelectorAll("summary")].map((one) => [nameOf(one), one.parentElement.open]));
  const acting = live.querySelector("#acting");
  const next = fresh.querySelector("#acting");
  if (acting && next && acting.dataset.who === next.dataset.who) keepChoices(acting, next);
  live.replaceChildren(...fresh.children);
  fold();
  for (const one of live.querySelectorAll("summary")) one.parentElement.open = known.get(nameOf(one)) ?? one.parentElement.open;
  if (!focused) return;
  const begun = Date.now() - acted < OWN_DOING && turnOf(live) && turnOf(live) !== turn;
  const same = !begun && named(live, focused);
  if (same) same.focus({ preventScroll: true });
  else land((begun && byId("acting-title")) || (active.matches("h2") && byId(active.id)) || byId("overview-title"), begun);
}

/** Whose Turn it is, where they act on this page. */
const turnOf = (live) => live.querySelector("#acting[data-turn]")?.dataset.who ?? "";

function land(heading, inView) {
  heading.tabIndex = -1;
  heading.focus({ preventScroll: !inView });
}

async function refresh() {
  const kept = () => waiting = typing();
  if (kept()) return;
  asked += 1;
  await replace(newest(), kept);
}

async function newest() {
  const answer = await fetch(location.href, { cache: "no-store" });
  if (!answer.ok) throw new Error(t("The page could not be fetched again."));
  return answer.text();
}

byId("live").addEventListener("submit", (event) => {
  if (event.target.method !== "post" || event.target.matches("[data-act]")) return;
  event.preventDefault();
  void attempt(() => replace(submitted(event.target, event.submitter)));
});
byId("live").addEventListener("focusout", () => setTimeout(() => waiting && !typing() && refresh().catch(() => say(t("The page could not be fetched again."))), 0));

byId("live").addEventListener("toggle", ({ target }) => {
  if (target.open && target.matches(".action")) forms().then(({ opened }) => opened(target), () => {});
}, true);

/** What the address names is unfolded, whatever it lies in. */
function unfoldNamed() {
  const named = location.hash && byId(location.hash.slice(1));
  if (!named) return;
  for (let one = named; one; one = one.parentElement.closest("details")) one.open = true;
  named.scrollIntoView({ block: "start" });
}

fold();
unfoldNamed();
wireAsking(() => view);
listen({
  page: "phone",
  onParts: place,
  sources: false,
  paint: (view) => {
    awaits(view.table.request?.number ?? 0);
    const first = shown === null;
    if (shown === view.sequence) return;
    shown = view.sequence;
    if (!first) void attempt(refresh, null);
  },
});
