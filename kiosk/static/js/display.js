// The table's screen: shows, never asks. A result can be held still; the voice can be muted and repeated.
import "./awake.js";
import "./beat.js";
import { post } from "./api.js";
import { freeKey } from "./ask.js";
import { byId } from "./dom.js";
import { listener, say } from "./ear.js";
import { keepFitting, keepLines, keepOneLine } from "./fit.js";
import "./forms.js";
import { t } from "./language.js";
import { placeParts, view } from "./live.js";
import { attempt, listen } from "./shell.js";

const hold = byId("hold");
const held = () => hold.getAttribute("aria-pressed") === "true";

/** The parts that a held screen still updates: troubles, the spoken menu, and the screen's own state. */
const ALWAYS = new Set(["troubles", "menu", "repeat", "mute", "letters"]);

let known = -1; // up to which press, here or elsewhere, this screen does as the kiosk says
let asked = 0; // presses here that the kiosk has not answered yet
let told = Promise.resolve();
let painted = 0; // the table that is shown
let newest = {}; // what the server rendered last, also while this screen is held
let menu = null, decided = ""; // what the spoken menu last said here, and the decision after which it said so

/** Holds or goes on as in the newest view, unless that is older than the last press here. */
function obey() {
  if (asked || view().screen.holds <= known) return;
  known = view().screen.holds;
  keep(view().screen.held);
}

/** Says the words of the spoken menu, without the decision before them, which is said by itself. */
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
  painted = view()?.sequence ?? 0;
  document.body.removeAttribute("data-newer");
}

let leaving = false; // a form of this page is under way, and leads on by itself
addEventListener("submit", ({ defaultPrevented }) => { leaving = !defaultPrevented; });

/** Updates what is not a part; the table with which holding begins is still shown. */
function paint(now) {
  if (!held()) painted = now.sequence;
  sayMenu(now);
  obey();
  document.body.toggleAttribute("data-newer", now.sequence !== painted);
  if (now.room_language && now.room_language !== document.documentElement.lang && !leaving && !held()) location.reload();
  document.documentElement.toggleAttribute("data-flip", now.screen.flip);
  if (!listener.skin) document.documentElement.dataset.theme = now.screen.theme;
}

/** Tells every device whether this screen is held, press after press; others' presses count, too. */
async function tellHeld(on) {
  asked += 1;
  told = told.then(() => post("/api/v1/hold", { held: on })).then(({ holds }) => { known = holds; }, () => { known = -1; });
  await told;
  asked -= 1;
  obey();
}

/** At once here; only the other devices depend on the kiosk's answer. */
hold.addEventListener("click", () => { keep(!held()); void tellHeld(held()); });

/** The panel's buttons that keys stand for here, where no control has the focus. */
const PANEL = { ArrowDown: "next", ArrowRight: "next", ArrowUp: "previous", ArrowLeft: "previous", Enter: "confirm", Backspace: "undo", Escape: "back" };
let pressed = Promise.resolve();
addEventListener("keydown", (event) => {
  const gesture = PANEL[event.key];
  if (!gesture || !listener.keys.panel || !freeKey(event) || event.target.closest?.("button, a, summary, [tabindex='0']")) return;
  event.preventDefault();
  pressed = pressed.then(() => attempt(() => post("/api/v1/panel", { gesture }))); // in the order pressed
});

listen({
  page: "display",
  paint,
  onLive: () => { known = -1; }, // a kiosk that was started anew counts from the beginning
  onParts: (parts) => { newest = parts; placeParts(parts, (id) => !held() || ALWAYS.has(id)); },
});

// First the parts that take room from others, which else are fitted twice.
for (const id of ["caption", "menu", "troubles", "scene-traits"]) keepLines(byId(id));
keepOneLine(byId("turn").querySelector("dd"));
for (const id of ["stage", "fight", "company"]) keepFitting(byId(id));
