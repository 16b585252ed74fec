"""Every table of the books for one table's rules, and the row that a choice stands in.

In: the profile of a table, and a command that somebody could give. Out: tables by topic, and single rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from rules.conflict.budget import TakeMinorAction
from rules.conflict.creatures import BringIn, TakeWeapon
from rules.conflict.damage_spends import RerollDamage
from rules.conflict.injuries import AvoidInjury, PushOn, StayUp
from rules.conflict.rounds import KeepInitiative
from rules.deciding.decision import EVERY_RULESET, Command
from rules.reference import of_fights, of_ships, of_tasks
from rules.reference.rows import ReferenceRow, ReferenceTable, Topic
from rules.rulesets.profiles import Profile
from rules.ships.first.choosing import RerollShipDamage
from rules.ships.first.stations import FIRST
from rules.ships.second.leaving import ChooseShaken
from rules.ships.second.stations import SECOND
from rules.ships.shaken import row_of
from rules.state.vocabulary import ActionScope, Benefit, RerollReason, Ruleset, Spend
from rules.tasks.declaring import BuyDie, CreateProblem
from rules.tasks.determination import MakeItSo, SurgeOfActivity, UseValueAgainst
from rules.tasks.pools import GainThreat, SpendThreat
from rules.tasks.second_throws import RerollDice
from rules.tasks.settling import BuyOffComplication, MakeSpend

_TABLES: Final[tuple[Callable[[Profile], ReferenceTable], ...]] = (
    of_tasks.difficulty,
    of_tasks.complication_range,
    of_tasks.bonus_dice,
    of_tasks.momentum,
    of_tasks.determination,
    of_tasks.threat_gains,
    of_tasks.threat_spends,
    of_tasks.traits,
    of_fights.circumstances,
    of_fights.ranges,
    of_fights.actions,
    of_fights.weapons,
    of_fights.weapon_effects,
    of_fights.weapon_qualities,
    of_fights.injuries,
    of_fights.abilities,
    of_ships.crews,
    of_ships.stations,
    of_ships.ship_weapons,
    of_ships.ship_effects,
    of_ships.ship_qualities,
    of_ships.terrain,
    of_ships.systems_hit,
    of_ships.breach_causes,
    of_ships.breaches,
    of_ships.conditions,
    of_ships.impacts,
    of_ships.shaken,
    of_fights.lasting,
)
"""In the order in which people look for them: any Task, fights on foot, ships, what lasts."""


_ONLY_IN: Final[Mapping[Callable[[Profile], ReferenceTable], frozenset[Ruleset]]] = {
    of_ships.impacts: FIRST,
    of_ships.shaken: SECOND,
}
"""The tables that not every ruleset has."""


@lru_cache(maxsize=16)
def reference(profile: Profile) -> Mapping[Topic, ReferenceTable]:
    """Every table that a table of these rules has, by its topic, in the order in which it is shown."""
    made = (make(profile) for make in _TABLES if profile.ruleset in _ONLY_IN.get(make, EVERY_RULESET))
    return MappingProxyType({one.topic: one for one in made})


def reference_row(profile: Profile, topic: str, key: str) -> ReferenceRow | None:
    """One row by its table's topic and its own key; None where there is none. Of Breaches, any Scale has one."""
    table = reference(profile).get(Topic(topic)) if topic in set(Topic) else None
    if table is None:
        return None
    found = table.row(key)
    if found is None and table.topic is Topic.BREACHES and key.isdecimal() and 0 < int(key) <= _LARGEST_SCALE:
        return of_ships.breaches_at(int(key), profile)
    return found


_LARGEST_SCALE: Final = 99
"""The largest Scale that a row is made for; no ship of the books comes near it."""


def row_about(profile: Profile, command: Command) -> tuple[Topic, str] | None:
    """The topic and the key of the row that says what a command buys or does; None where no table has it."""
    name = _ABOUT.get(type(command))
    found = name(command) if name is not None else None
    return found if found is not None and reference_row(profile, *found) is not None else None


def _of_spend(spend: str) -> Callable[[Any], tuple[Topic, str]]:
    return lambda _: (Topic.MOMENTUM, spend)


def _of_benefit(benefit: Benefit) -> Callable[[Any], tuple[Topic, str]]:
    return lambda _: (Topic.DETERMINATION, benefit.value)


def _of_action(one: TakeMinorAction) -> tuple[Topic, str]:
    topic = Topic.STATIONS if one.action.scope is ActionScope.BRIDGE else Topic.ACTIONS
    return topic, one.action.name


def _of_shaken(one: ChooseShaken) -> tuple[Topic, str]:
    row = row_of(one.result)
    return Topic.SHAKEN, row.name if row is not None else one.result


def _of_reroll(one: RerollDice) -> tuple[Topic, str] | None:
    inspired = one.reason is RerollReason.INSPIRATION
    return (Topic.DETERMINATION, Benefit.MOMENT_OF_INSPIRATION.value) if inspired else None


_ABOUT: Final[Mapping[type[Command], Callable[[Any], tuple[Topic, str] | None]]] = MappingProxyType(
    {
        AvoidInjury: _of_spend("avoid_injury"),
        BringIn: lambda one: (
            (Topic.THREAT_SPENDS, "reinforce_minor") if one.reinforcement else (Topic.ABILITIES, "menacing")
        ),
        BuyDie: lambda one: (Topic.BONUS_DICE, one.purchase.payer.value),
        BuyOffComplication: lambda _: (Topic.THREAT_GAINS, "complication_bought_off"),
        ChooseShaken: _of_shaken,
        CreateProblem: _of_spend(Spend.CREATE_PROBLEM),
        GainThreat: lambda one: (Topic.THREAT_GAINS, one.event),
        KeepInitiative: _of_spend("keep_initiative"),
        MakeItSo: _of_benefit(Benefit.MAKE_IT_SO),
        MakeSpend: lambda one: (Topic.MOMENTUM, one.spend),
        PushOn: _of_benefit(Benefit.IGNORE_INJURY),
        RerollDamage: _of_spend("reroll_damage"),
        RerollDice: _of_reroll,
        RerollShipDamage: _of_spend("reroll_damage"),
        SpendThreat: lambda one: (Topic.THREAT_SPENDS, one.event),
        StayUp: lambda _: (Topic.WEAPON_EFFECTS, "knockdown"),
        SurgeOfActivity: _of_benefit(Benefit.SURGE_OF_ACTIVITY),
        TakeMinorAction: _of_action,
        TakeWeapon: lambda one: (Topic.WEAPONS, one.weapon),
        UseValueAgainst: lambda one: (Topic.DETERMINATION, one.action.value),
    }
)
"""The row of each command that a table of the books has a row for."""


EXPLAINED: Final = frozenset(_ABOUT)
"""The commands that a row may tell of."""
