// The table's screen: shows, never asks. A result can be held still; the voice can be muted and repeated.
import "./awake.js";
import "./beat.js";
import { post } from "./api.js";
import { wireAsking } from "./ask.js";
import { byId } from "./dom.js";
import { listener, say } from "./ear.js";
import { keepFitting, keepLines, keepOneLine } from "./fit.js";
import { panelButton } from "./keys.js";
import { t } from "./language.js";
import { placeParts } from "./live.js";
import { attempt, captionOf, listen, setText, view } from "./shell.js";

const hold = byId("hold");
const mute = byId("mute");
const held = () => hold.getAttribute("aria-pressed") === "true";
let known = -1; // up to which press, here or elsewhere, this screen does as the kiosk says
let asked = 0; // presses here that the kiosk has not answered yet
let told = Promise.resolve();
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
  obey();
  still = before && held();
  if (still) setText(byId("caption"), view.menu || caption);
  document.body.toggleAttribute("data-newer", still && view.sequence !== painted);
  return still;
}

/** Holds or goes on as the newest view has it, unless that was made before what was pressed here. */
function obey() {
  if (asked || view.screen.holds <= known) return;
  known = view.screen.holds;
  keep(view.screen.held);
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
  if (!on) placeParts(newest);
}

let leaving = false; // a form of this page is under way, and leads on by itself
addEventListener("submit", () => { leaving = true; });

/** How the screen was chosen to be: turned round or not, and the size of what matters. */
function paintScreen({ screen }) {
  document.documentElement.toggleAttribute("data-flip", screen.flip);
  if (!listener.skin) document.documentElement.dataset.theme = screen.theme;
  const { diagonal_inches, distance_metres } = screen;
  const sized = `/display.css?${new URLSearchParams({ diagonal_inches, distance_metres })}`;
  if (byId("letters").getAttribute("href") !== sized) byId("letters").href = sized; // also where the page was made before
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
  if (!still) paintPlay(now);
  mute.setAttribute("aria-pressed", String(now.voice.muted));
  mute.hidden = !now.voice.available;
  byId("repeat").hidden = !now.voice.available;
}

for (const id of ["stage", "fight", "company"]) keepFitting(byId(id));
for (const id of ["caption", "troubles", "scene-traits"]) keepLines(byId(id));
keepOneLine(byId("turn").querySelector("dd"));
byId("controls").hidden = false;
/** Paints the newest view on a screen that goes on. */
function goOn() {
  still = false;
  document.body.removeAttribute("data-newer");
  setText(byId("caption"), view.menu || captionOf(view));
  paintPlay(view);
}

/** Tells every device that shows whether this screen is held, press after press; what others pressed meanwhile counts. */
async function tellHeld(on) {
  asked += 1;
  told = told.then(() => post("/api/v1/hold", { held: on })).then(({ holds }) => { known = holds; }, () => { known = -1; });
  await told;
  asked -= 1;
  obey();
  if (still && !held()) goOn();
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

listen({
  page: "display",
  paint,
  held: heldBack,
  onLive: () => { known = -1; }, // a kiosk that was started anew counts from the beginning
  onParts: (parts) => {
    newest = parts;
    placeParts(parts, (id) => !held() || id === "troubles"); // what is wrong is told on a held screen, too
  },
});
