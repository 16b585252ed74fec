"""The messages of protocol version 1: one frozen dataclass each, packed little-endian without gaps.

Free of I/O and of the clock. docs/tray-protocol.md is the reference; types below 0x80 go from the host to
the tray, the others from the tray to the host. A message keeps its fields as the numbers that came over
the wire: what a number means, and what to do with one that nobody knows, is decided by whoever uses it.
"""

from __future__ import annotations

import struct
from dataclasses import astuple, dataclass
from enum import IntEnum, IntFlag
from typing import ClassVar, Final, Self

from firmware_bridge.errors import MessageError
from firmware_bridge.framing import LONG, WireFrame

MAJOR: Final = 1
"""Both sides must speak the same major version."""

MINOR: Final = 1
"""A higher minor version only adds: new types, or new fields at the end of a payload."""

FROM_TRAY: Final = 0x80
"""Types from here on are sent by the tray, those below by the host."""

WHOLE_TRAY: Final = 0xFF
"""The slot of a FAULT that concerns the tray and no single slot."""


class KindCode(IntEnum):
    """Which die (field `kind` of DIE and TAUGHT). `NOT_KNOWN`: nobody has taught the tag; such a die has no face."""

    NOT_KNOWN = 0
    D20 = 1
    CHALLENGE = 2
    D6 = 3


class StateCode(IntEnum):
    """What a die is doing (field `state` of DIE)."""

    REMOVED = 0
    HANDLING = 1
    ROLLING = 2
    SETTLED = 3
    COCKED = 4
    FAULT = 5


class SideCode(IntEnum):
    """What `face` of TAUGHT names: the face that is up while the tag is read, or the one that the tag sits under."""

    UP = 0
    DOWN = 1


class ResetCause(IntEnum):
    """Why the tray started (field `reset_cause` of HELLO)."""

    UNKNOWN = 0
    POWER = 1
    BUTTON = 2
    BROWN_OUT = 3
    WATCHDOG = 4
    COMMAND = 5


class FaultCode(IntEnum):
    """What fails (field `code` of FAULT)."""

    READER = 1
    MOTION = 2
    BEAM = 3
    LAMP = 4
    POWER = 5
    MEMORY = 6
    CAMERA = 7


class ResultCode(IntEnum):
    """What became of a command (field `code` of RESULT)."""

    DONE = 0
    UNKNOWN = 1
    BAD_VALUE = 2
    NOT_NOW = 3


class DieFlag(IntFlag):
    """Field `flags` of DIE."""

    BATTERY_LOW = 1
    SENSOR_FAULT = 2


class Capability(IntFlag):
    """Field `capabilities` of HELLO."""

    LAMP = 1
    MOTION = 2
    HAND = 4
    DIE_IDENTITY = 8
    CONFIGURABLE = 16
    PICTURES = 32


class SceneCode(IntEnum):
    """What a tray that sends pictures sees (field `state` of SCENE)."""

    REST = 0
    ROLLING = 1
    DARK = 2
    """Too dark, or too bright, for dice to be read."""


@dataclass(frozen=True, slots=True)
class Message:
    """The base of all messages: `CODE` is the frame's type, `LAYOUT` the payload's fields in order.

    `FIRST_LAYOUT` is the payload of version 1.0 where a later minor version has added fields; those are 0 where the
    sender does not know them.
    """

    CODE: ClassVar[int]
    LAYOUT: ClassVar[struct.Struct]
    FIRST_LAYOUT: ClassVar[struct.Struct | None] = None

    def to_bytes(self) -> bytes:
        """The payload. Raises `MessageError` when a field does not fit its width."""
        try:
            return self.LAYOUT.pack(*astuple(self))
        except struct.error as error:
            raise MessageError(f"{self} does not fit its payload: {error}") from error

    @classmethod
    def from_bytes(cls, payload: bytes) -> Self:
        """The message in `payload`, whatever follows its last field. Raises `MessageError` if it is too short."""
        least = (cls.FIRST_LAYOUT or cls.LAYOUT).size
        if len(payload) < least:
            raise MessageError(f"{cls.__name__} takes {least} bytes, {len(payload)} came")
        return cls(*cls.LAYOUT.unpack_from(payload.ljust(cls.LAYOUT.size, b"\x00")))

    def to_frame(self, sequence: int) -> WireFrame:
        """This message as the sender's frame number `sequence` (taken modulo 256)."""
        return WireFrame(self.CODE, sequence & 0xFF, self.to_bytes())


@dataclass(frozen=True, slots=True)
class HelloRequest(Message):
    """Host: who is there? The tray repeats `nonce` in its HELLO, so that an old answer is not taken for a new one."""

    CODE: ClassVar[int] = 0x01
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<BBH")

    major: int
    minor: int
    nonce: int


