"""Two pictures of how well dice are read, as SVG: whether confidence can be believed, and what is taken for what.

`python -m tests.bench.vision_report --charts FOLDER` writes them from the dice that its tables count.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from rules.dice import DieKind, Face, Symbol
from tests.bench.vision_causes import AT_REST, Seen

FONT: Final = "'Atkinson Hyperlegible Next', 'DejaVu Sans', sans-serif"
PAPER, INK, FAINT, ACCENT = "#ffffff", "#1b2233", "#c4cad6", "#0b6e99"

EDGES: Final = (0.0, 0.5, 0.7, 0.9, 0.97, 0.99, 0.995, 0.999, 1.0)
"""Bins of confidence, finer where it decides whether a die is called read."""

FACES: Final[dict[DieKind, tuple[Face, ...]]] = {
    DieKind.D20: tuple(range(1, 21)),
    DieKind.CHALLENGE: (1, 2, Symbol.BLANK, Symbol.EFFECT),
    DieKind.D6: tuple(range(1, 7)),
}


def likely_share(wrong: int, count: int) -> tuple[float, float]:
    """Within which the true share of wrong ones lies, by Wilson's interval at 95 %; `count` is above 0."""
    z = 1.96
    share, room = wrong / count, z * z / count
    middle = (share + room / 2) / (1 + room)
    reach = z / (1 + room) * math.sqrt(share * (1 - share) / count + room / (4 * count))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def write_charts(dice: Sequence[Seen], folder: Path) -> list[Path]:
    """Draw both pictures of the flat dice that trueroll reads; the folder is made where there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    flat = [die for die in dice if die.kind is not None and die.face is not None and die.lean < AT_REST]
    drawn = {"calibration.svg": calibration(flat), "confusion.svg": confusion(flat)}
    for name, text in drawn.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in drawn]


def calibration(dice: Sequence[Seen]) -> str:
    """How often a likeliest face was wrong, against how likely the reader held that; in powers of ten."""
    left, top, wide, high = 110.0, 70.0, 560.0, 420.0

    def place(chance: float) -> float:
        return (math.log10(min(1.0, max(1e-4, chance))) + 4) / 4

    def at(supposed: float, found: float) -> tuple[float, float]:
        return left + wide * place(supposed), top + high * (1 - place(found))

    lines = [_text(left, 36, "Is a doubt as large as it says?", size=22)]
    for power in range(-4, 1):
        share = f"{100 * 10.0**power:g} %"
        x, y = at(10.0**power, 10.0**power)
        lines += [
            _line(x, top, x, top + high, FAINT),
            _line(left, y, left + wide, y, FAINT),
            _text(x, top + high + 24, share, anchor="middle"),
            _text(left - 10, y + 5, share, anchor="end"),
        ]
    lines.append(_line(*at(1e-4, 1e-4), *at(1, 1), INK, dash="6 5"))
    for low, high_edge in itertools.pairwise(EDGES):
        some = [
            (found.reading.confidence, die.right)
            for die in dice
            if (found := die.found) is not None
            and (low <= found.reading.confidence < high_edge or found.reading.confidence == high_edge == 1.0)
        ]
        if not some:
            continue
        wrong = sum(not right for _, right in some)
        supposed = sum(1 - confidence for confidence, _ in some) / len(some)
        bottom, ceiling = likely_share(wrong, len(some))
        x, lower = at(supposed, bottom)
        _, upper = at(supposed, ceiling)
        lines.append(_line(x, lower, x, upper, ACCENT, width=3))
        if wrong:
            _, y = at(supposed, wrong / len(some))
            lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="{ACCENT}"/>')
        lines.append(_text(x + 9, upper + 5, f"{wrong} of {len(some)}", size=14))
    lines += [
        _text(left + wide / 2, top + high + 54, "chance of being wrong, as the reader holds it", anchor="middle"),
        f'<g transform="rotate(-90 28 {top + high / 2})">',
        _text(28, top + high / 2, "share that was wrong", anchor="middle"),
        "</g>",
        _text(
            left,
            top + high + 82,
            "Bars: 95 % interval. Above the broken line the reader is too sure of itself.",
            size=14,
        ),
    ]
    return _svg(720, 590, lines)


def confusion(dice: Sequence[Seen]) -> str:
    """Which face was up, by row, and which the reader held likeliest, by column; the last column was not found."""
    lines = [_text(20, 36, "Up (rows), and held for likeliest (columns)", size=22)]
    y = 60.0
    for kind, faces in FACES.items():
        some = [die for die in dice if die.kind is kind]
        counts = Counter((die.face, _taken_for(die)) for die in some)
        right = sum(die.right for die in some)
        lines.append(_text(20, y + 16, f"{kind}: {right} of {len(some)} right", size=16))
        lines += _grid(faces, counts, y + 30)
        y += 30 + 30 * (len(faces) + 1) + 30
    return _svg(820, y, lines)


def _taken_for(die: Seen) -> Face | None:
    if die.found is None:
        return None
    if die.found.reading.kind is not die.kind:
        return None
    return die.found.verdict.best[0]


def _grid(faces: tuple[Face, ...], counts: Counter[tuple[Face | None, Face | None]], top: float) -> Iterator[str]:
    cell, left = 34.0, 70.0
    columns: tuple[Face | None, ...] = (*faces, None)
    for column, face in enumerate(columns):
        head = "none" if face is None else str(face)
        yield _text(left + cell * (column + 0.5), top + 18, head[:6], size=11, anchor="middle")
    for row, up in enumerate(faces):
        total = sum(counts[up, face] for face in columns)
        y = top + 30 * (row + 1)
        yield _text(left - 8, y + 20, str(up), size=13, anchor="end")
        for column, face in enumerate(columns):
            count = counts[up, face]
            share = count / total if total else 0.0
            colour = ACCENT if face == up else "#b3261e"
            x = left + cell * column
            yield (
                f'<rect x="{x:.0f}" y="{y:.0f}" width="{cell:.0f}" height="30" fill="{colour}" '
                f'fill-opacity="{0.85 * share:.2f}" stroke="{FAINT}"/>'
            )
            if count:
                yield _text(x + cell / 2, y + 20, str(count), size=12, anchor="middle", paper=share > 0.5)


def _text(x: float, y: float, words: str, *, size: int = 15, anchor: str = "start", paper: bool = False) -> str:
    fill = PAPER if paper else INK
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{fill}">{escape(words)}</text>'
    )


def _line(x: float, y: float, to_x: float, to_y: float, colour: str, *, width: float = 1, dash: str = "") -> str:
    broken = f' stroke-dasharray="{dash}"' if dash else ""
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width}"{broken}/>'


def _svg(width: float, height: float, lines: Sequence[str]) -> str:
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" font-family="{FONT}">',
            f'<rect width="{width:.0f}" height="{height:.0f}" fill="{PAPER}"/>',
            *lines,
            "</svg>\n",
        ]
    )
