"""Detects that a still's dice are too small or too large to be read."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Final

from rules.dice import DieReading, DieState, Symbol
from vision.desk.hints import Hint, HintKind
from vision.desk.thresholds import LEAST_SIDE, MOST_PIXELS, NEEDED_PIXELS, SURELY_SMALL
from vision.frames.settling import Change, Glance, SettleSettings, compare, look_at
from vision.ports import Pixels, Reader, TableReader
from vision.pose.scales import scaled

_log = logging.getLogger(__name__)

_LARGER: Final = 2.0
"""The factor by which parts of the picture are enlarged to find small dice."""
_OVERLAP: Final = 0.06
"""The overlap of these parts, as a share of the picture's sides."""


class SizeWatch:
    """`size_hint` for repeated questions about a picture that hardly changes: it is computed once."""

    def __init__(self, reader: Reader, *, longest: int) -> None:
        """As for `size_hint`."""
        self._reader = reader
        self._longest = longest
        self._said: tuple[Glance, Hint | None] | None = None

    def hint(self, picture: Pixels, dice: Sequence[DieReading]) -> Hint | None:
        """See `size_hint`."""
        if any(die.state is DieState.READ for die in dice):
            return size_hint(self._reader, picture, dice, longest=self._longest)
        look = look_at(picture)
        if self._said is None or compare(self._said[0], look, SettleSettings()) is not Change.NOTHING:
            self._said = look, size_hint(self._reader, picture, dice, longest=self._longest)
        return self._said[1]


def size_hint(reader: Reader, picture: Pixels, dice: Sequence[DieReading], *, longest: int) -> Hint | None:
    """That the dice are too small or too large, where `dice` of the picture were not all read, or none was seen.

    Also where all that were seen were read and are much too small: others beside them are seldom seen then.

    Where none was read, the picture is looked at again, enlarged and reduced: dice that are read then tell their size.
    That the picture is too small is said only where nothing in it is as large as a die has to be: a larger picture
    helps no die that leans or is hidden. Sizes are in pixels of the picture as `reader` sees it, no longer than
    `longest`. None where nothing is known. Never raises: a look that breaks tells nothing.
    """
    shrink = min(1.0, longest / max(picture.shape[:2]))
    read = [_side(die) * shrink for die in dice if die.state is DieState.READ]
    if dice and len(read) == len(dice):
        return _beyond(read) if min(read) < SURELY_SMALL * NEEDED_PIXELS else None
    if read:
        return _beyond(read)
    bare = reader.untaught() if isinstance(reader, TableReader) else reader
    seen = picture if shrink == 1 else scaled(picture, shrink)
    try:
        looks = ([_side(die) / scale for die in bare.read(part) if _surely(die)] for part, scale in _again(seen))
        hint = next((hint for sides in looks if (hint := _beyond(sides)) is not None), None)
    except Exception as why:  # noqa: BLE001 - the picture itself was read
        _log.warning("whether the dice are too small or too large cannot be told (%s: %s)", type(why).__name__, why)
        return None
    side = float(max(seen.shape[:2]))
    if hint is not None or side >= LEAST_SIDE or any(_side(die) * shrink >= NEEDED_PIXELS for die in dice):
        return hint
    return Hint(HintKind.SMALL, fine=False, value=side, needed=LEAST_SIDE)


def _again(picture: Pixels) -> Iterator[tuple[Pixels, float]]:
    """The pictures for a second look, each with its enlargement."""
    height, width = picture.shape[:2]
    for down in (slice(None, round(height * (0.5 + _OVERLAP))), slice(round(height * (0.5 - _OVERLAP)), None)):
        for across in (slice(None, round(width * (0.5 + _OVERLAP))), slice(round(width * (0.5 - _OVERLAP)), None)):
            yield scaled(picture[down, across], _LARGER), _LARGER


def _surely(die: DieReading) -> bool:
    """Whether a die was read as anything but blank: every smooth object looks blank."""
    return die.state is DieState.READ and die.face is not Symbol.BLANK


def _side(die: DieReading) -> float:
    return float(max(die.box.width, die.box.height)) if die.box is not None else 0.0


def _beyond(sides: Sequence[float]) -> Hint | None:
    """What dice of these sizes lack, if anything."""
    if sides and min(sides) < NEEDED_PIXELS:
        return Hint(HintKind.FAR, fine=False, value=min(sides), needed=NEEDED_PIXELS)
    if sides and max(sides) > MOST_PIXELS:
        return Hint(HintKind.NEAR, fine=False, value=max(sides), needed=MOST_PIXELS)
    return None
