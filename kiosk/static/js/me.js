// Whose phone this is: the characters that its person took, and the one of them that the page leads with, kept on the device.
import { say } from "./announce.js";
import { post } from "./api.js";
import { byId, el, keyed } from "./dom.js";
import { keepAs, kept } from "./kept.js";
import { t } from "./language.js";
import { attempt, view as newest } from "./shell.js";

const REMEMBERED = "trueroll.character";
let choosing = false;
let own = "";
let person = byId("me")?.dataset.person ?? "";
let persons = [];

/** The character that is just being taken: the table may tell of it before the answer does. */
let taking = "";

/** Takes note of who is at the table, before anything is painted for this device. */
export function know(now) {
  const known = (all) => all.some((one) => one.person_id === person);
  if (person && known(persons) && !known(now)) sentAway();
  persons = now;
}

function sentAway() {
  person = "";
  byId("me").before(el("p", { class: "looking" }, t("You were sent away from the table."), " ", el("a", { class: "button", href: "/join" }, t("Join"))));
  say(t("You were sent away from the table."));
}

const taken = () => persons.find((one) => one.person_id === person)?.characters ?? [];

/** Who else plays that character, as they are called. */
const other = (id) => id === taking ? "" : persons.find((one) => one.person_id !== person && one.characters.includes(id))?.called ?? "";

/** The character that was chosen on this device, at the table or not; an empty text where none was. */
export function chosen() {
  return kept(REMEMBERED) ?? own;
}

/** The character that this device plays, or an empty text; one that has left the table or is another's counts as none. */
export function mine(characters) {
  const there = (id) => characters.some((one) => one.character_id === id);
  return there(chosen()) && !other(chosen()) ? chosen() : taken().find(there) ?? "";
}

/** Whom this device plays: as chosen, or the only player. */
export function player(characters) {
  const players = characters.filter((one) => one.standing === "player" && !other(one.character_id));
  return mine(players) || (players.length === 1 ? players[0].character_id : "");
}

/** The tabs of the page are for whoever is played: the server is told with each of them. */
function tellServer(characterId) {
  document.cookie = [`trueroll-plays=${encodeURIComponent(characterId)}`, "path=/", "max-age=31536000", "samesite=strict"].join("; ");
}
if (chosen()) tellServer(chosen());

/** Keeps the choice, for as long as this browser keeps anything, and takes the character where nobody has. */
async function choose(characterId) {
  choosing = false;
  own = characterId;
  keepAs(REMEMBERED, characterId);
  tellServer(characterId);
  if (!byId("me").dataset.takes || taken().includes(characterId)) return;
  taking = characterId;
  await attempt(async () => { person = (await post("/api/v1/me", { take: characterId })).person_id; });
  taking = "";
}

/** Shows who plays here, and the others to choose from while nobody was chosen; `onChange(id)` after each choice. */
export function paintMe(view, onChange) {
  const place = byId("me");
  if (!place) return;
  const characters = view.table.characters.filter((one) => one.standing === "player");
  const now = mine(characters);
  const again = () => paintMe(newest ?? view, onChange);
  const lent = characters.filter((one) => other(one.character_id) && place.dataset.takes !== "all");
  keyed(place, [now, choosing, taken(), characters.map((one) => [one.character_id, one.name, other(one.character_id)])], () => {
    if (!characters.length) return null;
    const name = characters.find((one) => one.character_id === now)?.name ?? "";
    if (now && !choosing) {
      return el("div", { class: "me" }, el("h2", { id: "me-title" }, name),
        (characters.length > 1 || taken().length > 0) && el("button", { type: "button", onclick: () => { choosing = true; again(); } }, t("Change")));
    }
    return el("section", { "aria-labelledby": "me-title" }, el("h2", { id: "me-title" }, t("Whom do you play?")),
      el("div", { class: "buttons" }, characters.filter((one) => !lent.includes(one)).map((one) =>
        el("button", { type: "button", "aria-pressed": String(one.character_id === now), onclick: () => {
          void choose(one.character_id).then(again);
          again();
          onChange(one.character_id);
        } }, one.name))),
      lent.map((one) => el("p", { class: "note" }, t("{person} plays {name}.", { person: other(one.character_id), name: one.name }))),
      choosing && el("a", { class: "button", href: "/me" }, t("Leave a character")));
  });
}
