"""The page that others build trays from, held against the code by a second implementation made from the page alone."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest
from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import pictures
from firmware_bridge.describe import NAMES
from firmware_bridge.framing import LONG_PAYLOAD, MAXIMUM_PAYLOAD, FrameDecoder, encode_frame
from firmware_bridge.messages import MESSAGES, Die, Message, RollEnd, decode
from firmware_bridge.pictures import LARGEST
from firmware_bridge.plain import MOST_DICE, QUIET, LineFinder
from firmware_bridge.rolls import DOUBLINGS, PATIENCE, SURE, roll_digest
from firmware_bridge.session import (
    ASKING_SLOWEST,
    FAULT_LASTS,
    GREETING_INTERVAL,
    GREETING_TIME,
    MOST_HELD_LINES,
    MUTE_AFTER,
    PING_INTERVAL,
    REOPEN_AFTER,
    SILENT_REOPEN_AFTER,
)

PAGE = (Path(__file__).parents[2] / "docs" / "tray-protocol.md").read_text(encoding="utf-8")
GOLDEN = [line for line in PAGE.split("```golden\n")[1].split("```")[0].splitlines() if line]
WIDTHS = {"u8": 1, "u16": 2, "u32": 4, "the rest": 0}


def page_tables() -> dict[str, tuple[int, list[tuple[str, int]]]]:
    """Name -> type and fields with their widths, as the page's two tables say."""
    tables: dict[str, tuple[int, list[tuple[str, int]]]] = {}
    name = ""
    for code, named, field, width in re.findall(
        r"^\| (0x\w\w)? ?\| ?(\w+)? ?\| (\w+) \| (u\d+|the rest) \|", PAGE, re.MULTILINE
    ):
        if named:
            name = named
            tables[name] = (int(code, 16), [])
        tables[name][1].append((field, WIDTHS[width]))
    return tables


def stuffed(data: bytes) -> bytes:
    """COBS in the plainest words."""
    return b"".join(bytes((len(block) + 1,)) + block for block in data.split(b"\x00"))


def bitwise_crc(data: bytes) -> int:
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021) & 0xFFFF if crc & 0x8000 else crc << 1
    return crc


def bitwise_crc32(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0xEDB88320 if crc & 1 else crc >> 1
    return crc ^ 0xFFFFFFFF


def parse(line: str) -> tuple[str, int, dict[str, int], bytes]:
    words, wire = line.split(" : ")
    name, sequence, *values = words.split()
    fields = {key: int(value, 0) for key, value in (pair.split("=") for pair in values)}
    return name, int(sequence.removeprefix("sequence=")), fields, bytes.fromhex(wire)


def message_of(line: str) -> Message:
    (frame,) = FrameDecoder(long_frames=True).feed(parse(line)[3])
    message = decode(frame).message
    assert isinstance(message, Message)
    return message


def test_the_page_names_every_message_with_its_fields() -> None:
    tables = page_tables()
    assert {code: name for name, (code, _) in tables.items()} == NAMES
    for name, (code, fields) in tables.items():
        message = MESSAGES[code]
        assert [field for field, _ in fields] == list(message.__match_args__), name
        assert sum(width for _, width in fields) == message.LAYOUT.size, name


def test_the_page_has_an_example_of_every_message() -> None:
    assert {parse(line)[0] for line in GOLDEN} == set(NAMES.values())


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: line.split(" : ")[0][:40])
def test_the_example_bytes_follow_from_the_page(line: str) -> None:
    name, sequence, values, wire = parse(line)
    code, fields = page_tables()[name]
    body = bytes((code, sequence)) + b"".join(
        values.get(field, 0).to_bytes(width, "little") for field, width in fields if width
    )
    if name == "CHUNK":
        body += values["data"].to_bytes(4, "big")
        assert wire == b"\x00" + stuffed(body + bitwise_crc32(body).to_bytes(4, "little")) + b"\x00"
        return
    assert wire == b"\x00" + stuffed(body + bitwise_crc(body).to_bytes(2, "little")) + b"\x00"


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: line.split(" : ")[0][:40])
def test_the_code_reads_and_writes_the_example_bytes(line: str) -> None:
    _, sequence, values, wire = parse(line)
    message = message_of(line)
    assert encode_frame(message.to_frame(sequence)) == wire
    names: tuple[str, ...] = message.__match_args__
    for field in names:
        found = getattr(message, field)
        assert (int.from_bytes(found, "big") if isinstance(found, bytes) else found) == values.get(field, 0)


