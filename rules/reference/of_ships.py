"""The tables about ships, of both editions: crews, stations, weapons, terrain, and what hits and Breaches do.

In: the profile of a table. Out: NSHIP-1, SATK-1, SATK-2, SWPN, SQUAL, BRCH, the stations and S2E-5 to S2E-15 in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import count
from typing import Final, TypeAlias, TypeVar

from rules.conflict.damage import HEAVY_HIT
from rules.conflict.lasting import LASTING, LastingRow
from rules.deciding.decision import ActionRow
from rules.deciding.telling import sentence
from rules.reference.of_fights import PIERCING, VICIOUS, action_words, trait_rows
from rules.reference.rows import ReferenceRow, ReferenceTable, Topic, named
from rules.rulesets.profiles import Profile
from rules.ships.cards import SHIP_EFFECTS, SHIP_QUALITIES
from rules.ships.first.numbers import ENGINES_IMPACT_POWER, breach_thresholds, repair_task, task_with_system
from rules.ships.first.stations import FIRST
from rules.ships.numbers import SCAN_PIERCING, SYSTEM_HIT, TERRAIN, fire
from rules.ships.second.numbers import hull_state, system_destroyed
from rules.ships.second.repairs import PATCH_DIFFICULTY
from rules.ships.second.stations import SECOND
from rules.ships.shaken import label_of, results_of, row_of
from rules.ships.stations import STATION_ACTIONS, StationAction, at_this_house
from rules.state.changing import replace
from rules.state.ships import CREW_RATINGS
from rules.state.vocabulary import ActionScope, Condition, Ruleset, ShipWeaponKind, System
from rules.table import PLAYBOOK
from rules.words import NOTHING, Phrase, counted, say, sentences

_HIGHEST: Final = 20
"""The highest face of a d20."""


_PRINTED_SCALES: Final = range(1, 8)
"""The Scales that the books print (BRCH-1); of a larger ship the same follows."""


_Of = TypeVar("_Of")


def _by_ruleset(first: _Of, second: _Of) -> Mapping[Ruleset, _Of]:
    """What each edition has, by the rulesets that are of it."""
    return {**dict.fromkeys(FIRST, first), **dict.fromkeys(SECOND, second)}


def crews(_: Profile) -> ReferenceTable:
    """NSHIP-1: what an NPC ship's crew throws against."""
    return ReferenceTable(
        topic=Topic.CREWS,
        heading=say("Crews of NPC ships"),
        rows=tuple(
            ReferenceRow(
                key=quality.value,
                rule="NSHIP-1",
                label=named(quality.value),
                meaning=say(
                    "Attribute {attribute} and discipline {discipline}, always with a focus: Target Number {target}.",
                    attribute=rating.attribute,
                    discipline=rating.discipline,
                    target=rating.attribute + rating.discipline,
                ),
            )
            for quality, rating in CREW_RATINGS.items()
        ),
    )


def stations(profile: Profile) -> ReferenceTable:
    """STN, S2E: what is done aboard, where, with what, and how hard it is, as the house plays it."""
    rows = [one for one in PLAYBOOK.played(profile.edition_of) if one.scope is ActionScope.BRIDGE and one.listed]
    shared = Counter(one.rule for one in rows)
    return ReferenceTable(
        topic=Topic.STATIONS,
        heading=say("Actions aboard a ship"),
        rows=tuple(
            ReferenceRow(
                key=one.name, rule=one.rule, label=one.label, meaning=_station_words(one, _lasts(one, shared), profile)
            )
            for one in rows
        ),
    )


_LASTING: Final = {one.rule: one for one in LASTING.values()}
"""What lasts by the ID of its rule; the last one where several share a rule."""


def _lasts(one: ActionRow, shared: Mapping[str, int]) -> LastingRow | None:
    """What lasts after an action: found by the action's name, else by its rule if no other effect has it."""
    return LASTING.get(one.name) or (_LASTING.get(one.rule) if shared[one.rule] == 1 else None)


