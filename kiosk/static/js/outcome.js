// What a throw came to is brought into view, where the thumb was at the pad or the choices far below it.
import { byId } from "./dom.js";

const CAME_TO = new Set(["outcome", "challenge", "chain"]);

let last = null;

/**
 * Scrolls to the stage when it shows a new result, at once and without moving the focus; never from under somebody who
 * types. `wanted` says whether whoever looks here waits for it.
 */
export function bringOutcome({ stage }, wanted) {
  const now = JSON.stringify([stage.kind, stage.who, stage.word, stage.dice.map((one) => one.face)]);
  const before = last;
  last = now;
  if (before === null || before === now || !CAME_TO.has(stage.kind) || !wanted) return;
  if (document.activeElement?.matches("input:not([type=radio], [type=checkbox]), select, textarea")) return;
  byId("stage").scrollIntoView({ block: "start", behavior: "instant" });
}
