"""Tables without dice: what the reader reads there, or asks about.

`python -m tests.bench.vision_without_dice --out FOLDER [--scenes N] [--seed N]` draws hands, coins, cards, pencils,
mugs, dominoes and printed mats, one sort after the other, reads each picture as `trueroll read` does, and prints the
table. FOLDER keeps a line a picture (`index.jsonl`), with its seed, and the pictures where something was found. What
is in the index is not read again: the same command goes on where it was stopped. `--again` reads those anew
where something was found, for looking at a change; it writes nothing. Nothing of `vision.training` is drawn.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import DieState
from tests.bench.vision_charts import likely_share
from vision.ports import Pixels
from vision.read.reader import PictureReader, load_reader

FIRST_SEED: Final = 5_600_000
SIZE: Final = (1280, 720)
_SIDE: Final = 256
"""The side of a thing's own picture in pixels; it lies in the middle of it."""
_FONTS: Final = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_ITALIC)
_SKINS: Final = ((180, 205, 240), (140, 175, 225), (95, 135, 195), (60, 95, 150), (40, 60, 100))
"""Colours of hands, in BGR."""
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Canvas = NDArray[np.float32]
"""A picture of a table in BGR; of a thing with its coverage (0 to 1) as a fourth plane."""


@dataclass(frozen=True, eq=False)
class Tally:
    """The reader's result for a picture without dice: the numbers of dice `read`, and asked about."""

    false: int
    questions: int


def picture_of(seed: int) -> tuple[str, Pixels]:
    """The sort of the picture of this seed, and the picture."""
    rng = np.random.default_rng(seed)
    sort = list(SORTS)[seed % len(SORTS)]
    table = _table(rng)
    if sort == "mat":
        _mat(table, rng)
    else:
        for _ in range(int(rng.integers(1, 7))):
            _lay(table, SORTS[sort](rng), rng, reach=float(rng.uniform(*_REACH[sort])))
    for other in rng.choice([name for name in SORTS if name != "mat"], int(rng.integers(0, 3))):
        _lay(table, SORTS[str(other)](rng), rng, reach=float(rng.uniform(*_REACH[str(other)])))
    return sort, _seen(table, rng)


def _colour(rng: np.random.Generator) -> tuple[float, float, float]:
    blue, green, red = rng.uniform(15, 240, 3).tolist()
    return blue, green, red


def _table(rng: np.random.Generator) -> Canvas:
    """Cloth or wood in any colour, unevenly lit."""
    width, height = SIZE
    canvas = np.empty((height, width, 3), np.float32)
    canvas[:] = np.array(_colour(rng)) * float(rng.uniform(0.6, 1.0))
    coarse = rng.normal(0, 1, (9, 16) if rng.random() < 0.5 else (120, 3)).astype(np.float32)
    uneven = cv2.resize(coarse, SIZE, interpolation=cv2.INTER_CUBIC)
    canvas *= (1 + float(rng.uniform(0.01, 0.08)) * uneven)[..., None]
    canvas *= np.linspace(1, float(rng.uniform(0.7, 1.0)), width, dtype=np.float32)[None, :, None]
    return canvas


def _thing() -> Canvas:
    return np.zeros((_SIDE, _SIDE, 4), np.float32)


def _fill(thing: Canvas, outline: NDArray[np.float64], colour: Sequence[float]) -> None:
    """Fill the outline (in halves of the thing's side from its middle) with the colour, which covers what is below."""
    spots = np.round((outline + 1) * _SIDE / 2 * 16).astype(np.int32)
    cv2.fillPoly(thing, [spots], (*colour, 1.0), cv2.LINE_AA, shift=4)


def _round(reach: float, x: float = 0.0, y: float = 0.0, flat: float = 1.0) -> NDArray[np.float64]:
    turn = np.linspace(0, 2 * math.pi, 60, endpoint=False)
    return np.column_stack([x + reach * np.cos(turn), y + reach * flat * np.sin(turn)])