def _station_words(one: ActionRow, lasting: LastingRow | None, profile: Profile) -> Phrase:
    printed = STATION_ACTIONS[profile.edition_of(one.name)].get(one.name)
    station = at_this_house(printed, profile) if printed is not None else None
    row = one if station is None else _as_played(one, station)
    return sentences(
        say("At {station}.", station=named(one.station)) if one.station else NOTHING,
        action_words(row, lasting),
        say(
            "The ship helps with {system} and {department}.",
            system=named(station.ship_system.value),
            department=named(station.ship_department.value),
        )
        if station is not None and station.ship_system is not None and station.ship_department is not None
        else NOTHING,
        say("It takes {power} Power.", power=row.power) if row.power else NOTHING,
    )


def _as_played(one: ActionRow, station: StationAction) -> ActionRow:
    """The action with the numbers of its station's row, which a house may have changed."""
    disciplines = one.disciplines if station.discipline is None else (station.discipline,)
    return replace(
        one,
        attributes=station.attributes or one.attributes,
        disciplines=disciplines,
        difficulty=station.difficulty if station.rolled else None,
        power=max(one.power, station.power),
    )


_FIRING: Final = _by_ruleset("SATK-1", "S2E-T5")
"""The rule that says how hard it is to fire."""


def ship_weapons(profile: Profile) -> ReferenceTable:
    """SATK-1, S2E-T5, C-52: how hard it is to fire each kind."""
    labels = {ShipWeaponKind.ENERGY: say("Energy weapon"), ShipWeaponKind.TORPEDO: say("Torpedo")}
    return ReferenceTable(
        topic=Topic.SHIP_WEAPONS,
        heading=say("To fire a ship's weapon"),
        rows=tuple(
            ReferenceRow(
                key=kind.value,
                rule=_FIRING[profile.ruleset],
                label=label,
                meaning=sentences(
                    say("Difficulty {difficulty}.", difficulty=fire(kind).difficulty),
                    say("1 harder for each range off its best, and 1 for an aimed shot.")
                    if profile.range_and_aim_penalties
                    else NOTHING,
                ),
                price=say("It adds {threat}.", threat=counted(fire(kind).threat_added, "Threat"))
                if fire(kind).threat_added and profile.torpedo_adds_threat
                else NOTHING,
            )
            for kind, label in labels.items()
        ),
    )


_IDLE: Final = say("It changes nothing in this ruleset.")
"""The meaning of what a ruleset prints and has no use for."""


_EFFECTS_FIRST: Final[Mapping[str, tuple[str, Phrase]]] = {
    "area": ("SWPN-1", say("All in Contact are hit too, and one more at Close range for each Effect.")),
    "dampening": ("SWPN-2", say("The target loses 1 Power for each Effect.")),
    "persistent": ("SWPN-3", say("X damage again at the end of each Round, for as many Rounds as Effects.")),
    "piercing": ("SWPN-4", PIERCING),
    "spread": (
        "SWPN-5", say("Another system takes half the damage, rounded up, and 1 more for each Effect after the first."),
    ),
    "vicious": ("SWPN-6", VICIOUS),
}  # fmt: skip
"""The rule and the meaning of each Damage Effect of a ship's weapon in the first edition."""


_EFFECTS_SECOND: Final[Mapping[str, tuple[str, Phrase]]] = {
    **dict.fromkeys(SHIP_EFFECTS, ("S2E-10", _IDLE)),
    "piercing": ("S2E-10", say("X Resistance is ignored, {usual} where it has no number.", usual=SCAN_PIERCING)),
}
"""The second edition throws no Challenge Dice for a ship's damage, so that an effect alone does nothing (S2E-10)."""


