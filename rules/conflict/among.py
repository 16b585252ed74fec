"""The possible targets and weapons of actions on foot, for menus and forms, with the reason why there are none."""

from __future__ import annotations

from typing import Final

from rules.conflict.order import is_able
from rules.deciding.checks import conflict_side, profile
from rules.deciding.fields import FieldRow
from rules.rulesets.weapons import UNARMED, has, weapons_of
from rules.state.people import Weapon
from rules.state.table import Table
from rules.state.vocabulary import AttackType, ConflictKind, InjuryState
from rules.words import say


def others(table: Table, who: str) -> tuple[str, ...]:
    """Every other character who lives."""
    return tuple(
        one.character_id
        for one in table.characters
        if one.character_id != who and one.body.injury is not InjuryState.DEAD
    )


def allies(table: Table, who: str) -> tuple[str, ...]:
    """Every other character of the same side who can act (ASST-4)."""
    return tuple(
        one
        for one in others(table, who)
        if is_able(table, one) and conflict_side(table, one) is conflict_side(table, who)
    )


def patients(table: Table, _: str) -> tuple[str, ...]:
    """Whoever has an Injury and lives, those first whom it may kill (ACT-7, DMG-6)."""
    hurt = [one for one in table.characters if one.body.injury in {InjuryState.NONLETHAL, InjuryState.LETHAL}]
    dying = (one for one in hurt if one.body.injury is InjuryState.LETHAL and not one.body.stabilised)
    return tuple(dict.fromkeys(one.character_id for one in (*dying, *hurt)))


def taking_part(table: Table, who: str) -> tuple[str, ...] | None:
    """Everyone else in the conflict, into whose Reach one may come; nobody is asked where ships fight (RNG-1)."""
    if table.conflict is not None and table.conflict.kind is ConflictKind.STARSHIP:
        return None
    there = table.conflict.combatants if table.conflict is not None else ()
    return tuple(one.combatant_id for one in there if one.combatant_id != who)


def carried(table: Table, who: str) -> tuple[str, ...]:
    """What somebody carries (WPN-1)."""
    return next((one.weapons for one in table.characters if one.character_id == who), ())


def at_hand(table: Table, who: str) -> tuple[str, ...]:
    """What somebody may strike or shoot with: what they carry, and their bare hands (WPN-1)."""
    return (*carried(table, who), UNARMED)


def in_melee(table: Table, who: str) -> tuple[str, ...]:
    """What somebody may defend with in melee (ATK-2)."""
    held = _known(table)
    return tuple(one for one in at_hand(table, who) if one in held and held[one].attack is AttackType.MELEE)


def concealable(table: Table, _: str) -> tuple[str, ...]:
    """Every weapon that can be hidden (QUAL-6)."""
    return tuple(one.name for one in weapons_of(profile(table)) if has(one, "hidden"))


def to_be_hidden(table: Table, who: str) -> tuple[str, ...]:
    """What somebody carries that can be hidden (QUAL-6)."""
    known = concealable(table, who)
    return tuple(one for one in carried(table, who) if one in known)


def _known(table: Table) -> dict[str, Weapon]:
    return {one.name: one for one in weapons_of(profile(table))}


FOE: Final = FieldRow(
    name="target_id", those=others, asked=say("At whom"), none=say("Nobody else is there to be attacked.")
)
"""Whom an attack is aimed at (ATK-1)."""


ALLY: Final = FieldRow(
    name="target_id", those=allies, asked=say("Which ally"), none=say("No ally is there who can act."), helps=True
)
"""Who is helped (ASST-4)."""


SECOND_ALLY: Final = FieldRow(
    name="also_id",
    optional=True,
    those=allies,
    asked=say("The commander helps a second ally"),
    otherwise=say("Nobody else"),
    helps=True,
)
"""Who is helped besides by the commander of a bridge (S2E-C1)."""


GUARDED: Final = FieldRow(
    name="target_id", optional=True, those=allies, asked=say("Who is guarded"), otherwise=say("Oneself"), helps=True
)
"""Who is guarded, where it is not oneself (ACT-8)."""


PATIENT: Final = FieldRow(
    name="target_id",
    those=patients,
    asked=say("Who is treated"),
    none=say("Nobody has an Injury that could be treated."),
    helps=True,
)
"""Who is treated (ACT-7, DMG-8)."""


REACHED: Final = FieldRow(
    name="target_id", optional=True, those=taking_part, asked=say("Into whose Reach"), otherwise=say("Nobody's")
)
"""Into whose Reach somebody moves (RNG-1)."""
