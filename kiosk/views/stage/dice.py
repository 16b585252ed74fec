"""Dice as a stage draws them: the face, its worth in words, and how reliable the value is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from msgspec import Meta, Struct, structs

from rules.dice import DieKind, DieReading, Face, SourceKind, as_challenge_face
from rules.game import Attack, StepKind, Table, TaskDie, ThrownDie, ThrowRequest, ThrowRole
from rules.words import Phrase, counted, joined_by, say, worded

OWN: Final = frozenset({ThrowRole.LEADER, ThrowRole.REROLL})
"""Roles whose dice are those of whoever the Task belongs to."""

_DAMAGE_AGAIN: Final = frozenset({StepKind.DAMAGE_REROLL, StepKind.SHIP_DAMAGE_REROLL})
"""The steps of a chain that throw some dice of its damage again (CD-5)."""

_CHALLENGE_WORDS: Final = {
    "1": say("1 point"),
    "2": say("2 points"),
    "blank": say("blank"),
    "effect": say("Effect, 1 point"),
}
"""What each face of a Challenge Die is worth (CD-1)."""

_BESIDE_A_WORD: Final = {"effect": _CHALLENGE_WORDS["1"]}
"""What each face of a Challenge Die that is a word is worth besides what the word says."""

_ONLY_A_WORD: Final = "blank"
"""The face of a Challenge Die that is worth what its word says."""


class StageDie(Struct, frozen=True, kw_only=True):
    """A die as it is drawn, and its word."""

    shape: Annotated[str, Meta(description="`d20` or `challenge`.")]
    face: Annotated[str, Meta(description="What it shows: a number, `blank`, `effect`, or `?` where it was not read.")]
    name: Annotated[str, Meta(description="The die and its face in words, for those who do not see it.")]
    words: Annotated[str, Meta(description="What it came to; empty where there is nothing to say.")]
    beside: Annotated[str, Meta(description="What stands beside its face in a word, instead of `words`.")] = ""
    repeats: Annotated[bool, Meta(description="Whether `words` say no more than its face in a word.")] = False
    origin: Annotated[str, Meta(description="Who gave its value, or that nothing checked it; else empty.")] = ""
    mark: Annotated[str, Meta(description="`plain`, `ask`, `miss`, `success`, `double` or `complication`.")]
    picture: Annotated[str | None, Meta(description="The key of the picture of it that is to be looked at.")] = None
    photograph: Annotated[str | None, Meta(description="The key of its own photograph, cut out of the picture.")] = None


def _die(  # noqa: PLR0917 - a die has as many sides
    kind: DieKind, face: Face | None, words: str, mark: str, origin: str = "", photograph: str | None = None
) -> StageDie:
    shape = "d20" if kind is DieKind.D20 else "challenge"
    shown = shown_face({"kind": kind, "face": face})
    return StageDie(
        shape=shape,
        face=shown,
        name=die_name(shape, shown),
        words=words,
        mark=mark,
        origin=origin,
        photograph=photograph,
    )


def die_name(shape: str, face: str) -> Phrase:
    """A die with its face, for those who do not see the drawing: `d20: 17`."""
    shown = face_words(face)
    return say("d20: {face}", face=shown) if shape == "d20" else say("Challenge Die: {face}", face=shown)


def face_words(face: object) -> Phrase:
    """A die's face in writing: `17`, `Effect`, `not read`."""
    shown = str(face)
    if shown == "?":
        return say("not read")
    return say("Effect") if shown == "effect" else worded(shown)


def shown_face(die: Mapping[str, Any]) -> str:
    """What a die shows on a screen; `?` where it was not read."""
    face = die["face"]
    if face is None:
        return "?"
    return str(as_challenge_face(DieKind.D6, int(face))) if die["kind"] == DieKind.D6 else str(face)


def task_die(die: TaskDie) -> StageDie:
    """A d20 of a Task with what it is worth; a helper's says whose it is."""
    mark = "complication" if die.complication else ("miss", "success", "double")[min(die.successes, 2)]
    words = _worth(die)
    if die.role not in OWN:
        words = say("{who}: {words}", who=die.who, words=words)
    return _die(DieKind.D20, die.die.face, words, mark, _origin(die.die), die.die.picture)


def _worth(die: TaskDie) -> Phrase:
    if die.die.fixed:
        parts = [say("Determination, 2 successes")]
    else:
        parts = [counted(die.successes, "success")] if die.successes else []
        parts += [say("Complication")] if die.complication else []
    if die.successes and not die.counted:
        parts.append(say("does not count"))
    return joined_by(", ", parts or [say("miss")])


def _origin(die: ThrownDie | DieReading) -> str:
    """Where the value came from; empty for a checked source, or if there is no value."""
    if isinstance(die, ThrownDie) and die.fixed:
        return ""
    return _came_by(entered=die.source is SourceKind.MANUAL and die.face is not None, weak=die.weak)


