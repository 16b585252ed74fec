"""`python -m tests.bench.evening`: what a table is asked in an evening with six dice that the reader never saw.

Each table has three d20s and three Challenge Dice of its own, one cloth, one lamp and one camera that stands still.
Its throws are watched in order, as the kiosk watches them: pictures come to rest, what is doubtful is looked at in two
further pictures of the same rest, the camera's memory grows, and a person answers each question truly. What the answers
teach counts from the next throw on. `BUILT` are the seeds with which the memory was built; `HELD_OUT` tuned nothing.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from rules.dice import DieKind, DieReading, DieState, Face, Reading, SourceKind, Symbol, as_challenge_face
from vision.desk.workbench import Workbench
from vision.errors import VisionError
from vision.frames.settling import SettleSettings
from vision.ports import Frame, Pixels
from vision.pose.geometry import Array, Camera, Pose, common_layout, cube, icosahedron, lying, tilted
from vision.pose.refinement import symmetries
from vision.read.reader import PictureReader, load_reader
from vision.training.glyphs import Fonts, Hand, Mask, challenge_number, effect, numeral, pips
from vision.training.paint import Lettering, Light, Look, light_at_random, look_at_random, odd_look, paint_die
from vision.training.pictograms import framed, picture
from vision.training.scenes import finish
from vision.training.scenes import tray as cloth
from vision.training.throws import FULL_TURN, PaintedDie, readable_look
from vision.training.weather import weathered
from vision.watch.throws import EventKind, ThrowEvent, ThrowTracker
from vision.watch.watcher import SeenThrow

BUILT: Final = (61_000, 61_001, 61_002)
"""The tables that the memory was built with."""
HELD_OUT: Final = (62_000, 62_001, 62_002)
"""Tables that tuned nothing: they are looked at once a change is done."""
THROWS: Final = 20
SIZE: Final = (1280, 720)
FRAMES: Final = 6
"""Pictures of each throw at rest, each with noise of its own."""
APART: Final = 0.1
"""Seconds between two of them."""
LEAN: Final = 3.0
"""Degrees by which cameras lean, to the right and downwards (standard deviation)."""
LEGIBLE: Final = 40.0
"""Grey levels by which ink and body differ at least: a person reads it."""
NEAR: Final = 0.4
"""The distance from a die, in radii, within which a reading belongs to it."""
COLUMNS: Final = ("dice", "questions", "called", "wrong", "missed", "no die", "first half", "second half")


@dataclass(frozen=True, eq=False)
class Owned:
    """A die with everything that stays the same from throw to throw."""

    die: PaintedDie
    look: Look


@dataclass(frozen=True, eq=False)
class Table:
    """Six dice under one camera and one lamp."""

    seed: int
    dice: tuple[Owned, ...]
    up: Array
    light: Light
    radius: float


@dataclass(frozen=True, eq=False)
class Truth:
    """Where a die lies and what is up on it."""

    kind: DieKind
    face: Face
    centre: tuple[float, float]
    radius: float


def table(seed: int) -> Table:
    """A table's dice, camera and lamp. The Challenge Dice of every other table are of one set."""
    rng, fonts = np.random.default_rng(seed), Fonts()
    up = tilted(*np.sin(np.radians(rng.normal(0, LEAN, 2))))
    d20s = [Owned(_d20(rng, fonts), _look(rng)) for _ in range(3)]
    challenge = [Owned(_challenge(rng, fonts), _look(rng)) for _ in range(3)]
    if seed % 2:
        challenge = [challenge[0]] * 3
    return Table(seed, (*d20s, *challenge), up, light_at_random(rng), float(rng.uniform(34, 56)))


def _look(rng: np.random.Generator) -> Look:
    return next(look for look in iter(lambda: odd_look(look_at_random(rng), rng), None) if readable_look(look, LEGIBLE))


def _d20(rng: np.random.Generator, fonts: Fonts) -> PaintedDie:
    numbers = list(common_layout(mirrored=bool(rng.random() < 0.3)))
    if rng.random() < 1 / 6:
        rng.shuffle(numbers)
    hand = Hand.chosen(rng, fonts)
    if hand.mark == "none":
        hand = replace(hand, mark="dot")  # nobody could tell a 6 from a 9
    letters = {
        place: Lettering(numeral(fonts, hand, number, marked=number in (6, 9)), int(rng.integers(3)))
        for place, number in enumerate(numbers)
    }
    values: dict[int, Face] = dict(enumerate(numbers))
    return PaintedDie(DieKind.D20, numbers[0], icosahedron(), weathered(letters, rng), values, "numeral")


