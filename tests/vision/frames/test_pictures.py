"""Still pictures: every usual kind is read as a viewer shows it, every hostile one refused in words."""

from __future__ import annotations

import base64
import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dice import Box
from tests.vision.taken import exif, with_exif
from vision.errors import PictureError, PictureTooLargeError
from vision.frames.picture_header import PictureHeader, PictureKind, read_header
from vision.frames.pictures import (
    WORKING_PIXELS,
    Picture,
    cropped,
    decode_picture,
    encode_jpeg,
    encode_png,
    load_picture,
)
from vision.ports import Pixels

RED = (0, 0, 255)
CMYK_RED = base64.b64decode(
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3QEhcTkBEV0U3OFBtUVdfYmdoZz5NcXlw"
    "ZHhcZWdj/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAAB"
    "fQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hp"
    "anN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5"
    "+v/aAA4EQwBNAFkASwAAPwD0CvP68/r0Ciiiiiiiiiiiiv/Z"
)
ANIMATED_GIF = base64.b64decode(
    "R0lGODlhBAADAIEAAP8AAAAAAAAAAAAAACH5BAAKAAAALAAAAAAEAAMAAAgIAAEIHEhQYEAAIfkEAQoAAQAsAAAAAAQAAwCBAAD/AAAAAAAA"
    "AAAACAgAAQgcSFBgQAA7"
)


def quarters() -> Pixels:
    """Four differently coloured quarters, 80 x 60, so that every turn and mirror shows."""
    picture = np.zeros((60, 80, 3), np.uint8)
    picture[:30, :40], picture[:30, 40:], picture[30:, :40] = (0, 0, 255), (0, 255, 0), (255, 0, 0)
    return picture


def coded(suffix: str, picture: cv2.typing.MatLike, *settings: int) -> bytes:
    done, data = cv2.imencode(suffix, picture, list(settings))
    assert done
    return data.tobytes()


def png_chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def bomb(width: int, height: int) -> bytes:
    """A small PNG that claims to be a large picture."""
    size = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", size) + png_chunk(b"IDAT", body) + png_chunk(b"IEND", b"")


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp", ".bmp", ".ppm", ".tiff"])
def test_every_usual_kind_is_read(suffix: str) -> None:
    picture = decode_picture(coded(suffix, quarters()))
    assert (picture.width, picture.height) == (80, 60)
    assert picture.pixels.dtype == np.uint8
    assert np.abs(picture.pixels[10, 10].astype(int) - RED).max() < 12
    assert np.abs(picture.pixels[50, 70].astype(int)).max() < 12


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_jpeg_stands_as_a_viewer_shows_it(orientation: int) -> None:
    data = with_exif(coded(".jpg", quarters()), orientation)
    shown = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    picture = decode_picture(data)
    assert (picture.height, picture.width) == shown.shape[:2]
    assert np.array_equal(picture.pixels, shown)


def test_a_png_with_orientation_is_turned() -> None:
    plain = coded(".png", quarters())
    end = plain.index(b"IDAT") - 4
    picture = decode_picture(plain[:end] + png_chunk(b"eXIf", exif(6)) + plain[end:])
    assert (picture.width, picture.height) == (60, 80)
    assert np.array_equal(picture.pixels, cv2.rotate(quarters(), cv2.ROTATE_90_CLOCKWISE))


def test_grey_and_deep_pictures_become_eight_bit_colour() -> None:
    grey = np.full((20, 30), 0x8000, np.uint16)
    for data in (coded(".png", grey), coded(".png", (grey >> 8).astype(np.uint8)), coded(".tiff", grey)):
        picture = decode_picture(data)
        assert picture.pixels.shape == (20, 30, 3)
        assert np.abs(picture.pixels.astype(int) - 128).max() <= 1


@pytest.mark.parametrize("suffix", [".png", ".webp"])
def test_what_is_transparent_shows_white_as_paper_would(suffix: str) -> None:
    clear = np.zeros((20, 30, 4), np.uint8)
    clear[:, :15] = (10, 20, 30, 255)
    pixels = decode_picture(coded(suffix, clear, cv2.IMWRITE_WEBP_QUALITY, 101)).pixels
    assert pixels[5, 25].tolist() == [255, 255, 255]
    assert np.abs(pixels[5, 5].astype(int) - (10, 20, 30)).max() <= 2