def _came_by(*, entered: bool, weak: bool) -> str:
    """How an unchecked value came: by hand, or from a tray that sends plain lines."""
    if entered:
        return say("(entered)")
    return say("(unchecked)") if weak else ""


def challenge_die(thrown: ThrownDie) -> StageDie:
    """A Challenge Die with what it is worth."""
    return _points(thrown.kind, thrown.face, _origin(thrown), thrown.picture)


def damage_dice(attack: Attack) -> tuple[StageDie, ...]:
    """The dice of an attack's damage, each with what it is worth."""
    pictures = attack.pictures or (None,) * len(attack.faces)
    pairs = enumerate(zip(attack.faces, pictures, strict=True))
    return tuple(_points(_kind_of(face), face, _of_damage(attack, at), picture) for at, (face, picture) in pairs)


def cover_dice(attack: Attack) -> tuple[StageDie, ...]:
    """The dice of the first target's cover, each with the Resistance that it is worth by itself."""
    return tuple(
        _otherwise(challenge_die(one), say("Cover: {worth}", worth=challenge_die(one).words)) for one in attack.cover
    )


def _kind_of(face: Face) -> DieKind:
    """The kind of die for a bare face: journals hold the faces of a d6 that stood in unchanged."""
    return DieKind.D6 if isinstance(face, int) else DieKind.CHALLENGE


def _of_damage(attack: Attack, place: int) -> str:
    return _came_by(entered=place in attack.entered, weak=place in attack.unchecked)


def _points(kind: DieKind, face: Face, origin: str, photograph: str | None = None) -> StageDie:
    shown = shown_face({"kind": kind, "face": face})
    mark = "double" if shown == "effect" else "miss" if shown == "blank" else "success"
    die = _die(kind, face, _CHALLENGE_WORDS[shown], mark, origin, photograph)
    return structs.replace(die, beside=_BESIDE_A_WORD.get(shown, ""), repeats=shown == _ONLY_A_WORD)


def _otherwise(die: StageDie, words: Phrase) -> StageDie:
    """That die with other words than its worth, whatever its face says."""
    return structs.replace(die, words=words, mark="plain", beside="", repeats=False)


def held_die(die: DieReading, place: int, *, asked: bool) -> StageDie:
    """Die number `place` of a held throw as it lies there; one that is `asked` about has its picture beside it."""
    if asked:
        drawn = _die(die.kind, die.face, say("die {number}: look", number=place), "ask", _origin(die))
        drawn = structs.replace(drawn, picture=die.picture)
    else:
        drawn = _die(die.kind, die.face, say("die {number}: read", number=place), "plain", _origin(die), die.picture)
    if die.kind is not DieKind.D6 or die.face is None:
        return drawn
    return structs.replace(drawn, face=str(die.face), name=say("d6: {face}", face=str(die.face)))


def free_die(die: DieReading) -> StageDie:
    """A die of a throw that nobody declared."""
    words = say("not read") if die.face is None else ""
    return _die(die.kind, die.face, words, "plain", _origin(die), die.picture)


def dice_that_stay(table: Table, request: ThrowRequest) -> tuple[StageDie, ...]:
    """The dice that stay while others of the same roll are thrown again."""
    if request.role is ThrowRole.STEP:
        return _damage_that_stays(table)
    rest = _rest(table, request.role)
    known: Sequence[ThrownDie | None] = rest if len(rest) == len(request.kept) else [None] * len(request.kept)
    return tuple(_staying(request.kind, face, die) for face, die in zip(request.kept, known, strict=True))


def _damage_that_stays(table: Table) -> tuple[StageDie, ...]:
    """The dice of the damage in hand that are not thrown again; none while another step of a chain asks for dice."""
    if table.attack is None or not table.agenda or table.agenda[0].kind not in _DAMAGE_AGAIN:
        return ()
    lying = enumerate(damage_dice(table.attack))
    stays = (one for place, one in lying if place not in table.agenda[0].places)
    return tuple(_otherwise(one, say("stays")) for one in stays)


def _staying(kind: DieKind, face: Face, die: ThrownDie | None) -> StageDie:
    if die is None:
        return _die(kind, face, say("stays"), "plain")
    return _die(kind, face, say("stays"), "plain", _origin(die), die.picture)


def _rest(table: Table, role: ThrowRole) -> list[ThrownDie]:
    """The dice of the roll in hand that are not thrown again."""
    task, roll = table.task, table.challenge
    if role is ThrowRole.REROLL and task is not None:
        return [one.die for place, one in enumerate(task.dice) if place not in task.rerolling and not one.die.fixed]
    if role is ThrowRole.CHALLENGE_REROLL and roll is not None:
        return [die for place, die in enumerate(roll.dice) if place not in roll.rerolling]
    return []
