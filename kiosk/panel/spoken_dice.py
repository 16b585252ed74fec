"""The spoken menu's dice: said one after the other, one of a held throw put right, a scored one put right.

A face is only ever taken from a person's press; none is filled in, and only those are offered that the rules take.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kiosk.panel.spoken_places import (
    Correcting,
    Entered,
    Entering,
    Faces,
    Facts,
    HeldDice,
    Level,
    LevelEntry,
    Purpose,
    Rescoring,
    ScoredDice,
    Where,
    accepted,
)
from rules.dice import FACES, DieKind, DieReading, Face, Symbol
from rules.game import Command, CorrectDie, CorrectScoredDie, EnterDice, Table, ThrownDie, correctable
from rules.words import Phrase, counted, faces_words, say, worded

SPAN: Final = 5
"""Faces of a d20 in one step: four spans, five faces, at most seven presses of one button for any."""

FEW: Final = 6
"""Most faces offered in one step."""


def faces(facts: Facts, where: Faces) -> Level:
    """What a die shows: spans of a d20 first, else face by face."""
    table, purpose = facts.table, where.purpose
    found = list(_choices(table, purpose))
    prompt = _prompt(table, purpose)
    if len(found) <= FEW:
        return Level(prompt, tuple(_entry(table, purpose, face) for face in found))
    if where.low:
        numbers = [face for face in found if isinstance(face, int) and where.low <= face < where.low + SPAN]
        return Level(prompt, tuple(_entry(table, purpose, face) for face in numbers))
    spans = range(1, len(FACES[DieKind.D20]) + 1, SPAN)
    entries = tuple(
        LevelEntry(
            key=f"span:{low}", label=say("{low} to {high}", low=low, high=low + SPAN - 1), go=Faces(purpose, low)
        )
        for low in spans
        if any(isinstance(face, int) and low <= face < low + SPAN for face in found)
    )
    return Level(prompt, entries)


def entered(facts: Facts, where: Entered) -> Level:
    """The dice as they were said, read back."""
    request = facts.table.request
    command = EnterDice(request=where.request, faces=where.faces)
    if request is None or request.number != where.request or not accepted(facts.table, command):
        return Level("", ())
    prompt = say("{dice}: {faces}.", dice=counted(len(where.faces), "die"), faces=faces_words(where.faces))
    return Level(prompt, (LevelEntry(key="count", label=say("Count these dice"), command=command),))


def held_dice(facts: Facts, where: HeldDice) -> Level:
    """Each die of the held throw that can be corrected, with what it shows."""
    held = facts.table.held
    if held is None or held.reading_id != where.reading_id:
        return Level("", ())
    entries = tuple(
        LevelEntry(key=f"die:{place}", label=_die_words(place, die), go=Faces(purpose))
        for place, die in enumerate(held.dice)
        if _any(facts.table, purpose := Correcting(held.reading_id, place))
    )
    return Level(say("Which die shows something else?"), entries)


def scored_dice(facts: Facts, _: ScoredDice) -> Level:
    """Each scored die that can still be put right."""
    number, dice, challenge = _scored(facts.table)
    entries = tuple(
        LevelEntry(key=f"die:{place}", label=_die_words(place, die), go=Faces(purpose))
        for place, die in enumerate(dice)
        if not die.fixed and _any(facts.table, purpose := Rescoring(number, place, challenge))
    )
    return Level(say("Which die was misread?"), entries)


def asked_positions(table: Table) -> tuple[int, ...]:
    """The dice of a held throw that a question is about."""
    held = table.held
    if held is None:
        return ()
    return tuple(dict.fromkeys(one.position for one in held.questions if one.position is not None))


def held_entries(facts: Facts) -> list[LevelEntry]:
    """The ways to say what dice of a held throw show, besides the guesses that are options already."""
    held = facts.table.held
    if held is None:
        return []
    entries = [
        LevelEntry(key=f"say:{place}", label=_to_say(held.dice[place], place), go=Faces(purpose))
        for place in asked_positions(facts.table)
        if _any(facts.table, purpose := Correcting(held.reading_id, place))
    ]
    if len(held.dice) > len(entries) and held_dice(facts, HeldDice(held.reading_id)).entries:
        entries.append(LevelEntry(key="say", label=say("Say what another die shows"), go=HeldDice(held.reading_id)))
    return entries


def _to_say(die: DieReading, place: int) -> Phrase:
    """The entry for saying what one die shows; called "something else" if guesses were offered."""
    if die.face is None and not die.guesses:
        return say("Say what die {number} shows", number=place + 1)
    return say("Die {number} shows something else", number=place + 1)


def any_misread(table: Table) -> bool:
    """Whether a die that was scored can still be put right."""
    number, dice, challenge = _scored(table)
    return any(not die.fixed and _any(table, Rescoring(number, place, challenge)) for place, die in enumerate(dice))


def _any(table: Table, purpose: Purpose) -> bool:
    return next(_choices(table, purpose), None) is not None


def _choices(table: Table, purpose: Purpose) -> Iterator[Face]:
    """The faces that may be chosen; none where the purpose is gone."""
    request, held = table.request, table.held
    match purpose:
        case Entering(request=number):
            if request is not None and held is None and request.number == number and len(purpose.faces) < request.count:
                yield from FACES[request.kind]
        case Correcting(reading_id=reading_id, position=position):
            if held is not None and request is not None and held.reading_id == reading_id:
                tried = (CorrectDie(position=position, face=face) for face in FACES[request.kind])
                yield from (one.face for one in tried if accepted(table, one))
        case Rescoring(number=number, position=position):
            there, dice, challenge = _scored(table)
            if (there, challenge) == (number, purpose.challenge) and position < len(dice):
                now = dice[position]
                others = (face for face in FACES[now.kind] if face != now.face)
                yield from (face for face in others if accepted(table, _rescored(purpose, face)))


def _scored(table: Table) -> tuple[int, tuple[ThrownDie, ...], bool]:
    """The number of what was scored last, its dice, and whether they are Challenge Dice."""
    found, roll = correctable(table), table.challenge
    return found.number, found.dice, roll is not None and roll.number == found.number


def _entry(table: Table, purpose: Purpose, face: Face) -> LevelEntry:
    label = _shown(face)
    match purpose:
        case Entering():
            return LevelEntry(key=f"face:{face}", label=label, go=_onward(table, purpose, face))
        case Correcting(position=position):
            return LevelEntry(key=f"face:{face}", label=label, command=CorrectDie(position=position, face=face))
        case Rescoring():
            return LevelEntry(key=f"face:{face}", label=label, command=_rescored(purpose, face))


def _onward(table: Table, purpose: Entering, face: Face) -> Where:
    """The next die, or the whole throw read back."""
    said = (*purpose.faces, face)
    if table.request is not None and len(said) >= table.request.count:
        return Entered(purpose.request, said)
    return Faces(Entering(purpose.request, said))


def _rescored(purpose: Rescoring, face: Face) -> Command:
    return CorrectScoredDie(position=purpose.position, face=face, challenge=purpose.challenge)


def _prompt(table: Table, purpose: Purpose) -> Phrase:
    match purpose:
        case Entering():
            count = table.request.count if table.request is not None else 0
            return say("What does die {number} of {count} show?", number=len(purpose.faces) + 1, count=count)
        case Correcting(position=position) | Rescoring(position=position):
            return say("What does die {number} show?", number=position + 1)


def _die_words(place: int, die: ThrownDie | DieReading) -> Phrase:
    return say("Die {number}, {face}", number=place + 1, face=_shown(die.face))


def _shown(face: Face | None) -> Phrase:
    if face is None:
        return say("not read")
    return say("Effect") if face is Symbol.EFFECT else worded(str(face))
