"""What hard trays are made of, as data: materials, inks, lamps, tables, layouts, cameras, and the sorts of trays.

Every row says in which parts it is drawn. A part is one of three worlds with seeds, fonts and rows of its own: `dev` to
develop and teach with, `calibrate` to set thresholds with, `blind` to be measured on and never looked into.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from vision.pose.geometry import Array

CELL: Final = 256
"""The side of one face's mask in pixels; a face's middle is the mask's."""
Mask = NDArray[np.uint8]
"""Where a face carries a sign, 0 to 255."""
Span = tuple[float, float]
Colour = tuple[float, float, float]
"""Red, green and blue from 0 to 1, as shown (not linear)."""


class Part(StrEnum):
    """Which of the three worlds a tray is of."""

    DEV = "dev"
    CALIBRATE = "calibrate"
    BLIND = "blind"


FIRST_SEED: Final = {Part.DEV: 1, Part.CALIBRATE: 500_000, Part.BLIND: 900_000}
EVERY: Final = frozenset(Part)
UNSEEN: Final = frozenset({Part.CALIBRATE, Part.BLIND})
TAUGHT: Final = frozenset({Part.DEV, Part.CALIBRATE})
HELD_BACK: Final = frozenset({Part.BLIND})


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of a table: where it is drawn, and how often (`usual`) where a sort of trays asks for no row by name."""

    name: str
    parts: frozenset[Part] = EVERY
    usual: float = 1.0


RowT = TypeVar("RowT", bound=Row)


class Pattern(StrEnum):
    """What a body has besides one colour."""

    PLAIN = "plain"
    MARBLE = "marble"
    SWIRL = "swirl"
    SPECKS = "specks"
    FLAKES = "flakes"
    LAYERS = "layers"
    RINGS = "rings"
    SCRATCHES = "scratches"


class Palette(StrEnum):
    """Where a body's colour comes from."""

    ANY = "any"
    METAL = "metal"
    GEM = "gem"
    SMOKE = "smoke"
    WOOD = "wood"


PALETTES: Final[dict[Palette, tuple[Colour, ...]]] = {
    Palette.METAL: (
        (0.78, 0.78, 0.80),
        (0.55, 0.56, 0.58),
        (0.92, 0.76, 0.42),
        (0.85, 0.55, 0.42),
        (0.30, 0.31, 0.33),
        (0.25, 0.38, 0.70),
        (0.65, 0.20, 0.22),
        (0.30, 0.55, 0.35),
    ),
    Palette.GEM: (
        (0.95, 0.95, 0.97),
        (0.90, 0.25, 0.25),
        (0.25, 0.45, 0.90),
        (0.25, 0.75, 0.40),
        (0.90, 0.65, 0.20),
        (0.60, 0.30, 0.80),
        (0.95, 0.55, 0.75),
        (0.30, 0.80, 0.85),
    ),
    Palette.SMOKE: ((0.55, 0.55, 0.55), (0.45, 0.42, 0.40), (0.40, 0.44, 0.48)),
    Palette.WOOD: ((0.62, 0.45, 0.28), (0.42, 0.27, 0.17), (0.78, 0.64, 0.45)),
}


@dataclass(frozen=True, kw_only=True)
class Material(Row):
    """What a die is made of.

    `clear` is how much light goes through, `swallows` how much of it a centimetre keeps. `grain` is how often the
    pattern comes in a centimetre, `cover` how much of the body it takes.
    """

    palette: Palette = Palette.ANY
    metallic: float = 0.0
    roughness: Span = (0.15, 0.5)
    clear: float = 0.0
    swallows: Span = (0.0, 0.0)
    pattern: Pattern = Pattern.PLAIN
    grain: Span = (1.0, 1.0)
    cover: Span = (0.5, 0.5)
    coat: float = 0.0
    film: float = 0.0
    anisotropic: float = 0.0


