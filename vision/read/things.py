"""Checks whether something that looks like a die is one, in a wider square in colour that shows its surroundings.

A card goes on beyond its corner, half a domino into the other half, a pencil beyond its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.dice import DieKind, DieState
from vision.pose.crops import thing_square
from vision.pose.geometry import Camera
from vision.pose.things import dice_among, rather_things_among, things_among
from vision.read.asking import likely_shown, numeral_is_read
from vision.read.cut_off import is_cut
from vision.read.detection import Detection
from vision.read.die_evidence import Shown


def without_things(shown: Shown, told: Sequence[Detection]) -> tuple[list[Detection], list[Detection]]:
    """The reported things without those that surely are no dice, and those left out.

    A read die that surely is none becomes doubtful. Taught dice, read d20s, leaning dice and dice cut off by the edge
    are not changed, nor is what shows a likely face in a sure pose on a table on which a die is read: dice that touch
    look like other things, too. Where no die is read, what rather is none is left out, also if it seems to lean.
    """
    if all(one.reading.state is not DieState.READ for one in told):
        return _rather_dice(shown, told)
    on_table = numeral_is_read(told)
    asked = [one for one in told if _worth_a_look(one, shown.camera)]
    squares = [thing_square(shown.picture, one.verdict.pose.centre, one.verdict.pose.radius) for one in asked]
    things = {id(asked[number]) for number in things_among(shown.networks, squares)}
    out = {
        id(one)
        for one in told
        if id(one) in things and one.reading.state is not DieState.READ and not (on_table and likely_shown(one))
    }
    left = [_feared(one) if id(one) in things else one for one in told if id(one) not in out]
    return left, [one for one in told if id(one) in out]


def _rather_dice(shown: Shown, told: Sequence[Detection]) -> tuple[list[Detection], list[Detection]]:
    """The things that rather are dice, and the others: cards, mats and dominoes lie there, and perhaps no die."""
    asked = [one for one in told if one.verdict.owner is None and not is_cut(one.verdict.pose, shown.camera)]
    squares = [thing_square(shown.picture, one.verdict.pose.centre, one.verdict.pose.radius) for one in asked]
    out = [asked[number] for number in rather_things_among(shown.networks, squares)]
    return [one for one in told if not any(one is other for other in out)], out


def dice_after_all(shown: Shown, left_out: Sequence[Detection]) -> list[Detection]:
    """The sure dice among things that nobody was to be asked about: their signs or materials are strange."""
    asked = [one for one in left_out if not is_cut(one.verdict.pose, shown.camera)]
    squares = [thing_square(shown.picture, one.verdict.pose.centre, one.verdict.pose.radius) for one in asked]
    return [asked[number] for number in dice_among(shown.networks, squares)]


def _worth_a_look(one: Detection, camera: Camera) -> bool:
    state = one.reading.state
    told = state is DieState.COCKED or (state is DieState.READ and one.verdict.kind is DieKind.D20)
    return not told and one.verdict.owner is None and not is_cut(one.verdict.pose, camera)


def _feared(one: Detection) -> Detection:
    """The read die, made doubtful."""
    if one.evidence is None:
        return one
    evidence = replace(one.evidence, thing=True)
    reading = replace(
        one.reading, state=DieState.DOUBTFUL, face=None, kinds=(), confidence=round(evidence.confidence(), 4)
    )
    return replace(one, reading=reading, evidence=evidence)
