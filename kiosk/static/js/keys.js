// Keys on the screen of the kiosk itself, for the field that was touched last, until something else is touched.
import { byId } from "./dom.js";
import { say } from "./ear.js";

const KEYS = ".screen-keys", FIELDS = ":is(textarea, input:is([type=text], [type=number], [type=password])):not([inputmode=none], .pin input)";
const { dataset } = document.documentElement;
let field = null, touched = false;

/** Shows the keys for `target`, and it above them; where it takes none they are gone. */
function serve(target) {
  if (target === field || target.closest(KEYS)) return;
  field = touched && target.matches(FIELDS) ? target : null;
  if (field) dataset.keys = field.type;
  else delete dataset.keys;
  field?.scrollIntoView({ block: "nearest" });
}

addEventListener("pointerdown", ({ pointerType }) => {
  touched = pointerType === "touch";
  document.body.append(byId("screen-keys")?.content ?? ""); // the first time; a page without fields has none
}, true);
addEventListener("mousedown", (event) => event.target.closest(KEYS) && event.preventDefault()); // the field keeps the focus
addEventListener("click", ({ target }) => { // not as it takes the focus: what scrolls before it was let go is not tapped
  const key = target.closest(`${KEYS} button`);
  if (!key) return serve(target);
  const { does = "insertText" } = key.dataset, keys = key.closest(KEYS), before = document.activeElement;
  if (does !== "shift") field.focus();
  if (does === "away") {
    field.blur();
    return serve(document.body);
  }
  document.execCommand(does, false, key.value || key.textContent); // as if typed, for whatever follows what is typed
  if (field.type !== "password") say(key.textContent, "key");
  const large = does === "shift" && key.ariaPressed === "false";
  for (const one of keys.querySelectorAll("[data-high]")) one.textContent = one.dataset[large ? "high" : "low"];
  keys.querySelector("[data-does=shift]").ariaPressed = String(large);
  before.focus();
});