MATERIALS: Final = (
    Material(name="matt", roughness=(0.6, 0.95), usual=3),
    Material(name="plastic", usual=5),
    Material(name="gloss", roughness=(0.03, 0.12), coat=1.0, usual=4),
    Material(name="polished metal", palette=Palette.METAL, metallic=1.0, roughness=(0.06, 0.2)),
    Material(
        name="brushed metal",
        palette=Palette.METAL,
        metallic=1.0,
        roughness=(0.28, 0.5),
        anisotropic=0.8,
        pattern=Pattern.SCRATCHES,
        grain=(5, 12),
    ),
    Material(
        name="antique metal",
        parts=HELD_BACK,
        palette=Palette.METAL,
        metallic=0.9,
        roughness=(0.35, 0.6),
        pattern=Pattern.MARBLE,
        grain=(1, 3),
    ),
    Material(name="speckle", pattern=Pattern.SPECKS, grain=(4, 9), cover=(0.15, 0.4)),
    Material(name="granite", parts=HELD_BACK, pattern=Pattern.SPECKS, grain=(9, 16), cover=(0.4, 0.7)),
    Material(name="glitter", pattern=Pattern.FLAKES, grain=(18, 40), cover=(0.2, 0.6), coat=0.6),
    Material(name="marble", pattern=Pattern.MARBLE, grain=(0.6, 2.0), usual=3),
    Material(name="swirl", parts=TAUGHT, pattern=Pattern.SWIRL, grain=(0.4, 1.4), roughness=(0.05, 0.3)),
    Material(name="two-tone", pattern=Pattern.LAYERS, grain=(0.5, 1.5), roughness=(0.05, 0.4)),
    Material(name="pearl", metallic=0.35, roughness=(0.2, 0.4), pattern=Pattern.MARBLE, grain=(1, 3), film=350.0),
    Material(name="wood", parts=HELD_BACK, palette=Palette.WOOD, roughness=(0.5, 0.8), pattern=Pattern.RINGS),
    Material(name="clear", palette=Palette.GEM, clear=1.0, roughness=(0.0, 0.06), swallows=(0.05, 0.5), usual=1.5),
    Material(name="tinted", palette=Palette.GEM, clear=1.0, roughness=(0.0, 0.1), swallows=(0.8, 2.5), usual=1.5),
    Material(name="smoky", palette=Palette.SMOKE, clear=1.0, roughness=(0.0, 0.08), swallows=(0.5, 2.0)),
    Material(name="frosted", parts=UNSEEN, palette=Palette.GEM, clear=1.0, roughness=(0.3, 0.5), swallows=(0.3, 1.5)),
    Material(
        name="clear with glitter",
        parts=UNSEEN,
        palette=Palette.GEM,
        clear=0.95,
        roughness=(0.0, 0.08),
        swallows=(0.2, 1.0),
        pattern=Pattern.FLAKES,
        grain=(10, 22),
        cover=(0.1, 0.3),
    ),
    Material(name="translucent", clear=0.45, roughness=(0.1, 0.4), swallows=(0.5, 1.5)),
)


@dataclass(frozen=True, kw_only=True)
class Ink(Row):
    """What a die's signs are filled with.

    `apart` is how many grey levels lie between ink and body; `metals` are colours of metal to fill with. `worn` is the
    share of the ink that is gone. With neither colour the signs are engraved alone.
    """

    apart: Span | None = None
    metals: tuple[Colour, ...] = ()
    worn: Span = (0.0, 0.0)
    depth: Span = (0.0, 0.6)

    @property
    def engraved(self) -> bool:
        """Whether there is none."""
        return self.apart is None and not self.metals


INKS: Final = (
    Ink(name="painted", apart=(90, 230), usual=10),
    Ink(name="faint", apart=(28, 60)),
    Ink(name="worn", apart=(90, 220), worn=(0.1, 0.3), depth=(0.3, 0.8)),
    Ink(name="engraved", depth=(0.8, 1.3), usual=0.3),
    Ink(name="gold", metals=((0.95, 0.78, 0.40), (0.83, 0.62, 0.25))),
    Ink(name="silver", metals=((0.82, 0.83, 0.85),)),
    Ink(name="copper", parts=HELD_BACK, metals=((0.86, 0.52, 0.36),)),
)


