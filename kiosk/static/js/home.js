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

async function look(id, every) {
  if (!document.hidden) await pageAnew([id]).catch(() => {}); // the next look may have it
  setTimeout(look, every, id, every);
}
for (const { id, dataset } of marked("data-every")) setTimeout(look, Number(dataset.every), id, Number(dataset.every));
