"""Bridge stations as a table: what each action is thrown against (STN, S2E), and what success then gives.

STN-2 to STN-29 hold in the first edition, the S2E rows in the second. A row without a discipline is not rolled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from rules.conflict.numbers import RANGES
from rules.errors import Refusal, require_at_least
from rules.rulesets.profiles import Profile
from rules.state.changing import replace
from rules.state.vocabulary import Attribute, Discipline, Range, Ruleset, System
from rules.words import worded

_FIRST: Final = frozenset({Ruleset.STARTER, Ruleset.CORE_1E})
"""Both rulesets of the first edition."""


_STARTER: Final = frozenset({Ruleset.STARTER})
"""The starter set alone."""


_CORE: Final = frozenset({Ruleset.CORE_1E})
"""The first edition's core rules alone."""


_SECOND: Final = frozenset({Ruleset.SECOND_EDITION})
"""The second edition alone."""


_CONTROL, _DARING, _INSIGHT = Attribute.CONTROL, Attribute.DARING, Attribute.INSIGHT
"""Attributes, short for the rows of `_TABLE`."""


_PRESENCE, _REASON = Attribute.PRESENCE, Attribute.REASON
"""More attributes for the rows of `_TABLE`."""


_COMMAND, _CONN, _SECURITY = Discipline.COMMAND, Discipline.CONN, Discipline.SECURITY
"""Disciplines, short for the rows of `_TABLE`."""


_ENGINEERING, _SCIENCE = Discipline.ENGINEERING, Discipline.SCIENCE
"""More disciplines for the rows of `_TABLE`."""


FEWEST_WARP_ZONES: Final = 2
"""Zones that a ship moves at least when it goes to warp (STN-13)."""


SHIELDS_PER_MOMENTUM: Final = 2
"""Shields regenerated for each Momentum (STN-8, S2E-O3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StationAction:
    """One action of a bridge station; `station` is empty for one that every station has.

    Any of `attributes` serves, at the player's choice. `ship_system` and `ship_department` are the ship's d20, None
    where it does not help. `difficulty` is what it begins at, None where another rule sets it. `power` is what it
    costs before anything is chosen. `minor` marks a Minor Action. `with_attacks` says that its attribute and
    discipline are thrown with later attacks, not for the action itself; `as_declared` that it is thrown against
    whatever attribute and discipline the table names. `rolled` is False for an action without dice.
    """

    action: str
    rule: str
    station: str
    attributes: tuple[Attribute, ...] = ()
    discipline: Discipline | None = None
    ship_system: System | None = None
    ship_department: Discipline | None = None
    difficulty: int | None = 0
    power: int = 0
    minor: bool = False
    with_attacks: bool = False
    as_declared: bool = False
    rulesets: frozenset[Ruleset] = _FIRST

    @property
    def rolled(self) -> bool:
        """Whether dice are thrown for it."""
        return self.as_declared or (self.discipline is not None and not self.with_attacks)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackPatternChange:
    """STN-26: an attack's Difficulty under Attack Pattern, and Momentum where it cannot fall."""

    difficulty: int
    bonus_momentum: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ramming:
    """STN-16: Difficulty, and Challenge Dice against the target and oneself."""

    difficulty: int
    target_dice: int
    own_dice: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShieldsRestored:
    """STN-8, S2E-O3: Difficulty, and Shields after success."""

    difficulty: int
    shields_after: int


