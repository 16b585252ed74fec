"""Marks of what a tap was about, so that a late tap is applied as it was meant, or refused in words.

A phone that was away, or a moment slower than another, sends what was tapped with the mark of the table that it saw.
Each command is compared with what it depends on and nothing else: most with the moment of the table, that is the Task,
throw and Turn in hand; one that sets something up with the scene, one of a Turn with that Turn, a spend with what was
bought of it on this Task, an answer about a die with that die. So of two taps for the same state both count where they
have nothing to do with each other, and what one tap decided is neither paid nor done once more by the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Final

from msgspec import Meta, Struct, field

from kiosk.engine import Present
from kiosk.errors import StaleError
from kiosk.storage.persons import Person
from rules.game import (
    BuyOffComplication,
    Command,
    CorrectDie,
    CorrectScoredDie,
    DecidedStep,
    DropDie,
    History,
    MakeItSo,
    MakeSpend,
    Table,
    TakeComplication,
    TaskPhase,
    Undo,
    UseValueAgainst,
    name_of,
    redo_words,
    undo_words,
)
from rules.words import Phrase, say

DIGEST_BYTES: Final = 8
"""Bytes of a mark: enough that no two states of a season share one."""

PART_BYTES: Final = 4
"""Bytes of the part of a mark for one thing of several, which is compared with that thing as it is now alone."""

PANEL: Final = "panel"
"""The journal's name for the panel at the table's screen as the source of a command."""

KEYS: Final = "keys"
"""The same for its buttons pressed by keys of the gamemaster's own device, which is at no place that could be named."""

GONE_ON: Final = say("The table has gone on since, so this was not done. Look at the table, then decide anew.")
"""The refusal of a tap that comes too late, where nothing was decided that could be named."""


ANY_TIME: Final = (
    *("add_player", "save_character", "save_ship", "add_trait", "rename_trait", "remove_trait", "gain_threat"),
    *("spend_threat", "adjust_pool", "ask_for_task", "take_back_asking", "hidden"),
)
"""Commands of pages that need no mark."""


OF: Final[dict[str, str]] = {
    **dict.fromkeys(
        (
            *("adjust_stress", "set_cover", "begin_extended_task", "end_extended_task", "set_terrain"),
            *("adjust_power", "complicate_ship", "restore_shields", "shelter_ship", "choose_large_ship_turns"),
        ),
        "of_scene",
    ),
    **dict.fromkeys(
        ("place_at", "set_reach", "change_zone", "add_combatant", "remove_combatant", "bring_in"), "of_fight"
    ),
    **dict.fromkeys(
        ("begin_turn", "end_turn", "pass_turn", "next_round", "keep_initiative", "end_conflict"), "of_turn"
    ),
    **dict.fromkeys(("make_it_so", "use_value_against", "use_value"), "of_values"),
}
"""The mark of a command that shares it with others, by its name; `use_value` is the form of pages for two of them."""

WITHIN_A_MOMENT: Final = frozenset({"of_scene", "of_fight", "of_turn"})
"""Marks that are the same for as long as the moment is: who sends that one saw all that they tell."""


class About(Struct, frozen=True, kw_only=True):
    """Marks to send as `about` of a command: the one that `of` names, else the one of its own name, else `table`.

    Those of several things are compared by the part of the command's own alone.
    """

    table: Annotated[str, Meta(description="Of each command without another mark: the Task, throw and Turn in hand.")]
    of_scene: Annotated[str, Meta(description="Of what is set up or put right in a scene, whatever is thrown.")]
    of_fight: Annotated[str, Meta(description="Of the conflict, whoever takes part in it and wherever they are.")]
    of_turn: Annotated[str, Meta(description="Of the Turn in hand, or of the next one; not of Complications left.")]
    undo: str
    redo: str
    correct_die: Annotated[str, Meta(description="Of each die of the throw that is looked at.")]
    drop_die: Annotated[str, Meta(description="The same as for `correct_die`.")]
    dismiss_throw: str
    correct_scored_die: Annotated[str, Meta(description="Of each die that counts.")]
    reroll_dice: str
    reroll_challenge: str
    take_complication: Annotated[str, Meta(description="Of the open Complications of each Task.")]
    buy_off_complication: Annotated[str, Meta(description="The same as for `take_complication`.")]
    take_minor_action: str
    make_spend: Annotated[str, Meta(description="Of each spend that was made on the Task in hand.")]
    buy_die: str
    create_problem: str
    of_values: Annotated[str, Meta(description="Of each character's Determination and Values, and of each trait.")]
    of: Annotated[dict[str, str], Meta(description="The marks that commands share, by the commands' names.")] = field(
        default_factory=lambda: OF
    )
    any_time: Annotated[
        tuple[str, ...], Meta(description="Commands that mean the same whatever has happened since: they need no mark.")
    ] = ANY_TIME


