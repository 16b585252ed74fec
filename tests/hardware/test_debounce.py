"""The debounce as properties: chatter is one stroke, glitches are none, and no real press is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.debounce import DEFAULT_TIMING, Contact, Stroke, Timing, at_edge, at_time, first_seen, next_look
from hardware.errors import TimingError

TIMING = Timing(window=0.02, long=0.8)
Edge = tuple[bool, float]

chatter = st.lists(st.floats(0.0001, 0.0199), max_size=12)
quick_holds = st.floats(0.03, 0.55)  # and up to 0.24 s of chatter is still no long press
long_holds = st.floats(0.85, 5.0)
rests = st.floats(0.03, 2.0)


def edges_of(down: bool, at: float, gaps: list[float]) -> list[Edge]:  # noqa: FBT001 - a level is what it is
    """A contact going to `down` at `at`, bouncing with these gaps, and ending at `down`."""
    times = [at]
    for gap in gaps if len(gaps) % 2 == 0 else gaps[:-1]:
        times.append(times[-1] + gap)
    return [(down if index % 2 == 0 else not down, time) for index, time in enumerate(times)]


def play(edges: list[Edge], looks: list[float], until: float, start: Contact | None = None) -> list[Stroke]:
    """Every stroke told for these edges when somebody also looks at these times, and at `until`."""
    contact = first_seen(down=False, at=0.0) if start is None else start
    told: list[Stroke] = []
    steps: list[tuple[float, bool | None]] = [(at, down) for down, at in edges]
    steps += [(at, None) for at in looks if at < until]
    for at, down in sorted(steps, key=lambda step: step[0]):
        if down is None:
            contact, strokes = at_time(contact, at, TIMING)
        else:
            contact, strokes = at_edge(contact, down=down, at=at, timing=TIMING)
        told += strokes
    _, strokes = at_time(contact, until, TIMING)
    return told + list(strokes)


@given(falling=chatter, rising=chatter, hold=quick_holds)
def test_chatter_within_the_window_is_one_short_press(falling: list[float], rising: list[float], hold: float) -> None:
    down = edges_of(down=True, at=1.0, gaps=falling)
    up = edges_of(down=False, at=down[-1][1] + hold, gaps=rising)
    assert play(down + up, [], up[-1][1] + 1.0) == [Stroke.DOWN, Stroke.SHORT]


@given(presses=st.lists(st.tuples(chatter, st.one_of(quick_holds, long_holds), chatter, rests), max_size=8))
def test_no_real_press_is_lost_and_none_is_made_up(
    presses: list[tuple[list[float], float, list[float], float]],
) -> None:
    edges: list[Edge] = []
    expected: list[Stroke] = []
    at = 1.0
    for falling, hold, rising, rest in presses:
        edges += edges_of(down=True, at=at, gaps=falling)
        pressed_for = hold
        edges += edges_of(down=False, at=edges[-1][1] + pressed_for, gaps=rising)
        expected += [Stroke.DOWN, Stroke.LONG if hold > TIMING.long else Stroke.SHORT]
        at = edges[-1][1] + rest
    assert play(edges, [], at + 10.0) == expected


@given(gaps=chatter.filter(lambda gaps: len(gaps) % 2 == 1))
def test_a_glitch_that_never_holds_still_is_no_press(gaps: list[float]) -> None:
    edges = [(index % 2 == 0, 1.0 + sum(gaps[:index])) for index in range(len(gaps) + 1)]
    assert edges[-1][0] is False
    assert play(edges, [], 10.0) == []


@given(
    times=st.lists(st.floats(0.0, 20.0), max_size=40),
    looks=st.lists(st.floats(0.0, 30.0), max_size=40),
)
def test_looking_more_often_never_changes_what_was_done(times: list[float], looks: list[float]) -> None:
    edges = [(index % 2 == 0, at) for index, at in enumerate(sorted(times))]
    assert play(edges, looks, 40.0) == play(edges, [], 40.0)


@given(
    edges=st.lists(st.tuples(st.booleans(), st.floats(0.0, 20.0)), max_size=60),
    found_down=st.booleans(),
)
def test_every_down_is_followed_by_exactly_one_end(edges: list[Edge], found_down: bool) -> None:  # noqa: FBT001 - drawn
    told = play(sorted(edges, key=lambda edge: edge[1]), [], 60.0, first_seen(down=found_down, at=0.0))
    assert told[::2] == [Stroke.DOWN] * len(told[::2])
    assert all(stroke in {Stroke.SHORT, Stroke.LONG} for stroke in told[1::2])


@given(
    edges=st.lists(st.tuples(st.booleans(), st.floats(0.0, 20.0)), max_size=40),
)
def test_looking_exactly_when_told_to_is_enough(edges: list[Edge]) -> None:
    """A thread that sleeps until `next_look` never spins, and hears everything in the end."""
    contact = first_seen(down=False, at=0.0)
    for down, at in sorted(edges, key=lambda edge: edge[1]):
        contact, _ = at_edge(contact, down=down, at=at, timing=TIMING)
    for _ in range(3):
        look = next_look(contact, TIMING)
        if look is None:
            break
        before = contact
        contact, strokes = at_time(contact, look, TIMING)
        assert strokes or contact != before
    assert next_look(contact, TIMING) is None
    assert at_time(contact, 1000.0, TIMING)[1] == ()


def test_a_button_found_held_down_counts_from_its_next_press() -> None:
    held = first_seen(down=True, at=0.0)
    assert play([(False, 5.0)], [], 10.0, held) == []
    assert play([(False, 5.0), (True, 6.0), (False, 6.1)], [], 10.0, held) == [Stroke.DOWN, Stroke.SHORT]


def test_an_edge_from_before_the_last_one_counts_as_simultaneous() -> None:
    contact, _ = at_edge(first_seen(down=False, at=0.0), down=True, at=5.0, timing=TIMING)
    contact, strokes = at_edge(contact, down=False, at=4.0, timing=TIMING)
    assert strokes == ()
    assert contact.raw_since == pytest.approx(5.0)


def test_a_press_is_told_as_soon_as_it_has_settled() -> None:
    contact, _ = at_edge(first_seen(down=False, at=0.0), down=True, at=1.0, timing=TIMING)
    assert next_look(contact, TIMING) == pytest.approx(1.02)
    assert at_time(contact, 1.0199, TIMING)[1] == ()
    assert at_time(contact, 1.0 + TIMING.window, TIMING)[1] == (Stroke.DOWN,)


@pytest.mark.parametrize(("window", "long"), [(0.0, 1.0), (-0.1, 1.0), (0.5, 0.5), (0.5, 0.1), (float("nan"), 1.0)])
def test_timings_that_contradict_are_refused(window: float, long: float) -> None:
    with pytest.raises(TimingError, match="give a window above 0"):
        Timing(window=window, long=long)


def test_the_default_timing_outlasts_chatter_and_keeps_quick_taps() -> None:
    assert 0.010 < DEFAULT_TIMING.window < 0.050
