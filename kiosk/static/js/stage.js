// What a screen shows large. The twin of kiosk/stage.py: first paint there, live changes here; a test holds them equal.
import { el, die } from "./dom.js";
import { t, tn } from "./language.js";

const COMPLICATIONS = {
  2: "Complication on 19 or 20.",
  3: "Complication on 18 to 20.",
  4: "Complication on 17 to 20.",
  5: "Complication on 16 to 20.",
};
const SIDES = { active: "The active side wins.", reactive: "The reactive side wins.", none: "Neither side wins." };
const D6 = ["1", "2", "blank", "blank", "effect", "effect"];

export function titled(word) {
  const text = word.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
}

export function counted(number, one, many = `${one}s`) {
  return number === 1 ? `1 ${one}` : `${number} ${many}`;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
}

function made(kind, who, word, lines, facts = [], dice = []) {
  return { kind, who, word, lines: lines.filter(Boolean), facts: facts.map((fact) => ({ mark: "", ...fact })), dice };
}

export function stageOf(view) {
  const { table } = view;
  const { task, challenge, last_task: last } = table;
  if (table.held) return question(view, table);
  if (table.request) return asked(table, table.request, task);
  if (task?.phase === "awaiting_opposition" && !task.dice.length) {
    return made("idle", summary(task), "Opposed", ["The other side throws first. Declare its Task."]);
  }
  if (table.agenda.length && view.asked) return chain(view, table);
  if (task?.outcome) return outcome(task);
  const lying = challenge && challenge.total !== null ? challenge : null;
  const free = table.free_rolls.filter((one) => !one.attached).at(-1);
  if (free && newest(table, free, [last, lying])) return freeRoll(free);
  const fresh = table.conflict && !table.conflict.turn?.tasks; // the last Turn's dice say nothing any more
  if (fresh && (!lying || lying.closed)) return turn(table);
  if (lying && (!last || !lying.closed || lying.number > last.number)) return challengeRoll(lying);
  if (last?.outcome) return outcome(last);
  if (!table.ready) return made("setup", "", "No table yet", ["Set one up first: ruleset, players, characters."]);
  if (table.conflict) return turn(table);
  return made("idle", table.scene_name, "Ready", ["Declare a Task, or throw: free dice are shown, not scored."]);
}

/** Who has the Turn in a conflict; empty while nobody has it, or while there is no conflict. */
export function turnHolder({ conflict, characters, ships }) {
  const id = conflict?.turn?.combatant_id;
  if (!id) return "";
  return [...characters, ...ships].find((one) => (one.character_id ?? one.ship_id) === id)?.name ?? "";
}

/** Between two throws of a conflict: who acts, or that somebody has to be chosen. */
function turn(table) {
  const name = turnHolder(table);
  const title = t("Round {number}", { number: table.conflict.round });
  if (name) return made("idle", title, t("{name}'s Turn", { name }), []);
  return made("idle", title, t("Whose Turn?"), [t("Choose who acts next.")]);
}

function newest(table, free, others) {
  const there = others.filter(Boolean).map((one) => one.number);
  return !there.length || (free.number > Math.max(...there) && free.reading_id === table.seen_readings.at(-1));
}

export function summary(task) {
  const { label, attribute, discipline } = task.declaration;
  return `${task.who}${label ? `: ${label}` : ""}, ${titled(attribute)} + ${titled(discipline)}`;
}

export function shownFace(one) {
  if (one.face === null) return "?";
  return one.kind === "d6" ? D6[Number(one.face) - 1] : String(one.face);
}

function shape(kind) {
  return kind === "d20" ? "d20" : "challenge";
}

function question(view, table) {
  const positions = new Set(table.held.questions.map((one) => one.position).filter((place) => place !== null));
  const dice = table.held.dice.map((one, place) => {
    const look = positions.has(place);
    return {
      shape: shape(one.kind),
      face: shownFace(one),
      words: `die ${place + 1}: ${look ? "look" : "read"}`,
      origin: "",
      mark: look ? "ask" : "plain",
      picture: look ? one.picture : null,
    };
  });
  return made("question", table.request?.who ?? "", "Look at the dice", view.questions, [], dice);
}

function asked(table, request, task) {
  const { count, role } = request;
  const what = request.kind === "d20" ? counted(count, "d20") : counted(count, "Challenge Die", "Challenge Dice");
  const again = role === "reroll" || role === "challenge_reroll";
  const word = `Throw ${what}${again ? " again" : ""}`;
  const kept = request.kept.map((face) => ({
    shape: shape(request.kind), face: String(face), words: "stays", origin: "", mark: "plain", picture: null,
  }));
  if (!task || role.startsWith("challenge") || role === "step") {
    const label = table.challenge && role !== "step" ? table.challenge.label : request.why;
    return made("ask", request.who, word, [label], [], kept);
  }
  const [target, double] = goal(table, task, role);
  const facts = [
    { name: "Target Number", value: String(target) },
    { name: "Counts double", value: double <= 1 ? "1" : `1 to ${double}` },
    { name: "Difficulty", value: String(task.difficulty) },
  ];
  const lines = [COMPLICATIONS[task.declaration.complication_range] ?? "", again ? "The others stay." : ""];
  const own = role === "leader" || role === "reroll";
  const who = own ? summary(task) : `${request.who} helps ${task.who}`;
  return made("ask", who, word, lines, facts, again ? kept : task.dice.map(taskDie));
}

