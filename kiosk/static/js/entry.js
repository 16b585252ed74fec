// Dice entered by hand: a complete value moves on to the next die, and no empty field is ever filled in.
import { t, term } from "./language.js";

const WORDS = {
  b: "blank", e: "effect", blank: "blank", effect: "effect",
  [term("blank").toLowerCase()]: "blank", [term("effect").toLowerCase()]: "effect",
};
const D20 = /^([1-9]|1[0-9]|20)$/;

/** Where a finger touches, the pad is the keyboard. */
const TOUCHED = matchMedia("(pointer: coarse)").matches;

/** What was typed as a face, or null where it is none. */
function faceOf(typed, kind) {
  const text = typed.trim().toLowerCase();
  if (kind === "d20") return D20.test(text) ? Number(text) : null;
  if (WORDS[text]) return WORDS[text];
  const most = kind === "d6" ? 6 : 2;
  return /^[1-6]$/.test(text) && Number(text) <= most ? Number(text) : null;
}

/** Whether no further key can make another face of it: "3" is complete, "1" may become 14. */
function complete(typed, kind) {
  const text = typed.trim();
  if (faceOf(text, kind) === null) return false;
  return kind === "d20" ? text.length === 2 || Number(text) > 2 : true;
}

const fieldsOf = (form) => [...form.querySelectorAll(".entry input")];
const kindOf = (form) => form.querySelector(".entry").dataset.kind;

/** The field to which a complete value moved on by itself. */
let moved = null;

const wired = new WeakSet();

/** Makes each form for dice in `root` live, once. */
export function wireEntry(root) {
  for (const form of root?.querySelectorAll("form:has(.entry)") ?? []) {
    if (wired.has(form)) continue;
    wired.add(form);
    wire(form);
  }
}

/** Why a form cannot be sent, in words, with the focus on the die that is to blame; empty where it can. */
export function whyNot(form) {
  if (!form.querySelector(".entry")) return "";
  const kind = kindOf(form);
  const fields = fieldsOf(form);
  const wrong = fields.filter((field) => faceOf(field.value, kind) === null);
  for (const field of fields) field.toggleAttribute("aria-invalid", false);
  for (const field of wrong) field.setAttribute("aria-invalid", "true");
  if (!wrong.length) {
    for (const field of fields) field.value = String(faceOf(field.value, kind));
    return "";
  }
  const [field] = wrong;
  const place = { number: Number(field.dataset.place) + 1, typed: field.value.trim() };
  field.focus();
  if (!place.typed) return t("Die {number} has no value yet. Type in what it shows.", place);
  return kind === "d20"
    ? t("Die {number} cannot show {typed}: type 1 to 20.", place)
    : t("Die {number} cannot show {typed}: type 1, 2, blank or effect.", place);
}

function wire(form) {
  const kind = kindOf(form);
  const fields = fieldsOf(form);
  const keys = [...form.querySelectorAll(".entry-pad button")];
  let active = 0;
  const onward = (place) => (fields[place + 1] ?? form.querySelector("[type=submit]")).focus({ preventScroll: TOUCHED });

  /** Which die the pad fills now: seen on the field, and heard in the name of each key. */
  function mark() {
    fields.forEach((field, place) => field.toggleAttribute("data-active", place === active));
    for (const key of keys) key.setAttribute("aria-label", t("Die {number}: {face}", { number: active + 1, face: key.textContent }));
  }

  for (const key of keys) {
    key.addEventListener("click", () => {
      const place = active;
      fields[place].value = term(key.value);
      active = Math.min(place + 1, fields.length - 1);
      onward(place);
      mark();
    });
  }
  fields.forEach((field, place) => {
    if (TOUCHED) field.inputMode = "none";
    field.addEventListener("focus", () => {
      active = place;
      mark();
    });
    field.addEventListener("input", (event) => {
      const letter = field.value.trim().toLowerCase();
      if (kind !== "d20" && letter.length === 1 && WORDS[letter]) field.value = term(WORDS[letter]);
      moved = null;
      if (event.inputType === "deleteContentBackward" || !complete(field.value, kind)) return;
      onward(place);
      moved = fields[place + 1] ?? null;
    });
    field.addEventListener("keydown", (event) => {
      if (event.key === " " || (event.key === "Enter" && (place < fields.length - 1 || (moved === field && !field.value)))) {
        moved = null;
        event.preventDefault();
        if (field.value.trim()) onward(place);
      } else if (event.key === "Backspace" && !field.value && place) {
        event.preventDefault();
        fields[place - 1].focus();
      }
    });
  });
  mark();
}