def mark_of(seen: Mapping[str, str], command: str) -> str:
    """The mark that `command` is to carry, of what was `seen`."""
    return seen.get(OF.get(command, command), seen["table"])


def about(history: History) -> About:
    """The marks of this moment."""
    done = history.done[-1].number if history.done else 0
    undone = history.undone[-1].number if history.undone else 0
    table = history.present
    scene = (table.session, table.scene)
    task, held, fight = table.task, table.held, _number_of_fight(history)
    turn = (*scene, fight, *_turn(table))
    in_hand = (*scene, (task.number, task.phase) if task is not None else None)
    unthrown = (*in_hand, table.request.number if table.request is not None else None)
    throw = (table.session, held.request, held.reading_id) if held is not None else (table.session,)
    conflict = table.conflict
    minors = conflict.turn.minor_actions if conflict is not None and conflict.turn is not None else ()
    looked_at, faces = _several(_mark("held", *throw), _held(table)), _mark("faces", *_scored(table), *_faces(table))
    open_ones = _marks_of_complications(table)
    return About(
        table=_mark("table", *_moment(table), *turn),
        of_scene=_mark("scene", *scene),
        of_fight=_mark("fight", *scene, fight, table.conflict_end),
        of_turn=_mark("turn", *turn),
        undo=f"undo:{done}",
        redo=f"redo:{undone}",
        correct_die=looked_at,
        drop_die=looked_at,
        dismiss_throw=_mark("throw", *throw),
        correct_scored_die=_several(_mark("scored", *_scored(table)), _counted(table)),
        reroll_dice=faces,
        reroll_challenge=faces,
        take_complication=open_ones,
        buy_off_complication=open_ones,
        take_minor_action=_mark("minor", *turn, minors),
        make_spend=_several(_mark("spend", *in_hand), _spends(table)),
        buy_die=_mark("die", *unthrown, (task.own_dice, task.paid) if task is not None else None),
        create_problem=_mark("problem", *unthrown, task.problems if task is not None else ()),
        of_values=_several(_mark("values", *scene), _values(table)),
    )


def require_about(present: Present, command: Command, mark: str, persons: tuple[Person, ...] = ()) -> None:
    """Raise `StaleError` if `mark` is not the present one for `command`: it says what was decided last, and by whom.

    Of several things only the part of the command's own counts; a Task that has no Complication open is refused.
    """
    name = name_of(command)
    now = about(present.history)
    which = OF.get(name, name)
    if which in WITHIN_A_MOMENT and mark == now.table:
        return
    here, seen = getattr(now, which, now.table), mark
    parts = _parts(command, present.table)
    if parts:
        here, seen = _of_parts(here, parts), _of_parts(seen, parts)
    if seen != here or (isinstance(command, TakeComplication | BuyOffComplication) and here == COMPLICATIONS):
        raise StaleError(gone_on(present, persons))


def gone_on(present: Present, persons: tuple[Person, ...]) -> Phrase:
    """The refusal of a tap that comes too late."""
    history, newest = present.history, present.newest
    last = by_whom(undo_words(history), history.done, persons)
    if newest is not None and newest.command == name_of(Undo):
        last = _by(say("{what}, taken back", what=redo_words(history) or ""), newest.person, newest.by, persons)
    elif history.undone and newest is None:
        last = None  # a start does not know whether the last thing was to take back or to bring back
    if last is None:
        return GONE_ON
    return say(
        "Not done, because something else was decided first: {what}.",
        what=last,
    )


