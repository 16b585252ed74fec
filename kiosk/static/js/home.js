// A page with a live header; elements with `data-every` are fetched at that interval while the page is seen.
import { placeParts } from "./live.js";
import { anew, listen } from "./shell.js";

listen({});

const every = Number(document.querySelector("[data-every]")?.dataset.every);

/** One request for all such elements: a page has one interval. */
async function look() {
  const ids = [...document.querySelectorAll("[data-every]")].map(({ id }) => id);
  const found = document.hidden || !ids.length ? null : await anew(ids);
  if (found) placeParts(found);
  setTimeout(look, every);
}
if (every) setTimeout(look, every);
