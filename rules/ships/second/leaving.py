"""Ramming and abandoning ship, shaken ships, large adversaries (S2E-13, S2E-16, S2E-20, S2E-21, S2E-H6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rules.conflict.helping import action_of
from rules.conflict.lasting import EffectBegan, begin_effect, effects_named, end_one
from rules.conflict.order import combatant_name
from rules.conflict.rounds import touch
from rules.deciding.agenda import finish_step, plan_last, require_step
from rules.deciding.checks import find_ship, profile, require_task, short_text
from rules.deciding.decision import Command, Draft, StepRow, by_choice
from rules.deciding.fields import FieldRow, within
from rules.errors import Refusal
from rules.ships.among import SHIP
from rules.ships.bridge import acting_ship, ship_of, ships_taking_part, target_ship
from rules.ships.numbers import SCAN_PIERCING
from rules.ships.seats import commander
from rules.ships.second.events import LargeShipTurnsSet, ShakenChosen, ShipAbandoned
from rules.ships.second.hits import hit_steps, open_attack
from rules.ships.second.movement import require_movable
from rules.ships.second.numbers import LargeShipTurns, collision_rating, large_ship_round
from rules.ships.second.power import require_reserve, take_reserve
from rules.ships.second.stations import complete, station_row
from rules.ships.shaken import results_of, row_of
from rules.state.changing import replace
from rules.state.conflict import LastingEffect, Step
from rules.state.glossary import grammatical
from rules.state.ships import Ship, ShipState, SystemDamage
from rules.state.table import Table
from rules.state.tasks import Declaration, Purchase, Task
from rules.state.vocabulary import Condition, EffectEnd, Payer, Range, Side, StepKind, System, TraitKind
from rules.tasks.declaring import BuyDie, buy_die
from rules.tasks.traits import record_trait
from rules.words import Phrase, say, say_count, spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseShaken(Command):
    """The commander of a shaken ship picks a result of the table's list (S2E-13, C-39).

    `system` is the one that a result takes out; `note` what is told about it.
    """

    result: str
    system: System | None = None
    note: str = ""

    undone: ClassVar[Phrase | None] = say("the choice of the shaken ship")

    def decide(self, draft: Draft) -> None:
        """S2E-13, C-39: what the ship suffers; nothing if no result on the list is possible any more."""
        step = require_step(draft, StepKind.SHAKEN, "S2E-13", say("No ship is shaken now; choose this when one is."))
        ship = find_ship(draft.table, step.subject_id)
        results = results_of(profile(draft.table).house.shaken)
        if self.result not in results:
            raise Refusal("S2E-13", "That is not on this table's list of results; choose one that is.")
        note = short_text(self.note, say("the note"))
        row = row_of(self.result)
        name, state = row.name if row is not None else "", None
        if not any(_can_befall(ship, one) for one in results):
            name, note = "", note or say("Nothing of that is left to lose")
        if name == "system_out":
            state = _without_system(ship, self)
        elif name == "lose_reserve_power":
            require_reserve(ship)
            take_reserve(draft, ship, say("the ship is shaken"))
        elif name == "complication":
            words = note or say("{ship} is shaken", ship=ship.name)
            record_trait(draft, words, TraitKind.COMPLICATION, npc=ship.crew is not None)
        draft.record(
            ShakenChosen(
                ship_id=ship.ship_id,
                name=ship.name,
                result=self.result,
                system=self.system if name == "system_out" else None,
                note=note,
                state=state,
            )
        )
        finish_step(draft)


@dataclass(frozen=True, slots=True, kw_only=True)
class AbandonShip(Command):
    """The order to abandon ship (S2E-20)."""

    ship_id: str

    undone: ClassVar[Phrase | None] = say("the order to abandon ship")

    def decide(self, draft: Draft) -> None:
        """S2E-20: half the crew is out by the end of this Round, the rest by the end of the next one."""
        ship = find_ship(draft.table, self.ship_id)
        if ship.state.destroyed or ship.state.abandoned:
            raise Refusal("S2E-20", "Nobody is left aboard {ship}.", ship=ship.name)
        if effects_named(draft.table, "abandoning", target_id=ship.ship_id):
            raise Refusal("S2E-20", "The order is given already; the crew leaves {ship}.", ship=ship.name)
        begin_effect(
            draft,
            LastingEffect(
                effect_id="", name="abandoning", owner_id=ship.ship_id, target_id=ship.ship_id, ends=EffectEnd.USED
            ),
        )
        draft.record(ShipAbandoned(ship_id=ship.ship_id, name=ship.name, share=0))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseLargeShipTurns(Command):
    """S2E-21: all turns of an adversary of Scale 7 or more, or as many as the players and bonus dice for the rest."""

    ship_id: str
    option: LargeShipTurns

    undone: ClassVar[Phrase | None] = say("the turns of the large adversary")

    def decide(self, draft: Draft) -> None:
        """S2E-21: all turns, or as many as the players have and bonus dice for the rest."""
        ship = find_ship(draft.table, self.ship_id)
        conflict = draft.table.conflict
        combatant = conflict.combatant(ship.ship_id) if conflict is not None else None
        if conflict is None or combatant is None:
            raise Refusal("S2E-21", "{ship} takes no part in a conflict; add it first.", ship=ship.name)
        if ship.scale < LARGE_SCALE:
            raise Refusal("S2E-21", "Only adversaries of Scale {scale} or more choose so.", scale=LARGE_SCALE)
        if combatant.turns_taken:
            raise Refusal("S2E-21", "{ship} acted already this Round; choose before its first turn.", ship=ship.name)
        others = sum(one.turns for one in conflict.combatants if one.side is not combatant.side and one.side is Side.PC)
        chosen = large_ship_round(ship.scale, others, self.option)
        turns = max(1, chosen.turns)
        conflict = replace(conflict, combatants=conflict.combatants_with(ship.ship_id, turns=turns))
        for one in effects_named(draft.table, "surplus_dice", owner_id=ship.ship_id):
            end_one(draft, one, say("chosen anew"))
        if chosen.bonus_dice:
            dice = LastingEffect(
                effect_id="",
                name="surplus_dice",
                owner_id=ship.ship_id,
                amount=chosen.bonus_dice,
                rounds_left=chosen.bonus_dice,
                ends=EffectEnd.SCENE,
            )
            begin_effect(draft, dice)
        draft.record(
            LargeShipTurnsSet(
                ship_id=ship.ship_id,
                name=ship.name,
                turns=turns,
                bonus_dice=chosen.bonus_dice,
                conflict=conflict,
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UseSurplusDie(Command):
    """One of a large adversary's bonus dice for its Task in hand, before the throw (S2E-21)."""

    undone: ClassVar[Phrase | None] = say("the large adversary's bonus die")

    def decide(self, draft: Draft) -> None:
        """S2E-21: one of the bonus dice for the large ship's Task in hand; five dice stay the most (TASK-3)."""
        task = require_task(draft.table)
        dice = effects_named(draft.table, "surplus_dice", owner_id=task.declaration.character_id)
        if not dice or not dice[0].amount:
            raise Refusal("S2E-21", "No bonus die is left for this Task's side this Round.")
        buy_die(draft, BuyDie(purchase=Purchase(payer=Payer.TALENT)))
        fewer = replace(dice[0], amount=dice[0].amount - 1)
        draft.record(EffectBegan(effect=fewer, next_number=draft.table.next_number))


