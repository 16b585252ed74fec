// A throw photographed with this device: the picture is read as the table's camera would read it, and not kept.
import { say } from "./announce.js";
import { postPicture } from "./api.js";
import { byId, el } from "./dom.js";
import { t } from "./language.js";
import { errorLine } from "./options.js";
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

/** A form for a picture of the throw that `request` asks for; it is sent as soon as it is taken. */
export function pictureForm(request) {
  if (request.number > stays.number) {
    if (stays.next) told.remove();
    stays = { number: request.number, next: true };
  }
  const id = `picture-${request.number}`;
  const words = el("span", {}, t("Photograph the dice"));
  const input = el("input", { id, type: "file", accept: "image/*", capture: "environment", "aria-describedby": `${id}-hint`, onchange: async () => {
    const [file] = input.files;
    if (!file || form.hasAttribute("aria-busy")) return;
    const error = form.querySelector("[data-error]");
    form.setAttribute("aria-busy", "true");
    words.textContent = t("The picture is being read …");
    say(words.textContent);
    await attempt(async () => {
      if (file.size > LARGEST_MEGABYTES * 1_000_000) {
        throw new Error(t("This picture has more than {most} megabytes. Take it with a smaller picture size, or crop it round the dice.", { most: LARGEST_MEGABYTES }));
      }
      const { notice } = await postPicture(file, request.number);
      tell(notice, request.number);
      say(notice);
    }, error);
    words.textContent = t("Photograph the dice");
    input.value = ""; // the same file chosen again is a change
    form.removeAttribute("aria-busy");
  } });
  const form = el("form", { class: "card", onsubmit: (event) => event.preventDefault() },
    el("label", { class: "button picture", for: id }, words, input),
    el("p", { id: `${id}-hint`, class: "note" }, t("From straight above, the dice large and sharp. It is read at once and not kept.")),
    errorLine());
  return form;
}
