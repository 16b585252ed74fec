"""Tagged dice over the wire: the tray asks, the host answers, and what nobody taught is never a value."""

from __future__ import annotations

from functools import partial

import pytest

from firmware_bridge.framing import FrameDecoder
from firmware_bridge.messages import Message, Tag, Taught, decode
from firmware_bridge.taught import TagSide, TaughtDice, TaughtDie
from firmware_bridge.wording import Situation
from rules.dice import DieKind, DieReading, DieState, Symbol
from tests.firmware_bridge.test_session import HELLO, said, session, wire
from tests.firmware_bridge.wire import TRANSPORTS, Transport, Wire

RED = TaughtDie("Red", DieKind.D20, tuple(range(1, 21)))
BLUE = TaughtDie("Blue", DieKind.CHALLENGE, tuple(range(101, 107)))
NUMBERED = TaughtDie("Numbered", DieKind.D20, tuple(range(201, 221)), TagSide.DOWN)
ALL = TaughtDice((RED, BLUE, NUMBERED))
UNKNOWN = 0xABCDEF01


def a_wire(taught: TaughtDice = ALL, transport: Transport | None = None, seed: int = 1) -> Wire:
    one = Wire(transport, seed, taught=taught) if transport is not None else Wire(seed=seed, taught=taught)
    one.open()
    assert one.run(30, lambda: one.session.condition.situation is Situation.READY)
    return one


def faces(dice: tuple[DieReading, ...]) -> list[tuple[DieKind, object, DieState]]:
    return [(die.kind, die.face, die.state) for die in dice]


def shows(one: Wire, dice: list[tuple[DieKind, object, DieState]]) -> bool:
    """Whether the last reading holds just these dice."""
    return bool(one.readings) and faces(one.readings[-1].dice) == dice


READ, DOUBTFUL, COCKED = DieState.READ, DieState.DOUBTFUL, DieState.COCKED


@pytest.mark.parametrize(
    ("tags", "shown"),
    [
        ({0: [7], 2: [104]}, [(DieKind.D20, 7, READ), (DieKind.CHALLENGE, Symbol.BLANK, READ)]),
        ({0: [203]}, [(DieKind.D20, 18, READ)]),  # tag 203 sits under face 3: with 3 down, 18 is up
        ({1: [106]}, [(DieKind.CHALLENGE, Symbol.EFFECT, READ)]),
        ({0: [7], 1: [UNKNOWN]}, [(DieKind.D20, 7, READ), (DieKind.D20, None, DOUBTFUL)]),
        ({0: [101], 1: [UNKNOWN]}, [(DieKind.CHALLENGE, 1, READ), (DieKind.CHALLENGE, None, DOUBTFUL)]),
        ({0: [UNKNOWN]}, [(DieKind.D20, None, DOUBTFUL)]),
        ({0: [7, 8]}, [(DieKind.D20, None, COCKED)]),
        ({0: [7, 101]}, [(DieKind.D20, None, COCKED)]),
        ({0: [7, UNKNOWN]}, [(DieKind.D20, None, COCKED)]),
        ({0: [7, 8], 1: [103]}, [(DieKind.D20, None, COCKED), (DieKind.CHALLENGE, Symbol.BLANK, READ)]),
        ({0: [101, 102], 1: [103]}, [(DieKind.CHALLENGE, None, COCKED)]),
        ({0: [20], 2: [5], 3: [103]}, [(DieKind.D20, None, COCKED), (DieKind.CHALLENGE, Symbol.BLANK, READ)]),
    ],
)
def test_what_the_tags_mean_is_read(tags: dict[int, list[int]], shown: list[tuple[DieKind, object, DieState]]) -> None:
    one = a_wire()
    one.tray.throw_tags(tags, one.now)
    one.run(3)
    assert [faces(reading.dice) for reading in one.readings] == [shown]


def test_a_taught_die_goes_by_the_number_of_its_first_tag() -> None:
    one = a_wire()
    one.tray.throw_tags({0: [220]}, one.now)
    one.run(2)
    assert [die.die_id for die in one.readings[0].dice] == ["000000c9"]