def _challenge(rng: np.random.Generator, fonts: Fonts) -> PaintedDie:
    hand = Hand.chosen(rng, fonts, cube=True)
    sign: Mask = picture(rng) if rng.random() < 0.5 else effect(hand)
    if rng.random() < 0.3:
        sign = framed(sign, rng)
    way = int(rng.integers(3))
    shown: tuple[Face, ...] = (1, 2, Symbol.BLANK, Symbol.BLANK, Symbol.EFFECT, Symbol.EFFECT)
    letters: dict[int, Lettering] = {}
    for place, value in enumerate(shown):
        if value is Symbol.EFFECT:
            texture = sign
        elif value is Symbol.BLANK:
            continue
        elif way == 0:
            texture = challenge_number(fonts, hand, int(value))
        else:
            texture = numeral(fonts, hand, int(value), marked=False) if way == 1 else pips(hand, int(value))
        letters[place] = Lettering(texture, int(rng.integers(4)))
    values = dict(enumerate(shown))
    return PaintedDie(DieKind.CHALLENGE, shown[0], cube(), weathered(letters, rng), values, "challenge")


def thrown(at: Table, number: int) -> tuple[list[Pixels], list[Truth]]:
    """Pictures of one throw of a table's dice at rest, and how they lie."""
    rng = np.random.default_rng([at.seed, number])
    camera = Camera(*SIZE, 60.0)
    painting = cloth(np.random.default_rng(at.seed), SIZE)
    cv2.rectangle(painting, (36, 36), (SIZE[0] - 36, SIZE[1] - 36), (150.0, 160.0, 170.0), 12)
    ambient = float(np.clip(at.light.ambient + rng.normal(0, 0.03), 0.1, 0.95))
    light = replace(at.light, ambient=ambient)  # a cloud, or somebody who leans over the table
    laid: list[tuple[Owned, Pose]] = []
    truths: list[Truth] = []
    for one in at.dice:
        solid = one.die.solid
        face = int(rng.integers(len(solid.faces)))
        turns = symmetries(solid)
        turn = turns[int(np.argmax(turns[:, 2] @ solid.normals[face]))]
        while True:
            margin = 1.4 * at.radius + 40
            spot = (float(rng.uniform(margin, SIZE[0] - margin)), float(rng.uniform(margin, SIZE[1] - margin)))
            if all(math.dist(spot, pose.centre) > 2.1 * at.radius for _, pose in laid):
                break
        pose = Pose(spot, at.radius, lying(at.up, float(rng.uniform(0, FULL_TURN))) @ turn)
        laid.append((one, pose))
        assert one.die.kind is not None
        truths.append(Truth(one.die.kind, one.die.values[face], spot, at.radius))
    for one, pose in laid:
        paint_die(painting, one.die.solid, pose, camera, letters=one.die.letters, look=one.look, light=light)
    return [finish(painting.copy(), rng) for _ in range(FRAMES)], truths


class _Seen:
    """The eye through which a workbench looks."""

    def __init__(self) -> None:
        self.throw: SeenThrow | None = None

    def newest(self) -> Pixels | None:
        return None if self.throw is None else self.throw.picture

    def last_throw(self) -> SeenThrow | None:
        return self.throw


@dataclass(frozen=True)
class Question:
    """Something that a person was asked, or a die of which nobody was told."""

    throw: int
    truth: Truth | None
    said: DieReading | None
    cause: str
    learnt: bool = False


Asked = Iterator[Question]
"""What is asked of one throw."""


@dataclass(frozen=True)
class Evening:
    """What came of the throws of one table."""

    count: Counter[str]
    questions: tuple[Question, ...]


def evening(reader: PictureReader, at: Table, folder: Path, throws: int = THROWS, *, learn: bool = True) -> Evening:
    """Watch the throws of a table in order with a `reader` that knows nothing of it yet; a person answers truly.

    Where it is not to `learn`, each throw is watched by itself.
    """
    bench = Workbench(reader, folder)
    bench.load()
    eye = bench.attend(_Seen())
    tracker = ThrowTracker(reader, SettleSettings())
    count, questions = Counter[str](), list[Question]()
    index = 0
    for number in range(throws):
        if not learn:
            reader.memory = None
        frames, truths = thrown(at, number)
        told: ThrowEvent | None = None
        for place, image in enumerate(frames):
            frame = Frame(image, index, number * 30.0 + place * APART, scene=number + 1 if place == 0 else 0)
            index += 1
            for event in tracker.feed(frame):
                told = event if event.kind is EventKind.READING else told
        half = "first half" if number < throws / 2 else "second half"
        asked = list(_judged(number, () if told is None else told.dice, truths, count))
        if told is not None:
            asked = _answered(bench, eye, told, asked, learn=learn)
        count[half] += sum(one.said is not None for one in asked)
        questions += asked
    count["questions"] = count["first half"] + count["second half"]
    return Evening(count, tuple(questions))