COLLISION_QUALITIES: Final = ("devastating", f"piercing:{SCAN_PIERCING}")
"""The qualities of a collision; ramming adds Intense (S2E-16)."""


COLLISION: Final = "collision"
"""The name of the hit that the ramming ship takes itself."""


FARTHEST_RAM: Final = 20
"""Zones moved before a collision; a larger number is a slip of the finger."""


LARGE_SCALE: Final = 7
"""The Scale from which S2E-21 holds."""


# --- ramming ------------------------------------------------------------------------------------------------


def _plan_ram(table: Table, declaration: Declaration) -> Declaration:
    action = declaration.action
    if action is None:
        return declaration
    ship = acting_ship(table, declaration.character_id, action)
    require_movable(table, ship)
    target_ship(table, action, ship)
    if action.at_range not in (None, Range.CLOSE):
        raise Refusal("S2E-H6", "Ramming goes from Close range to Contact; come nearer first.")
    if not 0 <= action.zones <= FARTHEST_RAM:
        raise Refusal("S2E-16", "A ship moves 0 to {most} zones before it rams; choose within that.", most=FARTHEST_RAM)
    return complete(table, declaration)


def _rammed(draft: Draft, task: Task) -> None:
    """S2E-16: the collision's damage on both ships."""
    ship, action = ship_of(draft, task), action_of(task.declaration)
    rating = collision_rating(ship.scale, action.zones)
    open_attack(
        draft,
        attacker=ship,
        action=action,
        flat=rating,
        target_id=action.target_id,
        qualities=(*COLLISION_QUALITIES, "intense"),
    )
    plan_last(draft, *hit_steps(ship.ship_id, ship.ship_id, rating, name=COLLISION))


