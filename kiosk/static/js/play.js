// A player's phone.
import { wireAsking } from "./ask.js";
import "./app.js";
import { say } from "./announce.js";
import { send } from "./api.js";
import { loadDeclaration } from "./choosing.js";
import { actAs, wireDeclare } from "./declare.js";
import { byId } from "./dom.js";
import { place } from "./forms.js";
import { t } from "./language.js";
import { chosen, know, paintMe, player } from "./me.js";
import { bringOutcome } from "./outcome.js";
import { awaits } from "./photograph.js";
import { wirePresets } from "./presets.js";
import { attempt, listen, view as now } from "./shell.js";

wireAsking(() => now);
/** A preset goes into the form, whose button is then at the thumb. */
function load(declaration) {
  loadDeclaration(byId("declare-form"), declaration);
  byId("declare-now").scrollIntoView({ block: "end" });
  byId("declare-now").focus({ preventScroll: true });
  say(t("Ready to declare."));
}
const paintDeclare = wireDeclare((character) => character.standing === "player");
const paintPresets = wirePresets((declaration) => attempt(() => send({ command: "declare_task", declaration })), load);

let fight = null;
let fetching = null;

/** What belongs to a fight is loaded with the first one: most phones open without. */
function paintFight(me) {
  if (fight) void fight.paintFighting(now, me);
  else if (now.table.conflict) {
    fetching ??= import("./fighting.js").then((made) => {
      fight = made;
      paintFight(player(now.table.characters));
    }, () => { fetching = null; }); // with the next view it is asked for again
  }
}

/** What is shown to `me`, from the newest table: whoever taps "Change" does so long after their names were painted. */
function paintFor(me) {
  void paintPresets(now, me);
  paintFight(me);
  awaits(now.table.request?.number ?? 0);
  bringOutcome(now, true);
}

/** For whom the parts were asked. */
let asks = "";

const connection = listen({
  page: "phone",
  me: () => (asks = now ? player(now.table.characters) : chosen()),
  onParts: place,
  sources: false,
  paint: (view) => {
    know(view.persons);
    paintDeclare(view);
    paintMe(view, (id) => {
      actAs(id);
      connection.again();
      paintFor(id);
    });
    const me = player(view.table.characters);
    paintFor(me);
    if (me && me !== asks) connection.again(); // their own parts
  },
});
