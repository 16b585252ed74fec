"""What the firmware is made of, what of the chip it takes, and what a fuzzer can do to it in a few seconds."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.firmware_bridge.desk import HOST
from tests.firmware_bridge.emulated import BUILD, ROOT, TRAY_FIRMWARE, build

pytestmark = pytest.mark.slow

FIRMWARE = ROOT / "firmware_bridge" / "firmware"
SOURCES = sorted(FIRMWARE.rglob("*.[ch]"))
STANDARD = {"stdbool.h", "stdint.h", "string.h"}
"""The headers that the portable part may use: none needs a library or a heap."""

FLASH, RAM, STACK = 32_256, 2048, 400
"""Bytes: what a boot loader leaves, what there is, and what must stay free for the stack."""


def told(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def includes(path: Path) -> set[str]:
    return set(re.findall(r'^#include [<"]([^>"]+)[>"]', path.read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("path", sorted((FIRMWARE / "core").iterdir()), ids=lambda path: path.name)
def test_the_portable_part_knows_no_chip(path: Path) -> None:
    own = {one.name for one in (FIRMWARE / "core").iterdir()}
    assert includes(path) <= own | STANDARD
    assert not re.search(r"\b(ISR|PROGMEM|_BV|__AVR|asm|PORT[BCD]|SPDR)\b", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_every_file_opens_with_what_it_is_and_is_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("/* ")
    lines = text.splitlines()
    assert len(lines) <= 450
    assert max(map(len, lines)) <= 120


def test_it_fits_the_chip_without_a_heap() -> None:
    build("firmware")
    *_, numbers = told("avr-size", str(TRAY_FIRMWARE)).splitlines()
    text, data, bss = map(int, numbers.split()[:3])
    assert text + data <= FLASH
    assert data + bss + STACK <= RAM
    names = set(re.findall(r"\w+$", told("avr-nm", str(TRAY_FIRMWARE)), re.MULTILINE))
    assert "main" in names
    assert not names & {"malloc", "calloc", "realloc", "free", "__malloc_heap_start", "alloca"}
    size = (TRAY_FIRMWARE.parent / "tray.size").read_text(encoding="utf-8")
    assert f"flash {text + data} of {FLASH} bytes" in size
    assert f"RAM {data + bss} of {RAM} bytes" in size


@pytest.mark.parametrize(("target", "seconds", "edges"), [("fuzz-codec", 1, 200), ("fuzz-tray", 1, 1000)])
def test_a_short_hunt_by_coverage_finds_nothing(
    tmp_path: Path, target: str, seconds: int, edges: int, *, whole: bool
) -> None:
    build(f"build/host/{target}")
    lasting = seconds * 10 if whole else seconds
    done = subprocess.run(
        [HOST / target, str(lasting), "1"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
    )
    left = tmp_path / "crash.bin"
    assert done.returncode == 0, f"{done.stderr}\nthe input: {left.read_bytes().hex() if left.exists() else None}"
    walked = re.search(r"(\d+) inputs, (\d+) found worth breeding from, (\d+) edges", done.stdout)
    assert walked is not None
    assert int(walked[2]) > 0
    assert int(walked[3]) >= edges, "the engine sees where it goes"


def test_the_hunt_finds_a_planted_mistake(tmp_path: Path) -> None:
    """A decoder that forgets how long a frame may be: the engine has to breed bytes enough without a zero."""
    planted = tmp_path / "core"
    planted.mkdir()
    for name in ("checksum", "framing", "messages"):
        for ending in ("c", "h"):
            text = (FIRMWARE / "core" / f"{name}.{ending}").read_text(encoding="utf-8")
            if name == "framing" and ending == "c":
                sound = "decoder->count == FRAME_STUFFED_MOST"
                assert sound in text
                text = text.replace(sound, "decoder->count == UINT8_MAX")
            (planted / f"{name}.{ending}").write_text(text, encoding="utf-8")
    target = (ROOT / "tests/firmware_bridge/firmware_host/fuzz_codec.c").read_text(encoding="utf-8")
    (tmp_path / "target.c").write_text(target.replace("../../../firmware_bridge/firmware/", ""), encoding="utf-8")
    build("build/host/fuzz-engine.o")
    flags = ["-std=gnu11", "-O1", "-fsanitize=address,undefined", "-fsanitize-coverage=trace-pc", "-I", str(tmp_path)]
    sources = [str(planted / f"{name}.c") for name in ("checksum", "framing", "messages")]
    engine = str(BUILD / "host" / "fuzz-engine.o")
    told("gcc", *flags, "-o", str(tmp_path / "hunt"), str(tmp_path / "target.c"), *sources, engine)
    done = subprocess.run([tmp_path / "hunt", "60", "1"], cwd=tmp_path, capture_output=True, check=False, timeout=300)
    assert done.returncode != 0
    assert (tmp_path / "crash.bin").stat().st_size > 0
    assert b"index 53 out of bounds" in done.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("file", "bound", "removed", "told_of"),
    [
        ("mfrc522.c", "bool too_much = count > sizeof reply->bytes;", "bool too_much = false;", b"buffer-overflow"),
        (
            "readers.c",
            "if (whole + reply->count > (int)sizeof readers->part)",
            "if (whole + reply->count > 99)",
            b"out of bounds",
        ),
        (
            "readers.c",
            "readers->level + 1 >= LEVELS",
            "readers->level + 1 >= 99",
            b"not so: desk.tray.readers.uid_length <= READERS_UID_MOST",
        ),
        (
            "well.c",
            "taught->face <= faces(taught->kind)",
            "faces(taught->kind) > 0",
            b"not so: die->state != STATE_SETTLED || was_taught(die)",
        ),
        ("framing.c", "block == 0 || block - 1 > count - from", "block == 0", b"not so: counts->malformed =="),
        (
            "framing.c",
            "if (checksum_of(decoder->bytes, content) != ",
            "if (false && checksum_of(decoder->bytes, content) != ",
            b"not so: known || free",
        ),
        (
            "floor.c",
            "        blank(die, STATE_COCKED);\n    }\n    return true;",
            "    }\n    return true;",
            b"not so: slot == die->slot || other->state != STATE_SETTLED ||",
        ),
        ("framing.c", "decoder->count == FRAME_STUFFED_MOST", "decoder->count == UINT8_MAX", b"index 53 out of bounds"),
        (
            "messages.c",
            "if (length < message_##name##_size)",
            "if (false && length < message_##name##_size)",
            b"not so: !mute",
        ),
        ("framing.c", "if (length < FRAME_HEAD + FRAME_CHECKSUM) {", "if (false) {", b"not so: counts->too_short =="),
        ("framing.c", "if (length == 0 && !empty) {", "if (false && !empty) {", b"not so: counts->too_short =="),
        ("link.c", "place < BOARD_SLOTS ? place : WHOLE_TRAY", "place", b"not so: fault.slot < BOARD_SLOTS ||"),
        ("tray.c", "if (heard.snapshot.boot_id != tray->identity.boot_id)", "if (false)", b"not so: known || free"),
        (
            "tray.c",
            "bool exists = wish->pattern <= LAMP_TURNING;",
            "bool exists = true;",
            b"not so: result.command != message_ring_type ||",
        ),
    ],
)
def test_the_hunt_finds_a_bound_of_the_whole_tray_that_is_removed(
    tmp_path: Path, file: str, bound: str, removed: str, told_of: bytes
) -> None:
    """The first three are of the readers' bytes: the chip says how many came, and on a bad wire it says anything.

    `told_of` is what the sanitizer says, or the target of the promise that was broken.
    """
    for folder in ("firmware_bridge/firmware/core", "firmware_bridge/emulator", "tests/firmware_bridge/firmware_host"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    core = tmp_path / "firmware_bridge" / "firmware" / "core"
    text = (core / file).read_text(encoding="utf-8")
    assert bound in text
    (core / file).write_text(text.replace(bound, removed), encoding="utf-8")
    build("build/host/fuzz-engine.o")
    host, emulator = tmp_path / "tests/firmware_bridge/firmware_host", tmp_path / "firmware_bridge/emulator"
    sources = [
        host / "fuzz_tray.c",
        host / "desk_board.c",
        *core.glob("*.c"),
        emulator / "mfrc522.c",
        emulator / "picc.c",
    ]
    flags = ["-std=gnu11", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    flags += ["-fsanitize-coverage=trace-pc"]
    told("gcc", *flags, "-o", str(tmp_path / "hunt"), *map(str, sources), str(BUILD / "host" / "fuzz-engine.o"))
    done = subprocess.run([tmp_path / "hunt", "240", "1"], cwd=tmp_path, capture_output=True, check=False, timeout=300)
    assert done.returncode != 0
    assert (tmp_path / "crash.bin").exists()
    assert told_of in done.stderr, "another crash than the one that the bound keeps out"
