"""What a person is told of the camera: what its picture lacks, how it is calibrated, why something cannot be done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rules.dice import DiceError, Face, Symbol
from rules.phrases import Phrase, either, say, say_count

if TYPE_CHECKING:
    from vision.calibration import Calibration
    from vision.hints import Hint
    from vision.seams import GoesOn

Told = Callable[[str, str], Phrase]
"""Words from what was found and what would do, both as a person reads them."""

MOST_NAMED: Final = 3
"""So many faces that were not seen yet are named."""
_MIRRORED: Final = say("The picture is mirrored. Switch that off in the camera (often called mirror or selfie mode).")

_FINE: Final[Mapping[str, Told]] = {
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

_LACKING: Final[Mapping[str, Told]] = {
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
    "mirror": lambda _found, _needed: _MIRRORED,
    "lean": lambda found, needed: say(
        "The camera leans by {found}°; {needed} is the most. Set it to look straight down.",
        found=found,
        needed=needed,
    ),
}

_WHY: Final[Mapping[str, Phrase]] = {
    "no card": say("The printed card was not found. Lay it flat and whole into the picture, in good light."),
    "not four corners": say("A tray has four corners. Give each of them two numbers."),
    "no tray": say(
        "These corners are no tray: they cross, or lie too near to one another. Go round the tray in order."
    ),
    "too few views": say("Too little to measure the lens. Take three or more pictures of the card held at slants."),
    "sizes differ": say("The pictures differ in size. Take them all with the same camera and setting."),
    "mirrored": _MIRRORED,
    "views alike": say(
        "These pictures are too like one another. Hold the card at slants that differ by 15 degrees or more."
    ),
    "card not sharp": say(
        "The card does not show exactly enough: it is out of focus, bent or dazzled. Lay it flat, focus on it, and "
        "hold the camera still."
    ),
    "card too small": say(
        "The card is too small in the picture to tell how the camera looks. Bring the camera nearer."
    ),
    "views contradict one another": say(
        "These pictures contradict one another. Glue the card on something flat and stiff, and take sharp pictures "
        "with one and the same camera and zoom."
    ),
    "reader failed": say(
        "The reader of dice fails on the camera's picture. Start trueroll again; if it still fails, install it again."
    ),
    "throw gone": say("Another throw has come meanwhile. Look at its dice below, and say what they show."),
    "calibration damaged": say(
        "The kept calibration is damaged. Forget it on the page /camera or by `trueroll calibrate forget`, and "
        "calibrate anew."
    ),
    "own dice damaged": say(
        "The kept dice, own-dice.json in the data folder, are damaged. Import a saved file of them, or teach them anew."
    ),
    "no file of dice": say("This file holds no dice. Name one that `trueroll dice export` or the page /dice saved."),
    "surely read otherwise": say(
        "This die was read as another face. If it does show what you chose, say so once more; it is learnt then."
    ),
    "read just so": say(
        "That is what was read. Choose what the die truly shows: only a misreading becomes a test case."
    ),
    "name": say("A die's name has 1 to 40 letters."),
    "name taken": say("Another die has this name already. Choose another one."),
    "unknown die": say("This die was forgotten meanwhile. Look at the list again."),
    "too many dice": say("No more dice can be taught. Forget one first."),
    "no such die in the picture": say("No such die was seen in the last throw. Throw it once more."),
    "its lie cannot be made out": say(
        "How this die lies could not be made out, so nothing was learnt of it. Lay it a little elsewhere."
    ),
}


_THROW: Final = say("Throw the dice under the camera; once they lie still, press Look again.")
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


def throw_words(goes_on: GoesOn | None) -> Phrase:
    """What to do so that there is a throw, by what brings the next picture; None is as a camera."""
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
    dice: Any = getattr(error, "count", None)
    if isinstance(dice, int):
        return say_count(
            dice,
            "{number} die was seen in the tray, and would not be seen any more. Take it out and try again.",
            "{number} dice were seen in the tray, and would not be seen any more. Take them out and try again.",
        )
    reason: Any = getattr(error, "why", None)
    if reason is not None and str(reason) in _WHY:
        return _WHY[str(reason)]
    if isinstance(error, DiceError):
        return say("This kind of die cannot show that. Choose another face.")
    if isinstance(error, OSError):
        return say("It could not be kept: {reason}.", reason=error.strerror or type(error).__name__)
    return say("There is no camera picture now. Wait until the camera is ready, and throw once.")
