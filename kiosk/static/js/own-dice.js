// One's own dice: plain forms; the header alone is live.
import { listen } from "./shell.js";
listen({ sources: false, paint: () => {} });