def test_teaching_takes_effect_at_once_on_a_die_that_lies_there() -> None:
    one = a_wire(TaughtDice())
    one.tray.throw_tags({0: [5]}, one.now)
    one.run(2)
    assert [faces(reading.dice) for reading in one.readings] == [[(DieKind.D20, None, DOUBTFUL)]]
    assert "Nobody has taught the die in place 1" in one.session.condition.remedy
    assert [place.words for place in one.session.places] == ["tag 00000005, not taught yet"]
    one.teach(ALL)
    one.run(1)
    assert faces(one.readings[-1].dice) == [(DieKind.D20, 5, READ)]
    assert len(one.readings) == 2
    assert one.session.condition.remedy == ""
    assert [(place.words, place.sure) for place in one.session.places] == [("Red, 5 up", True)]
    one.teach(TaughtDice((TaughtDie("Other", DieKind.D20, tuple(range(20, 0, -1))),)))
    one.run(1)
    assert faces(one.readings[-1].dice) == [(DieKind.D20, 16, READ)]
    one.teach(one.taught)
    one.run(3)
    assert len(one.readings) == 3  # a meaning that stays is no news


def test_forgetting_a_die_that_lies_there_takes_its_value_away() -> None:
    one = a_wire()
    one.tray.throw_tags({0: [5]}, one.now)
    one.run(2)
    one.teach(ALL.without(RED.die_id))
    one.run(2)
    assert [faces(reading.dice)[0][1:] for reading in one.readings] == [(5, READ), (None, DOUBTFUL)]


@pytest.mark.parametrize("transport", TRANSPORTS, ids=lambda transport: transport.__name__)
@pytest.mark.parametrize("seed", range(3))
def test_over_any_wire_a_tag_is_its_face_or_no_face(transport: Transport, seed: int) -> None:
    one = a_wire(transport=transport, seed=seed)
    for tag in (7, 19):
        one.tray.throw_tags({0: [tag], 1: [105]}, one.now)
        assert one.run(60, partial(shows, one, [(DieKind.D20, tag, READ), (DieKind.CHALLENGE, Symbol.EFFECT, READ)]))
        one.run(3)
    values = {face for reading in one.readings for _, face, state in faces(reading.dice) if state is READ}
    assert values == {7, 19, Symbol.EFFECT}


def test_a_host_that_does_not_answer_makes_no_value() -> None:
    one = a_wire()
    one.taught = TaughtDice()
    one.tray.throw_tags({0: [5]}, one.now)
    one.run(3)
    assert [faces(reading.dice)[0][1] for reading in one.readings] == [None]


def test_a_restarted_tray_asks_again_and_the_dice_are_no_throw() -> None:
    one = a_wire()
    one.tray.throw_tags({0: [5]}, one.now)
    one.run(2)
    one.tray.restart(one.now)
    one.run(5)
    assert len(one.readings) == 1
    assert [place.words for place in one.session.places] == ["Red, 5 up"]
    one.tray.clear(one.now)
    one.run(1)
    assert one.session.places == ()


def test_every_question_is_answered_at_once() -> None:
    one = session()
    one.opened(0.0)
    one.data_received(wire(HELLO), 0.0)
    assert said(one.data_received(wire(Tag(0, 5), Tag(1, 6)), 0.1)) == [Taught(5, 0, 0, 0, 0), Taught(6, 0, 0, 0, 0)]
    assert [(place.slot, place.tag, place.sure) for place in one.places] == [(0, 5, False), (1, 6, False)]


def test_a_tag_before_the_greeting_is_ignored() -> None:
    one = session()
    one.opened(0.0)
    answers = one.data_received(wire(Tag(0, 5)), 0.1)
    assert not [message for message in said(answers) if isinstance(message, Taught)]
    assert one.counts["before_greeting"] == 1


def test_what_the_tray_asks_is_repeated_until_it_is_answered() -> None:
    one = a_wire()
    one.tray.throw_tags({3: [9]}, one.now)
    asked: list[Message] = []
    for step in range(40):
        one.tray.advance(one.now + step * 0.05)
        frames = FrameDecoder().feed(one.tray.take_output())
        asked += [message for frame in frames if isinstance(message := decode(frame).message, Tag)]
    assert asked == [Tag(3, 9)] * len(asked)
    assert 8 <= len(asked) <= 10  # 2 seconds at one each 0.225 s
