// The conflict page, fetched again when the table changed: what somebody has typed, chosen or unfolded stays.
import "./ask.js";
import { byId, focusOn } from "./dom.js";
import { place } from "./forms.js";
import { wake } from "./fresh.js";
import { listen, ownDoing } from "./shell.js";

// The address may open a form as it began: what somebody then chooses in it stays when the page is fetched anew.
const who = new URLSearchParams(location.search).get("who") ?? "";
if (location.search.includes("deed=")) history.replaceState(null, "", `${location.pathname}?who=${encodeURIComponent(who)}${location.hash}`);

/** On a phone only the most urgent things are unfolded: the actor's own station, and open questions. */
const folded = new WeakSet();
function fold() {
  if (!matchMedia("(max-width: 40rem)").matches) return;
  for (const one of byId("live").querySelectorAll("details[data-fold]")) {
    if (!folded.has(one)) one.open = one.dataset.fold === "own" || one.matches(":has(:target)"); // which the address names
    folded.add(one);
  }
}

/** Whose Turn it is, where they act on this page. */
const turnOf = () => document.querySelector("#acting[data-turn]")?.dataset.who ?? "";

/** Replaces the page by its present state. */
async function refresh(put) {
  const active = byId("live").contains(document.activeElement) ? document.activeElement : null;
  const turn = turnOf();
  await put();
  fold();
  wake();
  if (!active) return;
  const begun = ownDoing() && turnOf() && turnOf() !== turn;
  if (begun) focusOn(byId("acting-title"));
  else if (!active.isConnected) focusOn(byId("overview-title"));
}

fold();
listen({ page: "phone", onParts: place, onAnew: refresh });