_TABLE: Final = (
    StationAction(
        action="direct", rule="STN-1", station="command", discipline=_COMMAND, difficulty=None, with_attacks=True,
    ),
    StationAction(
        action="rally", rule="STN-2", station="command", attributes=(_PRESENCE,), discipline=_COMMAND,
    ),
    StationAction(action="hailing_frequencies", rule="STN-3", station="communications"),
    StationAction(action="respond_to_hail", rule="STN-4", station="communications"),
    StationAction(
        action="signals_jamming", rule="STN-5", station="communications", attributes=(_CONTROL,),
        discipline=_ENGINEERING, ship_system=System.COMMUNICATIONS, ship_department=_SECURITY, difficulty=1,
    ),
    StationAction(
        action="damage_report", rule="STN-6", station="communications", attributes=(_INSIGHT,), discipline=_COMMAND,
        ship_system=System.COMMUNICATIONS, ship_department=_ENGINEERING, difficulty=1,
    ),
    StationAction(
        action="power_management", rule="STN-7", station="internal", attributes=(_DARING, _CONTROL),
        discipline=_ENGINEERING, difficulty=2,
    ),
    StationAction(
        action="regenerate_shields", rule="STN-8", station="internal", attributes=(_CONTROL,),
        discipline=_ENGINEERING, ship_system=System.STRUCTURE, ship_department=_ENGINEERING, difficulty=1,
    ),
    StationAction(
        action="damage_control", rule="STN-9", station="internal", attributes=(_PRESENCE,),
        discipline=_ENGINEERING, difficulty=None,
    ),
    StationAction(
        action="transporters", rule="STN-10", station="internal", attributes=(_CONTROL,), discipline=_ENGINEERING,
        ship_system=System.SENSORS, ship_department=_ENGINEERING, difficulty=2,
    ),
    StationAction(action="maneuver", rule="STN-11", station="helm"),
    StationAction(action="impulse", rule="STN-12", station="helm", power=1),
    StationAction(action="warp", rule="SHIP-7", station="helm", power=1, rulesets=_STARTER),
    StationAction(action="warp", rule="STN-13", station="helm", power=FEWEST_WARP_ZONES, rulesets=_CORE),
    StationAction(
        action="evasive_action", rule="STN-14", station="helm", attributes=(_CONTROL,), discipline=_CONN,
        ship_system=System.STRUCTURE, ship_department=_CONN, difficulty=1, power=1,
    ),
    StationAction(
        action="attack_pattern", rule="STN-15", station="helm", attributes=(_DARING,), discipline=_CONN,
        ship_system=System.WEAPONS, ship_department=_CONN, difficulty=2, power=1,
    ),
    StationAction(
        action="ramming_speed", rule="STN-16", station="helm", attributes=(_DARING,), discipline=_CONN,
        ship_system=System.ENGINES, ship_department=_CONN, difficulty=2,
    ),
    StationAction(
        action="plot_course", rule="STN-17", station="navigation", attributes=(_REASON,), discipline=_CONN,
        ship_system=System.COMPUTERS, ship_department=_CONN, difficulty=3,
    ),
    StationAction(
        action="chart_hazard", rule="STN-18", station="navigation", attributes=(_REASON,), discipline=_CONN,
        ship_system=System.SENSORS, ship_department=_CONN, difficulty=3,
    ),
    StationAction(
        action="deploy_security", rule="STN-19", station="security", attributes=(_PRESENCE,), discipline=_SECURITY,
        difficulty=1,
    ),
    StationAction(
        action="fire_weapon", rule="STN-20", station="tactical", attributes=(_CONTROL,), discipline=_SECURITY,
        ship_system=System.WEAPONS, ship_department=_SECURITY, difficulty=None,
    ),
    StationAction(
        action="modulate_shields", rule="STN-21", station="tactical", attributes=(_CONTROL,), discipline=_SECURITY,
        ship_system=System.STRUCTURE, ship_department=_ENGINEERING, difficulty=2,
    ),
    StationAction(
        action="tractor_beam", rule="STN-22", station="tactical", attributes=(_CONTROL,), discipline=_SECURITY,
        ship_system=System.WEAPONS, ship_department=_SECURITY, difficulty=2,
    ),
    StationAction(
        action="sensor_sweep", rule="SHIP-8", station="sensors", attributes=(_CONTROL, _REASON), discipline=_SCIENCE,
        ship_system=System.SENSORS, ship_department=_SCIENCE, difficulty=1, rulesets=_STARTER,
    ),
    StationAction(
        action="sensor_sweep", rule="STN-23", station="sensors", attributes=(_REASON,), discipline=_SCIENCE,
        ship_system=System.SENSORS, ship_department=_SCIENCE, rulesets=_CORE,
    ),
    StationAction(
        action="scan_for_weakness", rule="STN-24", station="sensors", attributes=(_CONTROL,), discipline=_SCIENCE,
        ship_system=System.SENSORS, ship_department=_SECURITY, difficulty=1,
    ),
    StationAction(action="launch_probe", rule="STN-25", station="sensors"),
    StationAction(
        action="pilot", rule="SHIP-6", station="helm", attributes=(_CONTROL,), discipline=_CONN,
        ship_system=System.ENGINES, ship_department=_CONN,
    ),
    StationAction(
        action="repair_in_person", rule="REP-1", station="internal", attributes=(_DARING, _CONTROL),
        discipline=_ENGINEERING, difficulty=None,
    ),
    StationAction(
        action="clear_complication", rule="REP-3", station="internal", attributes=tuple(Attribute),
        discipline=_ENGINEERING, difficulty=2,
    ),
    StationAction(
        action="stabilise_core", rule="WCB-2", station="internal", attributes=(_DARING, _CONTROL),
        discipline=_ENGINEERING, difficulty=3,
    ),
    StationAction(
        action="eject_core", rule="WCB-3", station="internal", attributes=(_DARING,), discipline=_ENGINEERING,
        difficulty=2,
    ),
    StationAction(
        action="rally", rule="S2E-C4", station="command", attributes=(_PRESENCE,), discipline=_COMMAND,
        rulesets=_SECOND,
    ),
    StationAction(
        action="maneuver", rule="S2E-H5", station="helm", attributes=(_CONTROL,), discipline=_CONN,
        ship_system=System.ENGINES, ship_department=_CONN, rulesets=_SECOND,
    ),
    StationAction(
        action="ram", rule="S2E-H6", station="helm", attributes=(_DARING,), discipline=_CONN,
        ship_system=System.ENGINES, ship_department=_CONN, difficulty=2, rulesets=_SECOND,
    ),
    StationAction(
        action="warp", rule="S2E-4", station="helm", attributes=(_CONTROL,), discipline=_CONN,
        ship_system=System.ENGINES, ship_department=_CONN, difficulty=1, rulesets=_SECOND,
    ),
    StationAction(
        action="regain_power", rule="S2E-O2", station="operations", attributes=(_CONTROL,), discipline=_ENGINEERING,
        difficulty=1, rulesets=_SECOND,
    ),
    StationAction(
        action="regenerate_shields", rule="S2E-O3", station="operations", attributes=(_CONTROL,),
        discipline=_ENGINEERING, ship_system=System.STRUCTURE, ship_department=_ENGINEERING, difficulty=2,
        rulesets=_SECOND,
    ),
    StationAction(
        action="reveal", rule="S2E-X3", station="sensors", attributes=(_REASON,), discipline=_SCIENCE,
        ship_system=System.SENSORS, ship_department=_SCIENCE, difficulty=3, rulesets=_SECOND,
    ),
    StationAction(
        action="scan_for_weakness", rule="S2E-X4", station="sensors", attributes=(_CONTROL,), discipline=_SCIENCE,
        ship_system=System.SENSORS, ship_department=_SECURITY, difficulty=2, rulesets=_SECOND,
    ),
    StationAction(
        action="sensor_sweep", rule="S2E-X5", station="sensors", attributes=(_REASON,), discipline=_SCIENCE,
        ship_system=System.SENSORS, ship_department=_SCIENCE, difficulty=1, rulesets=_SECOND,
    ),
    StationAction(
        action="fire", rule="S2E-T5", station="tactical", attributes=(_CONTROL,), discipline=_SECURITY,
        ship_system=System.WEAPONS, ship_department=_SECURITY, difficulty=None, rulesets=_SECOND,
    ),
    StationAction(
        action="tractor_beam", rule="S2E-T7", station="tactical", attributes=(_CONTROL,), discipline=_SECURITY,
        ship_system=System.STRUCTURE, ship_department=_SECURITY, difficulty=2, rulesets=_SECOND,
    ),
    StationAction(
        action="create_trait", rule="S2E-6", station="", difficulty=2, as_declared=True, rulesets=_SECOND,
    ),
    StationAction(
        action="direct", rule="S2E-C3", station="command", attributes=(_CONTROL,), discipline=_COMMAND,
        difficulty=None, with_attacks=True, rulesets=_SECOND,
    ),
    StationAction(action="assist", rule="S2E-C1", station="command", difficulty=None, rulesets=_SECOND),
    StationAction(
        action="damage_control", rule="S2E-C5", station="communications", attributes=(_PRESENCE,),
        discipline=_ENGINEERING, difficulty=2, rulesets=_SECOND,
    ),
    StationAction(
        action="repair_in_person", rule="S2E-18", station="operations", attributes=(_DARING,),
        discipline=_ENGINEERING, difficulty=2, rulesets=_SECOND,
    ),
    StationAction(
        action="transport", rule="S2E-C6", station="operations", difficulty=None, as_declared=True, rulesets=_SECOND,
    ),
    StationAction(action="impulse", rule="S2E-H1", station="helm", minor=True, rulesets=_SECOND),
    StationAction(action="thrusters", rule="S2E-H2", station="helm", minor=True, rulesets=_SECOND),
    StationAction(
        action="attack_pattern", rule="S2E-H3", station="helm", attributes=(_CONTROL,), discipline=_CONN,
        with_attacks=True, rulesets=_SECOND,
    ),
    StationAction(
        action="evasive_action", rule="S2E-H4", station="helm", attributes=(_DARING,), discipline=_CONN,
        ship_system=System.STRUCTURE, ship_department=_CONN, with_attacks=True, rulesets=_SECOND,
    ),
    StationAction(
        action="navigate", rule="S2E-N1", station="navigation", difficulty=2, as_declared=True, rulesets=_SECOND,
    ),
    StationAction(action="reroute_power", rule="S2E-O4", station="operations", rulesets=_SECOND),
    StationAction(action="calibrate_sensors", rule="S2E-X1", station="sensors", minor=True, rulesets=_SECOND),
    StationAction(action="launch_probe", rule="S2E-X2", station="sensors", minor=True, rulesets=_SECOND),
    StationAction(action="calibrate_weapons", rule="S2E-T1", station="tactical", minor=True, rulesets=_SECOND),
    StationAction(action="prepare", rule="S2E-T2", station="tactical", minor=True, rulesets=_SECOND),
    StationAction(action="targeting_solution", rule="S2E-T3", station="tactical", minor=True, rulesets=_SECOND),
    StationAction(
        action="defensive_fire", rule="S2E-T4", station="tactical", attributes=(_DARING,), discipline=_SECURITY,
        ship_system=System.WEAPONS, ship_department=_SECURITY, with_attacks=True, rulesets=_SECOND,
    ),
    StationAction(action="modulate_shields", rule="S2E-T6", station="tactical", rulesets=_SECOND),
    StationAction(
        action="stabilise_core", rule="S2E-17", station="operations", attributes=(_DARING, _CONTROL),
        discipline=_ENGINEERING, difficulty=3, rulesets=_SECOND,
    ),
    StationAction(
        action="eject_core", rule="S2E-17", station="operations", attributes=(_DARING,), discipline=_ENGINEERING,
        difficulty=2, rulesets=_SECOND,
    ),
    StationAction(
        action="long_repair", rule="S2E-19", station="operations", attributes=(_CONTROL,), discipline=_ENGINEERING,
        difficulty=3, rulesets=_SECOND,
    ),
    StationAction(
        action="board_pod", rule="S2E-20", station="helm", attributes=(_DARING,), discipline=_CONN,
        rulesets=_SECOND,
    ),
)  # fmt: skip
"""Every action of a station in every ruleset, as the books print it."""


