"""Bluetooth dice: the published messages of Pixels and GoDice, and which dice make one throw. Time is a number."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.bluetooth.makers import (
    CHANNELS,
    GODICE_FACES,
    NOTHING,
    READS,
    Doing,
    Maker,
    News,
    godice_news,
    maker_of,
    pixels_news,
)
from firmware_bridge.bluetooth.throws import LONGEST, QUIET, ThrowBook
from rules.dice import DieKind, DieState, Reading


def i_am_a_die(die_type: int, lamps: int, battery: int = 80) -> bytes:
    """As in bluetooth_messages.h: lamps, look, type, data set, id, flash, build, roll state, face, battery."""
    return struct.pack(
        "<BBBBIIHIBBBB", 2, lamps, 1, die_type, 0x1234, 0xABCDEF01, 4000, 1_730_937_600, 1, 4, battery, 0
    )


def test_what_pixels_send() -> None:
    assert pixels_news(i_am_a_die(7, 20), DieKind.D6) == News(battery=80, kind=DieKind.D20)
    assert pixels_news(i_am_a_die(0, 6), DieKind.D20) == News(battery=80, kind=DieKind.D6), "older firmware"
    assert pixels_news(i_am_a_die(4, 10), DieKind.D20) == News(battery=80, foreign=True), "a d10 is none of the game's"
    assert pixels_news(b"\x03\x03\x00", DieKind.D20) == News(Doing.ROLLING)
    assert pixels_news(b"\x03\x01\x10", DieKind.D20) == News(Doing.SETTLED, 17)
    assert pixels_news(b"\x03\x04\x10", DieKind.D20) == News(Doing.COCKED)
    assert pixels_news(b"\x03\x05\x10", DieKind.D20) == News(Doing.PLACED)
    assert pixels_news(b"\x03\x02\x10", DieKind.D20) == News(Doing.HANDLED)
    assert pixels_news(b"\x03\x01\x06", DieKind.D6) == News(Doing.COCKED), "a d6 has no seventh face"
    assert pixels_news(b"\x22\x09\x01", DieKind.D20) == News(battery=9)


def i_am_a_newer_die(die_type: int, lamps: int, battery: int = 80, name: bytes = b"Pixel\0") -> bytes:
    """As in pixels-js 1.3.1 (DieMessages.ts): version, die, colours, name, settings, status; each with its length."""
    chunks = (
        struct.pack("<HIHHHH", 0x0103, 1_730_937_600, 1, 1, 1, 1),
        struct.pack("<IBBBB", 0xABCDEF01, 1, die_type, lamps, 1),
        b"\0",
        name,
        struct.pack("<III", 0x1234, 4000, 8000),
        struct.pack("<BBBB", battery, 0, 1, 4),
    )
    return b"\x02" + b"".join(bytes((len(one) + 1,)) + one for one in chunks)


def test_what_pixels_of_newer_firmware_send() -> None:
    """Taken for the older message, its firmware's version stood for the die's type: a d20 counted for nothing."""
    assert pixels_news(i_am_a_newer_die(7, 20), DieKind.D6) == News(battery=80, kind=DieKind.D20)
    assert pixels_news(i_am_a_newer_die(8, 21, 9, b"A longer name\0"), DieKind.D20) == News(battery=9, kind=DieKind.D6)
    assert pixels_news(i_am_a_newer_die(4, 10), DieKind.D20) == News(battery=80, foreign=True)
    whole = i_am_a_newer_die(7, 20)
    for end in range(1, len(whole)):
        assert pixels_news(whole[:end], DieKind.D20).kind in (None, DieKind.D20)
    assert pixels_news(whole[:-1], DieKind.D20) == NOTHING


def test_what_godice_send() -> None:
    """The examples of the tests of https://pub.dev/packages/godice."""
    assert godice_news(b"R", DieKind.D6) == News(Doing.ROLLING)
    assert godice_news(bytes((0x53, 0xC0, 0, 0)), DieKind.D6) == News(Doing.SETTLED, 1)
    assert godice_news(bytes((0x53, 0x40, 0, 0xEA)), DieKind.D20) == News(Doing.SETTLED, 8)
    for letter, doing in ((0x46, Doing.PLACED), (0x54, Doing.COCKED), (0x4D, Doing.PLACED)):
        assert godice_news(bytes((letter, 0x53, 0x40, 0, 0)), DieKind.D6) == News(doing)
    assert godice_news(b"Bat\x57", DieKind.D6) == News(battery=87)
    for other in (b"", b"\x99\x01\x02", b"S\x01", b"Bat", b"Col\x03"):
        assert godice_news(other, DieKind.D6) == NOTHING