function goal(table, task, role) {
  const { declaration } = task;
  if (role === "assist") {
    const helps = declaration.assists[task.dice.filter((one) => one.role === "assist").length];
    const helper = helps && table.characters.find((one) => one.character_id === helps.character_id);
    if (helper) {
      const skill = helper.disciplines[helps.discipline];
      return [helper.attributes[helps.attribute] + skill, helps.focus ? skill : 1];
    }
  }
  const ship = role === "ship" && declaration.ship && table.ships.find((one) => one.ship_id === declaration.ship.ship_id);
  if (ship) {
    const department = ship.departments[declaration.ship.department];
    return [ship.systems[declaration.ship.system] + department, department];
  }
  return [task.target_number, task.double_at_most];
}

function origin(thrown) {
  if (thrown.fixed) return "";
  if (thrown.corrected) return "(corrected)";
  return thrown.source === "manual" ? "(entered)" : "";
}

export function taskDie(one) {
  const { die: thrown, successes, complication } = one;
  let words = successes ? counted(successes, "success", "successes") : "miss";
  if (complication) words = successes ? `${words}, Complication` : "Complication";
  if (thrown.fixed) words = "Determination, 2 successes";
  if (successes && !one.counted) words += ", does not count";
  const helper = one.role === "leader" || one.role === "reroll" ? "" : `${one.who}: `;
  return {
    shape: "d20",
    face: String(thrown.face),
    words: helper + words,
    origin: origin(thrown),
    mark: complication ? "complication" : ["miss", "success", "double"][Math.min(successes, 2)],
    picture: null,
  };
}

function outcome(task) {
  const result = task.outcome;
  const winner = task.opposed_winner;
  const good = winner ? winner === (task.reactive ? "reactive" : "active") : result.success;
  const first = task.reactive && task.phase === "awaiting_opposition";
  const alone = result.success ? (result.at_cost ? "Success at cost" : "Success") : "Failure";
  const decided = winner && winner !== "none" ? (good ? "Wins" : "Loses") : alone;
  const word = first ? `Difficulty ${result.successes}` : decided;
  const momentum = winner ? task.momentum_left + task.saved + task.lost : result.momentum;
  const left = task.phase === "spending" ? task.momentum_left : 0;
  const rolled = task.declaration.rolled || task.dice.length > 0;
  const lines = [
    rolled
      ? `${capital(counted(result.successes, "success", "successes"))}${first ? "" : ` against Difficulty ${result.difficulty}`}.`
      : "Difficulty 0: no dice needed.",
    SIDES[task.opposed_winner] ?? "",
    task.phase === "awaiting_opposition" ? (first ? "The active side throws against it." : "Waiting for the other side's Task.") : "",
    left ? tn(left, "{number} Momentum to spend or save.", "{number} Momentum to spend or save.") : "",
    task.saved ? `${task.saved} Momentum saved to the group.` : "",
    task.lost ? `${task.lost} Momentum lost: the pool holds 6.` : "",
  ];
  const facts = [
    { name: "Momentum", value: String(momentum) },
    { name: "Complications", value: complications(task), mark: result.complications ? "complication" : "" },
  ];
  return {
    ...made("outcome", summary(task), word, lines, facts, task.dice.map(taskDie)),
    mark: good ? "success" : "failure",
  };
}

function complications(task) {
  const { complications: number } = task.outcome;
  if (!number) return "0";
  return task.complications_open ? `${number}, ${task.complications_open} open` : `${number}, settled`;
}

const CHALLENGE_WORDS = { 1: "1 point", 2: "2 points", blank: "blank", effect: "Effect, 1 point" };

export function challengeDie(one) {
  const face = shownFace(one);
  const mark = face === "effect" ? "double" : face === "blank" ? "miss" : "success";
  return { shape: "challenge", face, words: CHALLENGE_WORDS[face], origin: origin(one), mark, picture: null };
}

function challengeRoll(roll) {
  const title = [roll.who, roll.label].filter(Boolean).join(": ") || "Challenge Dice";
  const effects = `${counted(roll.effects, "Effect")}.`;
  return made("challenge", title, counted(roll.total, "point"), [effects], [], roll.dice.map(challengeDie));
}

/** What a conflict's chain asks a person, with the damage that lies there. */
function chain(view, { attack }) {
  const dice = (attack?.faces ?? []).map((face) => challengeDie({ kind: "challenge", face, corrected: false, source: "" }));
  return made("chain", attack?.attacker ?? "", "Choose", [view.asked], [], dice);
}

function freeRoll(roll) {
  const dice = roll.dice.map((one) => ({
    shape: shape(one.kind), face: shownFace(one), words: one.face === null ? "not read" : "", origin: "", mark: "plain", picture: null,
  }));
  return made("free", "", "Free roll", ["Nothing was declared: shown, not scored."], [], dice);
}

/** Fills `place`, an element with the marks of `_stage.html`, with `view`; nothing is touched where nothing changed. */
export function paintStage(place, view) {
  const now = stageOf(view);
  const key = JSON.stringify(now);
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  place.dataset.kind = now.kind;
  place.dataset.mark = now.mark ?? "";
  place.replaceChildren(
    el("p", { class: "stage-who" }, now.who),
    el("h2", { class: "stage-word" }, now.word),
    el("div", { class: "stage-lines" }, ...now.lines.map((line) => el("p", {}, line))),
    el("dl", { class: "facts" }, ...now.facts.map((fact) => el("div", { "data-mark": fact.mark || null }, el("dt", {}, fact.name), el("dd", {}, fact.value)))),
    el("ol", { class: "dice" }, ...now.dice.map((one, place) => el("li", { class: "die", "data-mark": one.mark },
      die(one.shape, one.face),
      one.words && el("span", { class: "die-words" }, one.words),
      one.origin && el("span", { class: "die-origin" }, one.origin),
      one.picture && el("img", { class: "die-picture", src: `/api/v1/pictures/${encodeURIComponent(one.picture)}.jpg`,
        alt: `Picture of die ${place + 1}` })))),
  );
}
