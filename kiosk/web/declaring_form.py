"""The form of a Task: where it may be opened, what it is preset to, and beside each choice its chance and its price.

In: the view, and the fields of the form as they stand, with the choice that was touched last. Out: what `_declare.html`
renders. The rules compute the result of every choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, Final

import msgspec

from kiosk.errors import WireError, words_of
from kiosk.i18n.current import said_now
from kiosk.storage.wire import command_of, output
from kiosk.views.conflict_view import newest_first
from kiosk.views.foes import kinds_of_foes
from kiosk.views.holders import NOBODY, Holders, waits_for_another
from kiosk.views.stage.declared import dial_counts
from kiosk.views.stage.names import titled
from kiosk.web.chances import odds_of, percent, price_words, prices_of, ways_to_buy
from kiosk.web.choice_buttons import NOT, as_bought, button, of_dice, touched
from kiosk.web.form_fields import Form, Raw
from kiosk.web.forms import BOUGHT, HELPED, MOST_HELPERS, ROWS, SHIP_HELPED, WORKS, declaration_of
from kiosk.web.presets import HARDEST_UNASKED, Preset, Why, cost_of, differing, helped, other_choices, presets
from rules.game import (
    CIRCUMSTANCES,
    RANGE_WORDS,
    Action,
    Attribute,
    Circumstance,
    ConflictKind,
    Declaration,
    DeclareTask,
    DicePrice,
    Discipline,
    History,
    InjuryState,
    Modifier,
    Payer,
    Refusal,
    Standing,
    Table,
    TaskPhase,
    as_dialled,
    chance,
    combatant_name,
    difficulty_now,
    difficulty_words,
    is_able,
    may_line_up,
    may_oppose,
    may_take_task,
    momentum_against,
    momentum_to_declare,
    named_opponent,
    pool_of,
    when_next,
    why_unpaid,
    with_skills,
)
from rules.words import Phrase, joined_by, say, sentences

CIRCUMSTANCE: Final = "circumstance"
"""The field for a circumstance that some creatures ignore."""

QUICK_HELPERS: Final = 8
"""Helpers that are one tap each; whoever else is at a large table is chosen from the list under the modifiers."""

OPEN: Final = "declare"
"""The field of a query that asks for the form."""

DIAL: Final = "dial"
"""The field that holds what the gamemaster had set when the form was made."""

SIDE: Final = "side"
"""The field that holds whether the form answers another's Opposed Task, as it was when the form was made."""

AS_NOW: Final = "as_now"
"""The field that says yes to declaring what the table waits for now."""

WORK_ON: Final = "work_on"
"""The field for the Extended Task that is worked on."""

PART: Final = "part"
"""The field for the open part of what few Tasks need, as a phone has it."""

SHORT: Final = "short"
"""The part that is the form without any of them: the way back to it."""

_NO_CHOICE: Final = frozenset({AS_NOW, PART, "choose", "language", "page", "back", "token", "tap"})
"""Fields of a request that are none of the form's choices."""

_TICKS: Final = ("focus", "rolled", "may_succeed_at_cost", "opposed")
"""The fields that are ticked or not."""
_NEEDED: Final = frozenset({"attribute", "discipline", "difficulty", "complication_range"})
"""The fields of a filled-in form: without one of them the form begins with its presets."""
_IN_SIGHT: Final = frozenset(
    {"character_id", "label", "attribute", "discipline", "focus", "difficulty", "value", "more"}
)
"""The fields that show while the others are folded away; those are carried along unseen."""

_OPPOSED: Final = frozenset({"opposed", "opponent_id"})
"""The fields of the Task's other side."""

_FIRST_HELPER: Final = ("assist1", "assist_attribute1", "assist_discipline1", "assist_focus1")
"""The fields of the first helper."""
_IN_LISTS: Final = frozenset({*_FIRST_HELPER, *(f"{one}{row}" for one in ("purchase", "threat_part") for row in ROWS)})
"""The fields that the short form of a phone has in lists, beside those of the ship."""

_OF_SHIP: Final = frozenset({"ship", "system", "department"})
"""The fields of the ship that helps."""

_PARTS: Final = {
    "modifiers": ("reason", "change", "circumstance", "complication_range", "difficulty"),
    "dice": ("purchase", "threat_part", "value"),
    "helpers": ("assist", "ship", "system", "department"),
    "rare": ("rolled", "may_succeed_at_cost", "rerolls_"),
}
"""What the fields of each part begin with. A phone shows an open part alone: all others are carried along unseen."""

_BESIDE_PARTS: Final = frozenset({"difficulty", "value"})
"""Fields of parts that the form has beside them while none is open."""


Option = tuple[str, Phrase | str]
"""A choice of a list: its value and its words."""


def may_declare(view: Mapping[str, Any]) -> bool:
    """Whether a Task can be declared: none is in hand, its spending would end, or it waits for the other side's."""
    table, task = view["table"], view["table"]["task"]
    free = task is None or waits_for_other_side(table) or _makes_room(view)
    return bool(table["ready"] and table["request"] is None and free and view["may_be_plain"])


