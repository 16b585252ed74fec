"""Draws the box of the camera tray: `python -m tests.camera_tray_box > docs/camera-tray.svg`.

Every size is a row of `PARTS` or follows from it; docs/camera-tray.md has the same table, and a test compares both, and
works out whether the camera sees the whole floor and dice are large enough in its picture.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

FONT: Final = "'Atkinson Hyperlegible Next', 'DejaVu Sans', sans-serif"


@dataclass(frozen=True, slots=True)
class BoxPart:
    """One piece to saw or print: how many, its length and width in millimetres, and what it is for."""

    name: str
    count: int
    length: int
    width: int
    note: str


THICK: Final = 6
"""Millimetres of every piece."""
FLOOR: Final = BoxPart("floor", 1, 240, 180, "covered with plain felt, dark or mid-grey, not black")
LONG_WALL: Final = BoxPart("long wall", 2, FLOOR.length + 2 * THICK, 50, "outside the floor's long edges")
SHORT_WALL: Final = BoxPart("short wall", 2, FLOOR.width, 50, "between the long walls")
POST: Final = BoxPart("post", 2, 230, 40, "upright, on the outside of the middle of each short wall, flush below")
BEAM: Final = BoxPart("beam", 1, FLOOR.length + 4 * THICK, 60, "across the posts; a hole of 24 mm in its middle")
PARTS: Final = (FLOOR, LONG_WALL, SHORT_WALL, POST, BEAM)
"""Everything of the box."""

LENS_HEIGHT: Final = POST.length - THICK
"""Millimetres from the floor's upper side to the lens, which sits in the beam's hole, flush with its lower side."""

SCALE, LEFT, GROUND = 1.6, 150, 470
TOP_LEFT, TOP_TOP = 640, 90


def drawing() -> str:
    """The box from the front and from above, with its sizes, as SVG."""
    said = "; ".join(f"{one.count} {one.name} {one.length} by {one.width} mm" for one in PARTS)
    lines = [
        (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1120 560" role="img" aria-labelledby="title desc" '
            f'font-family="{FONT}" font-size="17">'
        ),
        '<title id="title">The box of the camera tray, from the front and from above</title>',
        f'<desc id="desc">{escape(said)}; all {THICK} mm thick. The lens is {LENS_HEIGHT} mm above the floor.</desc>',
        '<rect width="1120" height="560" fill="#ffffff"/>',
        *_front(),
        *_above(),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}" stroke="#1a1a1a" '
        'stroke-width="2"/>'
    )


def _text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#1a1a1a">{escape(words)}</text>'


def _front() -> list[str]:
    outside = FLOOR.length + 2 * THICK
    wall, post, beam = (size * SCALE for size in (LONG_WALL.width, POST.length, BEAM.length))
    thick, middle = THICK * SCALE, LEFT + outside * SCALE / 2
    top = GROUND - post
    return [
        _text(middle, 40, "from the front"),
        _rect(LEFT - thick, top, thick, post, "#e8d9b8"),
        _rect(LEFT + outside * SCALE, top, thick, post, "#e8d9b8"),
        _rect(middle - beam / 2, top - thick, beam, thick, "#e8d9b8"),
        _rect(middle - 20 * SCALE, top - thick - 14, 40 * SCALE, 14, "#9fc5a8"),
        _text(middle, top - thick - 22, "camera board"),
        _rect(middle - 18 * SCALE, top, 36 * SCALE, 6, "#f2e089"),
        _text(middle + 20 * SCALE, top + 22, "lamp ring, paper", "start"),
        (
            f'<path d="M {middle:.1f} {top:.1f} L {LEFT + thick:.1f} {GROUND - thick:.1f} '
            f'M {middle:.1f} {top:.1f} L {LEFT + outside * SCALE - thick:.1f} {GROUND - thick:.1f}" stroke="#666666" '
            'stroke-dasharray="6 5" fill="none"/>'
        ),
        _rect(LEFT, GROUND - wall, outside * SCALE, wall, "#f4ead2"),
        _text(middle, GROUND - wall / 2 + 6, f"long wall {LONG_WALL.length} by {LONG_WALL.width}"),
        _text(LEFT - thick - 10, (top + GROUND) / 2, f"post {POST.length}", "end"),
        _text(middle, GROUND + 30, f"lens {LENS_HEIGHT} mm above the floor; all pieces {THICK} mm thick"),
        _text(middle, GROUND + 56, f"beam {BEAM.length} by {BEAM.width}"),
    ]


def _above() -> list[str]:
    length, width = FLOOR.length * SCALE, FLOOR.width * SCALE
    thick = THICK * SCALE
    inner_x, inner_y = TOP_LEFT + thick, TOP_TOP + thick
    beam_y = inner_y + width / 2 - BEAM.width * SCALE / 2
    middle = inner_x + length / 2
    return [
        _text(middle, 40, "from above"),
        _rect(TOP_LEFT, TOP_TOP, length + 2 * thick, width + 2 * thick, "#f4ead2"),
        _rect(inner_x, inner_y, length, width, "#ffffff"),
        _rect(middle - BEAM.length * SCALE / 2, beam_y, BEAM.length * SCALE, BEAM.width * SCALE, "#e8d9b8"),
        (
            f'<circle cx="{middle:.1f}" cy="{inner_y + width / 2:.1f}" r="{12 * SCALE:.1f}" fill="#ffffff" '
            'stroke="#1a1a1a" stroke-width="2"/>'
        ),
        _text(middle + 16 * SCALE, inner_y + width / 2 + 6, "hole 24", "start"),
        _text(middle, inner_y + 28, f"floor {FLOOR.length} by {FLOOR.width}"),
        _text(middle, inner_y + width - 14, f"short wall {SHORT_WALL.length} by {SHORT_WALL.width}, left and right"),
        _text(middle, TOP_TOP + width + 2 * thick + 30, "the front edge is where you throw from: keep your hand out"),
    ]


def main() -> None:
    """Print the drawing."""
    sys.stdout.write(drawing())


if __name__ == "__main__":
    main()
