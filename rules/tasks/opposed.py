"""Opposed Tasks: who may answer one, who wins, and with how much Momentum (OPP-1 to OPP-3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules.deciding.checks import conflict_side
from rules.deciding.decision import Answer, Playbook
from rules.errors import Refusal
from rules.rulesets.profiles import Profile
from rules.state.changing import replace
from rules.state.table import Table
from rules.state.tasks import Declaration, Task, TaskOutcome
from rules.state.vocabulary import OpposedWinner, Side, TaskPhase
from rules.words import NOTHING, Phrase, either, say, say_count, spoken


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


def why_won(won: Task, lost: Task, rules: Profile, winner: str, loser: str) -> Phrase:
    """Why the side `won` did, as a sentence, where the successes alone do not show it; else empty (OPP-1 to OPP-3).

    `winner` and `loser` are what both are called.
    """
    ours, theirs = won.outcome, lost.outcome
    if ours is None or theirs is None or ours.successes > theirs.successes:
        return NOTHING
    if rules.opposed_reactive_first:  # nobody else wins with as many (C-42)
        return say("Both have as many successes, and whoever began wins a tie.")
    if not theirs.success:
        return say("{who} does not reach Difficulty {difficulty}.", who=loser, difficulty=theirs.difficulty)
    if ours.momentum > theirs.momentum:
        return say(
            "{winner} is {more} above Difficulty {difficulty}, {loser} {less} above Difficulty {other}.",
            winner=winner,
            more=ours.momentum,
            difficulty=ours.difficulty,
            loser=loser,
            less=theirs.momentum,
            other=theirs.difficulty,
        )
    if not ours.momentum:
        return say("Both just reach their Difficulty, and whoever began wins a tie.")
    return say("Both are {number} above their Difficulty, and whoever began wins a tie.", number=ours.momentum)


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
    """Who is expected to oppose a Task, as `character_id`s: whom it names, else at whom it is aimed.

    Of a players' ship those who are aboard.
    """
    aimed = task.declaration.action.target_id if task.declaration.action is not None else ""
    target = task.declaration.opponent_id or aimed
    if any(one.character_id == target for one in table.characters):
        return (target,)
    return those_aboard(table, target)


def those_aboard(table: Table, ship_id: str) -> tuple[str, ...]:
    """Who answers for a ship: the crew of an NPC ship, of a players' ship those who take part aboard it."""
    if any(one.ship_id == ship_id and one.crew is not None for one in table.ships):
        return (ship_id,)
    seats = table.conflict.combatants if table.conflict is not None and ship_id else ()
    return tuple(one.combatant_id for one in seats if one.ship_id == ship_id)


def waiting(table: Table) -> Task | None:
    """The Task that waits for the other side's to be declared; None where none does (OPP-1)."""
    task = table.task
    return task if task is not None and task.phase is TaskPhase.AWAITING_OPPOSITION and not task.reactive else None


def answer(table: Table, playbook: Playbook) -> Answer | None:
    """Who may answer the Task that waits, and with what; None where none waits.

    What a room says of it holds while one of those can act; else the other side answers with a plain one.
    """
    task = waiting(table)
    if task is None:
        return None
    for answers in playbook.answers:
        found = answers(table, task)
        if found is not None and any(playbook.is_able(table, one) for one in found.who):
            return found
    return Answer(
        who=_other_side(table, playbook, task),
        actions=PLAIN if table.conflict is not None else PLAIN | UNCOUNTED,
        rule="OPP-1",
        otherwise=say("{who}'s Task is answered with a plain one; declare that against it.", who=task.who),
    )


PLAIN: Final = frozenset({"", "other"})
"""What answers a Task where no rule names an answer of its own: a Task as it is declared (OPP-1)."""


UNCOUNTED: Final = frozenset({"extended"})
"""Further answers while Tasks are not counted: both sides may work on something (EXT-T1)."""