def test_deep_transparency_is_laid_on_white_too() -> None:
    clear = np.zeros((20, 30, 4), np.uint16)
    clear[:, :15] = (0x1000, 0x2000, 0x3000, 0xFFFF)
    pixels = decode_picture(coded(".png", clear)).pixels
    assert pixels[5, 25].tolist() == [255, 255, 255]
    assert pixels[5, 5].tolist() == [0x10, 0x20, 0x30]


def test_a_cmyk_jpeg_is_read_in_its_colours() -> None:
    pixels = decode_picture(CMYK_RED).pixels
    assert pixels.shape == (16, 16, 3)
    assert pixels[8, 8, 2] > 200
    assert pixels[8, 8, :2].max() < 60


def test_of_an_animation_the_first_picture_counts() -> None:
    assert decode_picture(ANIMATED_GIF).pixels[1, 1].tolist() == list(RED)


def test_forty_megapixels_are_worked_on_as_a_smaller_copy(tmp_path: Path) -> None:
    large = np.zeros((5152, 7728, 3), np.uint8)
    large[1000:2000, 3000:5000] = RED
    path = tmp_path / "large.jpg"
    path.write_bytes(coded(".jpg", large))
    picture = load_picture(path)
    assert (picture.width, picture.height) == (7728, 5152)
    rows, columns = picture.pixels.shape[:2]
    assert rows * columns <= WORKING_PIXELS
    assert abs(rows / columns - 5152 / 7728) < 0.002
    red = cv2.boundingRect((picture.pixels[:, :, 2] > 128).astype(np.uint8))
    box = picture.box_as_given(Box(*red))
    assert np.abs(np.subtract((box.x, box.y, box.width, box.height), (3000, 1000, 2000, 1000))).max() <= 4


@pytest.mark.parametrize(("width", "height"), [(100_000, 100_000), (20_000, 10_000), (2**31 - 1, 2**31 - 1)])
def test_a_bomb_is_refused_before_it_is_decoded(width: int, height: int, monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[object] = []
    monkeypatch.setattr(cv2, "imdecode", lambda *told: decoded.append(told))
    with pytest.raises(PictureTooLargeError, match="megapixels are read"):
        decode_picture(bomb(width, height))
    assert not decoded


def test_transparency_counts_towards_the_memory_that_decoding_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.frames.pictures.LARGEST_DECODED", 20_000)
    clear = np.zeros((60, 80, 4), np.uint16)
    with pytest.raises(PictureTooLargeError, match="too much memory"):
        decode_picture(coded(".png", clear))
    assert decode_picture(coded(".png", quarters())).width == 80


def test_a_small_file_that_lies_about_its_size_is_refused() -> None:
    with pytest.raises(PictureError, match="damaged"):
        decode_picture(bomb(4000, 3000))


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp", ".bmp", ".ppm", ".tiff"])
def test_a_picture_that_is_cut_off_is_refused_and_not_half_read(suffix: str) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (200, 300, 3), dtype=np.uint8)
    data = coded(suffix, noise)
    for part in (0.1, 0.5, 0.9):
        with pytest.raises(PictureError, match=r"cut off|damaged"):
            decode_picture(data[: int(len(data) * part)])


@pytest.mark.parametrize("foot", [0, 40])
@pytest.mark.parametrize("interval", [0, 4])
def test_a_jpeg_picture_that_is_closed_before_all_of_it_came_is_refused_and_one_with_a_grey_foot_is_not(
    foot: int, interval: int
) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (200, 300, 3), dtype=np.uint8)
    noise[200 - foot :] = 128
    data = cv2.imencode(".jpg", noise, [cv2.IMWRITE_JPEG_RST_INTERVAL, interval])[1].tobytes()
    assert decode_picture(data).height == 200
    for part in (0.1, 0.5, 0.8):
        with pytest.raises(PictureError, match="cut off"):
            decode_picture(data[: int(len(data) * part)] + b"\xff\xd9")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello",
        b"\xff\xd8\xff",
        b"\x89PNG\r\n\x1a\n",
        b"RIFF\0\0\0\0AVI ",
        b"BM",
        b"P6 junk",
        b"II*\0",
        b"\0" * 99,
    ],
)
def test_what_is_no_picture_is_refused_with_a_remedy(data: bytes) -> None:
    with pytest.raises(PictureError, match=r"save|use"):
        decode_picture(data)


