// The table's screen: shows, never asks. A result can be held still; the voice can be muted and repeated.
import "./awake.js";
import "./beat.js";
import { post } from "./api.js";
import { wireAsking } from "./ask.js";
import { byId } from "./dom.js";
import { listener, say } from "./ear.js";
import { COMPANY, fightLayouts, keepFitting, keepLines, keepOneLine, STAGE } from "./fit.js";
import { panelButton } from "./keys.js";
import { t } from "./language.js";
import { pageAnew, placeParts } from "./live.js";
import { attempt, captionOf, listen, setText, view } from "./shell.js";

const hold = byId("hold");
const mute = byId("mute");
const held = () => hold.getAttribute("aria-pressed") === "true";
const ECHO = 1_000; // milliseconds in which views from before a press here may still come after its answer
let heard = false; // what the kiosk said last of holding
let wanted = null; // what was pressed here, until the kiosk says the same: views that it made before say nothing
let waiting = 0; // presses that it has not answered yet
let echo = 0;
let told = Promise.resolve();
let views = 0;
let still = false; // whether the newest view was not painted
let painted = 0;
let newest = {}; // what the server rendered last, also while this screen is held
let caption = "";
let menu = null; // what the spoken menu last said here
let decided = ""; // the decision after which it said so

/** Whether the newest view stays unpainted. The one with which holding begins is painted: it came before. */
function heldBack() {
  const before = held();
  sayMenu(view);
  views += 1;
  if (wanted === null && view.screen.held !== heard) keep(view.screen.held);
  if (wanted === view.screen.held && !waiting) wanted = null;
  heard = view.screen.held;
  still = before && held();
  if (still) {
    setText(byId("caption"), view.menu || caption);
    if (view.sequence !== painted) tellAway(t("This screen is held. Something newer waits: press Hold to see it."));
  }
  return still;
}

/** Says what the spoken menu says, without the decision before it that is told by itself. */
function sayMenu({ menu: words, narration, voice }) {
  if (words === menu) return;
  const told = narration && narration.id !== decided ? narration[voice.length] : "";
  if (menu !== null) say(words.startsWith(told) ? words.slice(told.length).trim() : words);
  menu = words;
  decided = narration?.id ?? "";
}

/** Holds this screen or lets it go on. */
function keep(on) {
  if (held() === on) return;
  hold.setAttribute("aria-pressed", String(on));
  say(on ? t("This screen is held.") : t("This screen is live again."));
  if (on) return;
  placeParts(newest);
  paintAway();
}

/** How phones join: the kiosk may be open to the network now, or closed, or have another code. */
const paintInvitation = () => pageAnew(["invitation", "join"]);

const letters = document.querySelector('link[href^="/display.css"]');
let leaving = false; // a form of this page is under way, and leads on by itself
addEventListener("submit", () => { leaving = true; });
let sized = null;
let opened = byId("join").hasAttribute("data-open"); // as this page came

/** Whether phones are let in, and whether their code stands in the middle: until the first dice are thrown. */
function paintEntry({ open_to_network: open, table }) {
  if (opened !== open) void attempt(paintInvitation, null);
  opened = open;
  if (open) document.querySelector('.first-steps[data-step="phones"]')?.remove(); // somebody has let them in elsewhere
  if (table.last_task || table.conflict_end) byId("join").removeAttribute("data-first");
}

/** How the screen was chosen to be: turned round or not, and the size of what matters. */
function paintScreen({ screen }) {
  document.documentElement.toggleAttribute("data-flip", screen.flip);
  if (!listener.skin) document.documentElement.dataset.theme = screen.theme;
  const size = `${screen.diagonal_inches}-${screen.distance_metres}`;
  if (sized !== null && sized !== size) letters.href = `/display.css?${size}`;
  sized = size;
}

/** What a held screen keeps as it is; its parts stay so too. */
function paintPlay(now) {
  painted = now.sequence;
  if (now.menu) setText(byId("caption"), now.menu);
  caption = captionOf(now);
}

