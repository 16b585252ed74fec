"""The baselines' lines of the report: what they read of the same pictures, and how long they take."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from statistics import median

import numpy as np
from numpy.typing import NDArray

from rules.dice import DieKind
from tests.bench.baselines.one_shot import MODEL, OneShot, batch_of, decoded, shrunk
from tests.bench.baselines.sift import SiftReader, cut, rendered_references
from tests.vision.photographs import FOLDER, Photograph, photographs, tally
from vision.frames.pictures import load_picture
from vision.ports import Reader
from vision.training.scenes import Scene, scene

Rendered = Callable[[Reader, tuple[DieKind | None, ...], float], dict[str, Counter[str]]]


def one_shot_rows(rendered: Rendered, kinds: tuple[DieKind | None, ...]) -> Iterator[tuple[str, Counter[str]]]:
    """What the one-shot detector reads; nothing where it was not taught."""
    if not MODEL.is_file():
        return
    detector = OneShot.load()
    for kind, count in rendered(detector, kinds, 2.0).items():
        yield f"one-shot detector, rendered trays, camera within 2 degrees, {kind}", count
    by_die: dict[str, Counter[str]] = defaultdict(Counter)
    if (FOLDER / "index.jsonl").is_file():
        for photograph in photographs():
            name = f"one-shot detector, photographs, {photograph.die}, {photograph.view}"
            by_die[name] += tally(photograph, detector.read(load_picture(photograph.file).pixels))
    yield from by_die.items()


def sift_rows(scenes: int) -> Iterator[tuple[str, Counter[str]]]:
    """What SIFT matching reads of d20s whose places it is told."""
    reader = SiftReader.of(rendered_references())
    count: Counter[str] = Counter()
    for seed in range(scenes):
        tray = scene(700_000 + seed, (DieKind.D20,) * 5, lean=2.0)
        for die in tray.dice:
            _count(count, reader.read(cut(tray.picture, die.box)), die.face)
    yield "SIFT, 20 references of other dice, rendered trays, d20", count
    if not (FOLDER / "index.jsonl").is_file():
        return
    d20s = [one for one in photographs() if one.kind is DieKind.D20 and one.value is not None]
    sets = {name: [one for one in d20s if one.die == name] for name in sorted({one.die for one in d20s})}
    full = [name for name, rows in sets.items() if len({row.value for row in rows}) == 20]
    for name, rows in sets.items():
        other = next((one for one in full if one != name), None)
        if other is None:
            continue
        references = SiftReader.of([(int(row.value or 0), _die(row)) for row in sets[other]])
        count = Counter()
        for row in rows:
            _count(count, references.read(_die(row)), row.value)
        yield f"SIFT, references of {other}, photographs, {name}", count


def _die(row: Photograph) -> NDArray[np.uint8]:
    picture = load_picture(row.file).pixels
    return picture if row.box is None else cut(picture, row.box)


def _count(count: Counter[str], told: int | None, true: object) -> None:
    count["dice"] += 1
    count["found"] += 1
    if told is not None:
        count["read"] += 1
        count["right" if told == true else "wrong"] += 1


def times() -> Iterator[tuple[str, float]]:
    """Median milliseconds of each baseline's stages for a picture of 1280x720 with five d20s, one thread."""
    trays: list[Scene] = [scene(800_000 + seed, (DieKind.D20,) * 5) for seed in range(10)]
    if MODEL.is_file():
        detector = OneShot.load()
        yield "one-shot detector: shrink to 640", timed([lambda tray=tray: shrunk(tray.picture) for tray in trays])  # type: ignore[misc]  # a default binds the loop's value
        shown, scale = shrunk(trays[0].picture)
        batch = batch_of(shown[None])

        def forward() -> list[NDArray[np.float32]]:
            detector.network.setInput(batch)
            names = detector.network.getUnconnectedOutLayersNames()
            return [np.asarray(one, np.float32)[0] for one in detector.network.forward(names)]

        answers = sorted(forward(), key=lambda one: -one.shape[1])
        yield "one-shot detector: network", timed([forward] * 10)
        yield "one-shot detector: boxes", timed([lambda: decoded(answers, scale)] * 10)
        whole = [lambda tray=tray: detector.read(tray.picture) for tray in trays]
        yield "one-shot detector: the whole picture", timed(whole)
    reader = SiftReader.of(rendered_references())

    def five(tray: Scene) -> list[int | None]:
        return [reader.read(cut(tray.picture, die.box)) for die in tray.dice]

    yield "SIFT matching: five dice, their places told", timed([lambda tray=tray: five(tray) for tray in trays])  # type: ignore[misc]  # likewise


def timed(calls: Sequence[Callable[[], object]]) -> float:
    """The median of the calls' processor times in milliseconds, after one to warm up: what else runs hardly counts."""
    calls[0]()
    spent = []
    for call in calls:
        start = time.process_time()
        call()
        spent.append(time.process_time() - start)
    return median(spent) * 1000
