// Single keys that ask: they can be changed and switched off at each device, and never act in a field.
import { listener } from "./ear.js";

const TYPED = "input, select, textarea, [contenteditable]";

function free(event) {
  const modified = event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.defaultPrevented;
  return !modified && !event.target.closest?.(TYPED);
}

/** What the pressed key asks for: again, more, pools, turn; empty for any other, and where keys are off. */
export function bound(event) {
  const { on, panel: _, ...all } = listener.keys;
  if (!on || event.repeat || !free(event)) return "";
  return Object.entries(all).find(([, key]) => key && key === event.key.toLowerCase())?.[0] ?? "";
}

/** The list of all keys, wherever keys ask; the table's screen stays where it is. */
addEventListener("keydown", (event) => {
  if (event.key === "?" && listener.keys.on && free(event) && !document.body.classList.contains("display")) location.assign("/keys");
});

const PANEL = {
  ArrowDown: "next", ArrowRight: "next", ArrowUp: "previous", ArrowLeft: "previous",
  Enter: "confirm", Backspace: "undo", Escape: "back",
};

/** The panel's button that the pressed key stands for on the table's screen; empty where a control has the focus. */
export function panelButton(event) {
  const target = event.target;
  if (!listener.keys.panel || event.repeat || !free(event) || target.closest?.("button, a, summary, [tabindex='0']")) return "";
  return PANEL[event.key] ?? "";
}