def waits_for_other_side(table: Mapping[str, Any]) -> bool:
    """Whether a Task waits for the one against it (OPP-1)."""
    task = table["task"]
    return task is not None and task["phase"] == TaskPhase.AWAITING_OPPOSITION and not task["reactive"]


def _makes_room(view: Mapping[str, Any]) -> bool:
    """Whether the Task in hand ends as soon as another is declared (docs/declaring.md), because nothing follows it."""
    task = view["table"]["task"]
    follows = any(one["command"]["command"] == "follow_through" for one in view["options"])
    over = task["phase"] in {TaskPhase.SPENDING, TaskPhase.COMPLICATIONS}
    return over and not view["table"]["agenda"] and not follows


def declaring(
    view: Mapping[str, Any],
    history: History,
    given: Form,
    *,
    gamemaster: bool,
    me: str,
    holders: Holders = NOBODY,
    others_holders: Holders | None = None,
) -> Raw:
    """The values of the part in which somebody who plays `me` declares.

    `may`: whether it is there at all; `against`: whether the Task that waits is `me`'s own, so that others answer it;
    `answer`: what is declared against the Task that waits, where that names its opponent; `beat`: what wins;
    `cannot`: why `me` declares none, as who is injured, another's or not on turn; `foes`: whether the gamemaster has
    somebody who may, `spare` who of theirs could join the fight for it, and `ready` the foes that can be added to it.
    `line`: whether a declaration stands in line until the Task in hand is over, or until another of `others_holders`,
    of the `holders` where it is not given, has bought what they can. `asked` and `usual` are Tasks ready to
    declare, `dial` is what the gamemaster has set for the next, where the stage does not show it; `form` is there
    where `given` asks for it, `gone` in its place where the table has gone on, so that the same tap would declare
    something else.
    """
    table = view["table"]
    others = waits_for_other_side(table)
    against = others and not gamemaster and bool(me) and table["task"]["declaration"]["character_id"] == me
    free = may_declare(view) and not waits_for_another(
        history.present, me, holders if others_holders is None else others_holders
    )
    waiting = [one["character_id"] for one in table["in_line"]]
    behind = bool(waiting) and waiting[0] != me and not gamemaster  # nobody gets before who is next
    mine = _in_hand(table, me) and table["request"] is not None and not gamemaster
    line = not others and may_line_up(history.present) and (behind or not free) and not mine
    told = dial_counts(history.present)  # by the stage above it
    if line:
        history = replace(history, present=when_next(history.present))
    here = _declarers(view, gamemaster=gamemaster, line=line)
    out, off = ("", "") if gamemaster else (_anothers(view, me, holders) or out_of_it(history.present, me), "")
    if not gamemaster:
        here = [one for one in here if one[0] not in holders]
        off = "" if out or others else _off_turn(history.present, me)
    may = not out and not off and (line or free) and bool(here or not table["characters"] or against)
    ready = list(presets(history, me)) if may and me and not against and not _in_hand(table, me) else []
    calm = table["conflict"] is None  # in one the Turn has its own list of what can be done
    wanted = bool(given.get(OPEN)) and (may or bool(off)) and bool(here) and not against
    gone = _gone_on(table, here, given, others=others, off=off) if wanted else None
    foes = gamemaster and any(one in view["declarers"] for one in _foes(table))
    spare = _spare(history.present) if gamemaster and others else []
    return {
        "may": may,
        "cannot": out or ("" if gone else off),
        "foes": foes,
        "spare": spare,
        "ready": kinds_of_foes() if gamemaster and others and not foes and not spare else [],
        "others": others,
        "against": against,
        "answer": _answer(history.present, me, against=against) if others else "",
        "beat": _to_beat(history.present) if others and not against else "",
        "line": line,
        "stands": _stands(table, me),
        "who": me,
        "name": next((name for one, name in here if one == me), ""),
        "asked": [_preset(one) for one in ready if one.why == "asked"],
        "usual": [_preset(one) for one in ready if one.why != "asked" and (calm or gamemaster)],
        "dial": _dial_told(history.present) if may and not (others or told or gamemaster) and calm else "",
        "tracks": [(one.track_id, _work_on(one.label)) for one in newest_first(history.present) if ready and calm],
        "gone": gone,
        "side": "other" if others else "own",
        "form": _form(history, here, view["helpers"], given, "" if gamemaster else me, later=line)
        if wanted and not gone
        else None,
    }


def _stands(table: Mapping[str, Any], me: str) -> str:
    """That `me` stands in line, and after whom; empty of whoever does not."""
    waiting = [one["character_id"] for one in table["in_line"]]
    if me not in waiting:
        return ""
    names = {one["character_id"]: one["name"] for one in table["characters"]}
    place = waiting.index(me)
    before = names.get(waiting[place - 1], "") if place else table["task"]["who"] if table["task"] else ""
    who = names.get(me, "")
    if not before:
        return say("{who}'s Task is next: it begins by itself.", who=who)
    if place:
        return say("{who}'s Task comes after {other}'s: it begins by itself.", who=who, other=before)
    return say("{who}'s Task is next: it begins by itself when {other} is done.", who=who, other=before)


