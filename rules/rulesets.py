"""The three rulesets as data: every switch by which they differ, and what a table sets apart from its ruleset.

Each profile is the one before it with its own differences: starter, core-1e, second-edition (RULES section 0).
C-numbers are the resolutions of disputed points.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Final

from rules.state import TableOptions
from rules.vocabulary import Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Every switch of one table's rules.

    * `determination_first`: the Determination die has to be the first bonus die bought (BUY-5, C-4).
    * `bonus_price_counts_all`: Determination and Talent dice raise the price of the next bought die (C-5).
    * `inspiration_subset`: Moment of Inspiration may throw some dice again, else all of them (DET-3, C-6).
    * `surge_difficulty`: Difficulty added to the Task of a Surge of Activity (DET-4, C-7).
    * `create_problem_cap`: most steps of Create Problem on one Task, None for no limit (POOL-7, C-9).
    * `momentum_decay`: Momentum that the group pool loses when a scene ends (POOL-11, C-17).
    * `bonus_momentum_saved`: bonus Momentum may be saved to the pool (POOL-10, C-63).
    * `price_complications_buyoff`: Complications taken as a price may be bought off with Threat (C-78).
    * `opposed_reactive_first`: an Opposed Task's reactive side throws first and sets the Difficulty (C-42).
    * `determination_start`, `determination_maximum`: DET-8, C-18.
    * `extra_minor_escalates`: the second, third, ... Minor Action costs 1, 2, ... instead of 1 each (ACT-1, C-1).
    * `cover_eases_recover`: Recover is 1 easier for who is in Cover already (ACT-5, C-54).
    * `npc_role_cumulative`: each further Task of one role on an NPC ship is harder than the last (NSHIP-2, C-34).
    * `zero_replaces_quarter`: Shields that reach 0 in one hit breach once, not at a quarter as well (S2E-11, C-37).
    * `regenerate_shields_reserve`: Regenerate Shields restores by the Engineering rating (S2E-O3, C-48).
    """

    ruleset: Ruleset
    determination_first: bool = False
    bonus_price_counts_all: bool = False
    inspiration_subset: bool = False
    surge_difficulty: int = 0
    create_problem_cap: int | None = None
    momentum_decay: int = 0
    bonus_momentum_saved: bool = False
    price_complications_buyoff: bool = False
    opposed_reactive_first: bool = False
    determination_start: int = 1
    determination_maximum: int = 3
    extra_minor_escalates: bool = True
    cover_eases_recover: bool = False
    npc_role_cumulative: bool = False
    zero_replaces_quarter: bool = False
    regenerate_shields_reserve: bool = False


_STARTER: Final = Profile(ruleset=Ruleset.STARTER)
_CORE_1E: Final = replace(
    _STARTER,
    ruleset=Ruleset.CORE_1E,
    determination_first=True,
    inspiration_subset=True,
    create_problem_cap=3,
    extra_minor_escalates=False,
    cover_eases_recover=True,
)
_SECOND_EDITION: Final = replace(_CORE_1E, ruleset=Ruleset.SECOND_EDITION, regenerate_shields_reserve=True)

PROFILES: Final[dict[Ruleset, Profile]] = {one.ruleset: one for one in (_STARTER, _CORE_1E, _SECOND_EDITION)}
"""The profile of each ruleset as it stands without options."""

_FOLLOW_THE_RULESET: Final = TableOptions()


def profile_of(ruleset: Ruleset, options: TableOptions = _FOLLOW_THE_RULESET) -> Profile:
    """The rules that a table plays: its ruleset, with each option that is not None in the ruleset's place.

    A `create_problem_cap` of 0 lifts the limit.
    """
    profile = PROFILES[ruleset]
    chosen = {one.name: getattr(options, one.name) for one in fields(options)}
    chosen = {name: value for name, value in chosen.items() if value is not None}
    if chosen.get("create_problem_cap") == 0:
        chosen["create_problem_cap"] = None
    return replace(profile, **chosen) if chosen else profile
