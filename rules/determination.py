"""Determination and Values: what a point buys, and how points come back (DET-1 to DET-8)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rules.errors import Refusal, require_at_least
from rules.rerolls import chosen_positions
from rules.rulesets import Profile
from rules.vocabulary import ValueAction


class Benefit(StrEnum):
    """What one point of Determination buys (DET-1)."""

    PERFECT_OPPORTUNITY = "perfect_opportunity"
    MOMENT_OF_INSPIRATION = "moment_of_inspiration"
    SURGE_OF_ACTIVITY = "surge_of_activity"
    MAKE_IT_SO = "make_it_so"
    IGNORE_INJURY = "ignore_injury"


BENEFIT_RULES: Final[dict[Benefit, str]] = {
    Benefit.PERFECT_OPPORTUNITY: "DET-2",
    Benefit.MOMENT_OF_INSPIRATION: "DET-3",
    Benefit.SURGE_OF_ACTIVITY: "DET-4",
    Benefit.MAKE_IT_SO: "DET-5",
    Benefit.IGNORE_INJURY: "DET-9",
}
"""The rule of each benefit; each costs one point and cites a Value (DET-2 to DET-5)."""

BENEFIT_PRICE: Final = 1
"""Points of Determination for one benefit (DET-1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueUse:
    """What comes of a Value turned against its owner (DET-6, DET-7)."""

    determination: int
    complications: int
    value_usable: bool


def spend_determination(determination: int, benefit: Benefit, *, value_applies: bool) -> int:
    """Determination left after one benefit (DET-1).

    Refuses without a Value that helps, or without a point, citing the benefit's rule for the latter.
    """
    require_at_least(0, determination, "Determination")
    if not value_applies:
        raise Refusal("DET-1", "Determination needs a Value that helps here; cite one.")
    if determination < BENEFIT_PRICE:
        raise Refusal(BENEFIT_RULES[benefit], "No Determination is left; do without it, or let a Value get in the way.")
    return determination - BENEFIT_PRICE


def inspired_positions(own_dice: int, positions: Collection[int], profile: Profile) -> tuple[int, ...]:
    """Which of one's own thrown dice a Moment of Inspiration throws again, in order (DET-3, C-6).

    `own_dice` counts the leader's thrown dice, without the Determination die. Refuses anything but all of them
    where the ruleset asks for that, and positions that are none of them.
    """
    chosen = chosen_positions(own_dice, positions, "DET-3")
    if not profile.inspiration_subset and len(chosen) != own_dice:
        raise Refusal("DET-3", "In this ruleset a Moment of Inspiration throws all of your own dice again; choose all.")
    return chosen


def surge_difficulty(profile: Profile) -> int:
    """What a Surge of Activity adds to the Difficulty of the Task it gives (DET-4, C-7)."""
    return profile.surge_difficulty


def gain_determination(determination: int, profile: Profile, points: int = 1) -> int:
    """Determination after a gain; what exceeds the maximum is lost (DET-8, C-18). It never falls by a gain."""
    raised = require_at_least(0, determination, "Determination") + require_at_least(0, points, "a gain")
    return max(determination, min(profile.determination_maximum, raised))


def use_value_against(
    determination: int, action: ValueAction, profile: Profile, *, challenged_this_session: bool = False
) -> ValueUse:
    """A Value gets in the way for a Complication (DET-6), or is challenged and struck out (DET-7).

    Either gives one point back; at the maximum the point is lost, the Value struck all the same (C-83).
    Refuses a second challenge in one session.
    """
    after = gain_determination(determination, profile)
    if action is ValueAction.ACCEPT_COMPLICATION:
        return ValueUse(determination=after, complications=1, value_usable=True)
    if challenged_this_session:
        raise Refusal("DET-7", "A Value was challenged this session already; do it in the next one.")
    return ValueUse(determination=after, complications=0, value_usable=False)