def _in_contact(draft: Draft, task: Task) -> None:
    """S2E-H6: where both ships still stand, they are in Contact."""
    both = (ship_of(draft, task), find_ship(draft.table, action_of(task.declaration).target_id))
    if all(not one.state.destroyed for one in both):
        touch(draft, *(one.ship_id for one in both))


# --- shaken -------------------------------------------------------------------------------------------------


def _begin_shaken(_: Draft, __: Step) -> None:
    """The commander chooses (S2E-13)."""


def _can_befall(ship: Ship, result: str) -> bool:
    """Whether a result is possible for a ship: it needs Reserve Power or a working system.

    Others are always possible.
    """
    row = row_of(result)
    name = row.name if row is not None else ""
    if name == "system_out":
        return not all(_is_out(ship.state.damage_of(system)) for system in System)
    return name != "lose_reserve_power" or ship.state.reserve_power


def _is_out(damage: SystemDamage) -> bool:
    """Whether a system does not work, so that it cannot go out any more."""
    return damage.impact or damage.condition is Condition.DESTROYED


def _without_system(ship: Ship, command: ChooseShaken) -> ShipState:
    if command.system is None:
        raise Refusal("S2E-13", "Say which system goes out.")
    damage = ship.state.damage_of(command.system)
    if damage.condition is Condition.DESTROYED:
        raise Refusal(
            "S2E-13",
            say_count(
                grammatical(command.system),
                "{ship}'s {system} is destroyed already; choose another system.",
                "{ship}'s {system} are destroyed already; choose another system.",
                ship=ship.name,
                system=command.system,
            ),
        )
    if damage.impact:
        raise Refusal(
            "S2E-13",
            say_count(
                grammatical(command.system),
                "{ship}'s {system} is out already; choose another system.",
                "{ship}'s {system} are out already; choose another system.",
                ship=ship.name,
                system=command.system,
            ),
        )
    return replace(ship.state, systems=ship.state.systems_with(replace(damage, impact=True)))


def round_ends(draft: Draft) -> None:
    """S2E-20, S2E-21: half the crew of a ship that takes part leaves; large ships have their bonus dice again."""
    there = {one.ship_id for one in ships_taking_part(draft.table)}
    for one in effects_named(draft.table, "abandoning"):
        if one.target_id not in there:
            continue
        ship = find_ship(draft.table, one.target_id)
        share = one.amount + 1
        state = replace(ship.state, abandoned=True) if share > 1 else None
        draft.record(ShipAbandoned(ship_id=ship.ship_id, name=ship.name, share=share, state=state))
        if share == 1:
            draft.record(EffectBegan(effect=replace(one, amount=share), next_number=draft.table.next_number))
            continue
        end_one(draft, one, say("everyone left"))
    for one in effects_named(draft.table, "surplus_dice"):
        renewed = replace(one, amount=one.rounds_left)
        draft.record(EffectBegan(effect=renewed, next_number=draft.table.next_number))


def _plan_pod(table: Table, declaration: Declaration) -> Declaration:
    """S2E-20: D0."""
    return complete(table, declaration, difficulty=0)


_RUN_UP: Final = FieldRow(name="zones", optional=True, within=within(0, FARTHEST_RAM))
"""From how many zones away a ship rams (S2E-H6)."""


ROWS: Final = (
    station_row(
        "ram",
        say("Ram"),
        needs=("target_id", "zones"),
        fields=(SHIP, _RUN_UP),
        unasked=("at_range",),
        plan=_plan_ram,
        struck=_rammed,
        result=_in_contact,
    ),
    station_row("board_pod", say("Board an escape pod"), plan=_plan_pod, rolled=by_choice),
)
"""Ramming and abandoning ship (S2E-H6, S2E-20)."""


def _ask_shaken(table: Table, step: Step) -> Phrase:
    ship = find_ship(table, step.subject_id)
    name = spoken(ship.name)
    if ship.crew is not None:
        return say("What does the shaken {ship} suffer? The gamemaster chooses.", ship=name)
    if one := commander(table, ship.ship_id):
        who = spoken(combatant_name(table, one))
        return say("What does the shaken {ship} suffer? {who} chooses.", ship=name, who=who)
    return say("What does the shaken {ship} suffer? The players choose.", ship=name)


STEPS: Final = (StepRow(kind=StepKind.SHAKEN, begin=_begin_shaken, asks=_ask_shaken),)
"""The step in which the commander of a shaken ship chooses what it suffers (S2E-13)."""