@dataclass(frozen=True, slots=True)
class Ping(Message):
    """Host: answer with PONG and the same nonce, at once."""

    CODE: ClassVar[int] = 0x02
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<H")

    nonce: int


@dataclass(frozen=True, slots=True)
class Acknowledge(Message):
    """Host: event `event` has arrived; stop repeating it."""

    CODE: ClassVar[int] = 0x03
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<H")

    event: int


@dataclass(frozen=True, slots=True)
class Snapshot(Message):
    """Host: I know boot `boot_id`; send everything that lies on the tray, with the event numbers it had."""

    CODE: ClassVar[int] = 0x04
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<I")

    boot_id: int


@dataclass(frozen=True, slots=True)
class Ring(Message):
    """Host: light the lamp ring. `pattern` 0 off, 1 steady, 2 breathing, 3 turning; colours 0..255."""

    CODE: ClassVar[int] = 0x05
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<BBBB")
    TURNING: ClassVar[int] = 3

    pattern: int
    red: int
    green: int
    blue: int


@dataclass(frozen=True, slots=True)
class Configure(Message):
    """Host: set the tray's own setting `key` to `value`; the tray answers with RESULT."""

    CODE: ClassVar[int] = 0x06
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<BI")

    key: int
    value: int


@dataclass(frozen=True, slots=True)
class Reset(Message):
    """Host: start anew. Only `magic` 0x5AA5 counts."""

    CODE: ClassVar[int] = 0x07
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<H")
    MAGIC: ClassVar[int] = 0x5AA5

    magic: int


@dataclass(frozen=True, slots=True)
class Taught(Message):
    """Host: tag `tag` belongs to die `die_id`; `face` and `side` say which face is up while the tag is read.

    `kind` 0: nobody has taught this tag. `side` is a `SideCode`; a Challenge Die has only side 0.
    """

    CODE: ClassVar[int] = 0x08
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<IIBBB")

    tag: int
    die_id: int
    kind: int
    face: int
    side: int


@dataclass(frozen=True, slots=True)
class Hello(Message):
    """Tray: who I am. `nonce` is 0 when nobody asked; `uptime` in milliseconds since this boot.

    `major` and `minor` are the first two bytes in every version for ever; `boot_id` is new at every start.
    """

    CODE: ClassVar[int] = 0x81
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<BBHHIIBBHI")

    major: int
    minor: int
    nonce: int
    firmware: int
    tray_id: int
    boot_id: int
    reset_cause: int
    slots: int
    capabilities: int
    uptime: int


@dataclass(frozen=True, slots=True)
class Pong(Message):
    """Tray: the answer to PING."""

    CODE: ClassVar[int] = 0x82
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<H")

    nonce: int


@dataclass(frozen=True, slots=True)
class Die(Message):
    """Tray: slot `slot` changed. `face` 0 is no face; `confidence` in per cent; `device_time` in milliseconds."""

    CODE: ClassVar[int] = 0x83
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<HHBIBBBBIB")

    event: int
    roll: int
    slot: int
    die_id: int
    kind: int
    face: int
    state: int
    confidence: int
    device_time: int
    flags: int


@dataclass(frozen=True, slots=True)
class RollEnd(Message):
    """Tray: roll `roll` is at rest with `count` dice; by `digest` the host knows whether it has the same ones."""

    CODE: ClassVar[int] = 0x84
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<HHBH")

    event: int
    roll: int
    count: int
    digest: int


@dataclass(frozen=True, slots=True)
class Beat(Message):
    """Tray: alive. `uptime` in milliseconds; the counters are what the tray itself had to drop, modulo 65536.

    `overruns` counts bytes of the host that were lost before the tray could take them.
    """

    CODE: ClassVar[int] = 0x85
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<IHHHHHHHH")
    FIRST_LAYOUT: ClassVar[struct.Struct | None] = struct.Struct("<IHHHHH")

    uptime: int
    last_event: int
    bad_checksum: int
    overlong: int
    unsent: int
    reader_errors: int
    malformed: int = 0
    short: int = 0
    overruns: int = 0


@dataclass(frozen=True, slots=True)
class Result(Message):
    """Tray: what became of the host's frame number `sequence` of type `command`."""

    CODE: ClassVar[int] = 0x86
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<BBB")

    sequence: int
    command: int
    code: int


@dataclass(frozen=True, slots=True)
class Fault(Message):
    """Tray: something fails, said when it begins and every 5 s while it lasts. `detail` is the maker's own number."""

    CODE: ClassVar[int] = 0x87
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<BBH")

    code: int
    slot: int
    detail: int


