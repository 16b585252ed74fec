"""The spoken menu's way to a declaration: who acts, as before or step by step, read back, declared.

While another's Task is in hand, what is declared stands in line (docs/declaring.md). Only what `decide` takes is
offered; nothing of an earlier Task but its skills, its label and its Difficulty is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, TypeVar

from kiosk.panel.spoken_aims import onward
from kiosk.panel.spoken_places import (
    Declaring,
    Facts,
    Level,
    LevelEntry,
    PickAim,
    PickAttribute,
    PickDifficulty,
    PickDiscipline,
    PickFocus,
    PickOpponent,
    PickPreset,
    Where,
    Who,
    accepted,
)
from kiosk.panel.spoken_reference import of_difficulty
from kiosk.panel.spoken_words import declaration_words, skills_words
from kiosk.views.conflict_view import has_left
from kiosk.views.holders import NOBODY, Holders, waits_for_another
from kiosk.views.of_table import Menus
from rules.game import (
    Action,
    Attribute,
    Character,
    Declaration,
    DeclareTask,
    Dice,
    Discipline,
    History,
    LineUp,
    MenuEntry,
    Refusal,
    Standing,
    Table,
    as_dialled,
    may_line_up,
    may_oppose,
    menu,
    skills_for,
    tried,
    when_next,
)
from rules.words import Phrase, capitalized, say, sentences, spoken, worded

MOST_PRESETS: Final = 5
"""Most earlier Tasks offered again, so that a few presses are enough."""

_LATE: Final = {"level": 1, "note": 2}
"""What is asked after the rest: how hard it is depends on where it leads; words only where they are still needed."""

DIFFICULTIES: Final = (1, 2, 3, 4, 5, 0)
"""TASK-2, in the order in which they are needed most."""


def first_step(facts: Facts) -> Where | None:
    """The first level of declaring; None while nobody may declare."""
    able = _able(facts)
    if not able:
        return None
    return Who() if len(able) > 1 else PickPreset(able[0].character_id)


def declare_words(facts: Facts) -> Phrase:
    """The label of the way to declare; it says if the Task would wait in line."""
    able = _able(facts)
    plain = [_plain(one.character_id) for one in able]
    if all(isinstance(declared_by(facts.table, one, facts.holders), LineUp) for one in plain):
        return say("Declare the next Task: it begins when this one is done")
    return say("Declare a Task")


def declared_by(table: Table, draft: Declaration, holders: Holders = NOBODY) -> DeclareTask | LineUp | None:
    """The command that declares `draft`, at once or in line; None if neither is allowed.

    Whoever's dice are awaited throws them first. While another of the `holders` can still buy something, it waits.
    """
    waits = waits_for_another(table, draft.character_id, holders)
    if waits and accepted(table, LineUp(declaration=draft, waits=True)):
        return LineUp(declaration=draft, waits=True)
    if accepted(table, DeclareTask(declaration=draft)):
        return DeclareTask(declaration=draft)
    task = table.task
    throws = table.request is not None and task is not None and task.declaration.character_id == draft.character_id
    if throws or not may_line_up(table) or not accepted(table, LineUp(declaration=draft)):
        return None
    return LineUp(declaration=draft)


def who(facts: Facts, _: Who) -> Level:
    """Everybody who may act: whose Turn it is, then the crew, of whom whoever acted last; nobody of an ended fight."""
    entries = tuple(
        LevelEntry(key=one.character_id, label=spoken(one.name), go=PickPreset(one.character_id))
        for one in _able(facts)
    )
    return Level(say("Who acts?"), entries)


def presets(facts: Facts, where: PickPreset) -> Level:
    """What this character did before, what a conflict offers, and step by step."""
    character = _character(facts.table, where.character_id)
    if character is None:
        return Level("", ())
    plain = _as_dialled(facts.table, _plain(where.character_id))
    entries = [
        LevelEntry(key=f"before:{place}", label=_task_words(one), go=Declaring(one))
        for place, one in enumerate(_dialled(facts, where.character_id))
        if _possible(facts.table, one)
    ]
    entries += _actions(facts, where.character_id)
    if _possible(facts.table, plain):
        entries.append(LevelEntry(key="steps", label=say("Another Task, step by step"), go=PickAttribute(plain)))
    return Level(say("What does {name} do?", name=spoken(character.name)), tuple(entries))


def attribute(facts: Facts, where: PickAttribute) -> Level:
    """Each attribute with its number."""
    character = _character(facts.table, where.draft.character_id)
    if character is None:
        return Level("", ())
    attributes, disciplines = skills_for(facts.table, where.draft.character_id, where.draft.action)
    entries = []
    for one in attributes:
        draft = replace(where.draft, attribute=one)
        if _possible(facts.table, draft):
            label = _numbered(one, getattr(character.attributes, one))
            go = PickDiscipline(draft) if len(disciplines) > 1 else Declaring(draft)
            entries.append(LevelEntry(key=one, label=label, go=go))
    return Level(say("Which attribute?"), tuple(entries))


def discipline(facts: Facts, where: PickDiscipline) -> Level:
    """Each discipline with its number."""
    character = _character(facts.table, where.draft.character_id)
    if character is None:
        return Level("", ())
    entries = []
    for one in Discipline:
        draft = replace(where.draft, discipline=one)
        if _possible(facts.table, draft):
            label = _numbered(one, getattr(character.disciplines, one))
            go = PickFocus(draft) if character.focuses else _after_focus(facts.table, draft)
            entries.append(LevelEntry(key=one, label=label, go=go))
    return Level(say("Which discipline?"), tuple(entries))


def focus(facts: Facts, where: PickFocus) -> Level:
    """No focus, or one that the character has."""
    character = _character(facts.table, where.draft.character_id)
    if character is None:
        return Level("", ())
    focused = replace(where.draft, focus=True)
    plain = _after_focus(facts.table, replace(where.draft, focus=False))
    entries = [LevelEntry(key="none", label=say("No focus"), go=plain)]
    go = _after_focus(facts.table, focused)
    entries += [
        LevelEntry(key=f"focus:{place}", label=say("With focus: {focus}", focus=spoken(name)), go=go)
        for place, name in enumerate(character.focuses)
    ]
    return Level(say("Does a focus apply?"), tuple(one for one in entries if _leads(facts.table, one)))


def difficulty(facts: Facts, where: PickDifficulty) -> Level:
    """Each Difficulty that a Task may have; the table's gamemaster says which."""
    drafts = [replace(where.draft, difficulty=one) for one in DIFFICULTIES]
    entries = tuple(
        LevelEntry(
            key=str(one.difficulty),
            label=say("Difficulty {difficulty}", difficulty=one.difficulty),
            more=of_difficulty(facts, one.difficulty),
            go=Declaring(one),
        )
        for one in drafts
        if _possible(facts.table, one)
    )
    return Level(say("How difficult?"), entries)


