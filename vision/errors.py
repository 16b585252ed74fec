"""The errors of `vision`; every message says what happened and what the person can do."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from rules.words import Phrase, say, say_count, sentences

NO_WORDS: Final = Phrase("")
"""No words."""

MIRRORED: Final = say("The picture is mirrored. Switch that off in the camera (often called mirror or selfie mode).")
"""The message about a mirrored picture."""


MOVED: Final = say(
    "The camera was moved, so what was learnt of how it stands is forgotten. See that the whole tray is in its picture."
)
"""The message when the camera was moved."""

MOVED_CALIBRATED: Final = say(
    "The camera was moved, so its calibration is wrong now. Calibrate it again, or forget the calibration."
)
"""The message when a calibrated camera was moved."""


class Blindness(StrEnum):
    """What keeps a camera from seeing dice, or its calibration from counting."""

    DARK = "dark"
    DAZZLED = "dazzled"
    FROZEN = "frozen"
    FLASHING = "flashing"
    COVERED = "covered"
    BLURRED = "blurred"
    MOVED = "moved"


BLIND: Final[Mapping[Blindness, tuple[Phrase, Phrase]]] = {
    Blindness.DARK: (say("The camera sees only black."), say("Take the cap off or switch a light on.")),
    Blindness.DAZZLED: (say("The camera sees only white."), say("Dim the light, or turn it away from the camera.")),
    Blindness.FROZEN: (
        say("The camera sends the same picture over and over."),
        say("Unplug the camera and plug it in again, or switch it off and on."),
    ),
    Blindness.FLASHING: (
        say("The light over the tray flashes, so no dice are read."),
        say("Switch to another lamp."),
    ),
    Blindness.COVERED: (
        say("Something covers the camera's view."),
        say("Take away what is before the lens or over the tray, or wipe the lens."),
    ),
    Blindness.BLURRED: (
        say("The camera's picture is out of focus."),
        say("Focus the camera on the tray, or wipe its lens."),
    ),
    Blindness.MOVED: (MOVED_CALIBRATED, NO_WORDS),
}
"""The message about a camera that does not see, and what to do."""

BLIND_WORDS: Final[tuple[Phrase, ...]] = tuple(
    sentences(*BLIND[one]) for one in Blindness if one is not Blindness.MOVED
)
"""The same as a notice on the table's screen and aloud."""

READING: Final = say("The dice are being read …")
"""The notice while a picture of dice is read for longer than a moment."""

SEES_AGAIN: Final = say("The camera sees the tray again.")
"""The message when it sees again."""


class VisionError(Exception):
    """The root: catch this to survive anything that pictures, cameras and readers do wrong."""

    def __init__(self, what: Phrase) -> None:
        """Keep the message: what is wrong and what to do."""
        super().__init__(what)


class PictureError(VisionError):
    """A file or a run of bytes that is no picture trueroll can read: missing, damaged, cut off, or of another kind."""

    def __init__(self, what: Phrase) -> None:
        """Keep the message, also for putting the file's name before it."""
        super().__init__(what)
        self.what = what


class PictureTooLargeError(PictureError):
    """A picture beyond the bounds that keep a small board's memory safe."""


class SourceError(VisionError):
    """A source of frames that cannot be opened, with the reason and the remedy apart.

    `str()` gives both, for a terminal; `what` and `remedy` go to a screen that shows them apart.
    """

    def __init__(self, what: Phrase, remedy: Phrase = NO_WORDS) -> None:
        """Keep the two sentences; `remedy` may be empty."""
        super().__init__(sentences(what, remedy))
        self.what = what
        self.remedy = remedy


class SourceLostError(SourceError):
    """A source that was open and has stopped delivering frames."""


class SourceAwayError(SourceLostError):
    """A source whose frames cannot be reached now: its open stream may be read again, and goes on once they can."""


class ReaderError(VisionError):
    """The reader of dice cannot work: its model is missing or does not load."""


class ReaderFailedError(ReaderError):
    """The reader broke on a picture: a network that is not as it should be, or a fault. `cause` is for the log."""

    def __init__(self, cause: Exception) -> None:
        """Name what broke."""
        super().__init__(
            say(
                "The reader of dice fails on the camera's picture. Start trueroll again; if it still fails, install it "
                "again."
            )
        )
        self.cause = f"{type(cause).__name__}: {cause}"


class Unusable(StrEnum):
    """Why a calibration cannot be made or used."""

    NO_CARD = "no card"
    NOT_FOUR = "not four corners"
    NO_TRAY = "no tray"
    FEW_VIEWS = "too few views"
    SIZES_DIFFER = "sizes differ"
    MIRRORED = "mirrored"
    ALIKE = "views alike"
    CARD_UNSHARP = "card not sharp"
    CARD_FAR = "card too small"
    LENS_OFF = "views contradict one another"
    DAMAGED = "calibration damaged"
    NO_FILE = "calibration no file"