STATION_ACTIONS: Final[dict[Ruleset, dict[str, StationAction]]] = {
    ruleset: {row.action: row for row in _TABLE if ruleset in row.rulesets} for ruleset in Ruleset
}
"""Every station's actions by ruleset and name (STN-2 to STN-25; S2E-4, S2E-17 to S2E-20, S2E-C1 to S2E-T7)."""


def stations_of(ruleset: Ruleset) -> tuple[str, ...]:
    """The seats of a bridge in a ruleset, in the order of its table."""
    return tuple(dict.fromkeys(row.station for row in STATION_ACTIONS[ruleset].values() if row.station))


def station_action(action: str, profile: Profile) -> StationAction:
    """The row of one action in the ruleset whose form of it the table plays. Refuses one that it does not have."""
    row = STATION_ACTIONS[profile.edition_of(action)].get(action)
    if row is None:
        raise Refusal("STN-1", "No station of this ruleset has {action}; choose another action.", action=worded(action))
    return at_this_house(row, profile)


def at_this_house(row: StationAction, profile: Profile) -> StationAction:
    """A row with what the table's house has changed of it; a change for one ruleset goes before one for all."""
    changes: dict[str, Any] = {}
    played = profile.edition_of(row.action)
    for house in sorted(profile.house.stations, key=lambda one: one.ruleset is not None):
        if house.action == row.action and house.ruleset in (None, played):
            values = {one.name: getattr(house, one.name) for one in fields(house) if one.name != "ruleset"}
            changes |= {name: value for name, value in values.items() if value is not None}
    return replace(row, **changes) if changes else row


