// Whose phone this is: the server knows, and is asked again whenever who is at the table has changed.
import { byId } from "./dom.js";
import { say } from "./ear.js";
import { pageAnew } from "./live.js";

let known = "";

/** Whom this phone plays, as its page was made for; an empty text where nobody was chosen. */
export const me = () => byId("me").dataset.me;

/** Brings what the page says of that up to date; `changed()` where it is somebody else now. */
export async function follow({ persons, table }, changed) {
  const now = JSON.stringify([persons, table.characters.map((one) => [one.character_id, one.name, one.standing])]);
  const before = known;
  known = now;
  if (!before || before === now) return;
  const was = me();
  const told = byId("looking").textContent;
  await pageAnew(["me", "looking"]);
  if (byId("looking").textContent !== told) say(byId("looking").firstChild?.textContent ?? "");
  if (me() !== was) changed();
}
