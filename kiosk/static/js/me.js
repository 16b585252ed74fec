// Whose phone this is: picked once, kept on the device, changed at any time. The page leads with one's own character.
import { byId, el, keyed } from "./dom.js";
import { keepAs, kept } from "./kept.js";
import { t } from "./language.js";

const REMEMBERED = "trueroll.character";
let choosing = false;
let own = "";

/** The character that this device plays, or an empty text; one that has left the table counts as none. */
export function mine(characters) {
  const chosen = kept(REMEMBERED) ?? own;
  return characters.some((one) => one.character_id === chosen) ? chosen : "";
}

/** Whom this device plays: as chosen, or the only player. */
export function player(characters) {
  const players = characters.filter((one) => one.standing === "player");
  return mine(players) || (players.length === 1 ? players[0].character_id : "");
}

/** Keeps the choice, for as long as this browser keeps anything. */
export function choose(characterId) {
  choosing = false;
  own = characterId;
  keepAs(REMEMBERED, characterId);
}

/** Shows who plays here, and the others to choose from while nobody was chosen; `onChange(id)` after each choice. */
export function paintMe(characters, onChange) {
  const place = byId("me");
  if (!place) return;
  const now = mine(characters);
  const again = () => paintMe(characters, onChange);
  keyed(place, [now, choosing, characters.map((one) => [one.character_id, one.name])], () => {
    if (!characters.length) return null;
    const name = characters.find((one) => one.character_id === now)?.name ?? "";
    if (now && !choosing) {
      return el("div", { class: "me" }, el("h2", { id: "me-title" }, name),
        characters.length > 1 && el("button", { type: "button", onclick: () => { choosing = true; again(); } }, t("Change")));
    }
    return el("section", { "aria-labelledby": "me-title" }, el("h2", { id: "me-title" }, t("Whom do you play?")),
      el("div", { class: "buttons" }, characters.map((one) =>
        el("button", { type: "button", "aria-pressed": String(one.character_id === now), onclick: () => {
          choose(one.character_id);
          again();
          onChange(one.character_id);
        } }, one.name))));
  });
}
