"""Whatever is asked of a conflict's order, legal or not: budgets hold, sides alternate, refusals change nothing."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from rules import history
from rules.conflict.budget import TakeMinorAction
from rules.conflict.order import may_begin
from rules.conflict.rounds import BeginTurn, EndTurn, KeepInitiative, NextRound, PassTurn, SetReach
from rules.deciding.decision import Command
from rules.dice import DieKind
from rules.errors import Refusal
from rules.legal.offers import options
from rules.state.conflict import Action
from rules.state.table import Table
from rules.state.vocabulary import EffectEnd, Ruleset, Spend, TaskPhase
from rules.table import evolve
from rules.tasks.settling import FinishSpending, MakeSpend, TakeComplication
from rules.tasks.throwing import EnterDice
from rules.undo import Redo, Undo
from tests.rules.skirmish import Skirmish

PEOPLE = st.integers(0, 11)
"""Four people; the higher numbers stand for who may act just now."""

TASKS = st.sampled_from(
    ["guard", "recover", "sprint", "assist", "direct", "ready", "pass", "create_advantage", "other"]
)
MINORS = st.sampled_from(["aim", "interact", "movement", "prepare", "drop_prone", "stand"])
FACES = st.lists(st.integers(1, 20), min_size=5, max_size=5)

KINDS = st.sampled_from(
    [
        "begin",
        "begin",
        "end",
        "end",
        "pass",
        "keep",
        "round",
        "task",
        "task",
        "minor",
        "swift",
        "settle",
        "settle",
        "reach",
        "hurt",
    ]
)
MOVES = st.lists(st.tuples(KINDS, PEOPLE, PEOPLE, TASKS, MINORS, FACES), max_size=40)


def command_of(game: Skirmish, kind: str, who: str, other: str, *, task: str, minor: str) -> Command:
    commands: dict[str, Command] = {
        "begin": BeginTurn(combatant_id=who),
        "end": EndTurn(),
        "pass": PassTurn(combatant_id=who),
        "keep": KeepInitiative(ally_id=who),
        "round": NextRound(),
        "task": game.declaration(who, action=Action(name=task, target_id=other, note="as said")),
        "minor": TakeMinorAction(character_id=who, action=Action(name=minor)),
        "swift": MakeSpend(spend=Spend.SWIFT_TASK),
        "settle": FinishSpending(),
        "reach": SetReach(first_id=who, second_id=other),
    }
    return commands[kind]


def person(game: Skirmish, number: int) -> str:
    people = (game.okafor, game.lindqvist, game.brack, game.dorr)
    turn = game.conflict.turn
    if number >= len(people) and turn is not None:
        return turn.combatant_id
    ready = may_begin(game.table) if number >= len(people) else ()
    return ready[number % len(ready)].combatant_id if ready else people[number % len(people)]


def settle_complications(game: Skirmish) -> None:
    while game.table.task is not None and game.table.task.phase is TaskPhase.COMPLICATIONS:
        game.do(TakeComplication())


def settle_dice(game: Skirmish, faces: list[int]) -> None:
    while game.table.request is not None:
        assert game.table.request.kind is DieKind.D20
        game.do(EnterDice(request=game.table.request.number, faces=tuple(faces[: game.table.request.count])))
    settle_complications(game)


def check(before: Table, after: Table) -> None:
    if after.conflict is None:
        return
    for one in after.conflict.combatants:
        assert 0 <= one.turns_taken <= one.turns
        assert one.tasks <= 2
    turn = after.conflict.turn
    if turn is not None:
        assert len(set(turn.minor_actions)) == len(turn.minor_actions)
        assert turn.tasks <= turn.tasks_allowed
    began = before.conflict is not None and before.conflict.turn is None and turn is not None
    if began and before.conflict is not None and turn is not None and turn.side is before.conflict.last_side:
        kept = before.conflict.next_id == turn.combatant_id
        others = [
            one
            for one in before.conflict.combatants
            if one.side is not turn.side and one.turns_taken < one.turns and not one.passed
        ]
        able = [one for one in others if can_act(before, one.combatant_id)]
        assert kept or not able


def can_act(table: Table, combatant_id: str) -> bool:
    body = next(one.body for one in table.characters if one.character_id == combatant_id)
    return body.injury == "none" or body.pushing_on


@given(ruleset=st.sampled_from([Ruleset.CORE_1E, Ruleset.SECOND_EDITION]), moves=MOVES)
def test_whatever_is_asked_the_order_holds(
    ruleset: Ruleset, moves: list[tuple[str, int, int, str, str, list[int]]]
) -> None:
    """TURN-1, TURN-3, TURN-5, ACT-2, C-8, C-85."""
    game = Skirmish(ruleset=ruleset, momentum=6)
    for kind, first, second, task, minor, faces in moves:
        before, said, refused = game.history, ".", False
        who, other = person(game, first), (game.okafor, game.lindqvist, game.brack, game.dorr)[second % 4]
        if kind == "hurt":
            game.injure(who)
            continue
        try:
            game.do(command_of(game, kind, who, other, task=task, minor=minor))
        except Refusal as refusal:
            said = refusal.message
            refused = True
        assert said.endswith(".")
        if refused:
            assert game.history is before
            continue
        settle_dice(game, faces)
        check(before.present, game.table)
    assert_whole(game)


def assert_whole(game: Skirmish) -> None:
    """Replay equals live, undo and redo restore, and every option is one that is accepted."""
    replayed = Table()
    for decision in game.decisions:
        for event in decision.events:
            replayed = evolve(replayed, event)
    assert replayed == game.table
    for one in options(game.table):
        history.decide(game.history, one.worded())
    before = game.table
    game.do(Undo())
    game.do(Redo())
    assert game.table == before


@given(data=st.data())
def test_whoever_may_act_is_offered_and_nobody_else(data: st.DataObject) -> None:
    """TURN-3, TURN-4: played by its options alone, a Round always comes to its end; what may be had is offered."""
    game = Skirmish(momentum=6)
    people = (game.okafor, game.lindqvist, game.brack, game.dorr)
    for _ in range(14):
        offered = {one.option_id: one.worded() for one in options(game.table)}
        for who in people:
            for option_id, command in (
                (f"begin_turn:{who}", BeginTurn(combatant_id=who)),
                (f"keep_initiative:{who}", KeepInitiative(ally_id=who)),
            ):
                assert (option_id in offered) is accepted(game, command)
        turning = [one for one in offered if one.split(":")[0] in ("begin_turn", "end_turn", "pass_turn", "next_round")]
        game.do(offered[data.draw(st.sampled_from(sorted(turning)))])


def accepted(game: Skirmish, command: Command) -> bool:
    try:
        history.decide(game.history, command)
    except Refusal:
        return False
    return True


def test_what_holds_for_rounds_counts_down() -> None:
    """C-71: two Rounds, then it ends and says so."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.act(game.okafor, "guard")
    game.do(EndTurn())
    held = game.table.effects[0]
    game.record_effect(replace(held, ends=EffectEnd.ROUNDS, rounds_left=2))
    for one in (game.brack, game.lindqvist, game.dorr):
        game.take_turn(one)
    game.do(NextRound())
    assert [one.rounds_left for one in game.table.effects] == [1]
    for one in (game.okafor, game.brack, game.lindqvist, game.dorr):
        game.take_turn(one)
    game.do(NextRound())
    assert game.table.effects == ()
    assert "Guard" in game.last_said.terse