def _gone_on(
    table: Mapping[str, Any], here: Iterable[tuple[str, str]], given: Form, *, others: bool, off: Phrase | str
) -> Raw | None:
    """Why a form that is open cannot stay what it is, and what can be declared instead; None where it can.

    Its fields are kept, so that it stands there again as soon as it can be declared. `off`: that another is on turn.
    """
    who, ids = given.get("character_id", ""), {one for one, _ in here}
    name = next((one["name"] for one in table["characters"] if one["character_id"] == who), "")
    made_for = given.get(SIDE, "")
    if off:
        why = off
    elif name and who not in ids:
        why = say("The table has gone on: {name} cannot declare a Task now.", name=name)
    elif made_for == "own" and others and AS_NOW not in given:
        why = say("The table has gone on: {name} waits for the other side's Task.", name=table["task"]["who"])
    elif made_for == "other" and not others and AS_NOW not in given:
        why = say("The table has gone on: nobody waits for the other side's Task any more.")
    else:
        return None
    kept = {name: value for name, value in given.items() if value and name not in _NO_CHOICE}
    return {"why": why, "instead": not off and (not name or who in ids), "kept": kept}


def _foes(table: Mapping[str, Any]) -> list[str]:
    """The ids of the gamemaster's characters, and of ships with crews of their own."""
    npcs = [one["character_id"] for one in table["characters"] if one["standing"] != Standing.PLAYER]
    return [*npcs, *(one["ship_id"] for one in table["ships"] if one["crew"])]


def _spare(table: Table) -> list[tuple[str, str]]:
    """The gamemaster's who take no part in the fight and could: on foot people alone; none without a fight.

    Nobody of an ended fight: the page of conflicts lets them join.
    """
    conflict = table.conflict
    if conflict is None:
        return []
    npcs = [one for one in table.characters if one.standing is not Standing.PLAYER and is_able(table, one.character_id)]
    people = [(one.character_id, one.name) for one in npcs]
    ships = [(one.ship_id, one.name) for one in table.ships if one.crew is not None and not one.state.destroyed]
    some = people if conflict.kind is ConflictKind.PERSONAL else [*ships, *people]
    return [one for one in some if conflict.combatant(one[0]) is None and one[0] not in table.fought]


def _anothers(view: Mapping[str, Any], me: str, holders: Holders) -> Phrase | str:
    """That somebody else plays `me`, as a sentence; empty of one's own and of whom nobody took."""
    holder = holders.get(me, "")
    if not holder:
        return ""
    called = next((one["called"] for one in view["persons"] if one["person_id"] == holder), "")
    name = next((one["name"] for one in view["table"]["characters"] if one["character_id"] == me), "")
    return say(
        "{person} plays {character}: only {person} and the gamemaster decide here.", person=called, character=name
    )


def _answer(table: Table, me: str, *, against: bool) -> Phrase | str:
    """Whose Task is declared against the one that waits, as a title; empty where that names no opponent (OPP-1)."""
    task = table.task
    name = named_opponent(table, task.declaration) if task is not None else ""
    if task is None or not name:
        return ""
    if against:
        return say("{name} declares a Task against yours", name=name)
    if task.declaration.opponent_id == me:
        return say("Declare your Task against {name}", name=task.who)
    return say("Declare a Task of {name} against it", name=name)


def _to_beat(table: Table) -> Phrase | str:
    """What wins against the Task that waits, where that reached its Difficulty (OPP-2, OPP-3); else empty."""
    task, momentum = table.task, momentum_against(table)
    if task is None or momentum is None:
        return ""
    return say(
        "{who} is {momentum} above the Difficulty: {more} or more above yours wins.",
        who=task.who,
        momentum=momentum,
        more=momentum + 1,
    )


def _off_turn(table: Table, me: str) -> Phrase | str:
    """Who is on turn instead of `me`, and what `me` does meanwhile, as sentences; empty of who may take a Task."""
    if not me or may_take_task(table, me):
        return ""
    turn = table.conflict.turn if table.conflict is not None else None
    now = (
        say("{name} has the Turn.", name=combatant_name(table, turn.combatant_id))
        if turn is not None
        else say("Nobody has the Turn.")
    )
    return sentences(now, say("Out of your own Turn you defend yourself and throw what the gamemaster asks for."))


def out_of_it(table: Table, me: str) -> Phrase | str:
    """That somebody is out of it, as a sentence; empty of who can act, and of nobody in particular."""
    one = next((each for each in table.characters if each.character_id == me), None)
    if one is None or is_able(table, me):
        return ""
    if one.body.injury is InjuryState.DEAD:
        return say("{name} is dead.", name=one.name)
    return say("{name} is injured and cannot act. First Aid helps, or Determination.", name=one.name)


