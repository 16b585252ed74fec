"""The spoken menu as a state machine: nothing pressed is refused, nobody is trapped, no value is made up."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from kiosk.panel.spoken_levels import level
from kiosk.panel.spoken_menu import Menu, MenuStep, done, follow, left_alone, press
from kiosk.panel.spoken_places import (
    Declaring,
    Facts,
    Gesture,
    PickAttribute,
    PickFocus,
    PickPreset,
    Rest,
    Top,
    Ways,
)
from kiosk.views.of_table import Menus, OfTable
from rules import history as past
from rules.conflict.rounds import Entrant, StartConflict
from rules.deciding.decision import Command, name_of
from rules.dice import DieKind, DieReading, DieState, Guess, Reading, SourceKind
from rules.errors import Refusal
from rules.history import Decision, History
from rules.legal.offers import options
from rules.setup.setting_up import SaveCharacter, SetUpTable
from rules.state.people import Attributes, Disciplines
from rules.state.tasks import Declaration, Purchase
from rules.state.vocabulary import Attribute, ConflictKind, Discipline, Payer, Pool, Ruleset, Standing
from rules.tasks.declaring import DeclareTask, WithdrawTask
from rules.tasks.dial import SetDifficulty
from rules.tasks.pools import AdjustPool
from rules.tasks.settling import FinishSpending
from rules.tasks.throwing import EnterDice, ReportReading

SKILLS = Attributes(control=9, daring=8, fitness=9, insight=10, presence=11, reason=12)
TRAINED = Disciplines(command=3, conn=1, security=2, engineering=4, science=5, medicine=2)
DEEPEST = 16
"""More levels than the menu has: a throw of five d20s said one after the other."""


@dataclass
class Game:
    """A table that is played without a kiosk."""

    history: History = field(default_factory=past.begin)
    number: int = 0

    def do(self, command: Command) -> None:
        events = past.decide(self.history, command)
        self.number += 1
        decision = Decision(number=self.number, by="test", command=name_of(command), events=events)
        self.history = past.evolve(self.history, decision)


def played(ruleset: Ruleset = Ruleset.CORE_1E) -> Game:
    game = Game()
    game.do(SetUpTable(ruleset=ruleset, players=("Jo", "Al")))
    more: dict[str, Any] = {"attributes": SKILLS, "disciplines": TRAINED}
    game.do(SaveCharacter(name="Ada", focuses=("Warp, theory",), values=("Never alone",), **more))
    game.do(SaveCharacter(name="Bo", **more))
    game.do(SaveCharacter(name="Krell", standing=Standing.NOTABLE_NPC, **more))
    game.do(AdjustPool(pool=Pool.MOMENTUM, change=3, reason="a start"))
    return game


class Table(RuleBasedStateMachine):
    """Somebody presses anything while others play on by phone and dice are thrown."""

    def __init__(self) -> None:
        super().__init__()
        self.game = played()
        self.menu = Menu()
        self.reads = False
        self.readings = 0
        self.said: set[int | str] = set()
        self.menus: Menus = OfTable()
        self.ways: Ways = OfTable()

    @initialize(ruleset=st.sampled_from(Ruleset), fight=st.booleans())
    def table_is_laid(self, ruleset: Ruleset, *, fight: bool) -> None:
        self.game = played(ruleset)
        if fight:
            there = tuple(Entrant(combatant_id=one.character_id) for one in self.game.history.present.characters)
            self.game.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=there))

    @property
    def facts(self) -> Facts:
        return Facts(
            history=self.game.history,
            reads=self.reads,
            rest=Rest.DIM,
            hint="Next moves on.",
            menus=self.menus,
            ways=self.ways,
        )

    def take(self, step: MenuStep) -> None:
        self.menu = step.menu
        if step.say is not None:
            assert all((step.say.terse, step.say.normal, step.say.full))

    @rule(gestures=st.lists(st.sampled_from(Gesture), min_size=1, max_size=12))
    def presses(self, gestures: list[Gesture]) -> None:
        for gesture in gestures:
            step = press(self.menu, gesture, self.facts)
            self.take(step)
            if step.command is not None:
                self.game.do(step.command)  # raises what the rules refuse
                self.take(done(self.menu, self.facts))

    @rule(choice=st.integers(min_value=0, max_value=50))
    def somebody_chooses(self, choice: int) -> None:
        offered = options(self.game.history.present)
        if offered:
            self.game.do(offered[choice % len(offered)].worded())
            self.take(follow(self.menu, self.facts))

    @precondition(lambda self: self.game.history.present.request is None)
    @rule(who=st.sampled_from(["character-3", "character-4", "character-5"]), opposed=st.booleans())
    def somebody_declares(self, who: str, *, opposed: bool) -> None:
        declaration = Declaration(
            character_id=who, attribute=Attribute.REASON, discipline=Discipline.SCIENCE, opposed=opposed
        )
        try:
            self.game.do(DeclareTask(declaration=declaration))
        except Refusal:
            return
        self.take(follow(self.menu, self.facts))

    @rule(
        dice=st.lists(
            st.tuples(st.integers(1, 20), st.sampled_from([DieState.READ, DieState.DOUBTFUL, DieState.COCKED])),
            min_size=1,
            max_size=4,
        )
    )
    def dice_are_seen(self, dice: list[tuple[int, DieState]]) -> None:
        self.readings += 1
        seen = tuple(
            DieReading(
                DieKind.D20,
                face if state is DieState.READ else None,
                0.9,
                state,
                SourceKind.CAMERA,
                guesses=(Guess(face, 0.6),) if state is DieState.DOUBTFUL else (),
            )
            for face, state in dice
        )
        reading = Reading(reading_id=f"r{self.readings}", source=SourceKind.CAMERA, dice=seen)
        self.game.do(ReportReading(reading=reading))
        self.take(follow(self.menu, self.facts))

    @rule()
    def time_passes(self) -> None:
        self.menu = left_alone(self.menu)
        assert not self.menu.open

    @rule(reads=st.booleans())
    def sources_come_and_go(self, *, reads: bool) -> None:
        self.reads = reads

    @invariant()
    def back_leads_out_of_it(self) -> None:
        menu = self.menu
        for _ in range(DEEPEST):
            menu = press(menu, Gesture.BACK, self.facts).menu
        assert not menu.open
        assert len(self.menu.path) <= DEEPEST

    @invariant()
    def the_entry_back_leads_out_of_it_too(self) -> None:
        for stop in self.menu.path[1:]:
            there = level(self.facts, stop.where)
            assert not there.entries or there.entries[-1].key == "back"
        assert level(self.facts, Top()).entries[-1].key == "close"

    @invariant()
    def keys_are_its_own_and_everything_offered_is_taken(self) -> None:
        if not self.menu.open:
            return
        there = level(self.facts, self.menu.path[-1].where)
        assert len({one.key for one in there.entries}) == len(there.entries)
        for one in there.entries:
            assert [one.command is not None, one.go is not None, one.do is not None, bool(one.tell)].count(True) == 1
            if one.command is not None:
                past.decide(self.game.history, one.command)
            if one.go is not None:
                assert level(self.facts, one.go).entries, one.label


Table.TestCase.settings = settings(max_examples=settings().max_examples // 3, stateful_step_count=20)
TestPressingAnything = Table.TestCase


@pytest.mark.parametrize("ruleset", Ruleset)
@given(presses=st.lists(st.sampled_from([Gesture.NEXT, Gesture.CONFIRM]), max_size=60))
@settings(max_examples=settings().max_examples // 3)
def test_two_buttons_alone_are_never_refused_and_never_make_up_dice(ruleset: Ruleset, presses: list[Gesture]) -> None:
    game, menu = played(ruleset), Menu()
    for gesture in presses:
        facts = Facts(history=game.history)
        step = press(menu, gesture, facts)
        menu = step.menu
        if isinstance(step.command, EnterDice):
            told = [one.where.faces for one in menu.path if hasattr(one.where, "faces")]
            assert told[-1] == step.command.faces, "every face was chosen and read back"
        if step.command is not None:
            game.do(step.command)
            menu = done(menu, Facts(history=game.history)).menu


def test_an_earlier_task_is_offered_without_what_was_bought_for_it() -> None:
    game = played()
    bought = Declaration(
        character_id="character-3",
        attribute=Attribute.REASON,
        discipline=Discipline.SCIENCE,
        focus=True,
        label="Scan the hull",
        difficulty=2,
        purchases=(Purchase(payer=Payer.MOMENTUM),),
        complication_range=2,
    )
    game.do(DeclareTask(declaration=bought))
    game.do(WithdrawTask())
    game.do(DeclareTask(declaration=replace(bought, label="")))
    request = game.history.present.request
    assert request is not None
    game.do(EnterDice(request=request.number, faces=(18, 18, 18)))
    facts = Facts(history=game.history)
    top = level(facts, Top())
    declare = next(one for one in top.entries if one.key == "declare")
    assert declare.go is not None
    people = level(facts, declare.go)
    assert people.entries[0].label == "Ada"
    assert people.entries[0].go is not None
    tasks = level(facts, people.entries[0].go)
    assert tasks.entries[0].label == "Reason and Science with focus, Difficulty 1"
    assert tasks.entries[0].go is not None
    read_back = level(facts, tasks.entries[0].go)
    assert read_back.prompt == "Ada: Reason and Science with focus, Difficulty 1. Target Number 17."
    command = read_back.entries[0].command
    assert isinstance(command, DeclareTask)
    assert command.declaration.complication_range == 1
    assert command.declaration.purchases == ()


def test_what_the_gamemaster_has_set_is_not_asked_again() -> None:
    game = played()
    game.do(SetDifficulty(difficulty=3, complication_range=2))
    facts = Facts(history=game.history, reads=False, rest=Rest.DIM)
    ada = game.history.present.characters[0].character_id
    steps = next(one for one in level(facts, PickPreset(ada)).entries if one.key == "steps")
    assert isinstance(steps.go, PickAttribute)
    after = level(facts, PickFocus(replace(steps.go.draft, discipline=Discipline.CONN))).entries[0].go
    assert isinstance(after, Declaring)
    assert (after.draft.difficulty, after.draft.complication_range) == (3, 2)
    assert "Difficulty 3" in level(facts, after).prompt


def test_prices_are_said_in_every_length() -> None:
    game = played()
    game.do(
        DeclareTask(
            declaration=Declaration(
                character_id="character-3", attribute=Attribute.REASON, discipline=Discipline.SCIENCE
            )
        )
    )
    facts = Facts(history=game.history, reads=True)
    menu = press(Menu(), Gesture.NEXT, facts).menu
    step = press(menu, Gesture.CONFIRM, facts)
    assert step.say is not None
    for words in (step.say.terse, step.say.normal, step.say.full):
        assert "Buy one more d20 with Momentum, costs 1 Momentum." in words


def test_a_menu_of_no_table_says_what_to_do() -> None:
    step = press(Menu(), Gesture.NEXT, Facts(history=past.begin()))
    assert step.say is not None
    assert step.say.terse.startswith("There is no table yet")


def test_a_plain_yes_that_the_pin_keeps_back_opens_the_menu_instead() -> None:
    game = played()
    ada = game.history.present.characters[0].character_id
    task = Declaration(character_id=ada, attribute=Attribute.CONTROL, discipline=Discipline.COMMAND)
    game.do(DeclareTask(declaration=task))
    assert game.history.present.request is not None
    game.do(EnterDice(request=game.history.present.request.number, faces=(1, 1)))
    given = press(Menu(), Gesture.CONFIRM, Facts(history=game.history))
    assert isinstance(given.command, FinishSpending)
    kept = press(Menu(), Gesture.CONFIRM, Facts(history=game.history, withheld=lambda _: True))
    assert (kept.command, kept.menu.open) == (None, True)