def _slab(wide: float, high: float, corner: float = 0.04, at: tuple[float, float] = (0.0, 0.0)) -> NDArray[np.float64]:
    """A rectangle with round corners, its middle at a spot."""
    turn = np.linspace(0, math.pi / 2, 6)
    part = np.column_stack([np.cos(turn), np.sin(turn)]) * corner
    x, y = wide - corner, high - corner
    middles = np.array([(x, y), (-x, y), (-x, -y), (x, -y)])
    quarter = np.array([[0.0, 1.0], [-1.0, 0.0]])
    parts = [part @ np.linalg.matrix_power(quarter, number) + one for number, one in enumerate(middles)]
    outline: NDArray[np.float64] = np.vstack(parts) + np.array(at)
    return outline


def _write(thing: Canvas, text: str, middle: tuple[float, float], high: float, colour: Sequence[float]) -> None:
    """Write the text round the middle, so high (both in halves of the thing's side), in plain or thick strokes."""
    spot = ((middle[0] + 1) * _SIDE / 2, (middle[1] + 1) * _SIDE / 2)
    share = _text(thing.shape[:2], text, spot, high * _SIDE / 2)[..., None]
    thing += (np.array((*colour, 1.0), np.float32) - thing) * share


def _text(shape: tuple[int, ...], text: str, middle: tuple[float, float], high: float) -> Canvas:
    """How much of each pixel the text covers that stands round the middle, some `high` pixels high."""
    font, size = _FONTS[len(text) % len(_FONTS)], high / 22
    thick = max(1, round(size * 2.2))
    (wide, tall), _ = cv2.getTextSize(text, font, size, thick)
    written = np.zeros(shape[:2], np.uint8)
    cv2.putText(
        written, text, (round(middle[0] - wide / 2), round(middle[1] + tall / 2)), font, size, 255, thick, cv2.LINE_AA
    )
    return written.astype(np.float32) / np.float32(255)


def _hand(rng: np.random.Generator) -> Canvas:
    """A hand from above, its fingers spread or closed, with nails."""
    thing, skin = _thing(), np.array(_SKINS[int(rng.integers(len(_SKINS)))]) * float(rng.uniform(0.85, 1.05))
    _fill(thing, _slab(0.2, 0.5, at=(0.0, 0.7)), (skin * 0.95).tolist())
    _fill(thing, _round(0.36, 0.0, 0.15, 1.1), skin.tolist())
    spread, bent = float(rng.uniform(0.05, 0.22)), rng.uniform(0.55, 1.0, 5)
    for number, length in enumerate((0.45, 0.68, 0.75, 0.68, 0.55)):
        thumb = number == 0
        turn = -1.1 if thumb else (number - 2.5) * spread
        root = np.array([-0.3, 0.2]) if thumb else np.array([(number - 2.5) * 0.16, -0.12])
        way = np.array([math.sin(turn), -math.cos(turn)])
        across = np.array([-way[1], way[0]])
        tip = root + way * length * bent[number]
        wide = 0.085 if thumb else 0.075
        shade = (skin * float(rng.uniform(0.92, 1.04))).tolist()
        _fill(
            thing,
            np.array([root - across * wide, root + across * wide, tip + across * wide, tip - across * wide]),
            shade,
        )
        _fill(thing, _round(wide, *tip), shade)
        _fill(thing, _round(wide * 0.55, *(tip + way * 0.02)), (skin * 1.1).clip(0, 250).tolist())
    return thing