def _dial_told(table: Table) -> str:
    """The gamemaster's settings for the next Task, as sentences; empty if nothing is set."""
    dial = table.dial
    if dial is None:
        return ""
    told = say("The gamemaster has set: {difficulty}.", difficulty=difficulty_words(dial.difficulty))
    return sentences(told, RANGE_WORDS[dial.complication_range] if dial.complication_range > 1 else "")


def _in_hand(table: Mapping[str, Any], me: str) -> bool:
    return table["task"] is not None and bool(table["task"]["declaration"]["character_id"] == me)


def _declarers(view: Mapping[str, Any], *, gamemaster: bool, line: bool) -> list[tuple[str, str]]:
    """The characters that this page may declare for now, the expected first; of those in line everybody."""
    table = view["table"]
    names = {
        one["character_id"]: one["name"]
        for one in table["characters"]
        if gamemaster or one["standing"] == Standing.PLAYER
    }
    if gamemaster:
        names |= {one["ship_id"]: one["name"] for one in table["ships"] if one["crew"] or not line}
    return [(one, names[one]) for one in (names if line else view["declarers"]) if one in names]


def _preset(one: Preset) -> Raw:
    """A Task ready to declare: its fields, and the text of its button."""
    declared = one.declaration
    fields = fields_of(declared)
    pair = _pair(declared.attribute, declared.discipline, focus=declared.focus)
    chance = percent(one.chance)
    more = (
        say("{needed} to win: {chance}", needed=one.to_win, chance=chance)
        if one.to_win
        else say("Difficulty {difficulty}: {chance}", difficulty=declared.difficulty, chance=chance)
    )
    return {
        "fields": fields,
        "words": declared.label or pair,
        "more": say("{skills}. {more}", skills=pair, more=more) if declared.label else more,
    }


def _pair(attribute: str, discipline: str, *, focus: bool) -> Phrase:
    fills = {"attribute": titled(attribute), "discipline": titled(discipline)}
    if focus:
        return say("{attribute} + {discipline}, focus", **fills)
    return say("{attribute} + {discipline}", **fills)


def fields_of(declared: Any) -> dict[str, str]:  # noqa: ANN401  # a struct or an object made from `Declaration`
    """The form's fields for `declared`, without empty ones."""
    raw: Raw = msgspec.to_builtins(declared)
    texts = ("character_id", "attribute", "discipline", "label", "value", "opponent_id")
    found = {name: str(raw[name] or "") for name in texts}
    found |= {name: str(raw[name]) for name in ("difficulty", "complication_range")}
    found |= {name: "yes" if raw[name] else "" for name in _TICKS}
    found |= {f"rerolls_{one}": "yes" for one in raw["rerolls"]}
    for row, one in zip(ROWS, raw["modifiers"], strict=False):
        found |= {f"reason{row}": one["reason"], f"change{row}": str(one["change"])}
        found |= {f"circumstance{row}": one["circumstance"] or ""}
    for row, one in zip(ROWS, raw["purchases"], strict=False):
        found |= {f"purchase{row}": one["payer"], f"threat_part{row}": str(one["threat_part"] or "")}
    for row, one in zip(count(1), raw["assists"], strict=False):
        found |= {f"assist{row}": one["character_id"], f"assist_focus{row}": "yes" if one["focus"] else ""}
        found |= {f"assist_{name}{row}": one[name] for name in ("attribute", "discipline")}
    if raw.get("action") and raw["action"]["name"] == WORKS:
        found |= {WORK_ON: raw["action"]["target_id"]}
    if raw["ship"]:
        found |= {"ship": raw["ship"]["ship_id"], "system": raw["ship"]["system"]}
        found |= {"department": raw["ship"]["department"]}
    return {name: value for name, value in found.items() if value}


