"""Decides which unread dice a person is asked about."""

from __future__ import annotations

from collections.abc import Sequence

from rules.dice import DieState, Symbol
from vision.pose.networks import KIND_NONE, Judgement
from vision.read.detection import Detection
from vision.read.faces import shows_a_numeral
from vision.read.thresholds import (
    ASKED_DIE,
    ASKED_FACE,
    CONTRADICTED_DIE,
    CONTRADICTED_GLANCE,
    EVEN,
    FLAT_BESIDE_DICE,
    FLAT_LIKELY,
    FLAT_SURELY,
    HEAP_ANY_KIND,
    HEAP_GLANCE,
    HEAP_ONE_KIND,
    RANKS_ASKED,
    THING_DIE,
)


def asked_about(dice: Sequence[Detection]) -> tuple[list[Detection], list[Detection]]:
    """The reported dice, and those of the others that do not look printed.

    Where a numeral is read, these are also what is not surely printed: clear and smoky dice look flat. Those of which
    the light shows no side do so nearly surely: of what likely shows a face in a sure pose more is asked.
    """
    others = [one for one in dice if not worth_asking(one)]
    printed = _printed_beside_dice if numeral_is_read(dice) else looks_printed
    return [one for one in dice if worth_asking(one)], [one for one in others if not printed(one)]


def counted(dice: Sequence[Detection]) -> list[Detection]:
    """The dice without unproven ones, unless they show a face and a die with a numeral is read beside them.

    On a table with dice what looks like one is a die; without any, it is print, a box or a tile. What is blank may be
    any smooth square.
    """
    proof = numeral_is_read([one for one in dice if not one.unproven])
    return [one for one in dice if not one.unproven or (proof and one.verdict.best[0] is not Symbol.BLANK)]


def numeral_is_read(dice: Sequence[Detection]) -> bool:
    """Whether a die with a numeral is read: dice lie on the table."""
    return any(one.reading.state is DieState.READ and shows_a_numeral(one.verdict) for one in dice)


def worth_asking(one: Detection) -> bool:
    """Whether it is worth asking a person about."""
    face, chance = one.verdict.best
    if one.reading.state is DieState.COCKED:
        return True
    if looks_printed(one):
        return False
    if one.contradicted:
        surely = one.judgement.readable > CONTRADICTED_DIE
        if one.glance > HEAP_GLANCE and _of_no_one_kind(one.judgement):
            return True
        return surely and (one.glance > CONTRADICTED_GLANCE or (face is not Symbol.BLANK and chance > ASKED_FACE))
    return one.die > ASKED_DIE or chance > ASKED_FACE


def looks_printed(one: Detection) -> bool:
    """Whether it looks so much like print that nobody is asked about it."""
    face, chance = one.verdict.best
    hardly_a_face = face is Symbol.BLANK or chance < EVEN
    return surely_printed(one) or (one.flat.chance > FLAT_LIKELY and hardly_a_face)


def surely_printed(one: Detection) -> bool:
    """Whether it surely is print, whatever it shows."""
    return one.flat.chance > FLAT_SURELY or one.flat.ranks > RANKS_ASKED


def likely_shown(one: Detection) -> bool:
    """Whether it is a sure die in a sure pose whose upper face shows something, more likely than not a known face."""
    face, chance = one.verdict.best
    return one.die > THING_DIE and one.likely > THING_DIE and face is not Symbol.BLANK and chance > EVEN


def _printed_beside_dice(one: Detection) -> bool:
    least = FLAT_BESIDE_DICE if likely_shown(one) else FLAT_SURELY
    return one.flat.chance > least or one.flat.ranks > RANKS_ASKED


def _of_no_one_kind(judgement: Judgement) -> bool:
    return judgement.kinds[KIND_NONE] < 1 - HEAP_ANY_KIND and judgement.other[1] < HEAP_ONE_KIND
