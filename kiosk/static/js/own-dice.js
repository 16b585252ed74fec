// One's own dice: plain forms; the header alone is live.
import { listen, steppers } from "./shell.js";

steppers();
listen({ sources: false, paint: () => {} });
