"""Marks: of two taps for the same state, in either order, both count, or the later one is refused in words."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from kiosk.engine import Present
from kiosk.errors import StaleError
from kiosk.views.about import about, mark_of, require_about
from rules.conflict.bodies import AdjustStress
from rules.conflict.budget import TakeMinorAction
from rules.conflict.creatures import BringIn
from rules.conflict.rounds import (
    AddCombatant,
    EndConflict,
    EndTurn,
    Entrant,
    KeepInitiative,
    RemoveCombatant,
    StartConflict,
)
from rules.deciding.decision import Command, name_of
from rules.dice import DieState
from rules.errors import Refusal
from rules.history import History
from rules.setup.setting_up import StartScene
from rules.state.changing import replace
from rules.state.conflict import Action
from rules.state.table import Table
from rules.state.tasks import Purchase
from rules.state.vocabulary import ConflictKind, Payer, Ruleset, Spend, Standing, TaskPhase, ValueAction
from rules.tasks.declaring import BuyDie, CreateProblem
from rules.tasks.determination import MakeItSo, UseValueAgainst
from rules.tasks.extended import BeginExtendedTask
from rules.tasks.second_throws import CorrectScoredDie
from rules.tasks.settling import BuyOffComplication, FinishSpending, MakeSpend, TakeComplication
from rules.tasks.throwing import CorrectDie, DropDie, EnterDice
from tests.rules import play
from tests.rules.skirmish import Skirmish
from tests.rules.tabletop import OKAFOR_VALUE, Game, die, reading

PAYING = (MakeSpend, BuyDie, CreateProblem, MakeItSo, UseValueAgainst)
"""Commands that pay and have a mark of their own: the same one is never paid for twice."""


def mark(history: History, command: Command) -> str:
    """What a page that shows `history` sends with `command`."""
    return mark_of(structs.asdict(about(history)), name_of(command))


def taps(game: Game, *commands: Command, seen: History | None = None) -> list[type[Exception] | None]:
    """What becomes of each, sent one after the other with the mark of `seen`, or of how the table was before all."""
    marks = [mark(seen or game.history, one) for one in commands]
    became: list[type[Exception] | None] = []
    for command, one in zip(commands, marks, strict=True):
        try:
            require_about(Present(0, game.history), command, one)
            game.do(command)
        except (StaleError, Refusal) as error:
            became.append(type(error))
        else:
            became.append(None)
    return became


def in_both_orders(game: Game, first: Command, second: Command) -> list[list[type[Exception] | None]]:
    """What becomes of both in either order; the game stays as it was."""
    before, became = game.history, []
    for one, other in ((first, second), (second, first)):
        became.append(taps(game, one, other))
        game.history = before
    return became


def scored(*faces: int) -> Game:
    """Okafor's Task of Difficulty 0 with these dice, and Momentum in the pool."""
    game = Game(momentum=6)
    game.declare(difficulty=0)
    game.throw(*faces)
    return game


def fight() -> Skirmish:
    """Okafor's Turn in a fight."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    return game


def left_with_a_complication() -> Skirmish:
    """Okafor's Turn after a Task of which a Complication alone is open."""
    game = fight()
    game.do(_shout(game, game.okafor))
    game.throw(1, 20)
    if game.table.task is not None and game.table.task.phase is TaskPhase.SPENDING:
        game.do(FinishSpending())
    return game


def declared(momentum: int) -> Game:
    """Okafor's Task before its dice."""
    game = Game(momentum=momentum)
    game.declare(difficulty=1)
    return game


def looked_at(dice: int, *, pictured: bool) -> Game:
    """A throw of which two dice are in doubt, one more than were awaited where there are three."""
    game = Game()
    game.declare()
    unsure = [
        replace(die(5), face=None, state=DieState.DOUBTFUL, picture=f"p{place}" if pictured else None)
        for place in range(dice)
    ]
    game.do(reading(*unsure))
    assert game.held is not None
    return game


def _shout(game: Game, who: str) -> Command:
    return game.declaration(who, action=Action(name="other", note="Shout"), difficulty=1)


def _stress_and_a_task() -> tuple[Game, Command, Command]:
    game = fight()
    return game, AdjustStress(character_id=game.lindqvist, change=-1), _shout(game, game.okafor)


def _a_foe_and_a_task() -> tuple[Game, Command, Command]:
    game = fight()
    gul = game.character("Gul", standing=Standing.MINOR_NPC)
    return game, AddCombatant(combatant=Entrant(combatant_id=gul)), _shout(game, game.okafor)


def _an_extended_task_and_a_task() -> tuple[Game, Command, Command]:
    game = Game()
    return game, BeginExtendedTask(label="Repairs", work=8, magnitude=2), game.declaration()


def _two_spends() -> tuple[Game, Command, Command]:
    advantage = MakeSpend(spend=Spend.CREATE_ADVANTAGE, note="High ground")
    return scored(1, 2), MakeSpend(spend=Spend.OBTAIN_INFORMATION), advantage


