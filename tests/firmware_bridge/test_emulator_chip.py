"""The MFRC522 model: a driver from the data sheet works, and what the data sheet forbids does not."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.firmware_bridge import chip as c
from tests.firmware_bridge.chip import Chip, Driver

pytestmark = pytest.mark.slow

SHORT = bytes.fromhex("04a1b2c3")
DOUBLE = bytes.fromhex("04112233445566")
TRIPLE = bytes.fromhex("0411223344556677889a")
UIDS = st.one_of(*(st.binary(min_size=length, max_size=length) for length in (4, 7, 10))).filter(
    lambda uid: uid[0] != 0x88 and 0x88 not in (uid[3], uid[min(6, len(uid) - 1)])
)


def started(*uids: bytes) -> Driver:
    chip = Chip()
    for uid in uids:
        assert chip.add(uid)
    driver = Driver(chip)
    driver.start()
    return driver


def test_registers_after_a_reset_are_those_of_the_data_sheet() -> None:
    chip = Chip()
    assert chip.read(c.VERSION) == 0, "in hard power-down it does not answer"
    chip.power(on=True)
    assert chip.read(c.COMMAND) == 0x30, "the oscillator starts: PowerDown is set"
    chip.write(c.TX_MODE, 0x80)
    chip.wait(1000)
    assert chip.read(c.TX_MODE) == 0, "writes are lost until then"
    expected = {
        c.COMMAND: 0x20,
        c.COM_IRQ: 0x14,
        c.STATUS_1: 0x21,
        c.COLL: 0x80,
        c.MODE: 0x3F,
        c.TX_CONTROL: 0x80,
        c.VERSION: 0x92,
    }
    assert {register: chip.read(register) for register in expected} == expected


def test_a_reading_transfer_goes_on_with_addresses_and_a_writing_one_with_data() -> None:
    driver = started()
    assert driver.chip.spi(0x80 | c.VERSION << 1, 0x80 | c.MODE << 1, 0)[1:] == b"\x92\x3d"
    driver.chip.write(c.FIFO_LEVEL, 0x80)
    driver.chip.write(c.FIFO_DATA, 1, 2, 3)
    assert driver.chip.read(c.FIFO_LEVEL) == 3
    assert [driver.chip.read(c.FIFO_DATA) for _ in range(3)] == [1, 2, 3]


def test_the_fifo_overflows_after_64_bytes() -> None:
    chip = started().chip
    chip.write(c.FIFO_DATA, *range(64))
    assert not chip.read(c.ERROR)
    chip.write(c.FIFO_DATA, 64)
    assert chip.read(c.ERROR) == c.OVERFLOW
    assert chip.read(c.FIFO_LEVEL) == 64
    chip.write(c.FIFO_LEVEL, 0x80)
    assert (chip.read(c.FIFO_LEVEL), chip.read(c.ERROR)) == (0, 0)


def test_interrupt_bits_are_cleared_and_set_by_the_marked_ones() -> None:
    chip = started().chip
    chip.write(c.COM_IRQ, 0x7F)
    assert not chip.read(c.COM_IRQ) & ~0x04, "the empty FIFO sets LoAlert at once"
    chip.write(c.COM_IRQ, 0x80 | 0x20)
    assert chip.read(c.COM_IRQ) & 0x20
    chip.write(c.COM_IRQ, 0x20)
    assert not chip.read(c.COM_IRQ) & 0x20


def test_the_coprocessor_calculates_crc_a() -> None:
    driver = started()
    assert driver.crc(b"\x00\x00") == bytes.fromhex("a01e"), "ISO/IEC 14443-3, annex B, first example"
    assert driver.crc(b"\x12\x34") == bytes.fromhex("26cf"), "the second"


def test_the_timer_runs_out_when_it_should() -> None:
    driver = started()
    before = driver.chip.now
    assert driver.request() is None
    taken = (driver.chip.now - before) / 1e6
    assert 2.0 < taken < 2.4, "81 ticks of 25 us after seven bits on the air"


@pytest.mark.parametrize(("uid", "atqa"), [(SHORT, "0400"), (DOUBLE, "4400"), (TRIPLE, "8400")])
def test_a_tag_of_each_size_is_found_and_halted(uid: bytes, atqa: str) -> None:
    driver = started(uid)
    answer = driver.request()
    assert answer is not None
    assert (answer.data.hex(), answer.errors, answer.last_bits) == (atqa, 0, 0)
    assert driver.select() == uid
    driver.halt()
    assert driver.request() is None, "a halted tag hears no REQA"
    assert driver.request(c.WUPA) is not None
    assert driver.select() == uid


def test_a_request_sends_a_selected_tag_back_without_an_answer() -> None:
    driver = started(SHORT)
    driver.request()
    driver.select()
    assert driver.request(c.WUPA) is None
    assert driver.request() is not None, "it was idle again"


@given(UIDS, UIDS)
def test_two_tags_collide_and_both_are_found(one: bytes, other: bytes) -> None:
    assume(one != other)
    driver = started(one, other)
    found, collided = set(), False
    for _ in range(2):
        answer = driver.request()
        assert answer is not None
        collided |= bool(answer.errors & c.COLLISION)
        chip_select = driver.select()
        found.add(chip_select)
        driver.halt()
    assert found == {one, other}
    assert driver.request() is None
    assert collided == (len(one) != len(other)), "ATQA differs by the UID's size and by nothing else"


def test_a_collision_is_told_by_its_bit_counted_from_one() -> None:
    driver = started(bytes.fromhex("86a083ee"), bytes.fromhex("169a0a3b"))
    driver.request()
    driver.chip.write(c.COLL, 0)
    answer = driver.transceive(b"\x93\x20")
    assert answer is not None
    assert answer.errors & c.COLLISION
    assert driver.chip.read(c.COLL) == 5
    assert answer.data[0] == 0x06, "with ValuesAfterColl 0 nothing after the collision counts"


def test_a_broken_crc_is_not_taken_for_a_selection() -> None:
    driver = started(SHORT)
    driver.request()
    answer = driver.transceive(b"\x93\x20")
    assert answer is not None
    assert driver.transceive(b"\x93\x70" + answer.data + b"\x00\x00") is None


def test_without_antenna_modulation_or_time_nobody_answers() -> None:
    driver = started(SHORT)
    driver.chip.write(c.TX_CONTROL, 0x80)
    assert driver.request() is None, "the antenna is off"
    driver.chip.write(c.TX_CONTROL, 0x83)
    assert driver.request() is None, "a tag needs 5 ms of field"
    driver.chip.wait(5000)
    driver.chip.write(c.TX_ASK, 0)
    assert driver.request() is None, "type A needs 100 % ASK"
    driver.chip.write(c.TX_ASK, 0x40)
    assert driver.transceive(b"\x26") is None, "REQA has seven bits"
    assert driver.request() is not None


def test_losing_the_field_wakes_a_halted_tag() -> None:
    driver = started(SHORT)
    driver.request()
    driver.select()
    driver.halt()
    driver.chip.write(c.COMMAND, c.SOFT_RESET)
    driver.start()
    assert driver.request() is not None


def test_a_weak_tag_answers_in_its_share_of_polls() -> None:
    chip = Chip(seed=7)
    chip.add(SHORT, 30)
    driver = Driver(chip)
    driver.start()
    answers = 0
    for _ in range(400):
        if driver.request(c.WUPA) is not None:
            answers += 1
            driver.select()
            driver.halt()
    assert 80 < answers < 160


def test_a_lifted_tag_is_silent() -> None:
    driver = started(SHORT, DOUBLE)
    assert driver.chip.lift(SHORT)
    driver.request()
    assert driver.select() == DOUBLE
    assert driver.chip.lift()
    assert driver.request() is None
    assert not driver.chip.lift()
