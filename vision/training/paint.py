"""Paints one die into a picture: faces with their lettering, light, gloss, worn edges and a shadow.

Pictures are BGR float32 in 0..255 while they are being painted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose.geometry import Array, Camera, Pose, Solid, View, see, unit
from vision.training.glyphs import TEXTURE_PIXELS, TEXTURE_REACH, Mask

Paint = NDArray[np.float32]
"""A picture while it is painted, in BGR, 0 to 255."""

_FIXED: Final = 4
"""The fractional bits of OpenCV's drawing calls."""
_GREY: Final = np.array([0.114, 0.587, 0.299])
"""The shares of blue, green and red in a grey level (ITU-R BT.601)."""
_OFF_INK: Final = 50.0
"""The least difference of specks from the ink, in grey levels, so that signs stay legible."""
_CLEAR: Final = 0.16
"""The share of clear, smoky or translucent dice."""
_SPECKLED: Final = 0.1
"""The share of dice with speckles or glitter."""
_FAINT: Final = 0.12
"""The share of dice with ink of nearly their own grey."""
_FAINT_LEVELS: Final = (24.0, 60.0)
"""The difference of such ink from the body, in grey levels."""
_ROOM_FOR_LIGHTER: Final = (60.0, 195.0)
"""Bodies below the first grey level have lighter ink, those above the second darker ink."""
_FAR: Final = 0.12
"""Faces that look away from the lens by more than this show through a clear die."""


@dataclass(frozen=True)
class Lettering:
    """What one face carries: a texture, and the corner of the face to which its top points (or edge, on a cube)."""

    texture: Mask
    corner: int


@dataclass(frozen=True)
class Look:
    """A die's material: colours in BGR 0..255, the rest as shares 0..1.

    `clear` is how much of what lies behind it shows through its body, `specks` how much of the body has another colour,
    `glint` how unevenly its ink shines, `relief` how strongly the edges of cut signs are lit on one side and dark on
    the other, and `facets` how clearly a clear body shows its far edges and signs, bent.
    """

    body: tuple[float, float, float]
    ink: tuple[float, float, float]
    marbling: float
    gloss: float
    edges: float
    engraving: float
    roundness: float
    swirl: int
    clear: float = 0.0
    specks: float = 0.0
    glint: float = 0.0
    relief: float = 0.0
    facets: float = 0.0


@dataclass(frozen=True)
class Light:
    """Where the light comes from (unit vector towards it, camera frame), and how much of it comes from everywhere."""

    towards: Array
    ambient: float
    shadow: float


@cache
def _clouds() -> Paint:
    """Smooth noise in -1..1, 512 square, seamless enough for marble and wood."""
    rng = np.random.default_rng(20)
    total = np.zeros((512, 512), np.float32)
    for cells, weight in ((4, 1.0), (8, 0.8), (16, 0.6), (64, 0.4), (128, 0.3)):
        grid = rng.normal(size=(cells, cells)).astype(np.float32)
        total += weight * np.asarray(cv2.resize(grid, (512, 512), interpolation=cv2.INTER_CUBIC), dtype=np.float32)
    result: Paint = np.clip(total / np.abs(total).max() * 1.5, -1, 1).astype(np.float32)
    return result


def clouds(seed: int, height: int, width: int) -> Paint:
    """A piece of smooth noise in -1..1, chosen by `seed`."""
    rng = np.random.default_rng(seed)
    high, wide = min(height, 512), min(width, 512)
    top, left = int(rng.integers(0, 513 - high)), int(rng.integers(0, 513 - wide))
    piece = _clouds()[top : top + high, left : left + wide]
    if (high, wide) != (height, width):
        piece = np.asarray(cv2.resize(piece, (width, height)), dtype=np.float32)
    return piece


