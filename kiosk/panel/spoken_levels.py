"""Every level of the spoken menu, worked out anew from the table: what is legal comes from `rules.game` alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from kiosk.panel.spoken_aims import AS_SAID, advantage_words, aim
from kiosk.panel.spoken_declaring import (
    attribute,
    declare_words,
    declaring,
    difficulty,
    discipline,
    first_step,
    focus,
    opponent,
    presets,
    who,
)
from kiosk.panel.spoken_dial import dial, dial_entry
from kiosk.panel.spoken_dice import any_misread, entered, faces, held_dice, held_entries, scored_dice
from kiosk.panel.spoken_minors import minor, minor_choices
from kiosk.panel.spoken_pin import dialling
from kiosk.panel.spoken_places import (
    Declaring,
    DialLevel,
    Dialling,
    Do,
    Entered,
    Entering,
    Faces,
    Facts,
    Group,
    HeldDice,
    Level,
    LevelEntry,
    Options,
    PickAim,
    PickAttribute,
    PickDifficulty,
    PickDiscipline,
    PickFocus,
    PickMinor,
    PickOpponent,
    PickPreset,
    Rest,
    Rules,
    RulesOf,
    ScoredDice,
    Top,
    Where,
    Who,
)
from kiosk.panel.spoken_reference import meaning, rules, rules_of
from kiosk.panel.spoken_words import LOCKED, option_price
from kiosk.views.about import by_whom
from rules.game import (
    AttachFreeRoll,
    BuyDie,
    BuyOffComplication,
    CloseChallenge,
    Command,
    CreateProblem,
    DismissThrow,
    EndEffect,
    EndTurn,
    FinishSpending,
    FollowThrough,
    MakeSpend,
    Option,
    Redo,
    RerollChallenge,
    RerollDice,
    Role,
    SurgeOfActivity,
    Table,
    TakeComplication,
    TakeMinorAction,
    TaskPhase,
    Undo,
    UseValueAgainst,
    WithdrawTask,
    asked_words,
    awaited_words,
    options,
    pools_told,
    questions_sentence,
    redo_words,
    turn_told,
    undo_words,
    where_told,
)
from rules.words import Phrase, altered, counted, say, sentences, spoken

_GROUPS: Final[Mapping[type, Group]] = {
    BuyDie: Group.BUY,
    CreateProblem: Group.HARDER,
    AttachFreeRoll: Group.FREE_ROLLS,
    RerollDice: Group.AGAIN,
    RerollChallenge: Group.AGAIN,
    MakeSpend: Group.SPEND,
    TakeMinorAction: Group.MINOR,
    SurgeOfActivity: Group.VALUES,
    UseValueAgainst: Group.VALUES,
    EndEffect: Group.LASTING,
}
"""The group under which each command is offered; any other command stands alone."""

_GROUP_WORDS: Final[Mapping[Group, Phrase]] = {
    Group.BUY: say("Buy dice"),
    Group.HARDER: say("Make it harder"),
    Group.FREE_ROLLS: say("Count a free roll"),
    Group.AGAIN: say("Throw dice again"),
    Group.SPEND: say("Spend Momentum"),
    Group.MINOR: say("Minor Actions"),
    Group.VALUES: say("Determination and Values"),
    Group.LASTING: say("End something that lasts"),
}
"""What each group is called."""

_BOUGHT: Final = (BuyDie, CreateProblem, MakeSpend, RerollDice, RerollChallenge)
"""The commands with a price, which is said even if it is zero."""

_FIRST: Final[tuple[type, ...]] = (FollowThrough, FinishSpending, TakeComplication, BuyOffComplication)
"""The commands that come first, the plain way on before what is bought."""

_LAST: Final[tuple[type, ...]] = (WithdrawTask, DismissThrow, EndTurn)
"""The commands that are offered after all others."""

_YES: Final = (FinishSpending, TakeComplication, CloseChallenge)
"""The commands that a plain yes can mean."""

_REST_WORDS: Final[Mapping[Rest, Phrase]] = {
    Rest.DIM: say("dim"),
    Rest.BRIGHT: say("bright"),
    Rest.DARK: say("dark"),
}
"""What each brightness of a resting screen is called."""

_NEXT_REST: Final[Mapping[Rest, Rest]] = {Rest.DIM: Rest.BRIGHT, Rest.BRIGHT: Rest.DARK, Rest.DARK: Rest.DIM}
"""The brightness that comes after each."""


_LOCKED: Final = LevelEntry(key="locked", label=say("The gamemaster's part"), more=LOCKED, go=Dialling())
"""What leads to the gamemaster's part while the PIN keeps it back."""


