// The dice of a held throw that a person must look at, each with what it may show.
import { byId, el } from "./dom.js";
import { faceOf } from "./entry.js";
import { t, term, tn } from "./language.js";
import { errorLine, field } from "./options.js";

/** So many more to look at than dice awaited, and the mat is to blame. */
const SPARE = 3;
const KINDS = { d20: t("d20"), d6: t("d6"), challenge: t("Challenge Die") };

/** What is asked about the dice of a held throw, as children of its section; `give` sends a command, `refuse` says why none is sent. */
export function looking({ held, request }, give, refuse) {
  const asked = new Set(held.questions.map((one) => one.position));
  const pattern = held.source === "camera" && asked.size > (request?.count ?? 0) + SPARE;
  const list = cards(held.dice.map((die, position) => [heldDie(die, position, asked.has(position), give, refuse), asked.has(position)]), pattern ? SPARE : Infinity);
  const ways = el("div", { class: "buttons" },
    el("button", { type: "button", onclick: () => give({ command: "dismiss_throw" }) }, t("Set this throw aside")),
    pattern && el("a", { class: "button", href: "/camera#empty" }, t("The tray is empty now: keep its picture")));
  return pattern ? [el("p", {}, t("This may be the mat's pattern. Set the throw aside, take the dice out, have the empty tray's picture kept, throw again.")), ways, ...list] : [...list, ways];
}

/** The dice that are asked about first, of many so `few`; the others can still be put right. */
function cards(all, few) {
  const fold = (some, words) => some.length > 0 && el("details", {}, el("summary", {}, words), some);
  const first = all.filter(([, asked]) => asked).map(([card]) => card);
  const others = all.filter(([, asked]) => !asked).map(([card]) => card);
  if (!first.length) return others;
  const more = first.splice(few);
  return [...first, fold(more, tn(more.length, "1 more to look at", "{number} more to look at")), fold(others, t("The other dice"))].filter(Boolean);
}

function heldDie(die, position, asked, give, refuse) {
  const id = `held-${position}`;
  const number = position + 1;
  const face = die.face === null ? t("not read") : term(String(die.face)); // also where it counts as blank
  const [kind, state] = [KINDS[die.kind], term(die.state)];
  const shows = (face) => give({ command: "correct_die", position, face }, form);
  const form = el("form", { class: "card", onsubmit: (event) => {
    event.preventDefault();
    const face = faceOf(byId(id).value, die.kind);
    if (face === null) {
      return refuse(form, die.kind === "d20"
        ? t("Say what die {number} shows: 1 to 20.", { number })
        : t("Say what die {number} shows: 1, 2, blank or effect.", { number }));
    }
    return shows(face);
  } },
    el("h3", {}, !asked ? t("Die {number}: {face}", { number, face })
      : die.state === "read" ? t("Die {number}: {kind}, {face}", { number, kind, face }) : t("Die {number}: {face}, {state}", { number, face, state })),
    die.picture && el("img", { class: "die-picture", src: `/api/v1/pictures/${encodeURIComponent(die.picture)}.jpg`, alt: t("Picture of die {number}", { number }) }),
    die.guesses.length > 0 && asked && el("div", { class: "buttons", role: "group", "aria-label": t("Die {number} shows", { number }) },
      die.guesses.map((guess) => el("button", { type: "button", onclick: () => shows(guess.face) }, t("It shows {face}", { face: term(String(guess.face)) })))),
    el("div", { class: "row" },
      field(id, t("Die {number} shows", { number }), { inputmode: die.kind === "d20" ? "numeric" : "text", maxlength: 6 }),
      el("button", { type: "submit" }, t("Die {number} shows this", { number })),
      el("button", { type: "button", onclick: () => give({ command: "drop_die", position }, form) }, t("Die {number} is none of this throw", { number }))),
    errorLine());
  return form;
}
