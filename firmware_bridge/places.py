"""The dice on the places of a tray with readers, as far as reported: for teaching, and for the pages.

Free of I/O and of the clock. A tag is known from TAG, and from DIE of a tag that nobody has taught.
"""

from __future__ import annotations

from typing import Final

from firmware_bridge.messages import Die, KindCode, SideCode, StateCode, Tag, Taught
from firmware_bridge.rolls import KIND_CODES, NOT_THROWN, face_code, is_newer
from firmware_bridge.taught import TagSide, TaughtDice
from firmware_bridge.teaching import TrayPlace, face_up, tag_words
from rules.words import Phrase, say

_STATES: Final[dict[int, Phrase]] = {
    StateCode.HANDLING: say("in a hand"),
    StateCode.ROLLING: say("rolling"),
    StateCode.COCKED: say("cocked, or two tags at once"),
    StateCode.FAULT: say("cannot be read"),
}
"""The words for a die whose face is not sure, by its state."""


def answer_to(tag: int, taught: TaughtDice) -> Taught:
    """What `tag` means, as the tray that asked with TAG wants to know it."""
    meaning = taught.meaning(tag)
    if meaning is None:
        return Taught(tag, 0, KindCode.NOT_KNOWN, 0, SideCode.UP)
    side = SideCode.DOWN if meaning.side is TagSide.DOWN else SideCode.UP
    return Taught(tag, meaning.die_id, KIND_CODES[meaning.kind], face_code(meaning.kind, meaning.face), side)


class PlaceBook:
    """The tray's newest report on each of its places."""

    def __init__(self) -> None:
        self._tags: dict[int, int] = {}
        self._dice: dict[int, Die] = {}

    def tag(self, message: Tag) -> None:
        """Note a tag that was found in a place."""
        self._tags[message.slot] = message.tag

    def die(self, message: Die) -> None:
        """Note a change of a place. News older than the place's last is ignored."""
        before = self._dice.get(message.slot)
        if before is not None and not is_newer(message.event, before.event):
            return
        self._dice[message.slot] = message
        if message.state == StateCode.REMOVED:
            self._tags.pop(message.slot, None)
        elif message.kind == KindCode.NOT_KNOWN and message.state == StateCode.FAULT and message.die_id:
            self._tags[message.slot] = message.die_id

    @property
    def untaught(self) -> tuple[int, ...]:
        """The places where a die lies whose tag nobody has taught."""
        return tuple(
            slot
            for slot, die in sorted(self._dice.items())
            if die.kind == KindCode.NOT_KNOWN and die.state == StateCode.FAULT and die.die_id
        )

    @property
    def unseen(self) -> bool:
        """Whether a die lies there that the tray did not see thrown, such as one thrown just before it restarted."""
        return any(die.roll == NOT_THROWN and die.state != StateCode.REMOVED for die in self._dice.values())

    @property
    def tagged(self) -> tuple[int, ...]:
        """The places where a tag lies that the tray can read, as far as is known."""
        return tuple(slot for slot in sorted(self._tags) if self._readable(self._dice.get(slot)))

    def view(self, taught: TaughtDice) -> tuple[TrayPlace, ...]:
        """Every place where something lies, by slot."""
        slots = sorted({*self._tags, *(slot for slot, die in self._dice.items() if die.state != StateCode.REMOVED)})
        return tuple(self._place(slot, taught) for slot in slots)

    @staticmethod
    def _readable(die: Die | None) -> bool:
        if die is None or die.state == StateCode.SETTLED:
            return True
        return die.state == StateCode.FAULT and die.kind == KindCode.NOT_KNOWN and die.die_id != 0

    def _elsewhere(self, die: Die) -> int | None:
        """Another place where `die` lies cocked too: it is one die, over two places."""
        if die.state != StateCode.COCKED or not die.die_id:
            return None
        return next(
            (
                one.slot
                for one in self._dice.values()
                if (one.die_id, one.state) == (die.die_id, StateCode.COCKED) and one.slot != die.slot
            ),
            None,
        )

    def _place(self, slot: int, taught: TaughtDice) -> TrayPlace:
        tag, die = self._tags.get(slot), self._dice.get(slot)
        if die is None or die.state == StateCode.REMOVED:  # a tag just laid there, of which no DIE has come
            return TrayPlace(
                slot, tag, sure=False, words=say("{tag}; not yet at rest", tag=tag_words(tag or 0, taught))
            )
        elsewhere = self._elsewhere(die)
        if elsewhere is not None:
            words = say("the same die as in place {place}", place=elsewhere + 1)
            return TrayPlace(slot, None, sure=False, words=words)
        if tag is None:
            return TrayPlace(slot, None, sure=False, words=_STATES.get(die.state, say("a die without a tag")))
        meaning = taught.meaning(tag)
        if die.kind == KindCode.NOT_KNOWN:
            sure = die.state == StateCode.FAULT and die.die_id == tag
        else:  # what the tray says of the die has to follow from this tag, or the news of one of them is still to come
            sure = die.state == StateCode.SETTLED and meaning is not None and die.die_id == meaning.die_id
            sure = sure and meaning is not None and die.face == face_code(meaning.kind, face_up(meaning))
        if sure:
            return TrayPlace(slot, tag, sure=True, words=tag_words(tag, taught))
        return TrayPlace(slot, tag, sure=False, words=_STATES.get(die.state, say("not yet at rest")))