@pytest.mark.parametrize("kind", [DieKind.D6, DieKind.D20])
def test_every_face_of_a_godie_is_read_and_between_two_it_is_cocked(kind: DieKind) -> None:
    faces = GODICE_FACES[kind]
    assert len(set(faces.values())) == len(faces) == max(faces)
    for face, way in faces.items():
        assert godice_news(b"S" + struct.pack("bbb", *way), kind) == News(Doing.SETTLED, face)
    one, other = (
        faces[1],
        max(
            (way for face, way in faces.items() if face != 1),
            key=lambda way: sum(a * b for a, b in zip(way, faces[1], strict=True)),
        ),
    )
    between = [round((a + b) / 2) for a, b in zip(one, other, strict=True)]
    assert math.hypot(*between) > 0
    assert godice_news(b"S" + struct.pack("bbb", *between), kind) == News(Doing.COCKED)


@given(st.binary(max_size=30), st.sampled_from(list(Maker)), st.sampled_from([DieKind.D6, DieKind.D20]))
def test_any_bytes_are_taken_and_no_face_is_made_that_the_die_lacks(data: bytes, maker: Maker, kind: DieKind) -> None:
    news = READS[maker](data, kind)
    assert news.face is None or 1 <= news.face <= (20 if kind is DieKind.D20 else 6)
    assert (news.face is not None) == (news.doing is Doing.SETTLED)


def test_whose_die_advertises_itself() -> None:
    nordic = CHANNELS[Maker.GODICE][0].service
    assert maker_of("GoDice_1A2B3C_R_v03", [nordic]) is Maker.GODICE
    assert maker_of("My d20", [nordic.upper()]) is Maker.PIXELS
    assert maker_of("A lamp", ["0000180a-0000-1000-8000-00805f9b34fb"]) is None


def book() -> ThrowBook:
    made = ThrowBook("start")
    made.expect("a", DieKind.D20)
    made.expect("b", DieKind.D20)
    return made


def faces(reading: Reading | None) -> list[object]:
    assert reading is not None
    return [die.face if die.state is DieState.READ else die.state for die in reading.dice]


def test_two_dice_of_one_throw_are_one_reading() -> None:
    one = book()
    one.take("a", News(Doing.HANDLED), 0.0)
    one.take("a", News(Doing.ROLLING), 1.0)
    one.take("b", News(Doing.ROLLING), 1.1)
    one.take("a", News(Doing.SETTLED, 17), 1.8)
    assert one.ended(1.8 + QUIET) is None, "b still rolls"
    one.take("b", News(Doing.SETTLED, 3), 2.9)
    assert one.ended(2.9) is None
    reading = one.ended(one.deadline or 0.0)
    assert faces(reading) == [17, 3]
    assert reading is not None
    assert reading.reading_id == "bluetooth:start:1"
    assert one.ended(100.0) is None, "once"
    one.take("a", News(Doing.ROLLING), 200.0)
    one.take("a", News(Doing.SETTLED, 2), 201.0)
    again = one.ended(202.0)
    assert faces(again) == [2], "b lies as it lay"


