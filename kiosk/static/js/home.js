// A page with a live header; elements with `data-every` are fetched at that interval while the page is seen.
import { placeParts } from "./live.js";
import { anew, listen } from "./shell.js";

const marked = (mark) => [...document.querySelectorAll(`[${mark}]`)];

listen({});

/** One request for all elements with the same interval. */
async function look(every) {
  const ids = marked(`data-every="${every}"`).map(({ id }) => id);
  const found = document.hidden || !ids.length ? null : await anew(ids);
  if (found) placeParts(found);
  setTimeout(look, every, every);
}
for (const every of new Set(marked("data-every").map(({ dataset }) => Number(dataset.every)))) setTimeout(look, every, every);
