// What is heard on this device: by a screen reader; and aloud, where its listener chose so.
import { byId } from "./dom.js";

// A screen reader: one sentence for each event, in turn in four regions, so that the same words are heard again.
const TOGETHER = 200, STAYS = 8_000;
const regions = [1, 2, 3, 4].map((number) => byId(`status-${number}`));
const gathered = new Map();
let turn = 0, due = 0;

/** Says `text` politely. What comes within a fifth of a second is said together; of one `about`, only the newest. */
export function say(text, about = text) {
  if (!text) return;
  gathered.delete(about);
  gathered.set(about, text);
  due ||= setTimeout(() => {
    const before = regions[turn].firstChild; // a busy screen reader looks for it late, and says nothing of what is gone
    [due, turn] = [0, (turn + 1) % regions.length];
    regions[turn].firstChild?.remove(); // one that loses all it holds has every `:has()` of the page looked at
    regions[turn].textContent = [...gathered.values()].join(" ");
    setTimeout(() => before?.remove(), before?.data === regions[turn].textContent ? 0 : STAYS);
    gathered.clear();
  }, TOGETHER);
}

/** Says `text` at once: only when someone must answer. An empty text ends it. Whether it is said now. */
export function alertOf(text) {
  const place = byId("alert");
  if (place.textContent === text) return false;
  place.textContent = text;
  return Boolean(text);
}

// Aloud.
/** The choices of this device's listener; `keepAtOnce` in voice.js renews them. A page without them is silent. */
export const listener = { ear: "off", length: "normal", keys: {}, ...JSON.parse(document.documentElement.dataset.listener || "{}") };

/** One element for everything: a browser that let it sound once, on a tap, lets it sound again. */
const player = new Audio();
const SILENCE = "/api/v1/sounds/silence.wav";
const MOST_WAITING = 4;
let now = null, waiting = [], unlocked = false;

const hint = (shown) => byId("ear-hint")?.toggleAttribute("hidden", !shown);

/** Browsers let a page sound only after its person did something on it: the first tap or key counts. */
function unlock() {
  if (unlocked || listener.ear === "off") return;
  unlocked = true;
  hint(false);
  if (now) return;
  player.src = SILENCE;
  player.play().catch(() => { unlocked = false; });
}
for (const event of ["pointerup", "keydown"]) addEventListener(event, unlock, { passive: true });

/** The words of a narration as this listener wants them. */
export const wordsOf = (narration) => narration?.[listener.length] ?? "";

/** The address of a narration's sound, in this listener's manner. */
export function soundOf(id, length = listener.length) {
  const { rate, volume, voice } = listener;
  const wanted = new URLSearchParams({ length, rate, volume, voice, language: document.documentElement.lang });
  return `/api/v1/speech/${encodeURIComponent(id)}.wav?${wanted}`;
}

/** Tells of a narration: aloud where this device speaks, else to the screen reader, unless the alert has just `alerted` of it. */
export function tell(narration, sounds, available, alerted = false) {
  const line = {
    id: narration.id, text: wordsOf(narration), brief: narration.terse, length: listener.length, available,
    lasting: narration.kind === "outcome" || narration.kind === "question",
    sounds: [listener.earcons && sounds?.player, listener.tones && sounds?.how].filter(Boolean),
  };
  if (listener.ear === "off") {
    const words = alerted && narration.kind === "question" ? "" : line.text;
    const about = `told ${line.id}`; // two throws that come to the same are both told
    if (line.sounds.length) void playAll(line.sounds).finally(() => say(words, about));
    else say(words, about);
    return;
  }
  if (line.lasting) {
    waiting = waiting.filter((one) => one.lasting);
    if (now && !now.lasting) stop();
  }
  waiting.push(line);
  if (waiting.length > MOST_WAITING) waiting.splice(Math.max(0, waiting.findIndex((one) => !one.lasting)), 1); // detail first
  void next();
}

/** Answers a question at once, in place of what is being said. */
export function answer(id, text, length, available) {
  if (listener.ear === "off") return say(text);
  waiting = waiting.filter((one) => one.lasting);
  stop();
  waiting.unshift({ id, text, brief: text, length, available, lasting: false, sounds: [] });
  return void next();
}

/** Ends what is being played: it counts as heard. */
let cut = () => {};

/** Falls silent. */
export function stop() {
  player.pause();
  cut();
  globalThis.speechSynthesis?.cancel();
}

async function next() {
  if (now || !waiting.length) return;
  now = waiting.shift();
  const behind = waiting.some((one) => one.lasting);
  try {
    await playAll(now.sounds);
    await speak({ ...now, text: behind ? now.brief : now.text, length: behind ? "terse" : now.length });
  } catch {
    hint(!unlocked);
    say(now.text);
  } finally {
    now = null;
    void next();
  }
}

async function playAll(names) {
  for (const name of names) await play(`/api/v1/sounds/${name}.wav`).catch(() => {});
}

const speak = (line) => (listener.ear === "device" || !line.available ? byDevice(line) : play(soundOf(line.id, line.length)));

function play(address) {
  return new Promise((resolve, reject) => {
    cut(); // whoever waits for what sounded goes on
    cut = player.onended = resolve;
    player.onerror = () => reject(new Error("silent"));
    player.src = address;
    player.play().catch(reject);
  });
}

/** The device's own voice. If it never begins, the words are shown. */
function byDevice({ text }) {
  const speech = globalThis.speechSynthesis;
  if (!speech) return Promise.reject(new Error("voiceless"));
  return new Promise((resolve, reject) => {
    const said = new SpeechSynthesisUtterance(text);
    said.lang = document.documentElement.lang;
    said.rate = listener.rate;
    said.volume = Math.min(1, listener.volume / 100);
    const late = setTimeout(() => { reject(new Error("silent")); speech.cancel(); }, 3_000); // what was read by now is not said later
    said.onstart = () => clearTimeout(late);
    said.onend = resolve;
    said.onerror = (event) => (["interrupted", "canceled"].includes(event.error) ? resolve() : reject(new Error(event.error)));
    speech.speak(said);
  });
}

if (listener.ear === "kiosk") hint(!navigator.userActivation?.hasBeenActive);
