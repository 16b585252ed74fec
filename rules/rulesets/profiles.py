"""The three rulesets as data: every switch by which they differ, and what a table sets apart from its ruleset.

Each profile is the one before it with its own differences: starter, core-1e, second-edition (RULES section 0).
C-numbers are the resolutions of disputed points.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Final

from rules.state.changing import replace
from rules.state.house import THE_RULES_OWN, HouseTables
from rules.state.options import TableOptions
from rules.state.vocabulary import DirectUse, ExtraMinorCost, Ruleset, WarpCoreCompare


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """The rules that refuse the same thing in each edition, by their IDs.

    * `ship_gone`: who would aim at a destroyed ship, or bring it into a conflict.
    * `ship_aimed_at`: who aims at no ship, or at one's own; `ship_fires`: who fires a weapon that is not there.
    """

    ship_gone: str
    ship_aimed_at: str
    ship_fires: str


_FIRST_CITED: Final = Cited(ship_gone="BRCH-5", ship_aimed_at="SATK-1", ship_fires="STN-20")
"""The IDs of the first edition and the starter set."""


_SECOND_CITED: Final = Cited(ship_gone="S2E-15", ship_aimed_at="S2E-7", ship_fires="S2E-T5")
"""The IDs of the second edition."""


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
    * `extra_minor_cost`: the second, third, ... Minor Action costs 1, 2, ... or 1 each (ACT-1, C-1).
    * `task_cap`: most Tasks of one Turn, None for no limit beyond one Swift Task a Round (TURN-5, C-8).
    * `aim_until_next_turn`: an Aim holds until one's next Turn begins, else for this Turn (ACT-3, C-19).
    * `prone_difficulty`: what a ranged attack on somebody prone adds to its Difficulty (ACT-3, C-20).
    * `direct_use`: what Direct asks for; `direct_with_control`: its helper throws Control + Command, else any
      attribute + Command (ACT-4, S2E-C3, C-22).
    * `pushing_on`: a player's character may ignore an Injury for the scene for 1 Determination (DMG-5, C-24).
    * `cover_eases_recover`: Recover is 1 easier for who is in Cover already (ACT-5, C-54).
    * `npc_role_cumulative`: each further Task of one role on an NPC ship is harder than the last (NSHIP-2, C-34).
    * `npc_ship_shortcut`: an NPC ship's Breaches are counted in one total (NSHIP-3, C-72).
    * `persistent_is_dice`: a ship weapon's Persistent X is X Challenge Dice, else X points (SWPN-3, C-35).
    * `fire_power`: Power that firing a ship's weapon costs (STN-20, C-36).
    * `impact_once_per_hit`: two Breaches of one hit have one Impact (BRCH-2, C-67).
    * `torpedo_adds_threat`: firing a torpedo adds 1 Threat; `range_and_aim_penalties`: range and an aimed shot make a
      ship's attack harder (SATK-1, S2E-T5, C-52).
    * `s2e_zero_replaces_quarter`: Shields that reach 0 in one hit breach once, not at a quarter too (S2E-11, C-37).
    * `warp_core_compare`: what the d20 for the core is compared with (S2E-17, C-43).
    * `extended_progress`: an Extended Task is one track of Progress, else Work and Breakthroughs (EXT-T1, C-58).
    * those ending in `_as`: the ruleset whose form of that rule is played (C-32, C-33, C-44 to C-51, C-59); see
      `edition_of`.
    * `house`: rows of the rules' tables that this house has changed or added.

    These follow from the ruleset alone:

    * `help_for_a_turn`: in a conflict one may help with a Task at once and give one's Turn for it (ASST-4).
    * `sprint_at_cost`: Sprint may Succeed at Cost (ACT-6).
    * `ship_rerolls`: a ship's help may throw a d20 again (TASK-12).
    * `terrain_is_paid`: a ship pays to leave terrain, else that is a harder Task (S2E-5).
    * `seats_are_counted`: a station has a limited number of seats (S2E-22).
    * `seats_change_at_once`: who goes from one station to another is there at once (SHIP-10, S2E-6).
    * `cited`: the IDs of rules that each edition numbers for itself.
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
    extra_minor_cost: ExtraMinorCost = ExtraMinorCost.ESCALATING
    task_cap: int | None = None
    aim_until_next_turn: bool = False
    prone_difficulty: int = 1
    direct_use: DirectUse = DirectUse.FREE
    direct_with_control: bool = False
    pushing_on: bool = True
    cover_eases_recover: bool = False
    npc_role_cumulative: bool = False
    npc_ship_shortcut: bool = True
    persistent_is_dice: bool = False
    fire_power: int = 0
    impact_once_per_hit: bool = False
    torpedo_adds_threat: bool = False
    range_and_aim_penalties: bool = True
    s2e_zero_replaces_quarter: bool = False
    warp_core_compare: WarpCoreCompare = WarpCoreCompare.ENGINEERING
    extended_progress: bool = False
    warp_as: Ruleset = Ruleset.STARTER
    sensor_sweep_as: Ruleset = Ruleset.STARTER
    evasive_action_as: Ruleset = Ruleset.STARTER
    attack_pattern_as: Ruleset = Ruleset.STARTER
    modulate_shields_as: Ruleset = Ruleset.STARTER
    tractor_beam_as: Ruleset = Ruleset.STARTER
    regenerate_shields_as: Ruleset = Ruleset.STARTER
    scan_for_weakness_as: Ruleset = Ruleset.STARTER
    power_management_as: Ruleset = Ruleset.STARTER
    ram_as: Ruleset = Ruleset.STARTER
    repairs_as: Ruleset = Ruleset.STARTER
    override_as: Ruleset = Ruleset.STARTER
    house: HouseTables = THE_RULES_OWN
    help_for_a_turn: bool = False
    sprint_at_cost: bool = False
    ship_rerolls: bool = False
    terrain_is_paid: bool = False
    seats_are_counted: bool = False
    seats_change_at_once: bool = True
    cited: Cited = _FIRST_CITED

    def edition_of(self, action: str) -> Ruleset:
        """The ruleset whose form of an action is played: a table may take single ones from another (section 19)."""
        option = DISPUTED_ACTIONS.get(action)
        return self.ruleset if option is None else Ruleset(getattr(self, option))


DISPUTED_ACTIONS: Final[dict[str, str]] = {
    "warp": "warp_as",
    "sensor_sweep": "sensor_sweep_as",
    "evasive_action": "evasive_action_as",
    "evade": "evasive_action_as",
    "attack_pattern": "attack_pattern_as",
    "modulate_shields": "modulate_shields_as",
    "tractor_beam": "tractor_beam_as",
    "regenerate_shields": "regenerate_shields_as",
    "scan_for_weakness": "scan_for_weakness_as",
    "power_management": "power_management_as",
    "regain_power": "power_management_as",
    "ramming_speed": "ram_as",
    "ram": "ram_as",
    "damage_control": "repairs_as",
    "repair_in_person": "repairs_as",
    "override": "override_as",
}
"""The option that says whose form of an action is played (C-32, C-33, C-44 to C-51, C-59)."""


FORMS: Final = tuple(dict.fromkeys(DISPUTED_ACTIONS.values()))
"""The options whose value is a ruleset."""


def _forms_of(ruleset: Ruleset) -> dict[str, Any]:
    return dict.fromkeys(FORMS, ruleset)


_STARTER: Final = Profile(ruleset=Ruleset.STARTER)
"""The starter set, by the defaults of `Profile`."""


_CORE_1E: Final = replace(
    _STARTER,
    ruleset=Ruleset.CORE_1E,
    determination_first=True,
    inspiration_subset=True,
    create_problem_cap=3,
    extra_minor_cost=ExtraMinorCost.FLAT,
    task_cap=2,
    direct_use=DirectUse.ONCE_PER_SCENE,
    cover_eases_recover=True,
    sprint_at_cost=True,
    **_forms_of(Ruleset.CORE_1E),
)
"""The first edition: where it differs from the starter set."""


_SECOND_EDITION: Final = replace(
    _CORE_1E,
    ruleset=Ruleset.SECOND_EDITION,
    direct_use=DirectUse.MOMENTUM,
    direct_with_control=True,
    npc_ship_shortcut=False,
    torpedo_adds_threat=True,
    range_and_aim_penalties=False,
    extended_progress=True,
    help_for_a_turn=True,
    ship_rerolls=True,
    terrain_is_paid=True,
    seats_are_counted=True,
    seats_change_at_once=False,
    cited=_SECOND_CITED,
    **_forms_of(Ruleset.SECOND_EDITION),
)
"""The second edition: where it differs from the first."""


PROFILES: Final[dict[Ruleset, Profile]] = {one.ruleset: one for one in (_STARTER, _CORE_1E, _SECOND_EDITION)}
"""The profile of each ruleset as it stands without options."""


UNLIMITED: Final = ("create_problem_cap", "task_cap")
"""Limits that an option of 0 lifts."""


_FOLLOW_THE_RULESET: Final = TableOptions()
"""The options of a table that has chosen nothing."""


@lru_cache(maxsize=256)
def profile_of(
    ruleset: Ruleset, options: TableOptions = _FOLLOW_THE_RULESET, house: HouseTables = THE_RULES_OWN
) -> Profile:
    """The rules that a table plays: its ruleset, with each option that is not None in the ruleset's place.

    What the table leaves open, its house may have settled (`house.options`).

    A `create_problem_cap` or `task_cap` of 0 lifts the limit.
    """
    profile = PROFILES[ruleset]
    chosen: dict[str, Any] = {}
    for settled in (house.options, options):
        values = {one.name: getattr(settled, one.name) for one in fields(settled)}
        chosen |= {name: value for name, value in values.items() if value is not None}
    for name in UNLIMITED:
        if chosen.get(name) == 0:
            chosen[name] = None
    if house != THE_RULES_OWN:
        chosen["house"] = house
    return replace(profile, **chosen) if chosen else profile
