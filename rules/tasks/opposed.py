"""Opposed Tasks: who wins, and with how much Momentum (OPP-1 to OPP-3)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.deciding.telling import NOTHING
from rules.rulesets.profiles import Profile
from rules.state.table import Table
from rules.state.tasks import Task, TaskOutcome
from rules.state.vocabulary import OpposedWinner, Standing, TaskPhase
from rules.words import Phrase, say, say_count, spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class OpposedOutcome:
    """The winner, and the Momentum that the winner has left; the other side has none (OPP-2)."""

    winner: OpposedWinner
    momentum: int

    def momentum_of(self, side: OpposedWinner) -> int:
        """Momentum of one side: the winner's, or 0."""
        return self.momentum if side is self.winner else 0


def decide_opposed(active: TaskOutcome, reactive: TaskOutcome, profile: Profile) -> OpposedOutcome:
    """Compare both sides' Tasks (OPP-1 to OPP-3); by successes where the table lets the reactive side set the mark.

    With `opposed_reactive_first` (C-42) the reactive side's successes are the active side's Difficulty.
    """
    if profile.opposed_reactive_first:
        return reactive_sets_difficulty(active.successes, reactive.successes)
    if active.success and reactive.success:
        return _both_succeed(active.momentum, reactive.momentum)
    if active.success:
        return OpposedOutcome(winner=OpposedWinner.ACTIVE, momentum=active.momentum)
    if reactive.success:
        return OpposedOutcome(winner=OpposedWinner.REACTIVE, momentum=reactive.momentum)
    return OpposedOutcome(winner=OpposedWinner.NONE, momentum=0)


def reactive_sets_difficulty(active_successes: int, reactive_successes: int) -> OpposedOutcome:
    """The reactive side threw first: reaching its successes wins; the margin is the winner's Momentum (C-42)."""
    margin = active_successes - reactive_successes
    winner = OpposedWinner.ACTIVE if margin >= 0 else OpposedWinner.REACTIVE
    return OpposedOutcome(winner=winner, momentum=abs(margin))


def _both_succeed(active: int, reactive: int) -> OpposedOutcome:
    """Momentum generated decides (OPP-2); equal Momentum is the active side's, with none left (OPP-3)."""
    winner = OpposedWinner.ACTIVE if active >= reactive else OpposedWinner.REACTIVE
    return OpposedOutcome(winner=winner, momentum=abs(active - reactive))


def successes_to_win(active: TaskOutcome, difficulty: int) -> int:
    """How many successes the reactive side needs against what the active side threw before it, at its own Difficulty.

    It needs a success, and more Momentum than an active side that succeeded (OPP-1 to OPP-3).
    """
    return difficulty + active.momentum + 1 if active.success else difficulty


def momentum_against(table: Table) -> int | None:
    """Momentum of the active side that has thrown and now waits for the other side's declaration; None if it failed.

    None, too, where nothing waits for a declaration, or where the table lets the reactive side throw first (C-42).
    """
    task = table.task
    if task is None or task.reactive or task.phase is not TaskPhase.AWAITING_OPPOSITION or task.outcome is None:
        return None
    return task.outcome.momentum if task.outcome.success else None


def on_a_side(task: Task) -> frozenset[str]:
    """Who acts in a Task or helps with it, as `character_id`s: nobody of them helps the side against it (OPP-1)."""
    return frozenset({task.declaration.character_id, *(one.character_id for one in task.declaration.assists)})


def expected(table: Table, task: Task) -> tuple[str, ...]:
    """Who is expected to oppose a Task, as `character_id`s: at whom it is aimed, of a players' ship who is aboard."""
    target = task.declaration.action.target_id if task.declaration.action is not None else ""
    crewed = {one.ship_id for one in table.ships if one.crew is not None}
    if target in crewed or any(one.character_id == target for one in table.characters):
        return (target,)
    aboard = table.conflict.combatants if table.conflict is not None and target else ()
    return tuple(one.combatant_id for one in aboard if one.ship_id == target)