@given(
    st.binary(max_size=300),
    st.sampled_from([b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF0000WEBP", b"BM", b"II*\0", b"P5"]),
)
def test_no_bytes_break_the_header(tail: bytes, start: bytes) -> None:
    try:
        header = read_header(start + tail)
    except PictureError:
        return
    assert isinstance(header, PictureHeader)
    assert header.width > 0
    assert header.height > 0


@given(st.data())
def test_no_damage_to_a_picture_breaks_the_decoder(data: st.DataObject) -> None:
    suffix = data.draw(st.sampled_from([".png", ".jpg", ".bmp", ".webp", ".tiff", ".gif", ".ppm"]))
    broken = bytearray(coded(suffix, quarters()))
    for _ in range(data.draw(st.integers(1, 8))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    try:
        picture = decode_picture(bytes(broken))
    except PictureError:
        return
    assert picture.pixels.dtype == np.uint8
    assert picture.pixels.shape[2] == 3


def test_a_file_is_named_in_its_error(tmp_path: Path) -> None:
    for name, make, words in (
        ("absent.png", None, "no such file"),
        ("folder.png", Path.mkdir, "folder"),
        ("pipe.png", os.mkfifo, "device or a pipe"),
        ("text.png", Path.touch, "empty"),
    ):
        path = tmp_path / name
        if make is not None:
            make(path)
        with pytest.raises(PictureError, match=words) as caught:
            load_picture(path)
        assert name in str(caught.value)


def test_a_picture_that_may_not_be_read_says_so() -> None:
    with pytest.raises(PictureError, match="cannot be read"):
        load_picture("bad\0name")


def test_a_huge_file_is_not_read_at_all(tmp_path: Path) -> None:
    path = tmp_path / "huge.png"
    with path.open("wb") as file:
        file.truncate(2**32)
    with pytest.raises(PictureTooLargeError, match="MiB"):
        load_picture(path)


def test_a_crop_stays_inside_and_the_encodings_come_back() -> None:
    pixels = quarters()
    assert cropped(pixels, Box(70, 50, 20, 20)).shape == (15, 15, 3)
    assert cropped(pixels, Box(500, 500, 5, 5)).size > 0
    assert np.array_equal(decode_picture(encode_png(pixels)).pixels, pixels)
    small = decode_picture(encode_jpeg(pixels, widest=40))
    assert (small.width, small.height) == (40, 30)


def test_a_box_of_a_full_size_picture_is_left_alone() -> None:
    assert Picture(quarters(), 80, 60).box_as_given(Box(3, 4, 5, 6)) == Box(3, 4, 5, 6)


def test_nothing_is_chattered_on_standard_error(tmp_path: Path) -> None:
    path = tmp_path / "cut.bmp"
    path.write_bytes(coded(".bmp", quarters())[:5000])
    code = (
        "import sys; from vision.frames.pictures import *\n"
        "try: load_picture(sys.argv[1])\nexcept Exception as e: print(e)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert "cut.bmp" in done.stdout
    assert done.stderr == ""


def test_every_kind_says_its_size() -> None:
    for suffix, kind in ((".png", PictureKind.PNG), (".jpg", PictureKind.JPEG), (".webp", PictureKind.WEBP)):
        header = read_header(coded(suffix, quarters()))
        assert (header.kind, header.width, header.height, header.whole) == (kind, 80, 60, True)


def test_no_name_is_no_folder() -> None:
    with pytest.raises(PictureError, match="no picture is named"):
        load_picture("")
