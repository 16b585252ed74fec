"""The sentences about the camera: what its picture lacks, how it is calibrated, why something cannot be done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from kiosk.errors import words_of
from rules.dice import FACES, DiceError, DieKind, Face, Symbol
from rules.words import Phrase, either, say
from vision.errors import MIRRORED

if TYPE_CHECKING:
    from vision.desk.hints import Hint
    from vision.ports import GoesOn
    from vision.table.calibration import Calibration

HintWords = Callable[[str, str], Phrase]
"""Makes a sentence from the measured and the needed value, both as text."""

MOST_NAMED: Final = 3
"""Most faces named that were not seen yet."""

_FINE: Final[Mapping[str, HintWords]] = {
    "small": lambda _found, _needed: say("The picture is large enough."),
    "dark": lambda _found, _needed: say("There is light enough."),
    "glare": lambda _found, _needed: say("Nothing is burnt out."),
    "tint": lambda _found, _needed: say("White paper looks white."),
    "blur": lambda _found, _needed: say("The picture is in focus."),
    "far": lambda found, _needed: say("The smallest die is {found} pixels across: near enough.", found=found),
    "near": lambda _found, _needed: say("No die is too near."),
    "scale": lambda found, _needed: say("A d20 would be {found} pixels across: near enough.", found=found),
    "mirror": lambda _found, _needed: say("The picture is not mirrored."),
    "lean": lambda found, _needed: say("The camera leans by {found}°: straight enough.", found=found),
}
"""The sentence for each measure that is good enough."""

_LACKING: Final[Mapping[str, HintWords]] = {
    "small": lambda found, needed: say(
        "The picture is too small: {found} pixels; {needed} are needed. Choose a larger picture in the camera.",
        found=found,
        needed=needed,
    ),
    "dark": lambda _found, _needed: say("Too dark. Add light, from the side rather than from above."),
    "glare": lambda found, _needed: say(
        "Too bright: {found} of the picture is burnt out. Dim or move the light, or lower the exposure.", found=found
    ),
    "tint": lambda _found, _needed: say("White paper looks coloured. Set the white balance, or use one kind of lamp."),
    "blur": lambda found, needed: say(
        "Out of focus: an edge takes {found} pixels; {needed} is the most. Focus on the table; hold the camera still.",
        found=found,
        needed=needed,
    ),
    "far": lambda found, needed: say(
        "Too far: dice of {found} pixels; {needed} are needed. Bring the camera nearer.", found=found, needed=needed
    ),
    "near": lambda found, needed: say(
        "Too near: dice of {found} pixels; {needed} is the most. Take the camera further away.",
        found=found,
        needed=needed,
    ),
    "scale": lambda found, needed: say(
        "Too far: a d20 would be {found} pixels across; {needed} are needed. Bring the camera nearer.",
        found=found,
        needed=needed,
    ),
    "mirror": lambda _found, _needed: MIRRORED,
    "lean": lambda found, needed: say(
        "The camera leans by {found}°; {needed} is the most. Set it to look straight down.",
        found=found,
        needed=needed,
    ),
}
"""The sentence for each measure that is not, with what to do."""

_THROW: Final = say("Throw the dice under the camera; once they lie still, press Look again.")
"""How the next picture comes from a camera."""
_NEXT: Final[Mapping[str, Phrase]] = {
    "by itself": _THROW,
    "called for": say(
        "The folder's next picture is read when dice are called for: declare a Task or a roll, then press Look "
        "again. A picture that is put there now is read at once."
    ),
    "put there": say(
        "All pictures of the folder were shown. Put a new one of dice there, which is read at once; then press Look "
        "again."
    ),
    "never": say(
        "A single picture stands for the camera and stays as it is. To teach dice, start trueroll with a camera or a "
        "folder of pictures."
    ),
    "staged": say(
        "The dice of the demonstration are thrown by a button: press Throw under the camera on the page /gm, then Look "
        "again here."
    ),
}
"""How the next picture comes from a folder, by how the folder goes on."""


def throw_words(goes_on: GoesOn | None) -> Phrase:
    """How to make a throw with that source of pictures; None counts as a camera."""
    return _THROW if goes_on is None else _NEXT[goes_on.value]


def face_words(face: Face) -> str:
    """A face as a person reads it."""
    if face is Symbol.BLANK:
        return say("Blank")
    return say("Effect") if face is Symbol.EFFECT else str(face)


def next_words(missing: Sequence[Face]) -> Phrase:
    """Which faces of a taught die were not seen yet (`missing`, in the order of its kind), and so what to do next."""
    if not missing:
        return say("All its faces are known.")
    return say("Lay it down next with {faces} up.", faces=either(face_words(face) for face in missing[:MOST_NAMED]))


def learnt_words(name: str, faces: int, kind: DieKind) -> Phrase:
    """Says that the die `name` was learnt, and how many of its faces are known now."""
    return say("{name} was learnt: {seen} of {all} faces.", name=name, seen=faces, all=len(FACES[kind]))


def hint_words(hint: Hint) -> Phrase:
    """The hint as a sentence."""
    if hint.kind == "glare":
        found, needed = f"{hint.value:.0%}", f"{hint.needed:.0%}"
    elif hint.kind == "blur":
        found, needed = f"{hint.value:.1f}", f"{hint.needed:.1f}"
    else:
        found, needed = f"{hint.value:.0f}", f"{hint.needed:.0f}"
    return (_FINE if hint.fine else _LACKING)[hint.kind.value](found, needed)


def calibration_words(calibration: Calibration | None) -> Phrase:
    """How the camera is calibrated, as one or more sentences."""
    if calibration is None:
        return say("Not calibrated: the camera is thought to look straight down, and the whole picture counts.")
    lean, width = f"{calibration.lean:.0f}", f"{calibration.hfov:.0f}"
    if calibration.corners:
        return say(
            "Calibrated: the camera leans by {lean}° and sees {width}° wide. Only the tray inside its "
            "four corners counts.",
            lean=lean,
            width=width,
        )
    return say(
        "Calibrated: the camera leans by {lean}° and sees {width}° wide. The whole picture counts.",
        lean=lean,
        width=width,
    )


def why_words(error: Exception) -> Phrase:
    """Why something cannot be done, for an error of the camera's room (or of its file)."""
    if isinstance(error, DiceError):
        return say("This kind of die cannot show that. Choose another face.")
    if isinstance(error, OSError):
        return say("It could not be kept: {reason}.", reason=error.strerror or type(error).__name__)
    return words_of(error)
