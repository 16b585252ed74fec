// A throw photographed with this device: the picture is read as the table's camera would read it, and not kept.
import { say } from "./announce.js";
import { postPicture } from "./api.js";
import { byId, el } from "./dom.js";
import { t } from "./language.js";
import { attempt } from "./shell.js";

const LARGEST_MEGABYTES = 20;

const told = el("p", { class: "caption" });
/** The newest throw at which it stays: the picture's own, then the next one, which may follow before anybody has read it. */
let stays = { number: 0, next: false };

/** Shows below the answers what else was seen in the picture of the throw `number`. */
function tell(words, number) {
  told.textContent = words;
  stays = { number, next: false };
  if (words) byId("answer").after(told);
  else told.remove();
}

/** Takes note of which throw is asked for: what was seen beside an older one has been read by then. */
export function awaits(number) {
  if (number <= stays.number) return;
  if (stays.next) told.remove();
  stays = { number, next: true };
}

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
    tell(notice, number);
    say(notice);
  }, form.querySelector("[data-error]"));
  words.textContent = usual;
  input.value = ""; // the same file chosen again is a change
  form.removeAttribute("aria-busy");
}

addEventListener("change", ({ target }) => target.matches(".photograph input[type=file]") && taken(target));
