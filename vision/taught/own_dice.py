"""Taught dice: the look of each face, the numbers round it, and its colour.

A die takes a few kilobytes: one small picture of 16 shades for each face that was seen, two where the face looked
different from throw to throw. Kept as one JSON file, which is also what is exported and imported.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rules.dice import FACES, DieKind, Face, Symbol, require_face
from vision.errors import OwnDiceError, OwnDiceFault
from vision.frames.kept import NoFileError, read_kept
from vision.taught.thresholds import LEGIBLE_AFTER, LEGIBLE_SHARE, SAME_LOOK

FILE_NAME: Final = "own-dice.json"
"""The dice's file in the data folder."""
CODE_PIXELS: Final = 24
"""The side of a face's small picture."""
LONGEST_NAME: Final = 40
"""Characters of a taught die's name."""
MOST_DICE: Final = 64
"""Most dice that can be taught; more would make every picture slow."""
LARGEST_FILE: Final = 4 * 1024 * 1024
"""Bytes of the dice's file: `MOST_DICE` with all their faces take a part of them."""
_FORM: Final = 1
"""The version of the file's form: a file of another is not read."""
_BYTES: Final = CODE_PIXELS * CODE_PIXELS // 2
"""The length of a code in the file: half a byte a pixel."""
_SHADES: Final = 2.2
"""Shades for one standard deviation of the face's brightness."""
_LOOKS: Final = 2
"""Looks kept of each face."""
_MOST_COUNTED: Final = 1_000_000
"""The largest count of throws in a file; nobody throws a die more often."""

Code = NDArray[np.float32]
"""A face's small picture, `CODE_PIXELS` square, of mean 0 and deviation 1 (less where it is blank)."""


Colour = tuple[float, float, float]
"""Lightness and hue: L*, a*, b* of OpenCV, 0..255."""


@dataclass(frozen=True, eq=False)
class FaceLook:
    """How one face looked: its small picture, from how many throws that is the mean, and its colour while it was up.

    The colour (as a die's) is that of what covers most of a d20's face, or of a cube's rim (`colours.colour_of`).
    `read_so` says of a cube's face whether the networks read it as the person did, None if unknown.
    """

    face: Face
    code: Code
    count: int = 1
    colour: Colour | None = None
    read_so: bool | None = None


@dataclass(frozen=True, eq=False)
class OwnDie:
    """A die that was taught.

    `looks` are its faces; `rings` the three numbers round a d20's face, counter-clockwise, where they were read;
    `colour` its own, None before the first throw; `alike` in how many of its throws the networks read the upper face as
    the person did.
    """

    die_id: str
    name: str
    kind: DieKind
    looks: tuple[FaceLook, ...] = ()
    rings: Mapping[int, tuple[int, int, int]] = field(default_factory=dict)
    colour: Colour | None = None
    throws: int = 0
    alike: int | None = None

    @property
    def faces(self) -> tuple[Face, ...]:
        """The faces that were seen, in the order of their kind."""
        seen = {look.face for look in self.looks}
        return tuple(face for face in FACES[self.kind] if face in seen)

    @property
    def legible(self) -> bool:
        """Whether the networks can read it, as far as is known; they cannot read Roman numerals and signs."""
        return self.alike is None or self.throws < LEGIBLE_AFTER or self.alike >= LEGIBLE_SHARE * self.throws

    def read_so(self, face: Face) -> bool:
        """Whether the networks read a cube's face as the person did, as far as it was shown."""
        told = [look.read_so for look in self.looks if look.face == face]
        return bool(told) and all(told)

    def with_look(self, face: Face, code: Code, colour: Colour | None = None, *, read_so: bool | None = None) -> OwnDie:
        """The die after another look at one face: a similar look is averaged in, a different one is added."""
        looks = list(self.looks)
        own = [number for number, look in enumerate(looks) if look.face == face]
        alike = [(likeness(looks[number].code, code), number) for number in own]
        best, where = max(alike, default=(0.0, -1))
        if best >= SAME_LOOK or len(own) >= _LOOKS:
            number = where if best >= SAME_LOOK else min(own, key=lambda one: looks[one].count)
            old = looks[number]
            if best >= SAME_LOOK:
                count = min(8, old.count)
                mean = ((old.code * count + code) / (count + 1)).astype(np.float32)
                looks[number] = FaceLook(face, mean, old.count + 1, mixed(old.colour, colour, count), read_so)
            else:
                looks[number] = FaceLook(face, code, colour=colour, read_so=read_so)
        else:
            looks.append(FaceLook(face, code, colour=colour, read_so=read_so))
        return replace(self, looks=tuple(looks))


def mixed(before: Colour | None, new: Colour | None, count: int) -> Colour | None:
    """The mean colour of `count` throws and a new one."""
    if before is None or new is None:
        return before or new
    one, two, three = ((old * count + other) / (count + 1) for old, other in zip(before, new, strict=True))
    return one, two, three


def likeness(one: Code, other: Code) -> float:
    """How alike two faces look: 1 the same, about 0 unlike, also where one of them is blank."""
    apart = float(((one - other) ** 2).sum())
    both = float((one**2).sum() + (other**2).sum())
    return 1 - apart / (both + 0.2 * one.size)


