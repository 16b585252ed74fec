"""The calibration card as a file to print: SVG, or PDF of one page. Lengths are true on paper at 100 %.

The words on it come from whoever asks for the file, in the language of the house.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from xml.sax.saxutils import escape

from vision.table.card import HIGH, MODULES, PIECE, WIDE, markers, modules

RULER: Final = 100.0
"""Millimetres of the line that tells whether the card was printed at its true size."""
_POINTS: Final = 72 / 25.4
"""Points of PDF, 72 an inch, in a millimetre."""


class Paper(StrEnum):
    """The sheet to print on, lying."""

    A4 = "a4"
    LETTER = "letter"


_SHEETS: Final = {Paper.A4: (297.0, 210.0), Paper.LETTER: (279.4, 215.9)}
"""Width and height of each paper, lying, in millimetres."""


@dataclass(frozen=True)
class Words:
    """What is written on the card: a line above the board, a line under it, and one beside the ruler."""

    above: str
    below: str
    ruler: str


@dataclass(frozen=True)
class _Black:
    """A black rectangle, in millimetres of the sheet."""

    left: float
    top: float
    wide: float
    high: float


@dataclass(frozen=True)
class _Stroke:
    """A thin line; a cut is dashed."""

    start: tuple[float, float]
    end: tuple[float, float]
    cut: bool


@dataclass(frozen=True)
class _Text:
    """Words round a middle."""

    middle: tuple[float, float]
    words: str


def card_svg(words: Words, paper: Paper = Paper.A4) -> str:
    """The card as an SVG file."""
    wide, high = _SHEETS[paper]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}"',
        f'width="{wide:g}mm" height="{high:g}mm">',
        f'<rect width="{wide:g}" height="{high:g}" fill="#fff"/>',
    ]
    for one in _drawing(words, paper):
        if isinstance(one, _Black):
            lines.append(f'<rect x="{one.left:.3f}" y="{one.top:.3f}" width="{one.wide:.3f}" height="{one.high:.3f}"/>')
        elif isinstance(one, _Stroke):
            (x, y), (to_x, to_y) = one.start, one.end
            dashes = ' stroke-dasharray="2 1.5"' if one.cut else ""
            lines.append(
                f'<line x1="{x:.3f}" y1="{y:.3f}" x2="{to_x:.3f}" y2="{to_y:.3f}" stroke="#000" '
                f'stroke-width="0.25"{dashes}/>'
            )
        else:
            x, y = one.middle
            lines.append(
                f'<text x="{x:.2f}" y="{y:.2f}" font-family="sans-serif" font-size="4" text-anchor="middle">'
                f"{escape(one.words)}</text>"
            )
    return "\n".join([*lines, "</svg>", ""])


def card_pdf(words: Words, paper: Paper = Paper.A4) -> bytes:
    """The card as a PDF file of one page. Letters beyond Western European ones become question marks."""
    wide, high = _SHEETS[paper]
    drawn = [f"{_POINTS:.6f} 0 0 {_POINTS:.6f} 0 0 cm 0.25 w"]
    for one in _drawing(words, paper):
        if isinstance(one, _Black):
            drawn.append(f"{one.left:.3f} {high - one.top - one.high:.3f} {one.wide:.3f} {one.high:.3f} re f")
        elif isinstance(one, _Stroke):
            (x, y), (to_x, to_y) = one.start, one.end
            dashes = "[2 1.5] 0 d" if one.cut else "[] 0 d"
            drawn.append(f"{dashes} {x:.3f} {high - y:.3f} m {to_x:.3f} {high - to_y:.3f} l S")
        else:
            x, y = one.middle
            left = x - 0.95 * len(one.words)  # Helvetica's letters are half as wide as high, about
            drawn.append(f"BT /F 4 Tf {left:.2f} {high - y:.2f} Td ({_quoted(one.words)}) Tj ET")
    content = "\n".join(drawn).encode("cp1252", "replace")
    box = f"[0 0 {wide * _POINTS:.2f} {high * _POINTS:.2f}]"
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents 4 0 R "
        "/Resources << /Font << /F 5 0 R >> >> >>".encode(),
        b"<< /Length %d >>\nstream\n" % len(content) + content + b"\nendstream",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    return _pdf(parts)


def _pdf(parts: Sequence[bytes]) -> bytes:
    """The objects as a file, with the table of their places that a PDF ends with (ISO 32000, 7.5)."""
    whole = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, part in enumerate(parts, 1):
        places.append(len(whole))
        whole += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = len(whole)
    whole += b"xref\n0 %d\n0000000000 65535 f \n" % (len(parts) + 1)
    whole += b"".join(b"%010d 00000 n \n" % place for place in places)
    whole += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(parts) + 1, table)
    return bytes(whole)


def _quoted(words: str) -> str:
    return words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _drawing(words: Words, paper: Paper) -> Iterator[_Black | _Stroke | _Text]:
    wide, high = _SHEETS[paper]
    left, top = (wide - WIDE) / 2, (high - HIGH) / 2
    for marker in markers().values():
        side = marker.side / MODULES
        for row, line in enumerate(modules(marker.number).tolist()):
            start = None
            for column, black in enumerate([*line, False]):
                if black and start is None:
                    start = column
                elif not black and start is not None:  # one rectangle a run, so that no viewer shows seams in it
                    x, y = left + marker.left + start * side, top + marker.top + row * side
                    yield _Black(x, y, (column - start) * side, side * 1.01 if row < MODULES - 1 else side)
                    start = None
    for x, y, right, down in ((0, 0, 1, 1), (1, 0, -1, 1), (1, 1, -1, -1), (0, 1, 1, -1)):
        tip = (left + x * WIDE, top + y * HIGH)
        inner = (tip[0] + right * PIECE, tip[1] + down * PIECE)
        for start_, end in (
            ((inner[0], tip[1]), inner),
            (inner, (tip[0], inner[1])),
            (tip, (inner[0], tip[1])),
            (tip, (tip[0], inner[1])),
        ):
            yield _Stroke(start_, end, cut=True)
    middle = wide / 2
    yield _Text((middle, top + 12), words.above)
    yield _Text((middle, top + HIGH - 14), words.below)
    ruler = top + HIGH - 8
    ends = (middle - RULER / 2, middle + RULER / 2)
    yield _Stroke((ends[0], ruler), (ends[1], ruler), cut=False)
    for x in ends:
        yield _Stroke((x, ruler - 2), (x, ruler + 2), cut=False)
    yield _Text((middle, top + HIGH - 2), words.ruler)
