"""Dice as solids, cameras as pinholes: where each face of a lying die appears in a picture.

Camera frame: x to the right, y down, z along the optical axis, all in die circumradii. A die's own frame has
its centre at the origin, its circumscribed sphere of radius 1, and the face that is up facing +z.

The face that is up is not the one that looks most frontal: away from the picture's centre the line of sight
leans, and a neighbouring face of a d20 looks more frontal from 20.9 degrees on. `Camera.ray` and an "up" that
defaults to the reversed optical axis (a camera that looks straight down) decide instead.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
"""Numbers of any shape: points, directions, matrices."""

STRAIGHT_UP: Final[tuple[float, float, float]] = (0.0, 0.0, -1.0)
"""The world's "up" for a camera that looks straight down, in the camera frame."""

_NEIGHBOURS_OF_20: Final = (2, 14, 8)
"""The numbers round the 20, clockwise as seen from outside; counter-clockwise on the mirror image."""
_COMMON_NEIGHBOURS: Final[dict[int, tuple[int, int, int]]] = {
    1: (7, 19, 13),
    2: (12, 18, 20),
    3: (16, 17, 19),
    4: (11, 14, 18),
    5: (13, 15, 18),
    6: (9, 14, 16),
    7: (1, 15, 17),
    8: (10, 16, 20),
    9: (6, 11, 19),
    10: (8, 12, 17),
    11: (4, 9, 13),
    12: (2, 10, 15),
    13: (1, 5, 11),
    14: (4, 6, 20),
    15: (5, 7, 12),
    16: (3, 6, 8),
    17: (3, 7, 10),
    18: (2, 4, 5),
    19: (1, 3, 9),
    20: (2, 8, 14),
}
"""The numbers round each number of the common layout."""


@dataclass(frozen=True)
class Solid:
    """A convex die: vertices on or inside the unit sphere; each face lists vertices counter-clockwise from outside.

    Face 0 faces +z, and its first vertex lies in the +x half of the xz-plane.
    """

    name: str
    vertices: Array
    faces: tuple[tuple[int, ...], ...]

    @cached_property
    def centres(self) -> Array:
        """The middle of each face, one row a face."""
        return np.array([self.vertices[list(face)].mean(axis=0) for face in self.faces])

    @cached_property
    def normals(self) -> Array:
        """The outward unit normal of each face, one row a face."""
        rows = []
        for face in self.faces:
            first, second, third = (self.vertices[face[index]] for index in range(3))
            rows.append(unit(np.cross(second - first, third - first)))
        return np.array(rows)

    @cached_property
    def corners(self) -> NDArray[np.intp]:
        """The vertices of each face, one row a face."""
        return np.array(self.faces, dtype=np.intp)

    @cached_property
    def edge(self) -> float:
        """The length of face 0's first edge, in circumradii."""
        first, second = self.faces[0][:2]
        return float(np.linalg.norm(self.vertices[first] - self.vertices[second]))

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """For each face, the faces that share an edge with it, in the order of its edges."""
        owner = {
            (face[i], face[(i + 1) % len(face)]): number
            for number, face in enumerate(self.faces)
            for i in range(len(face))
        }
        return tuple(tuple(owner[face[(i + 1) % len(face)], face[i]] for i in range(len(face))) for face in self.faces)


USUAL_HFOV: Final = 60.0
"""Degrees along the longer side of a picture, where nothing tells: between most webcams' and most phones' lenses."""


def across(hfov: float, width: int, height: int) -> float:
    """The horizontal field of view of a camera that sees `hfov` degrees along the longer side.

    It is smaller if the camera or phone was held upright.
    """
    if width >= height:
        return hfov
    return 2 * math.degrees(math.atan(math.tan(math.radians(hfov) / 2) * width / height))


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera: picture size in pixels and horizontal field of view in degrees (above 0, below 180)."""

    width: int
    height: int
    hfov: float = USUAL_HFOV

    def __post_init__(self) -> None:
        if not 0.0 < self.hfov < 180.0:  # noqa: PLR2004 - a half circle
            raise ValueError(f"a horizontal field of view of {self.hfov} degrees is not between 0 and 180")

    @property
    def focal(self) -> float:
        """The focal length in pixels."""
        return 0.5 * self.width / math.tan(math.radians(self.hfov) / 2)

    def ray(self, point: tuple[float, float]) -> Array:
        """The unit line of sight through a pixel, away from the camera."""
        return unit(
            np.array([(point[0] - self.width / 2) / self.focal, (point[1] - self.height / 2) / self.focal, 1.0])
        )


@dataclass(frozen=True)
class Pose:
    """Where a die is: its centre's pixel, its circumradius in pixels, and its turn from die to camera frame."""

    centre: tuple[float, float]
    radius: float
    rotation: Array

    def moved(self, right: float, down: float, scale: float = 1.0) -> Pose:
        """The same die moved by fractions of its radius and scaled."""
        x, y = self.centre
        return Pose((x + right * self.radius, y + down * self.radius), self.radius * scale, self.rotation)