def look_at_random(rng: np.random.Generator) -> Look:
    """A material drawn at random, its ink well told from its body."""
    body = rng.uniform(5, 250, 3) if rng.random() < 0.75 else np.full(3, rng.uniform(5, 250))
    grey = float(body @ np.array([0.114, 0.587, 0.299]))
    for _ in range(50):
        ink = np.full(3, rng.uniform(0, 255)) if rng.random() < 0.6 else rng.uniform(0, 255, 3)
        if abs(float(ink @ np.array([0.114, 0.587, 0.299])) - grey) > rng.uniform(35, 130):
            break
    else:
        ink = np.full(3, 250.0 if grey < 128 else 5.0)
    return Look(
        body=(float(body[0]), float(body[1]), float(body[2])),
        ink=(float(ink[0]), float(ink[1]), float(ink[2])),
        marbling=float(rng.choice([0.0, rng.uniform(0.05, 0.5)])),
        gloss=float(rng.uniform(0, 0.7)),
        edges=float(rng.normal(0.05, 0.18)),
        engraving=float(rng.uniform(0, 0.35)),
        roundness=float(rng.uniform(0.02, 0.14)),
        swirl=int(rng.integers(1 << 30)),
    )


def odd_look(look: Look, rng: np.random.Generator) -> Look:
    """The look, or a few times another one of such materials and inks as makers sell besides plain plastic."""
    way = rng.random()
    if way < _CLEAR:
        return replace(look, clear=float(rng.uniform(0.25, 0.95)), marbling=0.0)
    if way < _CLEAR + _SPECKLED:
        return replace(look, specks=float(rng.uniform(0.06, 0.35)))
    if way < _CLEAR + _SPECKLED + _FAINT:
        grey = float(np.array(look.body) @ _GREY)
        lighter = grey < float(rng.uniform(*_ROOM_FOR_LIGHTER))
        step = float(rng.uniform(*_FAINT_LEVELS)) * (1 if lighter else -1)
        shade = np.clip((np.array(look.body) if rng.random() < 0.5 else np.full(3, grey)) + step, 0, 255)
        return replace(look, ink=(float(shade[0]), float(shade[1]), float(shade[2])))
    return look


def light_at_random(rng: np.random.Generator) -> Light:
    """A light somewhere above."""
    towards = unit(np.array([rng.normal(0, 0.7), rng.normal(0, 0.7), -1.0]))
    return Light(towards, ambient=float(rng.uniform(0.35, 0.9)), shadow=float(rng.uniform(0.0, 0.6)))


def paint_die(
    picture: Paint,
    solid: Solid,
    pose: Pose,
    camera: Camera,
    *,
    letters: dict[int, Lettering],
    look: Look,
    light: Light,
    origin: tuple[float, float] = (0.0, 0.0),
) -> View:
    """Paint the die into `picture`, whose upper left pixel is the camera's pixel `origin`; return where it appears."""
    seen = see(solid, pose, camera)
    shift = np.array(origin)
    view = View(solid, seen.points - shift, seen.centres - shift, seen.facing)
    outline = view.outline()
    _cast_shadow(picture, outline, pose, light)
    margin = 4
    low = np.maximum(np.floor(outline.min(axis=0)).astype(int) - margin, 0)
    high = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + margin, [picture.shape[1], picture.shape[0]])
    if np.any(high - low < 2):
        return view
    width, height = (int(value) for value in high - low)
    shade = np.zeros((height, width), np.float32)
    ink = np.zeros((height, width), np.float32)
    turned = solid.normals @ pose.rotation.T
    diffuse = np.clip(turned @ light.towards, 0, 1)
    mirror = np.clip(2 * diffuse * -turned[:, 2] + light.towards[2], 0, 1) ** 6  # the camera is where -z points
    for face in np.flatnonzero(view.facing > 0.02):
        corners = view.points[list(solid.faces[face])] - low
        value = light.ambient + (1 - light.ambient) * float(diffuse[face]) + look.gloss * 0.5 * float(mirror[face])
        cv2.fillConvexPoly(shade, _fixed(corners), value, cv2.LINE_AA, shift=_FIXED)
        lettering = letters.get(int(face))
        if lettering is not None and view.facing[face] > 0.12:
            _letter(ink, lettering, view, int(face), low)
    _wear_edges(shade, view, low, look, pose.radius)
    mask = np.zeros((height, width), np.float32)
    cv2.fillConvexPoly(mask, _fixed(outline - low), 1.0, cv2.LINE_AA, shift=_FIXED)
    rounding = look.roundness * pose.radius
    if rounding > 1:
        mask = np.clip((cv2.GaussianBlur(mask, (0, 0), rounding) - 0.5) * max(2.0, rounding) * 2 + 0.5, 0, 1).astype(
            np.float32
        )
        shade = np.where(shade > 0, shade, light.ambient).astype(np.float32)
        shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), rounding * 0.5), dtype=np.float32)
    ink /= 255.0
    behind = np.asarray(picture[low[1] : high[1], low[0] : high[0]] / np.maximum(shade, 0.3)[..., None], np.float32)
    body = _body(view, low, behind, letters, look=look, radius=pose.radius)
    alpha = ink[..., None]
    colour = body * (1 - alpha) + _ink_colour(look, height, width) * alpha
    if look.engraving:
        step = max(1, round(pose.radius * 0.02))
        colour *= 1 - look.engraving * np.clip(np.roll(ink, step, axis=0) - ink, 0, 1)[..., None]
    if look.relief:
        colour *= _relief(ink, look, light, pose.radius)[..., None]
    colour *= shade[..., None]
    alpha = mask[..., None]
    region = picture[low[1] : high[1], low[0] : high[0]]
    region *= 1 - alpha
    region += np.clip(colour, 0, 255) * alpha
    return view


