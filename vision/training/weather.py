"""Flaws of dice and trays beyond paint: worn ink, highlights, uneven light, swirls, printed mats, haste.

Only teaching uses these; the trays of tests and benches are painted without, so that they stay what they were.
"""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose.geometry import Array, Camera, Pose, Solid, View, focal_for
from vision.training.glyphs import TEXTURE_PIXELS
from vision.training.paint import Lettering, Light, Paint, clouds


def weathered(letters: dict[int, Lettering], rng: np.random.Generator) -> dict[int, Lettering]:
    """The same lettering on all faces thinner or thicker, softer, or with paint rubbed off in spots."""
    way = rng.random()
    if way < 0.45:
        return letters
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    result = {}
    for face, lettering in letters.items():
        texture = lettering.texture
        if way < 0.6:
            texture = np.asarray(cv2.dilate(texture, brush, iterations=1 + int(way < 0.5)), dtype=np.uint8)
        elif way < 0.7:
            texture = np.asarray(cv2.erode(texture, brush), dtype=np.uint8)
        elif way < 0.8:
            outer = np.asarray(cv2.dilate(texture, brush, iterations=2), dtype=np.uint8)
            texture = outer - np.asarray(cv2.erode(texture, brush, iterations=1), dtype=np.uint8)
        else:
            spots = clouds(int(rng.integers(1 << 30)), TEXTURE_PIXELS, TEXTURE_PIXELS)
            kept = np.clip(0.75 + 1.6 * spots + float(rng.uniform(-0.1, 0.3)), 0.15, 1)
            texture = (texture * kept).astype(np.uint8)
        result[face] = replace(lettering, texture=texture)
    return result