@dataclass(frozen=True)
class View:
    """A posed solid as the camera sees it: each vertex's pixel, the visible faces, and how frontal they are (0..1)."""

    solid: Solid
    points: Array
    centres: Array
    facing: Array

    def outline(self) -> Array:
        """The corner pixels of the die's silhouette, in order round it."""
        return convex_hull(self.points)


def unit(vector: Array) -> Array:
    """The vector (one row) scaled to length 1."""
    result: Array = vector / math.sqrt(float(vector @ vector))
    return result


def cross(one: Array, other: Array) -> Array:
    """The cross product of two vectors; NumPy's own takes ten times as long for so few numbers."""
    ax, ay, az = one.tolist()
    bx, by, bz = other.tolist()
    return np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])


def lying(up: Array, spin: float) -> Array:
    """The turn of a die that lies with face 0 towards `up` (unit, camera frame), spun by `spin` radians about it.

    At spin 0 the first vertex of face 0 points to the right in the picture; a growing spin turns it clockwise as seen.
    """
    right = unit(np.array([1.0, 0.0, 0.0]) - up[0] * up)
    ahead = cross(up, right)
    cosine, sine = math.cos(spin), math.sin(spin)
    first = cosine * right - sine * ahead
    return np.column_stack([first, cross(up, first), up])


def tilted(right: float, down: float) -> Array:
    """A unit "up" whose camera-frame x and y are `right` and `down` (the sines of its lean)."""
    length = math.hypot(right, down)
    limit = 0.98
    if length > limit:
        right, down = right * limit / length, down * limit / length
    return np.array([right, down, -math.sqrt(1.0 - right * right - down * down)])


def lean(camera: Camera, centre: tuple[float, float], up: Array) -> tuple[float, float]:
    """How far `up` leans from the line of sight to a die: the sines of the lean, to the right and down."""
    towards = -camera.ray(centre)
    right = unit(np.array([1.0, 0.0, 0.0]) - towards[0] * towards)
    down = cross(right, towards)
    return float(up @ right), float(up @ down)


def focal_for(camera: Camera, radius: float) -> float:
    """The focal length to use for a die of `radius` pixels: a die that fills the picture is a crop, seen from afar."""
    return max(camera.focal, 8.0 * radius)


def see(solid: Solid, pose: Pose, camera: Camera) -> View:
    """Project a posed solid into the picture."""
    focal = focal_for(camera, pose.radius)
    depth = focal / pose.radius
    x, y = pose.centre
    middle = np.array([(x - camera.width / 2) / focal, (y - camera.height / 2) / focal, 1.0]) * depth
    placed = solid.vertices @ pose.rotation.T + middle
    centres = solid.centres @ pose.rotation.T + middle
    sight = -centres / np.linalg.norm(centres, axis=1, keepdims=True)
    facing = np.sum((solid.normals @ pose.rotation.T) * sight, axis=1)
    offset = np.array([camera.width / 2, camera.height / 2])
    return View(
        solid=solid,
        points=placed[:, :2] / placed[:, 2:] * focal + offset,
        centres=centres[:, :2] / centres[:, 2:] * focal + offset,
        facing=facing,
    )