def _coin(rng: np.random.Generator) -> Canvas:
    """A coin: a rim, a second metal or none, a number or a head."""
    metal = np.array([(80, 160, 200), (150, 165, 175), (60, 100, 165)][int(rng.integers(3))]) * float(
        rng.uniform(0.7, 1.2)
    )
    thing = _thing()
    _fill(thing, _round(0.95), (metal * 0.75).tolist())
    _fill(thing, _round(0.88), metal.tolist())
    if rng.random() < 0.4:
        _fill(thing, _round(0.62), (metal[::-1] * 0.9).tolist())
    dark = (metal * float(rng.uniform(0.55, 0.8))).tolist()
    if rng.random() < 0.5:
        text = str(rng.choice(["1", "2", "5", "10", "20", "50"]))
        _write(thing, text, (0.0, 0.0), float(rng.uniform(0.5, 0.9)), dark)
    else:
        _fill(thing, _round(0.32, -0.05, -0.2, 1.25), dark)
        _fill(thing, np.array([(-0.4, 0.6), (-0.15, 0.1), (0.2, 0.1), (0.45, 0.6)]), dark)
    shine = np.linspace(1.15, 0.8, _SIDE, dtype=np.float32)
    thing[..., :3] *= shine[:, None, None]
    return thing


def _card(rng: np.random.Generator) -> Canvas:
    """A playing card: ranks in its corners and signs between them, its patterned back, or a card of text."""
    thing = _thing()
    paper = (np.array([235.0, 240.0, 242.0]) * float(rng.uniform(0.8, 1.03))).tolist()
    ink = [(40.0, 40.0, 190.0), (30.0, 30.0, 30.0), _colour(rng)][int(rng.integers(3))]
    _fill(thing, _slab(0.66, 0.95, 0.08), paper)
    way = rng.random()
    if way < 0.3:
        _fill(thing, _slab(0.58, 0.87, 0.03), ink)
        step = float(rng.uniform(0.08, 0.2))
        for x, y in np.stack(np.meshgrid(np.arange(-0.5, 0.5, step), np.arange(-0.8, 0.8, step)), -1).reshape(-1, 2):
            _fill(thing, _round(step * 0.4, x, y)[:: int(rng.choice([1, 15]))], paper)
        return thing
    if way < 0.55:
        _write(thing, "".join(rng.choice(list(_LETTERS), 7)), (0.0, -0.75), 0.14, ink)
        _fill(thing, _slab(0.52, 0.3, 0.02, (0.0, -0.25)), _colour(rng))
        for down in np.arange(0.2, 0.85, 0.12):
            _fill(thing, _slab(float(rng.uniform(0.3, 0.52)), 0.018, 0.01, (0.0, float(down))), ink)
        return thing
    rank = int(rng.integers(1, 11))
    for side in (-1, 1):
        _write(thing, "A" if rank == 1 else str(rank), (side * 0.5, side * 0.78), 0.2, ink)
    corners = int(rng.choice([60, 4, 3, 6]))
    for number in range(rank):
        x, y = 0.26 * (-1 if number % 2 else 1) * (rank > 1), (number // 2 - (rank - 1) // 4) * 0.28
        _fill(thing, _round(0.11, x, y)[:: 60 // corners], ink)
    return thing


def _pencil(rng: np.random.Generator) -> Canvas:
    """A pencil or pen with a point, a ring and a cap."""
    thing, body = _thing(), np.array(_colour(rng))
    wide = float(rng.uniform(0.05, 0.09))
    _fill(thing, _slab(0.8, wide, 0.01), body.tolist())
    _fill(thing, _slab(0.8, wide * 0.35, 0.01), (body * 1.25).clip(0, 250).tolist())
    _fill(thing, np.array([(0.78, -wide), (0.97, 0.0), (0.78, wide)]), (140.0, 190.0, 225.0))
    _fill(thing, np.array([(0.91, -wide * 0.3), (0.97, 0.0), (0.91, wide * 0.3)]), (40.0, 40.0, 40.0))
    _fill(thing, _slab(0.05, wide, 0.01, (-0.78, 0.0)), (170.0, 175.0, 180.0))
    _fill(thing, _slab(0.07, wide, 0.02, (-0.9, 0.0)), _colour(rng))
    return thing


def _mug(rng: np.random.Generator) -> Canvas:
    """A mug from above: handle, rim, and what is in it."""
    thing, glaze = _thing(), np.array(_colour(rng))
    _fill(thing, _slab(0.22, 0.07, 0.06, (0.76, 0.0)), (glaze * 0.85).tolist())
    _fill(thing, _round(0.72), glaze.tolist())
    _fill(thing, _round(0.64), (glaze * 0.55).tolist())
    drink = [(25.0, 45.0, 75.0), (60.0, 130.0, 190.0), (225.0, 228.0, 230.0)][int(rng.integers(3))]
    _fill(thing, _round(0.58, 0.0, 0.02), drink)
    _fill(thing, _round(0.08, -0.25, -0.2, 0.5), (np.array(drink) * 1.3 + 25).clip(0, 250).tolist())
    return thing


def _domino(rng: np.random.Generator) -> Canvas:
    """A domino with up to six pips on each half; its lower edges are in the shade, for it is as thick as a tile."""
    pale = rng.random() < 0.6
    body = np.array([225.0, 235.0, 240.0]) if pale else np.array([35.0, 35.0, 40.0])
    body *= float(rng.uniform(0.75, 1.05))
    ink = (30.0, 30.0, 30.0) if pale else (235.0, 235.0, 235.0)
    thing = _thing()
    _fill(thing, _slab(0.48, 0.95, 0.07, (0.025, 0.03)), (body * 0.6).tolist())
    _fill(thing, _slab(0.46, 0.92, 0.07), body.tolist())
    _fill(thing, _slab(0.4, 0.012, 0.01), ink)
    for half in (-0.46, 0.46):
        for right, down in _PIPS[int(rng.integers(7))]:
            _fill(thing, _round(0.075, right * 0.26, half + down * 0.26), ink)
    return thing


_PIPS: Final[tuple[tuple[tuple[int, int], ...], ...]] = (
    (),
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
)
"""Where the pips of each number lie on half a domino."""


def _mat(table: Canvas, rng: np.random.Generator) -> None:
    """Print a mat on the table, in one of the `_PRINTS`."""
    ink = np.array(_colour(rng), np.float32)
    printed = _PRINTS[int(rng.integers(len(_PRINTS)))](rng, float(rng.uniform(50, 150)))
    share = np.asarray(cv2.GaussianBlur(printed, (0, 0), 0.7), np.float32)[..., None] * float(rng.uniform(0.3, 1.0))
    table += (ink - table) * share


def _lined(outlines: Sequence[NDArray[np.float64]], thick: int) -> Canvas:
    """How much of each pixel of a table is covered by these closed lines."""
    drawn = np.zeros(SIZE[::-1], np.uint8)
    cv2.polylines(drawn, [np.round(one).astype(np.int32) for one in outlines], True, 255, thick, cv2.LINE_AA)  # noqa: FBT003 - OpenCV's own
    return drawn.astype(np.float32) / np.float32(255)


def _spots(across: float, down: float) -> list[tuple[float, float]]:
    """Spots all over a table, so far apart."""
    return [
        (float(x), float(y)) for y in np.arange(0, SIZE[1] + down, down) for x in np.arange(0, SIZE[0] + across, across)
    ]


def _squares(rng: np.random.Generator, step: float) -> Canvas:
    return _lined(
        [np.array([(x, y), (x + step, y), (x + step, y + step), (x, y + step)]) for x, y in _spots(step, step)],
        int(rng.integers(1, 5)),
    )


def _hexagons(rng: np.random.Generator, step: float) -> Canvas:
    wide, rows = step * math.sqrt(0.75), _spots(step * math.sqrt(0.75), step * 0.75)
    shift = {y: wide / 2 * (number % 2) for number, y in enumerate(sorted({y for _, y in rows}))}
    return _lined([_round(step / 2, x + shift[y], y)[5::10] for x, y in rows], int(rng.integers(1, 5)))


def _track(rng: np.random.Generator, step: float) -> Canvas:
    """Numbers in a row of squares along two edges."""
    first, thick = int(rng.integers(0, 10)), int(rng.integers(1, 5))
    spots = [(float(x), y) for y in (SIZE[1] * 0.2, SIZE[1] * 0.8) for x in np.arange(step, SIZE[0] - step / 2, step)]
    result = _lined([_round(step * 0.6, x, y)[7::15] for x, y in spots], thick)
    for number, spot in enumerate(spots):
        np.maximum(result, _text(result.shape, str(first + number), spot, step * 0.35), out=result)
    return result


def _badges(rng: np.random.Generator, step: float) -> Canvas:
    """Words and numbers in rings, squares, hexagons, pentagons and triangles."""
    spots = [(float(x), float(y)) for x, y in rng.uniform((100, 100), (SIZE[0] - 100, SIZE[1] - 100), (6, 2))]
    outlines = [_round(step * 0.5, *spot)[:: 60 // int(rng.choice([60, 6, 5, 4, 3]))] for spot in spots]
    result = _lined(outlines, int(rng.integers(1, 5)))
    for spot in spots:
        text = str(rng.choice(["1", "2", "7", "12", "20", "A", "HP", "?"]))
        np.maximum(result, _text(result.shape, text, spot, step * 0.3), out=result)
    return result


def _lines_of_text(rng: np.random.Generator, step: float) -> Canvas:
    result = np.zeros(SIZE[::-1], np.float32)
    for y in np.arange(60, SIZE[1] - 30, step * 0.6):
        words = " ".join("".join(rng.choice(list(_LETTERS), 6)) for _ in range(4))
        np.maximum(result, _text(result.shape, words, (SIZE[0] / 2, float(y)), step * 0.3), out=result)
    return result


_PRINTS: Final = (_squares, _hexagons, _track, _badges, _lines_of_text)
"""What is printed on mats, drawn with a step in pixels."""


SORTS: Final[Mapping[str, Callable[[np.random.Generator], Canvas]]] = {
    "hand": _hand,
    "coin": _coin,
    "card": _card,
    "pencil": _pencil,
    "mug": _mug,
    "domino": _domino,
    "mat": _card,
}
"""What lies on the tables, in turn by their seed; on a mat lies what lies beside the others."""
_REACH: Final[Mapping[str, tuple[float, float]]] = {
    "hand": (150, 330),
    "coin": (22, 60),
    "card": (80, 190),
    "pencil": (120, 330),
    "mug": (90, 220),
    "domino": (40, 110),
    "mat": (60, 120),
}
"""How far a thing reaches from its middle, in pixels: coins and dominoes as large as dice, the rest in proportion."""


def _lay(table: Canvas, thing: Canvas, rng: np.random.Generator, reach: float) -> None:
    """Lay the thing with its shadow: anywhere, turned anyhow, and if it reaches its picture's lower edge, as an arm."""
    turn, spot = float(rng.uniform(0, 360)), rng.uniform((0, 0), SIZE)
    if thing[-1, :, 3].any():
        turn, spot = _reaching_in(rng, reach)
    into = np.asarray(cv2.getRotationMatrix2D((_SIDE / 2, _SIDE / 2), turn, 2 * reach / _SIDE), np.float64)
    into[:, 2] += spot - _SIDE / 2
    laid = np.asarray(cv2.warpAffine(thing, into, SIZE, flags=cv2.INTER_AREA), np.float32)
    fall, soft = rng.normal(0, 5, 2), float(rng.uniform(2, 9))
    shade = cv2.warpAffine(laid[..., 3], np.array([[1, 0, fall[0]], [0, 1, fall[1]]]), SIZE)
    shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), soft), np.float32)[..., None]
    table *= 1 - float(rng.uniform(0.1, 0.5)) * shade
    cover = laid[..., 3:]
    np.add(table * (1 - cover), laid[..., :3] * np.minimum(1, cover), out=table)


def _reaching_in(rng: np.random.Generator, reach: float) -> tuple[float, NDArray[np.float64]]:
    """How many degrees a hand is turned, and its middle: its arm comes from beyond one of the picture's edges."""
    width, height = SIZE
    edge, deep, along = int(rng.integers(4)), reach * float(rng.uniform(0.0, 0.75)), float(rng.uniform(0.1, 0.9))
    spots = (
        (along * width, height - deep),
        (width - deep, along * height),
        (along * width, deep),
        (deep, along * height),
    )
    return 90.0 * edge + float(rng.uniform(-20, 20)), np.array(spots[edge])


def _seen(table: Canvas, rng: np.random.Generator) -> Pixels:
    """What a camera sees of the table: some 4 degrees askew, softened, lighter or darker, noisy."""
    width, height = SIZE
    shift = rng.normal(0, 18, (4, 2)).astype(np.float32)
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    into = cv2.getPerspectiveTransform(corners, corners + shift)
    seen = np.asarray(cv2.warpPerspective(table, into, SIZE, borderMode=cv2.BORDER_REPLICATE), np.float32)
    seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.5, 1.2))), np.float32)
    seen *= float(rng.uniform(0.75, 1.15))
    seen += np.asarray(rng.normal(0, float(rng.uniform(1, 4)), seen.shape), np.float32)
    return np.clip(seen, 0, 255).astype(np.uint8)


