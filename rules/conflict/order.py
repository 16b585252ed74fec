"""Reading a conflict: who can act, who may have the next Turn, who stands in whose Reach (TURN, RNG-2, C-79, C-85)."""

from __future__ import annotations

from typing import Final

from rules.conflict.numbers import next_turn
from rules.errors import Refusal
from rules.state.conflict import Combatant, Conflict, Turn
from rules.state.people import Body
from rules.state.table import Table
from rules.state.vocabulary import Condition, InjuryState, Side
from rules.tasks.abilities import amount_of
from rules.words import either

OTHER_SIDE: Final = {Side.PC: Side.NPC, Side.NPC: Side.PC}
"""The opponents of each side."""


def require_conflict(table: Table) -> Conflict:
    """The conflict under way. Refuses when there is none."""
    if table.conflict is None:
        raise Refusal("TURN-1", "No conflict is under way; start one first.")
    return table.conflict


def require_turn(table: Table) -> Turn:
    """The Turn in hand. Refuses when there is none."""
    turn = require_conflict(table).turn
    if turn is None:
        raise Refusal("TURN-1", "Nobody has the Turn; begin one first.")
    return turn


def require_combatant(table: Table, combatant_id: str) -> Combatant:
    """Who takes part with that id. Refuses one who does not."""
    combatant = require_conflict(table).combatant(combatant_id)
    if combatant is None:
        there = either([combatant_name(table, one.combatant_id) for one in require_conflict(table).combatants])
        raise Refusal(
            "TURN-1", "They take no part in this conflict; choose {names}, or let them join first.", names=there
        )
    return combatant


def combatant_name(table: Table, combatant_id: str) -> str:
    """The name of a character or ship, its id where it is at the table no longer."""
    named = {one.character_id: one.name for one in table.characters}
    ships = {one.ship_id: one.name for one in table.ships}
    return named.get(combatant_id) or ships.get(combatant_id) or combatant_id


def can_act(body: Body) -> bool:
    """DMG-6, DET-9: uninjured, or acting in spite of an Injury."""
    if body.injury is InjuryState.DEAD:
        return False
    return body.injury is InjuryState.NONE or body.pushing_on


def is_able(table: Table, combatant_id: str) -> bool:
    """Whether someone can act at all (DMG-6, C-79, C-85); of an NPC ship, whether it is not out of it (NSHIP-3)."""
    for one in table.characters:
        if one.character_id == combatant_id:
            return can_act(one.body)
    return any(
        one.ship_id == combatant_id
        and not one.state.destroyed
        and not one.state.abandoned
        and (table.conflict is None or one.state.condition is not Condition.DISABLED)
        for one in table.ships
    )


def turn_is_lost(table: Table) -> bool:
    """Whether whoever has the Turn can do nothing with it any more: their ship is gone, or they are injured."""
    turn = table.conflict.turn if table.conflict is not None else None
    return turn is not None and not is_able(table, turn.guest_id or turn.combatant_id)


def require_able(table: Table, combatant_id: str) -> None:
    """Refuse for who cannot act."""
    if not is_able(table, combatant_id):
        name = combatant_name(table, combatant_id)
        if any(one.ship_id == combatant_id for one in table.ships):
            raise Refusal("NSHIP-3", "{name} has no more Turns this scene; choose someone else.", name=name)
        raise Refusal("DMG-6", "{name} cannot act; give First Aid, or choose someone else.", name=name)


def _heals_in_turn(table: Table, combatant_id: str) -> bool:
    """NPC-3: a creature with Fast Recovery has its Turns also while it is injured."""
    return any(
        one.character_id == combatant_id
        and one.body.injury is not InjuryState.DEAD
        and bool(amount_of(one, "fast_recovery"))
        for one in table.characters
    )


def left_to_act(table: Table, *, without: str = "") -> tuple[Combatant, ...]:
    """Who can still have a Turn this Round, including those who passed, `without` one of them (TURN-1, TURN-6)."""
    conflict = require_conflict(table)
    return tuple(
        one
        for one in conflict.combatants
        if one.turns_taken < one.turns
        and one.combatant_id != without
        and (is_able(table, one.combatant_id) or _heals_in_turn(table, one.combatant_id))
    )


def may_begin(table: Table) -> tuple[Combatant, ...]:
    """Who may have the next Turn (TURN-2 to TURN-4, TURN-6, C-85); nobody during a Turn or once the Round is over.

    Whoever was named comes first. Then the sides alternate; where all who remain of the side whose Turn it is have
    passed, the other side may go on as well.
    """
    conflict = table.conflict
    if conflict is None or conflict.turn is not None:
        return ()
    left = left_to_act(table)
    named = tuple(one for one in left if one.combatant_id == conflict.next_id)
    if named or conflict.last_side is None:
        return named or left
    turn = next_turn(conflict.last_side, {side: sum(one.side is side for one in left) for side in Side})
    due = () if turn.new_round else tuple(one for one in left if one.side is turn.side)
    return left if due and all(one.passed for one in due) else due


def round_is_over(table: Table) -> bool:
    """Whether all had their Turns, or all who did not have passed (C-85)."""
    conflict = require_conflict(table)
    return conflict.turn is None and all(one.passed for one in left_to_act(table))


def in_reach(conflict: Conflict, combatant_id: str) -> tuple[str, ...]:
    """Who is within someone's Reach (RNG-1)."""
    return tuple(
        second if first == combatant_id else first
        for first, second in conflict.reach
        if combatant_id in (first, second)
    )


def enemy_in_reach(table: Table, combatant_id: str) -> bool:
    """Whether an enemy who can act is in Reach, to distract and to pin (RNG-2, ACT-3, C-79)."""
    conflict = table.conflict
    combatant = conflict.combatant(combatant_id) if conflict is not None else None
    if conflict is None or combatant is None:
        return False
    near = (conflict.combatant(one) for one in in_reach(conflict, combatant_id))
    return any(one is not None and one.side is not combatant.side and is_able(table, one.combatant_id) for one in near)
