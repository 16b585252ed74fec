"""Makes a die's pose exact by comparing the picture round it with the edges that it ought to show.

A network sees a square round the die, turned so that face 0's first corner points to the right, and the same square
with the edges of the solid in its supposed pose. It answers with the move, the growth and the rotation that would bring
the edges onto the die, and with the chance that the supposed pose is that of this solid at all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose.crops import Grey, padded
from vision.pose.geometry import Array, Camera, Pose, Solid, View, cross, focal_for, see, unit

POSE_PIXELS: Final = 64
"""The side of the square that the pose network looks at."""
POSE_REACH: Final = 1.25
"""Half that square's side, in circumradii of the supposed die."""
FIXED: Final = 4
"""Fractional bits of the corners that OpenCV draws."""

PoseSquare = NDArray[np.uint8]
"""Two planes, `POSE_PIXELS` square: the picture and the supposed edges."""


@dataclass(frozen=True)
class Correction:
    """The pose network's correction.

    Moves are in circumradii along the turned square's axes, growth is a logarithm, the rotation a vector (radians) in
    the frame of the line of sight, turned like the square; `likely` is the chance that the solid lies so.
    """

    right: float
    down: float
    growth: float
    rotation: tuple[float, float, float]
    likely: float


def sight_frame(camera: Camera, pose: Pose) -> Array:
    """The frame whose third axis is the line of sight to the die; columns in camera coordinates."""
    focal = focal_for(camera, pose.radius)
    x, y = pose.centre
    ahead = unit(np.array([(x - camera.width / 2) / focal, (y - camera.height / 2) / focal, 1.0]))
    right = unit(np.array([1.0, 0.0, 0.0]) - ahead[0] * ahead)
    return np.column_stack([right, cross(ahead, right), ahead])


def turn_of(frame: Array, pose: Pose) -> float:
    """The angle in the picture (clockwise from the right) of face 0's first corner."""
    first = frame.T @ pose.rotation[:, 0]
    return math.atan2(float(first[1]), float(first[0]))


@dataclass(frozen=True)
class Square:
    """A turned square of the picture, and the map from the picture's pixels into it."""

    picture: Grey
    origin: Array
    into: Array

    def spots(self, points: Array) -> Array:
        """Where points of the picture lie in the square."""
        result: Array = (points - self.origin) @ self.into.T
        return result

    def shown(self, view: View) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
        """The faces that show, and their corners in the square (faces x corners x 2) as OpenCV draws them: `FIXED`."""
        corners = np.round(self.spots(view.points) * (1 << FIXED)).astype(np.int32)
        facing = np.flatnonzero(view.facing > 0)
        return facing, corners[view.solid.corners[facing]]