def shine(picture: Paint, view: View, radius: float, rng: np.random.Generator) -> None:
    """Swirls in the material, a fall of light across the die and highlights on it, in place."""
    way = rng.random(4)
    if way.min() > 0.35:
        return
    outline = view.outline()
    low = np.maximum(np.floor(outline.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 1, [picture.shape[1], picture.shape[0]])
    width, height = (int(value) for value in high - low)
    if min(width, height) < 4:
        return
    mask = np.zeros((height, width), np.float32)
    cv2.fillConvexPoly(mask, np.round((outline - low) * 16).astype(np.int32), 1.0, cv2.LINE_AA, shift=4)
    region = picture[low[1] : high[1], low[0] : high[0]]
    factor = np.ones((height, width), np.float32)
    if way[0] < 0.3:
        cells = int(rng.integers(1, 4))
        grain = clouds(int(rng.integers(1 << 30)), height * cells, width * cells)
        swirl = np.asarray(cv2.resize(grain, (width, height), interpolation=cv2.INTER_AREA), dtype=np.float32)
        factor *= 1 + float(rng.uniform(0.1, 0.6)) * swirl
    if way[1] < 0.35:
        angle, steep = float(rng.uniform(0, 2 * math.pi)), float(rng.uniform(0.1, 0.6))
        across = np.linspace(-1, 1, width, dtype=np.float32)[None, :] * math.cos(angle)
        along = np.linspace(-1, 1, height, dtype=np.float32)[:, None] * math.sin(angle)
        factor *= np.clip(1 + steep * (across + along), 0.2, 2)
    region *= (1 + (factor - 1) * mask)[..., None]
    added = np.zeros((height, width), np.float32)
    if way[2] < 0.3:
        for _ in range(int(rng.integers(1, 4))):
            spot = (float(rng.uniform(0.15, 0.85)) * width, float(rng.uniform(0.15, 0.85)) * height)
            size = radius * math.exp(float(rng.uniform(math.log(0.04), math.log(0.35))))
            longer = float(rng.uniform(1, 3))
            turn = float(rng.uniform(0, math.pi))
            x, y = np.meshgrid(np.arange(width) - spot[0], np.arange(height) - spot[1])
            first = (x * math.cos(turn) + y * math.sin(turn)) / (size * longer)
            second = (-x * math.sin(turn) + y * math.cos(turn)) / size
            added += float(rng.uniform(30, 220)) * np.exp(-(first**2 + second**2)).astype(np.float32)
    if way[3] < 0.2:
        added += float(rng.uniform(5, 60)) * np.float32(1)  # haze: light that the clear coat sends everywhere
    region += (added * mask)[..., None]
    np.clip(region, 0, 255, out=region)


def standing(
    picture: Paint,
    solid: Solid,
    pose: Pose,
    camera: Camera,
    *,
    up: Array,
    light: Light,
    origin: tuple[float, float],
    rng: np.random.Generator,
) -> None:
    """The shadows of a die that stands on a table with this "up", in place, before the die is painted.

    One polygon for each of many directions that light comes from: of a lamp, and of the room, whose light is missing
    where the die meets the table. They tell where the table is, as shadows of real dice do.
    """
    lamp, room = 8, 24
    ways = np.vstack(
        [
            light.towards + rng.normal(0, float(rng.uniform(0.02, 0.25)), (lamp, 3)),
            up + 1.0 * _on_a_sphere(rng, room),
        ]
    )
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    weights = np.concatenate([np.full(lamp, light.shadow / lamp), np.full(room, float(rng.uniform(0.1, 0.9)) / room)])
    focal = focal_for(camera, pose.radius)
    x, y = pose.centre
    middle = np.array([(x - camera.width / 2) / focal, (y - camera.height / 2) / focal, 1.0]) * (focal / pose.radius)
    turned = solid.vertices @ pose.rotation.T
    heights = turned @ up - (turned @ up).min()
    steep = np.maximum(ways @ up, 0.12)
    cast = turned[None] + middle - ways[:, None, :] * (heights[None, :] / steep[:, None])[..., None]
    shift = np.array([camera.width / 2 - origin[0], camera.height / 2 - origin[1]])
    small = 4  # shadows are soft: a quarter of the resolution is enough
    spots = (cast[..., :2] / cast[..., 2:] * focal + shift) / small
    size = (-(-picture.shape[0] // small), -(-picture.shape[1] // small))
    dark = np.zeros(size, np.float32)
    for one, weight in zip(spots, weights.tolist(), strict=True):
        layer = np.zeros(size, np.uint8)
        hull = cv2.convexHull(np.clip(np.round(one * 16), -30_000, 30_000).astype(np.int32))
        cv2.fillConvexPoly(layer, hull, 255, cv2.LINE_AA, shift=4)
        dark += layer * np.float32(weight / 255)
    soft = cv2.GaussianBlur(dark, (0, 0), max(0.5, pose.radius * 0.03 / small))
    large = cv2.resize(np.asarray(soft), (size[1] * small, size[0] * small))
    picture *= 1 - np.minimum(large[: picture.shape[0], : picture.shape[1], None], 0.95)


def _on_a_sphere(rng: np.random.Generator, count: int) -> Array:
    spots = rng.normal(size=(count, 3))
    result: Array = spots / np.linalg.norm(spots, axis=1, keepdims=True)
    return result


def mirrored(picture: Paint, view: View, rng: np.random.Generator) -> None:
    """Reflections on glossy faces: each face lighter or darker as a whole and from end to end, in place."""
    if rng.random() > 0.4:
        return
    strength = float(rng.uniform(5, 60))
    for face in np.flatnonzero(view.facing > 0):
        corners = view.points[list(view.solid.faces[face])]
        low = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
        high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 1, [picture.shape[1], picture.shape[0]])
        width, height = (int(value) for value in high - low)
        if min(width, height) < 2:
            continue
        mask = np.zeros((height, width), np.float32)
        cv2.fillConvexPoly(mask, np.round((corners - low) * 16).astype(np.int32), 1.0, cv2.LINE_AA, shift=4)
        across = np.linspace(-1, 1, width, dtype=np.float32)[None, :] * float(rng.normal(0, 0.5))
        along = np.linspace(-1, 1, height, dtype=np.float32)[:, None] * float(rng.normal(0, 0.5))
        light = (float(rng.normal(0, 1)) + across + along) * strength
        region = picture[low[1] : high[1], low[0] : high[0]]
        region += (light * mask)[..., None]
        np.clip(region, 0, 255, out=region)


def patterned(picture: Paint, rng: np.random.Generator) -> None:
    """A mat's print on a surface: stripes, squares, dots or writing, faint or strong, in place."""
    height, width = picture.shape[:2]
    way = int(rng.integers(5))
    strength = float(rng.uniform(0.05, 0.6))
    colour = rng.uniform(0, 255, 3).astype(np.float32)
    period = float(rng.uniform(6, 80))
    turn = float(rng.uniform(0, math.pi))
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    first, second = x * math.cos(turn) + y * math.sin(turn), -x * math.sin(turn) + y * math.cos(turn)
    share = float(rng.uniform(0.1, 0.6))
    mask: NDArray[np.float32]
    if way == 0:
        mask = (first % period < share * period).astype(np.float32)
    elif way == 1:
        mask = ((first % period < share * period) ^ (second % period < share * period)).astype(np.float32)
    elif way == 2:
        near = np.hypot(first % period - period / 2, second % period - period / 2)
        mask = (near < share * period * 0.6).astype(np.float32)
    elif way == 3:
        written = np.zeros((height, width), np.uint8)
        for _ in range(int(rng.integers(1, 12))):
            text = "".join(chr(int(rng.integers(33, 91))) for _ in range(int(rng.integers(1, 12))))
            place = (int(rng.integers(-40, width)), int(rng.integers(0, height + 20)))
            size = float(rng.uniform(0.4, 2.5))
            cv2.putText(written, text, place, int(rng.integers(8)), size, 255, int(rng.integers(1, 5)), cv2.LINE_AA)
        mask = (written / 255.0).astype(np.float32)
    else:
        mask = np.clip(clouds(int(rng.integers(1 << 30)), height, width) * float(rng.uniform(2, 8)), 0, 1)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.4, 1.5))), dtype=np.float32)
    picture += (colour - picture) * (strength * mask)[..., None]


def hasty(picture: Paint, rng: np.random.Generator) -> Paint:
    """The picture of a cheap or shaken camera: a smear, or a lens out of focus."""
    if rng.random() < 0.5:
        length = int(rng.integers(2, 6))
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        turn = float(rng.uniform(0, math.pi))
        end = (round(length + length * math.cos(turn) * 0.5), round(length + length * math.sin(turn) * 0.5))
        start = (2 * length - end[0], 2 * length - end[1])
        cv2.line(kernel, start, end, 1.0, 1, cv2.LINE_AA)
        return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), dtype=np.float32)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(1.0, 2.0))), dtype=np.float32)
