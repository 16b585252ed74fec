// A player's phone.
import { wireAsking } from "./ask.js";
import "./app.js";
import { byId } from "./dom.js";
import { place } from "./forms.js";
import { shut } from "./fresh.js";
import { chosen, know, paintMe, player } from "./me.js";
import { bringOutcome } from "./outcome.js";
import { awaits } from "./photograph.js";
import { listen, view as now } from "./shell.js";

const TAB = byId("main").dataset.tab;

wireAsking(() => now);

/** What is shown to `me`, from the newest table: whoever taps "Change" does so long after their names were painted. */
function paintFor(me) {
  if (!byId("stage")) return;
  awaits(now.table.request?.number ?? 0);
  bringOutcome(now, true);
}

/** For whom the parts were asked. */
let asks = "";

const connection = listen({
  page: TAB,
  me: () => (asks = now ? player(now.table.characters) : chosen()),
  onParts: place,
  sources: false,
  paint: (view) => {
    know(view.persons);
    paintMe(view, (id) => {
      void shut();
      connection.again();
      paintFor(id);
    });
    const me = player(view.table.characters);
    paintFor(me);
    if (me && me !== asks) connection.again(); // their own parts
  },
});
