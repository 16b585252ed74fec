"""Dice learnt from answers this evening; never saved.

They work like taught dice (`vision.taught`): they support a reading, but never overrule it.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final

from rules.dice import DieKind, Face
from vision.desk.enrolment import EnrolmentPicture, learnt
from vision.desk.thresholds import SAID_TWICE
from vision.pose.crops import face_patch
from vision.pose.geometry import cube, icosahedron, see
from vision.pose.networks import Networks
from vision.read.detection import Detection
from vision.taught.likeness import KnownDie
from vision.taught.own_dice import OwnDie, likeness
from vision.taught.thresholds import SAME_LOOK

MOST_OF_A_KIND: Final = 8
"""Most dice of a kind remembered; the oldest is dropped first. Each makes reading a little slower."""


def after_answer(
    dice: Sequence[OwnDie],
    shown: EnrolmentPicture,
    one: Detection,
    answer: tuple[DieKind, Face],
    networks: Networks,
) -> tuple[OwnDie, ...]:
    """The evening's dice after a person said which die `one` is and what it shows.

    It is the one that the reader took it for, or one more. Raises `OwnDiceError` as `learnt` does.
    """
    kind, face = answer
    known = next((die for die in dice if die.die_id == one.verdict.owner and die.kind is kind), None)
    after = learnt(known or OwnDie(secrets.token_hex(4), str(kind), kind), shown, one, face, networks)
    others = [die for die in dice if die is not known]
    alike = [die for die in others if die.kind is kind]
    oldest = alike[0] if len(alike) >= MOST_OF_A_KIND else None
    return (*(die for die in others if die is not oldest), after)


def said_before(dice: Sequence[OwnDie], shown: EnrolmentPicture, one: Detection, answer: tuple[DieKind, Face]) -> bool:
    """Whether an earlier answer gave the same face for a die that looked like `one`."""
    kind, face = answer
    view = see(icosahedron() if kind is DieKind.D20 else cube(), one.pose, shown.camera)
    patch = face_patch(shown.grey, view, 0)
    same = (die for die in dice if die.kind is kind and die.faces == (face,))
    return any(float(KnownDie.of(die).says([patch]).best[0]) >= SAID_TWICE for die in same)


def without_twins(dice: Sequence[OwnDie], taught: OwnDie) -> tuple[OwnDie, ...]:
    """The evening's dice without those that look like a taught die: the two could not be distinguished."""

    def twin(die: OwnDie) -> bool:
        return die.kind is taught.kind and any(
            look.face == other.face and likeness(look.code, other.code) >= SAME_LOOK
            for look in die.looks
            for other in taught.looks
        )

    return tuple(die for die in dice if not twin(die))
