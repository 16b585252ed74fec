// A player's phone.
import "./app.js";
import "./ask.js";
import { byId } from "./dom.js";
import { say } from "./ear.js";
import { place } from "./forms.js";
import { shut } from "./fresh.js";
import { listen } from "./shell.js";

/** Whom this phone plays, as its page was made for; an empty text where nobody was chosen. */
const me = () => byId("me").dataset.me;

/** The kiosk's word on whose phone this is, which may be news. */
async function follow(put) {
  const [was, told] = [me(), byId("looking").textContent];
  await put();
  if (byId("looking").textContent !== told) say(byId("looking").firstChild?.textContent ?? "");
  if (me() === was) return;
  void shut();
  connection.again();
}

const connection = listen({ page: byId("main").dataset.tab, me, onParts: place, onAnew: follow });
