// The gamemaster: everything a player does, and Threat, traits, scenes, sources, and rolls that nobody else sees.
import "./app.js";
import "./ask.js";
import { wireEntry } from "./dice.js";
import { byId, focusOn } from "./dom.js";
import { say } from "./ear.js";
import { place } from "./forms.js";
import { placeParts } from "./live.js";
import { listen, ownDoing } from "./shell.js";

const told = () => new Map([...document.querySelectorAll(".hidden-roll")].map((one) => [one.id, one.dataset.told]));
let asked = 0;

/** Fetches the hidden rolls, which no other view has. Whoever took a step here is led to what it came to, and is told. */
async function showHidden() {
  const mine = ++asked;
  const answer = await fetch(`/parts/hidden?language=${document.documentElement.lang}`, { cache: "no-store" });
  if (!answer.ok) return;
  const parts = await answer.json();
  if (mine !== asked) return;
  const before = told();
  const within = document.activeElement?.closest(".hidden-roll");
  placeParts(parts);
  wireEntry(byId("hidden"));
  const [id, words] = ownDoing() ? [...told()].find(([one, now]) => before.get(one) !== now) ?? [] : [];
  if (!id && within && !document.activeElement?.closest(".hidden-roll")) focusOn(byId("stage")); // what was there is shown to all, or gone
  if (!id) return;
  byId(id).closest("details")?.setAttribute("open", ""); // behind a newer roll it comes folded
  (byId(id).querySelector(".entry input") ?? byId(id).querySelector(".stage")).focus();
  say(words);
}

wireEntry(byId("hidden"));
listen({ page: "gm", onParts: place, onHidden: () => showHidden().catch(() => {}) }); // the connection says so itself
