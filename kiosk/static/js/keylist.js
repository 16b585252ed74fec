// The list of keys, with those that were chosen at this device.
import { byId } from "./dom.js";
import { keys } from "./keys.js";
import { listen } from "./shell.js";

const chosen = keys();
for (const place of document.querySelectorAll("[data-key]")) place.textContent = String(chosen[place.dataset.key]).toUpperCase() || "–";
byId("keys-off").hidden = chosen.on;

listen({});
