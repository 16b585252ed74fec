"""Whole evenings of generated play: whatever people and sources send, the table stays true to itself."""

from __future__ import annotations

import random
from dataclasses import replace

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rules import history
from rules.deciding.decision import Command, PoolChanged, name_of
from rules.dice import DieKind, DieReading
from rules.errors import Refusal
from rules.legal.offers import options
from rules.messages import COMMANDS, EVENTS
from rules.narrate import narrate
from rules.rulesets.profiles import profile_of
from rules.state.options import TableOptions
from rules.state.table import Table
from rules.state.tasks import Task
from rules.state.vocabulary import Pool, Ruleset, Spend, TaskPhase, ThrowRole
from rules.table import PLAYBOOK
from rules.tasks.declaring import DeclareTask
from rules.tasks.determination import DeterminationChanged
from rules.tasks.events import MomentumSpent
from rules.tasks.review import shows_only_kept
from rules.tasks.settling import MakeSpend
from rules.tasks.throwing import AttachFreeRoll, EnterDice
from rules.undo import DecisionRedone, DecisionUndone, Redo, Undo
from tests.rules import play
from tests.rules.tabletop import Game


class Evening(RuleBasedStateMachine):
    """One table, played at random; every rule of the machine sends one command."""

    game: Game

    @initialize(ruleset=play.RULESETS, table_options=play.TABLE_OPTIONS, momentum=st.integers(0, 6))
    def set_up(self, ruleset: Ruleset, table_options: TableOptions, momentum: int) -> None:
        self.game = Game(ruleset, momentum, table_options)
        self.set_up_in = len(self.game.history.done)
        self.readings = 0
        self.counted: list[str] = []

    def send(self, command: Command) -> None:
        before = self.game.history
        assert msgspec.convert(msgspec.to_builtins(command, enc_hook=str), COMMANDS[name_of(command)]) == command
        try:
            events = self.game.do(command)
        except Refusal as refusal:
            self.check_refusal(refusal)
            assert self.game.history is before
            return
        self.check_pools(before.present, events)
        for event in events:
            reading_id = getattr(event, "reading_id", "")
            if name_of(event) in {"task_dice_thrown", "challenge_dice_thrown"}:
                self.counted.append(reading_id)
            plain = msgspec.to_builtins(event, enc_hook=str)
            assert msgspec.convert(plain, EVENTS[name_of(event)]) == event

    def check_refusal(self, refusal: Refusal) -> None:
        """Words that say what is the matter, and the rule."""
        assert str(refusal).endswith((".", "?"))
        assert refusal.rule

    def check_pools(self, before: Table, events: tuple[object, ...]) -> None:
        """Every point that moved is in an event, and none moved unseen."""
        if any(isinstance(event, DecisionUndone | DecisionRedone) for event in events):
            return
        after = self.game.table
        changes = dict.fromkeys(Pool, 0)
        determination = 0
        for event in events:
            if isinstance(event, PoolChanged):
                changes[event.pool] += event.change
            if isinstance(event, DeterminationChanged):
                determination += event.change
            if isinstance(event, MomentumSpent):
                spend = event.spend
                paid = spend.from_generated + spend.from_pool + spend.added_threat + spend.spent_threat
                assert paid > 0
        assert after.momentum - before.momentum == changes[Pool.MOMENTUM]
        assert after.threat - before.threat == changes[Pool.THREAT]
        assert sum(one.determination for one in after.characters) - determination == sum(
            one.determination for one in before.characters
        )

    @precondition(lambda self: self.game.table.request is None)
    @rule(command=play.LIKELY_TASKS)
    def declare(self, command: DeclareTask) -> None:
        self.send(command)

    @rule(command=play.TASKS)
    def declare_anything(self, command: DeclareTask) -> None:
        self.send(command)

    @precondition(lambda self: self.game.table.request is not None)
    @rule(data=st.data())
    def throw_well(self, data: st.DataObject) -> None:
        request = self.game.table.request
        assert request is not None
        shown = data.draw(play.good_dice(request.kind, request.count))
        self.see(shown)
        counted = self.game.table.request is None or self.game.table.request.number != request.number
        assert counted != shows_only_kept(request, tuple(shown))

    @precondition(lambda self: self.game.table.request is not None)
    @rule(data=st.data(), with_kept=st.booleans())
    def throw(self, data: st.DataObject, with_kept: bool) -> None:  # noqa: FBT001 - drawn by name
        request = self.game.table.request
        assert request is not None
        kept = play.kept_dice(self.game.table) if with_kept else []
        self.see([*kept, *data.draw(play.dice(request.kind, request.count))])

    @precondition(lambda self: self.game.table.request is not None)
    @rule(data=st.data())
    def enter(self, data: st.DataObject) -> None:
        request = self.game.table.request
        assert request is not None
        self.send(EnterDice(request=request.number, faces=data.draw(play.faces(request.kind, request.count))))

    @precondition(lambda self: self.game.table.request is None)
    @rule(shown=play.dice(DieKind.D20, 2))
    def throw_unasked(self, shown: list[DieReading]) -> None:
        self.see(shown)

    def see(self, shown: list[DieReading]) -> None:
        self.readings += 1
        self.send(play.seen(f"camera-{self.readings}", shown))

    @precondition(lambda self: self.game.table.seen_readings)
    @rule(shown=play.dice(DieKind.D20, 2), place=st.integers(0, 5))
    def repeat_a_reading(self, shown: list[DieReading], place: int) -> None:
        ids = [one for one in self.game.table.seen_readings if one.startswith("camera")]
        if ids:
            before = self.game.history
            self.send(play.seen(ids[place % len(ids)], shown))
            assert self.game.history is before

    @precondition(lambda self: self.game.table.free_rolls)
    @rule(place=st.integers(0, 5))
    def count_a_free_roll(self, place: int) -> None:
        rolls = self.game.table.free_rolls
        self.send(AttachFreeRoll(number=rolls[place % len(rolls)].number))

    @rule(command=play.SAID_OF_DICE)
    def answer(self, command: Command) -> None:
        self.send(command)

    @rule(command=play.CHOICES)
    def choose(self, command: Command) -> None:
        self.send(command)

    @precondition(lambda self: self.game.table.task is not None and self.game.table.request is None)
    @rule(place=st.integers(0, 40))
    def settle(self, place: int) -> None:
        ends = ("make_spend", "finish_spending", "succeed_at_cost", "take_complication", "buy_off_complication")
        offered = [one for one in options(self.game.table) if one.option_id.startswith(ends)]
        if offered:
            self.send(offered[place % len(offered)].worded())

    @rule(place=st.integers(0, 40))
    def take_an_option(self, place: int) -> None:
        offered = options(self.game.table)
        if not offered:
            return
        option = offered[place % len(offered)]
        before = self.game.table
        self.game.do(option.worded())
        if not option.price.momentum:
            return
        left = 0
        if self.game.table.task is not None and before.task is not None:
            left = before.task.momentum_left - self.game.table.task.momentum_left
        assert option.price.momentum == left + before.momentum - self.game.table.momentum

    @precondition(lambda self: len(self.game.history.done) > self.set_up_in)
    @rule(often=st.integers(0, 6))
    def undo(self, often: int) -> None:
        if often:
            return
        step = self.game.history.done[-1]
        self.send(Undo())
        assert self.game.table == step.before
        self.send(Redo())
        assert self.game.table == step.after
        self.send(Undo())

    @precondition(lambda self: self.game.history.undone)
    @rule()
    def redo(self) -> None:
        self.send(Redo())

    @rule(spend=play.SPENDS)
    def every_spend_accepted_is_offered(self, spend: MakeSpend) -> None:
        try:
            history.decide(self.game.history, spend)
        except Refusal:
            return
        offered = {one.command.spend for one in options(self.game.table) if isinstance(one.command, MakeSpend)}
        assert spend.spend in offered

    @invariant()
    def pools_stay_in_range(self) -> None:
        table = self.game.table
        most = profile_of(table.ruleset, table.options).determination_maximum
        assert 0 <= table.momentum <= 6
        assert table.threat >= 0
        assert all(0 <= one.determination <= most for one in table.characters)

    @invariant()
    def the_table_waits_for_what_its_task_needs(self) -> None:
        table = self.game.table
        task = table.task
        if table.held is not None:
            assert table.request is not None
            assert table.held.request == table.request.number
            assert table.held.questions
        if task is not None and task.phase is TaskPhase.AWAITING_DICE:
            assert table.request is not None
        if task is not None and task.outcome is not None:
            assert 0 <= task.price_complications <= task.complications_open <= task.outcome.complications
            own = [one for one in task.dice if one.role is ThrowRole.LEADER and not one.die.fixed]
            assert len(own) == task.own_dice
            assert task.momentum_left + sum(one.from_generated for one in task.spends) <= task.outcome.momentum + 20 * (
                task.opposed_winner is not None
            )

    @invariant()
    def no_die_counts_twice(self) -> None:
        readings = [one for one in self.counted if one and not one.startswith("entered-")]
        undone = len(self.game.decisions) - len(self.game.history.done)
        assert len(readings) - len(set(readings)) <= undone

    @invariant()
    def every_option_is_accepted(self) -> None:
        offered = options(self.game.table)
        assert len({one.option_id for one in offered}) == len(offered)
        for one in offered:
            assert history.decide(self.game.history, one.worded())

    @invariant()
    def what_was_said_is_words(self) -> None:
        said = self.game.said[-1]
        if said is not None:
            for text in (said.terse, said.normal, said.full):
                assert text
                assert text.endswith((".", "?"))
                assert not set(text) & set("+-<>*/=_#()[]{}|&%")

    def teardown(self) -> None:
        if not hasattr(self, "game"):
            return
        replayed = history.begin()
        for decision in self.game.decisions:
            before = replayed.present
            replayed = history.evolve(replayed, decision)
            narrate(before, decision.events, replayed.present)
        assert replayed == self.game.history
        again = msgspec.convert(msgspec.to_builtins(self.game.table, enc_hook=str), Table)
        assert again == self.game.table