_QUALITIES_FIRST: Final[Mapping[str, tuple[str, Phrase]]] = {
    "calibration": ("SQUAL-1", say("It fires only after Prepare in the same Turn.")),
    "devastating": ("SQUAL-2", say("What it breached is 1 harder to repair.")),
    "hidden": ("SQUAL-3", say("A scan that looks for it is X harder.")),
    "high_yield": ("SQUAL-4", say("A hit that makes a Breach makes one more.")),
    "versatile": ("SQUAL-5", say("X bonus Momentum on a success.")),
}
"""The rule and the meaning of each Quality of a ship's weapon in the first edition."""


_QUALITIES_SECOND: Final[Mapping[str, tuple[str, Phrase]]] = {
    **{name: (rule, _IDLE) for name, (rule, _) in _QUALITIES_FIRST.items()},
    **{name: _QUALITIES_FIRST[name] for name in ("devastating", "high_yield")},
}
"""The rule and the meaning of each Quality in the second edition, which has a use for two of them."""


_EFFECTS: Final = _by_ruleset(_EFFECTS_FIRST, _EFFECTS_SECOND)
"""The rule and the meaning of each Damage Effect of a ship's weapon in each ruleset."""


_QUALITIES: Final = _by_ruleset(_QUALITIES_FIRST, _QUALITIES_SECOND)
"""The rule and the meaning of each Quality of a ship's weapon in each ruleset."""


def ship_effects(profile: Profile) -> ReferenceTable:
    """SWPN-1 to SWPN-6: what a ship's weapon does once an Effect was thrown."""
    return ReferenceTable(
        topic=Topic.SHIP_EFFECTS,
        heading=say("Effects of ships' weapons"),
        rows=trait_rows(SHIP_EFFECTS, _EFFECTS[profile.ruleset]),
    )


def ship_qualities(profile: Profile) -> ReferenceTable:
    """SQUAL-1 to SQUAL-5: what a ship's weapon is like."""
    return ReferenceTable(
        topic=Topic.SHIP_QUALITIES,
        heading=say("Qualities of ships' weapons"),
        rows=trait_rows(SHIP_QUALITIES, _QUALITIES[profile.ruleset]),
    )


_TERRAIN: Final[Mapping[Ruleset, tuple[str, Callable[[int], Phrase]]]] = _by_ruleset(
    ("SHIP-9", lambda price: say("To leave it is Difficulty {difficulty}.", difficulty=price)),
    ("S2E-5", lambda price: say("To leave it costs {momentum}.", momentum=counted(price, "Momentum"))),
)
"""The rule of terrain, and what is said of its price."""


def terrain(profile: Profile) -> ReferenceTable:
    """S2E-5, SHIP-9: what it takes to leave each kind of zone."""
    rule, meaning = _TERRAIN[profile.ruleset]
    return ReferenceTable(
        topic=Topic.TERRAIN,
        heading=say("Terrain for ships"),
        rows=tuple(
            ReferenceRow(key=name, rule=rule, label=named(name), meaning=meaning(price))
            for name, price in TERRAIN.items()
        ),
    )


def systems_hit(_: Profile) -> ReferenceTable:
    """SATK-2: which system a d20 says is hit."""
    rows, least = [], 1
    for most, system in SYSTEM_HIT:
        meaning = (
            say("The d20 shows {face}.", face=most)
            if least == most
            else say("The d20 shows {least} to {most}.", least=least, most=most)
        )
        rows.append(ReferenceRow(key=system.value, rule="SATK-2", label=named(system.value), meaning=meaning))
        least = most + 1
    return ReferenceTable(topic=Topic.SYSTEMS_HIT, heading=say("Which system is hit"), rows=tuple(rows))


_Cause: TypeAlias = tuple[str, str, Phrase, Phrase]
"""A consequence of a hit: its key, its rule, its cause in words, and its result."""


_BREACH: Final = say("A Breach.")
"""The result of most causes."""