def _judged(number: int, dice: Sequence[DieReading], truths: Sequence[Truth], count: Counter[str]) -> Asked:
    """The questions about a throw; calls are counted."""
    left = list(dice)
    for true in truths:
        count["dice"] += 1
        near = [one for one in left if _apart(one, true.centre) < NEAR * true.radius]
        if not near:
            count["missed"] += 1
            yield Question(number, true, None, "not found")
            continue
        die = min(near, key=lambda one: _apart(one, true.centre))
        left.remove(die)
        if die.state is DieState.READ:
            count["called"] += 1
            count["wrong"] += not same(die, true)
            if not same(die, true):
                yield Question(number, true, None, f"read wrongly as {die.face}")
        else:
            yield Question(number, true, die, "")
    for die in left:
        if die.state is DieState.READ:
            count["wrong"] += 1
            yield Question(number, None, None, f"no die, read as {die.face}")
        else:
            count["no die"] += 1
            yield Question(number, None, die, "no die")


def same(die: DieReading, true: Truth) -> bool:
    """Whether a die that was read shows what it shows, as the table counts it (CD-1)."""
    if die.face is None or (die.kind is DieKind.D20) is not (true.kind is DieKind.D20):
        return False
    if true.kind is DieKind.D20:
        return die.face == true.face
    return as_challenge_face(die.kind, die.face) == as_challenge_face(true.kind, true.face)


def _apart(die: DieReading, spot: tuple[float, float]) -> float:
    if die.box is None:
        return math.inf
    return math.dist((die.box.x + die.box.width / 2, die.box.y + die.box.height / 2), spot)


def _answered(
    bench: Workbench, eye: _Seen, told: ThrowEvent, asked: Sequence[Question], *, learn: bool
) -> list[Question]:
    """The questions with their causes, once the person has answered them."""
    keyed = tuple(replace(die, picture=f"{told.frame.index}-{place}") for place, die in enumerate(told.dice))
    reading = Reading(str(told.frame.index), SourceKind.CAMERA, keyed)
    eye.throw = SeenThrow(told.frame.image, told.dice, reading, reader=told.reader)
    result = []
    for one in asked:
        if one.said is None or one.truth is None:
            result.append(one)
            continue
        cause, learnt = _cause(told, one.said), False
        place = told.dice.index(one.said)
        if learn:
            try:
                kept = bench.learn_answer(eye.throw, f"{told.frame.index}-{place}", one.truth.kind, one.truth.face)
                learnt = kept is not None
            except VisionError as why:
                cause += f" ({type(why).__name__})"
        result.append(replace(one, cause=cause, learnt=learnt))
    return result


def _cause(told: ThrowEvent, die: DieReading) -> str:
    """Why a die was asked about, in words."""
    if die.state is DieState.COCKED:
        return "called cocked"
    if not isinstance(told.reader, PictureReader):
        return ""
    seen = told.reader.look_at_its_size(told.frame.image)
    near = [one for one, given in zip(seen.found, seen.readings, strict=True) if given.box == die.box]
    evidence = near[0].evidence if near else None
    return (evidence.main_doubt() or "sure by now") if evidence is not None else "partly hidden"


def report(
    reader: PictureReader, seeds: Sequence[int], throws: int = THROWS, *, learn: bool = True, closely: bool = False
) -> Iterator[str]:
    """The table as lines of Markdown; `closely` names each question."""
    yield "| an evening | " + " | ".join(COLUMNS) + " |"
    yield "|---" * (len(COLUMNS) + 1) + "|"
    whole, causes = Counter[str](), Counter[str]()
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            told = evening(PictureReader(reader.networks), table(seed), Path(folder), throws, learn=learn)
        whole += told.count
        causes.update(f"{'no die' if one.truth is None else one.truth.kind}: {one.cause}" for one in told.questions)
        yield f"| table {seed} | " + " | ".join(str(told.count[column]) for column in COLUMNS) + " |"
        if closely:
            yield from (f"  {_in_words(one)}" for one in told.questions)
    yield "| all | " + " | ".join(str(whole[column]) for column in COLUMNS) + " |"
    yield ""
    yield "| why | times |"
    yield "|---|---|"
    yield from (f"| {cause} | {times} |" for cause, times in causes.most_common())