TestEvening = Evening.TestCase
TestEvening.settings = settings(
    max_examples=settings().max_examples // 2,
    stateful_step_count=50,
    suppress_health_check=list(HealthCheck),
    print_blob=False,
)


@given(seed=st.integers(0, 2**32), ruleset=play.RULESETS, task=play.LIKELY_TASKS, foe=play.LIKELY_TASKS)
def test_every_task_comes_to_its_end_by_dice_and_options(
    seed: int, ruleset: Ruleset, task: DeclareTask, foe: DeclareTask
) -> None:
    """Throw what is awaited and press what is offered, long enough: each Task closes, and what it made is accounted."""
    game = Game(ruleset, momentum=3)
    chance = random.Random(seed)  # noqa: S311 - a game, not a secret
    game.do(task)
    other = game.lindqvist if task.declaration.character_id == game.brack else game.brack
    reactive = replace(foe.declaration, character_id=other, purchases=(), value="", assists=(), ship=None)
    steps = 0
    while game.table.task is not None:
        steps += 1
        assert steps < 200
        request = game.table.request
        if request is not None:
            faces = tuple(chance.randint(1, 20) for _ in range(request.count))
            game.do(EnterDice(request=request.number, faces=faces))
        elif game.task.phase is TaskPhase.AWAITING_OPPOSITION:
            game.do(DeclareTask(declaration=reactive))
        else:
            before = game.task
            game.do(chance.choice(options(game.table)).worded())
            check_accounts(before, game.table)
    assert game.table.last_task is not None
    assert game.table.last_task.phase is TaskPhase.CLOSED
    assert not game.table.last_task.complications_open


def check_accounts(before: Task, table: Table) -> None:
    """What a closed Task generated was spent, saved, lost or, for an NPC, became Threat; nothing else."""
    closed = table.last_task
    if closed is None or closed.number != before.number or before.phase is not TaskPhase.SPENDING:
        return
    assert closed.outcome is not None
    spent = sum(one.from_generated for one in closed.spends)
    if closed.opposed_winner is None:
        made = closed.outcome.momentum
        assert spent + before.momentum_left == made
    if not closed.npc:
        assert closed.saved + closed.lost == before.momentum_left


def test_every_spend_of_the_vocabulary_is_tried() -> None:
    assert {one.value for one in Spend} <= set(PLAYBOOK.spend_rows)