def _form(
    history: History, here: Sequence[tuple[str, str]], able: Iterable[str], given: Form, me: str, *, later: bool
) -> Raw:
    """The form in its present state; a refusal of the rules stands in place of its chances.

    Dice that nobody can pay for are told, but those of a Task for `later`, which are paid for when it begins.
    """
    table = history.present
    ids = [one for one, _ in here]
    who = next((one for one in (given.get("character_id"), me, ids[0]) if one in ids), ids[0])
    made: Raw = {
        "who": who,
        "me": me if who == me else "",
        "declarers": here,
        "more": given.get("more") == "yes",
        "odds": "",
        "price": "",
        "payers": [],
        "starts": "",
        "fixed": False,
    }
    made |= {"choices": {}, "lists": {}, "said": "", "card": "", "values": _values(table, who)}
    made["part"] = [given.get(PART, ""), *(one for field, one in touched(given) if field == PART)][-1]
    made["more"] = made["more"] and made["part"] != SHORT
    made["part"] = made["part"] if made["part"] in _PARTS else ""
    made["may_oppose"] = table.task is None or table.task.phase is not TaskPhase.AWAITING_OPPOSITION
    chosen = _sane(table, given, who, set(able)) if given.keys() >= _NEEDED else _usual(history, who)
    mark = made["dial"] = _dial_mark(table)
    try:
        declared = _declared(chosen)
        if DIAL in given and given[DIAL] != mark:  # it was set or changed while the form is open
            declared = as_dialled(table, _undialled(declared, given[DIAL]))
        for field, value in touched(given):
            declared = _chosen(table, declared, field, value, later=later)
        if declared.action is not None and declared.action.name == WORKS:  # others may have made it easier, or ended it
            declared = _with_work(table, declared, declared.action.target_id)
        made["fixed"] = declared.action is not None
        chosen = fields_of(output(declared))
        made["said"] = _said(here, chosen, fixed=made["fixed"])
        unpaid = None if later else why_unpaid(table, declared)
        made["choices"] = _choices(table, declared, unpaid=unpaid is not None)
        made["choices"]["circumstances"] = _circumstances(table, declared) if made["more"] else []
        made["choices"]["tracks"] = _tracks(table, declared) if table.conflict is None else []
        made["lists"] = _lists(table, declared, made["choices"])
        made["payers"] = ways_to_buy(table, declared)
        made["price"], made["odds"] = _told(table, declared)
        made["odds"] = sentences(made["odds"], _unpaid_words(table, declared, unpaid))
        made["starts"] = _starts(table, declared)
    except (Refusal, WireError) as problem:
        made["odds"] = words_of(problem)
    made["helpers"] = [(one.character_id, one.name) for one in table.characters if one.character_id in able]
    made["helpers"] = [one for one in made["helpers"] if one[0] != who]
    made["opponents"] = _opponents(table, who) if made["may_oppose"] and chosen.get("opposed") else []
    rows = 1 + max((row for row in range(1, MOST_HELPERS) if chosen.get(f"assist{row}")), default=0)
    made["rows"] = range(1, min(rows, len(made["helpers"])) + 1)
    made["card"] = _card(table, who, chosen)
    made["valueless"] = any(
        one.character_id == who and one.standing is Standing.PLAYER and one.determination and not one.values
        for one in table.characters
    )
    made["numbers"] = _numbers(table, who)
    made["chosen"] = chosen
    made["kept"], made["unseen"] = _carried(chosen, made["part"], may_oppose=made["may_oppose"])
    made["beside"] = {name: value for name, value in made["kept"].items() if name not in _IN_LISTS | _OF_SHIP}
    return made


def _carried(chosen: Form, part: str, *, may_oppose: bool) -> tuple[dict[str, str], dict[str, str]]:
    """The fields that no control holds: while the form is short, and in the long form, where that part may be open."""
    shown = _IN_SIGHT | (_OPPOSED if may_oppose else set())
    kept = {name: value for name, value in chosen.items() if name not in shown}
    if part:
        asked = _NO_CHOICE | {OPEN, DIAL, SIDE, "character_id", "me", "more"}
        open_now = _PARTS[part]
        others = {name: value for name, value in chosen.items() if name not in asked and not name.startswith(open_now)}
        return kept, others
    closed = (*(each for some in _PARTS.values() for each in some if each not in _BESIDE_PARTS), WORK_ON)
    closed = (*closed, *(() if may_oppose else _OPPOSED))
    return kept, {name: value for name, value in chosen.items() if name.startswith(closed)}


def _dial_mark(table: Table) -> str:
    """A mark of the gamemaster's settings, by which an open form notices a change."""
    dial = table.dial
    return f"{dial.difficulty}/{dial.complication_range}" if dial is not None else ""


def _undialled(declared: Declaration, mark: str) -> Declaration:
    """`declared` without what was set when its form was opened, of which `mark` tells; what somebody chose stays."""
    if mark != f"{declared.difficulty}/{declared.complication_range}":
        return declared
    usual = Declaration(character_id="")
    return replace(declared, difficulty=usual.difficulty, complication_range=usual.complication_range)


def _starts(table: Table, declared: Declaration) -> Phrase | str:
    """Where the Difficulty and the range of a Task come from, as sentences; empty where a rule sets them."""
    if declared.action is not None:
        return ""
    asked = next((one for one in table.asked if one.character_id == declared.character_id), None)
    if asked is not None and asked.skills == declared.skills:
        return say("The gamemaster asks for {difficulty}.", difficulty=difficulty_words(asked.difficulty))
    players = {one.character_id for one in table.characters if one.standing is Standing.PLAYER}
    if declared.character_id in players and table.dial is not None:
        return _dial_told(table)
    return say("No Difficulty is set for it: it starts at 1.")


def _usual(history: History, who: str) -> dict[str, str]:
    """The form's preset: what this character would declare next."""
    likely = next(presets(history, who), None)
    if likely is not None:
        found = fields_of(likely.declaration)
        if likely.why != Why.ASKED:  # of another Task: what it was about, and whether a focus applied to that
            found = {name: value for name, value in found.items() if name not in {"label", "focus"}}
        return found
    plain = Declaration(character_id=who, attribute=Attribute.CONTROL, discipline=Discipline.COMMAND)
    return fields_of(as_dialled(history.present, plain))


