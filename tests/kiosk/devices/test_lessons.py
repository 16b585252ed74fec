"""What is answered about a die at the table is learnt by the camera, unless it is taken back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kiosk.devices.lessons import Lessons
from kiosk.engine import Committed
from rules.deciding.decision import Command
from rules.dice import DieKind, DieReading, DieState, Reading, SourceKind
from rules.tasks.second_throws import CorrectScoredDie
from rules.tasks.throwing import CorrectDie, DropDie, ReportReading
from rules.undo import Undo
from tests.kiosk.desk import Desk, send
from tests.kiosk.web.test_api import DECLARATION, set_up
from tests.vision.desk.test_workbench import Still
from vision.desk.workbench import Workbench
from vision.ports import Pixels
from vision.read.reader import PictureReader, load_reader
from vision.table.setup import TableSetup
from vision.training.scenes import scene
from vision.watch.watcher import SeenThrow

pytestmark = pytest.mark.usefixtures("known_answers")

LONG = 60.0
"""Seconds: no machine is so slow that a lesson would be learnt before it is taken back."""


class Thrown(Still):
    """An eye that has reported this reading of this picture."""

    def __init__(self, picture: Pixels, reading: Reading) -> None:
        super().__init__(picture, reading.dice)
        self.reading = reading

    def last_throw(self) -> SeenThrow | None:
        return SeenThrow(self.picture, self.dice, self.reading) if self.picture is not None else None


class Table:
    """A table whose camera has seen two d20s and can make out neither; a third thing beside them is none."""

    def __init__(self, desk: Desk, reader: PictureReader, folder: Path, *, grace: float) -> None:
        self.desk = desk
        self.eyes = desk.services.camera_desk
        self.bench = Workbench(reader, folder)
        self.eyes.take_up(self.bench)
        self.told: list[str] = []
        self.learnt = threading.Event()
        self.lessons = Lessons(self.bench, self.hear, grace=grace)
        self.commits: list[Committed] = []
        desk.engine.listen(self.lessons.committed, self.commits.append)
        self.picture = scene(44, (DieKind.D20, DieKind.D20)).picture
        seen = self.bench.read(self.picture)
        self.faces = [die.face or 0 for die in seen]
        assert 0 not in self.faces
        dice = tuple(self.asked(number, die) for number, die in enumerate((*seen, seen[0])))
        reading = Reading("camera:1", SourceKind.CAMERA, dice)
        self.bench.attend(Thrown(self.picture, reading))
        client = desk.client()
        send(client, "declare_task", declaration={"character_id": set_up(client), **DECLARATION})
        self.do(ReportReading(reading=reading))

    @staticmethod
    def asked(number: int, die: DieReading) -> DieReading:
        return replace(die, face=None, state=DieState.DOUBTFUL, picture=f"{number}", guesses=())

    def hear(self, words: str) -> None:
        self.told.append(words)
        if len(self.told) == 2:
            self.learnt.set()

    def do(self, command: Command) -> None:
        self.desk.engine.submit(command, "table")

    def waiting(self) -> list[threading.Timer]:
        return list(self.lessons._waiting)  # noqa: SLF001 - to wait for what does not happen

    def answer(self) -> None:
        """Say what both dice show and, last, that the third is none."""
        for place, face in enumerate(self.faces):
            self.do(CorrectDie(position=place, face=face))
        self.do(DropDie(position=2))
        assert self.desk.engine.present().table.held is None


@pytest.fixture(scope="module")
def reader() -> PictureReader:
    return load_reader()


@pytest.fixture
def desk(reader: PictureReader) -> Iterator[Desk]:
    reader.table = TableSetup()
    with Desk() as made:
        yield made


def test_answers_teach_when_their_throw_counts(desk: Desk, reader: PictureReader, tmp_path: Path) -> None:
    table = Table(desk, reader, tmp_path, grace=0.0)
    table.answer()
    assert table.learnt.wait(20)
    assert [die.name for die in table.eyes.dice()] == ["d20 1", "d20 2"]
    assert table.told[0].startswith("d20 1 was learnt")
    assert all(face in die.faces for face, die in zip(table.faces, table.eyes.dice(), strict=True))
    assert [die.die_id for die in table.bench.read(table.picture)] == [die.die_id for die in table.eyes.dice()]


@pytest.mark.parametrize("taken_back", [Undo(), CorrectScoredDie(position=0, face=7)])
def test_what_is_taken_back_teaches_nothing(
    desk: Desk, reader: PictureReader, tmp_path: Path, taken_back: Command
) -> None:
    table = Table(desk, reader, tmp_path, grace=LONG)
    table.answer()
    (waiting,) = table.waiting()
    table.do(taken_back)
    waiting.join(LONG / 2)
    assert not waiting.is_alive()
    assert table.eyes.dice() == ()
    assert table.told == []


def test_what_is_taken_back_after_another_throw_teaches_nothing_either(
    desk: Desk, reader: PictureReader, tmp_path: Path
) -> None:
    table = Table(desk, reader, tmp_path, grace=LONG)
    table.answer()
    table.lessons.committed(table.commits[-1])  # the same once more is a further throw to it
    both = table.waiting()
    assert len(both) == 2
    table.do(Undo())
    for lesson in both:
        lesson.join(LONG / 2)
        assert not lesson.is_alive()


def test_nothing_is_learnt_after_the_kiosk_was_closed(desk: Desk, reader: PictureReader, tmp_path: Path) -> None:
    table = Table(desk, reader, tmp_path, grace=LONG)
    table.answer()
    (waiting,) = table.waiting()
    table.lessons.close()
    waiting.join(LONG / 2)
    assert not waiting.is_alive()
    table.lessons.committed(table.commits[-1])
    assert table.waiting() == [waiting]
