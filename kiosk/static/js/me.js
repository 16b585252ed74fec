// Whose phone this is: the server knows, and is asked again whenever who is at the table has changed.
import { say } from "./announce.js";
import { byId } from "./dom.js";
import { placeParts } from "./parts.js";

let known = "";

/** Whom this phone plays, as its page was made for; an empty text where nobody was chosen. */
export const me = () => byId("me").dataset.me;

/** Brings what the page says of that up to date; `changed()` where it is somebody else now. */
export async function follow({ persons, table }, changed) {
  const now = JSON.stringify([persons, table.characters.map((one) => [one.character_id, one.name, one.standing])]);
  const before = known;
  known = now;
  if (!before || before === now) return;
  const answer = await fetch(location.href, { cache: "no-store" });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const was = me();
  const told = byId("looking").textContent;
  await placeParts(Object.fromEntries(["me", "looking"].map((id) => [id, page.getElementById(id).outerHTML])));
  if (byId("looking").textContent !== told) say(byId("looking").firstChild?.textContent ?? "");
  if (me() !== was) changed();
}