class Stand(StrEnum):
    """Where lamps are."""

    AROUND = "around"
    SIDE = "side"
    CAMERA = "camera"
    RING = "ring"
    LOW = "low"


@dataclass(frozen=True, kw_only=True)
class Lamps(Row):
    """The light of a room: the number of lamps, their size (cm), and the light from the walls (`ambient`)."""

    stand: Stand = Stand.AROUND
    count: tuple[int, int] = (1, 1)
    size: Span = (20, 60)
    tall: float = 1.0
    ambient: Span = (0.2, 0.8)
    colours: tuple[Colour, ...] = ((1.0, 1.0, 1.0), (1.0, 0.86, 0.68), (0.86, 0.93, 1.0))


LAMPS: Final = (
    Lamps(name="soft", count=(1, 3), usual=7),
    Lamps(name="spot", count=(1, 2), size=(0.3, 2.0), ambient=(0.02, 0.12)),
    Lamps(
        name="coloured",
        usual=0.4,
        count=(2, 4),
        size=(2, 15),
        ambient=(0.05, 0.25),
        colours=((1, 0.35, 0.3), (0.35, 0.5, 1), (0.4, 1, 0.5), (1, 0.5, 0.9), (1, 0.8, 0.4), (1, 1, 1)),
    ),
    Lamps(name="window", stand=Stand.SIDE, size=(70, 110), tall=1.4, ambient=(0.05, 0.25), usual=3),
    Lamps(name="flash", stand=Stand.CAMERA, size=(0.4, 0.9), ambient=(0.03, 0.2), usual=0.7),
    Lamps(name="ring", stand=Stand.RING, size=(7, 13), ambient=(0.03, 0.2), usual=0.5),
    Lamps(name="screen", parts=UNSEEN, stand=Stand.SIDE, size=(30, 45), tall=0.6, colours=((0.6, 0.75, 1.0),)),
    Lamps(name="strip", parts=HELD_BACK, count=(1, 2), size=(90, 120), tall=0.03, ambient=(0.1, 0.3)),
    Lamps(
        name="candles",
        parts=HELD_BACK,
        stand=Stand.LOW,
        count=(3, 5),
        size=(0.8, 1.5),
        ambient=(0.02, 0.1),
        colours=((1.0, 0.62, 0.3), (1.0, 0.7, 0.4)),
    ),
)


class Weave(StrEnum):
    """What a table's surface shows."""

    NOISE = "noise"
    WOOD = "wood"
    LEATHER = "leather"
    CHECKS = "checks"
    STRIPES = "stripes"
    BRICKS = "bricks"
    PRINT = "print"


@dataclass(frozen=True, kw_only=True)
class Table(Row):
    """A surface; without `colours` it has any. `spread` is how far the second colour is off the first."""

    weave: Weave = Weave.NOISE
    scale: Span = (0.1, 0.3)
    colours: tuple[Colour, ...] = ()
    spread: Span = (0.9, 1.1)
    roughness: Span = (0.3, 0.9)
    bump: float = 0.0
    sheen: float = 0.0
    coat: float = 0.0
    walls: float = 0.3


