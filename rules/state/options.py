"""What a table settles for itself where the rules' sources disagree or are silent (RULES section 19).

In: a table's set-up. Out: a frozen value on the table; `rules.rulesets` puts it in the ruleset's place.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.state.vocabulary import DirectUse, ExtraMinorCost, Ruleset, WarpCoreCompare


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOptions:
    """The disputed points of RULES section 19 that a table may set apart from its ruleset; None follows the ruleset.

    What each decides is said in `rules.rulesets.options`. Those that end in `_as` name the ruleset whose form of that
    rule is played. A 0 for `create_problem_cap` or `task_cap` lifts the limit.
    """

    determination_first: bool | None = None
    bonus_price_counts_all: bool | None = None
    inspiration_subset: bool | None = None
    surge_difficulty: int | None = None
    create_problem_cap: int | None = None
    momentum_decay: int | None = None
    bonus_momentum_saved: bool | None = None
    price_complications_buyoff: bool | None = None
    opposed_reactive_first: bool | None = None
    determination_start: int | None = None
    determination_maximum: int | None = None
    extra_minor_cost: ExtraMinorCost | None = None
    task_cap: int | None = None
    aim_until_next_turn: bool | None = None
    prone_difficulty: int | None = None
    direct_use: DirectUse | None = None
    direct_with_control: bool | None = None
    pushing_on: bool | None = None
    cover_eases_recover: bool | None = None
    npc_role_cumulative: bool | None = None
    npc_ship_shortcut: bool | None = None
    persistent_is_dice: bool | None = None
    fire_power: int | None = None
    impact_once_per_hit: bool | None = None
    torpedo_adds_threat: bool | None = None
    range_and_aim_penalties: bool | None = None
    s2e_zero_replaces_quarter: bool | None = None
    warp_core_compare: WarpCoreCompare | None = None
    extended_progress: bool | None = None
    warp_as: Ruleset | None = None
    sensor_sweep_as: Ruleset | None = None
    evasive_action_as: Ruleset | None = None
    attack_pattern_as: Ruleset | None = None
    modulate_shields_as: Ruleset | None = None
    tractor_beam_as: Ruleset | None = None
    regenerate_shields_as: Ruleset | None = None
    scan_for_weakness_as: Ruleset | None = None
    power_management_as: Ruleset | None = None
    ram_as: Ruleset | None = None
    repairs_as: Ruleset | None = None
    override_as: Ruleset | None = None