def _two_dice_in_doubt() -> tuple[Game, Command, Command]:
    return looked_at(2, pictured=True), CorrectDie(position=0, face=4), CorrectDie(position=1, face=9)


def _a_die_in_doubt_and_one_too_many() -> tuple[Game, Command, Command]:
    return looked_at(3, pictured=True), CorrectDie(position=0, face=4), DropDie(position=2)


def _two_dice_that_count() -> tuple[Game, Command, Command]:
    return scored(3, 4), CorrectScoredDie(position=0, face=7), CorrectScoredDie(position=1, face=8)


def _a_value_and_a_task() -> tuple[Game, Command, Command]:
    game = Game()
    made = MakeItSo(character_id=game.okafor, value=OKAFOR_VALUE, advantage="Calm")
    return game, made, game.declaration(game.lindqvist)


@pytest.mark.parametrize(
    "make",
    [
        _stress_and_a_task, _a_foe_and_a_task, _an_extended_task_and_a_task, _two_spends,
        _two_dice_in_doubt, _a_die_in_doubt_and_one_too_many, _two_dice_that_count, _a_value_and_a_task,
    ],
)  # fmt: skip
def test_two_taps_that_have_nothing_to_do_with_each_other_both_count(
    make: Callable[[], tuple[Game, Command, Command]],
) -> None:
    game, first, second = make()
    assert in_both_orders(game, first, second) == [[None, None], [None, None]]


def _once(make: Callable[[], Game], command: Command, other: Command | None = None) -> tuple[Game, Command, Command]:
    return make(), command, other or command


@pytest.mark.parametrize(
    ("game", "first", "second"),
    [
        _once(lambda: scored(1, 2), MakeSpend(spend=Spend.OBTAIN_INFORMATION)),
        _once(lambda: scored(1, 2), MakeSpend(spend=Spend.CREATE_ADVANTAGE, note="Smoke")),
        _once(lambda: scored(1, 2), MakeSpend(spend=Spend.OBTAIN_INFORMATION, note="Who  sent it")),
        _once(lambda: declared(momentum=6), BuyDie(purchase=Purchase(payer=Payer.MOMENTUM))),
        _once(lambda: declared(momentum=0), CreateProblem()),
        _once(lambda: looked_at(2, pictured=True), CorrectDie(position=0, face=4), CorrectDie(position=0, face=9)),
        _once(lambda: looked_at(3, pictured=False), DropDie(position=0), DropDie(position=2)),
        _once(lambda: looked_at(3, pictured=False), DropDie(position=0), CorrectDie(position=1, face=9)),
        _once(lambda: scored(3, 4), CorrectScoredDie(position=0, face=7), CorrectScoredDie(position=0, face=8)),
    ],
)  # fmt: skip
def test_what_one_tap_decided_is_not_done_again_by_the_other(game: Game, first: Command, second: Command) -> None:
    """A second die costs more than the page said; of two answers about a die the later did not see the first."""
    (_, late), (_, later) = in_both_orders(game, first, second)
    assert StaleError in {late, later}
    assert taps(game, first, second) == [None, late]
    assert late is not None


def test_determination_is_spent_by_one_of_two_hands() -> None:
    """Each tap would have cost a point of the same character."""
    game = Game()
    sulok = game.character("Sulok", values=("Logic first",), determination=3, player_id=game.table.players[0].player_id)
    value = MakeItSo(character_id=sulok, value="Logic first", advantage="Calm")
    assert taps(game, value, replace(value, advantage="Loud")) == [None, StaleError]
    assert game.card(sulok).determination == 2


def test_a_value_gets_in_the_way_once_of_somebody_who_gains_nothing_by_it() -> None:
    """DET-6, C-83: at the most of Determination only the Complication tells that it was counted."""
    game = Game()
    sulok = game.character("Sulok", values=("Logic first",), determination=3, player_id=game.table.players[0].player_id)
    value = UseValueAgainst(
        character_id=sulok, value="Logic first", action=ValueAction.ACCEPT_COMPLICATION, complication="Too  late"
    )
    assert taps(game, value, value) == [None, StaleError]
    assert [(one.name, one.potency) for one in game.table.traits] == [("Too late", 1)]


def test_a_minor_action_is_taken_by_one_of_two_hands() -> None:
    """The second one of a Turn costs Momentum."""
    game = fight()
    aim = TakeMinorAction(character_id=game.okafor, action=Action(name="aim"))
    assert taps(game, aim, aim) == [None, StaleError]
    assert taps(game, TakeMinorAction(character_id=game.okafor, action=Action(name="prepare"))) != [StaleError]


def test_a_turn_ends_though_its_last_complication_was_taken_meanwhile() -> None:
    """Whose Turn it is, and what it has used, stays as it was seen."""
    game = left_with_a_complication()
    assert taps(game, TakeComplication(name="Smoke"), EndTurn()) == [None, None]