def _first_causes(_: Profile) -> tuple[_Cause, ...]:
    return (
        ("heavy", "SDMG-2", say("{damage} damage or more after Resistance", damage=HEAVY_HIT), _BREACH),
        ("down", "SDMG-2", say("The Shields fall to 0"), _BREACH),
        ("bare", "SDMG-2", say("Damage while the Shields are at 0"), _BREACH),
    )


def _second_causes(profile: Profile) -> tuple[_Cause, ...]:
    return (
        ("half", "S2E-11", say("The Shields fall below half"), say("The ship is shaken.")),
        (
            "quarter", "S2E-11", say("The Shields fall below a quarter"),
            say("The ship is shaken; a Breach, if the same attack shook it already."),
        ),
        (
            "down", "S2E-11", say("The Shields fall to 0"),
            say("A Breach, in place of what a quarter brings.") if profile.s2e_zero_replaces_quarter else _BREACH,
        ),
        ("bare", "S2E-12", say("Damage while the Shields are at 0"), _BREACH),
    )  # fmt: skip


_CAUSES: Final[Mapping[Ruleset, Callable[[Profile], tuple[_Cause, ...]]]] = _by_ruleset(_first_causes, _second_causes)
"""The consequences of a hit, in each ruleset."""


def breach_causes(profile: Profile) -> ReferenceTable:
    """SDMG-2, S2E-11, S2E-12: what of a hit shakes a ship or makes a Breach."""
    return ReferenceTable(
        topic=Topic.BREACH_CAUSES,
        heading=say("What a hit brings"),
        rows=tuple(
            ReferenceRow(key=key, rule=rule, label=label, meaning=meaning)
            for key, rule, label, meaning in _CAUSES[profile.ruleset](profile)
        ),
    )


def breaches(profile: Profile) -> ReferenceTable:
    """BRCH-1, S2E-14, S2E-15: from how many Breaches a system of a ship of each Scale is worse, as the house has it."""
    scales = sorted({*_PRINTED_SCALES, *(one.scale for one in profile.house.breaches)})
    return ReferenceTable(
        topic=Topic.BREACHES,
        heading=say("Breaches by Scale"),
        rows=tuple(breaches_at(scale, profile) for scale in scales),
    )


def _first_thresholds(scale: int, profile: Profile) -> Phrase:
    steps = breach_thresholds(scale, profile.house)
    if 0 < steps.damaged < steps.disabled:
        return say(
            "A system is damaged from {damaged}, disabled from {disabled}, destroyed from {destroyed}.",
            damaged=counted(steps.damaged, "Breach"),
            disabled=steps.disabled,
            destroyed=steps.destroyed,
        )
    return say(
        "A system is disabled from {disabled}, destroyed from {destroyed}.",
        disabled=counted(steps.disabled, "Breach"),
        destroyed=steps.destroyed,
    )


def _second_thresholds(scale: int, profile: Profile) -> Phrase:
    critical = _fewest(lambda total: hull_state(scale, total - 1, 1).critical)
    return say(
        "A system is destroyed from {system}. With {critical} in all the ship cannot act; one more destroys it.",
        system=counted(_fewest(lambda total: system_destroyed(scale, total, profile.house)), "Breach"),
        critical=critical,
    )


_THRESHOLDS: Final[Mapping[Ruleset, tuple[str, Callable[[int, Profile], Phrase]]]] = _by_ruleset(
    ("BRCH-1", _first_thresholds), ("S2E-14", _second_thresholds)
)
"""The rule that says what Breaches come to, and what is said of a ship of that Scale."""


def breaches_at(scale: int, profile: Profile) -> ReferenceRow:
    """The row of one Scale, printed or not."""
    rule, meaning = _THRESHOLDS[profile.ruleset]
    return ReferenceRow(
        key=str(scale), rule=rule, label=say("Scale {scale}", scale=scale), meaning=meaning(scale, profile)
    )


