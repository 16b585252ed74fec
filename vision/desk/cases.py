"""Misreadings kept as test cases: the picture, and what a person says lies in it.

Each case is two files in one folder, `ID.png` and `ID.json`, so that a case can be viewed, sent and deleted by hand.
The picture is stored without loss: after another lossy coding it might be read differently. Cases whose picture is an
`ID.jpg` are read as well.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rules.dice import Box, DieKind, DieReading, DieState, Face, SourceKind, Symbol, require_face
from vision.errors import PictureError, ReaderError, ReaderFailedError
from vision.frames.kept import read_kept
from vision.frames.pictures import encode_png, load_picture
from vision.ports import Pixels, Reader, look_through
from vision.pose.geometry import Camera
from vision.read.mirror import told_by
from vision.read.readings import same_kind, same_place
from vision.table.folder import keep
from vision.watch.watcher import die_as_json

FOLDER_NAME: Final = "cases"
"""The cases' folder in the data folder."""
MOST: Final = 500
"""Most cases kept; the oldest are deleted first."""
MOST_BYTES: Final = 400_000_000
"""Most bytes of all pictures together; the newest case is kept in any case."""
_FORM: Final = 1
"""The version of a case's file format; other versions are not read."""
_PICTURES: Final = (".png", ".jpg")
"""The file endings of a case's picture; the first is used for writing."""


@dataclass(frozen=True)
class LastCase:
    """The last test case: its throw, its name, and the person's answers by the place of the die."""

    reading_id: str
    name: str
    said: Mapping[int, tuple[DieKind, Face]]


@dataclass(frozen=True)
class Expected:
    """One die as a person describes it."""

    kind: DieKind
    face: Face
    box: Box


@dataclass(frozen=True)
class Case:
    """A picture and what lies in it; dice that are not named are not judged.

    `hfov` is the field of view along its longer side in degrees, None where it was not kept.
    """

    case_id: str
    picture: Path
    expected: tuple[Expected, ...]
    hfov: float | None = None


@dataclass(frozen=True)
class Outcome:
    """How a case's dice are read now: right, wrong (called `read` with another face), asked about, or not seen."""

    case: Case
    right: int
    wrong: int
    asked: int
    missed: int
    lines: tuple[str, ...]


def keep_case(
    folder: Path,
    case_id: str,
    picture: Pixels,
    expected: Sequence[Expected],
    seen: Sequence[DieReading],
    *,
    hfov: float | None = None,
) -> Case:
    """Keep a case; `seen` is what the reader saw, for comparison, with `hfov`. Raises `OSError`."""
    keep(folder / f"{case_id}.png", encode_png(picture))
    rows = [
        {
            "kind": one.kind.value,
            "face": one.face if isinstance(one.face, int) else one.face.value,
            "box": [one.box.x, one.box.y, one.box.width, one.box.height],
        }
        for one in expected
    ]
    told = {"form": _FORM, "expected": rows, "seen": [die_as_json(die) for die in seen], "hfov": hfov}
    keep(folder / f"{case_id}.json", json.dumps(told, indent=1) + "\n")
    _make_room(folder)
    return Case(case_id, folder / f"{case_id}.png", tuple(expected), hfov)


def _make_room(folder: Path) -> None:
    """Delete the oldest cases beyond the limits; the newest one always stays."""
    taken = 0
    newest_first = sorted(folder.glob("*.json"), key=lambda one: one.stat().st_mtime, reverse=True)
    for number, file in enumerate(newest_first):
        picture = _picture_of(file)
        taken += picture.stat().st_size if picture is not None else 0
        if number and (number >= MOST or taken > MOST_BYTES):
            _delete(file)


def _picture_of(file: Path) -> Path | None:
    """The picture of a case; None if it is gone."""
    return next((one for one in map(file.with_suffix, _PICTURES) if one.is_file()), None)


def _delete(file: Path) -> None:
    for suffix in (".json", *_PICTURES):
        file.with_suffix(suffix).unlink(missing_ok=True)


def cases(folder: Path) -> Iterator[Case]:
    """The cases of a folder in the order of their names; other files, and cases without a picture, are skipped."""
    return (one for one in _kept(folder) if isinstance(one, Case))


def broken(folder: Path) -> Iterator[str]:
    """Why cases of a folder cannot be read, a sentence each."""
    return (one for one in _kept(folder) if isinstance(one, str))