def declaring(facts: Facts, where: Declaring) -> Level:
    """The Task read back, and what can still be changed."""
    draft = where.draft
    command = declared_by(facts.table, draft, facts.holders)
    if _character(facts.table, draft.character_id) is None or command is None:
        return Level("", ())
    waits = isinstance(command, LineUp)
    table = when_next(facts.table) if waits else facts.table
    label = say("Declare it for later") if waits else say("Declare it")
    entries = [LevelEntry(key="declare", label=label, command=command)]
    simple, opposed = replace(draft, rolled=False), replace(draft, opposed=table.task is None)
    if _makes_another(table, draft, simple) and _possible(facts.table, simple):
        by_itself = declared_by(facts.table, simple, facts.holders)
        entries.append(LevelEntry(key="simple", label=say("Succeed without dice"), command=by_itself))
    if _makes_another(table, draft, opposed) and _possible(facts.table, opposed):
        entries.append(LevelEntry(key="opposed", label=say("Declare it as opposed"), go=PickOpponent(draft)))
    if _is_open(table, draft):
        entries.append(LevelEntry(key="difficulty", label=say("Another Difficulty"), go=PickDifficulty(draft)))
    return Level(sentences(declaration_words(table, draft), _set_words(table, draft)), tuple(entries))


def opponent(facts: Facts, where: PickOpponent) -> Level:
    """Somebody, or whom the Task names as its other side (OPP-1)."""
    draft = replace(where.draft, opposed=True)
    table = facts.table
    names = {one.character_id: one.name for one in table.characters} | {one.ship_id: one.name for one in table.ships}
    several = [
        ("", say("Somebody else")),
        *((one, spoken(names[one])) for one in may_oppose(table, draft.character_id)),
    ]
    found = [(one, label, replace(draft, opponent_id=one)) for one, label in several]
    entries = [
        LevelEntry(key=f"opponent:{one}", label=label, command=declared_by(table, task, facts.holders))
        for one, label, task in found
        if _possible(table, task)
    ]
    return Level(say("Who opposes it?"), tuple(entries))


def _task_words(one: Declaration) -> Phrase:
    return say("{skills}, Difficulty {difficulty}", skills=skills_words(one), difficulty=one.difficulty)


def _numbered(skill: Attribute | Discipline, number: int) -> Phrase:
    return say("{skill} {number}", skill=capitalized(worded(skill)), number=number)


def _able(facts: Facts) -> list[Character]:
    table = facts.table
    recent = [one.character_id for one in _declared(facts.history)][:1]
    able = [
        one
        for one in table.characters
        if not has_left(table, one)
        and not facts.withheld(DeclareTask(declaration=_plain(one.character_id)))
        and (_possible(table, _plain(one.character_id)) or _actions(facts, one.character_id))
    ]
    turn = table.conflict.turn.combatant_id if table.conflict is not None and table.conflict.turn is not None else ""
    found = {one.character_id: declared_by(table, _plain(one.character_id), facts.holders) for one in able}
    waiting = {one for one, command in found.items() if isinstance(command, LineUp)}
    return sorted(
        able,
        key=lambda one: (
            one.character_id in waiting,
            one.character_id != turn,
            one.standing is not Standing.PLAYER,
            one.character_id not in recent,
        ),
    )


def _plain(character_id: str) -> Declaration:
    return Declaration(character_id=character_id, attribute=Attribute.CONTROL, discipline=Discipline.COMMAND)


