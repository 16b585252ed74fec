// A page whose header is live; what is marked in it with `data-every` is fetched again so often while somebody looks.
import { partsAnew, placeParts } from "./live.js";
import { listen } from "./shell.js";

const marked = (mark) => [...document.querySelectorAll(`[${mark}]`)];

listen({});

/** One look for all that is fetched as often. */
async function look(every) {
  if (!document.hidden) await partsAnew(marked(`data-every="${every}"`).map(({ id }) => id)).then((parts) => placeParts(parts)).catch(() => {}); // the next may have it
  setTimeout(look, every, every);
}
for (const every of new Set(marked("data-every").map(({ dataset }) => Number(dataset.every)))) setTimeout(look, every, every);
