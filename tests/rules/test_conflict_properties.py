"""Whole conflicts played at random, on foot and with ships, in every ruleset: what holds at every moment of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from hypothesis import given
from hypothesis import strategies as st

from rules import history
from rules.conflict.events import PrivateThreatReturned
from rules.deciding.decision import Command, Event, PoolChanged, name_of
from rules.deciding.telling import Narration
from rules.errors import Refusal
from rules.history import Decision, History
from rules.legal.offers import Option, options
from rules.narrate import narrate
from rules.setup.events import TableSetUp
from rules.ships.first.events import BonusMomentumGained
from rules.state.table import Table
from rules.state.vocabulary import Pool, Ruleset, TaskPhase
from rules.table import decide, evolve
from rules.tasks.events import MomentumSpent, OpposedDecided, OutcomeReached, SideTurned, SpendingFinished, TaskClosed
from rules.tasks.pools import MOMENTUM_CAP
from rules.tasks.throwing import ReportReading
from rules.undo import Redo, Undo
from tests.rules.wild import fight_on_foot, move, ship_duel

MOVES = st.lists(st.integers(0, 2**24), min_size=10, max_size=60)
SCENES = st.tuples(st.sampled_from([fight_on_foot, ship_duel]), st.sampled_from(Ruleset))

UNSPOKEN = re.compile(r"[+\-/%<>#*=_]|None")


@dataclass(frozen=True, slots=True)
class Played:
    """One move: the histories before and after it, what it asked, and what happened, or None where it was refused."""

    before: History
    after: History
    command: Command
    events: tuple[Event, ...] | None


@cache
def opening(scene: tuple[object, Ruleset]) -> History:
    make, ruleset = scene
    assert callable(make)
    begun: History = make(ruleset).history
    return begun


def play(scene: tuple[object, Ruleset], numbers: list[int]) -> tuple[Played, ...]:
    """The course of play that the numbers stand for."""
    return _play(scene, tuple(numbers))


@lru_cache(maxsize=512)  # a run has one seed: all properties are held of the same plays, each played once
def _play(scene: tuple[object, Ruleset], numbers: tuple[int, ...]) -> tuple[Played, ...]:
    at = opening(scene)
    played = []
    for number in numbers:
        command = move(at.present, number)
        said, events = "", None
        try:
            events = history.decide(at, command)
        except Refusal as refusal:
            said = refusal.message
        if events is None:
            assert said.strip().endswith((".", "?", "!")), said
            played.append(Played(at, at, command, None))
            continue
        after = taken(at, command, events) if events else at
        played.append(Played(at, after, command, events))
        at = after
    return tuple(played)


def taken(at: History, command: Command, events: tuple[Event, ...]) -> History:
    decision = Decision(number=at.next_decision, by="test", command=name_of(command), events=events)
    return history.evolve(at, decision)


@given(scene=SCENES, numbers=MOVES)
def test_every_number_of_the_table_stays_in_its_range(scene: tuple[object, Ruleset], numbers: list[int]) -> None:
    """POOL-2, THR-1, DMG-3, SHIP-2, SHIP-5, TURN-1, ACT-2: and whatever is refused, is refused in words."""
    for one in play(scene, numbers):
        in_range(one.after.present)


def in_range(table: Table) -> None:
    assert 0 <= table.momentum <= MOMENTUM_CAP
    assert table.threat >= 0
    for person in table.characters:
        assert 0 <= person.body.stress <= person.body.stress_max
        assert person.determination >= 0
        assert person.body.private_threat >= 0
        assert person.body.drawn_threat <= table.threat
    for ship in table.ships:
        state = ship.state
        assert 0 <= state.shields <= state.shields_max
        assert 0 <= state.power <= state.power_max
        assert 0 <= state.crew_support <= state.crew_support_max
        assert all(0 <= one.patched <= one.breaches for one in state.systems)
        assert len({one.system for one in state.systems}) == len(state.systems)
    if table.task is not None:
        assert table.task.momentum_left >= 0
        assert table.task.complications_open >= 0
    if table.conflict is not None:
        assert all(0 <= one.turns_taken <= one.turns for one in table.conflict.combatants)
        assert len({one.combatant_id for one in table.conflict.combatants}) == len(table.conflict.combatants)
    assert len({one.effect_id for one in table.effects}) == len(table.effects)


@given(scene=SCENES, numbers=MOVES)
def test_replay_equals_live_and_undo_gives_every_table_back(scene: tuple[object, Ruleset], numbers: list[int]) -> None:
    """Step by step to the start and forth again; a refusal leaves the same history standing."""
    first = opening(scene)
    played = [one for one in play(scene, numbers) if one.events]
    again = first.present
    for one in played:
        for event in one.events or ():
            again = evolve(again, event)
        assert again == one.after.present
    at = played[-1].after if played else first
    for one in reversed(played):
        at = taken(at, Undo(), history.decide(at, Undo()))
        assert at.present == one.before.present
    for one in played:
        at = taken(at, Redo(), history.decide(at, Redo()))
        assert at.present == one.after.present


@given(scene=SCENES, numbers=MOVES)
def test_momentum_is_spent_saved_lost_or_becomes_threat(scene: tuple[object, Ruleset], numbers: list[int]) -> None:
    """POOL-1 to POOL-4, POOL-9, POOL-10: nothing that a Task generates appears twice or gets away."""
    table = opening(scene).present
    for one in play(scene, numbers):
        for event in one.events or ():
            table = accounted(table, event)


def accounted(before: Table, event: Event) -> Table:
    after = evolve(before, event)
    task, left = before.task, after.task
    if isinstance(event, MomentumSpent) and task is not None and left is not None:
        assert left.momentum_left == task.momentum_left - event.spend.from_generated
    elif isinstance(event, BonusMomentumGained) and task is not None and left is not None:
        assert left.momentum_left == task.momentum_left + event.amount
    elif isinstance(event, SpendingFinished) and task is not None:
        assert task.momentum_left == event.saved + event.lost + event.to_threat
        assert (event.to_threat == 0) if not task.npc else (event.saved == 0)
    elif isinstance(event, PoolChanged):
        changes = {Pool.MOMENTUM: after.momentum - before.momentum, Pool.THREAT: after.threat - before.threat}
        assert changes[event.pool] == event.change
    elif not isinstance(event, OutcomeReached | OpposedDecided | SideTurned | TaskClosed | TableSetUp):
        assert (after.momentum, after.threat) == (before.momentum, before.threat), event
    if left is not None and task is not None and left.number == task.number and left.phase is TaskPhase.COMPLICATIONS:
        assert left.momentum_left == 0
    return after


@given(scene=SCENES, numbers=MOVES)
def test_undo_takes_back_what_was_asked_last(scene: tuple[object, Ruleset], numbers: list[int]) -> None:
    """Whatever is accepted is a decision: nothing passes that changes nothing, so that undo never reaches behind it."""
    for one in play(scene, numbers):
        if one.events is None or isinstance(one.command, ReportReading):
            continue
        assert one.events, one.command
        assert one.after.done[-1].number == one.before.next_decision
        back = taken(one.after, Undo(), history.decide(one.after, Undo()))
        assert back.present == one.before.present


@given(scene=SCENES, numbers=MOVES)
def test_a_reading_counts_once(scene: tuple[object, Ruleset], numbers: list[int]) -> None:
    """However often its source repeats it, at once or later, also after it was taken back."""
    played = play(scene, numbers)
    at = played[-1].after
    for one in played:
        if isinstance(one.command, ReportReading) and one.events:
            assert history.decide(one.after, one.command) == ()
            assert history.decide(at, one.command) == ()
            back = taken(one.after, Undo(), history.decide(one.after, Undo()))
            assert history.decide(back, one.command) == ()


@given(scene=SCENES, numbers=MOVES)
def test_what_is_offered_is_accepted_at_the_price_told(scene: tuple[object, Ruleset], numbers: list[int]) -> None:
    """POOL-4: each option's price is what the pools and the character lose by it."""
    for one in play(scene, numbers)[::3]:
        table = one.after.present
        offered = options(table)
        assert len({choice.option_id for choice in offered}) == len(offered)
        for choice in offered:
            paid(table, choice)