def taught_report(
    reader: PictureReader, seeds: Sequence[int], lessons: int = 10, throws: int = 10, *, closely: bool = False
) -> Iterator[str]:
    """The effect of teaching: each die is taught from a number of throws, then others are read without and with
    that."""
    names = ("dice", "called before", "wrong before", "called after", "wrong after", "lost")
    yield f"| after {lessons} lessons a die | " + " | ".join(names) + " |"
    yield "|---" * (len(names) + 1) + "|"
    whole = Counter[str]()
    for seed in seeds:
        at, count = table(seed), Counter[str]()
        taught, plain = PictureReader(reader.networks), PictureReader(reader.networks)
        lines: list[str] = []
        with tempfile.TemporaryDirectory() as folder:
            _teach(Workbench(taught, Path(folder)), taught, at, lessons)
        for number in range(lessons, lessons + throws):
            (picture, *_), truths = thrown(at, number)
            before, after = Counter[str](), Counter[str]()
            first = list(_judged(number, plain.read(picture), truths, before))
            again = list(_judged(number, taught.read(picture), truths, after))
            asked = {id(one.truth) for one in first}
            new = [one for one in again if id(one.truth) not in asked]
            count["dice"] += before["dice"]
            for when, told in (("before", before), ("after", after)):
                count[f"called {when}"] += told["called"]
                count[f"wrong {when}"] += told["wrong"]
            count["lost"] += len(new)
            lines += [f"  {'lost' if one in new else 'still'} {_in_words(one)}" for one in again]
        whole += count
        yield f"| table {seed} | " + " | ".join(str(count[name]) for name in names) + " |"
        yield from lines if closely else ()
    yield "| all | " + " | ".join(str(whole[name]) for name in names) + " |"


def _teach(bench: Workbench, reader: PictureReader, at: Table, lessons: int) -> None:
    """A person names each die that is seen and says what it shows; what is refused is left."""
    eye = bench.attend(_Seen())
    for number in range(lessons):
        (picture, *_), truths = thrown(at, number)
        dice = reader.read(picture)
        eye.throw = SeenThrow(picture, dice, Reading(str(number), SourceKind.CAMERA, dice))
        for each, true in enumerate(truths):
            near = [place for place, die in enumerate(dice) if _apart(die, true.centre) < NEAR * true.radius]
            if near:
                with suppress(VisionError):
                    bench.teach(f"die {each}", near[0], true.kind, true.face, sure=True)


def _in_words(one: Question) -> str:
    truth = "nothing" if one.truth is None else f"{one.truth.kind} {one.truth.face}"
    said = "" if one.said is None else f"{one.said.kind} {one.said.state} {one.said.confidence}"
    guesses = "" if one.said is None else ", ".join(f"{each.face} {each.chance:.2f}" for each in one.said.guesses)
    named = "" if one.said is None or one.said.die_id is None else f" as {one.said.die_id}"
    return f"{one.throw}: {truth}: {said}{named} [{guesses}] {one.cause}{' learnt' if one.learnt else ''}"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.evening", description=__doc__)
    parser.add_argument("--held-out", action="store_true", help="the tables that tuned nothing")
    parser.add_argument("--seeds", type=int, nargs="+", help="tables of these seeds instead")
    parser.add_argument("--throws", type=int, default=THROWS)
    parser.add_argument("--forgetful", action="store_true", help="nothing is learnt from throw to throw")
    parser.add_argument("--taught", action="store_true", help="what teaching each die changes instead")
    parser.add_argument("--closely", action="store_true", help="name each question")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    seeds = chosen.seeds or (HELD_OUT if chosen.held_out else BUILT)
    sys.stdout.write(f"Tables {', '.join(str(seed) for seed in seeds)}, {chosen.throws} throws each.\n\n")
    reader = load_reader()
    lines = (
        taught_report(reader, seeds, closely=chosen.closely)
        if chosen.taught
        else report(reader, seeds, chosen.throws, learn=not chosen.forgetful, closely=chosen.closely)
    )
    for line in lines:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