def by_whom(words: str | None, steps: tuple[DecidedStep, ...], persons: tuple[Person, ...]) -> str | None:
    """The last of `steps` in `words`, with the name of who decided, if known, and whether by the panel."""
    return _by(words, steps[-1].person, steps[-1].by, persons) if words is not None and steps else words


def _by(words: str, person: str, by: str, persons: tuple[Person, ...]) -> str:
    called = next((one.name for one in persons if one.person_id == person), "") if person else ""
    if by == PANEL:
        return (
            say("{what}, by {name} at the table's screen", what=words, name=called)
            if called
            else say("{what}, at the table's screen", what=words)
        )
    return say("{what}, by {name}", what=words, name=called) if called else words


def _moment(table: Table) -> tuple[object, ...]:
    """The Task, throw, roll, step and Turn in hand, and the last Task."""
    task, last, request, held, roll = table.task, table.last_task, table.request, table.held, table.challenge
    conflict = table.conflict
    turn = conflict.turn if conflict is not None else None
    return (
        table.session,
        table.scene,
        (task.number, task.phase) if task is not None else None,
        last.number if last is not None else None,
        request.number if request is not None else None,
        held.reading_id if held is not None else None,
        (roll.number, roll.closed) if roll is not None else None,
        len(table.agenda),
        table.agenda[:1],
        conflict.round if conflict is not None else None,
        (turn.combatant_id, turn.guest_id, turn.tasks) if turn is not None else None,
    )


def _number_of_fight(history: History) -> int | None:
    """The decision with which the conflict under way began: a scene may see several. None where there is none."""
    if history.present.conflict is None:
        return None
    return next((one.number for one in reversed(history.done) if one.before.conflict is None), 0)


def _turn(table: Table) -> tuple[object, ...]:
    """The Turn in hand, who had theirs, and the Task that keeps it from ending: not one with Complications alone left.

    Between two Turns only who had theirs tells that others were had meanwhile.
    """
    task, request, conflict = table.task, table.request, table.conflict
    turn = conflict.turn if conflict is not None else None
    acted = conflict.combatants if conflict is not None else ()
    return (
        table.conflict_end,
        conflict.round if conflict is not None else None,
        tuple((one.combatant_id, one.turns_taken, one.passed) for one in acted if one.turns_taken or one.passed),
        (turn.combatant_id, turn.guest_id, turn.tasks) if turn is not None else None,
        (task.number, task.phase) if task is not None and task.phase is not TaskPhase.COMPLICATIONS else None,
        request.number if request is not None else None,
    )


def _held(table: Table) -> dict[str, str]:
    """The dice of a held throw: as an answer about each saw it, and as leaving it out did, with how many there are.

    Leaving one out moves the others up. A die with a picture is known there; others are alike, so their number counts.
    """
    dice = table.held.dice if table.held is not None else ()
    seen = [(one.picture or len(dice), one.kind, one.face, one.state) for one in dice]
    return {
        **{str(place): _digest(one, PART_BYTES) for place, one in enumerate(seen)},
        **{f"{LEFT_OUT}{place}": _digest((len(dice), one), PART_BYTES) for place, one in enumerate(seen)},
    }


def _scored(table: Table) -> tuple[object, ...]:
    """The throw of the dice that count; a re-roll changes it."""
    task, last, roll = table.task, table.last_task, table.challenge
    return (
        table.session,
        table.scene,
        (task.number, task.rerolled) if task is not None else None,
        last.number if last is not None else None,
        (roll.number, roll.rerolled, roll.closed) if roll is not None else None,
    )


def _faces(table: Table) -> tuple[object, ...]:
    """The faces of the dice that count: whoever throws one again saw its face."""
    task, roll = table.task, table.challenge
    return (
        tuple(one.die.face for one in task.dice) if task is not None else (),
        tuple(one.face for one in roll.dice) if roll is not None else (),
    )