TABLES: Final = (
    Table(name="plain", walls=0.3),
    Table(
        name="felt",
        scale=(9, 25),
        colours=((0.1, 0.4, 0.2), (0.12, 0.2, 0.45), (0.5, 0.1, 0.15), (0.3, 0.3, 0.32)),
        spread=(0.7, 1.3),
        roughness=(0.9, 1.0),
        bump=0.4,
        sheen=0.5,
    ),
    Table(
        name="velvet tray",
        scale=(3, 9),
        colours=((0.55, 0.05, 0.1), (0.4, 0.03, 0.12)),
        spread=(0.6, 1.4),
        bump=0.3,
        sheen=1.0,
        walls=0.9,
    ),
    Table(name="black tray", colours=((0.06, 0.06, 0.07), (0.12, 0.12, 0.12)), walls=0.9),
    Table(name="bright white", colours=((0.97, 0.97, 0.97), (0.93, 0.93, 0.9)), spread=(0.98, 1.0), walls=0.1),
    Table(
        name="wood",
        weave=Weave.WOOD,
        scale=(0.2, 0.7),
        colours=((0.55, 0.38, 0.22), (0.38, 0.24, 0.14), (0.72, 0.56, 0.38)),
        spread=(0.6, 0.9),
        coat=0.3,
        walls=0.2,
    ),
    Table(name="leather", weave=Weave.LEATHER, scale=(2, 6), spread=(0.8, 1.1), bump=0.3, walls=0.6),
    Table(name="glossy tray", roughness=(0.03, 0.1), coat=1.0, walls=0.8),
    Table(name="checked cloth", parts=TAUGHT, weave=Weave.CHECKS, scale=(0.4, 1.5), spread=(0.4, 1.8), bump=0.1),
    Table(name="striped cloth", weave=Weave.STRIPES, scale=(0.2, 0.9), spread=(0.3, 2.0)),
    Table(name="printed mat", weave=Weave.PRINT, spread=(0.3, 2.2), walls=0.1, usual=1.5),
    Table(name="brick print", parts=HELD_BACK, weave=Weave.BRICKS, scale=(0.2, 0.6), spread=(0.5, 1.6)),
)


@dataclass(frozen=True, kw_only=True)
class Layout(Row):
    """How dice lie: thrown (`falls`, all on one spot where `heaped`), or laid down flat.

    Those of one `cluster` have so many centimetres between them (`gap`).
    """

    falls: bool = False
    heaped: bool = False
    gap: Span = (0.3, 1.5)
    cluster: tuple[int, int] = (1, 1)
    dice: tuple[int, int] = (6, 11)


LAYOUTS: Final = (
    Layout(name="apart", usual=3),
    Layout(name="thrown", falls=True, usual=2),
    Layout(name="touching", gap=(0.0, 0.03), cluster=(2, 5)),
    Layout(name="crowd", gap=(0.0, 0.4), cluster=(3, 18), dice=(14, 18), usual=0.5),
    Layout(name="heap", falls=True, heaped=True, dice=(8, 13), usual=0.5),
)


@dataclass(frozen=True, kw_only=True)
class Sensor(Row):
    """A camera's ways: blur in pixels, grain in grey levels, what it does against grain, and its JPEG."""

    soft: Span = (0.4, 0.9)
    grain: Span = (0.8, 3.0)
    denoise: Span = (0.0, 0.0)
    sharpen: Span = (0.0, 0.0)
    saturation: Span = (0.9, 1.1)
    jpeg: tuple[int, int] = (85, 96)
    vignette: Span = (0.0, 0.3)
    cast: float = 0.06
    shake: Span = (0.0, 0.0)
    defocus: Span = (0.0, 0.0)


SENSORS: Final = (
    Sensor(name="camera", usual=4),
    Sensor(
        name="phone",
        grain=(3, 9),
        denoise=(0.5, 1.0),
        sharpen=(0.6, 1.8),
        saturation=(1.0, 1.3),
        jpeg=(35, 75),
        usual=2,
    ),
    Sensor(name="webcam", soft=(0.9, 1.6), grain=(3, 8), saturation=(0.5, 0.85), jpeg=(55, 85), cast=0.15, usual=1.5),
    Sensor(name="shaken", shake=(1.5, 4.0), grain=(1, 4), jpeg=(70, 92), usual=0.3),
    Sensor(name="out of focus", defocus=(0.8, 2.2), grain=(1, 4), jpeg=(70, 92), usual=0.4),
)


