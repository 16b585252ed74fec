"""Draws a picture that shows a person what the reader considered, the pose of each die, and what it read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import Box, DieKind, DieReading, DieState
from vision.pose.crops import Grey, face_patch
from vision.pose.geometry import Camera, Pose, cube, icosahedron, see
from vision.pose.posing import Considered
from vision.pose.proposals import Proposal
from vision.read.detection import Detection
from vision.read.ink import with_coloured_ink

Picture = NDArray[np.uint8]
"""A picture in BGR, 0 to 255, that is drawn upon."""

_CONSIDERED: Final = (160, 160, 160)
"""The colour of places that were considered."""
_OTHER: Final = (220, 140, 200)
"""The colour of dice of other kinds."""
_READ: Final = (80, 220, 80)
"""The colour of dice that are read."""
_DOUBTFUL: Final = (40, 170, 255)
"""The colour of doubtful dice."""
_COLOURS: Final = {DieState.READ: _READ, DieState.COCKED: (60, 60, 240)}
"""The colours of the states that have one of their own."""
_PATCH_PIXELS: Final = 96
"""The side of a face as it was read, in pixels."""
_ROW_PIXELS: Final = 132
"""The height of the row that explains one die, in pixels."""
_MOST_ROWS: Final = 20
"""Most dice explained."""
_RIM: Final = tuple((right, down) for right in (-1, 0, 1) for down in (-1, 0, 1) if right or down)
"""The offsets at which letters are first drawn dark, as a rim, in pixels."""
_FITS: Final = 0.5
"""Poses that are all less likely than this are said to fit badly."""
_WONDERED_AT: Final = 0.4
"""The least first impression of a die for which the picture says why it was rejected."""
_LEAST_WIDTH: Final = 960
"""A narrower picture gets a dark margin, so that the words below it have room."""

_LEGEND: Final = (
    "lines: how each die lies; frames: green read, orange doubtful, red cocked; grey rings: looked at; "
    "framed below: the face that is up"
)
"""What the lines and colours mean."""


def draw(
    picture: Picture,
    considered: Considered,
    found: Sequence[Detection],
    readings: Sequence[DieReading],
    camera: Camera,
    *,
    names: Mapping[str, str] | None = None,
    note: str = "",
) -> Picture:
    """The picture with thin grey rings round what was considered, the fitted dice, and a legend of faces below.

    `names` are those of taught dice by their id; `note` is what else is to be said, above the legend.
    """
    shown = picture.copy()
    plain = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    lying = [(icosahedron() if one.solid == "d20" else cube(), one.pose) for one in found if not one.beneath]
    grey = with_coloured_ink(picture, plain, camera, lying)
    for proposal in considered.proposals:
        _ring(shown, proposal.centre, proposal.radius, _CONSIDERED)
    for other in considered.others:
        _ring(shown, other.pose.centre, other.pose.radius, _OTHER)
        corner = (round(other.pose.centre[0] - other.pose.radius), round(other.pose.centre[1] - other.pose.radius))
        _write(shown, f"{other.name}, not read", (max(0, corner[0]), max(14, corner[1])), _OTHER)
    for proposal in considered.proposals:
        why = _why_not(proposal, considered, found)
        if why:
            _write(
                shown,
                why,
                (max(0, round(proposal.centre[0] - proposal.radius)), round(proposal.centre[1])),
                _CONSIDERED,
            )
    for verdict in (one.verdict for one in found if not one.beneath):
        solid = icosahedron() if verdict.kind is DieKind.D20 else cube()
        view = see(solid, verdict.pose, camera)
        for face in np.flatnonzero(view.facing > 0):
            corners = np.round(view.points[list(solid.faces[face])]).astype(np.int32)
            cv2.polylines(shown, [corners], isClosed=True, color=(255, 200, 0), thickness=1, lineType=cv2.LINE_AA)
    for number, reading in enumerate(readings, 1):
        if reading.box is not None:
            colour = _COLOURS.get(reading.state, _DOUBTFUL)
            _frame(shown, reading.box, colour, 2)
            above = (reading.box.x, max(14, reading.box.y - 6))
            _write(shown, f"{number}: {reading.kind} {_face(reading)}", above, colour)
    margin = max(0, _LEAST_WIDTH - shown.shape[1])
    shown = np.asarray(cv2.copyMakeBorder(shown, 0, 0, 0, margin, cv2.BORDER_CONSTANT, value=(28, 28, 28)), np.uint8)
    called = [(names or {}).get(reading.die_id or "", "") for reading in readings]
    rows = [
        _row(grey, f"{number}: {name}, " if name else f"{number}: ", pair, camera, shown.shape[1])
        for number, (name, pair) in enumerate(zip(called, _pairs(found, readings), strict=True), 1)
    ]
    if not rows:
        rows = [_text_row("no dice found; thin grey rings: what was considered", shown.shape[1])]
    noted = [_text_row(words, shown.shape[1]) for words in (note, _LEGEND if readings else "") if words]
    return np.vstack([shown, *noted, *rows[:_MOST_ROWS]])


def _why_not(proposal: Proposal, considered: Considered, found: Sequence[Detection]) -> str:
    """Why a ring that looked like a die at first was rejected; nothing if it is one, or hardly looked like one."""

    def here(pose: Pose) -> bool:
        return math.dist(pose.centre, proposal.centre) < 0.7 * max(pose.radius, proposal.radius)

    known = [one.verdict.pose for one in found] + [one.pose for one in considered.others]
    if proposal.chance < _WONDERED_AT or any(here(pose) for pose in known):
        return ""
    posed = [one for one in considered.places if here(one.pose)]
    if not posed:
        return "no die at a closer look"
    if max(one.posed for one in posed) < _FITS:
        return "like a die, fits no pose"
    return "like a die, shows no face"


def _pairs(found: Sequence[Detection], readings: Sequence[DieReading]) -> list[tuple[Detection | None, DieReading]]:
    return [(found[i] if i < len(found) else None, reading) for i, reading in enumerate(readings)]


def _row(grey: Grey, start: str, pair: tuple[Detection | None, DieReading], camera: Camera, width: int) -> Picture:
    """One die's line: the face taken as up, its neighbours, and the words."""
    one, reading = pair
    verdict = None if one is None or one.beneath else one.verdict
    row = np.full((_ROW_PIXELS, max(width, 4), 3), 28, np.uint8)
    left = 8
    if verdict is not None:
        solid = icosahedron() if verdict.kind is DieKind.D20 else cube()
        view = see(solid, verdict.pose, camera)
        for face in [0, *sorted(solid.neighbours[0], key=lambda one: -view.facing[one])]:
            if left + _PATCH_PIXELS + 4 > width or (face and view.facing[face] < 0.35):  # noqa: PLR2004 - too slanted
                continue
            patch = cv2.resize(face_patch(grey, view, face), (_PATCH_PIXELS, _PATCH_PIXELS))
            row[18 : 18 + _PATCH_PIXELS, left : left + _PATCH_PIXELS] = np.asarray(patch)[..., None]
            if face == 0:
                cv2.rectangle(row, (left, 18), (left + _PATCH_PIXELS, 18 + _PATCH_PIXELS), _READ, 2)
            left += _PATCH_PIXELS + 6
    for index, line in enumerate(words_beside(one, reading, start)):
        _write(row, line, (left + 6, 28 + 23 * index), (230, 230, 230))
    return row