def level(facts: Facts, where: Where) -> Level:
    """What is asked at `where` and what can be chosen there; no entries where that level is gone.

    Every level but the top ends with the way back. What the PIN keeps back is left out.
    """
    found = _LEVELS[type(where)](facts, where)
    open_ones = tuple(one for one in found.entries if one.command is None or not facts.withheld(one.command))
    found = replace(found, entries=open_ones)
    if isinstance(where, Top) or not found.entries:
        return found
    return replace(found, entries=(*found.entries, LevelEntry(key="back", label=say("Back"), do=Do.BACK)))


def next_rest(rest: Rest) -> Rest:
    """How the ring light rests after one who asks to change it."""
    return _NEXT_REST[rest]


def rest_words(rest: Rest) -> Phrase:
    """How the ring light rests, in a word."""
    return _REST_WORDS[rest]


def yes_for(table: Table) -> Command | None:
    """The one command that a plain yes means now, None where there is none or more than one."""
    if table.task is not None and table.task.phase in {TaskPhase.AWAITING_DICE, TaskPhase.AWAITING_OPPOSITION}:
        return None
    meant = (one.command for one in options(table) if isinstance(one.command, _YES))
    found = {type(one): one for one in meant if not (isinstance(one, TakeComplication) and one.number)}
    return next(iter(found.values())) if len(found) == 1 else None


def needs_choice(table: Table) -> bool:
    """Whether the game waits for a person to choose, not for dice."""
    if table.held is not None:
        return True
    if table.request is not None:
        return False
    if table.agenda or (table.challenge is not None and table.challenge.dice and not table.challenge.closed):
        return True
    return table.task is not None and table.task.phase in {
        TaskPhase.SPENDING,
        TaskPhase.COMPLICATIONS,
        TaskPhase.AWAITING_OPPOSITION,
    }


def by_hand(table: Table) -> Faces | None:
    """Where the dice that are awaited are said one after the other; None while none are."""
    if table.request is None or table.held is not None:
        return None
    return Faces(Entering(table.request.number))


def _top(facts: Facts, _: Top) -> Level:
    table = facts.table
    chosen = _sorted(facts, facts.options())
    entries = held_entries(facts)
    place = len([one for one in chosen if one.key.startswith("correct_die:")])
    entries = [*chosen[:place], *entries, *chosen[place:]]
    hand = by_hand(table)
    if hand is not None:
        entry = LevelEntry(key="by_hand", label=say("Say what the dice show"), go=hand)
        entries.insert(len(entries) if facts.reads else 0, entry)
    if (step := first_step(facts)) is not None:
        entries.append(LevelEntry(key="declare", label=declare_words(facts), go=step))
    if any_misread(table):
        entries.append(LevelEntry(key="misread", label=say("A die was misread"), go=ScoredDice()))
    entries += _way_back(facts)
    entries.append(
        LevelEntry(
            key="standing",
            label=say("Where we stand"),
            tell=sentences(pools_told(table).normal, turn_told(table).normal),
        )
    )
    if (where := where_told(table)) is not None:
        entries.append(LevelEntry(key="where", label=say("Where everybody is"), tell=where.normal))
    if table.ready:
        entries += [] if facts.locked else [dial_entry(facts)]
        entries.append(LevelEntry(key="rules", label=say("Look up a rule"), go=Rules()))
        entries += [_LOCKED] if facts.locked else []
    if facts.opened:
        entries.append(LevelEntry(key="lock", label=say("Lock the gamemaster's part"), do=Do.LOCK))
    entries.append(LevelEntry(key="last", label=say("Say the last outcome again"), do=Do.SAY_LAST))
    if facts.held is not None:
        label = say("Let the table's screen go on") if facts.held else say("Hold the table's screen")
        entries.append(LevelEntry(key="hold", label=label, do=Do.HOLD))
    if facts.rest is not None:
        entries.append(
            LevelEntry(
                key="ring", label=say("Ring light: now {rest}, change it", rest=rest_words(facts.rest)), do=Do.RING
            )
        )
    entries.append(LevelEntry(key="close", label=say("Close the menu"), do=Do.CLOSE))
    return Level(_question(table), tuple(entries))


def _way_back(facts: Facts) -> Iterator[LevelEntry]:
    """Undo and redo, each with what it is about and whose decision that was."""
    history = facts.history
    if (words := by_whom(undo_words(history), history.done, facts.persons)) is not None:
        yield LevelEntry(key="undo", label=say("Take back {what}", what=words), command=Undo())
    if (words := by_whom(redo_words(history), history.undone, facts.persons)) is not None:
        yield LevelEntry(key="redo", label=say("Bring back {what}", what=words), command=Redo())


def _question(table: Table) -> str:
    if not table.ready:
        return say("There is no table yet: set one up on a phone or the screen.")
    if table.held is not None and table.request is not None:
        return questions_sentence(table.held, table.request)
    return asked_words(table) or awaited_words(table.request) or _of_task(table)


