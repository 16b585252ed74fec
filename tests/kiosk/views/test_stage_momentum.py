"""What the stage says of a Task's Momentum is what can still be done with it (POOL-2)."""

from __future__ import annotations

from kiosk.views.stage.now import stage
from kiosk.views.stage.values import StageView
from rules.deciding.decision import Command, name_of
from rules.history import Decision, History, begin, decide, evolve
from rules.setup.setting_up import SaveCharacter, SetUpTable
from rules.state.people import Attributes, Disciplines
from rules.state.tasks import Declaration
from rules.state.vocabulary import Attribute, Discipline, Pool, Ruleset, Spend, Standing
from rules.tasks.declaring import DeclareTask
from rules.tasks.pools import AdjustPool
from rules.tasks.settling import FinishSpending, MakeSpend
from rules.tasks.throwing import EnterDice

ABLE = Attributes(control=11, daring=11, fitness=11, insight=11, presence=11, reason=11)
SKILLED = Disciplines(command=4, conn=4, security=4, engineering=4, science=4, medicine=4)


def play(history: History, *commands: Command) -> History:
    """`history` after `commands`."""
    for command in commands:
        events = decide(history, command)
        history = evolve(
            history, Decision(number=history.next_decision, by="t", command=name_of(command), events=events)
        )
    return history


def succeeded(pool: int, standing: Standing = Standing.PLAYER) -> History:
    """The stage after a Task that has generated 1 Momentum, with that Momentum in the pool."""
    history = play(
        begin(),
        SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada", "Ben")),
        SaveCharacter(name="Ada Lindqvist", standing=standing, attributes=ABLE, disciplines=SKILLED),
        AdjustPool(pool=Pool.MOMENTUM, change=pool),
    )
    whole = Declaration(
        character_id=history.present.characters[0].character_id,
        attribute=Attribute.DARING,
        discipline=Discipline.SECURITY,
        difficulty=1,
    )
    history = play(history, DeclareTask(declaration=whole))
    assert history.present.request is not None
    return play(history, EnterDice(request=history.present.request.number, faces=(9, 10)))


def shown(history: History) -> StageView:
    """The stage now."""
    return stage(history.present, (), "")


def momentum(view: StageView) -> str:
    """The figure beside the outcome."""
    return next(one.value for one in view.facts if one.name in {"Momentum won", "Momentum left"})


def test_nobody_is_told_to_save_into_a_full_pool() -> None:
    full, open_pool = shown(succeeded(6)), shown(succeeded(5))
    assert "1 Momentum to spend, or it is lost: the pool is full." in full.lines
    assert not [one for one in open_pool.lines if "Momentum" in one], "the number beside it says so"
    assert momentum(full) == momentum(open_pool) == "1"


def test_what_an_npc_does_not_spend_becomes_threat() -> None:
    """POOL-9."""
    view = shown(succeeded(1, Standing.NOTABLE_NPC))
    assert "1 Momentum to spend; the rest becomes Threat." in view.lines


def test_spent_momentum_is_no_longer_shown_as_there() -> None:
    before = succeeded(6)
    after = play(before, MakeSpend(spend=Spend.OBTAIN_INFORMATION))
    assert "Success" in shown(after).word
    assert momentum(shown(after)) == "0"
    assert "Momentum left" in {str(one.name) for one in shown(after).facts}


def test_saved_and_lost_momentum_stay_beside_the_outcome() -> None:
    for pool, words in ((5, "1 Momentum saved to the group."), (6, "1 Momentum lost: the pool holds 6.")):
        done = shown(play(succeeded(pool), FinishSpending()))
        assert words in done.lines
        assert momentum(done) == "1"
