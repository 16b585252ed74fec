"""What can go wrong in the camera's room; every message says what happened and what the person can do."""

from __future__ import annotations

from enum import StrEnum


class VisionError(Exception):
    """The root: catch this to survive anything that pictures, cameras and readers do wrong."""


class PictureError(VisionError):
    """A file or a run of bytes that is no picture trueroll can read: missing, damaged, cut off, or of another kind."""


class PictureTooLargeError(PictureError):
    """A picture beyond the bounds that keep a small board's memory safe."""


class SourceError(VisionError):
    """A source of frames that cannot be opened, with the reason and the remedy apart.

    `str()` gives both, for a terminal; `what` and `remedy` go to a screen that shows them apart.
    """

    def __init__(self, what: str, remedy: str = "") -> None:
        """Keep the two sentences; `remedy` may be empty."""
        super().__init__(f"{what} {remedy}".strip())
        self.what = what
        self.remedy = remedy


class SourceLostError(SourceError):
    """A source that was open and has stopped delivering frames."""


class SourceAwayError(SourceLostError):
    """A source whose frames cannot be reached now: its open stream may be read again, and goes on once they can."""


class ReaderError(VisionError):
    """The reader of dice cannot work: its model is missing or does not load."""


class ReaderFailedError(ReaderError):
    """The reader broke on a picture: a network that is not as it should be, or a fault; `why` is for who has words."""

    why = "reader failed"

    def __init__(self, cause: Exception) -> None:
        """Name what broke."""
        super().__init__(f"the reader failed on a picture ({type(cause).__name__}: {cause})")


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


class CalibrationError(VisionError):
    """A calibration that cannot be made or used; `why` tells which of the known reasons it is."""

    def __init__(self, why: Unusable) -> None:
        """Keep the reason; whoever shows it has the words for it."""
        super().__init__(f"calibration: {why}")
        self.why = why


class DiceThereError(VisionError):
    """A picture that cannot be the empty tray's: `count` dice lie in it, one of them at least surely a die."""

    def __init__(self, count: int) -> None:
        """Keep the number; whoever shows it has the words for it."""
        super().__init__(f"not empty: {count} dice")
        self.count = count


class OwnDiceFault(StrEnum):
    """Why one's own dice cannot be kept, read or taught."""

    DAMAGED = "own dice damaged"
    NO_DICE = "no file of dice"
    NAME = "name"
    TAKEN = "name taken"
    UNKNOWN = "unknown die"
    MANY = "too many dice"
    NOT_SEEN = "no such die in the picture"
    UNSURE_POSE = "its lie cannot be made out"
    READ_OTHERWISE = "surely read otherwise"
    READ_SO = "read just so"


class OwnDiceError(VisionError):
    """One's own dice that cannot be kept, read or taught; `why` tells which of the known reasons it is."""

    def __init__(self, why: OwnDiceFault) -> None:
        """Keep the reason; whoever shows it has the words for it."""
        super().__init__(f"own dice: {why}")
        self.why = why
