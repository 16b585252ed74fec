// Puts what the server renders in its place. Elements that stay keep their focus and their selection.
import htmx from "../htmx/htmx.js";
import { byId } from "./dom.js";

/** What scripts set on a part themselves: the server knows nothing of it. */
htmx.config.morphIgnore.push("style", "tabindex", "data-without", "data-tight", "data-long", "data-playing", "data-came", "open");

/** A form that was opened stays as it is until it comes itself: what comes with all others has nothing chosen in it. */
htmx.registerExtension("opened", {
  htmx_before_morph_node: ({ dataset: before }, { newNode: { dataset: now } }) =>
    !("live" in before && !("live" in now) && before.fresh === now.fresh),
});

const placed = new Map();

/** Puts a new element in place of `target`; what was typed, unfolded and focused stays where the same field is there. */
function renew(target, html) {
  const focused = target.contains(document.activeElement) ? document.activeElement.id : "";
  const typed = [...target.querySelectorAll("input[id]:not([type=file])")].map((field) => [field.id, field.value]);
  const unfolded = [...target.querySelectorAll("details[open] input[id]")].map((field) => field.id);
  const { id } = target;
  target.outerHTML = html;
  for (const [name, value] of typed) if (value && byId(name)) byId(name).value = value;
  for (const name of unfolded) byId(name)?.closest("details")?.setAttribute("open", "");
  const same = focused && byId(id).contains(byId(focused)) ? byId(focused) : null;
  same?.closest("details")?.setAttribute("open", "");
  same?.focus({ preventScroll: true });
}

/** Fetches this page as it is now, and puts those of its elements in place, unless `newest()` says that it came too late. */
export async function pageAnew(ids, newest = () => true) {
  const answer = await fetch(location.href, { cache: "no-store" });
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (newest()) await placeParts(Object.fromEntries(ids.map((id) => [id, page.getElementById(id)?.outerHTML])));
}

/** Lets go of what is known of a part: something else was put in its place, or is to be. */
export const forgetPart = (id) => placed.delete(id);

/**
 * Puts each of `parts`, HTML by the id of the element that it replaces, in place; what did not change is not touched. One
 * that is marked as whole, as dice that somebody enters, is another element with each change.
 */
export async function placeParts(parts, wanted = () => true) {
  const under = [];
  for (const [id, html] of Object.entries(parts)) {
    const target = byId(id);
    if (!html || !target || !wanted(id) || placed.get(id) === html) continue;
    placed.set(id, html);
    if (target.hasAttribute("data-whole")) renew(target, html);
    else under.push(htmx.swap({ target, text: html, swap: "outerMorph", sourceElement: document.body }));
  }
  await Promise.all(under);
}
