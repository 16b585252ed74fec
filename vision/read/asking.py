"""Which of the things that are not read a person is asked about."""

from __future__ import annotations

from rules.dice import DieState, Symbol
from vision.pose.networks import KIND_NONE, Judgement
from vision.read.detection import Detection
from vision.read.thresholds import (
    ASKED_DIE,
    ASKED_FACE,
    CONTRADICTED_DIE,
    CONTRADICTED_GLANCE,
    EVEN,
    FLAT_LIKELY,
    FLAT_SURELY,
    HEAP_ANY_KIND,
    HEAP_GLANCE,
    HEAP_ONE_KIND,
    RANKS_ASKED,
)


def worth_asking(one: Detection) -> bool:
    """Whether it is worth asking a person about."""
    face, chance = one.verdict.best
    if one.reading.state is DieState.COCKED:
        return True
    hardly_a_face = face is Symbol.BLANK or chance < EVEN
    if (
        one.flat.chance > FLAT_SURELY
        or one.flat.ranks > RANKS_ASKED
        or (one.flat.chance > FLAT_LIKELY and hardly_a_face)
    ):
        return False
    if one.contradicted:
        surely = one.judgement.readable > CONTRADICTED_DIE
        if one.glance > HEAP_GLANCE and _of_no_one_kind(one.judgement):
            return True
        return surely and (one.glance > CONTRADICTED_GLANCE or (face is not Symbol.BLANK and chance > ASKED_FACE))
    return one.die > ASKED_DIE or chance > ASKED_FACE


def _of_no_one_kind(judgement: Judgement) -> bool:
    return judgement.kinds[KIND_NONE] < 1 - HEAP_ANY_KIND and judgement.other[1] < HEAP_ONE_KIND
