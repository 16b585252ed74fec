"""Folding the events of conflicts into the table; as in `rules.evolving`, none can fail or asks a rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from rules import events_conflict as ec
from rules.dice import SourceKind
from rules.folding import counted_throw, with_character
from rules.state import Table
from rules.vocabulary import StepKind

_DAMAGE: Final = frozenset({StepKind.DAMAGE_DICE, StepKind.SHIP_DAMAGE_DICE})
_DAMAGE_AGAIN: Final = frozenset({StepKind.DAMAGE_REROLL, StepKind.SHIP_DAMAGE_REROLL})


def _agenda_changed(table: Table, event: ec.AgendaChanged) -> Table:
    return replace(table, agenda=event.steps)


def _step_dice_thrown(table: Table, event: ec.StepDiceThrown) -> Table:
    places = _places_of_damage(table, event)
    counted = counted_throw(table, event.reading_id, event.source, event.thrown)
    if counted.attack is None or not places:
        return counted
    attack, dice = counted.attack, tuple(zip(places, event.thrown, strict=False))
    unchecked = [place for place, die in dice if die.weak]
    entered = [place for place, die in dice if die.source is SourceKind.MANUAL]
    kept = replace(
        attack,
        unchecked=(*(one for one in attack.unchecked if one not in places), *unchecked),
        entered=(*(one for one in attack.entered if one not in places), *entered),
    )
    return replace(counted, attack=kept)


def _places_of_damage(table: Table, event: ec.StepDiceThrown) -> tuple[int, ...]:
    """Which dice of the attack's damage were thrown, from 0; none where these are no damage."""
    if event.kind in _DAMAGE:
        return tuple(range(len(event.thrown)))
    return table.agenda[0].places if event.kind in _DAMAGE_AGAIN and table.agenda else ()


def _effect_began(table: Table, event: ec.EffectBegan) -> Table:
    others = tuple(one for one in table.effects if one.effect_id != event.effect.effect_id)
    return replace(table, effects=(*others, event.effect), next_number=event.next_number)


def _effect_ended(table: Table, event: ec.EffectEnded) -> Table:
    return replace(table, effects=tuple(one for one in table.effects if one.effect_id != event.effect.effect_id))


def _conflict_changed(table: Table, event: ec.ConflictChanged) -> Table:
    return replace(table, conflict=event.conflict)


def _attack_changed(table: Table, event: ec.AttackChanged) -> Table:
    return replace(table, attack=event.attack, next_number=event.next_number)


def _body_changed(table: Table, event: ec.BodyChanged) -> Table:
    return with_character(table, event.character_id, lambda one: replace(one, body=event.body))


def _ship_state_changed(table: Table, event: ec.ShipStateChanged) -> Table:
    ships = tuple(replace(one, state=event.state) if one.ship_id == event.ship_id else one for one in table.ships)
    return replace(table, ships=ships)


def _followed_through(table: Table, _: ec.FollowedThrough) -> Table:
    return table if table.task is None else replace(table, task=replace(table.task, followed=True))


CONFLICT_FOLDS: Final[dict[type, Callable[[Table, Any], Table]]] = {
    ec.AgendaChanged: _agenda_changed,
    ec.StepDiceThrown: _step_dice_thrown,
    ec.EffectBegan: _effect_began,
    ec.EffectEnded: _effect_ended,
    ec.ConflictChanged: _conflict_changed,
    ec.AttackChanged: _attack_changed,
    ec.BodyChanged: _body_changed,
    ec.ShipStateChanged: _ship_state_changed,
    ec.FollowedThrough: _followed_through,
}
"""How each event of a conflict changes the table."""
