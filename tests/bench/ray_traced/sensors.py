"""What a camera makes of light: lens, exposure, colour, grain, its own mending, and a picture of 8 bits."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.bench.ray_traced.looks import Sensor, within
from vision.ports import Pixels

Light = NDArray[np.float32]


def photographed(linear: Light, rng: np.random.Generator) -> Pixels:
    """A plain camera's picture: exposure, white balance, vignette, softness, noise. Leaves BGR."""
    gain = float(rng.uniform(0.55, 0.95)) / _brightest(linear)
    vignette = _vignette(linear, float(rng.uniform(0, 0.3)))
    shown = as_shown(linear[..., ::-1] * gain * vignette * rng.uniform(0.93, 1.07, 3))
    soft = cv2.GaussianBlur(shown, (0, 0), float(rng.uniform(0.4, 1.0)))
    soft = soft + rng.normal(0, float(rng.uniform(0.8, 3.5)), soft.shape)
    result: Pixels = np.clip(soft, 0, 255).astype(np.uint8)
    return result


def as_shown(light: NDArray[np.floating]) -> Light:
    """Linear light from 0 to 1 as grey levels from 0 to 255, by the curve of screens."""
    held = np.clip(light, 0, 1)
    curved = np.where(held <= 0.0031308, 12.92 * held, 1.055 * np.power(np.maximum(held, 1e-6), 1 / 2.4) - 0.055)
    result: Light = (curved * 255).astype(np.float32)
    return result


def sensed(linear: Light, rng: np.random.Generator, sensor: Sensor, size: tuple[int, int]) -> Pixels:
    """The picture (BGR, of this size) that this kind of camera takes; its JPEG is not among it."""
    gain = float(rng.uniform(0.5, 1.0)) / _brightest(linear)
    light = linear[..., ::-1] * gain * _vignette(linear, within(rng, sensor.vignette))
    light = light * rng.uniform(1 - sensor.cast, 1 + sensor.cast, 3)
    if linear.shape[1] != size[0]:
        light = np.asarray(cv2.resize(light, size, interpolation=cv2.INTER_CUBIC))
    coarse = size[0] / 1280
    light = _through(light, _disc(within(rng, sensor.defocus) * coarse))
    light = _through(light, _streak(within(rng, sensor.shake) * coarse, float(rng.uniform(0, math.pi))))
    shown = cv2.GaussianBlur(as_shown(light), (0, 0), within(rng, sensor.soft))
    shown = shown + np.asarray(rng.normal(0, within(rng, sensor.grain), shown.shape), np.float32)
    grey = shown.mean(axis=2, keepdims=True)
    picture = np.clip(grey + (shown - grey) * within(rng, sensor.saturation), 0, 255).astype(np.uint8)
    strength = within(rng, sensor.denoise)
    if strength > 0:
        picture = cv2.bilateralFilter(picture, 5, 40 * strength, 2.0)
    edge = within(rng, sensor.sharpen)
    if edge > 0:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.5)
        picture = cv2.addWeighted(picture, 1 + edge, soft, -edge, 0)
    return np.asarray(picture, dtype=np.uint8)


def _brightest(linear: Light) -> float:
    grey = linear @ np.array([0.299, 0.587, 0.114], np.float32)
    return max(1e-4, float(np.percentile(grey, 97)))


def _vignette(linear: Light, strength: float) -> NDArray[np.floating]:
    height, width = linear.shape[:2]
    across, along = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    result: NDArray[np.floating] = (1 - strength * (across**2 + along**2) / 2)[..., None]
    return result


def _disc(radius: float) -> Light:
    reach = math.ceil(radius)
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    kernel = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _streak(length: float, angle: float) -> Light:
    reach = math.ceil(length / 2)
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for step in np.linspace(-length / 2, length / 2, 41):
        kernel[round(reach + step * math.sin(angle)), round(reach + step * math.cos(angle))] += 1
    return np.asarray(kernel / kernel.sum(), np.float32)


def _through(light: NDArray[np.floating], kernel: Light) -> NDArray[np.floating]:
    return light if kernel.size == 1 else np.asarray(cv2.filter2D(light, -1, kernel))