_UNUSABLE: Final[Mapping[Unusable, Phrase]] = {
    Unusable.NO_CARD: say("The printed card was not found. Lay it flat and whole into the picture, in good light."),
    Unusable.NOT_FOUR: say("A tray has four corners. Give each of them two numbers."),
    Unusable.NO_TRAY: say(
        "These corners are no tray: they cross, or lie too near to one another. Go round the tray in order."
    ),
    Unusable.FEW_VIEWS: say("Too little to measure the lens. Take three or more pictures of the card held at slants."),
    Unusable.SIZES_DIFFER: say("The pictures differ in size. Take them all with the same camera and setting."),
    Unusable.MIRRORED: MIRRORED,
    Unusable.ALIKE: say(
        "These pictures are too like one another. Hold the card at slants that differ by 15 degrees or more."
    ),
    Unusable.CARD_UNSHARP: say(
        "The card does not show exactly enough: it is out of focus, bent or dazzled. Lay it flat, focus on it, and "
        "hold the camera still."
    ),
    Unusable.CARD_FAR: say(
        "The card is too small in the picture to tell how the camera looks. Bring the camera nearer."
    ),
    Unusable.LENS_OFF: say(
        "These pictures contradict one another. Glue the card on something flat and stiff, and take sharp pictures "
        "with one and the same camera and zoom."
    ),
    Unusable.DAMAGED: say(
        "The kept calibration is damaged. Forget it on the page /camera or by `trueroll calibrate forget`, and "
        "calibrate anew."
    ),
    Unusable.NO_FILE: say("The kept calibration, calibration.json in the data folder, is no file. Move it away."),
}
"""Why a calibration cannot be made or used, and what the person can do."""


class CalibrationError(VisionError):
    """A calibration that cannot be made or used; `why` tells which of the known reasons it is."""

    def __init__(self, why: Unusable) -> None:
        """Keep the reason."""
        super().__init__(_UNUSABLE[why])
        self.why = why


class DiceThereError(VisionError):
    """A picture that cannot be the empty tray's: `count` dice lie in it, one of them at least surely a die."""

    def __init__(self, count: int) -> None:
        """Keep the number."""
        super().__init__(
            say_count(
                count,
                "{number} die was seen in the tray, and would not be seen any more. Take it out and try again.",
                "{number} dice were seen in the tray, and would not be seen any more. Take them out and try again.",
            )
        )
        self.count = count


class OwnDiceFault(StrEnum):
    """Why one's own dice cannot be kept, read or taught."""

    DAMAGED = "own dice damaged"
    NO_FILE = "own dice no file"
    NO_DICE = "no file of dice"
    NAME = "name"
    TAKEN = "name taken"
    UNKNOWN = "unknown die"
    MANY = "too many dice"
    NOT_SEEN = "no such die in the picture"
    UNSURE_POSE = "its lie cannot be made out"
    READ_OTHERWISE = "surely read otherwise"
    READ_SO = "read just so"


_FAULTS: Final[Mapping[OwnDiceFault, Phrase]] = {
    OwnDiceFault.DAMAGED: say(
        "The kept dice, own-dice.json in the data folder, are damaged. Import a saved file of them, or teach them anew."
    ),
    OwnDiceFault.NO_FILE: say("The kept dice, own-dice.json in the data folder, are no file. Move it away."),
    OwnDiceFault.NO_DICE: say("This file holds no dice. Name one that `trueroll dice export` or the page /dice saved."),
    OwnDiceFault.NAME: say("A die's name has 1 to 40 letters."),
    OwnDiceFault.TAKEN: say("Another die has this name already. Choose another one."),
    OwnDiceFault.UNKNOWN: say("This die was forgotten meanwhile. Look at the list again."),
    OwnDiceFault.MANY: say("No more dice can be taught. Forget one first."),
    OwnDiceFault.NOT_SEEN: say("No such die was seen in the last throw. Throw it once more."),
    OwnDiceFault.UNSURE_POSE: say(
        "How this die lies could not be made out, so nothing was learnt of it. Lay it a little elsewhere."
    ),
    OwnDiceFault.READ_OTHERWISE: say(
        "This die was read as another face. If it does show what you chose, say so once more; it is learnt then."
    ),
    OwnDiceFault.READ_SO: say(
        "That is what was read. Choose what the die truly shows: only a misreading becomes a test case."
    ),
}
"""Why a die cannot be taught or kept, and what the person can do."""


class OwnDiceError(VisionError):
    """One's own dice that cannot be kept, read or taught; `why` tells which of the known reasons it is."""

    def __init__(self, why: OwnDiceFault) -> None:
        """Keep the reason."""
        super().__init__(_FAULTS[why])
        self.why = why