def words_beside(one: Detection | None, reading: DieReading, start: str = "") -> list[str]:
    """The words on a die beside its faces; `reading` is its reported reading."""
    guesses = ", ".join(f"{guess.face} {guess.chance:.0%}" for guess in reading.guesses)
    lines = [
        f"{start}{reading.kind} {reading.state}, {_face(reading)}",
        f"confidence {reading.confidence:.3f}{_of_its_sign(one)}",
        f"guesses {guesses}" if guesses else "no guesses",
    ]
    if one is not None and one.beneath:
        lines.append("hidden in part by other dice")
    elif one is not None:
        if one.reading.state is DieState.DOUBTFUL and reading.state is DieState.READ:
            lines.append("doubtful here, read in other pictures of the same rest")
        elif reading.kinds:
            lines.append("whether it is a d6 or a Challenge Die is open")
        elif one.evidence is not None and reading.state is DieState.DOUBTFUL and not one.evidence.sure():
            lines.append(f"doubtful: {one.evidence.main_doubt()}")
        lines.append(f"face whole and upright {one.verdict.support:.2f}, lean {np.degrees(one.lean):.0f} deg")
    return lines


def _of_its_sign(one: Detection | None) -> str:
    """How much its sides and the dice of its set support a cube's sign as an Effect; empty if they were not used."""
    if one is None or one.verdict.sign_odds is None:
        return ""
    return f"; its sign is an Effect by its set: log odds {one.verdict.sign_odds:+.1f}"


def _text_row(text: str, width: int) -> Picture:
    row = np.full((40, max(width, 4), 3), 28, np.uint8)
    _write(row, text, (8, 26), (230, 230, 230))
    return row


def _face(reading: DieReading) -> str:
    return "?" if reading.face is None else str(reading.face)


def _ring(picture: Picture, centre: tuple[float, float], radius: float, colour: tuple[int, int, int]) -> None:
    cv2.circle(picture, (round(centre[0]), round(centre[1])), max(1, round(radius)), colour, 1, cv2.LINE_AA)


def _frame(picture: Picture, box: Box, colour: tuple[int, int, int], thickness: int) -> None:
    cv2.rectangle(picture, (box.x, box.y), (box.x + box.width, box.y + box.height), colour, thickness)


def _write(picture: Picture, text: str, place: tuple[int, int], colour: tuple[int, int, int]) -> None:
    # A dark rim of the letters themselves: thicker ones are wider, too, in OpenCV 5.
    for right, down in _RIM:
        beside = (place[0] + right, place[1] + down)
        cv2.putText(picture, text, beside, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, 1, cv2.LINE_AA)