def cut_square(grey: Grey, centre: tuple[float, float], radius: float, turn: float) -> Square:
    """The square round a die at `centre`, turned by `turn`."""
    reach = POSE_REACH * radius
    wide = reach * 1.45  # a turned square fits into one 1.42 times as wide
    left, top = math.floor(centre[0] - wide), math.floor(centre[1] - wide)
    side = max(2, math.ceil(2 * wide))
    piece = padded(grey, left, top, side, side)
    shrink = min(1.0, POSE_PIXELS * 1.45 / side)
    if shrink < 1.0:
        small = max(2, round(side * shrink))
        shrink = small / side
        piece = np.asarray(cv2.resize(piece, (small, small), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    step = 2 * reach / POSE_PIXELS
    cosine, sine = math.cos(turn) * step, math.sin(turn) * step
    linear = np.array([[cosine, -sine], [sine, cosine]])
    half = (POSE_PIXELS - 1) / 2
    origin = np.array(centre) - linear @ np.array([half, half])
    into_piece = np.column_stack([linear * shrink, (origin - (left, top) + 0.5) * shrink - 0.5])
    size = (POSE_PIXELS, POSE_PIXELS)
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    turned = cv2.warpAffine(piece, into_piece, size, flags=way, borderMode=cv2.BORDER_REPLICATE)
    return Square(np.asarray(turned, dtype=np.uint8), origin, np.linalg.inv(linear))


def pose_square(grey: Grey, view: View, centre: tuple[float, float], radius: float, turn: float) -> PoseSquare:
    """The square round a die at `centre`, turned by `turn`, and the edges of `view` in it; all in pixels of `grey`."""
    square = cut_square(grey, centre, radius, turn)
    edges = np.zeros((POSE_PIXELS, POSE_PIXELS), np.uint8)
    cv2.polylines(edges, [*square.shown(view)[1]], True, 255, 1, cv2.LINE_AA, FIXED)  # noqa: FBT003 - OpenCV's form
    return np.stack([square.picture, edges])


def square_of(grey: Grey, solid: Solid, pose: Pose, camera: Camera) -> PoseSquare:
    """The square of a die in a whole picture."""
    turn = turn_of(sight_frame(camera, pose), pose)
    return pose_square(grey, see(solid, pose, camera), pose.centre, pose.radius, turn)


def batch_of(squares: Sequence[PoseSquare] | NDArray[np.uint8]) -> NDArray[np.float32]:
    """The network's batch: the picture with mean 0 and deviation 1, the edges from 0 to 2."""
    batch = np.array(squares, dtype=np.float32)
    pictures = batch[:, :1]
    pictures -= pictures.mean(axis=(2, 3), keepdims=True)
    pictures /= np.maximum(pictures.std(axis=(2, 3), keepdims=True), 4.0)
    batch[:, 1:] /= 127.5
    return batch


def upright(pose: Pose, up: Array, solid: Solid) -> Pose:
    """The same look of the solid, so described that face 0 is the one nearest to `up`."""
    turns = symmetries(solid)
    heights = np.einsum("i,ij,sj->s", up, pose.rotation, turns[:, :, 2])
    return replace(pose, rotation=pose.rotation @ turns[int(np.argmax(heights))])


def frontal(pose: Pose, camera: Camera, solid: Solid) -> Pose:
    """The same look of the solid, so described that face 0 faces the camera most."""
    return upright(pose, -sight_frame(camera, pose)[:, 2], solid)


def turned_by(rotation: Array) -> Array:
    """The rotation matrix of a rotation vector (radians)."""
    angle = float(np.linalg.norm(rotation))
    if angle < 1e-9:  # noqa: PLR2004 - no axis to speak of
        return np.eye(3)
    x, y, z = rotation / angle
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    result: Array = np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * (cross @ cross)
    return result


def vector_of(matrix: Array) -> Array:
    """The rotation vector (radians) of a rotation matrix by less than a half turn."""
    angle = math.acos(float(np.clip((np.trace(matrix) - 1) / 2, -1, 1)))
    axis = np.array([matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]])
    length = float(np.linalg.norm(axis))
    result: Array = axis * (angle / length) if length > 1e-9 else np.zeros(3)  # noqa: PLR2004 - no turn at all
    return result


def corrected(pose: Pose, correction: Correction, camera: Camera) -> Pose:
    """The pose after the network's correction."""
    frame = sight_frame(camera, pose)
    turn = turn_of(frame, pose)
    right, down = _rotated((correction.right, correction.down), turn)
    moved = pose.moved(right, down, math.exp(correction.growth))
    x, y = _rotated(correction.rotation[:2], turn)
    about = frame @ np.array([x, y, correction.rotation[2]])
    return Pose(moved.centre, moved.radius, turned_by(about) @ pose.rotation)


def difference(true: Pose, supposed: Pose, camera: Camera, solid: Solid) -> tuple[Array, float]:
    """The correction from the supposed to the true pose: move, growth, rotation; and the angle in radians.

    The solid looks the same after each of its symmetries, so that the nearest of them counts.
    """
    frame = sight_frame(camera, supposed)
    turn = turn_of(frame, supposed)
    away = ((true.centre[i] - supposed.centre[i]) / supposed.radius for i in range(2))
    right, down = _rotated((next(away), next(away)), -turn)
    between = np.einsum("ij,sjk,lk->sil", true.rotation, symmetries(solid), supposed.rotation)
    nearest = between[int(np.argmax(np.trace(between, axis1=1, axis2=2)))]
    about = frame.T @ vector_of(nearest)
    x, y = _rotated((float(about[0]), float(about[1])), -turn)
    growth = math.log(true.radius / supposed.radius)
    return np.array([right, down, growth, x, y, float(about[2])]), float(np.linalg.norm(about))


def _rotated(vector: tuple[float, ...], turn: float) -> tuple[float, float]:
    cosine, sine = math.cos(turn), math.sin(turn)
    return cosine * vector[0] - sine * vector[1], sine * vector[0] + cosine * vector[1]


_SYMMETRIES: Final[dict[str, Array]] = {}
"""A cache of each solid's rotations onto itself, by its name."""


def symmetries(solid: Solid) -> Array:
    """The rotations (count, 3, 3) that bring the solid onto itself; the first one is none."""
    if solid.name not in _SYMMETRIES:
        _SYMMETRIES[solid.name] = _symmetries(solid)
    return _SYMMETRIES[solid.name]


def _symmetries(solid: Solid) -> Array:
    frames = []
    for face, members in enumerate(solid.faces):
        for corner in members:
            third = solid.normals[face]
            outwards = solid.vertices[corner] - solid.centres[face]
            first = unit(outwards - (outwards @ third) * third)
            frames.append(np.column_stack([first, np.cross(third, first), third]))
    base = frames[0]
    turns = [frame @ base.T for frame in frames]
    return np.array([turn for turn in turns if _same_solid(solid, turn)])


def _same_solid(solid: Solid, turn: Array) -> bool:
    apart = np.linalg.norm((solid.vertices @ turn.T)[:, None] - solid.vertices[None], axis=2)
    return bool(np.all(apart.min(axis=1) < 1e-6))  # noqa: PLR2004 - rounding