def house_difficulty(action: str, ruled: int, profile: Profile) -> int:
    """A Difficulty that a rule sets, with the house's in the place of the row's own; what the rule adds stays added."""
    own = STATION_ACTIONS[profile.edition_of(action)].get(action)
    played = at_this_house(own, profile).difficulty if own is not None else None
    if own is None or played is None or played == own.difficulty:
        return ruled
    return max(0, played + ruled - (ruled if own.difficulty is None else own.difficulty))


def difficulty_of(row: StationAction, ruled: int | None, level: int | None, profile: Profile) -> int:
    """What a station's Task begins at: its row's where no rule sets another; a `level` named at the table stands."""
    if ruled is None:
        return row.difficulty or 0
    return ruled if level is not None else house_difficulty(row.action, ruled, profile)


def attack_under_pattern(attack_difficulty: int) -> AttackPatternChange:
    """The ship's own attack under Attack Pattern: 1 easier, down to 1; at 1 already, 1 Momentum instead (STN-26)."""
    if attack_difficulty > 1:
        return AttackPatternChange(difficulty=attack_difficulty - 1, bonus_momentum=0)
    return AttackPatternChange(difficulty=attack_difficulty, bonus_momentum=1)


def managed_power(power: int, momentum_spent: int, engines: int | None = None) -> int:
    """Power after Power Management: 1 more and 1 for each Momentum (STN-27), never above the Engines (C-65)."""
    raised = power + 1 + require_at_least(0, momentum_spent, "Momentum")
    return raised if engines is None else max(power, min(engines, raised))