function paint(now) {
  if (now.room_language && now.room_language !== document.documentElement.lang && !leaving) location.reload();
  paintScreen(now);
  paintEntry(now);
  if (!still) paintPlay(now);
  mute.setAttribute("aria-pressed", String(now.voice.muted));
  mute.hidden = !now.voice.available;
  byId("repeat").hidden = !now.voice.available;
}

keepFitting(byId("stage"), () => STAGE);
keepFitting(byId("fight"), fightLayouts);
keepFitting(byId("company"), () => COMPANY);
for (const id of ["caption", "troubles", "scene-traits"]) keepLines(byId(id));
keepOneLine(byId("turn").querySelector("dd"));
byId("controls").hidden = false;
/** Paints the newest view on a screen that goes on. */
function goOn() {
  still = false;
  setText(byId("caption"), view.menu || captionOf(view));
  paintPlay(view);
}

/** Tells every device that shows whether this screen is held, press after press; what others pressed meanwhile counts. */
async function tellHeld(on) {
  wanted = on;
  waiting += 1;
  clearTimeout(echo);
  let taken = true;
  told = told.then(() => post("/api/v1/hold", { held: on })).catch(() => { taken = false; });
  await told;
  waiting -= 1;
  if (waiting) return;
  const before = views;
  echo = setTimeout(() => {
    if (wanted === null) return;
    wanted = null;
    if (taken && views === before) heard = on; // it said so, and nothing since
    if (!taken || views === before || held() === view.screen.held) return;
    keep(view.screen.held);
    if (!held()) goOn();
  }, ECHO);
}

/** Here at once; a kiosk that does not answer costs only the others. */
hold.addEventListener("click", () => {
  keep(!held());
  if (!held() && view) goOn();
  void tellHeld(held());
});
mute.addEventListener("click", () => attempt(() => post("/api/v1/voice", { muted: !view?.voice.muted }), byId("error")));
/** The room's speaker answers keys and the button; the words stand in the caption. */
wireAsking(() => view, { room: true, show: (text) => setText(byId("caption"), text) });
let pressed = Promise.resolve();
addEventListener("keydown", (event) => {
  const gesture = panelButton(event);
  if (!gesture) return;
  event.preventDefault();
  pressed = pressed.then(() => attempt(() => post("/api/v1/panel", { gesture }), byId("error"))); // in the order pressed
});

const link = byId("link");
const AWAY_AFTER = 8_000;
let away = 0;
let broken = false;

/** What the small word at the top means for the people at the table, and what they can do. */
function paintAway() {
  const { state } = link.dataset;
  const words = {
    offline: t("This screen has no network. What it shows may be old. Look after its network; it goes on by itself."),
    stale: t("The kiosk does not answer. What is shown here may be old. This screen goes on trying by itself; if it stays so, look whether the kiosk runs, and run trueroll doctor on it."),
    polling: t("So many screens are live already that this one asks every 3 seconds. Close one that nobody looks at."),
  }[state === "live" && "polling" in link.dataset ? "polling" : state];
  tellAway(words);
}

function tellAway(words) {
  byId("away").hidden = !words;
  setText(byId("away"), words ?? "");
}

new MutationObserver(() => {
  if (["stale", "offline"].includes(link.dataset.state)) {
    broken = true;
    away ||= setTimeout(paintAway, AWAY_AFTER); // a short break needs no words
    return;
  }
  if (broken && link.dataset.state === "live") void attempt(paintInvitation, null);
  broken = false;
  clearTimeout(away);
  away = 0;
  paintAway();
}).observe(link, { attributes: true, attributeFilter: ["data-state", "data-polling"] });
listen({
  page: "display",
  paint,
  held: heldBack,
  onParts: (parts) => {
    newest = parts;
    placeParts(parts, (id) => !held() || id === "troubles"); // what is wrong is told on a held screen, too
  },
});
