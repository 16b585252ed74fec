"""What a screen shows large: one thing at a time, worked out from the table's JSON.

The first paint uses this module; `static/js/stage.js` does the same for live changes, and an end-to-end test
holds the two equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from rules.phrases import say, say_count

Json = Mapping[str, Any]
"""A JSON object of `GET /api/v1/table`, or a part of one."""

ROLE_LEADER: Final = "leader"
_COMPLICATIONS: Final = {
    2: "Complication on 19 or 20.",
    3: "Complication on 18 to 20.",
    4: "Complication on 17 to 20.",
    5: "Complication on 16 to 20.",
}
"""What a wider complication range means (TASK-7)."""

_SIDES: Final = {"active": "The active side wins.", "reactive": "The reactive side wins.", "none": "Neither side wins."}


def titled(word: str) -> str:
    """A word of the closed sets as a person writes it: `create_advantage` -> `Create advantage`."""
    return word.replace("_", " ").capitalize()


def counted(number: int, one: str, many: str = "") -> str:
    """`2 successes`, `1 success`, `0 successes`: a number reads the same everywhere."""
    if number == 1:
        return f"1 {one}"
    return f"{number} {many or one + 's'}"


def stage(view: Json) -> dict[str, Any]:
    """What to show: `kind`, `who`, `word`, `lines`, `facts` (name and value) and `dice`.

    Each die has `shape` (`d20` or `challenge`), `face`, `words`, `origin` (who gave its value, empty where it
    was read), `mark` (how its border is drawn), `picture` (a key or None). A fact's `mark` is empty or `complication`.
    """
    table: Json = view["table"]
    if table["held"] is not None:
        return _question(view, table)
    if table["request"] is not None:
        return _asked(table, table["request"], table["task"])
    if table["task"] is not None and table["task"]["phase"] == "awaiting_opposition" and not table["task"]["dice"]:
        return _waiting(table)
    if table["agenda"] and view["asked"]:
        return _chain(view, table)
    return _thrown(table) or _waiting(table)


def _thrown(table: Json) -> dict[str, Any] | None:
    """The dice that are on the table: what is in hand first, then whichever came last."""
    task, roll, last = table["task"], table["challenge"], table["last_task"]
    if task is not None and task["outcome"] is not None:
        return _outcome(task)
    lying = roll if roll is not None and roll["total"] is not None else None
    free = next((one for one in reversed(table["free_rolls"]) if not one["attached"]), None)
    if free is not None and _newest(table, free, (last, lying)):
        return _free(free)
    if _fresh_turn(table) and (lying is None or lying["closed"]):
        return None
    if lying is not None and (last is None or not lying["closed"] or lying["number"] > last["number"]):
        return _challenge(lying)
    return _outcome(last) if last is not None and last["outcome"] is not None else None


def _fresh_turn(table: Json) -> bool:
    """Whether a conflict waits for somebody to act: the last Turn's dice say nothing any more."""
    conflict = table["conflict"]
    return conflict is not None and (conflict["turn"] is None or not conflict["turn"]["tasks"])


def _newest(table: Json, free: Json, others: Iterable[Json | None]) -> bool:
    """Whether `free` was thrown after the others: the active side's Task closes last but was declared first (OPP-1)."""
    there = [one["number"] for one in others if one is not None]
    return not there or bool(free["number"] > max(there) and free["reading_id"] == table["seen_readings"][-1])


def _waiting(table: Json) -> dict[str, Any]:
    if not table["ready"]:
        return _made("setup", "", "No table yet", ["Set one up first: ruleset, players, characters."])
    if table["task"] is not None and table["task"]["phase"] == "awaiting_opposition":
        return _made("idle", _summary(table["task"]), "Opposed", ["The other side throws first. Declare its Task."])
    if table["conflict"] is not None:
        return _turn(table)
    return _made("idle", table["scene_name"], "Ready", ["Declare a Task, or throw: free dice are shown, not scored."])


def turn_holder(table: Json) -> str:
    """Who has the Turn in a conflict (TURN-1); empty while nobody has it, or while there is no conflict."""
    turn = table["conflict"]["turn"] if table["conflict"] is not None else None
    if turn is None:
        return ""
    card = _named(table["characters"], "character_id", turn["combatant_id"])
    ship = _named(table["ships"], "ship_id", turn["combatant_id"])
    return str((card or ship or {"name": ""})["name"])


def _turn(table: Json) -> dict[str, Any]:
    """Between two throws of a conflict: who acts, or that somebody has to be chosen."""
    name = turn_holder(table)
    title = say("Round {number}", number=table["conflict"]["round"])
    if name:
        return _made("idle", title, say("{name}'s Turn", name=name), [])
    return _made("idle", title, say("Whose Turn?"), [say("Choose who acts next.")])