@dataclass(frozen=True, kw_only=True)
class Frame(Row):
    """A picture's size; `drawn` is the share of it, along each side, that is truly rendered."""

    size: tuple[int, int]
    drawn: float = 1.0


FRAMES: Final = (
    Frame(name="640x360", size=(640, 360), usual=1.5),
    Frame(name="1280x720", size=(1280, 720), drawn=0.85, usual=5),
    Frame(name="1920x1080", size=(1920, 1080), drawn=0.6, usual=3),
    Frame(name="12 Mpx", size=(4032, 3024), drawn=0.3, usual=0.4),
)


@dataclass(frozen=True, kw_only=True)
class Sort:
    """Trays that are hard for one reason: what the sort names is drawn among those rows, all else as usual.

    `radius` is that of a d20 of 20 mm in a picture 1,280 pixels wide.
    """

    name: str
    materials: tuple[str, ...] = ()
    inks: tuple[str, ...] = ()
    lamps: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    layouts: tuple[str, ...] = ()
    sensors: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    radius: Span = (28, 62)
    hfov: Span = (50, 68)
    askew: Span = (0, 7)


METALS: Final = ("polished metal", "brushed metal", "antique metal")
CLEAR: Final = ("clear", "tinted", "smoky", "frosted", "clear with glitter", "translucent")
BUSY: Final = ("speckle", "granite", "glitter", "marble", "swirl", "two-tone", "pearl", "wood")

SORTS: Final = (
    Sort(
        name="plain",
        materials=("matt", "plastic"),
        inks=("painted",),
        lamps=("soft",),
        layouts=("apart",),
        askew=(0, 4),
    ),
    Sort(name="metal", materials=METALS),
    Sort(name="clear", materials=CLEAR),
    Sort(name="busy", materials=BUSY),
    Sort(name="ink", inks=("faint", "worn", "engraved", "gold", "silver", "copper")),
    Sort(
        name="glare",
        materials=("gloss", "polished metal", "pearl", "clear"),
        lamps=("spot", "flash", "ring", "coloured", "strip", "candles"),
    ),
    Sort(name="touching", layouts=("touching",)),
    Sort(name="heap", layouts=("heap",)),
    Sort(name="crowd", layouts=("crowd",), radius=(24, 44)),
    Sort(name="far", radius=(18, 27), frames=("1280x720", "1920x1080")),
    Sort(name="near", radius=(75, 120), frames=("1280x720", "1920x1080", "12 Mpx")),
    Sort(name="askew", askew=(9, 15)),
    Sort(name="wide", hfov=(72, 90)),
    Sort(name="table", tables=("velvet tray", "glossy tray", "checked cloth", "striped cloth", "printed mat", "wood")),
    Sort(name="anything", radius=(18, 110), hfov=(48, 90), askew=(0, 15)),
)


def drawn(rng: np.random.Generator, rows: Sequence[RowT], part: Part, names: Sequence[str] = ()) -> RowT:
    """One of the part's rows: of those named, alike, or where none are named or held, as usual."""
    here = [row for row in rows if part in row.parts]
    named = [row for row in here if row.name in names]
    if named:
        return named[int(rng.integers(len(named)))]
    shares = np.array([row.usual for row in here])
    return here[int(rng.choice(len(here), p=shares / shares.sum()))]


def within(rng: np.random.Generator, span: Span) -> float:
    """A number of the span."""
    return float(rng.uniform(*span))


_FONT_SHARES: Final = {Part.DEV: range(5), Part.CALIBRATE: range(5, 7), Part.BLIND: range(7, 10)}


def fonts_of(part: Part, files: Sequence[Path]) -> list[Path]:
    """The part's own fonts: all cuts of one family go to one part, by the family's name."""
    return [file for file in files if crc32(family(file).encode()) % 10 in _FONT_SHARES[part]]


def family(file: Path) -> str:
    """A font's family by its file's name: the first six letters, before any hyphen and without its cut."""
    return file.stem.split("-")[0].split("_")[0].lower()[:6]