def _body(
    view: View, low: NDArray[np.int_], behind: Paint, letters: dict[int, Lettering], *, look: Look, radius: float
) -> Paint:
    """The colours of a die's body without its ink and its light, before what lies `behind` it."""
    height, width = behind.shape[:2]
    body = np.empty((height, width, 3), np.float32)
    body[:] = look.body
    if look.marbling:
        body *= (1 + look.marbling * clouds(look.swirl, height, width))[..., None]
    if look.specks:
        _speckle(body, look, radius)
    if look.clear:
        far = np.zeros((height, width), np.float32)
        for face in np.flatnonzero(view.facing < -_FAR):
            if int(face) in letters:
                _letter(far, letters[int(face)], view, int(face), low)
        _see_through(body, behind, far, look, radius)
        if look.facets:
            _bent(body, view, low, far, look=look, radius=radius)
    return body


def _ink_colour(look: Look, height: int, width: int) -> Paint:
    """The ink's colour, at each pixel where it shines unevenly."""
    colour = np.array(look.ink, np.float32)
    if not look.glint:
        return colour
    bright = 1 + look.glint * clouds(look.swirl + 1, height, width)
    return np.asarray(np.clip(colour * bright[..., None], 0, 255), np.float32)


def _relief(ink: Paint, look: Look, light: Light, radius: float) -> Paint:
    """The factor by which the edges of cut signs are lit, those away from the light bright."""
    soft = np.asarray(cv2.GaussianBlur(ink, (0, 0), max(0.5, 0.02 * radius)), np.float32)
    flat = light.towards[:2] / max(0.3, float(np.linalg.norm(light.towards[:2])))
    steep = cv2.Sobel(soft, cv2.CV_32F, 1, 0) * flat[0] + cv2.Sobel(soft, cv2.CV_32F, 0, 1) * flat[1]
    return np.asarray(np.clip(1 - look.relief * steep, 0.3, 2.0), np.float32)


def _speckle(body: Paint, look: Look, radius: float) -> None:
    """Grains of another colour, in place; their size and colour follow from the look."""
    rng = np.random.default_rng(look.swirl)
    height, width = body.shape[:2]
    grain = max(1.0, radius * float(rng.uniform(0.02, 0.12)))
    cells = rng.random((math.ceil(height / grain) + 1, math.ceil(width / grain) + 1)).astype(np.float32)
    there = np.asarray(cv2.resize(cells, (width, height), interpolation=cv2.INTER_CUBIC)) < look.specks
    ink = np.array(look.ink)
    colours = (rng.uniform(0, 255, 3) for _ in range(20))
    body[there] = next((one for one in colours if abs(float((one - ink) @ _GREY)) > _OFF_INK), np.array(look.body))