def _made(  # noqa: PLR0917 - the parts of a stage, in the order they are read
    kind: str,
    who: str,
    word: str,
    lines: Iterable[str],
    facts: Iterable[tuple[str, ...]] = (),
    dice: Iterable[Json] = (),
) -> dict[str, Any]:
    return {
        "kind": kind,
        "who": who,
        "word": word,
        "lines": [line for line in lines if line],
        "facts": [{"name": name, "value": value, "mark": "".join(mark)} for name, value, *mark in facts],
        "dice": list(dice),
    }


def _named(things: Iterable[Json], key: str, wanted: str) -> Json | None:
    return next((one for one in things if one[key] == wanted), None)


def _summary(task: Json) -> str:
    declaration = task["declaration"]
    label = f": {declaration['label']}" if declaration["label"] else ""
    return f"{task['who']}{label}, {titled(declaration['attribute'])} + {titled(declaration['discipline'])}"


def _question(view: Json, table: Json) -> dict[str, Any]:
    asked = {one["position"] for one in table["held"]["questions"] if one["position"] is not None}
    dice = [
        {
            "shape": "d20" if die["kind"] == "d20" else "challenge",
            "face": shown_face(die),
            "words": f"die {place + 1}: look" if place in asked else f"die {place + 1}: read",
            "origin": "",
            "mark": "ask" if place in asked else "plain",
            "picture": die["picture"] if place in asked else None,
        }
        for place, die in enumerate(table["held"]["dice"])
    ]
    who = table["request"]["who"] if table["request"] else ""
    return _made("question", who, "Look at the dice", view["questions"], (), dice)


def shown_face(die: Json) -> str:
    """What a die shows on a screen; `?` where it was not read."""
    face = die["face"]
    if face is None:
        return "?"
    if die["kind"] == "d6":
        return ("1", "2", "blank", "blank", "effect", "effect")[int(face) - 1]
    return str(face)


def _asked(table: Json, request: Json, task: Json | None) -> dict[str, Any]:
    count, role = request["count"], request["role"]
    what = counted(count, "d20") if request["kind"] == "d20" else counted(count, "Challenge Die", "Challenge Dice")
    again = role in {"reroll", "challenge_reroll"}
    word = f"Throw {what}{' again' if again else ''}"
    dice = [_kept(face, request["kind"]) for face in request["kept"]]
    if task is None or role in {"challenge", "challenge_reroll", "step"}:
        label = table["challenge"]["label"] if table["challenge"] and role != "step" else request["why"]
        return _made("ask", request["who"], word, [label], (), dice)
    target, double = _goal(table, task, role)
    facts = [
        ("Target Number", str(target)),
        ("Counts double", "1" if double <= 1 else f"1 to {double}"),
        ("Difficulty", str(task["difficulty"])),
    ]
    wide = _COMPLICATIONS.get(task["declaration"]["complication_range"], "")
    lines = [wide, "The others stay." if again else ""]
    who = _summary(task) if role in {ROLE_LEADER, "reroll"} else f"{request['who']} helps {task['who']}"
    if not again:
        dice = [_task_die(die) for die in task["dice"]]
    return _made("ask", who, word, lines, facts, dice)


def _kept(face: int | str, kind: str) -> Json:
    shape = "d20" if kind == "d20" else "challenge"
    return {"shape": shape, "face": str(face), "words": "stays", "origin": "", "mark": "plain", "picture": None}


def _goal(table: Json, task: Json, role: str) -> tuple[int, int]:
    """Target Number and what counts double, of whoever throws now (ASST-1, ASST-3)."""
    declaration = task["declaration"]
    if role == "assist":
        done = sum(1 for die in task["dice"] if die["role"] == "assist")
        helps = declaration["assists"][done] if done < len(declaration["assists"]) else None
        helper = helps and _named(table["characters"], "character_id", helps["character_id"])
        if helps and helper:
            skill = helper["disciplines"][helps["discipline"]]
            return helper["attributes"][helps["attribute"]] + skill, skill if helps["focus"] else 1
    if role == "ship" and declaration["ship"]:
        ship = _named(table["ships"], "ship_id", declaration["ship"]["ship_id"])
        if ship:
            department = ship["departments"][declaration["ship"]["department"]]
            return ship["systems"][declaration["ship"]["system"]] + department, department
    return task["target_number"], task["double_at_most"]