def test_the_digest_of_the_example() -> None:
    dice = [message for message in map(message_of, GOLDEN) if isinstance(message, Die)]
    (end,) = [message for message in map(message_of, GOLDEN) if isinstance(message, RollEnd)]
    by_page = b"".join(
        bytes((die.slot,)) + die.die_id.to_bytes(4, "little") + bytes((die.kind, die.face, die.state, die.confidence))
        for die in dice
    )
    assert bitwise_crc(by_page) == roll_digest(dice) == end.digest == 0x0729
    assert bitwise_crc(b"") == roll_digest([]) == 0xFFFF


@given(st.binary(min_size=4, max_size=52))
def test_the_stuffing_of_the_page(contents: bytes) -> None:
    assert stuffed(contents) == cobs.encode(contents)


def test_the_example_of_stuffing_on_the_page() -> None:
    (plain, sent) = re.findall(r"`([0-9a-f ]+)` becomes `([0-9a-f ]+)`", PAGE)[0]
    assert stuffed(bytes.fromhex(plain)) == bytes.fromhex(sent)


@pytest.mark.parametrize(
    "words",
    [
        f"HELLO_REQ every {GREETING_INTERVAL * 1000:.0f} ms for {GREETING_TIME:g} s",
        f"every {ASKING_SLOWEST:g} s at the slowest",
        f"heard for {MUTE_AFTER:g} s is *mute*",
        f"after {REOPEN_AFTER:g} s without a frame",
        f"reopened after {SILENT_REOPEN_AFTER:g} s",
        f"every {PING_INTERVAL:g} s to measure the round trip",
        f"believes it for {FAULT_LASTS:g} s",
        f"(the first {MOST_HELD_LINES})",
        f"no further die has come for {QUIET:g} s; it has {MOST_DICE} dice at most",
        f"a confidence under {SURE} is asked about",
        f"after {PATIENCE:g} s it asks for a SNAPSHOT",
        f"16 and every {PATIENCE * 2**DOUBLINGS:g} s more",
        f"{MAXIMUM_PAYLOAD} bytes, CRC u16",
        f"a payload of up to {LONG_PAYLOAD:,} bytes",
        f"a JPEG file; {LARGEST:,} at most",
        f"After {pictures.PATIENCE:g} s without a chunk",
        f"1.6 and every {pictures.PATIENCE * 2**pictures.DOUBLINGS:g} s more",
    ],
)
def test_the_numbers_of_the_page_are_those_of_the_code(words: str) -> None:
    assert words in " ".join(PAGE.split())


def test_the_longest_plain_line_of_the_page() -> None:
    assert "any of more than 32 bytes, is ignored" in " ".join(PAGE.split())
    assert len(LineFinder().feed(b"d20" + 27 * b" " + b"17\n")) == 1
    assert LineFinder().feed(b"d20" + 28 * b" " + b"17\n") == []


def test_the_check_value_of_the_page() -> None:
    assert bitwise_crc(b"123456789") == 0x29B1


def test_the_tag_numbers_of_the_page() -> None:
    uid, number = re.findall(r"The UID `([0-9a-f ]+)` has tag number (0x[0-9A-F]{8})", PAGE)[0]
    assert zlib.crc32(bytes.fromhex(uid)) == int(number, 16)
    assert f"value {zlib.crc32(b'123456789'):#X}".replace("X", "x") in PAGE
