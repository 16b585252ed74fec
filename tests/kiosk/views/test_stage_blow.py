"""A settled attack is an event of its own on the table's screen: its damage dice, whom it hit, what came of it."""

from __future__ import annotations

from msgspec.structs import replace

from kiosk.views.stage.harm import with_harm
from kiosk.views.stage.hit import with_injury_counted
from kiosk.views.stage.now import stage, with_photographs
from kiosk.views.stage.values import Blow, StageFact, StageView
from rules.conflict.cover import SetCover
from rules.conflict.injuries import SufferInjury
from rules.dice import Symbol
from rules.legal.offers import options
from rules.ships.second.hits import SettleHit
from rules.ships.second.leaving import ChooseShaken
from rules.state.vocabulary import Spend, Standing, StepKind, System
from rules.tasks.actions import FollowThrough
from rules.tasks.settling import FinishSpending, MakeSpend
from tests.rules.brawl import Brawl
from tests.rules.fleet2e import Fleet
from tests.rules.tabletop import Game


def seen(game: Game) -> StageView:
    asked = "What now?" if game.table.agenda else ""
    return with_harm(stage(game.table, (), asked), game.history)


def blow(game: Game) -> Blow:
    found = seen(game).blow
    assert found is not None
    return found


def shot() -> Brawl:
    """Okafor hits Brack, who has Resistance 1, for 4 damage; an Effect is among the dice."""
    fight = Brawl()
    fight.fight(fight.okafor)
    fight.shoot(2, 2, Symbol.EFFECT, *[Symbol.BLANK] * 3)
    return fight


def test_nothing_of_it_is_shown_before_it_is_settled() -> None:
    fight = Brawl()
    fight.fight(fight.okafor)
    fight.attack(fight.okafor, fight.brack, "phaser_type_2")
    fight.throw(1, 1)
    assert seen(fight).blow is None
    game = Game()
    game.declare()
    game.throw(9, 10)
    assert seen(game).blow is None, "nor of another Task"


def test_who_throws_damage_on_foot_is_named_once() -> None:
    fight = Brawl()
    fight.fight(fight.okafor)
    fight.shoot()
    assert str(seen(fight).who) == "Okafor", "not for themselves, as somebody fires for a ship"


def test_the_dice_of_the_damage_stand_in_the_place_of_those_that_hit() -> None:
    fight = shot()
    fight.settle()
    found = blow(fight)
    assert [one.face for one in found.dice] == ["2", "2", "effect", "blank", "blank", "blank"]
    assert found.counts == (2, 4, 5, 5, 5, 5)
    assert found.headline == "Okafor hits Brack: 4 damage"
    assert found.about == "Damage less Resistance: 5 − 1 = 4, 1 Effect"  # noqa: RUF001 - a minus
    assert found.number == StageFact(
        "Stress of Brack", f"{fight.body(fight.brack).stress} of {fight.body(fight.brack).stress_max}"
    )
    assert (found.mark, found.weight) == ("success", "success"), "the triumph was the throw"
    assert found.beat not in {"", seen(fight).beat}, "it has a beat of its own"


def test_what_comes_of_dice_that_lie_there_is_no_other_beat() -> None:
    """Settled and suffered, the same dice lie there: only what is new moves."""
    fight = Brawl()
    fight.fight(fight.okafor)
    fight.shoot(2, 2, 2, 2, 1, 1)
    waits = seen(fight)
    assert (waits.kind, len(waits.dice), waits.beat != "") == ("chain", 6, True)
    fight.settle()
    assert (seen(fight).kind, seen(fight).beat) == ("chain", waits.beat), "the Injury is asked about"
    fight.do(SufferInjury())
    assert blow(fight).beat == waits.beat


def test_damage_and_injury_head_what_is_asked_about_them() -> None:
    """DMG-5: 10 points less Resistance 1 leave 2 of 11 Stress."""
    fight = Brawl()
    fight.fight(fight.okafor)
    fight.shoot(2, 2, 2, 2, 1, 1)
    fight.settle()
    found = with_injury_counted(seen(fight), fight.history).telling
    assert found is not None
    assert found.headline == "Okafor hits Brack: 9 damage, 1 Injury"


def test_the_dice_of_cover_and_what_they_are_worth_stand_there_before_it_is_settled() -> None:
    """DMG-2: 9 points, of which Resistance 1 and the cover's 2 keep 3 off."""
    fight = Brawl()
    fight.fight(fight.okafor)
    fight.do(SetCover(character_id=fight.brack, dice=2))
    fight.shoot(2, 2, 2, 2, 1, Symbol.BLANK)
    fight.throw_challenge(1, 1)
    telling = seen(fight).telling
    assert telling is not None
    value = "9 − 3 = 6"  # noqa: RUF001 - a minus
    assert telling.number == StageFact("Damage less Resistance", value, note="1 Injury")
    assert [(one.face, one.words, one.mark) for one in seen(fight).dice[6:]] == [("1", "Cover: 1 point", "plain")] * 2
    fight.settle()
    assert len(seen(fight).dice) == len(fight.table.attack.faces if fight.table.attack else ())


def test_what_it_leads_on_to_stands_beneath_until_it_is_spent() -> None:
    fight = shot()
    fight.settle()
    assert fight.table.task is not None
    assert blow(fight).next == (f"Momentum to spend or save: {fight.table.task.momentum_left}",)
    fight.do(FinishSpending())
    assert blow(fight).next == ()


def test_a_foes_blow_bears_no_sign_of_the_players_success() -> None:
    fight = Brawl()
    fight.save(fight.brack, "Brack", standing=Standing.NOTABLE_NPC, weapons=("phaser_type_2",))
    fight.fight(fight.brack)
    fight.attack(fight.brack, fight.okafor, "phaser_type_2")
    fight.throw(1, 1)
    fight.do(FollowThrough())
    assert fight.table.request is not None
    fight.throw_challenge(*[2] * fight.table.request.count)
    fight.settle()
    while fight.table.agenda:
        fight.do(SufferInjury())
    found = blow(fight)
    assert found.headline.startswith("Brack hits Okafor: ")
    assert (found.mark, found.weight) == ("npc-success", "")


def test_a_ship_is_drawn_with_the_hit_on_its_system() -> None:
    duel = Fleet()
    duel.state(duel.raider, shields=0)
    duel.hit(1, 1, 20, system=4)
    assert duel.table.agenda[0].kind is StepKind.FLAT_HIT
    duel.do(SettleHit())
    while duel.table.agenda:
        duel.do(next(one.command for one in options(duel.table) if isinstance(one.command, ChooseShaken)))
    found = blow(duel)
    harmed = duel.of(duel.raider).state.damage_of(System.ENGINES).breaches
    assert harmed
    assert (found.struck, found.system, found.dice) == (duel.raider, "engines", ())
    assert found.lines == (f"Engines: {harmed} Breach",)
    assert found.number == StageFact("Shields of Black Comet", "0 of 12")


def test_a_spend_after_it_leaves_it_there() -> None:
    fight = shot()
    fight.settle()
    fight.do(MakeSpend(spend=Spend.OBTAIN_INFORMATION))
    assert blow(fight).dice


def test_its_photographs_are_those_that_are_there() -> None:
    fight = shot()
    fight.settle()
    view = seen(fight)
    assert view.blow is not None
    dice = tuple(replace(one, photograph=f"a/{place}") for place, one in enumerate(view.blow.dice))
    shown = with_photographs(replace(view, blow=replace(view.blow, dice=dice)), {"a/1"}.__contains__).blow
    assert shown is not None
    assert [one.photograph for one in shown.dice[:3]] == [None, "a/1", None]