def _other_side(table: Table, playbook: Playbook, task: Task) -> tuple[str, ...]:
    """Whom it names, else at whom it is aimed, else the other side of the conflict, else anybody but those at the Task.

    Only who can act.

    In a conflict those answer a Task as it is declared who take part; what the rules oppose, such as Deploy Security,
    others too, on the side of who plays them. Where nobody of the other side is left, one's own side answers, and in
    the end who takes no part, so that no Task waits for ever. Without a conflict the other side only comes first.
    """
    people = tuple(one.character_id for one in table.characters)
    crews = tuple(one.ship_id for one in table.ships if one.crew is not None)
    free = [one for one in people + crews if one not in on_a_side(task) and playbook.is_able(table, one)]
    if task.declaration.opponent_id in free:
        return (task.declaration.opponent_id,)
    action = task.declaration.action
    if table.conflict is not None and (action is None or action.name in PLAIN | UNCOUNTED):
        free = [one for one in free if table.conflict.combatant(one) is not None] or free
    meant = tuple(one for one in expected(table, task) if one in free)
    own = conflict_side(table, task.declaration.character_id)
    against = tuple(one for one in free if conflict_side(table, one) is not own)
    others = tuple(one for one in free if one not in against)
    return meant or (against or others if table.conflict is not None else against + others)


def answer_awaited(table: Table, found: Answer) -> Refusal:
    """That a Task waits for the answer of who may give it, for everybody else and everything else."""
    task = waiting(table)
    names = {one.character_id: one.name for one in table.characters} | {one.ship_id: one.name for one in table.ships}
    return Refusal(
        found.rule,
        "{active}'s Task waits for {who}; let them answer it first.",
        active=task.who if task is not None else "",
        who=either(names.get(one, one) for one in found.who),
    )


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


def is_foes(task: Task, table: Table) -> bool:
    """Whether a Task is an NPC's, and not that of one who fights on the players' side: its success is theirs alone."""
    conflict = table.conflict
    there = conflict.combatant(task.declaration.character_id) if conflict is not None else None
    return task.npc and (there is None or there.side is Side.NPC)


def other_side(table: Table, task: Task) -> Task | None:
    """The Task that this one was opposed by, once that is decided; None of any other Task, and before (OPP-1)."""
    if task.opposed_winner is None:
        return None
    pairs = [(table.task, table.opposed), (table.last_task, table.last_opponent)]
    if table.opposed is None and table.last_opponent is None:  # one side is over, and the other in hand
        pairs.append((table.task, table.last_task))
    both = ((one, other) for pair in pairs for one, other in (pair, pair[::-1]) if one is not None)
    found = next((other for one, other in both if one.number == task.number and other is not None), None)
    return found if found is not None and found.opposed_winner is task.opposed_winner else None


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
    if other is None and not task.declaration.opposed:
        return NOTHING
    if other is None:
        meant = opponent(table, task)
        whom = say("Opposed: {who} throws against it.", who=spoken(meant))
        return whom if meant else say("Opposed: the other side throws against it.")
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
    meant = expected(table, task)
    return _name_of(table, meant[0]) if len(meant) == 1 else ""


def named_opponent(table: Table, declaration: Declaration) -> str:
    """The name of whom a declaration says that they oppose it; empty where it says nobody, or who is there no more."""
    return _name_of(table, declaration.opponent_id)


def _name_of(table: Table, its_id: str) -> str:
    names = {one.character_id: one.name for one in table.characters} | {one.ship_id: one.name for one in table.ships}
    return names.get(its_id, "")


def opponents(table: Table, playbook: Playbook, who: str) -> tuple[str, ...]:
    """Who can be named to oppose a Task of `who`, as `character_id`s, the other side first; only who can act."""
    people = tuple(one.character_id for one in table.characters)
    crews = tuple(one.ship_id for one in table.ships if one.crew is not None)
    free = [one for one in people + crews if one != who and playbook.is_able(table, one)]
    own = conflict_side(table, who)
    return tuple(sorted(free, key=lambda one: conflict_side(table, one) is own))


def next_throw_words(table: Table, task: Task) -> Phrase:
    """Who throws against a Task whose side has thrown, as a sentence (OPP-1, C-42)."""
    if task.reactive:
        return say("The active side throws against it.")
    if who := opponent(table, task):
        return say("{who} throws against it.", who=spoken(who))
    return say("The other side throws against it.")
