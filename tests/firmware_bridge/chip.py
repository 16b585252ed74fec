"""The model of the MFRC522 alone, and a driver for it written from the chip's data sheet, in Python."""

from __future__ import annotations

import ctypes
import functools
from dataclasses import dataclass
from typing import Final

from tests.firmware_bridge.emulated import READERS, build

COMMAND, COM_IRQ, DIV_IRQ, ERROR, STATUS_1 = 0x01, 0x04, 0x05, 0x06, 0x07
FIFO_DATA, FIFO_LEVEL, CONTROL, BIT_FRAMING, COLL = 0x09, 0x0A, 0x0C, 0x0D, 0x0E
MODE, TX_MODE, RX_MODE, TX_CONTROL, TX_ASK = 0x11, 0x12, 0x13, 0x14, 0x15
CRC_HIGH, CRC_LOW, TIMER_MODE, TIMER_PRESCALER, TIMER_RELOAD_HIGH, TIMER_RELOAD_LOW = 0x21, 0x22, 0x2A, 0x2B, 0x2C, 0x2D
VERSION = 0x37
IDLE, CALC_CRC, TRANSCEIVE, SOFT_RESET = 0x0, 0x3, 0xC, 0xF
RX_IRQ, TIMER_IRQ = 0x20, 0x01
OVERFLOW, COLLISION, CRC_ERROR = 0x10, 0x08, 0x04
REQA, WUPA = 0x26, 0x52

_SPI_BYTE: Final = 2_000
"""Nanoseconds that eight clocks at 4 MHz take."""


@functools.cache
def _library() -> ctypes.CDLL:
    build("emulator")
    library = ctypes.CDLL(str(READERS))
    for name in ("mfrc522_run", "mfrc522_select"):
        getattr(library, name).argtypes = [ctypes.c_void_p, ctypes.c_bool, ctypes.c_uint64]
    library.mfrc522_start.argtypes = [ctypes.c_void_p, ctypes.c_uint64]
    library.mfrc522_transfer.argtypes = [ctypes.c_void_p, ctypes.c_uint8, ctypes.c_uint64]
    library.mfrc522_transfer.restype = ctypes.c_uint8
    library.picc_add.argtypes = [
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_uint,
        ctypes.c_uint,
        ctypes.c_uint64,
    ]
    library.picc_add.restype = ctypes.c_bool
    library.picc_lift.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint]
    library.picc_lift.restype = ctypes.c_bool
    return library


