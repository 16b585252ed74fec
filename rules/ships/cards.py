"""Deciding ships' cards: made and replaced, with numbers that follow from their ratings or their own (SHIP-1, C-73).

In: commands from people, and the start of a scene. Out: ships with their Shields, Resistance, Power and Crew Support.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import ClassVar, Final

from rules.conflict.lasting import end_one
from rules.deciding.checks import A_NAME, find_ship, require_name, require_ready, require_text
from rules.deciding.decision import Command, Draft
from rules.errors import Refusal
from rules.ships.events import ShipRemoved, ShipSaved, ShipStateChanged
from rules.ships.numbers import ship_numbers
from rules.state.changing import replace
from rules.state.people import Disciplines, WeaponTrait
from rules.state.ships import Ship, ShipState, ShipWeapon, Systems
from rules.state.table import Table
from rules.state.vocabulary import Condition, CrewQuality, System
from rules.tasks.extended import ExtendedTaskEnded
from rules.words import Phrase, capitalized, joined_by, known, say, worded

SHIP_EFFECTS: Final[dict[str, bool]] = {
    "area": False, "dampening": False, "persistent": True, "piercing": True, "spread": False, "vicious": True,
}  # fmt: skip
"""Damage Effects of ship weapons, and whether each has a number X (SWPN-1 to SWPN-6)."""


SHIP_QUALITIES: Final[dict[str, bool]] = {
    "calibration": False, "devastating": False, "hidden": True, "high_yield": False, "versatile": True,
}  # fmt: skip
"""Qualities of ship weapons, and whether each has a number X (SQUAL-1 to SQUAL-5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveShip(Command):
    """Make a ship (empty `ship_id`) or replace one.

    * `crew` is for an NPC ship (NSHIP-1), None for one with a bridge crew of characters.
    * `weapons` None keeps those that it has.
    * `shields`, `resistance`, `power` and `crew_support` are its own numbers; None follows its ratings (SHIP-2, C-73).
    """

    name: str = field(metadata=A_NAME)
    scale: int
    systems: Systems
    departments: Disciplines
    ship_id: str = ""
    crew: CrewQuality | None = None
    weapons: tuple[ShipWeapon, ...] | None = None
    shields: int | None = None
    resistance: int | None = None
    power: int | None = None
    crew_support: int | None = None

    undone: ClassVar[Phrase | None] = say("the change of a ship")

    def decide(self, draft: Draft) -> None:
        """SHIP-1, SHIP-2, NSHIP-1, C-73: make or replace a ship. What is lost of its Shields and Power stays lost."""
        require_ready(draft.table)
        name = require_name(self.name, say("the ship's name"))
        if self.scale not in _SCALES:
            raise Refusal(
                "SHIP-1",
                "Scale goes from {least} to {most}; choose one of these.",
                least=_SCALES.start,
                most=_SCALES.stop - 1,
            )
        _require_ratings(self.systems, _RATINGS)
        _require_ratings(self.departments, _DEPARTMENTS)
        _require_own_numbers(self)
        before = find_ship(draft.table, self.ship_id) if self.ship_id else None
        if before is not None:
            _require_not_busy(draft.table, before.ship_id)
        number = draft.table.next_number
        ship = Ship(
            ship_id=self.ship_id or f"ship-{number}",
            name=name,
            scale=self.scale,
            systems=self.systems,
            departments=self.departments,
            crew=self.crew,
            weapons=_weapons(self, before),
        )
        ship = replace(ship, state=_state(self, ship, before))
        created = before is None
        draft.record(ShipSaved(ship=ship, created=created, next_number=number + created))


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveShip(Command):
    """Take a ship off the table."""

    ship_id: str

    undone: ClassVar[Phrase | None] = say("taking a ship off the table")

    def decide(self, draft: Draft) -> None:
        """Take a ship off the table, unless it is busy just now or has Turns in a conflict; what lasts for it ends."""
        ship = find_ship(draft.table, self.ship_id)
        _require_not_busy(draft.table, self.ship_id)
        conflict = draft.table.conflict
        if conflict is not None and any(ship.ship_id in (one.combatant_id, one.ship_id) for one in conflict.combatants):
            raise Refusal(
                "TURN-1", "{ship} takes part in the conflict; take it or its crew out of that first.", ship=ship.name
            )
        for one in draft.table.effects:
            if ship.ship_id in (one.owner_id, one.target_id):
                end_one(draft, one, say("the ship is gone"))
        for track in draft.table.extended:
            if track.subject_id == ship.ship_id:
                draft.record(ExtendedTaskEnded(track=track, why=say("the ship is gone")))
        draft.record(ShipRemoved(ship_id=ship.ship_id, name=ship.name))


_RATINGS: Final = range(21)
"""What a ship's system may be (SHIP-1)."""


_DEPARTMENTS: Final = range(7)
"""What a ship's department may be (SHIP-1)."""


_SCALES: Final = range(1, 21)
"""What a ship's Scale may be (SHIP-1)."""


_OWN_NUMBERS: Final = range(100)
"""What a number may be that a card gives in place of the one that follows from the rules."""


_WEAPON_RATINGS: Final = range(1, 41)
"""How many Challenge Dice, or how much damage, a ship's weapon may have."""


_TRAIT_AMOUNTS: Final = range(21)
"""What the number of an effect or a quality may be."""


_TRAITS: Final = frozenset({*SHIP_EFFECTS, *SHIP_QUALITIES})
"""The names of all effects and qualities that a ship's weapon can have (SWPN, SQUAL)."""


MOST_WEAPONS: Final = 12
"""The most weapons of a ship; a longer list is a slip of the finger."""


MOST_WEAPON_TRAITS: Final = 12
"""The most effects and qualities of a weapon; a longer list is a slip of the finger."""


def _require_ratings(ratings: Systems | Disciplines, allowed: range) -> None:
    for one in fields(ratings):
        if getattr(ratings, one.name) not in allowed:
            raise Refusal(
                "SHIP-1",
                "{name} goes from {least} to {most}.",
                name=capitalized(known(one.name)),
                least=allowed.start,
                most=allowed.stop - 1,
            )


def _require_own_numbers(command: SaveShip) -> None:
    own = (
        (say("Shields"), command.shields),
        (say("Resistance"), command.resistance),
        (say("Power"), command.power),
        (say("Crew Support"), command.crew_support),
    )
    for name, value in own:
        if value is not None and value not in _OWN_NUMBERS:
            raise Refusal(
                "SHIP-2",
                "{name} goes from 0 to {most}; leave it out to follow the ratings.",
                name=name,
                most=_OWN_NUMBERS.stop - 1,
            )


def _weapons(command: SaveShip, before: Ship | None) -> tuple[ShipWeapon, ...]:
    """The weapons given, else those it has."""
    if command.weapons is None:
        return before.weapons if before is not None else ()
    if len(command.weapons) > MOST_WEAPONS:
        raise Refusal("SHIP-1", "A ship has at most {most} weapons; leave some out.", most=MOST_WEAPONS)
    weapons = tuple(_weapon(one) for one in command.weapons)
    if len({one.name.casefold() for one in weapons}) != len(weapons):
        raise Refusal("SHIP-1", "Two weapons have the same name; tell them apart.")
    return weapons


def _weapon(weapon: ShipWeapon) -> ShipWeapon:
    name = require_text(weapon.name, say("every weapon's name"))
    if weapon.rating not in _WEAPON_RATINGS:
        least, most = _WEAPON_RATINGS.start, _WEAPON_RATINGS.stop - 1
        raise Refusal(
            "SHIP-1", "A weapon's rating goes from {least} to {most}; choose one of these.", least=least, most=most
        )
    return replace(weapon, name=name, effects=_traits(weapon.effects), qualities=_traits(weapon.qualities))


def _traits(traits: tuple[WeaponTrait, ...]) -> tuple[WeaponTrait, ...]:
    if len(traits) > MOST_WEAPON_TRAITS:
        raise Refusal(
            "SHIP-1", "A weapon has at most {most} effects or qualities; leave some out.", most=MOST_WEAPON_TRAITS
        )
    if any(one.amount not in _TRAIT_AMOUNTS for one in traits):
        raise Refusal("SHIP-1", "An effect's or quality's number goes from 0 to {most}.", most=_TRAIT_AMOUNTS.stop - 1)
    named = tuple(replace(one, name=require_text(one.name, say("every effect's and quality's name"))) for one in traits)
    for one in named:
        if one.name.casefold().replace(" ", "_").replace("-", "_") not in _TRAITS:
            possible = joined_by(", ", [worded(name) for name in sorted(_TRAITS)])
            raise Refusal("SWPN-1", "No ship's weapon is {name}; it may be {traits}.", name=one.name, traits=possible)
    return named


def _state(command: SaveShip, ship: Ship, before: Ship | None) -> ShipState:
    usual = filled(ship).state
    state = replace(
        usual,
        resistance=_own(command.resistance, usual.resistance),
        shields_max=_own(command.shields, usual.shields_max),
        power_max=_own(command.power, usual.power_max),
        crew_support_max=_own(command.crew_support, usual.crew_support_max),
    )
    now = before.state if before is not None else ShipState()
    lowered = not now.shields_raised
    return replace(
        now,
        resistance=state.resistance,
        shields_max=state.shields_max,
        shields=0 if lowered else _kept(now.shields, now.shields_max, state.shields_max),
        shields_kept=_kept(now.shields_kept, now.shields_max, state.shields_max) if lowered else 0,
        power_max=state.power_max,
        power=_kept(now.power, now.power_max, state.power_max),
        crew_support_max=state.crew_support_max,
        crew_support=_kept(now.crew_support, now.crew_support_max, state.crew_support_max),
    )


def _own(number: int | None, derived: int) -> int:
    return derived if number is None else number


def _kept(value: int, most_before: int, most: int) -> int:
    """What is left of a number whose maximum changes: as much is missing as before."""
    return max(0, min(most, most - (most_before - value)))


def filled(ship: Ship) -> Ship:
    """The ship whole, with the numbers that follow from its ratings (SHIP-2)."""
    numbers = ship_numbers(
        scale=ship.scale,
        structure=ship.systems.structure,
        security=ship.departments.security,
        engines=ship.systems.engines,
    )
    state = replace(
        ship.state,
        resistance=numbers.resistance,
        shields_max=numbers.shields,
        shields=numbers.shields,
        power_max=numbers.power,
        power=numbers.power,
        crew_support_max=numbers.crew_support,
        crew_support=numbers.crew_support,
    )
    return replace(ship, state=state)


def _require_not_busy(table: Table, ship_id: str) -> None:
    for task in (table.task, table.opposed):
        if task is None:
            continue
        action, helper = task.declaration.action, task.declaration.ship
        involved = {
            helper.ship_id if helper is not None else "",
            task.declaration.character_id,
            task.declaration.opponent_id if task.opposed_winner is None else "",
            *((action.ship_id, action.target_id) if action is not None else ()),
        }
        if ship_id in involved:
            raise Refusal("TASK-10", "That ship helps with the Task in hand; finish it or take it back first.")
    if any(ship_id in (one.subject_id, one.by_id) for one in table.agenda):
        raise Refusal("TASK-10", "Something about that ship is still to be settled; look at what the table asks for.")


def scene_starts(draft: Draft) -> None:
    """C-75: Power is back with each scene, except where the Engines give none (BRCH-4, C-74).

    A ship from before it had a state gets the numbers of its ratings.
    """
    for ship in draft.table.ships:
        state = filled(ship).state if _is_blank(ship.state) else replace(ship.state, power=_power_at_start(ship))
        state = replace(state, turns_lost=0)
        if state != ship.state:
            draft.record(ShipStateChanged(ship_id=ship.ship_id, name=ship.name, state=state, why=say("a new scene")))


def _power_at_start(ship: Ship) -> int:
    return ship.state.power if no_new_power(ship) else ship.state.power_max


def no_new_power(ship: Ship) -> bool:
    """Whether the Engines are disabled or destroyed, so that no Power comes (BRCH-4, C-74)."""
    return ship.state.damage_of(System.ENGINES).condition in (Condition.DISABLED, Condition.DESTROYED)


def _is_blank(state: ShipState) -> bool:
    return not (state.shields_max or state.power_max or state.resistance or state.crew_support_max)
