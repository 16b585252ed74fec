// The form works as it is; the connection's state is the only live thing here.
import { listen } from "./shell.js";

listen({});
