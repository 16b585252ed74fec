"""Messages: round trips, higher minor versions, and payloads that are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import MessageError
from firmware_bridge.framing import MAXIMUM_PAYLOAD, WireFrame
from firmware_bridge.messages import FROM_TRAY, MESSAGES, Beat, Chunk, Decoded, Message, Ping, Unknown, decode


@given(st.sampled_from(sorted(MESSAGES)), st.data(), st.integers(0, 1000), st.binary(max_size=10))
def test_round_trip_and_more_fields_of_a_higher_minor(
    code: int, data: st.DataObject, sequence: int, more: bytes
) -> None:
    kind = MESSAGES[code]
    if kind is Chunk:
        more = b""
    size = kind.LAYOUT.size + 5 * (kind is Chunk)
    payload = data.draw(st.binary(min_size=size, max_size=size))
    message = kind.from_bytes(payload)
    assert message.to_bytes() == payload
    frame = message.to_frame(sequence)
    assert (frame.code, frame.sequence) == (code, sequence % 256)
    assert decode(WireFrame(code, 0, payload + more)) == Decoded(message, len(more))


@pytest.mark.parametrize("kind", MESSAGES.values(), ids=lambda kind: kind.__name__)
def test_a_short_payload_is_refused(kind: type[Message]) -> None:
    with pytest.raises(MessageError, match="takes"):
        kind.from_bytes(bytes((kind.FIRST_LAYOUT or kind.LAYOUT).size - 1))
    assert kind.LAYOUT.size <= MAXIMUM_PAYLOAD


def test_what_a_later_minor_version_added_may_be_missing() -> None:
    beat = Beat(600, 7, 1, 2, 3, 4, malformed=5, short=6, overruns=7)
    for lacking in (0, 2, 4, 6):
        decoded = decode(WireFrame(Beat.CODE, 0, beat.to_bytes()[: 20 - lacking]))
        assert isinstance(decoded.message, Beat)
        assert (decoded.message.reader_errors, decoded.trailing) == (4, 0)
        assert decoded.message.overruns == (7 if lacking == 0 else 0)


def test_types_are_split_by_direction() -> None:
    assert {code for code in MESSAGES if code < FROM_TRAY} == set(range(1, 11))
    assert {code for code in MESSAGES if code >= FROM_TRAY} == set(range(0x81, 0x8E))


@given(st.integers(0, 255).filter(lambda code: code not in MESSAGES), st.binary(max_size=48))
def test_an_unknown_type_is_kept_as_it_came(code: int, payload: bytes) -> None:
    assert decode(WireFrame(code, 0, payload)) == Decoded(Unknown(code, payload))


def test_a_value_too_wide_for_its_field_is_refused() -> None:
    with pytest.raises(MessageError, match="fit"):
        Ping(70_000).to_bytes()