def convex_hull(points: Array) -> Array:
    """The corners of the smallest convex polygon round the points, in order."""
    order = sorted(map(tuple, points.tolist()))

    def half(sequence: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
        chain: list[tuple[float, ...]] = []
        for point in sequence:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        return chain[:-1]

    return np.array(half(order) + half(order[::-1]))


def _turn(first: tuple[float, ...], second: tuple[float, ...], third: tuple[float, ...]) -> float:
    return (second[0] - first[0]) * (third[1] - first[1]) - (second[1] - first[1]) * (third[0] - first[0])


def solid_from_vertices(name: str, vertices: Array, up: int = 0) -> Solid:
    """The convex solid of these corners, turned so that one of its faces (`up` counts them) faces +z."""
    vertices = vertices / np.max(np.linalg.norm(vertices, axis=1))
    faces: dict[tuple[int, ...], tuple[int, ...]] = {}
    for triple in combinations(range(len(vertices)), 3):
        first, second, third = vertices[list(triple)]
        normal = np.cross(second - first, third - first)
        if np.linalg.norm(normal) < 1e-9:  # noqa: PLR2004 - three corners on one line span no plane
            continue
        normal = unit(normal)
        height = float(normal @ first)
        if height < 0:
            normal, height = -normal, -height
        if np.all(vertices @ normal <= height + 1e-6):
            members = np.flatnonzero(vertices @ normal > height - 1e-6)
            faces.setdefault(tuple(members.tolist()), _around(vertices, members, normal))
    ordered = list(faces.values())
    ordered = [ordered[up], *ordered[:up], *ordered[up + 1 :]]
    top = list(ordered[0])
    axis = unit(np.cross(vertices[top[1]] - vertices[top[0]], vertices[top[2]] - vertices[top[0]]))
    first = vertices[top[0]] - vertices[top].mean(axis=0)
    first = unit(first - (first @ axis) * axis)
    frame = np.vstack([first, np.cross(axis, first), axis])
    return Solid(name, vertices @ frame.T, tuple(ordered))


def _around(vertices: Array, members: NDArray[np.intp], normal: Array) -> tuple[int, ...]:
    middle = vertices[members].mean(axis=0)
    first = unit(vertices[members[0]] - middle)
    second = np.cross(normal, first)
    angles = [
        math.atan2(float((vertices[m] - middle) @ second), float((vertices[m] - middle) @ first)) for m in members
    ]
    return tuple(int(members[i]) for i in np.argsort(angles))


@cache
def icosahedron() -> Solid:
    """The d20."""
    golden = (1 + math.sqrt(5)) / 2
    corners = [
        corner for a in (-1.0, 1.0) for b in (-golden, golden) for corner in ((0.0, a, b), (a, b, 0.0), (b, 0.0, a))
    ]
    return solid_from_vertices("d20", np.array(corners))


@cache
def cube() -> Solid:
    """The d6 and the Challenge Die."""
    return solid_from_vertices("cube", np.array([[x, y, z] for x in (-1.0, 1) for y in (-1.0, 1) for z in (-1.0, 1)]))


@cache
def other_solids() -> tuple[Solid, ...]:
    """Dice that trueroll recognises but does not read: d4, d8, d10, d12."""
    golden = (1 + math.sqrt(5)) / 2
    four = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
    eight = np.vstack([np.eye(3), -np.eye(3)])
    signs = (-1.0, 1.0)
    twelve = [[x, y, z] for x in signs for y in signs for z in signs]
    twelve += [c for a in signs for b in signs for c in ([0, a / golden, b * golden], [a / golden, b * golden, 0])]
    twelve += [[b * golden, 0, a / golden] for a in signs for b in signs]
    # A d10 is a trapezohedron: its kites are flat when the belt's height is (1 - cos 36) / (1 + cos 36) of the tip's.
    turn = math.pi / 5
    belt = (1 - math.cos(turn)) / (1 + math.cos(turn))
    ten = [[math.cos(k * turn), math.sin(k * turn), belt * (-1) ** k] for k in range(10)]
    ten += [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]
    return tuple(
        solid_from_vertices(name, np.array(corners, dtype=np.float64))
        for name, corners in (("d4", four), ("d8", eight), ("d10", ten), ("d12", twelve))
    )


@cache
def common_layout(*, mirrored: bool = False) -> tuple[int, ...]:
    """The number on each face of `icosahedron()` in the common layout (or its mirror image), with 20 on face 0."""
    solid = icosahedron()
    wanted = _NEIGHBOURS_OF_20[::-1] if not mirrored else _NEIGHBOURS_OF_20
    start = {0: 20, **dict(zip(solid.neighbours[0], wanted, strict=True))}  # neighbours run counter-clockwise
    numbers = _completed(solid, start)
    return tuple(numbers[face] for face in range(len(solid.faces)))


def _completed(solid: Solid, numbers: dict[int, int]) -> dict[int, int]:
    """Number the remaining faces so that all neighbourhoods agree; empty if that is impossible."""
    if len(numbers) == len(solid.faces):
        return numbers
    face = next(f for f in range(len(solid.faces)) if f not in numbers and set(solid.neighbours[f]) & set(numbers))
    near = [numbers[other] for other in solid.neighbours[face] if other in numbers]
    fits = set.intersection(*(set(_COMMON_NEIGHBOURS[number]) for number in near)) - set(numbers.values())
    for number in sorted(fits):
        done = _completed(solid, {**numbers, face: number})
        if done:
            return done
    return {}


@cache
def opposite(face: int) -> int:
    """The face of `icosahedron()` that lies opposite."""
    normals = icosahedron().normals
    return int(np.argmin(normals @ normals[face]))


@cache
def turns_of_d20() -> NDArray[np.intp]:
    """The 60 rotations of a d20 as face permutations: row r, column f is the face that stands where f stood."""
    solid = icosahedron()
    rows = []
    for face in range(len(solid.faces)):
        for corner in range(3):
            third = unit(solid.normals[face])
            first = unit(solid.vertices[solid.faces[face][corner]] - solid.centres[face])
            frame = np.column_stack([first, np.cross(third, first), third])
            rows.append(np.argmax(solid.normals @ frame @ solid.normals.T, axis=0))
    return np.array(rows)


@cache
def layout_hypotheses() -> NDArray[np.intp]:
    """120 rows: the numbers on the 20 faces for each rotation of the common layout and of its mirror image."""
    turns = turns_of_d20()
    return np.vstack([np.array(common_layout(mirrored=mirrored))[turns] for mirrored in (False, True)])
