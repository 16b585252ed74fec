"""What can go wrong in the camera's room; every message says what happened and what the person can do."""

from __future__ import annotations


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


class ReaderError(VisionError):
    """The reader of dice cannot work: its model is missing or does not load."""
