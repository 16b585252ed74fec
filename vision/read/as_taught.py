"""Dice that match a taught die only in another pose than the networks found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.dice import DieKind, Symbol
from vision.read.closer import is_sure, read_dice
from vision.read.die_evidence import DieEvidence, Shown
from vision.read.faces import merit
from vision.read.thresholds import TAUGHT_SURELY_POSED
from vision.taught.own_poses import posed_as_taught


def laid_as_taught(shown: Shown, dice: Sequence[DieEvidence]) -> list[DieEvidence]:
    """The dice, each in the pose in which it looks like one that was taught, where that is the more convincing one."""
    if not shown.own:
        return list(dice)
    unsure = [n for n, one in enumerate(dice) if not is_sure(one.verdict) or _unknown(shown, one)]
    before = [(dice[n].place, dice[n].up.direction) for n in unsure]
    after = posed_as_taught(shown.grey, shown.camera, before, shown.own, shown.networks)
    result = list(dice)
    for n, (old, _), new in zip(unsure, before, after, strict=True):
        if new is old:
            continue
        colour = dice[n].colour
        (verdict,) = read_dice(shown, [new], [] if colour is None else [colour])
        if merit(verdict) * new.posed > merit(dice[n].verdict) * old.posed:
            result[n] = replace(dice[n], place=new, verdict=verdict)
    return result


def _unknown(shown: Shown, one: DieEvidence) -> bool:
    """Whether a cube with the colour of a taught one matches none of them and shows a sign or nothing.

    Also whether a d20 that surely is a taught one lies in a pose that the network doubts.
    """
    verdict = one.verdict
    if verdict.kind is DieKind.D20:
        return verdict.owner is not None and min(one.place.fits, one.place.likely) < TAUGHT_SURELY_POSED
    if verdict.owner is not None or not isinstance(verdict.best[0], Symbol):
        return False
    return any(cube.colours_say(one.colour).max() > 0 for cube in shown.own.cubes)
