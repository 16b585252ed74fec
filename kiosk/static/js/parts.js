// Puts what the server renders in its place. Elements that stay keep their focus and their selection.
import htmx from "../htmx/htmx.js";
import { byId } from "./dom.js";

/** What scripts set on a part themselves: the server knows nothing of it. */
htmx.config.morphIgnore.push("style", "tabindex", "data-without", "data-tight", "data-long", "data-playing", "data-came", "open");

const placed = new Map();

/**
 * Puts each of `parts`, HTML by the id of the element that it replaces, in place; what did not change is not touched. One
 * that is marked as whole, as dice that somebody enters, is another with each change: nothing that was typed stays in it.
 */
export async function placeParts(parts, wanted = () => true) {
  const under = [];
  for (const [id, html] of Object.entries(parts)) {
    const target = byId(id);
    if (!html || !target || !wanted(id) || placed.get(id) === html) continue;
    placed.set(id, html);
    if (target.hasAttribute("data-whole")) target.outerHTML = html;
    else under.push(htmx.swap({ target, text: html, swap: "outerMorph", sourceElement: document.body }));
  }
  await Promise.all(under);
}
