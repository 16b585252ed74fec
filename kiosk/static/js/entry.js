// Manual entry: the first field has the focus, a complete value moves on, and no empty field is ever filled in.
import { el } from "./dom.js";
import { capital, t, term } from "./language.js";

const WORDS = {
  b: "blank", e: "effect", blank: "blank", effect: "effect",
  [term("blank").toLowerCase()]: "blank", [term("effect").toLowerCase()]: "effect",
};
const D20 = /^([1-9]|1[0-9]|20)$/;

/** A face as a button names it: "Effect". */
function shown(face) {
  return face === "effect" ? capital(term(face)) : term(face);
}

/** What was typed as a face, or null where it is none. */
export function faceOf(typed, kind) {
  const text = typed.trim().toLowerCase();
  if (kind === "d20") return D20.test(text) ? Number(text) : null;
  if (WORDS[text]) return WORDS[text];
  const most = kind === "d6" ? 6 : 2;
  return /^[1-6]$/.test(text) && Number(text) <= most ? Number(text) : null;
}

/** Whether no further key can make another face of it: "3" is complete, "1" may become 14. */
export function complete(typed, kind) {
  const text = typed.trim();
  if (faceOf(text, kind) === null) return false;
  return kind === "d20" ? text.length === 2 || Number(text) > 2 : true;
}

/**
 * A form for the throw that `request` asks for. `submit(faces)` is called with one face for each die;
 * `refuse(words)` where a field is empty or shows no face.
 */
export function entryForm(request, submit, refuse) {
  const { kind, count, number } = request;
  const challenge = kind !== "d20";
  const touched = matchMedia("(pointer: coarse)").matches; // the pad below is the keyboard then
  let active = 0;
  let moved = null; // the field to which a complete value moved on by itself
  const fields = Array.from({ length: count }, (_, place) => el("input", {
    id: `face-${number}-${place}`, type: "text", inputmode: touched ? "none" : challenge ? "text" : "numeric", autocomplete: "off",
    autocapitalize: "off", enterkeyhint: place === count - 1 ? "done" : "next", maxlength: challenge ? 6 : 2,
    "aria-describedby": `entry-hint-${number}`, "data-place": place,
  }));
  const onward = (place) => (fields[place + 1] ?? form.querySelector("[type=submit]")).focus({ preventScroll: touched });
  const keys = (challenge ? ["1", "2", "blank", "effect"] : Array.from({ length: 20 }, (_, less) => String(less + 1))).map((face) =>
    [face, el("button", { type: "button", onclick: () => {
      const place = active;
      fields[place].value = term(face);
      active = Math.min(place + 1, count - 1);
      onward(place);
      mark();
    } }, shown(face))]);

  /** Which die the pad fills now: seen on the field, and heard in the name of each key. */
  function mark() {
    fields.forEach((field, place) => field.toggleAttribute("data-active", place === active));
    for (const [face, key] of keys) key.setAttribute("aria-label", t("Die {number}: {face}", { number: active + 1, face: shown(face) }));
  }
  const form = el("form", { class: "card", "aria-labelledby": `entry-title-${number}`, novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    finish();
  } },
    el("h2", { id: `entry-title-${number}` }, t("Enter the dice")),
    el("div", { class: `entry${challenge ? " challenge" : ""}` }, fields.map((field, place) => el("div", { class: "field" },
      el("label", { for: field.id }, t("Die {number} of {count}", { number: place + 1, count })), field))),
    el("div", { class: `pad${challenge ? " challenge" : ""}`, role: "group", "aria-label": t("Faces") }, keys.map(([, key]) => key)),
    el("button", { type: "submit", class: "main-action" }, t("Count these dice")),
    el("p", { id: `entry-hint-${number}`, class: "note" }, challenge
      ? t("Type 1, 2, b for blank, e for Effect, or touch. Nothing is filled in for you.")
      : t("Each die moves on by itself; Enter or space moves on too. Nothing is filled in for you.")),
    el("p", { class: "error", "data-error": true, hidden: true }));

  function finish() {
    const faces = fields.map((field) => faceOf(field.value, kind));
    fields.forEach((field, place) => field.toggleAttribute("aria-invalid", faces[place] === null));
    for (const field of fields) if (field.hasAttribute("aria-invalid")) field.setAttribute("aria-invalid", "true");
    const wrong = faces.indexOf(null);
    if (wrong === -1) return submit(faces);
    const typed = fields[wrong].value.trim();
    fields[wrong].focus();
    const place = { number: wrong + 1, typed };
    if (!typed) return refuse(t("Die {number} has no value yet. Type in what it shows.", place));
    return refuse(challenge
      ? t("Die {number} cannot show {typed}: type 1, 2, blank or effect.", place)
      : t("Die {number} cannot show {typed}: type 1 to 20.", place));
  }

  mark();
  fields.forEach((field, place) => {
    field.addEventListener("focus", () => {
      active = place;
      mark();
    });
    field.addEventListener("input", (event) => {
      if (challenge && WORDS[field.value.trim().toLowerCase()] && field.value.trim().length === 1) field.value = term(WORDS[field.value.trim().toLowerCase()]);
      moved = null;
      if (event.inputType === "deleteContentBackward" || !complete(field.value, kind)) return;
      onward(place);
      moved = fields[place + 1] ?? null;
    });
    field.addEventListener("keydown", (event) => {
      if (event.key === " " || (event.key === "Enter" && (place < count - 1 || (moved === field && !field.value)))) {
        moved = null;
        event.preventDefault();
        if (field.value.trim()) onward(place);
      } else if (event.key === "Backspace" && !field.value && place) {
        event.preventDefault();
        fields[place - 1].focus();
      }
    });
  });
  return { form, first: fields[0] };
}
