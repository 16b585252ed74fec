"""Dice, their faces, and readings of them, as values.

Sources (camera, tray, keypad) produce a `Reading`; the rules review and score it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class DieKind(StrEnum):
    """A die that trueroll knows. `D6` is a pip or numeral d6 standing in for a Challenge Die (CD-1)."""

    D20 = "d20"
    CHALLENGE = "challenge"
    D6 = "d6"


class Symbol(StrEnum):
    """The faces of a Challenge Die that are not numbers (CD-1)."""

    BLANK = "blank"
    EFFECT = "effect"


Face = int | Symbol
"""What a die shows: 1-20 on a d20; 1, 2, `blank` or `effect` on a Challenge Die; 1-6 on a d6."""


FACES: Final[dict[DieKind, tuple[Face, ...]]] = {
    DieKind.D20: tuple(range(1, 21)),
    DieKind.CHALLENGE: (1, 2, Symbol.BLANK, Symbol.EFFECT),
    DieKind.D6: tuple(range(1, 7)),
}
"""Every face that a die of each kind can show."""


_CHALLENGE_FACE_OF_D6: Final[dict[int, Face]] = {
    1: 1,
    2: 2,
    3: Symbol.BLANK,
    4: Symbol.BLANK,
    5: Symbol.EFFECT,
    6: Symbol.EFFECT,
}
"""What each number of a plain d6 is on a Challenge Die (CD-1)."""


class DieState(StrEnum):
    """How sure a source is of a die: only `READ` carries a face that may be scored unasked."""

    READ = "read"
    DOUBTFUL = "doubtful"
    COCKED = "cocked"
    MOVING = "moving"
    IN_HAND = "in_hand"


class Doubt(StrEnum):
    """Why a source does not name a face, if it knows more than the die's state."""

    UNTAUGHT = "untaught"
    """The die is one that nobody has taught this source."""

    CROWDED = "crowded"
    """The die leans, or more than one die lies in its place."""


class SourceKind(StrEnum):
    """Where a value came from."""

    CAMERA = "camera"
    TRAY = "tray"
    PHONE = "phone"
    """A picture that somebody took of the throw and sent."""
    BLUETOOTH = "bluetooth"
    """Dice that tell by themselves what they show."""
    MANUAL = "manual"


class SourceState(StrEnum):
    """What a source is doing, in terms a person can act on."""

    ABSENT = "absent"
    STARTING = "starting"
    READY = "ready"
    LOST = "lost"
    INCOMPATIBLE = "incompatible"
    OFF = "off"


class DiceError(ValueError):
    """A value that no die of its kind can show."""


@dataclass(frozen=True, slots=True)
class Box:
    """A bounding box in pixels of the picture as given: left, top, width, height."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Guess:
    """One of the faces a doubtful die may show, with its chance in 0..1."""

    face: Face
    chance: float


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die as a source reports it.

    `face` is None when the source will not name one; `doubt` says why, where the source knows. `confidence` is in
    0..1. `die_id` names the physical die where the source can tell (a tag, an enrolled die). `picture` is the key under
    which the source keeps the crop that a person may look at. `weak` marks a source without checksum or repeat.
    `kinds` are all that it may be of, the likelier first, where its face is sure and only its kind is open.
    Raises `DiceError` for a face that the kind does not have, or a confidence outside 0..1.
    """

    kind: DieKind
    face: Face | None
    confidence: float
    state: DieState
    source: SourceKind
    box: Box | None = None
    die_id: str | None = None
    picture: str | None = None
    guesses: tuple[Guess, ...] = ()
    weak: bool = False
    doubt: Doubt | None = None
    kinds: tuple[DieKind, ...] = ()

    def __post_init__(self) -> None:
        if self.face is not None:
            require_face(self.kind, self.face)
        elif self.state is DieState.READ:
            msg = "a die that is read needs a face; call it doubtful or cocked instead"
            raise DiceError(msg)
        if not 0.0 <= self.confidence <= 1.0:
            msg = f"confidence {self.confidence} is outside 0 to 1"
            raise DiceError(msg)


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything one source saw of one throw, once it had come to rest.

    `reading_id` is unique for its source for ever (it includes the source's boot or start identity), so
    that a reading delivered twice is counted once. An empty `dice` says that the tray was cleared. `lay_before` says
    that its source saw just these faces right before and no empty tray since: the dice may only have been moved.
    `found` says that they lay there when the source began to look: it saw nobody throw them.
    """

    reading_id: str
    source: SourceKind
    dice: tuple[DieReading, ...]
    lay_before: bool = False
    found: bool = False


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A source's state in words: what happened, and what a person can do about it (may be empty).

    `notice` is what those who wait for dice should know of the dice that lie there now (may be empty). `faulty` says
    that a part of it fails: one that is ready goes on with the others, one that is lost still answers.
    """

    source: SourceKind
    state: SourceState
    what: str
    remedy: str = ""
    detail: dict[str, str] = field(default_factory=dict)
    notice: str = ""
    faulty: bool = False


def require_face(kind: DieKind, face: Face) -> Face:
    """Return `face` if a die of `kind` can show it; raise `DiceError` naming the choices otherwise.

    Booleans are refused although Python counts them as integers.
    """
    if isinstance(face, bool) or face not in FACES[kind]:
        choices = "1 to 20" if kind is DieKind.D20 else ", ".join(str(one) for one in FACES[kind])
        msg = f"a {kind} cannot show {face!s}; it shows {choices}"
        raise DiceError(msg)
    return face


def challenge_face(number: int) -> Face:
    """The Challenge Die face that a d6 showing `number` stands for (CD-1). Raises `DiceError` outside 1..6."""
    require_face(DieKind.D6, number)
    return _CHALLENGE_FACE_OF_D6[number]


def as_challenge_face(kind: DieKind, face: Face) -> Face:
    """The Challenge Die face of a Challenge Die or of the d6 that stands in for it (CD-1)."""
    require_face(kind, face)
    if kind is DieKind.D20:
        msg = "a d20 does not stand in for a Challenge Die"
        raise DiceError(msg)
    return challenge_face(face) if kind is DieKind.D6 and isinstance(face, int) else face
