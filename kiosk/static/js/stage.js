// What a screen shows large: the kiosk says it in words (kiosk/views/stage.py); the first paint is `_parts.html`'s.
import { el, die } from "./dom.js";
import { t } from "./language.js";

const D6 = ["1", "2", "blank", "blank", "effect", "effect"];

/** Who has the Turn in a conflict; empty while nobody has it, or while there is no conflict. */
export function turnHolder({ conflict, characters, ships }) {
  const id = conflict?.turn?.combatant_id;
  if (!id) return "";
  return [...characters, ...ships].find((one) => (one.character_id ?? one.ship_id) === id)?.name ?? "";
}

/** What a die of the table shows: a number, `blank`, `effect`, or `?` where it was not read. */
export function shownFace(one) {
  if (one.face === null) return "?";
  return one.kind === "d6" ? D6[Number(one.face) - 1] : String(one.face);
}

/** Fills `place`, an element with the marks of `_parts.html`, with `view`; nothing is touched where nothing changed. */
export function paintStage(place, view) {
  const now = view.stage;
  const key = JSON.stringify(now);
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  place.dataset.kind = now.kind;
  place.dataset.mark = now.mark ?? "";
  place.replaceChildren(
    el("p", { class: "stage-who" }, now.who),
    el("h2", { class: "stage-word" }, now.word),
    el("div", { class: "stage-lines" }, ...now.lines.map((line) => el("p", {}, line))),
    el("dl", { class: "facts" }, ...now.facts.map((fact) => el("div", { "data-mark": fact.mark || null }, el("dt", {}, fact.name), el("dd", {}, fact.value, fact.note && el("small", {}, ` ${fact.note}`))))),
    el("ol", { class: "dice" }, ...now.dice.map((one, place) => el("li", { class: "die", "data-mark": one.mark },
      die(one),
      one.words && el("span", { class: "die-words" }, one.words),
      one.origin && el("span", { class: "die-origin" }, one.origin),
      one.picture && el("img", { class: "die-picture", src: `/api/v1/pictures/${encodeURIComponent(one.picture)}.jpg`,
        alt: t("Picture of die {number}", { number: place + 1 }) })))),
    el("dl", { class: "stage-next" }, now.next.length > 0 && el("dt", {}, t("Asked for next")), ...now.next.map((one) => el("dd", {}, one))),
  );
}