def _declared(history: History) -> Iterator[Declaration]:
    """The declarations that were not undone, newest first."""
    for step in reversed(history.done):
        task = step.after.task or step.after.last_task
        if task is not None and task.number >= step.before.next_number:
            yield task.declaration


def _before(history: History, character_id: str) -> list[Declaration]:
    """This character's earlier Tasks, the latest first, then the commonest; only what belongs to any such Task."""
    kept = [
        Declaration(
            character_id=character_id,
            attribute=one.attribute,
            discipline=one.discipline,
            focus=one.focus,
            label=one.label,
        )
        for one in _declared(history)
        if one.character_id == character_id and one.action is None
    ]
    often = [one for one, _ in Counter(kept).most_common()]
    return list(dict.fromkeys([*kept[:1], *often]))[:MOST_PRESETS]


def _dialled(facts: Facts, character_id: str) -> list[Declaration]:
    """The earlier Tasks with the gamemaster's dial applied, without duplicates."""
    return list(dict.fromkeys(_as_dialled(facts.table, one) for one in _before(facts.history, character_id)))


def _actions(facts: Facts, character_id: str) -> tuple[LevelEntry, ...]:
    """The conflict's Tasks, each with its way to what it is aimed at."""
    if facts.table.conflict is None:
        return ()
    return facts.ways.of(facts.table, character_id, lambda table, who: tuple(_ways(table, facts.menus, who)))


def _ways(table: Table, menus: Menus, character_id: str) -> Iterator[LevelEntry]:
    for one in menus.of(table, character_id, menu):
        if one.minor or not one.possible:
            continue
        several = not one.settled and one.dice is not Dice.NONE and len(one.attributes) not in {1, len(Attribute)}
        settled = bool(one.settled or (one.attributes and one.disciplines and not several))
        left = sorted((each.name for each in one.choices), key=lambda name: _LATE.get(name, 0))
        go = onward(table, PickAim(_planned(character_id, one), tuple(left), settled))
        if go is not None:
            price = say("costs {number} Momentum", number=one.price) if one.price else ""
            yield LevelEntry(key=f"action:{one.scope}:{one.name}", label=spoken(one.label), price=price, go=go)


def _planned(character_id: str, one: MenuEntry) -> Declaration:
    return Declaration(
        character_id=character_id,
        attribute=_suggested(one, one.attributes, Attribute.CONTROL),
        discipline=_suggested(one, one.disciplines, Discipline.COMMAND),
        label=one.label,
        difficulty=1 if one.difficulty is None else one.difficulty,
        action=Action(name=one.name, scope=one.scope),
    )


_Skill = TypeVar("_Skill")


def _suggested(one: MenuEntry, several: tuple[_Skill, ...], usual: _Skill) -> _Skill | None:
    """The suggested attribute and discipline; None if the action settles them."""
    if one.settled or len(several) == 1:
        return None
    return several[0] if several else usual


def _character(table: Table, character_id: str) -> Character | None:
    return next((one for one in table.characters if one.character_id == character_id), None)


def _possible(table: Table, draft: Declaration) -> bool:
    return declared_by(table, draft) is not None


def _makes_another(table: Table, draft: Declaration, other: Declaration) -> bool:
    """Whether the rules take another declaration and make another Task of it: most actions settle their own."""
    try:
        return tried(table, other).declaration != tried(table, draft).declaration
    except Refusal:
        return False


def _at(table: Table, draft: Declaration) -> Table:
    """The table as the Task finds it: whoever stands in line finds nothing in hand."""
    return when_next(table) if isinstance(declared_by(table, draft), LineUp) else table


def _as_dialled(table: Table, draft: Declaration) -> Declaration:
    return as_dialled(_at(table, draft), draft)


def _is_settled(table: Table, draft: Declaration) -> bool:
    """Whether the gamemaster has set how difficult the Task is."""
    dial = _at(table, draft).dial
    if dial is None:
        return False
    other = replace(draft, difficulty=dial.difficulty + 1)
    return _as_dialled(table, other).difficulty == dial.difficulty


def _set_words(table: Table, draft: Declaration) -> Phrase | str:
    """That the gamemaster has set how difficult the Task is, as a sentence; empty where people say it."""
    set_so = draft.action is None and _is_settled(table, draft) and _as_dialled(table, draft) == draft
    return say("The gamemaster has set the Difficulty.") if set_so else ""


def _is_open(table: Table, draft: Declaration) -> bool:
    """Whether people say how difficult a Task is; most actions settle it."""
    at = _at(table, draft)
    return any(_makes_another(at, draft, replace(draft, difficulty=one)) for one in DIFFICULTIES)


def _after_focus(table: Table, draft: Declaration) -> PickDifficulty | Declaring:
    if _possible(table, draft) and (_is_settled(table, draft) or not _is_open(table, draft)):
        return Declaring(draft)
    return PickDifficulty(draft)


def _leads(table: Table, entry: LevelEntry) -> bool:
    return isinstance(entry.go, PickDifficulty | Declaring) and _possible(table, entry.go.draft)
