// A player's phone.
import "./app.js";
import { wireAsking } from "./ask.js";
import { awaits, bringOutcome } from "./dice.js";
import { byId } from "./dom.js";
import { place } from "./forms.js";
import { shut } from "./fresh.js";
import { follow, me } from "./me.js";
import { listen, view as now } from "./shell.js";

wireAsking(() => now);

const connection = listen({
  page: byId("main").dataset.tab,
  me,
  onParts: place,
  paint: (view) => {
    follow(view, () => {
      void shut();
      connection.again();
    }).catch(() => {}); // with the next change it is asked for again
    if (!byId("stage")) return;
    awaits(view.table.request?.number ?? 0);
    bringOutcome(view, true);
  },
});
