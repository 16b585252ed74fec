// Undo and redo. Where the kiosk asks first, its question stands in the bar until somebody answers it.
import { send } from "./api.js";
import { say } from "./announce.js";
import { byId, el, focusOn } from "./dom.js";
import { t } from "./language.js";
import { attempt, setText } from "./shell.js";

const ASKS_FIRST = "/problems/ask-first";

/** The decision that the question in the bar is about, as undo calls it. */
let about = "";
let question = null;

export function wireUndo() {
  byId("undo").addEventListener("click", () => attempt(undo));
  byId("redo").addEventListener("click", () => attempt(() => send({ command: "redo" })));
}

async function undo() {
  try {
    await send({ command: "undo", confirmed: false });
  } catch (problem) {
    if (problem.kind !== ASKS_FIRST) throw problem;
    ask(problem.message);
  }
}

function ask(words) {
  const answered = (yes) => () => {
    withdraw();
    if (yes) return attempt(() => send({ command: "undo", confirmed: true }));
    byId("undo").focus();
  };
  withdraw();
  about = byId("undo").textContent;
  const no = el("button", { type: "button", onclick: answered(false) }, t("No, leave it"));
  question = el("div", { class: "undo-question", role: "group", "aria-label": words }, el("p", {}, words),
    el("button", { type: "button", onclick: answered(true) }, t("Yes, take it back")), no);
  byId("undo-bar").append(question);
  no.focus();
  say(words);
}

function withdraw() {
  question?.remove();
  question = null;
}

/** A button that is gone once it was pressed leaves the focus to what it brought about. */
export function paintUndo({ undo: what, redo }) {
  const pressed = document.activeElement;
  const inBar = pressed?.closest("#undo-bar");
  byId("undo-bar").hidden = !what && !redo;
  setText(byId("undo"), what ? t("Undo: {what}", { what }) : t("Nothing to undo"));
  byId("undo").disabled = !what;
  setText(byId("redo"), redo ? t("Redo: {what}", { what: redo }) : t("Redo"));
  byId("redo").hidden = !redo;
  if (question && byId("undo").textContent !== about) withdraw();
  if (inBar && (!pressed.isConnected || pressed.disabled || pressed.closest("[hidden]"))) focusOn(byId("stage") ?? byId("main"));
}
