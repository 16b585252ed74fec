"""A SNAPSHOT that is lost on the wire: everything is asked for again until it has come."""

from __future__ import annotations

from firmware_bridge.framing import FrameDecoder
from firmware_bridge.messages import Acknowledge, Beat, Snapshot, Tag, decode
from firmware_bridge.session import MOST_IN_VAIN
from firmware_bridge.taught import TaughtDice, TaughtDie
from firmware_bridge.wording import Situation
from rules.dice import DieKind
from tests.firmware_bridge.test_session import DIE, END, HELLO, pass_time, readings, said, session, wire
from tests.firmware_bridge.wire import Wire

RED = TaughtDie("Red", DieKind.D20, tuple(range(1, 21)))
BLUE = TaughtDie("Blue", DieKind.D20, tuple(range(101, 121)))
SNAPSHOT = Snapshot(HELLO.boot_id)


class Losing(Wire):
    """A wire on which the first `left` SNAPSHOTs of the host are lost once it is told so."""

    left = 0

    def _fly(self, data: bytes, *, to_host: bool) -> None:
        messages = [] if to_host else [decode(frame).message for frame in FrameDecoder().feed(data)]
        if self.left and any(isinstance(message, Snapshot) for message in messages):
            self.left -= 1
        else:
            super()._fly(data, to_host=to_host)


def ready(one: Losing) -> Losing:
    one.open()
    assert one.run(30, lambda: one.session.condition.situation is Situation.READY)
    return one


def test_teaching_takes_effect_although_snapshots_are_lost() -> None:
    one = ready(Losing())
    one.tray.throw_tags({0: [5], 2: [107]}, one.now)
    one.run(2)
    one.left = 3
    one.teach(TaughtDice((RED, BLUE)))
    assert one.run(30, lambda: [die.face for die in one.readings[-1].dice] == [5, 7])
    assert one.left == 0


def test_a_restarted_host_hears_what_lies_there_although_snapshots_are_lost() -> None:
    one = ready(Losing(taught=TaughtDice((RED,))))
    one.tray.throw_tags({0: [5]}, one.now)
    one.run(2)
    other = ready(Losing(taught=TaughtDice((RED,))))
    other.tray, other.now, other.left = one.tray, one.now, 2
    other.open()
    assert other.run(30, lambda: bool(other.readings))
    assert [die.face for die in other.readings[-1].dice] == [5]
    assert other.left == 0


def test_a_tag_is_owed_until_it_has_come_or_left() -> None:
    one = session()
    one.opened(0.0)
    one.data_received(wire(HELLO), 0.0)
    one.data_received(wire(Tag(0, 5), Tag(1, 6)), 0.1)
    assert SNAPSHOT in said(one.taught_anew(0.2))
    one.data_received(wire(Tag(0, 5)), 0.3)
    assert said(pass_time(one, 0.3, 1.5)).count(SNAPSHOT) == 1, "the other tag is owed"
    one.data_received(wire(Beat(0, 0, 0, 0, 0, 0), Tag(1, 6)), 1.5)
    assert SNAPSHOT not in said(pass_time(one, 1.5, 3.0))


def test_a_tray_without_events_is_asked_once_and_one_that_tells_nothing_not_for_ever() -> None:
    for last_event, asked in ((0, 0), (7, MOST_IN_VAIN)):
        one = session()
        one.opened(0.0)
        one.data_received(wire(HELLO), 0.0)
        times = 0
        for tenth in range(1, 1000):
            now = tenth / 10
            sent = one.data_received(wire(Beat(0, last_event, 0, 0, 0, 0)), now)
            times += said(sent).count(SNAPSHOT)
        assert times == asked, last_event


def test_an_answer_is_enough() -> None:
    one = session()
    one.opened(0.0)
    one.data_received(wire(HELLO), 0.0)
    told = one.data_received(wire(DIE, END), 0.1)
    assert len(readings(told)) == 1
    assert Acknowledge(1) in said(told)
    for tenth in range(2, 200):
        told = one.data_received(wire(Beat(0, 2, 0, 0, 0, 0)), tenth / 10)
        assert SNAPSHOT not in said(told)
