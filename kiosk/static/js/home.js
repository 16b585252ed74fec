// Pages that only tell how the kiosk's parts are.
import { listen } from "./shell.js";
listen({});