def warp_power(zones: int) -> int:
    """Power for going to warp: one for each zone (STN-13, C-32). Refuses fewer than two zones."""
    if zones < FEWEST_WARP_ZONES:
        raise Refusal("STN-13", "Warp covers two zones or more; use impulse for less.")
    return zones


def ramming(target_range: Range, scale: int) -> Ramming:
    """Ramming Speed: D2 and 1 more for each band beyond Close; dice by the Scale (STN-16, C-50)."""
    return Ramming(difficulty=2 + RANGES.index(target_range), target_dice=2 + scale, own_dice=scale)


def course_reduction(momentum_spent: int) -> int:
    """How much easier Plot Course makes the next helm Task: 1, and 1 more for every 2 Momentum (STN-28)."""
    return 1 + require_at_least(0, momentum_spent, "Momentum") // 2


def modulated_resistance(momentum_spent: int) -> int:
    """Resistance from Modulate Shields until the ship is damaged: 1 and 1 for each Momentum (STN-29, C-46)."""
    return 1 + require_at_least(0, momentum_spent, "Momentum")


_REGENERATED: Final[Mapping[Ruleset, tuple[int, int | None]]] = {
    **dict.fromkeys(_FIRST, (1, 2)),
    Ruleset.SECOND_EDITION: (2, None),
}
"""Difficulty and Shields of Regenerate Shields; None for as many as the Engineering rating (STN-8, S2E-O3, C-48)."""


def regenerate_shields(
    *, shields: int, shields_max: int, momentum_spent: int, engineering: int, profile: Profile
) -> ShieldsRestored:
    """Regenerate Shields: 1 harder while they are down, 2 more for each Momentum, up to the maximum (C-48).

    First edition: D1, 2 Shields (STN-8). Second: D2, as many as the Engineering rating (S2E-O3).
    """
    printed, shields_of = _REGENERATED[profile.regenerate_shields_as]
    bought = SHIELDS_PER_MOMENTUM * require_at_least(0, momentum_spent, "Momentum")
    restored = (engineering if shields_of is None else shields_of) + bought
    return ShieldsRestored(
        difficulty=printed + (1 if shields == 0 else 0),
        shields_after=max(shields, min(shields_max, shields + restored)),
    )
