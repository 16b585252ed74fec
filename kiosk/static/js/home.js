// Pages that only tell how the kiosk's parts are.
import { listen, steppers } from "./shell.js";

steppers();
listen({});