def _counted(table: Table) -> dict[str, str]:
    """Each die that counts, by its place, those of a Challenge roll with a letter before it."""
    task, roll, last = table.task, table.challenge, table.last_task
    of_task = task if task is not None else last
    return {
        **{str(place): str(one.die.face) for place, one in enumerate(of_task.dice if of_task is not None else ())},
        **{f"{CHALLENGE}{place}": str(one.face) for place, one in enumerate(roll.dice if roll is not None else ())},
    }


def _spends(table: Table) -> dict[str, str]:
    """How often each spend was made on the Task in hand, each Advantage and what it takes away by its own words."""
    bought: dict[str, int] = {}
    for one in table.task.spends if table.task is not None else ():
        key = _named(one.note or one.ended, one.spend)
        bought[key] = bought.get(key, 0) + one.times
    return {key: str(times) for key, times in bought.items()}


def _values(table: Table) -> dict[str, str]:
    """The Determination and Values of each character, and the potency of each trait, which a use of a Value makes.

    At the most of Determination the traits alone tell that a Value was used.
    """
    return {
        **{one.character_id: _digest((one.determination, one.values), PART_BYTES) for one in table.characters},
        **{_named(one.name): str(one.potency) for one in table.traits},
    }


def _marks_of_complications(table: Table) -> str:
    """A mark of the open ones of each Task, by its number: they stand unchanged whatever else is decided.

    The next one is meant, so that their count is in it. Those of the Task in hand have the number 0.
    """
    task = table.task
    waiting = {str(one.number): f"{one.left}.{one.price}" for one in table.complications_waiting}
    if task is not None:
        waiting["0"] = f"{task.number}.{task.complications_open}.{task.price_complications}"
    return _several(COMPLICATIONS, waiting)


def _parts(command: Command, table: Table) -> tuple[str, ...]:
    """The parts of its mark that are compared for `command`; none for a mark of one thing."""
    parts: tuple[str, ...] = ()
    match command:
        case TakeComplication() | BuyOffComplication():
            parts = (str(command.number),)
        case CorrectDie():
            parts = (str(command.position),)
        case DropDie():
            parts = (f"{LEFT_OUT}{command.position}",)
        case CorrectScoredDie():
            of_roll = command.challenge or table.task is None or not table.task.dice
            parts = (f"{CHALLENGE if of_roll else ''}{command.position}",)
        case MakeSpend():
            ended = next((one.name for one in table.traits if one.trait_id == command.trait_id), "")
            parts = (_named(_typed(command.note) or ended, command.spend),)
        case MakeItSo():
            parts = (command.character_id, _named(_typed(command.advantage)))
        case UseValueAgainst():
            parts = (command.character_id, _named(_typed(command.complication)))
    return parts


def _named(words: str, *of: object) -> str:
    """What stands in a mark for something `of` a kind that people name."""
    return _digest((*of, words.casefold()), PART_BYTES)


def _typed(words: str) -> str:
    """`words` with the spaces that the rules leave of them."""
    return " ".join(words.split())


COMPLICATIONS: Final = "complication:"
"""What the mark of Complications begins with: of a Task that has none open it is all there is."""

LEFT_OUT: Final = "-"
"""What comes before the place of a die in the mark for leaving it out."""

CHALLENGE: Final = "c"
"""What comes before the place of a die in the mark of those that count, where it is a Challenge Die's."""


def _several(begins: str, parts: Mapping[str, str]) -> str:
    """A mark of several things: what it begins with counts for each of them."""
    return " ".join((begins, *(f"{key}.{part}" for key, part in parts.items())))


def _of_parts(mark: str, wanted: Collection[str]) -> str:
    """What `mark` says of those parts, with what it begins with."""
    begins, *parts = mark.split(" ")
    return " ".join((begins, *(one for one in parts if one.partition(".")[0] in wanted)))


def _mark(kind: str, *parts: object) -> str:
    return f"{kind}:{_digest(parts, DIGEST_BYTES)}"


def _digest(parts: Iterable[object], size: int) -> str:
    return hashlib.blake2b(repr(parts).encode(), digest_size=size).hexdigest()