def declarers(table: Table) -> tuple[str, ...]:
    """Who can declare a Task now, as `character_id`s; where one waits for the other side's, nobody of its own.

    Then those expected come first, those of the other side next (OPP-1), and NPC ships' crews that are meant or take
    part are among them (NSHIP-1).
    """
    task = table.task
    people = [(one.character_id, one.standing is Standing.PLAYER) for one in table.characters]
    if task is None or task.reactive or task.phase is not TaskPhase.AWAITING_OPPOSITION:
        return tuple(one for one, _ in people)
    meant = expected(table, task)
    there = {one.combatant_id for one in table.conflict.combatants} if table.conflict is not None else set()
    crews = [(one.ship_id, False) for one in table.ships if one.crew is not None and one.ship_id in {*meant, *there}]
    against = [(one, player) for one, player in (*people, *crews) if one not in on_a_side(task)]
    against.sort(key=lambda one: (one[0] not in meant, one[1] is not task.npc))
    return tuple(one for one, _ in against)


def helpers(table: Table) -> tuple[str, ...]:
    """Who can help with the Task that is declared next, as `character_id`s: against one nobody of its side (OPP-1)."""
    busy = on_a_side(table.task) if table.task is not None else frozenset()
    return tuple(one.character_id for one in table.characters if one.character_id not in busy)


def side_of(task: Task) -> OpposedWinner:
    """Which side of an Opposed Task this one is (OPP-1)."""
    return OpposedWinner.REACTIVE if task.reactive else OpposedWinner.ACTIVE


def reached(task: Task) -> bool:
    """Whether a Task that has its outcome counts as a success: one that was opposed, where its side won (OPP-1)."""
    if task.opposed_winner is not None:
        return task.opposed_winner is side_of(task)
    return task.outcome is not None and task.outcome.success


def last_result(table: Table) -> Task | None:
    """The Task closed last; of an Opposed Task the winner's, whichever side's was closed last."""
    closed, other = table.last_task, table.last_opponent
    return other if other is not None and other.opposed_winner is side_of(other) else closed


def players_result(table: Table) -> Task | None:
    """The Task whose success is the players': the one in hand, else the one closed last; None where there is none.

    Of a decided Opposed Task it is the players' side's where only one side is theirs, else the winner's (OPP-1).
    """
    shown, other = table.task, table.opposed or table.last_task
    if shown is None:
        shown = last_result(table)
        other = table.last_task if shown is table.last_opponent else table.last_opponent
    if shown is None or other is None or shown.opposed_winner is None or not shown.npc or other.npc:
        return shown
    return replace(other, opposed_winner=shown.opposed_winner)


def against_words(table: Table, task: Task) -> Phrase:
    """Against whom the Task in hand is thrown and how many successes win, as a sentence; empty for an unopposed one."""
    other = table.opposed
    if other is None:
        return say("Opposed: the other side throws against it.") if task.declaration.opposed else NOTHING
    who = spoken(other.who)
    if other.outcome is None:
        return say("Against {who}, who throws next.", who=who)
    successes = other.outcome.successes
    needed = to_win(table, task)
    if needed is None:
        return say_count(successes, "Against {who}: {number} success.", "Against {who}: {number} successes.", who=who)
    return say_count(
        successes,
        "Against {who}: {number} success, {needed} to win.",
        "Against {who}: {number} successes, {needed} to win.",
        who=who,
        needed=needed,
    )


def to_win(table: Table, task: Task) -> int | None:
    """How many successes the reactive side needs once the active side has thrown; None for any other Task."""
    if not task.reactive or table.opposed is None or table.opposed.outcome is None:
        return None
    return successes_to_win(table.opposed.outcome, task.difficulty)


def opponent(table: Table, task: Task) -> str:
    """The name of whoever is expected to oppose a Task: at whom it is aimed. Empty where that is nobody's alone."""
    names = {one.character_id: one.name for one in table.characters} | {one.ship_id: one.name for one in table.ships}
    meant = expected(table, task)
    return names.get(meant[0], "") if len(meant) == 1 else ""
