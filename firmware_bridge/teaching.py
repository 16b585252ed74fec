"""Teaching one die step by step: what to lay down next, what the tray sees, and why a step is refused.

Pure values: the caller shows the words, looks at the tray, and keeps the finished die.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from firmware_bridge.errors import TeachingRefusedError
from firmware_bridge.taught import STEPS, Meaning, TagSide, TaughtDice, TaughtDie, checked_name
from rules.dice import DieKind, Face, Symbol
from rules.words import Fill, Phrase, listed, say

KIND_WORDS: Final[dict[DieKind, Phrase]] = {
    DieKind.CHALLENGE: say("Challenge Die"),
    DieKind.D6: say("d6"),
    DieKind.D20: say("d20"),
}
"""Each kind of die as people say it; cubes first, because tags suit no d20."""


@dataclass(frozen=True, slots=True)
class TrayPlace:
    """What the tray says of one of its places: the tag there, where only one is read; `words` for the person.

    `sure` is whether the tag has come to rest, so that it may be taught. `tray` is the tray's number where there are
    several, else 0.
    """

    slot: int
    tag: int | None
    sure: bool
    words: Phrase
    tray: int = 0

    @property
    def number(self) -> int:
        """The place as people count it, from 1."""
        return self.slot + 1


@dataclass(frozen=True, slots=True)
class Teaching:
    """A die that is being taught. `tags` are those found so far, in the order of `STEPS`.

    `instead_of` is the number of the die that is taught again. Raises `TaughtError` for a name that cannot be one.
    """

    name: str
    kind: DieKind
    side: TagSide = TagSide.UP
    tags: tuple[int, ...] = ()
    instead_of: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", checked_name(self.name))
        if self.kind is DieKind.CHALLENGE and self.side is TagSide.DOWN:
            raise TeachingRefusedError(
                say("A Challenge Die can only be taught by the face that is up."),
                say("Its opposite sides follow no sum."),
            )

    @property
    def steps(self) -> int:
        """The number of sides to teach."""
        return len(STEPS[self.kind])

    @property
    def finished(self) -> bool:
        """Whether every side has its tag."""
        return len(self.tags) == self.steps

    @property
    def face(self) -> Face | None:
        """The face of the next step; None when finished."""
        return None if self.finished else STEPS[self.kind][len(self.tags)]

    @property
    def instruction(self) -> Phrase:
        """The instruction for the person's next step."""
        if self.finished:
            return say("{die} is complete.", die=self.name)
        step, shown = len(self.tags) + 1, _side_words(self.kind, len(self.tags))
        if self.side is TagSide.DOWN:
            return say(
                "Step {step} of {steps}: lay down the tag for {face}, alone.", step=step, steps=self.steps, face=shown
            )
        return say(
            "Step {step} of {steps}: lay the die on the tray with {face} up.", step=step, steps=self.steps, face=shown
        )

    def take(self, places: Iterable[TrayPlace], taught: TaughtDice) -> Teaching:
        """Take the tag on the tray for this step's. Raises `TeachingRefusedError` with words for the person."""
        if self.finished:
            raise TeachingRefusedError(say("{die} has all its sides already.", die=self.name))
        place = _only_one(places)
        tag = place.tag
        if tag is None or not place.sure:
            raise TeachingRefusedError(
                say("Place {number}: {words}", number=place.number, words=place.words),
                say("Lay the die flat, let go, and try again."),
            )
        if tag in self.tags:
            before, now = _side_words(self.kind, self.tags.index(tag)), _side_words(self.kind, len(self.tags))
            raise TeachingRefusedError(
                say("This is the tag that was just taught as {face}.", face=before),
                say("Turn it so that it shows {now}, or undo a step if {before} was wrong.", now=now, before=before),
            )
        owner = taught.owner(tag)
        if owner is not None and owner.die_id != self.instead_of:
            raise TeachingRefusedError(
                say("This tag belongs to {die} already.", die=owner.name),
                say(
                    "Lay the right die there. If this is {die}, teach that one again or forget it first.",
                    die=owner.name,
                ),
            )
        return replace(self, tags=(*self.tags, tag))

    def undone(self) -> Teaching:
        """The last step taken back. Raises `TeachingRefusedError` at the first."""
        if not self.tags:
            raise TeachingRefusedError(say("There is no step to undo."))
        return replace(self, tags=self.tags[:-1])

    def result(self) -> TaughtDie:
        """The finished die. Raises `TaughtError` while a side is missing."""
        return TaughtDie(self.name, self.kind, self.tags, self.side)


def _only_one(places: Iterable[TrayPlace]) -> TrayPlace:
    lying = list(places)
    if not lying:
        raise TeachingRefusedError(
            say("The tray reads no tag."),
            say("Lay the die on a reader. If it lies there, move it to the middle of the place."),
        )
    if len(lying) > 1:
        where = listed(place.number for place in lying)
        raise TeachingRefusedError(
            say("Something lies on places {places}.", places=where), say("Leave only the die that is being taught.")
        )
    return lying[0]


def _side_words(kind: DieKind, step: int) -> Fill:
    face = STEPS[kind][step]
    again = face in STEPS[kind][:step]
    if face is Symbol.BLANK:
        return say("the other blank side") if again else say("a blank side")
    if face is Symbol.EFFECT:
        return say("the other Effect") if again else say("an Effect")
    return face


def tag_words(tag: int, taught: TaughtDice) -> Phrase:
    """The words on `tag` for the person: its die, and the face shown while it lies that way."""
    meaning = taught.meaning(tag)
    if meaning is None:
        return say("tag {tag}, not taught yet", tag=f"{tag:08x}")
    owner = taught.die(meaning.die_id)
    return say("{die}, {face} up", die=owner.name if owner else say("a die"), face=face_up(meaning))


def face_up(meaning: Meaning) -> Face:
    """The face that is up while a tag of this meaning is read: opposite faces of a d20 add to 21, of a d6 to 7."""
    if meaning.side is TagSide.UP or not isinstance(meaning.face, int):
        return meaning.face
    return {DieKind.D20: 21, DieKind.D6: 7}[meaning.kind] - meaning.face
