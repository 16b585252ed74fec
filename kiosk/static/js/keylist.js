// The list of keys, with those that were chosen at this device.
import { byId } from "./dom.js";
import { keys } from "./keys.js";
import { listen } from "./shell.js";

const { on, panel: _, ...letters } = keys();
for (const [name, letter] of Object.entries(letters)) document.querySelector(`[data-key="${name}"]`).textContent = letter.toUpperCase() || "–";
byId("keys-off").hidden = on;

listen({});