def packed(code: Code) -> str:
    """A code as text, two pixels a byte."""
    shades = (np.clip(np.round(code * _SHADES), -8, 7) + 8).astype(np.uint8).ravel()
    return base64.b64encode((shades[::2] << 4 | shades[1::2]).tobytes()).decode()


def unpacked(text: str) -> Code:
    """The code of a text that `packed` made. Raises `OwnDiceError` for any other."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as why:
        raise OwnDiceError(OwnDiceFault.DAMAGED) from why
    if len(raw) != _BYTES:
        raise OwnDiceError(OwnDiceFault.DAMAGED)
    both = np.frombuffer(raw, np.uint8)
    shades = np.column_stack([both >> 4, both & 15]).astype(np.float32).ravel() - 8
    return (shades / _SHADES).reshape(CODE_PIXELS, CODE_PIXELS).astype(np.float32)


def as_text(dice: Iterable[OwnDie]) -> str:
    """Dice as the text of a file (JSON)."""
    rows = [
        {
            "die_id": die.die_id,
            "name": die.name,
            "kind": die.kind.value,
            "colour": _rounded(die.colour),
            "throws": die.throws,
            "alike": die.alike,
            "rings": {str(number): list(ring) for number, ring in sorted(die.rings.items())},
            "looks": [
                {
                    "face": look.face,
                    "count": look.count,
                    "code": packed(look.code),
                    "colour": _rounded(look.colour),
                    "read_so": look.read_so,
                }
                for look in die.looks
            ],
        }
        for die in dice
    ]
    return json.dumps({"form": _FORM, "dice": rows}, indent=1) + "\n"


def _rounded(colour: Colour | None) -> list[float] | None:
    return None if colour is None else [round(part, 1) for part in colour]


def _colour(row: list[float] | None) -> Colour | None:
    if row is None:
        return None
    lightness, green_red, blue_yellow = (float(part) for part in row[:3])
    if not all(math.isfinite(part) for part in (lightness, green_red, blue_yellow)):
        raise ValueError(row)
    return lightness, green_red, blue_yellow


def _counted(value: object, least: int = 0) -> int:
    """A whole number of throws. Raises `ValueError` for anything else, Infinity and NaN among it."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= _MOST_COUNTED:
        raise ValueError(value)
    return value


def from_text(text: str) -> tuple[OwnDie, ...]:
    """The dice of a file's text. Raises `OwnDiceError` where it is no such file or is damaged."""
    if len(text) > LARGEST_FILE:
        raise OwnDiceError(OwnDiceFault.DAMAGED)
    try:
        raw = json.loads(text)
        if raw["form"] != _FORM:
            raise OwnDiceError(OwnDiceFault.DAMAGED)
        dice = tuple(_die(row) for row in raw["dice"])
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, OverflowError) as why:
        raise OwnDiceError(OwnDiceFault.DAMAGED) from why
    if len(dice) > MOST_DICE or len({die.die_id for die in dice}) < len(dice):
        raise OwnDiceError(OwnDiceFault.DAMAGED)
    return dice


def _die(row: Mapping[str, Any]) -> OwnDie:
    kind = DieKind(row["kind"])
    die_id = str(row["die_id"])
    if not (len(die_id) == 8 and set(die_id) <= set("0123456789abcdef")):  # noqa: PLR2004 - four bytes, as all ids
        raise ValueError(die_id)
    looks = []
    for look in row["looks"][: len(FACES[kind]) * _LOOKS]:
        face = look["face"] if isinstance(look["face"], int) else Symbol(look["face"])
        count, shade, read_so = _counted(look["count"], 1), _colour(look.get("colour")), look.get("read_so")
        if read_so is not None and not isinstance(read_so, bool):
            raise ValueError(read_so)
        looks.append(FaceLook(require_face(kind, face), unpacked(look["code"]), count, shade, read_so))
    rings: dict[int, tuple[int, int, int]] = {}
    for number, ring in row["rings"].items():
        one, two, three = (int(require_face(DieKind.D20, int(other))) for other in ring)
        rings[int(require_face(DieKind.D20, int(number)))] = (one, two, three)
    alike = None if row.get("alike") is None else _counted(row["alike"])
    return OwnDie(
        die_id,
        checked_name(str(row["name"])),
        kind,
        tuple(looks),
        rings,
        _colour(row["colour"]),
        _counted(row["throws"]),
        alike,
    )


def checked_name(name: str) -> str:
    """A die's name without superfluous spaces. Raises `OwnDiceError` for an empty one or one too long."""
    bare = " ".join(name.split())
    if not bare or len(bare) > LONGEST_NAME or not bare.isprintable():
        raise OwnDiceError(OwnDiceFault.NAME)
    return bare


def load_dice(file: Path) -> tuple[OwnDie, ...]:
    """The dice kept in `file`; none where there is no such file. Raises `OwnDiceError` for a damaged one."""
    try:
        if file.is_file() and file.stat().st_size > LARGEST_FILE:
            raise OwnDiceError(OwnDiceFault.DAMAGED)
        return from_text(read_kept(file).decode())
    except FileNotFoundError:
        return ()
    except NoFileError as why:
        raise OwnDiceError(OwnDiceFault.NO_FILE) from why
    except (OSError, UnicodeDecodeError) as why:
        raise OwnDiceError(OwnDiceFault.DAMAGED) from why
