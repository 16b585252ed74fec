// Dice that a person enters with this device, typed, tapped or photographed, and their result.
import { postPicture } from "./api.js";
import { byId, el } from "./dom.js";
import { say } from "./ear.js";
import { t } from "./language.js";
import { attempt } from "./shell.js";

// Dice entered by hand: a complete value moves on to the next die, and no empty field is ever filled in.
/** Where a finger touches, the pad is the keyboard. */
const TOUCHED = matchMedia("(pointer: coarse)").matches;

const fieldsOf = (form) => [...form.querySelectorAll(".entry input")];
const keysOf = (form) => [...form.querySelectorAll(".entry-pad button")];
const facesOf = (field) => field.closest(".entry").dataset.faces.split(" ");

/** The key of a face without a number, if its name or first letter was typed. */
function named(field) {
  const typed = field.value.trim().toLowerCase();
  return typed && keysOf(field.form).find(({ value, textContent }) => !Number(value) && [value, value[0], textContent.toLowerCase()].includes(typed));
}

/** What was typed, as the kiosk calls that face. */
const faceOf = (field) => (named(field)?.value ?? field.value).trim();

const right = (field) => facesOf(field).includes(faceOf(field));

/** Whether no further key can make another face of it: "3" is complete, "1" may become 14. */
const complete = (field) => right(field) && facesOf(field).filter((one) => one.startsWith(faceOf(field))).length === 1;

/** What the last die led on to. */
let moved = null;

/** Throws the reason why a form cannot be sent, with the focus on the wrong die. */
export function check(form) {
  const fields = fieldsOf(form);
  for (const field of fields) field.setAttribute("aria-invalid", String(!right(field)));
  const wrong = fields.find((field) => !right(field));
  if (wrong) {
    wrong.focus();
    const { missing, wrong: words } = wrong.dataset;
    throw new Error(wrong.value.trim() ? words.replace("…", wrong.value.trim()) : missing);
  }
  for (const field of fields) field.value = faceOf(field);
}

/** Keeps the keyboard of a touch screen away from the dice in `root`: their pad is there, and names the die it fills. */
export function wireEntry(root) {
  for (const field of root?.querySelectorAll(".entry input") ?? []) if (TOUCHED) field.inputMode = "none";
  for (const field of root?.querySelectorAll(".entry input[data-active]") ?? []) mark(field);
}

/** The field of the die after that of `field`, else nothing. */
const after = (field) => fieldsOf(field.form)[Number(field.dataset.place) + 1] ?? null;

const onward = (field) => (moved = after(field) ?? field.form.querySelector("[type=submit]")).focus({ preventScroll: TOUCHED });

/** Which die the pad fills now: seen on the field, and heard in the name of each key. */
function mark(field) {
  for (const one of fieldsOf(field.form)) one.toggleAttribute("data-active", one === field);
  const number = Number(field.dataset.place) + 1;
  for (const key of keysOf(field.form)) key.setAttribute("aria-label", t("Die {number}: {face}", { number, face: key.textContent }));
}

addEventListener("click", ({ target }) => {
  const key = target.closest(".entry-pad button");
  const field = key?.form.querySelector(".entry input[data-active]");
  if (!field) return;
  field.value = key.textContent;
  field.dispatchEvent(new Event("input", { bubbles: true })); // what was refused is no longer there, as with typing
  onward(field);
});
document.addEventListener("toggle", ({ target }) => target.open && (target.querySelector(".entry-pad ~ .main-action, .misread .pad, .misread") ?? (target.matches(".bridged :focus-within") ? target : null))?.scrollIntoView({ block: "nearest" }), true);
addEventListener("focusin", ({ target }) => target.matches(".entry input") && mark(target));
addEventListener("input", ({ target: field, inputType }) => {
  if (!field.matches(".entry input")) return;
  if (field.value.trim().length === 1) field.value = named(field)?.textContent ?? field.value;
  moved = null;
  if (inputType !== "deleteContentBackward" && complete(field)) onward(field);
});
addEventListener("keydown", (event) => {
  const { target, key } = event, entry = target.form?.querySelector(".entry"), field = target.closest(".entry input");
  if (!entry || event.ctrlKey || event.altKey || event.metaKey) return;
  const again = target === moved && !field?.value && !event.shiftKey && (key === "Tab" || (field && [" ", "Enter"].includes(key)));
  if (key.length > 1 || key === " ") moved = null;
  if (again) say(field?.labels[0].textContent ?? target.textContent); // who is used to moving on by hand is there already
  else if (!field && facesOf(entry).some((face) => face.startsWith(key))) {
    if (target.type === "submit") say(t("{key} is not taken here. Back to a die: Shift and Tab.", { key }));
    else {
      const die = entry.querySelector("[data-active]"); // typed on its pad
      die.focus();
      die.value = key;
      die.dispatchEvent(new Event("input", { bubbles: true }));
    }
  } else if (field && (key === " " || (key === "Enter" && after(field)))) field.value.trim() ? onward(field) : say(field.dataset.missing);
  else if (key === "Backspace" && field && !field.value && field.dataset.place > 0) fieldsOf(field.form)[field.dataset.place - 1].focus();
  else return;
  event.preventDefault();
});

// A throw photographed with this device: the picture is read as the table's camera would read it, and not kept.
const LARGEST_MEGABYTES = 20;

/** The remark on the newest picture: it stays until its person does something again. */
const seen = el("p", { className: "caption" });
addEventListener("click", () => seen.remove());

/** Sends the picture that was just taken, as one of the throw that its form asks for. */
async function taken(input) {
  const { form, files: [file] } = input;
  if (!file || form.hasAttribute("aria-busy")) return;
  const number = Number(form.elements.request.value);
  const words = form.querySelector(".picture > span");
  const usual = words.textContent;
  form.setAttribute("aria-busy", "true");
  words.textContent = t("The picture is being read …");
  say(words.textContent);
  await attempt(async () => {
    if (file.size > LARGEST_MEGABYTES * 1_000_000) {
      throw new Error(t("This picture has more than {most} megabytes. Take it with a smaller picture size, or crop it round the dice.", { most: LARGEST_MEGABYTES }));
    }
    const { notice } = await postPicture(file, number);
    seen.textContent = notice;
    if (notice) byId("answer").after(seen);
    say(notice);
  }, form.querySelector("[data-error]"));
  words.textContent = usual;
  input.value = ""; // the same file chosen again is a change
  form.removeAttribute("aria-busy");
}

addEventListener("change", ({ target }) => target.matches(".photograph input[type=file]") && taken(target));