def _sane(table: Table, given: Form, who: str, able: set[str]) -> dict[str, str]:
    """The fields as sent, without helpers who cannot help or are the character itself.

    Who was just chosen to help does so with the best attribute and the same discipline until something else is chosen.
    """
    made = {**given, "character_id": who}
    cards = {one.character_id: one for one in table.characters}
    for row in range(1, MOST_HELPERS + 1):
        helper = made.get(f"assist{row}")
        if helper and (helper == who or helper not in able):
            del made[f"assist{row}"]
        elif helper and helper in cards and not made.get(f"assist_attribute{row}"):
            numbers = msgspec.to_builtins(cards[helper].attributes)
            made[f"assist_attribute{row}"] = max(Attribute, key=numbers.__getitem__)
            made[f"assist_discipline{row}"] = given["discipline"]
    if (helper := made.get(HELPED, "").partition("/")[0]) and (helper == who or helper not in able):
        del made[HELPED]
    paid = {made.get(f"purchase{row}") for row in ROWS} | set(made.get(BOUGHT, "").split())
    if Payer.DETERMINATION not in paid:
        made.pop("value", None)
    if made.get("opponent_id") not in may_oppose(table, who):
        made.pop("opponent_id", None)
    return made


def _declared(chosen: Form) -> Declaration:
    command = command_of({"command": "declare_task", "declaration": declaration_of(chosen)}).command
    if not isinstance(command, DeclareTask):
        raise TypeError(f"declare_task made a {type(command).__name__}")
    return command.declaration


def _chosen(table: Table, declared: Declaration, field: str, value: str, *, later: bool) -> Declaration:
    """`declared` with the touched choice applied; unchanged if that choice is gone."""
    if field == CIRCUMSTANCE:
        return _with_circumstance(declared, value)
    if field == WORK_ON:
        return _with_work(table, declared, value)
    unpaid = not later and why_unpaid(table, declared) is not None
    every = differing(table, with_skills(table, declared), unpaid=unpaid)
    found = next((one for *choice, one in every if choice == [field, value]), None)
    return declared if found is None else _declared(fields_of(output(found)))


def _with_circumstance(declared: Declaration, value: str) -> Declaration:
    """`declared` with the circumstance (1 harder) added, or removed if it was set."""
    found = next((one for one in Circumstance if one.value == value), None)
    others = tuple(one for one in declared.modifiers if one.circumstance is not found)
    if found is None or others != declared.modifiers:
        return replace(declared, modifiers=others)
    harder = Modifier(reason=said_now(CIRCUMSTANCES[found]), change=1, circumstance=found)
    return replace(declared, modifiers=(*others, harder))


def _circumstances(table: Table, declared: Declaration) -> list[Raw]:
    """A button for each circumstance that some creatures ignore, with the resulting chance."""
    made = []
    for one in Circumstance:
        pressed = any(each.circumstance is one for each in declared.modifiers)
        if pressed or len(declared.modifiers) < len(ROWS):
            with_it = declared if pressed else _with_circumstance(declared, one.value)
            chance = percent(odds_of(table, with_it).chance)
            label = {"words": CIRCUMSTANCES[one], "chance": chance, "price": "", "label": ""}
            made.append(label | {"choose": f"{CIRCUMSTANCE}/{one}", "id": f"choose-{one}", "pressed": pressed})
    return made


def _said(here: Iterable[tuple[str, str]], chosen: Form, *, fixed: bool) -> Phrase:
    """A summary of what the button would declare, for when the fields are out of sight.

    A Difficulty that the rules set, `fixed`, stands with the chances beneath, and not here too.
    """
    name = next((name for one, name in here if one == chosen["character_id"]), "")
    pair = _pair(chosen["attribute"], chosen["discipline"], focus=bool(chosen.get("focus")))
    if fixed:
        return joined_by(": ", [name, pair])
    return say("{name}: {skills}, Difficulty {difficulty}", name=name, skills=pair, difficulty=chosen["difficulty"])


def _work_on(label: str) -> Phrase:
    return say("Work on: {track}", track=label)


def _with_work(table: Table, declared: Declaration, track_id: str) -> Declaration:
    """`declared` at work on that Extended Task, which sets its Difficulty (EXT-T1).

    Without one, or where it is gone, its Difficulty is where any Task starts from.
    """
    track = next((one for one in table.extended if one.track_id == track_id), None)
    if track is None:
        plain = replace(declared, action=None, difficulty=Declaration(character_id="").difficulty)
        return as_dialled(table, plain) if declared.action is not None else declared
    return replace(
        declared,
        action=Action(name=WORKS, target_id=track.track_id),
        difficulty=difficulty_now(track),
        rolled=True,
        opposed=False,
        opponent_id="",
    )


def _tracks(table: Table, declared: Declaration) -> list[Raw]:
    """A button for each Extended Task, with the chance of working on it; the one that is worked on takes it back."""
    made = []
    for one in newest_first(table):
        pressed = declared.action is not None and declared.action.target_id == one.track_id
        chance = percent(odds_of(table, _with_work(table, declared, one.track_id)).chance)
        label = {"words": _work_on(one.label), "chance": chance, "price": "", "label": ""}
        choose = f"{WORK_ON}/{NOT if pressed else one.track_id}"
        made.append(label | {"choose": choose, "id": f"choose-{one.track_id}", "pressed": pressed})
    return made


