"""The readers of the simulated tray: tags that lie on them, and what the host said they mean.

Free of I/O and of the clock; docs/tray-protocol.md, "Tagged dice", is what is kept here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from firmware_bridge.messages import Die, KindCode, SideCode, StateCode, Tag, Taught
from firmware_bridge.rolls import CHALLENGE_FACES, KINDS
from rules.dice import FACES, DieKind

ASKING_INTERVAL: Final = 0.225
"""Seconds between two TAG of the same tag."""

PATIENCE: Final = 1.0
"""Seconds without TAUGHT after which a tag counts as one that nobody taught."""

_SUMS: Final[Mapping[int, int]] = {KindCode.D20: 21, KindCode.D6: 7}
"""What two faces that lie opposite add up to."""


@dataclass(slots=True)
class _Reader:
    tags: tuple[int, ...]
    asked: float
    due: float
    meanings: dict[int, Taught]
    confirmed: bool = False
    news: bool = False


class Readers:
    """One reader a slot. `now` is seconds of any clock that never goes back."""

    def __init__(self) -> None:
        self._readers: dict[int, _Reader] = {}

    @property
    def slots(self) -> tuple[int, ...]:
        """The slots on which tags lie."""
        return tuple(self._readers)

    @property
    def deadline(self) -> float | None:
        """When to ask again or to give up waiting; None while every meaning is known."""
        waiting = [one for one in self._readers.values() if not one.confirmed]
        return min((one.due for one in waiting), default=None)

    def lay(self, slot: int, tags: tuple[int, ...], now: float) -> None:
        """Tags lie on the reader of `slot` in place of those that lay there."""
        self._readers[slot] = _Reader(tags, now, now, {})

    def lift(self, slot: int) -> None:
        """Nothing lies there any more."""
        self._readers.pop(slot, None)

    def last_tag(self, slot: int) -> int:
        """The tag that lies there; 0 where none does."""
        reader = self._readers.get(slot)
        return 0 if reader is None else reader.tags[-1]

    def forget(self, now: float) -> None:
        """SNAPSHOT came: ask for every meaning anew. Until the answers come the old ones hold."""
        for reader in self._readers.values():
            reader.asked = reader.due = now
            reader.confirmed = False

    def questions(self, now: float) -> list[Tag]:
        """The TAG messages that are due."""
        asked: list[Tag] = []
        for slot, reader in self._readers.items():
            if not reader.confirmed and now >= reader.due:
                reader.due = now + ASKING_INTERVAL
                asked += [Tag(slot, tag) for tag in reader.tags]
                if now >= reader.asked + PATIENCE and reader.meanings:
                    reader.meanings = {}
                    reader.news = True
        return asked

    def hear(self, answer: Taught) -> None:
        """Note the meaning of a tag from the host."""
        for reader in self._readers.values():
            if answer.tag in reader.tags:
                meaning = answer if _legal(answer) else Taught(answer.tag, 0, 0, 0, 0)
                reader.news |= reader.meanings.get(answer.tag) != meaning
                reader.meanings[answer.tag] = meaning
                reader.confirmed = all(tag in reader.meanings for tag in reader.tags)

    def restart(self, now: float) -> None:
        """Forget all meanings, because the tray restarted."""
        for slot, reader in list(self._readers.items()):
            self.lay(slot, reader.tags, now)

    def take_news(self) -> tuple[int, ...]:
        """The slots whose tags mean something else than when this was asked last."""
        slots = tuple(slot for slot, reader in self._readers.items() if reader.news)
        for slot in slots:
            self._readers[slot].news = False
        return slots

    def read(self, die: Die, now: float) -> Die | None:
        """What the reader makes of `die`, which lies on it; None while an answer may still come."""
        reader = self._readers[die.slot]
        known = [reader.meanings.get(tag) for tag in reader.tags]
        if None in known and now < reader.asked + PATIENCE:
            return None
        said = [one for one in known if one is not None and one.kind != KindCode.NOT_KNOWN]
        if len(reader.tags) > 1:
            same = len(said) == len(known) and len({(one.die_id, one.kind) for one in said}) == 1
            die_id, kind = (said[0].die_id, said[0].kind) if same else (0, int(KindCode.NOT_KNOWN))
            return replace(die, die_id=die_id, kind=kind, face=0, state=StateCode.COCKED, confidence=0)
        if not said:
            tag, kind = reader.tags[0], KindCode.NOT_KNOWN
            return replace(die, die_id=tag, kind=kind, face=0, state=StateCode.FAULT, confidence=0)
        (one,) = said
        if self._elsewhere(die.slot, one.die_id):
            return replace(die, die_id=one.die_id, kind=one.kind, face=0, state=StateCode.COCKED, confidence=0)
        face = _SUMS[one.kind] - one.face if one.side == SideCode.DOWN else one.face
        return replace(die, die_id=one.die_id, kind=one.kind, face=face, state=StateCode.SETTLED, confidence=100)

    def _elsewhere(self, slot: int, die_id: int) -> bool:
        """Whether a tag of the same die lies on another reader: it leans over two places."""
        return any(
            meaning.die_id == die_id and meaning.kind != KindCode.NOT_KNOWN
            for other, reader in self._readers.items()
            if other != slot
            for meaning in reader.meanings.values()
        )


def _legal(answer: Taught) -> bool:
    kind = KINDS.get(answer.kind)
    if kind is None or answer.side not in tuple(SideCode):
        return False
    if kind is DieKind.CHALLENGE:
        return answer.face in CHALLENGE_FACES and answer.side == SideCode.UP
    return answer.face in FACES[kind]