def _kept(folder: Path) -> Iterator[Case | str]:
    """Each case, or why it cannot be read, in the order of their names."""
    for file in sorted(folder.glob("*.json")) if folder.is_dir() else []:
        try:
            raw = json.loads(read_kept(file))
            form = raw["form"]
            expected = tuple(_expected(row) for row in raw["expected"]) if form == _FORM else ()
            hfov = None if raw.get("hfov") is None else Camera(1, 1, float(raw["hfov"])).hfov
        except OSError as why:
            yield f"{file}: the test case cannot be read: {why.strerror}"
            continue
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
            yield f"{file}: this is no test case, or a damaged one; move it out of the folder"
            continue
        picture = _picture_of(file)
        if form != _FORM:
            yield f"{file}: the test case was kept by another version of trueroll; bring trueroll up to date"
        elif picture is None:
            yield f"{file}: the picture of the test case is gone; bring it back beside this file, or delete the file"
        else:
            yield Case(file.stem, picture, expected, hfov)


def _expected(row: dict[str, Any]) -> Expected:
    kind = DieKind(row["kind"])
    face = require_face(kind, row["face"] if isinstance(row["face"], int) else Symbol(row["face"]))
    return Expected(kind, face, Box(*(int(side) for side in row["box"])))


def judged(case: Case, reader: Reader) -> Outcome:
    """Read a case anew. A 1 or 2 is right as a d6's and as a Challenge Die's: they count the same (CD-1).

    Raises `PictureError` where its picture cannot be read.
    """
    picture = load_picture(case.picture)
    look_through(reader, case.hfov or picture.hfov)
    dice = told_by(reader, picture.pixels).dice
    right = wrong = asked = missed = 0
    lines = []
    for one in case.expected:
        there = DieReading(one.kind, one.face, 1.0, DieState.READ, SourceKind.CAMERA, box=one.box)
        found = next((die for die in dice if _at(there, die)), None)
        if found is None:
            missed += 1
            told = "missed"
        elif found.state is not DieState.READ:
            asked += 1
            told = found.state.value
        elif found.face == one.face and same_kind(there, found):
            right += 1
            told = "right"
        else:
            wrong += 1
            told = f"wrong: {found.kind} {found.face}"
        lines.append(f"{case.case_id}: {one.kind} {one.face}: {told}")
    return Outcome(case, right, wrong, asked, missed, tuple(lines))


def _at(one: DieReading, other: DieReading) -> bool:
    """Whether two boxes mean the same place: nearly, or by most of their area."""
    if same_place(one, other):
        return True
    if one.box is None or other.box is None:
        return False
    wide = min(one.box.x + one.box.width, other.box.x + other.box.width) - max(one.box.x, other.box.x)
    high = min(one.box.y + one.box.height, other.box.y + other.box.height) - max(one.box.y, other.box.y)
    shared = max(0, wide) * max(0, high)
    return shared > 0.5 * min(one.box.width * one.box.height, other.box.width * other.box.height)


def exported(folder: Path) -> bytes:
    """All cases as a ZIP file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for case in cases(folder):
            for file in (case.picture, case.picture.with_suffix(".json")):
                archive.write(file, file.name)
    return packed.getvalue()


def forget(folder: Path, case_id: str) -> bool:
    """Delete a case; whether there was one."""
    known = next((case for case in cases(folder) if case.case_id == case_id), None)
    if known is None:
        return False
    _delete(known.picture)
    return True


def run_all(folder: Path, reader: Reader) -> Iterator[Outcome | str]:
    """Each case's outcome; for one that cannot be read, why.

    Raises `ReaderError` where the reader itself cannot work, which concerns every case.
    """
    for case in _kept(folder):
        if isinstance(case, str):
            yield case
            continue
        try:
            yield judged(case, reader)
        except PictureError as why:
            yield str(why)
        except ReaderFailedError as why:
            yield _broken(case, why)
        except ReaderError:
            raise
        except Exception as why:  # noqa: BLE001 - one picture that breaks the reader costs itself alone
            yield _broken(case, ReaderFailedError(why))


def _broken(case: Case, why: ReaderFailedError) -> str:
    return f"{case.picture}: the reader failed on a picture ({why.cause})"