@dataclass(frozen=True)
class Plan:
    """What one tray is made of; `radius` is that of a d20 of 20 mm, in pixels."""

    sort: Sort
    frame: Frame
    lamps: Lamps
    table: Table
    layout: Layout
    sensor: Sensor
    radius: float
    hfov: float
    askew: float


_RADII: Final = (16.0, 120.0)
"""A d20 of 20 mm is no smaller or larger than this in pixels, but in the largest pictures."""
_LARGE: Final = 2000


def planned(rng: np.random.Generator, part: Part, sort: Sort) -> Plan:
    """A tray of this sort in this part."""
    frame = drawn(rng, FRAMES, part, sort.frames)
    wide = frame.size[0]
    radius = within(rng, sort.radius) * wide / 1280
    return Plan(
        sort=sort,
        frame=frame,
        lamps=drawn(rng, LAMPS, part, sort.lamps),
        table=drawn(rng, TABLES, part, sort.tables),
        layout=drawn(rng, LAYOUTS, part, sort.layouts),
        sensor=drawn(rng, SENSORS, part, sort.sensors),
        radius=radius if wide > _LARGE else float(np.clip(radius, *_RADII)),
        hfov=within(rng, sort.hfov),
        askew=within(rng, sort.askew),
    )


@dataclass(frozen=True)
class Finish:
    """One set's material, filled in: colours as shown, and how its edges are."""

    material: Material
    ink: Ink
    body: Colour
    second: Colour
    filled: Colour
    roughness: float
    grain: float
    cover: float
    swallows: float
    depth: float
    bevel: float


_GREY: Final = np.array([0.299, 0.587, 0.114])


def finished(rng: np.random.Generator, material: Material, ink: Ink) -> Finish:
    """A set's finish, drawn from its rows."""
    body, filled = _body_and_ink(rng, material, ink)
    second = body
    for _ in range(20):
        second = np.clip(body * rng.uniform(0.4, 1.9, 3) + rng.uniform(-0.15, 0.15, 3), 0.02, 0.97)
        if material.pattern in {Pattern.SPECKS, Pattern.LAYERS, Pattern.SWIRL}:
            second = rng.uniform(0.03, 0.97, 3)
        if abs(float((second - filled) @ _GREY)) > 0.2:
            break
    return Finish(
        material,
        ink,
        _colour(body),
        _colour(second),
        _colour(filled),
        within(rng, material.roughness),
        within(rng, material.grain),
        within(rng, material.cover),
        within(rng, material.swallows),
        within(rng, ink.depth),
        float(rng.choice([rng.uniform(0.012, 0.04), rng.uniform(0.04, 0.11), rng.uniform(0.11, 0.17)])),
    )


def _body_and_ink(rng: np.random.Generator, material: Material, ink: Ink) -> tuple[Array, Array]:
    while True:
        colours = PALETTES.get(material.palette)
        body = np.array(colours[int(rng.integers(len(colours)))]) if colours else rng.uniform(0.03, 0.97, 3)
        if ink.engraved:
            return body, body * 0.8
        if ink.metals:
            return body, np.array(ink.metals[int(rng.integers(len(ink.metals)))])
        step = within(rng, ink.apart or (90, 230)) / 255 * float(rng.choice([-1, 1]))
        filled = np.full(3, float(body @ _GREY) + step)
        if rng.random() < 0.4:
            filled = filled * rng.uniform(0.6, 1.4, 3)
        filled = np.clip(filled, 0.02, 0.98)
        least, most = ink.apart or (90, 230)
        if least <= abs(float((filled - body) @ _GREY)) * 255 <= most:
            return body, filled


def _colour(values: Array) -> Colour:
    red, green, blue = (float(v) for v in values)
    return red, green, blue


def linear(colour: Colour) -> Colour:
    """A colour as shown, in linear light."""
    red, green, blue = (float(v) ** 2.2 for v in colour)
    return red, green, blue
