// A player's phone.
import { wireDeclare } from "./declare.js";
import { listen, steppers } from "./shell.js";
import { paintWork, wireUndo } from "./work.js";

steppers();
wireUndo();
const paintDeclare = wireDeclare((character) => character.standing === "player");
listen({
  sources: false,
  paint: (view) => {
    paintDeclare(view);
    paintWork(view, "player");
  },
});