def _see_through(body: Paint, behind: Paint, far: Paint, look: Look, radius: float) -> None:
    """What lies behind a clear body, and the ink of its far faces, seen from within, in place."""
    rng = np.random.default_rng(look.swirl)
    soft = np.asarray(cv2.GaussianBlur(behind, (0, 0), max(0.6, radius * float(rng.uniform(0.01, 0.15)))), np.float32)
    body += look.clear * (soft - body) * np.float32(rng.uniform(0.6, 1.0))
    shift = np.column_stack([np.eye(2), rng.normal(0, 0.08, 2) * radius])  # light is bent where it leaves the body
    moved = cv2.warpAffine(far / 255, shift, (far.shape[1], far.shape[0]))
    seen = np.asarray(cv2.GaussianBlur(moved, (0, 0), max(0.4, radius * float(rng.uniform(0.01, 0.08)))), np.float32)
    body += (look.clear * float(rng.uniform(0.1, 0.9)) * seen)[..., None] * (np.array(look.ink, np.float32) - body)


def _bent(body: Paint, view: View, low: NDArray[np.int_], far: Paint, *, look: Look, radius: float) -> None:
    """The far edges and the far signs as a clear body shows them: moved, larger or smaller, nearly sharp, in place."""
    rng = np.random.default_rng(look.swirl + 2)
    height, width = body.shape[:2]
    middle = view.points.mean(axis=0) - low
    for _ in range(int(rng.integers(1, 3))):
        grown, moved = float(rng.uniform(0.6, 1.05)), rng.normal(0, 0.12, 2) * radius
        lines = np.zeros((height, width), np.float32)
        for face in np.flatnonzero(view.facing < 0):
            corners = (view.points[list(view.solid.faces[face])] - low - middle) * grown + middle + moved
            cv2.fillConvexPoly(lines, _fixed(corners), float(rng.uniform(-1, 1)), cv2.LINE_AA, shift=_FIXED)
        strength = look.facets * float(rng.uniform(5, 45))
        body += (strength * np.asarray(cv2.GaussianBlur(lines, (0, 0), max(0.4, 0.015 * radius))))[..., None]
        matrix = np.column_stack([np.eye(2) * grown, middle * (1 - grown) + moved])
        signs = np.asarray(cv2.warpAffine(far / 255, matrix, (width, height)), np.float32)
        signs = np.asarray(
            cv2.GaussianBlur(signs, (0, 0), max(0.3, radius * float(rng.uniform(0.005, 0.04)))), np.float32
        )
        ink = np.array(look.ink, np.float32) * float(rng.uniform(0.6, 1.1))
        body += (look.facets * float(rng.uniform(0.3, 1.0)) * signs)[..., None] * (ink - body)
    np.clip(body, 0, 255, out=body)


def _fixed(points: Array) -> NDArray[np.int32]:
    return np.round(points * (1 << _FIXED)).astype(np.int32)


