"""The calibration card as a file, with its words in the language of whoever asks."""

from __future__ import annotations

from kiosk.errors import CameraDeskError
from kiosk.i18n.current import language_now
from rules.words import Catalog, say, translated

ABOVE = say("Lay this card flat on the table, whole, in the middle of the camera's picture.")
"""The words above the card's markers: how to use the whole card."""
BELOW = say("Or cut off the four corners along the lines and lay each into the tray's corner, tip to tip.")
"""The words below them: how to use its corners alone."""
RULER = say("This line is 100 mm long if the card was printed at its true size.")
"""The words at its ruler: how to check the size of the print."""


def card_file(kind: str, *, letter: bool = False, catalog: Catalog | None = None) -> bytes:
    """The card as `svg` or `pdf`, on A4 or US letter. Raises `CameraDeskError` where OpenCV is missing."""
    try:
        from vision.table.card_paper import Paper, Words, card_pdf, card_svg  # noqa: PLC0415  # only where it is asked for
    except Exception as error:
        raise CameraDeskError(say("The card needs OpenCV, which does not load here. Run make install.")) from error
    words = catalog if catalog is not None else language_now().catalog
    told = Words(*(translated(one, words) for one in (ABOVE, BELOW, RULER)))
    paper = Paper.LETTER if letter else Paper.A4
    return card_svg(told, paper).encode() if kind == "svg" else card_pdf(told, paper)
