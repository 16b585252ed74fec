"""What is answered about a die at the table is learnt by the camera, once the throw counts."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from kiosk.desks.lessons import Lessons
from rules.commands import CorrectDie, EnterDice, ReportReading
from rules.dice import DieKind, DieReading, DieState, Reading, SourceKind
from tests.kiosk.desk import Desk, send
from tests.kiosk.test_api import DECLARATION, set_up
from tests.vision.test_workbench import Still
from vision.reader import load_reader
from vision.seams import Pixels
from vision.training.scenes import scene
from vision.watcher import LastThrow
from vision.workbench import Workbench


class Thrown(Still):
    """An eye that has reported this reading of this picture."""

    def __init__(self, picture: Pixels, reading: Reading) -> None:
        super().__init__(picture, reading.dice)
        self.reading = reading

    def last_throw(self) -> LastThrow | None:
        return LastThrow(self.picture, self.dice, self.reading) if self.picture is not None else None


def within(seconds: float, true: Callable[[], bool]) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if true():
            return True
        time.sleep(0.02)
    return true()


def test_an_answer_teaches_when_its_throw_counts(tmp_path: Path) -> None:
    with Desk() as desk:
        bench = Workbench(load_reader(), tmp_path)
        eyes = desk.services.camera_desk
        eyes.take_up(bench)
        desk.engine.listen(Lessons(eyes).committed)
        tray = scene(44, (DieKind.D20, DieKind.D20))
        seen = bench.read(tray.picture)
        faces = [die.face for die in seen]
        assert None not in faces

        def asked(number: int, die: DieReading) -> DieReading:
            return replace(die, face=None, state=DieState.DOUBTFUL, picture=f"{number}", guesses=())

        reading = Reading("camera:1", SourceKind.CAMERA, tuple(asked(n, die) for n, die in enumerate(seen)))
        bench.attend(Thrown(tray.picture, reading))
        client = desk.client()
        declaration = {"character_id": set_up(client), **DECLARATION}
        send(client, "declare_task", declaration=declaration)
        desk.engine.submit(ReportReading(reading=reading), "camera")
        desk.engine.submit(CorrectDie(position=0, face=faces[0] or 1), "table")
        assert not within(0.3, lambda: bool(eyes.dice()))  # the other may be put right yet
        desk.engine.submit(CorrectDie(position=1, face=faces[1] or 1), "table")
        assert within(10, lambda: len(eyes.dice()) == 2)
        assert [die.name for die in eyes.dice()] == ["Die 1, learnt in play", "Die 2, learnt in play"]
        assert all(face in die.faces for face, die in zip(faces, eyes.dice(), strict=True))
        read_again = bench.read(tray.picture)
        assert [die.die_id for die in read_again] == [die.die_id for die in eyes.dice()]

        send(client, "finish_spending")
        send(client, "declare_task", declaration=declaration)
        request = desk.engine.present().table.request
        assert request is not None
        desk.engine.submit(EnterDice(request=request.number, faces=(3, 4)), "table")
        assert not within(0.3, lambda: len(eyes.dice()) > 2)