def _cast_shadow(picture: Paint, outline: Array, pose: Pose, light: Light) -> None:
    if light.shadow < 0.02:
        return
    small = 4  # shadows are soft: a quarter of the resolution is enough
    dark = np.zeros((-(-picture.shape[0] // small), -(-picture.shape[1] // small)), np.float32)
    away = -light.towards[:2] / max(0.3, -float(light.towards[2])) * pose.radius * 0.9
    both = np.vstack([outline, outline + away]).astype(np.float32)
    hull = np.asarray(cv2.convexHull(both), dtype=np.float64)[:, 0]
    cv2.fillConvexPoly(dark, _fixed(hull / small), light.shadow, cv2.LINE_AA, shift=_FIXED)
    soft = cv2.GaussianBlur(dark, (0, 0), max(0.6, pose.radius * 0.12 / small))
    box = cv2.boundingRect((hull / small).astype(np.int32))
    reach = 3 + round(pose.radius * 0.4 / small)
    top, left = max(0, box[1] - reach), max(0, box[0] - reach)
    piece = np.asarray(soft, dtype=np.float32)[top : box[1] + box[3] + reach, left : box[0] + box[2] + reach]
    if piece.size == 0:
        return
    rows = slice(top * small, min(picture.shape[0], (top + piece.shape[0]) * small))
    columns = slice(left * small, min(picture.shape[1], (left + piece.shape[1]) * small))
    large = cv2.resize(piece, (piece.shape[1] * small, piece.shape[0] * small))
    picture[rows, columns] *= 1 - large[: rows.stop - rows.start, : columns.stop - columns.start, None]


def _letter(ink: Paint, lettering: Lettering, view: View, face: int, low: NDArray[np.int_]) -> None:
    members = view.solid.faces[face]
    solid = view.solid
    middle = solid.centres[face]
    count = len(members)
    corner = solid.vertices[members[lettering.corner % count]]
    after = solid.vertices[members[(lettering.corner + 1) % count]]
    target = (corner + after) / 2 if count == 4 else corner
    upwards = unit(target - middle)
    right = np.cross(upwards, solid.normals[face])
    edge = float(np.linalg.norm(corner - after)) * (0.8 if count == 5 else 1.0)
    spots = _in_picture(view, face, [upwards, right])
    half = TEXTURE_PIXELS / 2
    scale = edge * TEXTURE_REACH / half
    columns = np.column_stack([spots[1] * scale, -spots[0] * scale])
    offset = view.centres[face] - low - columns @ np.array([half, half])
    matrix = np.column_stack([columns, offset])
    corners = np.array([[0, 0, TEXTURE_PIXELS, TEXTURE_PIXELS], [0, TEXTURE_PIXELS, 0, TEXTURE_PIXELS]])
    spread = columns @ corners + offset[:, None]
    start = np.maximum(np.floor(spread.min(axis=1)).astype(int), 0)
    end = np.minimum(np.ceil(spread.max(axis=1)).astype(int), [ink.shape[1], ink.shape[0]])
    if np.any(end - start < 1):
        return
    matrix[:, 2] -= start
    size = (int(end[0] - start[0]), int(end[1] - start[1]))
    texture = lettering.texture
    if np.sqrt(abs(np.linalg.det(columns))) < 0.5:
        texture = np.asarray(cv2.blur(texture, (3, 3)), dtype=np.uint8)
    warped = cv2.warpAffine(texture, matrix, size, flags=cv2.INTER_LINEAR)
    region = ink[start[1] : end[1], start[0] : end[0]]
    np.maximum(region, warped, out=region)


def _in_picture(view: View, face: int, directions: list[Array]) -> list[Array]:
    """How unit steps along the face appear in the picture, from the pixels of the face's corners."""
    solid = view.solid
    members = list(solid.faces[face])
    middle = solid.centres[face]
    basis = np.column_stack([directions[0], directions[1]])
    flat = (solid.vertices[members] - middle) @ basis
    pixels = view.points[members] - view.centres[face]
    linear, *_ = np.linalg.lstsq(flat, pixels, rcond=None)
    return [linear[0], linear[1]]


def _wear_edges(shade: Paint, view: View, low: NDArray[np.int_], look: Look, radius: float) -> None:
    if abs(look.edges) < 0.03:
        return
    lines = np.zeros_like(shade)
    thickness = max(1, round(radius * 0.03))
    for face in np.flatnonzero(view.facing > 0):
        corners = view.points[list(view.solid.faces[face])] - low
        cv2.polylines(lines, [_fixed(corners)], True, 1.0, thickness, cv2.LINE_AA, _FIXED)  # noqa: FBT003 - OpenCV's form
    shade += look.edges * lines