def tallied(reader: PictureReader, picture: Pixels) -> Tally:
    """What the reader says of a picture in which no die lies."""
    states = [one.state for one in reader.read(picture)]
    false = states.count(DieState.READ)
    return Tally(false, len(states) - false)


def table(lines: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The table of the index's lines, by sort and of all: false dice and questions, and the most that is likely."""
    heads = ("pictures of", "pictures", "false dice", "questions", "pictures with a question, 95 % by Wilson")
    yield f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|"
    groups = {name: [one for one in lines if one["sort"] == name] for name in SORTS}
    for name, some in {**groups, "all": lines}.items():
        false, questions = (sum(int(one[key]) for one in some) for key in ("false", "questions"))
        asked = sum(one["questions"] > 0 for one in some)
        if some:
            low, high = likely_share(asked, len(some))
            yield f"| {name} | {len(some)} | {false} | {questions} | {asked} ({low:.1%} to {high:.1%}) |"
    if lines:
        wrong = sum(one["false"] > 0 for one in lines)
        most = likely_share(wrong, len(lines))[1]
        yield f"\nPictures in which a die is read: {wrong} of {len(lines)}, at most {most:.2%} (95 %)."


def main() -> int:
    """Draw, read and count; 0 always: marks are for people to judge."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.vision_without_dice", description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--scenes", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="the first picture's (default %(default)s)")
    parser.add_argument("--again", action="store_true", help="read those anew where something was found")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    chosen.out.mkdir(parents=True, exist_ok=True)
    index = chosen.out / "index.jsonl"
    lines = [json.loads(line) for line in index.read_text().splitlines()] if index.is_file() else []
    seeds = range(chosen.seed, chosen.seed + chosen.scenes)
    lines = [one for one in lines if one["seed"] in seeds]
    reader = load_reader()
    if chosen.again:
        found = [one for one in lines if one["false"] or one["questions"]]
        lines = [one for one in lines if one not in found] + [read_anew(reader, one["seed"])[0] for one in found]
    else:
        for seed in sorted(set(seeds) - {one["seed"] for one in lines}):
            line, picture = read_anew(reader, seed)
            if line["false"] or line["questions"]:
                cv2.imwrite(str(chosen.out / f"{seed}.png"), picture)
            with index.open("a") as file:
                file.write(json.dumps(line) + "\n")
            lines.append(line)
    sys.stdout.write(f"Seeds {seeds.start} to {seeds.stop - 1}.\n\n" + "\n".join(table(lines)) + "\n")
    return 0


def read_anew(reader: PictureReader, seed: int) -> tuple[dict[str, Any], Pixels]:
    """The index's line of the picture of this seed, and the picture."""
    sort, picture = picture_of(seed)
    tally = tallied(reader, picture)
    return {"seed": seed, "sort": sort, "false": tally.false, "questions": tally.questions}, picture


if __name__ == "__main__":
    sys.exit(main())
