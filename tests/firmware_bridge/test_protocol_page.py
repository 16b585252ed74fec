"""The page that others build trays from, held against the code by a second implementation made from the page alone."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest

from firmware_bridge.describe import NAMES
from firmware_bridge.framing import FrameDecoder, encode_frame
from firmware_bridge.messages import MESSAGES, Die, Message, RollEnd, decode
from firmware_bridge.rolls import roll_digest

PAGE = (Path(__file__).parents[2] / "docs" / "tray-protocol.md").read_text(encoding="utf-8")
GOLDEN = [line for line in PAGE.split("```golden\n")[1].split("```")[0].splitlines() if line]
WIDTHS = {"u8": 1, "u16": 2, "u32": 4}


def page_tables() -> dict[str, tuple[int, list[tuple[str, int]]]]:
    """Name -> type and fields with their widths, as the page's two tables say."""
    tables: dict[str, tuple[int, list[tuple[str, int]]]] = {}
    name = ""
    for code, named, field, width in re.findall(
        r"^\| (0x\w\w)? ?\| ?(\w+)? ?\| (\w+) \| (u\d+) \|", PAGE, re.MULTILINE
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


def parse(line: str) -> tuple[str, int, dict[str, int], bytes]:
    words, wire = line.split(" : ")
    name, sequence, *values = words.split()
    fields = {key: int(value, 0) for key, value in (pair.split("=") for pair in values)}
    return name, int(sequence.removeprefix("sequence=")), fields, bytes.fromhex(wire)


def message_of(line: str) -> Message:
    (frame,) = FrameDecoder().feed(parse(line)[3])
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
    body = bytes((code, sequence)) + b"".join(values.get(field, 0).to_bytes(width, "little") for field, width in fields)
    assert wire == b"\x00" + stuffed(body + bitwise_crc(body).to_bytes(2, "little")) + b"\x00"


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: line.split(" : ")[0][:40])
def test_the_code_reads_and_writes_the_example_bytes(line: str) -> None:
    _, sequence, values, wire = parse(line)
    message = message_of(line)
    assert encode_frame(message.to_frame(sequence)) == wire
    names: tuple[str, ...] = message.__match_args__
    for field in names:
        assert getattr(message, field) == values.get(field, 0)


def test_the_digest_of_the_example() -> None:
    dice = [message for message in map(message_of, GOLDEN) if isinstance(message, Die)]
    (end,) = [message for message in map(message_of, GOLDEN) if isinstance(message, RollEnd)]
    by_page = b"".join(
        bytes((die.slot,)) + die.die_id.to_bytes(4, "little") + bytes((die.kind, die.face, die.state, die.confidence))
        for die in dice
    )
    assert bitwise_crc(by_page) == roll_digest(dice) == end.digest == 0x0729
    assert bitwise_crc(b"") == roll_digest([]) == 0xFFFF


def test_the_check_value_of_the_page() -> None:
    assert bitwise_crc(b"123456789") == 0x29B1


def test_the_tag_numbers_of_the_page() -> None:
    uid, number = re.findall(r"The UID `([0-9a-f ]+)` has tag number (0x[0-9A-F]{8})", PAGE)[0]
    assert zlib.crc32(bytes.fromhex(uid)) == int(number, 16)
    assert f"value {zlib.crc32(b'123456789'):#X}".replace("X", "x") in PAGE
