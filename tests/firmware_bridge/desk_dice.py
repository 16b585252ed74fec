"""Tagged dice for the firmware on the desk: their UIDs, and what the host says they mean."""

from __future__ import annotations

import zlib
from typing import Final

from firmware_bridge.messages import Die, KindCode, SideCode, StateCode, Taught
from firmware_bridge.rolls import roll_digest
from tests.firmware_bridge.desk import Desk

D20_UP, D20_DOWN, D20_OTHER = "04a1b2c3d4e580", "04a1b2c3d4e581", "10203040"
CHALLENGE, D6_DOWN = "01020304050607080910", "10203041"
STRANGER = "deadbeef"
D20_ID, OTHER_ID, CHALLENGE_ID, D6_ID = 0xD1CE0001, 0xD1CE0002, 0xD1CE0003, 0xD1CE0004


def tag(uid: str) -> int:
    """The tag number of a UID."""
    return zlib.crc32(bytes.fromhex(uid))


def meaning(uid: str, die: int, kind: KindCode, face: int, side: SideCode = SideCode.UP) -> Taught:
    """What the host says of a UID."""
    return Taught(tag(uid), die, kind, face, side)


TEACH: Final = {
    one.tag: one
    for one in (
        meaning(D20_UP, D20_ID, KindCode.D20, 17),
        meaning(D20_DOWN, D20_ID, KindCode.D20, 1, SideCode.DOWN),
        meaning(D20_OTHER, OTHER_ID, KindCode.D20, 4),
        meaning(CHALLENGE, CHALLENGE_ID, KindCode.CHALLENGE, 4),
        meaning(D6_DOWN, D6_ID, KindCode.D6, 2, SideCode.DOWN),
    )
}
SHAKY: Final = 40
"""Per cent of looks at which a tag at a dead spot answers."""


def shown(desk: Desk, slot: int) -> tuple[StateCode, int, int, int]:
    """State, face, kind and roll of a slot."""
    die = desk.die(slot)
    return StateCode(die.state), die.face, die.kind, die.roll


def assert_ended(desk: Desk, roll: int, *slots: int) -> None:
    """The newest end is that roll's, over just these slots' dice as they were told."""
    assert (desk.end.roll, desk.end.count) == (roll, len(slots))
    assert desk.end.digest == roll_digest(desk.die(slot) for slot in slots)
    assert max(die.event for die in desk.of(Die)) < desk.end.event