def _fewest(holds: Callable[[int], bool]) -> int:
    return next(number for number in count(1) if holds(number))


def _first_conditions() -> dict[Condition, tuple[str, Phrase]]:
    damaged, mended = task_with_system(Condition.DAMAGED, 0), repair_task(Condition.DAMAGED)
    disabled = repair_task(Condition.DISABLED)
    return {
        Condition.OPERATIONAL: ("BRCH-1", say("It works as it should.")),
        Condition.DAMAGED: (
            "BRCH-3",
            say(
                "Tasks with it are {harder} harder, with Complications from {least}. Repairs are Difficulty {repair}.",
                harder=damaged.difficulty,
                least=_least(damaged.complication_range),
                repair=mended.difficulty,
            ),
        ),
        Condition.DISABLED: (
            "BRCH-4",
            say(
                "It helps with no Task. Repairs are Difficulty {repair}, with Complications from {least}.",
                repair=disabled.difficulty,
                least=_least(disabled.complication_range),
            ),
        ),
        Condition.DESTROYED: (
            "BRCH-5",
            say("It is gone for good. With the Engines, the warp core may fail."),
        ),
    }


def _second_conditions() -> dict[Condition, tuple[str, Phrase]]:
    return {
        Condition.OPERATIONAL: ("S2E-14", say("It works as it should.")),
        Condition.DAMAGED: (
            "S2E-18",
            say(
                "Each Breach that nobody patched makes Tasks with it 1 harder. "
                "To patch one is Difficulty {patch}, 1 more for each further Breach.",
                patch=PATCH_DIFFICULTY,
            ),
        ),
        Condition.DESTROYED: ("S2E-14", say("Tasks that it helps with fail by themselves.")),
    }


_CONDITIONS: Final = _by_ruleset(_first_conditions, _second_conditions)
"""The rule and the meaning of each condition of a system, in each ruleset."""


def conditions(profile: Profile) -> ReferenceTable:
    """BRCH-3 to BRCH-5, S2E-14, S2E-18: what each condition of a system does."""
    return ReferenceTable(
        topic=Topic.CONDITIONS,
        heading=say("How a system is"),
        rows=tuple(
            ReferenceRow(key=one.value, rule=rule, label=named(one.value), meaning=meaning)
            for one, (rule, meaning) in _CONDITIONS[profile.ruleset]().items()
        ),
    )


def _least(width: int) -> int:
    return _HIGHEST + 1 - width


def impacts(_: Profile) -> ReferenceTable:
    """BRCH-2: what a Breach of each system does at once; the second edition has no Impacts of Breaches."""
    out = say("It is out until somebody restores it.")
    more = {
        System.COMMUNICATIONS: say("Nobody can be hailed."),
        System.ENGINES: say("The ship loses {power} Power.", power=ENGINES_IMPACT_POWER),
        System.STRUCTURE: say("A Challenge Die is thrown: an Effect injures somebody aboard."),
        System.WEAPONS: say("Nothing can be fired."),
    }
    return ReferenceTable(
        topic=Topic.IMPACTS,
        heading=say("What a Breach does at once"),
        rows=tuple(
            ReferenceRow(
                key=one.value,
                rule="BRCH-2",
                label=named(one.value),
                meaning=sentences(out, more.get(one, NOTHING)),
            )
            for one in System
        ),
    )


def shaken(profile: Profile) -> ReferenceTable:
    """S2E-13, C-39: what the commander of a shaken ship chooses among in the second edition."""
    found = []
    for result in results_of(profile.house.shaken):
        row = row_of(result)
        meaning = sentence(row.meaning) if row is not None else NOTHING
        key = row.name if row is not None else result
        found.append(ReferenceRow(key=key, rule="S2E-13", label=label_of(result), meaning=meaning))
    return ReferenceTable(topic=Topic.SHAKEN, heading=say("What a shaken ship may suffer"), rows=tuple(found))