def _told(table: Table, declared: Declaration) -> tuple[str, str]:
    """What the dice cost, each and together, and the chances."""
    odds = odds_of(table, declared)
    dice = odds.bill.dice
    payers = [one.payer for one in declared.purchases]
    each = [
        say("Bonus die {number} is Determination's: it shows 1 and is not thrown.", number=place)
        if payer is Payer.DETERMINATION
        else say("Bonus die {number}: {price}.", number=place, price=price)
        for place, (price, payer) in enumerate(zip(dice, payers, strict=True), 1)
    ]
    together = say("Together: {total}.", total=odds.bill.total) if len(dice) > 1 else ""
    return joined_by(" ", [one for one in (*each, together) if one]), odds.words


def _unpaid_words(table: Table, declared: Declaration, why: Refusal | None) -> Phrase | str:
    """That nobody can pay for the bonus dice as they were chosen, and `why`; empty where somebody can."""
    if why is not None and any(one.momentum for one in prices_of(table, declared)):
        pool = momentum_to_declare(table)
        return say("That cannot be paid: the pool holds {pool} Momentum. Choose the dice again.", pool=pool)
    return "" if why is None else why.message


def _choices(table: Table, declared: Declaration, *, unpaid: bool) -> dict[str, Any]:
    """Every choice with its chance: by field, those of an attribute or a discipline by their value."""
    found: dict[str, Any] = {"attribute": {}, "discipline": {}, "difficulty": [], "dice": [], "focus": "", "bought": []}
    names = {one.character_id: one.name for one in table.characters} | {one.ship_id: one.name for one in table.ships}
    helping = {one.character_id for one in declared.assists}
    helps, whole = 0, with_skills(table, declared)
    stands = (chance(pool_of(table, whole)).chance, cost_of(table, declared))
    for one in other_choices(table, whole, unpaid=unpaid):
        likely = percent(one.chance)
        if one.field in {"attribute", "discipline"}:
            found[one.field][one.value] = likely
        elif one.field == "focus":
            found["focus"] = likely if one.value == "yes" else found["focus"]
        elif one.field == "difficulty":
            label = say("Difficulty {difficulty}: {chance}", difficulty=one.value, chance=likely)
            pressed = declared.difficulty == int(one.value)
            found["difficulty"].append(button(one, one.value, stands, pressed=pressed) | {"label": label})
        elif one.field in {"dice", "determination"}:
            found["dice"] += [of_dice(one, declared, stands)]
            found["bought"] += [(one, of_dice(one, declared, stands))] if one.field == "dice" else []
        else:
            with_ship = declared.ship is not None and declared.ship.ship_id == one.value
            pressed = one.value in helping if one.field == "help" else with_ship
            helps += one.field == "help"
            if helps > QUICK_HELPERS and one.field == "help" and not pressed:
                continue
            found["dice"].append(button(one, say("{name} helps", name=names[one.value]), stands, pressed=pressed))
    return found | {"dice": [one for one in found["dice"] if one is not None]}


def _lists(table: Table, declared: Declaration, found: Mapping[str, Any]) -> dict[str, Any]:
    """The choices that a phone's short form has in lists, by field: each value, and its words with the chance.

    What is chosen has no chance beside it: that of the whole form stands once, above the button that declares. The
    values of dice and of helpers hold all that they come to, so that without script nothing is missing. What is chosen
    now stands under `now`.
    """
    numbers = _numbers(table, declared.character_id)
    bought = as_bought(declared.purchases)

    def skills(field: str, every: Iterable[str]) -> list[Option]:
        named = {one: say("{name} {number}", name=titled(one), number=numbers[one]) for one in every if numbers}
        present = getattr(declared, field)
        return [(one, _offered(named.get(one, titled(one)), found[field][one], now=one == present)) for one in every]

    levels = [(one["words"], _offered(one["words"], one["chance"], now=one["pressed"])) for one in found["difficulty"]]
    beyond = [(str(declared.difficulty), str(declared.difficulty))] if declared.difficulty > HARDEST_UNASKED else []
    helpers, ships = _helping(table, declared)
    return {
        "attribute": skills("attribute", Attribute),
        "discipline": skills("discipline", Discipline),
        "difficulty": [*levels, *beyond],
        BOUGHT: [
            *_short_of(found["bought"], declared, bought),
            *(
                (value, _offered(words, percent(one.chance), price, now=value == bought))
                for one, shown in found["bought"]
                for words, price in [_number_of_dice(table, one, shown)]
                for value in [as_bought(one.declaration.purchases)]
            ),
        ],
        HELPED: helpers,
        SHIP_HELPED: ships,
        "determination": [
            {**one, "chance": ""} if one["pressed"] else one
            for one in found["dice"]
            if one["choose"].startswith("determination")
        ],
        "now": {BOUGHT: bought, HELPED: _helped(declared), SHIP_HELPED: _ship_helped(declared)},
    }


