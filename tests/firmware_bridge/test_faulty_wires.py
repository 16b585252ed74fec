"""One end-to-end behaviour over every way of treating bytes badly: what is thrown arrives, once, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.errors import SimulatorError
from firmware_bridge.messages import StateCode
from firmware_bridge.session import TraySession
from firmware_bridge.simulator import REPEAT_INTERVAL, SLOTS
from firmware_bridge.wording import Situation
from rules.dice import FACES, DieKind, DieState, Face, Symbol
from tests.firmware_bridge.wire import TRANSPORTS, Transport, Wire, clean, delaying, flipping, one_byte_at_a_time, shown

THROW: tuple[tuple[DieKind, Face], ...] = ((DieKind.D20, 17), (DieKind.D20, 3), (DieKind.CHALLENGE, Symbol.EFFECT))
dice = st.sampled_from([(kind, face) for kind in DieKind for face in FACES[kind]])


@pytest.mark.parametrize("transport", TRANSPORTS, ids=lambda transport: transport.__name__)
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(one, marks=pytest.mark.long) for one in (2, 3, 4))])
def test_each_throw_arrives_exactly_once(transport: Transport, seed: int) -> None:
    wire = Wire(transport, seed)
    wire.open()
    assert wire.run(30, lambda: wire.session.condition.situation is Situation.READY)
    wire.throw(*THROW)
    assert wire.run(60, lambda: len(wire.readings) == 1)
    wire.run(5)
    wire.throw((DieKind.D20, 20))
    assert wire.run(60, lambda: shown(wire.readings[-1]) == [(DieKind.D20, 20)])
    wire.run(20)
    full = [reading for reading in wire.readings if reading.dice]
    assert [shown(reading) for reading in full] == [list(THROW), [(DieKind.D20, 20)]]
    assert all(not reading.dice for reading in wire.readings if reading not in full)
    assert len({reading.reading_id for reading in wire.readings}) == len(wire.readings)
    assert wire.tray.unacknowledged == 0


@settings(max_examples=settings().max_examples // 2)
@given(
    st.sampled_from(TRANSPORTS), st.integers(0, 10_000), st.lists(st.lists(dice, min_size=1, max_size=8), max_size=4)
)
def test_no_wire_shows_a_throw_that_was_not_thrown(
    transport: Transport, seed: int, throws: list[list[tuple[DieKind, Face]]]
) -> None:
    wire = Wire(transport, seed)
    wire.open()
    wire.run(10)
    for faces in throws:
        wire.throw(*faces)
        wire.run(2)
    wire.run(10)
    told = [shown(reading) for reading in wire.readings if reading.dice]
    remaining = iter(throws)
    assert all(any(one == list(faces) for faces in remaining) for one in told)  # in order, each at most once
    assert wire.session.condition.situation in (Situation.READY, Situation.MUTE, Situation.SILENT)


def test_a_clean_wire_greets_at_once_and_tells_a_roll_the_moment_it_settles() -> None:
    wire = Wire(clean)
    wire.open()
    assert wire.run(0.1, lambda: wire.session.condition.situation is Situation.READY)
    wire.run(1)
    wire.throw(*THROW)
    assert wire.run(0.31, lambda: len(wire.readings) == 1)


@pytest.mark.parametrize("keep", range(0, 140, 7))
def test_unplugged_in_the_middle_of_a_frame(keep: int) -> None:
    wire = Wire(seed=keep)
    wire.open()
    wire.run(1)
    wire.throw(*THROW)
    wire.tray.advance(wire.now + 0.3)
    wire.cut(keep)
    before = list(wire.readings)
    assert before in ([], wire.readings[:1])
    wire.run(3)  # the tray keeps its power and its events
    wire.open()
    assert wire.run(5, lambda: bool(wire.readings))
    wire.run(3)
    assert [shown(reading) for reading in wire.readings] == [list(THROW)]


def test_boot_noise_and_a_restart_in_the_middle_of_a_roll() -> None:
    wire = Wire()
    wire.open()
    wire.run(1)
    wire.throw(*THROW)
    wire.run(0.1)
    wire.tray.restart(wire.now)
    assert wire.run(5, lambda: "did not see thrown" in wire.session.condition.notice), "nobody would know why it waits"
    wire.tray.make_noise()
    wire.run(3)
    assert wire.readings == []  # nobody saw the dice come to rest, so they are no roll
    assert wire.session.condition.situation is Situation.READY
    wire.throw(*THROW)
    wire.run(1)
    assert [shown(reading) for reading in wire.readings if reading.dice] == [list(THROW)]


def test_lost_acknowledgements_cost_repeats_and_nothing_else() -> None:
    wire = Wire()
    wire.open()
    wire.run(1)
    wire.tray.faults.drop_acknowledgements = True
    wire.throw(*THROW)
    wire.run(0.3 + 4.5 * REPEAT_INTERVAL)
    assert wire.tray.unacknowledged == len(THROW) + 1
    assert wire.session.counts["repeats"] >= 4 * (len(THROW) + 1)
    wire.tray.faults.drop_acknowledgements = False
    wire.run(1)
    assert wire.tray.unacknowledged == 0
    assert len(wire.readings) == 1


def test_a_freeze_is_mute_and_its_end_brings_the_roll() -> None:
    wire = Wire()
    wire.open()
    wire.run(1)
    wire.tray.faults.stalled = True
    wire.throw(*THROW)
    assert wire.run(3, lambda: wire.session.condition.situation is Situation.MUTE)
    assert wire.run(10, lambda: wire.reopenings == 1)
    wire.tray.faults.stalled = False
    assert wire.run(5, lambda: wire.session.condition.situation is Situation.READY)
    wire.run(1)
    assert [shown(reading) for reading in wire.readings] == [list(THROW)]


def test_a_cocked_die_then_put_upright() -> None:
    wire = Wire()
    wire.open()
    wire.run(1)
    wire.throw(*THROW)
    wire.run(1)
    wire.tray.turn(1, StateCode.COCKED, wire.now)
    wire.run(1)
    wire.tray.turn(1, StateCode.HANDLING, wire.now)
    wire.run(1)
    wire.tray.turn(1, StateCode.SETTLED, wire.now, face=9)
    wire.run(1)
    assert [reading.dice[1].state for reading in wire.readings] == [DieState.READ, DieState.COCKED, DieState.READ]
    assert [reading.dice[1].face for reading in wire.readings] == [3, None, 9]


def test_a_heavily_damaged_wire_never_makes_a_die_up() -> None:
    wire = Wire(flipping, seed=5)
    wire.open()
    wire.tray.faults.garble = 10.0
    told = set()
    for number in range(40):
        faces = ((DieKind.D20, number % 20 + 1), (DieKind.D20, 20 - number % 20))
        wire.throw(*faces)
        wire.run(5)
        told |= {tuple(shown(reading)) for reading in wire.readings if reading.dice}
        assert told <= {((DieKind.D20, n % 20 + 1), (DieKind.D20, 20 - n % 20)) for n in range(number + 1)}
    assert told
    assert wire.session.counts["bad_checksum"] > 100


@pytest.mark.parametrize("keep", range(0, 90, 6))
@pytest.mark.parametrize("keep_outgoing", [0, 5, 11, 40])
def test_unplugged_during_the_handshake(keep: int, keep_outgoing: int) -> None:
    """Every cut through HELLO_REQ, HELLO and SNAPSHOT: nothing is made up, and the next opening works."""
    wire = Wire(one_byte_at_a_time, seed=keep)
    wire.tray.throw(THROW, 0.0)
    wire.open()
    wire.run(0.002 * (keep % 5 + 1) + 0.05)
    wire.cut(keep, keep_outgoing)
    assert [shown(reading) for reading in wire.readings] in ([], [list(THROW)])
    wire.run(2)
    wire.open()
    assert wire.run(5, lambda: wire.session.condition.situation is Situation.READY and bool(wire.readings))
    wire.run(3)
    assert [shown(reading) for reading in wire.readings] == [list(THROW)]


@pytest.mark.parametrize("keep_outgoing", range(0, 50, 3))
def test_unplugged_during_an_acknowledgement(keep_outgoing: int) -> None:
    """The tray never hears, or hears half of, that its roll has arrived: it tells it again, and it counts once."""
    wire = Wire(delaying, seed=keep_outgoing)
    wire.open()
    wire.run(3)
    wire.throw(*THROW)
    assert wire.run(10, lambda: len(wire.readings) == 1)  # the acknowledgements fly
    assert wire.tray.unacknowledged > 0
    wire.cut(0, keep_outgoing)
    wire.run(2)
    wire.open()
    wire.run(8)
    assert wire.tray.unacknowledged == 0
    assert [shown(reading) for reading in wire.readings] == [list(THROW)]


@pytest.mark.parametrize("transport", TRANSPORTS, ids=lambda transport: transport.__name__)
def test_a_restarted_host_hears_the_same_reading_again(transport: Transport) -> None:
    """By its identity whoever keeps the journal knows that it was counted."""
    wire = Wire(transport, seed=3)
    wire.open()
    wire.throw(*THROW)
    assert wire.run(60, lambda: len(wire.readings) == 1)
    for nonce in (78, 79):
        wire.session = TraySession(nonce=nonce, start_id="another start")
        wire.open()
        wire.run(30)
    assert len(wire.readings) == 3
    assert len({reading.reading_id for reading in wire.readings}) == 1


def test_a_tray_that_tells_of_too_few_places_costs_their_dice_and_not_the_roll() -> None:
    wire = Wire(flipping, seed=4)
    wire.tray.faults.places = 2
    wire.open()
    wire.run(5)
    wire.throw(*THROW)
    assert wire.run(60, lambda: bool(wire.readings))
    assert [(die.face, die.state) for die in wire.readings[0].dice] == [
        (17, DieState.READ),
        (3, DieState.READ),
        (None, DieState.DOUBTFUL),
    ]
    assert wire.tray.unacknowledged == 0


def test_a_full_tray_is_read_whole_and_one_die_more_is_refused() -> None:
    wire = Wire(flipping, seed=2)
    wire.open()
    full: list[tuple[DieKind, Face]] = [(DieKind.D20, number + 1) for number in range(SLOTS)]
    wire.throw(*full)
    assert wire.run(60, lambda: bool(wire.readings))
    assert shown(wire.readings[0]) == full
    with pytest.raises(SimulatorError, match="between 1 and 16 dice"):
        wire.throw(*full, (DieKind.D20, 1))
