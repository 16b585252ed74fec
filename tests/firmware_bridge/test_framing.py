"""Frames: golden bytes, round trips, and every way of being no frame."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.framing import LONG, LONG_PAYLOAD, MAXIMUM_PAYLOAD, FrameDecoder, WireFrame, checksum, encode_frame

short_types = st.integers(0, 255).filter(lambda code: code != LONG)
frames = st.builds(WireFrame, short_types, st.integers(0, 255), st.binary(max_size=MAXIMUM_PAYLOAD))


def test_the_checksum_is_ccitt_false() -> None:
    assert checksum(b"123456789") == 0x29B1


def test_golden_frame_with_zeros_inside() -> None:
    assert encode_frame(WireFrame(0x83, 0, b"\x00\x11")) == bytes.fromhex("00 02 83 01 04 11 34 c0 00")


@given(st.lists(frames, max_size=5), st.data())
def test_frames_survive_however_they_are_split(sent: list[WireFrame], data: st.DataObject) -> None:
    wire = b"".join(encode_frame(frame) for frame in sent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=8)))
    decoder = FrameDecoder()
    received = []
    for start, end in zip([0, *cuts], [*cuts, len(wire)], strict=True):
        received += decoder.feed(wire[start:end])
    assert received == sent
    assert decoder.counts.good == len(sent)
    assert decoder.counts.dropped == 0


@given(frames)
def test_no_zero_inside_a_frame(frame: WireFrame) -> None:
    wire = encode_frame(frame)
    assert wire[0] == wire[-1] == 0
    assert 0 not in wire[1:-1]
    assert len(wire) <= 55


@given(st.lists(st.binary(max_size=300), max_size=20))
def test_any_bytes_are_taken_and_the_buffer_stays_small(pieces: list[bytes]) -> None:
    decoder = FrameDecoder()
    for piece in pieces:
        decoder.feed(piece)
        assert decoder.pending <= 53
    decoder.feed(b"\x00")
    assert decoder.feed(encode_frame(WireFrame(1, 2, b"after"))) == [WireFrame(1, 2, b"after")]


@given(frames, st.data())
def test_one_flipped_bit_never_passes_as_another_frame_of_the_same_length(
    frame: WireFrame, data: st.DataObject
) -> None:
    body = bytes((frame.code, frame.sequence)) + frame.payload
    bit = data.draw(st.integers(0, 8 * len(body) - 1))
    damaged = bytearray(body)
    damaged[bit // 8] ^= 1 << bit % 8
    assert checksum(bytes(damaged)) != checksum(body)


def test_noise_before_a_frame_does_not_cost_the_frame() -> None:
    decoder = FrameDecoder()
    assert decoder.feed(b"\xff\xfeboot" + encode_frame(WireFrame(7, 7, b""))) == [WireFrame(7, 7, b"")]
    assert decoder.counts.dropped == 1


@pytest.mark.parametrize(
    ("wire", "counter"),
    [
        (b"\x00" + b"\x01" * 54 + b"\x00", "overlong"),
        (b"\x00" + b"x" * 10_000 + b"\x00", "overlong"),
        (b"\x00\x03\x01\x02\x00", "short"),
        (b"\x00\xf0\x01\x02\x00", "malformed"),
        (encode_frame(WireFrame(1, 1, b"abc")).replace(b"b", b"B"), "bad_checksum"),
    ],
)
def test_what_is_no_frame_is_counted_once_by_its_cause(wire: bytes, counter: str) -> None:
    decoder = FrameDecoder()
    assert decoder.feed(wire) == []
    assert getattr(decoder.counts, counter) == 1
    assert decoder.counts.dropped == 1


def test_reset_forgets_half_a_frame() -> None:
    decoder = FrameDecoder()
    wire = encode_frame(WireFrame(1, 1, b"abc"))
    decoder.feed(wire[:4])
    decoder.reset()
    assert decoder.pending == 0
    assert decoder.feed(wire) == [WireFrame(1, 1, b"abc")]


@pytest.mark.parametrize(("code", "sequence", "payload"), [(256, 0, b""), (0, -1, b""), (0, 0, b"x" * 49)])
def test_a_frame_that_cannot_be_sent_is_refused(code: int, sequence: int, payload: bytes) -> None:
    with pytest.raises(ValueError, match=r"byte"):
        WireFrame(code, sequence, payload)


@given(st.integers(0, LONG_PAYLOAD), st.integers(0, 2**32), st.sampled_from([0, 1, 255]), st.integers(1, 400))
def test_long_frames_survive_among_others(size: int, seed: int, often: int, cut: int) -> None:
    """`often` is a byte that comes again and again: nothing but zeros, or none at all."""
    random = Random(seed)  # noqa: S311 - the same bytes every time
    payload = bytes(often if random.random() < 0.9 else random.randrange(256) for _ in range(size))
    sent = [WireFrame(LONG, 7, payload), WireFrame(0x85, 8, b"\x00\x01"), WireFrame(LONG, 9, payload[::-1])]
    wire = b"".join(map(encode_frame, sent))
    decoder = FrameDecoder(long_frames=True)
    received = [frame for start in range(0, len(wire), cut) for frame in decoder.feed(wire[start : start + cut])]
    assert received == sent
    assert decoder.counts.dropped == 0


def test_a_long_frame_ends_where_the_longest_one_would() -> None:
    decoder = FrameDecoder(long_frames=True)
    assert decoder.feed(b"\x00\xff" + bytes((LONG,)) + 100_000 * b"\x01") == []
    assert (decoder.pending, decoder.counts.overlong) == (0, 1)
    assert decoder.feed(b"\x00" + encode_frame(WireFrame(1, 2, b"ok"))) == [WireFrame(1, 2, b"ok")]
    with pytest.raises(ValueError, match="1031 bytes"):
        WireFrame(LONG, 0, bytes(LONG_PAYLOAD + 1))


@given(st.integers(0, 8 * 400 - 1))
def test_one_flipped_bit_costs_a_long_frame(bit: int) -> None:
    wire = bytearray(encode_frame(WireFrame(LONG, 1, bytes(range(256)) + 130 * b"\x05")))
    wire[bit // 8 % len(wire)] ^= 1 << bit % 8
    assert all(frame.code != LONG for frame in FrameDecoder(long_frames=True).feed(bytes(wire) + b"\x00"))


def test_who_takes_no_long_frames_drops_them() -> None:
    decoder = FrameDecoder()
    assert decoder.feed(encode_frame(WireFrame(LONG, 1, bytes(500)))) == []
    assert decoder.counts.overlong == 1