def test_what_is_put_down_or_turned_by_hand_is_no_throw() -> None:
    one = book()
    one.take("a", News(Doing.HANDLED), 1.0)
    one.take("a", News(Doing.PLACED, None), 2.0)
    one.take("b", News(Doing.SETTLED, 20), 2.0)
    assert one.doing("b") is Doing.PLACED, "nobody saw it roll"
    one.take("a", News(Doing.ROLLING), 3.0)
    one.take("a", News(Doing.PLACED), 3.5)
    assert one.deadline is None
    assert one.ended(100.0) is None


def test_a_die_that_is_nudged_after_it_came_to_rest_stays_in_its_throw() -> None:
    """Another die of the throw knocks it: its face is not the one that it settled on, and it is not left out."""
    for nudged in (News(Doing.PLACED), News(Doing.HANDLED)):
        one = book()
        one.take("a", News(Doing.ROLLING), 1.0)
        one.take("b", News(Doing.ROLLING), 1.0)
        one.take("a", News(Doing.SETTLED, 17), 2.0)
        one.take("a", nudged, 2.2)
        one.take("a", News(Doing.PLACED), 2.3)
        one.take("b", News(Doing.SETTLED, 3), 2.5)
        assert faces(one.ended(4.0)) == [DieState.DOUBTFUL, 3]
        one.take("a", News(Doing.ROLLING), 5.0)
        one.take("a", News(Doing.PLACED), 5.5)
        assert one.deadline is None, "the next throw begins anew"


def test_a_die_that_leans_is_lost_or_never_rests_is_asked_about() -> None:
    one = book()
    one.expect("c", DieKind.D6)
    for address in "abc":
        one.take(address, News(Doing.ROLLING), 1.0)
    one.take("a", News(Doing.COCKED), 2.0)
    one.lost("b", 2.5)
    assert one.ended(10.0) is None
    assert faces(one.ended(1.0 + LONGEST)) == [DieState.COCKED, DieState.DOUBTFUL, DieState.DOUBTFUL]
    one.take("nobody's", News(Doing.ROLLING), 50.0)
    assert one.deadline is None


def test_a_pixel_counts_only_once_it_has_told_its_kind_and_a_d10_never() -> None:
    one = ThrowBook("start")
    one.expect("a", DieKind.D20, tells=True)
    one.expect("b", DieKind.D20, tells=True)
    for address in "ab":
        one.take(address, News(Doing.ROLLING), 1.0)
        one.take(address, News(Doing.SETTLED, 5), 2.0)
    assert faces(one.ended(3.0)) == [DieState.DOUBTFUL, DieState.DOUBTFUL]
    one.take("a", pixels_news(i_am_a_die(4, 10), DieKind.D20), 4.0)
    one.take("b", pixels_news(i_am_a_die(7, 20), DieKind.D20), 4.0)
    for address in "ab":
        one.take(address, News(Doing.ROLLING), 5.0)
        one.take(address, News(Doing.SETTLED, 5), 6.0)
    assert faces(one.ended(7.0)) == [5]


def test_what_is_known_of_a_die_while_it_lies() -> None:
    one = book()
    one.take("a", News(battery=9, kind=DieKind.D6), 1.0)
    assert (one.kind("a"), one.battery("a"), one.doing("a")) == (DieKind.D6, 9, None)
    one.take("a", News(Doing.HANDLED), 1.0)
    assert one.doing("a") is Doing.HANDLED
    one.forget("a")
    assert (one.doing("a"), one.battery("a")) == (None, None)


def test_the_directions_of_a_godies_d20_are_those_of_an_icosahedrons_faces() -> None:
    """Each face has three neighbours at 41.8 degrees. What is known of the die can be measured on any other."""
    ways = list(GODICE_FACES[DieKind.D20].values())
    for way in ways:
        angles = sorted(
            math.degrees(
                math.acos(
                    min(1.0, sum(a * b for a, b in zip(way, one, strict=True)) / math.hypot(*way) / math.hypot(*one))
                )
            )
            for one in ways
            if one != way
        )
        assert angles[:3] == pytest.approx([math.degrees(math.acos(math.sqrt(5) / 3))] * 3, abs=5)
        assert angles[3] > 60
