// A player's phone.
import { wireAsking } from "./ask.js";
import "./app.js";
import { say } from "./announce.js";
import { send } from "./api.js";
import { loadDeclaration } from "./choosing.js";
import { actAs, wireDeclare } from "./declare.js";
import { byId } from "./dom.js";
import { t } from "./language.js";
import { know, paintMe, player } from "./me.js";
import { wirePresets } from "./presets.js";
import { attempt, listen, steppers, view as now } from "./shell.js";
import { wireUndo } from "./undo.js";
import { paintWork } from "./work.js";

wireAsking(() => now);
/** A preset goes into the form, whose button is then at the thumb. */
function load(declaration) {
  loadDeclaration(byId("declare-form"), declaration);
  byId("declare-now").scrollIntoView({ block: "end" });
  byId("declare-now").focus({ preventScroll: true });
  say(t("Ready to declare."));
}

steppers();
wireUndo();
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
  paintWork(now, "player");
}

listen({
  page: "phone",
  sources: false,
  paint: (view) => {
    know(view.persons);
    paintDeclare(view);
    paintMe(view, (id) => {
      actAs(id);
      paintFor(id);
    });
    paintFor(player(view.table.characters));
  },
});
