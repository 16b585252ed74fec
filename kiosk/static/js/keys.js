// Single keys that ask, kept at this device: they can be changed and switched off, and never act in a field.

import { keepAs, kept } from "./kept.js";

const KEPT = "trueroll.keys";
const USUAL = { on: true, panel: true, again: "r", more: "d", pools: "p", turn: "t" };
const TYPED = "input, select, textarea, [contenteditable]";

/** What stands, what was chosen at this device laid over the usual keys. */
export function keys() {
  try {
    return { ...USUAL, ...JSON.parse(kept(KEPT) ?? "{}") };
  } catch {
    return { ...USUAL };
  }
}

/** Keeps what was chosen. */
export function keepKeys(chosen) {
  keepAs(KEPT, JSON.stringify(chosen));
}

function free(event) {
  const modified = event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.defaultPrevented;
  return !modified && !event.target.closest?.(TYPED);
}

/** What the pressed key asks for: again, more, pools, turn; empty for any other, and where keys are off. */
export function bound(event) {
  const { on, panel: _, ...all } = keys();
  if (!on || event.repeat || !free(event)) return "";
  return Object.entries(all).find(([, key]) => key && key === event.key.toLowerCase())?.[0] ?? "";
}

/** The list of all keys, wherever keys ask; the table's screen stays where it is. */
addEventListener("keydown", (event) => {
  if (event.key === "?" && keys().on && free(event) && !document.body.classList.contains("display")) location.assign("/keys");
});

const PANEL = {
  ArrowDown: "next", ArrowRight: "next", ArrowUp: "previous", ArrowLeft: "previous",
  Enter: "confirm", Backspace: "undo", Escape: "back",
};

/** The panel's button that the pressed key stands for on the table's screen; empty where a control has the focus. */
export function panelButton(event) {
  const target = event.target;
  if (!keys().panel || event.repeat || !free(event) || target.closest?.("button, a, summary, [tabindex='0']")) return "";
  return PANEL[event.key] ?? "";
}
