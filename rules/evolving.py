"""Folding events into the table: one small function an event, none of which can fail or asks a rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from rules import events as e
from rules.evolving_asking import ASKING_FOLDS, without_asking
from rules.evolving_conflict import CONFLICT_FOLDS
from rules.evolving_extended import EXTENDED_FOLDS
from rules.evolving_fighting import FIGHTING_FOLDS
from rules.evolving_house import HOUSE_FOLDS
from rules.evolving_ships import SHIPS_FOLDS
from rules.evolving_ships2e import SHIPS2E_FOLDS
from rules.evolving_turns import TURN_FOLDS
from rules.folding import counted_throw, last_throw, seen, with_character
from rules.state import Character, Table, Task, Value
from rules.vocabulary import Pool, TaskPhase

FREE_ROLLS_KEPT: Final = 5
"""How many undeclared throws stay to be attached."""


def _with_task(table: Table, change: Callable[[Task], Task]) -> Table:
    return table if table.task is None else replace(table, task=change(table.task))


def _table_set_up(table: Table, event: e.TableSetUp) -> Table:
    return Table(
        ruleset=event.ruleset,
        options=event.options,
        house=table.house,
        ready=True,
        session=1,
        scene=1,
        threat=event.threat,
        players=event.players,
        characters=event.characters,
        ships=table.ships,
        seen_readings=table.seen_readings,
        next_number=event.next_number,
    )


def _options_changed(table: Table, event: e.OptionsChanged) -> Table:
    return replace(table, options=event.options)


def _player_added(table: Table, event: e.PlayerAdded) -> Table:
    return replace(table, players=(*table.players, event.player), next_number=event.next_number)


def _player_removed(table: Table, event: e.PlayerRemoved) -> Table:
    return replace(
        table,
        players=tuple(one for one in table.players if one.player_id != event.player_id),
        characters=tuple(
            replace(one, player_id="") if one.player_id == event.player_id else one for one in table.characters
        ),
    )


def _character_saved(table: Table, event: e.CharacterSaved) -> Table:
    known = any(one.character_id == event.character.character_id for one in table.characters)
    if known:
        table = with_character(table, event.character.character_id, lambda _: event.character)
        return replace(table, next_number=event.next_number)
    return replace(table, characters=(*table.characters, event.character), next_number=event.next_number)


def _character_removed(table: Table, event: e.CharacterRemoved) -> Table:
    return replace(
        table,
        characters=tuple(one for one in table.characters if one.character_id != event.character_id),
        surge_for="" if table.surge_for == event.character_id else table.surge_for,
        asked=without_asking(table, event.character_id),
    )


def _ship_saved(table: Table, event: e.ShipSaved) -> Table:
    ships = tuple(event.ship if one.ship_id == event.ship.ship_id else one for one in table.ships)
    if event.ship not in ships:
        ships = (*ships, event.ship)
    return replace(table, ships=ships, next_number=event.next_number)


def _ship_removed(table: Table, event: e.ShipRemoved) -> Table:
    return replace(table, ships=tuple(one for one in table.ships if one.ship_id != event.ship_id))


def _session_started(table: Table, event: e.SessionStarted) -> Table:
    return replace(
        _cleared(table),
        session=event.session,
        scene=event.scene,
        scene_name="",
        characters=tuple(replace(one, challenged_this_session=False) for one in table.characters),
    )


def _scene_started(table: Table, event: e.SceneStarted) -> Table:
    return replace(_cleared(table), scene=event.scene, scene_name=event.name)


def _cleared(table: Table) -> Table:
    """The table without what belonged to the scene before: its last dice, and what was asked for in it."""
    return replace(
        table, last_task=None, last_opponent=None, challenge=None, free_rolls=(), asked=(), conflict_end=None
    )


def _trait_added(table: Table, event: e.TraitAdded) -> Table:
    traits = tuple(event.trait if one.trait_id == event.trait.trait_id else one for one in table.traits)
    if event.trait not in traits:
        traits = (*traits, event.trait)
    return replace(table, traits=traits, next_number=event.next_number)


def _trait_removed(table: Table, event: e.TraitRemoved) -> Table:
    return replace(table, traits=tuple(one for one in table.traits if one.trait_id != event.trait_id))


def _pool_changed(table: Table, event: e.PoolChanged) -> Table:
    if event.pool is Pool.MOMENTUM:
        return replace(table, momentum=event.after)
    return replace(table, threat=event.after)


def _determination_changed(table: Table, event: e.DeterminationChanged) -> Table:
    return with_character(table, event.character_id, lambda one: replace(one, determination=event.after))


def _value_challenged(table: Table, event: e.ValueChallenged) -> Table:
    def strike(one: Character) -> Character:
        values = tuple(Value(text=value.text, struck=value.struck or value.text == event.value) for value in one.values)
        return replace(one, values=values, challenged_this_session=True)

    return with_character(table, event.character_id, strike)


def _surge_gained(table: Table, event: e.SurgeGained) -> Table:
    return replace(table, surge_for=event.character_id)


def _surge_ended(table: Table, _: e.SurgeEnded) -> Table:
    return replace(table, surge_for="")


def _task_declared(table: Table, event: e.TaskDeclared) -> Table:
    opposed = table.task if event.reactive else None
    task = replace(event.task, reactive=event.reactive)
    asked = without_asking(table, task.declaration.character_id)
    return replace(table, task=task, opposed=opposed, asked=asked, next_number=event.next_number)


def _throw_awaited(table: Table, event: e.ThrowAwaited) -> Table:
    return replace(table, request=event.request, held=None, next_number=event.next_number)


def _die_bought(table: Table, event: e.DieBought) -> Table:
    return _with_task(
        table, lambda task: replace(task, declaration=event.declaration, own_dice=event.own_dice, paid=event.paid)
    )


def _problem_created(table: Table, event: e.ProblemCreated) -> Table:
    def harder(task: Task) -> Task:
        modifiers = (*task.declaration.modifiers, event.modifier)
        return replace(
            task,
            declaration=replace(task.declaration, modifiers=modifiers),
            difficulty=event.difficulty,
            problems=(*task.problems, event.spend),
        )

    return _with_task(table, harder)


def _task_withdrawn(table: Table, _: e.TaskWithdrawn) -> Table:
    return replace(table, task=table.opposed, opposed=None, request=None, held=None)


def _throw_held(table: Table, event: e.ThrowHeld) -> Table:
    return replace(table, held=event.held, seen_readings=seen(table, event.held.reading_id))


def _throw_dismissed(table: Table, _: e.ThrowDismissed) -> Table:
    return replace(table, held=None)


def _task_dice_thrown(table: Table, event: e.TaskDiceThrown) -> Table:
    table = counted_throw(table, event.reading_id, event.source, event.thrown)
    return _with_task(table, lambda task: replace(task, dice=event.dice, rerolling=()))


def _outcome_reached(table: Table, event: e.OutcomeReached) -> Table:
    return _with_task(
        table,
        lambda task: replace(
            task,
            dice=event.dice,
            outcome=event.outcome,
            momentum_left=event.momentum_left,
            complications_open=event.complications_open,
            price_complications=event.price_complications,
            phase=event.phase,
        ),
    )


def _side_turned(table: Table, event: e.SideTurned) -> Table:
    if table.opposed is None:
        return table
    active = replace(table.opposed, difficulty=event.difficulty, phase=TaskPhase.AWAITING_DICE)
    return replace(table, task=active, opposed=table.task)


def _opposed_decided(table: Table, event: e.OpposedDecided) -> Table:
    def decided(task: Task, phase: TaskPhase) -> Task:
        momentum = event.reactive_momentum if task.reactive else event.active_momentum
        return replace(task, opposed_winner=event.winner, momentum_left=momentum, phase=phase)

    if table.task is None or table.opposed is None:
        return table
    return replace(
        table,
        task=decided(table.task, table.task.phase),
        opposed=decided(table.opposed, TaskPhase.SPENDING),
    )


def _reroll_started(table: Table, event: e.RerollStarted) -> Table:
    return _with_task(
        table,
        lambda task: replace(
            task,
            rerolled=(*task.rerolled, event.reason),
            rerolling=event.positions,
            phase=TaskPhase.AWAITING_DICE,
            outcome=None,
            momentum_left=0,
            complications_open=0,
        ),
    )


def _task_die_corrected(table: Table, event: e.TaskDieCorrected) -> Table:
    return _with_task(table, lambda task: replace(task, dice=event.dice))


def _momentum_spent(table: Table, event: e.MomentumSpent) -> Table:
    return _with_task(
        table, lambda task: replace(task, spends=(*task.spends, event.spend), momentum_left=event.momentum_left)
    )


def _spending_finished(table: Table, event: e.SpendingFinished) -> Table:
    return _with_task(
        table,
        lambda task: replace(task, saved=event.saved, lost=event.lost, momentum_left=0, phase=TaskPhase.COMPLICATIONS),
    )


def _complication_taken(table: Table, event: e.ComplicationTaken) -> Table:
    return _with_task(
        table,
        lambda task: replace(
            task,
            complications_open=event.left,
            price_complications=event.price_complications,
        ),
    )


def _complication_bought_off(table: Table, event: e.ComplicationBoughtOff) -> Table:
    return _with_task(
        table,
        lambda task: replace(
            task,
            complications_open=event.left,
            price_complications=min(event.left, task.price_complications),
        ),
    )


def _task_closed(table: Table, event: e.TaskClosed) -> Table:
    if table.task is None:
        return table
    closed = replace(table.task, phase=TaskPhase.CLOSED)
    waits = table.opposed if event.resumed else None
    other = table.last_task if closed.opposed_winner is not None and not event.resumed else None
    rolls = table.free_rolls if waits is not None else tuple(r for r in table.free_rolls if r.number > closed.number)
    return replace(table, task=waits, opposed=None, last_task=closed, last_opponent=other, free_rolls=rolls)


def _challenge_declared(table: Table, event: e.ChallengeDeclared) -> Table:
    return replace(table, challenge=event.challenge, next_number=event.next_number)


def _challenge_dice_thrown(table: Table, event: e.ChallengeDiceThrown) -> Table:
    table = counted_throw(table, event.reading_id, event.source, event.thrown)
    if table.challenge is None:
        return table
    rolled = replace(table.challenge, dice=event.dice, total=event.total, effects=event.effects, rerolling=())
    return replace(table, challenge=rolled)


def _challenge_reroll_started(table: Table, event: e.ChallengeRerollStarted) -> Table:
    if table.challenge is None:
        return table
    return replace(
        table,
        challenge=replace(table.challenge, rerolled=True, rerolling=event.positions, total=None, effects=None),
    )


def _challenge_die_corrected(table: Table, event: e.ChallengeDieCorrected) -> Table:
    if table.challenge is None:
        return table
    return replace(table, challenge=replace(table.challenge, dice=event.dice, total=event.total, effects=event.effects))


def _challenge_closed(table: Table, _: e.ChallengeClosed) -> Table:
    if table.challenge is None:
        return table
    waiting = not table.challenge.dice
    return replace(
        table,
        challenge=replace(table.challenge, closed=True),
        request=None if waiting else table.request,
        held=None if waiting else table.held,
    )


def _free_roll_made(table: Table, event: e.FreeRollMade) -> Table:
    return replace(
        table,
        free_rolls=(*table.free_rolls, event.roll)[-FREE_ROLLS_KEPT:],
        last_throw=last_throw(event.roll.source, event.roll.dice),
        seen_readings=seen(table, event.roll.reading_id),
        next_number=event.next_number,
    )


def _unchanged(table: Table, _: object) -> Table:
    return table


FOLDS: Final[dict[type, Callable[[Table, Any], Table]]] = {
    **CONFLICT_FOLDS,
    **FIGHTING_FOLDS,
    **ASKING_FOLDS,
    **EXTENDED_FOLDS,
    **HOUSE_FOLDS,
    **TURN_FOLDS,
    **SHIPS_FOLDS,
    **SHIPS2E_FOLDS,
    e.TableSetUp: _table_set_up,
    e.OptionsChanged: _options_changed,
    e.PlayerAdded: _player_added,
    e.PlayerRemoved: _player_removed,
    e.CharacterSaved: _character_saved,
    e.CharacterRemoved: _character_removed,
    e.ShipSaved: _ship_saved,
    e.ShipRemoved: _ship_removed,
    e.SessionStarted: _session_started,
    e.SceneStarted: _scene_started,
    e.TraitAdded: _trait_added,
    e.TraitRemoved: _trait_removed,
    e.PoolChanged: _pool_changed,
    e.DeterminationChanged: _determination_changed,
    e.ValueChallenged: _value_challenged,
    e.SurgeGained: _surge_gained,
    e.SurgeEnded: _surge_ended,
    e.TaskDeclared: _task_declared,
    e.ThrowAwaited: _throw_awaited,
    e.DieBought: _die_bought,
    e.ProblemCreated: _problem_created,
    e.TaskWithdrawn: _task_withdrawn,
    e.ThrowHeld: _throw_held,
    e.ThrowDismissed: _throw_dismissed,
    e.TaskDiceThrown: _task_dice_thrown,
    e.OutcomeReached: _outcome_reached,
    e.SideTurned: _side_turned,
    e.OpposedDecided: _opposed_decided,
    e.RerollStarted: _reroll_started,
    e.TaskDieCorrected: _task_die_corrected,
    e.MomentumSpent: _momentum_spent,
    e.SpendingFinished: _spending_finished,
    e.ComplicationTaken: _complication_taken,
    e.ComplicationBoughtOff: _complication_bought_off,
    e.TaskClosed: _task_closed,
    e.ChallengeDeclared: _challenge_declared,
    e.ChallengeDiceThrown: _challenge_dice_thrown,
    e.ChallengeRerollStarted: _challenge_reroll_started,
    e.ChallengeDieCorrected: _challenge_die_corrected,
    e.ChallengeClosed: _challenge_closed,
    e.FreeRollMade: _free_roll_made,
    e.DecisionUndone: _unchanged,
    e.DecisionRedone: _unchanged,
}
"""How each event changes the table. Undo and redo are history's own and change nothing here."""