def paid(table: Table, choice: Option) -> None:
    events = decide(table, choice.worded())
    after = table
    for event in events:
        after = evolve(after, event)
    price = choice.price
    if price.threat and not any(isinstance(event, SpendingFinished) for event in events):
        put_back = sum(event.points for event in events if isinstance(event, PrivateThreatReturned))
        assert abs(after.threat + put_back - table.threat) == price.threat, choice
    spent = sum(event.spend.from_generated for event in events if isinstance(event, MomentumSpent))
    if price.momentum:
        assert table.momentum - after.momentum + spent == price.momentum, choice
    if price.determination:
        had = sum(one.determination for one in table.characters)
        assert had - sum(one.determination for one in after.characters) == price.determination


@given(scene=SCENES, numbers=MOVES)
def test_everything_is_told_in_plain_words(scene: tuple[object, Ruleset], numbers: list[int]) -> None:
    """Three lengths, no symbols, no names of the program; urgent exactly when somebody must answer."""
    for one in play(scene, numbers):
        if not one.events:
            continue
        said = narrate(one.before.present, one.events, one.after.present)
        if said is not None:
            told(said, one)


def told(said: Narration, one: Played) -> None:
    for text in (said.terse, said.normal, said.full):
        assert text.strip(), (name_of(one.command), said)
        assert UNSPOKEN.search(text) is None, (name_of(one.command), text)
        assert text.endswith((".", "?", "!")), text
        assert "  " not in text, text
    now, earlier = one.after.present, one.before.present
    asked_anew = awaits_answer(now) and (now.agenda, now.held) != (earlier.agenda, earlier.held)
    opened = now.task is not None and has_complications(now) and not has_complications(earlier)
    assert said.urgent or not (asked_anew or opened), (name_of(one.command), said)
    assert not said.urgent or awaits_answer(now) or has_complications(now), (name_of(one.command), said)


def awaits_answer(table: Table) -> bool:
    """Whether a held throw, or a choice of a chain, waits for somebody."""
    return table.held is not None or (bool(table.agenda) and table.request is None)


def has_complications(table: Table) -> bool:
    """Whether Complications wait to be taken or bought off."""
    task = table.task
    return task is not None and task.phase is TaskPhase.COMPLICATIONS and task.complications_open > 0
