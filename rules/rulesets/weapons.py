"""Weapons that people carry, as a table: what each throws, how it is held, what it does beside (WPN-1, EFF, QUAL)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rules.errors import Refusal
from rules.rulesets.profiles import Profile
from rules.state.people import Weapon, WeaponTrait
from rules.state.vocabulary import AttackType, Availability
from rules.words import say, worded

UNARMED: Final = "unarmed"
"""The weapon that everybody has (WPN-1)."""


EFFECTS: Final[dict[str, bool]] = {
    "area": False, "intense": False, "knockdown": False, "piercing": True, "vicious": True,
}  # fmt: skip
"""Damage Effects of a weapon, and whether each has a number X (EFF-1 to EFF-5)."""


QUALITIES: Final[dict[str, bool]] = {
    "accurate": False, "charge": False, "cumbersome": False, "deadly": False, "debilitating": False, "hidden": True,
    "inaccurate": False, "non_lethal": False, "grenade": False,
}  # fmt: skip
"""Qualities of a weapon, and whether each has a number X (QUAL-1 to QUAL-9)."""


_MELEE, _RANGED = AttackType.MELEE, AttackType.RANGED
"""How a weapon strikes, short for the rows of `_TABLE`."""


_PRICED, _NOT_AVAILABLE = Availability.PRICED, Availability.NOT_AVAILABLE
"""How a weapon is had, short for the rows of `_TABLE`."""


_AREA, _INTENSE, _KNOCKDOWN = WeaponTrait(name="area"), WeaponTrait(name="intense"), WeaponTrait(name="knockdown")
"""Damage Effects without a number (EFF-1 to EFF-3)."""


_VICIOUS = WeaponTrait(name="vicious", amount=1)
"""Vicious 1, as every weapon here has it (EFF-5)."""


_ACCURATE, _CHARGE, _DEADLY = WeaponTrait(name="accurate"), WeaponTrait(name="charge"), WeaponTrait(name="deadly")
"""Qualities without a number (QUAL-1, QUAL-2, QUAL-4)."""


_DEBILITATING, _GRENADE = WeaponTrait(name="debilitating"), WeaponTrait(name="grenade")
"""Qualities without a number (QUAL-5, QUAL-9)."""


_HIDDEN, _NON_LETHAL = WeaponTrait(name="hidden", amount=1), WeaponTrait(name="non_lethal")
"""Hidden 1, as every weapon here has it, and Non-lethal (QUAL-6, QUAL-8)."""


_TABLE: Final = (
    Weapon(
        name=UNARMED, label=say("Unarmed"), attack=_MELEE, rating=1, effects=(_KNOCKDOWN,), qualities=(_NON_LETHAL,),
    ),
    Weapon(
        name="knife", label=say("Knife"), attack=_MELEE, rating=1, effects=(_VICIOUS,), qualities=(_DEADLY, _HIDDEN),
        availability=_PRICED, opportunity=1,
    ),
    Weapon(
        name="blade", label=say("Blade"), attack=_MELEE, rating=2, effects=(_VICIOUS,), availability=_PRICED,
        opportunity=1,
    ),
    Weapon(
        name="heavy_blade", label=say("Heavy Blade"), attack=_MELEE, rating=3, two_handed=True, effects=(_VICIOUS,),
        availability=_PRICED, opportunity=1, escalation=1,
    ),
    Weapon(
        name="bludgeon", label=say("Bludgeon"), attack=_MELEE, rating=2, effects=(_KNOCKDOWN,), availability=_PRICED,
        opportunity=1,
    ),
    Weapon(name="phaser_type_1", label=say("Phaser Type 1"), attack=_RANGED, rating=2, qualities=(_CHARGE, _HIDDEN)),
    Weapon(name="phaser_type_2", label=say("Phaser Type 2"), attack=_RANGED, rating=3, qualities=(_CHARGE,)),
    Weapon(
        name="phaser_type_3", label=say("Phaser Type 3"), attack=_RANGED, rating=4, two_handed=True,
        qualities=(_ACCURATE, _CHARGE), availability=_PRICED, opportunity=1, escalation=2,
    ),
    Weapon(
        name="pulse_grenade", label=say("Pulse Grenade"), attack=_RANGED, rating=4, effects=(_AREA,),
        qualities=(_CHARGE, _GRENADE), availability=_PRICED, opportunity=1, escalation=2,
    ),
    Weapon(
        name="andorian_plasma_rifle", label=say("Andorian Plasma Rifle"), attack=_RANGED, rating=4, two_handed=True,
        effects=(_INTENSE,), qualities=(_ACCURATE, _DEADLY), availability=_NOT_AVAILABLE,
    ),
    Weapon(name="phase_pistol", label=say("Phase Pistol"), attack=_RANGED, rating=3),
    Weapon(
        name="particle_rifle", label=say("Particle Rifle"), attack=_RANGED, rating=4, two_handed=True,
        qualities=(_ACCURATE,),
    ),
    Weapon(
        name="disruptor_pistol", label=say("Disruptor Pistol"), attack=_RANGED, rating=3, effects=(_VICIOUS,),
        availability=_NOT_AVAILABLE,
    ),
    Weapon(
        name="disruptor_rifle", label=say("Disruptor Rifle"), attack=_RANGED, rating=4, two_handed=True,
        effects=(_VICIOUS,), qualities=(_ACCURATE,), availability=_NOT_AVAILABLE,
    ),
    Weapon(
        name="plasma_pistol", label=say("Jem'Hadar Plasma Pistol"), attack=_RANGED, rating=3, effects=(_VICIOUS,),
        qualities=(_DEBILITATING,), availability=_NOT_AVAILABLE,
    ),
    Weapon(
        name="plasma_rifle", label=say("Jem'Hadar Plasma Rifle"), attack=_RANGED, rating=4, two_handed=True,
        effects=(_VICIOUS,), qualities=(_ACCURATE, _DEBILITATING), availability=_NOT_AVAILABLE,
    ),
)  # fmt: skip
"""Every weapon of the books, in their order (WPN-1)."""


WEAPONS: Final[Mapping[str, Weapon]] = MappingProxyType({one.name: one for one in _TABLE})
"""Every weapon by its name, as the rules print it (WPN-1)."""


def weapons_of(profile: Profile) -> tuple[Weapon, ...]:
    """The weapons of a table: the rules' own, with those of its house in their place or added (WPN-1)."""
    return tuple({**WEAPONS, **{one.name: one for one in profile.house.weapons}}.values())


def weapon(name: str, profile: Profile) -> Weapon:
    """One weapon of a table, with the house's row where it has one (WPN-1). Refuses a name that is no weapon's."""
    found = next((one for one in profile.house.weapons if one.name == name), None) or WEAPONS.get(name)
    if found is None:
        raise Refusal("WPN-1", "No weapon is called {name}; choose one of those listed.", name=worded(name))
    return found


def weapon_label(name: str, profile: Profile) -> str:
    """A weapon as people read it: its row's label, which may be a house's own; the name where none has it any more."""
    return next((one.label for one in weapons_of(profile) if one.name == name), name)


def has(held: Weapon, quality: str) -> bool:
    """Whether a weapon has a Quality, whatever its number (QUAL)."""
    return any(one.name == quality for one in held.qualities)