@dataclass(frozen=True, slots=True)
class Tag(Message):
    """Tray: tag number `tag` lies on the reader of slot `slot`; which die and face is it? Asked until TAUGHT comes."""

    CODE: ClassVar[int] = 0x88
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<BI")

    slot: int
    tag: int


@dataclass(frozen=True, slots=True)
class Want(Message):
    """Host: send `length` bytes of the picture of event `event` from `offset` on; what was wanted before is over."""

    CODE: ClassVar[int] = 0x09
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<HII")

    event: int
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class PictureReady(Message):
    """Tray: roll `roll` is at rest, and its picture is there: a JPEG file of `size` bytes whose CRC-32 is `check`."""

    CODE: ClassVar[int] = 0x89
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<HHIIHHI")

    event: int
    roll: int
    size: int
    check: int
    width: int
    height: int
    device_time: int


@dataclass(frozen=True, slots=True)
class Chunk(Message):
    """Tray: the bytes `data` of the picture of event `event`, from `offset` on. The one message of no fixed length."""

    CODE: ClassVar[int] = LONG
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<HI")

    event: int
    offset: int
    data: bytes

    def to_bytes(self) -> bytes:
        """The payload. Raises `MessageError` when a field does not fit its width."""
        try:
            return self.LAYOUT.pack(self.event, self.offset) + self.data
        except struct.error as error:
            raise MessageError(f"a chunk does not fit its payload: {error}") from error

    @classmethod
    def from_bytes(cls, payload: bytes) -> Chunk:
        """The message in `payload`. Raises `MessageError` if it is too short to carry anything."""
        if len(payload) <= cls.LAYOUT.size:
            raise MessageError(f"a chunk takes more than {cls.LAYOUT.size} bytes, {len(payload)} came")
        event, offset = cls.LAYOUT.unpack_from(payload)
        return cls(event, offset, payload[cls.LAYOUT.size :])


@dataclass(frozen=True, slots=True)
class SceneSeen(Message):
    """Tray: what it sees has changed, a `SceneCode`; said again with every BEAT."""

    CODE: ClassVar[int] = 0x8B
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<BHI")

    state: int
    roll: int
    device_time: int


@dataclass(frozen=True, slots=True)
class Sense(Message):
    """Host, since 1.1: somebody looks after the tray; answer with LEVELS, and with READER for each reader."""

    CODE: ClassVar[int] = 0x0A
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<H")

    nonce: int


class SensedFlag(IntFlag):
    """Field `flags` of LEVELS."""

    BEAM_INTERRUPTED = 1
    BUTTON_PRESSED = 2


@dataclass(frozen=True, slots=True)
class Levels(Message):
    """Tray, since 1.1: what its sensors feel. `piezo` and `floor` go from 0 to 1023.

    `piezo` is the highest since the last LEVELS, `floor` the room's own noise.
    """

    CODE: ClassVar[int] = 0x8C
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<HHB")

    piezo: int
    floor: int
    flags: int


@dataclass(frozen=True, slots=True)
class ReaderState(Message):
    """Tray, since 1.1: the reader of `slot`. `version` is what its chip says, 0 or 255 where none answers.

    `errors` counts its damaged or missing answers, modulo 65536; `tag` is the number of the last tag it read, 0 before.
    """

    CODE: ClassVar[int] = 0x8D
    LAYOUT: ClassVar[struct.Struct] = struct.Struct("<BBHI")

    slot: int
    version: int
    errors: int
    tag: int


MESSAGES: Final[dict[int, type[Message]]] = {
    message.CODE: message
    for message in (
        HelloRequest, Ping, Acknowledge, Snapshot, Ring, Configure, Reset, Taught, Want, Sense,
        Hello, Pong, Die, RollEnd, Beat, Result, Fault, Tag, PictureReady, Chunk, SceneSeen,
        Levels, ReaderState,
    )
}  # fmt: skip
"""Every message of this version by the type of its frame."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A frame of a type that this version does not have: kept for the monitor, otherwise ignored and counted."""

    code: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Decoded:
    """A frame's message, and how many bytes of a higher minor version followed its last known field."""

    message: Message | Unknown
    trailing: int = 0


def decode(frame: WireFrame) -> Decoded:
    """The message that `frame` carries. Raises `MessageError` when the payload is too short for its type."""
    kind = MESSAGES.get(frame.code)
    if kind is None:
        return Decoded(Unknown(frame.code, frame.payload))
    message = kind.from_bytes(frame.payload)
    if isinstance(message, Chunk):
        return Decoded(message)
    return Decoded(message, max(0, len(frame.payload) - kind.LAYOUT.size))