def _task_die(die: Json) -> dict[str, Any]:
    thrown = die["die"]
    if thrown["fixed"]:
        words = "Determination, 2 successes"
    else:
        words = counted(die["successes"], "success", "successes") if die["successes"] else "miss"
        if die["complication"]:
            words = f"{words}, Complication" if die["successes"] else "Complication"
    if die["successes"] and not die["counted"]:
        words += ", does not count"
    mark = "complication" if die["complication"] else ("miss", "success", "double")[min(die["successes"], 2)]
    helper = "" if die["role"] in {ROLE_LEADER, "reroll"} else f"{die['who']}: "
    return {
        "shape": "d20",
        "face": str(thrown["face"]),
        "words": helper + words,
        "origin": _origin(thrown),
        "mark": mark,
        "picture": None,
    }


def _origin(thrown: Json) -> str:
    if thrown["fixed"]:
        return ""
    if thrown["corrected"]:
        return "(corrected)"
    return "(entered)" if thrown["source"] == "manual" else ""


def _chain(view: Json, table: Json) -> dict[str, Any]:
    """What a conflict's chain asks a person, with the damage that lies there."""
    attack = table["attack"]
    faces = attack["faces"] if attack is not None else []
    dice = [_challenge_die("challenge", face, "") for face in faces]
    return _made("chain", attack["attacker"] if attack is not None else "", "Choose", [view["asked"]], (), dice)


def _outcome(task: Json) -> dict[str, Any]:
    """The Task's own outcome; once its opposition is decided, whether its side won (OPP-1)."""
    result = task["outcome"]
    winner = task["opposed_winner"]
    good = winner == ("reactive" if task["reactive"] else "active") if winner else result["success"]
    first = task["reactive"] and task["phase"] == "awaiting_opposition"
    won = counted(result["successes"], "success", "successes")
    word = ("Success at cost" if result["at_cost"] else "Success") if result["success"] else "Failure"
    if winner in {"active", "reactive"}:
        word = "Wins" if good else "Loses"
    if first:
        word = f"Difficulty {result['successes']}"
    momentum = task["momentum_left"] + task["saved"] + task["lost"] if winner else result["momentum"]
    left = task["momentum_left"] if task["phase"] == "spending" else 0
    lines = [
        f"{won.capitalize()}."
        if first
        else f"{won.capitalize()} against Difficulty {result['difficulty']}."
        if task["declaration"]["rolled"] or task["dice"]
        else "Difficulty 0: no dice needed.",
        _SIDES.get(task["opposed_winner"] or "", ""),
        ("The active side throws against it." if first else "Waiting for the other side's Task.")
        if task["phase"] == "awaiting_opposition"
        else "",
        say_count(left, "{number} Momentum to spend or save.", "{number} Momentum to spend or save.") if left else "",
        f"{task['saved']} Momentum saved to the group." if task["saved"] else "",
        f"{task['lost']} Momentum lost: the pool holds 6." if task["lost"] else "",
    ]
    trouble = "complication" if result["complications"] else ""
    facts = [("Momentum", str(momentum)), ("Complications", _complications(task), trouble)]
    made = _made("outcome", _summary(task), word, lines, facts, [_task_die(die) for die in task["dice"]])
    return {**made, "mark": "success" if good else "failure"}


def _complications(task: Json) -> str:
    """How many there were, and how many of them nobody has settled yet."""
    number, left = task["outcome"]["complications"], task["complications_open"]
    if not number:
        return "0"
    return f"{number}, settled" if not left else f"{number}, {left} open"


def _challenge(roll: Json) -> dict[str, Any]:
    effects = f"{counted(roll['effects'], 'Effect')}."
    effects = effects[0].upper() + effects[1:]
    title = ": ".join(part for part in (roll["who"], roll["label"]) if part)
    dice = [_challenge_die(die["kind"], die["face"], _origin(die)) for die in roll["dice"]]
    return _made("challenge", title or "Challenge Dice", counted(roll["total"], "point"), [effects], (), dice)


def _challenge_die(kind: str, face: int | str, origin: str) -> Json:
    shown = shown_face({"kind": kind, "face": face})
    words = {"1": "1 point", "2": "2 points", "blank": "blank", "effect": "Effect, 1 point"}[shown]
    mark = "double" if shown == "effect" else "miss" if shown == "blank" else "success"
    return {"shape": "challenge", "face": shown, "words": words, "origin": origin, "mark": mark, "picture": None}


def _free(roll: Json) -> dict[str, Any]:
    dice = [
        {
            "shape": "d20" if die["kind"] == "d20" else "challenge",
            "face": shown_face(die),
            "words": "not read" if die["face"] is None else "",
            "origin": "",
            "mark": "plain",
            "picture": None,
        }
        for die in roll["dice"]
    ]
    return _made("free", "", "Free roll", ["Nothing was declared: shown, not scored."], (), dice)
