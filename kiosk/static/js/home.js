// A page whose header is live; what is marked in it with `data-every` is fetched again so often while somebody looks.
import { placeParts } from "./live.js";
import { anew, listen } from "./shell.js";

const marked = (mark) => [...document.querySelectorAll(`[${mark}]`)];

listen({});

/** One look for all that is fetched as often. */
async function look(every) {
  const found = document.hidden ? null : await anew(marked(`data-every="${every}"`).map(({ id }) => id));
  if (found) placeParts(found);
  setTimeout(look, every, every);
}
for (const every of new Set(marked("data-every").map(({ dataset }) => Number(dataset.every)))) setTimeout(look, every, every);
