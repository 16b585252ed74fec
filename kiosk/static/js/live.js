// The live connection from the kiosk: an EventSource while the page is seen; asking, where no live place is left.
import htmx from "../htmx/htmx.js";
import { byId } from "./dom.js";
import { t } from "./language.js";

const SILENCE = 10_000;
const POLL = 3_000;
const SOON_FREE = 2; // answers without a place until those of pages that were left are free
/** How this page names itself to the kiosk, so that the forms on it go with it and with no other page. */
export const TAB = Math.random().toString(36).slice(2);

/** The kiosk's own screen reaches it without any network. */
const OWN = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

let newest = null;

/** The newest view; pages read it when someone taps. */
export const view = () => newest;

/** Whether this device knows that it cannot reach the kiosk. */
export const withoutNetwork = () => !OWN && navigator.onLine === false;

/**
 * Calls `onTable(view)` with each state of the table, and before it `onParts(parts)` with what the server renders of it
 * for `page`, HTML by id; `onSource(status)` with each change of a source, and `onLink(state, words, polling)` with how the
 * connection is: starting, live, stale or offline; live by asking or not.
 * `onHidden()`, of the gamemaster's page, is called whenever the hidden rolls may have changed. `me()` says whom the parts
 * are for; `again()` of what is returned asks anew when that has changed.
 */
export function live({ page, me, onTable, onParts, onSource = () => {}, onLink, onHidden = null }) {
  let stream = null, lost = 0, again = 0, asked = 0, heard = Date.now(), opened = false;

  const well = () => { heard = Date.now(); lost = 0; };
  const troubled = () => {
    lost ||= Date.now();
    const seconds = Math.round((Date.now() - heard) / 1000);
    if (navigator.onLine === false) onLink("offline", t("Offline: this device has no network"));
    else if (!OWN && opened && !newest.open_to_network) onLink("stale", t("Phones are kept out: ask the gamemaster to let them in"));
    else onLink("stale", t("Stale: no word for {seconds} s, trying again", { seconds }));
  };

  /** Follows the table; `once` only fetches its present state, for when no live place is left. */
  function open(once = false) {
    close();
    const wanted = new URLSearchParams({ language: document.documentElement.lang, parts: page, me: me(), tab: TAB });
    stream = new EventSource(`${once ? "/parts/now" : "/api/v1/events"}?${wanted}${onHidden ? "&hidden=yes" : ""}`);
    let came = false;
    for (const name of ["snapshot", "table", "source", "journal", "beat"]) stream.addEventListener(name, well);
    stream.addEventListener("snapshot", () => {
      came = true;
      asked = once ? asked + 1 : 0;
      if (!once || asked > SOON_FREE) onLink("live", once ? t("Asking every 3 seconds") : t("Live"), once);
      onHidden?.();
    });
    if (onHidden) stream.addEventListener("hidden", onHidden);
    for (const name of ["snapshot", "table"]) stream.addEventListener(name, ({ data }) => { newest = JSON.parse(data); opened ||= newest.open_to_network; onTable(newest); });
    const beside = (words) => Object.entries(words).forEach(([id, text]) => byId(id)?.textContent !== text && byId(id)?.replaceChildren(text));
    for (const [name, take] of Object.entries({ parts: onParts, source: onSource, beside })) stream.addEventListener(name, ({ data }) => take(JSON.parse(data)));
    stream.onerror = ({ target }) => {
      if (!once && target.readyState === EventSource.CLOSED) return void open(true); // refused: where the table comes all the same, it is full
      if (!once || !came) troubled();
      if (once) { close(); again = setTimeout(open, POLL); }
    };
  }

  const close = () => { clearTimeout(again); stream?.close(); };

  /** A phone that left the network gets no error: so a connection without a beat is closed. */
  function watch() {
    if (document.hidden) return;
    if (!lost && Date.now() - heard < SILENCE) return;
    if (!lost) open();
    troubled();
  }

  addEventListener("offline", () => OWN || troubled());
  addEventListener("online", () => open());
  document.addEventListener("visibilitychange", () => {
    close();
    if (document.hidden) return void onLink("stale", t("Paused while unseen"));
    well();
    open();
  });
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => event.persisted && open());
  setInterval(watch, 2_000);
  if (!document.hidden) open();
  return { again: () => document.hidden || open() };
}

// Puts the server's parts in place. Elements that stay keep their focus and their selection.
/** Attributes that scripts set on a part, unknown to the server. */
htmx.config.morphIgnore.push("style", "tabindex", "data-without", "data-tight", "data-long", "data-playing", "data-came", "data-active", "open");

/** A refusal and its way out stay in a form until something else is sent. */
htmx.config.morphSkip = "[data-fresh] > form > [data-error]:not([hidden])";

/** No element has htmx's own attributes: searching for them is slow. */
htmx.initialize = () => {};

/** Puts new elements in the place of an old one, as htmx does it: without the requests, events and classes that it has round it. */
let morph = null;

/** An open form stays until it comes itself: the copy in the other parts has nothing chosen in it. */
htmx.registerExtension("opened", {
  init: (internal) => { morph = internal.morph; },
  htmx_before_morph_node: ({ dataset: before }, { newNode: { dataset: now } }) =>
    !("live" in before && !("live" in now) && before.fresh === now.fresh),
});

const placed = new Map();

/** Forgets a part: something else was put in its place, or will be. */
export const forgetPart = (id) => placed.delete(id);

/** A part that is words alone: its tag, and the words as they are. */
const WORDS = /^(<[^<>]+>)([^<&]+)<\/\w+>$/;

/** Which parts this page came with, as the server has stamped them, and the ids of those that it has otherwise. */
let [came, ...otherwise] = document.documentElement.dataset.shows.split(" ");

/** Puts each of `parts`, HTML by the id of the element that it replaces, in place; what did not change is not touched. */
export function placeParts({ stamp, ...parts }, wanted = () => true) {
  const there = stamp && stamp === came;
  if (stamp) came = null; // what comes after it is news
  for (const [id, html] of Object.entries(parts)) {
    const target = byId(id);
    if (!html || !target || !wanted(id) || placed.get(id) === html) continue;
    const before = placed.get(id);
    placed.set(id, html);
    if (there && before === undefined && !otherwise.includes(id)) continue;
    const [, tag, words] = WORDS.exec(html) ?? [];
    if (words && target.firstChild?.data && WORDS.exec(before)?.[1] === tag) target.firstChild.data = words; // as most taps do
    else morph(target, Object.assign(document.createElement("template"), { innerHTML: html }).content, false);
  }
}