def _of_task(table: Table) -> str:
    task = table.task
    if task is not None and task.phase is TaskPhase.SPENDING and task.momentum_left:
        return say("{momentum} to spend or save.", momentum=counted(task.momentum_left, "Momentum"))
    if task is not None and task.phase is TaskPhase.COMPLICATIONS:
        return say("{complications} open.", complications=counted(task.complications_open, "Complication"))
    return say("What now?")


def _sorted(facts: Facts, offered: tuple[Option, ...]) -> list[LevelEntry]:
    """Single options, first what is needed most, with those of one kind gathered where there are several."""
    table = facts.table
    gathered: dict[Group, list[Option]] = {}
    single: list[Option] = []
    for one in offered:
        group = _GROUPS.get(type(one.command))
        if group is None:
            single.append(one)
        else:
            gathered.setdefault(group, []).append(one)
    if table.agenda or table.held is not None:
        single = list(single)
    else:
        single.sort(key=lambda one: _FIRST.index(type(one.command)) if isinstance(one.command, _FIRST) else len(_FIRST))
    early = [one for one in single if not isinstance(one.command, _LAST)]
    late = [one for one in single if isinstance(one.command, _LAST)]
    choices = minor_choices(facts)
    if choices:
        gathered.setdefault(Group.MINOR, [])
    ways = {group: len(several) + (len(choices) if group is Group.MINOR else 0) for group, several in gathered.items()}
    groups = [
        _option(facts, several[0])
        if several and ways[group] == 1
        else LevelEntry(key=f"group:{group.name.lower()}", label=_gathered(group, ways[group]), go=Options(group))
        for group, several in gathered.items()
    ]
    return [*(_option(facts, one) for one in early), *groups, *(_option(facts, one) for one in late)]


def _options(facts: Facts, where: Options) -> Level:
    entries = [_option(facts, one) for one in facts.options() if _GROUPS.get(type(one.command)) is where.group]
    if where.group is Group.MINOR:
        entries += minor_choices(facts)
    return Level(say("{group}.", group=_GROUP_WORDS[where.group]), tuple(entries))


def _option(facts: Facts, one: Option) -> LevelEntry:
    more = [say("For the gamemaster.")] if one.role is Role.GAMEMASTER else []
    more.append(meaning(facts, one))
    if one.price.threat_allowed:
        more.append(say("Points of it may be added to Threat instead."))
    return LevelEntry(
        key=one.option_id,
        label=_kept_words(facts.table) or spoken_label(one.label)
        if isinstance(one.command, FinishSpending)
        else spoken_label(one.label),
        price=option_price(one, bought=isinstance(one.command, _BOUGHT)),
        more=sentences(*more),
        command=one.worded(_words(facts.table, one)),
    )


def _kept_words(table: Table) -> str:
    """The end of a spending that can buy nothing, where dice may still be thrown again; empty for any other end."""
    offered = [one.command for one in options(table)]
    left = table.task is not None and (table.task.momentum_left or table.task.complications_open)
    buys = left or any(isinstance(one, MakeSpend) for one in offered)
    again = any(isinstance(one, (RerollDice, RerollChallenge)) for one in offered)
    return say("Leave the dice as they lie") if again and not buys else ""


def _words(table: Table, one: Option) -> Phrase:
    """The words for an option that asks for some: people say them aloud at the table."""
    if isinstance(one.command, MakeSpend) and table.task is not None:
        return advantage_words(table, table.task.declaration.character_id)
    return AS_SAID


def _gathered(group: Group, ways: int) -> Phrase:
    return say("{group}, {number} ways", group=_GROUP_WORDS[group], number=ways)


def spoken_label(label: str) -> Phrase:
    """An option's label without what a voice would spell out: what stands after a colon may be a person's words."""
    return altered(label, _without_signs)


def _without_signs(label: str) -> str:
    return ": ".join(spoken(part) for part in label.split(": ")).replace(" ,", ",")


_LEVELS: Final[Mapping[type, Callable[[Facts, Any], Level]]] = {
    Top: _top,
    Options: _options,
    DialLevel: dial,
    Dialling: dialling,
    Rules: rules,
    RulesOf: rules_of,
    Who: who,
    PickPreset: presets,
    PickAim: aim,
    PickMinor: minor,
    PickAttribute: attribute,
    PickDiscipline: discipline,
    PickFocus: focus,
    PickOpponent: opponent,
    PickDifficulty: difficulty,
    Declaring: declaring,
    Faces: faces,
    Entered: entered,
    HeldDice: held_dice,
    ScoredDice: scored_dice,
}
"""What makes the entries of each level of the menu."""
