"""The firmware's codec against the protocol's page and the host's own codec: same bytes, same frames, same counts."""

from __future__ import annotations

import subprocess
import zlib
from binascii import crc_hqx
from collections.abc import Iterable
from dataclasses import astuple
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from firmware_bridge.errors import MessageError
from firmware_bridge.framing import LONG, MAXIMUM_PAYLOAD, FrameDecoder, WireFrame, encode_frame
from firmware_bridge.messages import MESSAGES, Chunk, Message, PictureReady, SceneSeen, Unknown, Want, decode
from tests.firmware_bridge.desk import HOST
from tests.firmware_bridge.emulated import build
from tests.firmware_bridge.test_protocol_page import GOLDEN, message_of, parse

pytestmark = pytest.mark.slow

BULK = 3_000_000
"""Random bytes for the decoders, a tenth of them in `make test`."""
PIECE = 20_000
"""Bytes of the stream compared at a time, so that a difference is located."""

OF_CAMERAS = {Want.CODE, PictureReady.CODE, Chunk.CODE, SceneSeen.CODE}
"""What this firmware, which has no camera, does not know."""


def codec(*lines: str) -> list[str]:
    """What the firmware's codec says to some lines."""
    build("build/host/codec")
    done = subprocess.run(
        [HOST / "codec"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def told_by_host(decoder: FrameDecoder, data: bytes) -> Iterable[str]:
    """What the host's codec makes of `data`, in the words of the firmware's."""
    for frame in decoder.feed(data):
        yield f"frame {frame.code} {frame.sequence} {frame.payload.hex()}"
        if frame.code in OF_CAMERAS:
            yield "unknown"
            continue
        try:
            message = decode(frame).message
        except MessageError:
            yield "short"
            continue
        if isinstance(message, Unknown):
            yield "unknown"
        elif len(frame.payload) < message.LAYOUT.size:
            yield "short"  # what the host takes of an older tray, no tray receives
        else:
            yield " ".join(["fields", *map(str, astuple(message))])
    counts = decoder.counts
    numbers = (counts.good, counts.bad_checksum, counts.overlong, counts.short, counts.malformed)
    yield " ".join(["counts", *(str(number & 0xFFFF) for number in numbers)])


@pytest.mark.parametrize(
    "line",
    [one for one in GOLDEN if message_of(one).CODE not in OF_CAMERAS],
    ids=lambda line: line.split(" : ")[0][:40],
)
def test_the_pages_bytes_are_written_and_read(line: str) -> None:
    _, sequence, _, wire = parse(line)
    message = message_of(line)
    numbers = " ".join(map(str, astuple(message)))
    written, frame, fields, counts = codec(f"message {message.CODE} {sequence} {numbers}", f"wire {wire.hex()}")
    assert written == wire.hex()
    assert frame == f"frame {message.CODE} {sequence} {message.to_bytes().hex()}"
    assert fields == f"fields {numbers}"
    assert counts == "counts 1 0 0 0 0"


def test_the_check_values_of_the_page() -> None:
    digits = b"123456789".hex()
    assert codec(f"checksum {digits}", f"tag {digits}", "tag 04a1b2c3d4e580") == [
        str(0x29B1),
        str(0xCBF43926),
        str(0xF1AD3ADF),
    ]


def test_a_tag_whose_checksum_is_0_counts_as_1() -> None:
    uid = bytes.fromhex("9d0ad96d")  # the four bytes whose CRC-32 is 0
    assert zlib.crc32(uid) == 0
    assert codec(f"tag {uid.hex()}") == ["1"]


@given(some.lists(some.binary(max_size=60), min_size=1, max_size=40))
@settings(max_examples=settings().max_examples // 3)
def test_the_checksums_are_those_of_the_standard_library(strings: list[bytes]) -> None:
    lines = [f"{which} {string.hex()}" for string in strings for which in ("checksum", "tag")]
    expected = [str(number) for string in strings for number in (crc_hqx(string, 0xFFFF), zlib.crc32(string) or 1)]
    assert codec(*lines) == expected


def message(kind: type[Message]) -> some.SearchStrategy[Message]:
    widths = {"B": 0xFF, "H": 0xFFFF, "I": 0xFFFFFFFF}
    return some.tuples(*(some.integers(0, widths[width]) for width in kind.LAYOUT.format[1:])).map(
        lambda values: kind(*values)
    )


any_message = some.sampled_from([kind for code, kind in MESSAGES.items() if code not in OF_CAMERAS]).flatmap(message)
short_type = some.integers(0, 255).filter(lambda code: code != LONG)
any_frame = some.builds(WireFrame, short_type, some.integers(0, 255), some.binary(max_size=MAXIMUM_PAYLOAD))


@given(some.lists(some.tuples(any_message, some.integers(0, 255)), min_size=30, max_size=60))
@settings(max_examples=settings().max_examples // 3)
def test_every_message_is_written_as_the_host_writes_it(messages: list[tuple[Message, int]]) -> None:
    lines = [f"message {one.CODE} {sequence} {' '.join(map(str, astuple(one)))}" for one, sequence in messages]
    assert codec(*lines) == [encode_frame(one.to_frame(sequence)).hex() for one, sequence in messages]


@given(some.lists(any_frame, min_size=30, max_size=60))
@settings(max_examples=settings().max_examples // 3)
def test_every_frame_is_written_and_read_as_the_host_does(frames: list[WireFrame]) -> None:
    wire = [encode_frame(frame) for frame in frames]
    lines = [f"frame {frame.code} {frame.sequence} {frame.payload.hex()}" for frame in frames]
    assert codec(*lines) == [one.hex() for one in wire]
    assert codec(f"wire {b''.join(wire).hex()}") == list(told_by_host(FrameDecoder(), b"".join(wire)))


def noise(random: Random, length: int) -> bytes:
    """Bytes as a bad wire might bring them: blocks of COBS that almost fit, good frames, and good frames damaged."""
    made = bytearray()
    while len(made) < length:
        choice = random.random()
        if choice < 0.3:
            made += random.randbytes(random.randrange(80))
        elif choice < 0.6:
            made += bytes(random.choice((0, 1, 2, 3, 5, random.randrange(256))) for _ in range(random.randrange(70)))
        else:
            kind = random.choice([*sorted(MESSAGES.keys() - {LONG}), random.randrange(LONG)])
            payload = random.randbytes(random.choice((0, 2, 4, 11, 18, 22, MAXIMUM_PAYLOAD)))
            frame = bytearray(encode_frame(WireFrame(kind, random.randrange(256), payload)))
            if choice > 0.8:
                frame[random.randrange(len(frame))] = random.randrange(256)
            if choice > 0.95:
                del frame[random.randrange(len(frame))]
            made += frame
    return bytes(made[:length])


def test_millions_of_bytes_mean_the_same_on_both_sides(*, whole: bool) -> None:
    bulk = BULK if whole else BULK // 10
    random = Random(20)  # noqa: S311 - noise on a wire, no secret
    decoder = FrameDecoder()
    pieces = [noise(random, PIECE) for _ in range(bulk // PIECE)]
    firmware = iter(codec(*(f"wire {piece.hex()}" for piece in pieces)))
    for number, piece in enumerate(pieces):
        for expected in told_by_host(decoder, piece):
            assert next(firmware) == expected, f"in piece {number}"
    assert next(firmware, None) is None
    assert decoder.counts.good > bulk // 200
    counts = decoder.counts
    assert min(counts.bad_checksum, counts.overlong, counts.short, counts.malformed) > bulk // 30_000


@given(some.lists(some.binary(max_size=120), min_size=20, max_size=60))
@settings(max_examples=settings().max_examples // 2)
def test_any_bytes_mean_the_same_on_both_sides(pieces: list[bytes]) -> None:
    decoder = FrameDecoder()
    expected = [line for piece in pieces for line in told_by_host(decoder, piece)]
    assert codec(*(f"wire {piece.hex()}" for piece in pieces)) == expected
