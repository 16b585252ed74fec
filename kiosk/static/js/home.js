// A page whose header is live, and what is marked in it: with `data-every` that is fetched again so often while somebody
// looks, with `data-follows` whenever a part of the kiosk has changed.
import { pageAnew } from "./live.js";
import { listen } from "./shell.js";

const marked = (mark) => [...document.querySelectorAll(`[${mark}]`)];
let known = "";

listen({
  paint: ({ sources }) => {
    const now = JSON.stringify(sources);
    const follow = marked("data-follows").map(({ id }) => id);
    if (follow.length && known && known !== now) pageAnew(follow).catch(() => {}); // the header says why
    known = now;
  },
});

/** One look for all that is fetched as often. */
async function look(every) {
  if (!document.hidden) await pageAnew(marked(`data-every="${every}"`).map(({ id }) => id)).catch(() => {}); // the next may have it
  setTimeout(look, every, every);
}
for (const every of new Set(marked("data-every").map(({ dataset }) => Number(dataset.every)))) setTimeout(look, every, every);