def test_a_turn_does_not_end_a_task_that_was_not_seen() -> None:
    game = fight()
    seen = game.history
    game.do(_shout(game, game.okafor))
    assert taps(game, EndTurn(), seen=seen) == [StaleError]


def test_nothing_of_a_scene_is_set_up_in_another() -> None:
    game = fight()
    seen = game.history
    game.do(EndConflict())
    game.do(StartScene())
    assert taps(game, AdjustStress(character_id=game.okafor, change=-1), seen=seen) == [StaleError]
    assert taps(game, BringIn(character_id=game.dorr), seen=seen) == [StaleError]


def test_a_value_makes_no_advantage_of_another_scene() -> None:
    game = Game()
    seen = game.history
    game.do(StartScene())
    assert taps(game, MakeItSo(character_id=game.okafor, value=OKAFOR_VALUE, advantage="Calm"), seen=seen) == [
        StaleError
    ]


def test_the_initiative_is_not_kept_after_turns_that_were_not_seen() -> None:
    """Between two Turns of a side the Turn in hand is the same: none."""
    game = Skirmish(begins="okafor", momentum=6)
    game.enter("Gul", standing=Standing.MINOR_NPC)
    sulok = game.enter("Sulok")
    game.take_turn(game.okafor)
    seen = game.history
    game.take_turn(game.dorr)
    game.take_turn(sulok)
    kept = KeepInitiative(ally_id=game.lindqvist)
    assert taps(game, kept, seen=seen) == [StaleError]
    with pytest.raises(StaleError):
        require_about(Present(0, game.history), kept, about(seen).table)
    assert game.table.momentum == 6


def test_nothing_of_a_fight_is_done_in_the_next_one_of_its_scene() -> None:
    game = fight()
    seen = game.history
    entrants = tuple(Entrant(combatant_id=one.combatant_id) for one in game.conflict.combatants)
    game.do(EndConflict())
    game.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=entrants, begins=game.okafor))
    game.begin(game.okafor)
    late: tuple[Command, ...] = (EndTurn(), RemoveCombatant(combatant_id=game.dorr), EndConflict())
    assert taps(game, *late, seen=seen) == [StaleError, StaleError, StaleError]


def test_who_saw_the_whole_moment_saw_the_scene_and_the_turn() -> None:
    """The mark of the table serves for these, as it did when there was no other."""
    game = fight()
    whole = about(game.history).table
    require_about(Present(0, game.history), EndTurn(), whole)
    game.do(_shout(game, game.okafor))
    with pytest.raises(StaleError):
        require_about(Present(0, game.history), EndTurn(), whole)


def held_of(table: Table) -> tuple[object, ...]:
    """What two orders of the same two taps leave alike: what everybody has."""
    return (
        table.momentum, table.threat, tuple(one.determination for one in table.characters),
        sorted((one.name, one.kind, one.potency) for one in table.traits),
        tuple((one.difficulty, one.own_dice, one.paid) for one in (table.task,) if one is not None),
    )  # fmt: skip


@given(data=st.data(), ruleset=play.RULESETS, momentum=st.integers(0, 6), steps=st.integers(0, 12))
def test_of_two_taps_for_any_state_nothing_is_paid_twice_and_the_order_does_not_matter(
    data: st.DataObject, ruleset: Ruleset, momentum: int, steps: int
) -> None:
    """Either order: both count and leave the same, or one of them is refused in words; the first is never late."""
    game = Game(ruleset, momentum)
    for _ in range(steps):
        step(game, data)
    kinds = play.CHOICES | play.SAID_OF_DICE
    first = data.draw(kinds)
    second = data.draw(st.just(first) | kinds)
    before, outcomes = game.history, []
    for one, other in ((first, second), (second, first)):
        early, late = taps(game, one, other)
        assert early is not StaleError or isinstance(one, TakeComplication | BuyOffComplication)
        outcomes.append(((early, late), held_of(game.table)))
        game.history = before
    (one_way, left), (other_way, left_too) = outcomes
    if isinstance(first, PAYING) and first == second:
        assert one_way[0] is not None or one_way[1] is not None
    if one_way == other_way == (None, None) and isinstance(first, PAYING) and isinstance(second, PAYING):
        assert left == left_too


def step(game: Game, data: st.DataObject) -> None:
    """A likely thing more: a Task, its dice, or a decision."""
    table = game.table
    if table.request is not None and table.held is None:
        faces = data.draw(play.faces(table.request.kind, table.request.count))
        command: Command = EnterDice(request=table.request.number, faces=faces)
    elif table.task is None:
        command = data.draw(play.LIKELY_TASKS)
    else:
        command = data.draw(play.SPENDS | play.CHOICES)
    with contextlib.suppress(Refusal):
        game.do(command)
