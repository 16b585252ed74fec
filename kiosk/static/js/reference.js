// The tables of the books: a row is said in the room, and the page stays where it is.
import "./forms.js";
import { listen } from "./shell.js";

listen({});
