// A player's phone.
import "./app.js";
import { wireAsking } from "./ask.js";
import { awaits, bringOutcome } from "./dice.js";
import { byId } from "./dom.js";
import { say } from "./ear.js";
import { place } from "./forms.js";
import { shut } from "./fresh.js";
import { listen, view as now } from "./shell.js";

wireAsking(() => now);

/** Whom this phone plays, as its page was made for; an empty text where nobody was chosen. */
const me = () => byId("me").dataset.me;

/** What the kiosk says of whose phone this is, which may be news. */
async function follow(put) {
  const [was, told] = [me(), byId("looking").textContent];
  await put();
  if (byId("looking").textContent !== told) say(byId("looking").firstChild?.textContent ?? "");
  if (me() === was) return;
  void shut();
  connection.again();
}

const connection = listen({
  page: byId("main").dataset.tab,
  me,
  onParts: place,
  onAnew: follow,
  paint: (view) => {
    if (!byId("stage")) return;
    awaits(view.table.request?.number ?? 0);
    bringOutcome(view, true);
  },
});
