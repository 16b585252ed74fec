"""What a picture's file tells of the lens: believed where it can be so, and harmless whatever stands there."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.taken import TakenWith, by_phone, exif, with_exif
from vision.frames import picture_header
from vision.frames.exif import Exif, exif_of
from vision.frames.picture_header import read_header
from vision.frames.pictures import decode_picture

WIDE, USUAL = TakenWith(13), TakenWith(26)
SIZE = (400, 300)


def coded(suffix: str, size: tuple[int, int] = SIZE) -> bytes:
    done, data = cv2.imencode(suffix, np.full((size[1], size[0], 3), 90, np.uint8))
    assert done
    return data.tobytes()


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def as_png(block: bytes) -> bytes:
    plain = coded(".png")
    end = plain.index(b"IDAT") - 4
    return plain[:end] + chunk(b"eXIf", block) + plain[end:]


def as_webp(block: bytes) -> bytes:
    plain = coded(".webp")
    body = plain[12:] + b"EXIF" + struct.pack("<I", len(block)) + block + bytes(len(block) % 2)
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def as_tiff(lens: TakenWith) -> bytes:
    """A TIFF file of one grey pixel strip of 400 x 300, whose directory leads to that of the taking."""
    block = exif(1, lens)
    inner = block[38:]
    rows = [
        (0x0100, 3, SIZE[0]), (0x0101, 3, SIZE[1]), (0x0102, 3, 8), (0x0103, 3, 1), (0x0106, 3, 1),
        (0x0111, 4, 0), (0x0115, 3, 1), (0x0116, 3, SIZE[1]), (0x0117, 4, SIZE[0] * SIZE[1]), (0x8769, 4, 0),
    ]  # fmt: skip
    after = 8 + 2 + 12 * len(rows) + 4
    placed = {0x0111: after + len(inner), 0x8769: after}
    body = b"".join(struct.pack("<HHII", tag, kind, 1, placed.get(tag, value)) for tag, kind, value in rows)
    start = b"II*\0" + struct.pack("<IH", 8, len(rows))
    return start + body + bytes(4) + inner + bytes([90]) * (SIZE[0] * SIZE[1])


def test_the_diagonal_of_film_gives_the_longer_side_of_a_phones_picture() -> None:
    """26 mm is 79.5 degrees from corner to corner, so 67.3 along the longer side of 4 by 3, 69.4 of 3 by 2."""
    assert exif_of(exif(1, USUAL)).hfov(4032, 3024) == pytest.approx(67.30, abs=0.01)
    assert exif_of(exif(6, USUAL)).hfov(3024, 4032) == pytest.approx(67.30, abs=0.01), "upright as well"
    assert exif_of(exif(1, USUAL)).hfov(6000, 4000) == pytest.approx(69.39, abs=0.01)
    assert exif_of(exif(1, WIDE)).hfov(1920, 1080) == pytest.approx(110.83, abs=0.01)
    assert exif_of(exif(1, USUAL, order=">")) == exif_of(exif(1, USUAL)) == Exif(1, 26)


@pytest.mark.parametrize(
    "data",
    [with_exif(coded(".jpg"), lens=WIDE), as_png(exif(1, WIDE)), as_webp(exif(1, WIDE)), as_tiff(WIDE)],
    ids=["jpeg", "png", "webp", "tiff"],
)
def test_every_kind_of_file_that_holds_it_tells_the_lens(data: bytes) -> None:
    picture = decode_picture(data)
    assert picture.hfov == pytest.approx(106.2, abs=0.1)
    assert (picture.width, picture.height) == SIZE


def test_a_picture_that_a_phone_stored_on_its_side_tells_it_too() -> None:
    plain = by_phone(np.full((300, 400, 3), 90, np.uint8), (300, 400))
    assert decode_picture(plain).hfov is None
    lens = replace(USUAL, size=SIZE, focal=(425, 100), zoom=(1, 1))
    told = decode_picture(with_exif(coded(".jpg"), 6, lens))
    assert (told.width, told.height) == (300, 400)
    assert told.hfov == pytest.approx(67.3, abs=0.1)


@pytest.mark.parametrize(
    ("lens", "why"),
    [
        (TakenWith(0), "0 means unknown"),
        (TakenWith(5), "a fisheye, or nonsense"),
        (TakenWith(9920), "some cameras write so"),
        (replace(USUAL, size=(4032, 2268)), "cut to another shape"),
        (replace(USUAL, zoom=(2, 1)), "zoomed: some makers count it in, some do not"),
        (TakenWith(177, focal=(399, 100)), "some iPhones write so of small pictures"),
        (TakenWith(26, focal=(2600, 10)), "no sensor is ten times as large as film"),
    ],
)
def test_what_cannot_be_so_is_not_believed(lens: TakenWith, why: str) -> None:
    assert decode_picture(with_exif(coded(".jpg"), lens=lens)).hfov is None, why


@pytest.mark.parametrize(
    "lens",
    [
        replace(USUAL, zoom=(0, 1)),
        replace(USUAL, zoom=(0, 0)),
        replace(USUAL, zoom=(102, 100)),
        replace(USUAL, focal=(0, 0)),
        replace(USUAL, focal=(425, 100)),
        replace(USUAL, size=(4032, 3024)),
        replace(USUAL, size=(3024, 4032)),
        replace(USUAL, size=(0, 3)),
    ],
)
def test_a_picture_that_was_made_smaller_or_says_no_more_is_believed(lens: TakenWith) -> None:
    assert decode_picture(with_exif(coded(".jpg"), lens=lens)).hfov == pytest.approx(67.3, abs=0.1)


@pytest.mark.parametrize("size", [(400, 340), (400, 100), (301, 400), (2, 400)])
def test_a_shape_that_no_camera_takes_was_cut_out(size: tuple[int, int]) -> None:
    expected = size == (301, 400)  # within the rounding
    assert (decode_picture(with_exif(coded(".jpg", size), lens=USUAL)).hfov is not None) is expected


@given(st.binary(max_size=200), st.sampled_from([b"", b"II*\0", b"MM\0*", b"II*\0\x08\0\0\0"]))
def test_no_bytes_break_it(tail: bytes, start: bytes) -> None:
    harmless(exif_of(start + tail))


@given(st.data())
def test_no_damage_to_a_block_breaks_it(data: st.DataObject) -> None:
    lens = TakenWith(26, (425, 100), (1, 1), (400, 300))
    block = bytearray(exif(6, lens, order=data.draw(st.sampled_from("<>"))))
    for _ in range(data.draw(st.integers(1, 6))):
        block[data.draw(st.integers(0, len(block) - 1))] = data.draw(st.sampled_from([0, 1, 8, 38, 127, 128, 255]))
    harmless(exif_of(bytes(block[: data.draw(st.integers(0, len(block)))])))


def harmless(told: Exif) -> None:
    assert told.orientation in range(1, 9)
    for width, height in ((4, 3), (1, 1), (1, 60_000), (65_535, 65_535)):
        hfov = told.hfov(width, height)
        assert hfov is None or 5 < hfov < 140


def test_a_directory_that_leads_to_itself_or_beyond_the_end_is_walked_once() -> None:
    itself = struct.pack("<HHHII", 65_535, 0x8769, 4, 1, 8)
    assert exif_of(b"II*\0" + struct.pack("<I", 8) + itself * 5000) == Exif()
    for at in (0, 7, 9, 2**31, 2**32 - 1):
        assert exif_of(b"MM\0*" + struct.pack(">I", at) + bytes(40)) == Exif()
    far = exif(1, USUAL).replace(struct.pack("<HHII", 0x8769, 4, 1, 38), struct.pack("<HHII", 0x8769, 4, 1, 2**32 - 2))
    assert exif_of(far) == Exif()


@pytest.mark.parametrize("kind", ["jpeg", "png", "webp"])
def test_of_many_blocks_the_first_counts_and_no_other_is_looked_at(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of 20 megabytes could hold thousands of them."""
    looked: list[bytes] = []

    def counting(block: bytes) -> Exif:
        looked.append(block)
        return exif_of(block)

    monkeypatch.setattr(picture_header, "exif_of", counting)
    data = {
        "jpeg": with_exif(with_exif(coded(".jpg"), lens=WIDE), lens=USUAL),
        "png": as_png(exif(1, USUAL)),
        "webp": as_webp(exif(1, USUAL)),
    }[kind]
    if kind == "png":
        end = data.index(b"IDAT") - 4
        data = data[:end] + chunk(b"eXIf", exif(1, WIDE)) * 9 + data[end:]
    elif kind == "webp":
        block = exif(1, WIDE)
        more = (b"EXIF" + struct.pack("<I", len(block)) + block) * 9
        data = data[:4] + struct.pack("<I", len(data) - 8 + len(more)) + data[8:] + more
    assert read_header(data).hfov == pytest.approx(67.3, abs=0.1)
    assert len(looked) == 1