class Chip:
    """The chip on its SPI; time passes with every byte, and when told to."""

    def __init__(self, seed: int = 1) -> None:
        self._library = _library()
        self._memory = ctypes.create_string_buffer(1 << 14)  # room for the model's state, far more than it takes
        self._chip = ctypes.addressof(self._memory)
        self.now = 0
        self._library.mfrc522_start(self._chip, seed)

    def power(self, *, on: bool) -> None:
        self._library.mfrc522_run(self._chip, on, self.now)

    def wait(self, microseconds: float) -> None:
        self.now += int(microseconds * 1000)

    def spi(self, *sent: int) -> bytes:
        self._library.mfrc522_select(self._chip, True, self.now)  # noqa: FBT003 - the level of a line
        answers = []
        for byte in sent:
            self.now += _SPI_BYTE
            answers.append(self._library.mfrc522_transfer(self._chip, byte, self.now))
        self._library.mfrc522_select(self._chip, False, self.now)  # noqa: FBT003 - the level of a line
        return bytes(answers)

    def read(self, register: int) -> int:
        return self.spi(0x80 | register << 1, 0)[1]

    def write(self, register: int, *values: int) -> None:
        self.spi(register << 1, *values)

    def add(self, uid: bytes, percent: int = 100) -> bool:
        # the field of tags is the first member of the chip's state
        return bool(self._library.picc_add(self._chip, uid, len(uid), percent, self.now // 1000))

    def lift(self, uid: bytes = b"") -> bool:
        return bool(self._library.picc_lift(self._chip, uid, len(uid)))


@dataclass(frozen=True)
class Heard:
    """What came back: bytes, how many bits of the last one count (0: all), and the error flags."""

    data: bytes
    last_bits: int
    errors: int


class Driver:
    """A driver as the data sheet and ISO/IEC 14443-3 have it; `start` first."""

    def __init__(self, chip: Chip) -> None:
        self.chip = chip

    def start(self) -> None:
        chip = self.chip
        chip.power(on=True)
        while chip.read(COMMAND) & 0x10:
            chip.wait(50)
        chip.write(TIMER_MODE, 0x80)
        chip.write(TIMER_PRESCALER, 169)  # 13.56 MHz / 339 = 40 kHz
        chip.write(TIMER_RELOAD_HIGH, 0)
        chip.write(TIMER_RELOAD_LOW, 80)  # 2 ms
        chip.write(TX_ASK, 0x40)
        chip.write(MODE, 0x3D)
        chip.write(TX_CONTROL, 0x83)
        chip.wait(5000)

    def transceive(self, data: bytes, last_bits: int = 0, align: int = 0) -> Heard | None:
        """Send, and what came back before the chip's timer ran out; None is silence."""
        chip = self.chip
        chip.write(COMMAND, IDLE)
        chip.write(COM_IRQ, 0x7F)
        chip.write(FIFO_LEVEL, 0x80)
        chip.write(FIFO_DATA, *data)
        chip.write(COMMAND, TRANSCEIVE)
        chip.write(BIT_FRAMING, 0x80 | align << 4 | last_bits)
        for _ in range(2000):
            interrupts = chip.read(COM_IRQ)
            if interrupts & RX_IRQ:
                break
            if interrupts & TIMER_IRQ:
                return None
            chip.wait(10)
        else:
            raise TimeoutError("neither an answer nor the timer")
        errors = chip.read(ERROR)
        count = chip.read(FIFO_LEVEL)
        return Heard(bytes(chip.read(FIFO_DATA) for _ in range(count)), chip.read(CONTROL) & 7, errors)

    def request(self, command: int = REQA) -> Heard | None:
        return self.transceive(bytes((command,)), last_bits=7)

    def crc(self, data: bytes) -> bytes:
        chip = self.chip
        chip.write(COMMAND, IDLE)
        chip.write(DIV_IRQ, 0x04)
        chip.write(FIFO_LEVEL, 0x80)
        chip.write(FIFO_DATA, *data)
        chip.write(COMMAND, CALC_CRC)
        while not chip.read(DIV_IRQ) & 0x04:
            chip.wait(1)
        chip.write(COMMAND, IDLE)
        return bytes((chip.read(CRC_LOW), chip.read(CRC_HIGH)))

    def select(self) -> bytes:
        """The UID of one tag, collisions resolved towards the ones, level by level; the tag is ACTIVE then."""
        uid = b""
        for level in (0x93, 0x95, 0x97):
            part = self._anticollision(level)
            whole = bytes((level, 0x70)) + part
            answer = self.transceive(whole + self.crc(whole))
            assert answer is not None
            assert self.crc(answer.data[:1]) == answer.data[1:]
            if not answer.data[0] & 0x04:
                return uid + part[:4]
            uid += part[1:4]
        raise AssertionError("a fourth cascade level does not exist")

    def _anticollision(self, level: int) -> bytes:
        known, count = bytearray(5), 0
        while True:
            whole, rest = divmod(count, 8)
            sent = bytes((level, (2 + whole) << 4 | rest)) + bytes(known[: whole + bool(rest)])
            answer = self.transceive(sent, last_bits=rest, align=rest)
            assert answer is not None, "the tag went away"
            keep = known[whole] & ((1 << rest) - 1)
            known[whole:] = answer.data.ljust(5 - whole, b"\0")
            known[whole] |= keep
            if not answer.errors & COLLISION:
                assert known[0] ^ known[1] ^ known[2] ^ known[3] == known[4]
                return bytes(known)
            position = self.chip.read(COLL)
            assert not position & 0x20
            count = 8 * whole + ((position & 0x1F) or 32)
            known[(count - 1) // 8] |= 1 << (count - 1) % 8
            assert count <= 32

    def halt(self) -> None:
        assert self.transceive(b"\x50\x00" + self.crc(b"\x50\x00")) is None
