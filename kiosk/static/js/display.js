// The table's screen: shows, never asks. A result can be held still; the voice can be muted and repeated.
import { post } from "./api.js";
import { say } from "./announce.js";
import { wireAsking } from "./ask.js";
import { byId, el } from "./dom.js";
import { keepFitting } from "./fit.js";
import { panelButton } from "./keys.js";
import { attempt, captionOf, listen, setText, view } from "./shell.js";
import { sourceWords, t } from "./language.js";
import { paintStage, turnHolder } from "./stage.js";
import { traitWords } from "./traits.js";

const WELL = new Set(["ready", "off", "absent"]);
const hold = byId("hold");
const mute = byId("mute");
const held = () => hold.getAttribute("aria-pressed") === "true";

/** Whether the screen is held; whoever looks at a held one is told that it waits. */
function heldBack() {
  if (held()) tellAway(t("This screen is held. Something newer waits: press Hold to see it."));
  return held();
}

let fought = "";

/** The conflict beside the stage: the server says it in words, and is asked again when something of it changed. */
async function paintFight({ table }) {
  const place = byId("fight");
  place.hidden = !table.conflict;
  const key = JSON.stringify([table.conflict, table.effects, table.agenda, table.ships, table.characters.map((one) => one.body)]);
  if (!table.conflict || key === fought) return;
  fought = key;
  const fresh = (await anew())?.getElementById("fight");
  if (fresh) place.replaceChildren(...fresh.children);
}

/** This page as the server gives it now; null where it answers with something else. */
async function anew() {
  const answer = await fetch(`/display?language=${document.documentElement.lang}`, { cache: "no-store" });
  return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
}

/** How phones join: a kiosk that was started anew may be open to the network now, or have another code. */
async function paintInvitation() {
  const page = await anew();
  for (const id of page ? ["invitation", "join"] : []) byId(id).replaceWith(page.getElementById(id));
}

function paintTraits({ table, stage }) {
  byId("scene-traits").hidden = !table.traits.length || !["idle", "ask"].includes(stage.kind);
  setText(byId("scene-traits"), table.traits.map(traitWords).join("; "));
}

const letters = document.querySelector('link[href^="/display.css"]');
let sized = null;

/** How the screen was chosen to be: turned round or not, and the size of what matters. */
function paintScreen({ screen }) {
  document.documentElement.toggleAttribute("data-flip", screen.flip);
  const size = `${screen.diagonal_inches}-${screen.distance_metres}`;
  if (sized !== null && sized !== size) letters.href = `/display.css?${size}`;
  sized = size;
}

/** Whose Turn it is, in its own place while there is a conflict. */
function paintTurn({ table }) {
  const place = byId("turn");
  place.hidden = !table.conflict;
  setText(place.querySelector("dd"), turnHolder(table) || t("nobody yet"));
}

function paint(now) {
  if (now.room_language && now.room_language !== document.documentElement.lang) location.reload();
  paintScreen(now);
  if (!held()) paintTurn(now);
  if (!held()) paintTraits(now);
  if (!held()) void attempt(() => paintFight(now), null);
  if (!held() && now.menu) setText(byId("caption"), now.menu);
  const lines = now.sources.filter((one) => !WELL.has(one.state) || (one.state === "off" && one.remedy)).map((one) => `${sourceWords(one)} ${one.remedy}`.trim());
  byId("troubles").replaceChildren(...lines.map((line) => el("span", {}, line)));
  mute.setAttribute("aria-pressed", String(now.voice.muted));
  mute.hidden = !now.voice.available;
  byId("repeat").hidden = !now.voice.available;
}

keepFitting(byId("stage"));
keepFitting(byId("fight"), 0.4); // what is still too long is scrolled to
byId("controls").hidden = false;
hold.addEventListener("click", () => {
  const now = !held();
  hold.setAttribute("aria-pressed", String(now));
  say(now ? t("This screen is held.") : t("This screen is live again."));
  if (!now) paintAway();
  if (!now && view) {
    byId("momentum").textContent = t("{left} of {most}", { left: view.table.momentum, most: 6 });
    byId("threat").textContent = String(view.table.threat);
    byId("caption").textContent = view.menu || captionOf(view);
    paintStage(byId("stage"), view);
  }
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
for (const button of document.querySelectorAll("[data-throw]")) {
  button.addEventListener("click", () => attempt(() => post("/api/v1/demo/throw", { where: button.dataset.throw }), byId("error")));
}

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
listen({ paint, held: heldBack });