def _number_of_dice(table: Table, one: Any, shown: Raw) -> tuple[Phrase | str, Phrase | str]:  # noqa: ANN401 - a choice
    """So many bonus dice, and what they cost; that of Determination has its button, with its price, beneath."""
    if all(each.payer is not Payer.DETERMINATION for each in one.declaration.purchases):
        return one.value, shown["price"]
    return say("{number} besides Determination's", number=one.value), _priced(table, one.declaration)


def _priced(table: Table, declared: Declaration) -> Phrase | str:
    """The price of the bonus dice but for that of Determination; empty where there is none."""
    thrown = [one for one in prices_of(table, declared) if not one.determination]
    return price_words(
        DicePrice(
            momentum=sum(one.momentum for one in thrown),
            threat_added=sum(one.threat_added for one in thrown),
            threat_spent=sum(one.threat_spent for one in thrown),
        )
    )


def _short_of(listed: Iterable[tuple[Any, Raw]], declared: Declaration, bought: str) -> list[Option]:
    """What is chosen of the bonus dice where nobody can pay for that any more: it stays, and says so."""
    if bought in {as_bought(one.declaration.purchases) for one, _ in listed}:
        return []
    number = sum(one.payer is not Payer.DETERMINATION for one in declared.purchases)
    return [(bought, say("{number}: cannot be paid now", number=number))]


def _offered(words: Phrase | str, chance: Phrase, price: Phrase | str = "", *, now: bool = False) -> Phrase | str:
    """A choice of a list with its chance and its price; of what is chosen `now` the price alone."""
    if now:
        return joined_by(": ", [words, price]) if price else words
    if price:
        return say("{choice}: {chance}, {price}", choice=words, chance=chance, price=price)
    return say("{choice}: {chance}", choice=words, chance=chance)


def _helping(
    table: Table, declared: Declaration
) -> tuple[list[tuple[str, Phrase | str]], list[tuple[str, Phrase | str]]]:
    """Who can help first, and which ship: each as the value of its list, with the chance that it would bring."""
    names = {one.character_id: one.name for one in table.characters} | {one.ship_id: one.name for one in table.ships}
    alone = replace(declared, assists=declared.assists[1:], ship=None)
    besides = {one.character_id for one in alone.assists}
    first = declared.assists[0].character_id if declared.assists else ""
    ship = declared.ship.ship_id if declared.ship is not None else ""
    helpers, ships = [], []
    for field, value, one in helped(table, with_skills(table, alone)):
        if field == "ship":
            made = declared if value == ship else replace(declared, ship=one.ship)
            ships.append((_ship_helped(made), _offered(names[value], _chance_of(table, made), now=value == ship)))
        elif value not in besides:
            asked = (one.assists[-1], *alone.assists)
            made = declared if value == first else replace(declared, assists=asked)
            helpers.append((_helped(made), _offered(names[value], _chance_of(table, made), now=value == first)))
    return helpers, ships


def _chance_of(table: Table, declared: Declaration) -> Phrase:
    return percent(chance(pool_of(table, with_skills(table, declared))).chance)


def _helped(declared: Declaration) -> str:
    if not declared.assists:
        return ""
    first = declared.assists[0]
    return "/".join((first.character_id, first.attribute, first.discipline, *(["yes"] if first.focus else [])))


def _ship_helped(declared: Declaration) -> str:
    one = declared.ship
    return "" if one is None else f"{one.ship_id}/{one.system}/{one.department}"


def _opponents(table: Table, who: str) -> list[tuple[str, str]]:
    """Who can be named against a Task of `who`, each with their name."""
    names = {one.character_id: one.name for one in table.characters} | {one.ship_id: one.name for one in table.ships}
    return [(one, names[one]) for one in may_oppose(table, who)]


def _values(table: Table, who: str) -> list[str]:
    character = next((one for one in table.characters if one.character_id == who), None)
    return [] if character is None else [one.text for one in character.values if not one.struck]


def _numbers(table: Table, who: str) -> dict[str, int]:
    character = next((one for one in table.characters if one.character_id == who), None)
    if character is None:
        return {}
    numbers: dict[str, int] = msgspec.to_builtins(character.attributes) | msgspec.to_builtins(character.disciplines)
    return numbers


def _card(table: Table, who: str, chosen: Form) -> str:
    """The parts of the character's card that matter for the Task; empty for a ship's crew."""
    character = next((one for one in table.characters if one.character_id == who), None)
    numbers = _numbers(table, who)
    if character is None or chosen.get("attribute") not in numbers or chosen.get("discipline") not in numbers:
        return ""
    return say(
        "Target Number {target}. Focuses: {focuses}. Determination {determination}.",
        target=numbers[chosen["attribute"]] + numbers[chosen["discipline"]],
        focuses=joined_by(", ", character.focuses) or say("none"),
        determination=character.determination,
    )
