"""The table's screen tells an outcome once: a sentence, the Complications beside it, and one number."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kiosk.i18n.languages import Languages
from kiosk.views.stage.harm import with_harm
from kiosk.views.stage.names import last_name
from kiosk.views.stage.now import stage
from kiosk.views.stage.recent import REMEMBERED, recent_outcomes
from kiosk.views.stage.values import StageFact, Telling
from rules.conflict.bodies import AdjustStress
from rules.conflict.budget import TakeMinorAction
from rules.conflict.injuries import SufferInjury
from rules.conflict.rounds import EndTurn
from rules.setup.setting_up import StartSession
from rules.ships.second.hits import SettleHit
from rules.state.conflict import Action
from rules.state.vocabulary import Spend, Standing, StepKind
from rules.tasks.actions import FollowThrough
from rules.tasks.settling import FinishSpending, MakeSpend
from rules.words import Phrase, translated
from tests.rules.brawl import Brawl
from tests.rules.fleet2e import Fleet
from tests.rules.tabletop import Game


def told(game: Game) -> Telling:
    """What the stage tells of the dice that lie there."""
    asked = "What now?" if game.table.agenda else ""
    telling = stage(game.table, (), asked).telling
    assert telling is not None
    return telling


@pytest.mark.parametrize(
    ("faces", "difficulty", "headline", "cost", "number"),
    [
        ((20, 18), 0, "succeeds", "1 Complication, open", StageFact("Successes", "0", note="none needed")),
        ((19, 18), 2, "fails", "", StageFact("Successes", "0 of 2")),
        ((9, 10), 2, "succeeds", "", StageFact("Successes", "2 of 2")),
        ((9, 10), 1, "succeeds", "", StageFact("Momentum to spend or save", "1")),
        ((1, 20), 1, "succeeds", "1 Complication, open", StageFact("Momentum to spend or save", "1")),
        ((20, 20), 1, "fails", "2 Complications, open", StageFact("Successes", "0 of 1")),
        ((1, 1), 1, "succeeds", "", StageFact("Momentum to spend or save", "3")),
    ],
)
def test_each_weight_has_its_sentence_and_one_number(
    faces: tuple[int, int], difficulty: int, headline: str, cost: str, number: StageFact
) -> None:
    game = Game()
    game.declare(label="Seal the hatch", difficulty=difficulty, rolled=True)
    game.throw(*faces)
    telling = told(game)
    told_of = (telling.headline, telling.cost, telling.number)
    assert told_of == (f"Seal the hatch: Okafor {headline}", cost, number), "the deed heads it"
    assert telling.about == "Control + Engineering"
    assert telling.lines == ()


def test_a_deed_of_many_words_stands_above_the_headline() -> None:
    game = Game()
    label = "Seal the hatch before the hold floods"
    game.declare(label=label)
    game.throw(9, 10)
    assert (told(game).headline, told(game).about) == ("Okafor succeeds", f"{label}, Control + Engineering")


def blow(fight: Brawl) -> Phrase | str:
    """The headline once everything about the blow is known."""
    shown = with_harm(stage(fight.table, (), ""), fight.history)
    assert shown.telling is not None
    return shown.telling.headline


def test_a_settled_hit_names_its_damage_and_keeps_it_among_the_last_outcomes() -> None:
    fight = Brawl()
    fight.fight(fight.okafor)
    fight.shoot(2, 2, 1, 3, 3, 3)
    assert blow(fight) == "Okafor hits Brack"
    fight.settle()
    assert fight.last_said.terse.startswith("Okafor hits Brack with Phaser Type 2: 4 damage.")
    assert blow(fight) == "Okafor hits Brack: 4 damage"
    fight.do(FinishSpending())
    fight.do(EndTurn())
    assert recent_outcomes(fight.history)[0].headline == "Okafor hits Brack: 4 damage"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", "Okafor hits Brack with Phaser Type 2: 4 damage."),
        ("de", "Okafor trifft Brack, Phaser Typ 2: 4 Schaden."),
        ("es", "Okafor alcanza a Brack con Fáser de tipo 2: 4 de daño."),
        ("fr", "Okafor touche Brack, Phaseur de type 2\u00a0: 4 dégâts."),
    ],
)
def test_the_voice_says_in_one_breath_who_did_the_damage_and_with_what(code: str, said: str) -> None:
    """DMG-3: as the screen heads it."""
    fight = Brawl()
    fight.shoot(2, 2, 1, 3, 3, 3)
    fight.settle()
    catalog = Languages().language(code).catalog
    assert translated(fight.last_said.terse, catalog).startswith(said)
    assert blow(fight) == "Okafor hits Brack: 4 damage"


def test_damage_that_no_weapon_did_or_that_is_nobodys_attack_names_none() -> None:
    fight = Brawl()
    fight.save(fight.guard, "Guard", standing=Standing.NOTABLE_NPC, resistance=9)
    fight.attack(fight.okafor, fight.guard, "unarmed")
    fight.throw(1, 1)
    fight.defend(fight.guard)
    fight.throw(18, 18)
    fight.do(FollowThrough())
    assert fight.table.request is not None
    fight.throw_challenge(*[1] * fight.table.request.count)
    fight.settle()
    assert fight.last_said.terse.startswith("Okafor hits Guard: no damage.")
    fight = Brawl()
    fight.hurt(fight.okafor, 2)
    assert " Okafor takes 2 damage." in fight.last_said.terse


@pytest.mark.parametrize("change", [-2, 3, 4])
def test_what_is_put_right_after_a_hit_is_no_damage_of_it(change: int) -> None:
    fight = Brawl()
    fight.fight(fight.okafor)
    fight.shoot(2, 2, 1, 3, 3, 3)
    fight.settle()
    fight.do(AdjustStress(character_id=fight.brack, change=change, reason="put right"))
    assert blow(fight) == "Okafor hits Brack: 4 damage"
    fight.do(FinishSpending())
    assert recent_outcomes(fight.history)[0].headline == "Okafor hits Brack: 4 damage"


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("Annika Hansen", "Hansen"),
        ("James T. Kirk", "Kirk"),
        ("James Kirk Jr.", "James Kirk Jr."),
        ("Worf, House of Mogh", "Worf, House of Mogh"),
        ("Robert the Elder", "Robert the Elder"),
        ("Captain of the Second Watch", "Captain of the Second Watch"),
        ("One Two Three Four", "One Two Three Four"),
    ],
)
def test_a_last_word_stands_for_a_name_only_where_it_is_one(name: str, called: str) -> None:
    assert last_name(name, ["Brack"]) == called


@pytest.mark.parametrize(
    ("resistance", "stress", "headline"),
    [
        (12, 10, "Okafor hits Brack: no damage"),
        (0, 4, "Okafor hits Brack: lethal Injury"),
    ],
)
def test_a_hit_that_does_nothing_or_takes_somebody_out_says_that(resistance: int, stress: int, headline: str) -> None:
    fight = Brawl()
    fight.save(fight.brack, "Brack", standing=Standing.NOTABLE_NPC, stress_max=stress, resistance=resistance)
    fight.fight(fight.okafor)
    fight.shoot(2, 2, 1, 2, 2, 1)
    fight.settle()
    while fight.table.agenda:
        fight.do(SufferInjury())
    assert blow(fight) == headline


def test_successes_are_counted_die_by_die_and_those_that_do_not_count_are_left_out() -> None:
    game = Game()
    game.declare(difficulty=1)
    game.throw(1, 19)
    assert stage(game.table, (), "").counts == (2, 2)


def test_saved_momentum_is_told_as_such() -> None:
    game = Game()
    game.declare()
    game.throw(9, 10)
    game.do(FinishSpending())
    assert told(game).number == StageFact("Momentum saved", "1")


@pytest.mark.parametrize(("faces", "headline"), [((1, 1), "Okafor hits Brack"), ((19, 18), "Okafor misses Brack")])
def test_an_attack_says_whom_it_hits(faces: tuple[int, int], headline: str) -> None:
    fight = Brawl()
    fight.attack(fight.okafor, fight.brack, "phaser_type_2")
    fight.throw(*faces)
    assert told(fight).headline == headline


@pytest.mark.parametrize(
    ("foe_attacks", "attack", "answer", "headline", "mark"),
    [
        (True, (1, 2), (19, 18), "Brack hits Okafor", "npc-success"),
        (True, (2, 19), (1, 1), "Okafor hits Brack", "success"),
        (False, (1, 2), (19, 18), "Okafor hits Brack", "success"),
        (False, (2, 19), (1, 1), "Brack hits Okafor", "npc-success"),
        (True, (19, 18), (19, 18), "Brack misses Okafor", "failure"),
    ],
)
def test_an_attack_that_is_answered_says_whose_blow_lands(
    attack: tuple[int, int], answer: tuple[int, int], headline: str, mark: str, *, foe_attacks: bool
) -> None:
    fight = Brawl()
    attacker, other = (fight.brack, fight.okafor) if foe_attacks else (fight.okafor, fight.brack)
    weapons = {fight.brack: "blade", fight.okafor: "knife"}
    fight.attack(attacker, other, weapons[attacker])
    fight.throw(*attack)
    fight.defend(other, weapons[other])
    fight.throw(*answer)
    shown = stage(fight.table, (), "")
    assert shown.telling is not None
    assert (shown.telling.headline, shown.mark) == (headline, mark)


def test_damage_is_told_with_what_it_meets_while_more_can_be_bought_for_it_and_not_after() -> None:
    fight = Brawl()
    fight.save(fight.brack, "Brack", standing=Standing.NOTABLE_NPC, stress_max=4, resistance=4)
    fight.fight(fight.okafor)
    fight.shoot(2, 2, 1, 2, 2, 1)
    telling = told(fight)
    assert (telling.headline, telling.lines) == ("Okafor hits Brack", ("What now?",))
    assert telling.number == StageFact("Damage less Resistance", "10 − 4 = 6", note="2 Injuries")  # noqa: RUF001 - a minus
    fight.settle()
    assert fight.table.agenda[0].kind is StepKind.INJURY
    telling = told(fight)
    assert (telling.headline, telling.number) == ("Okafor hits Brack", StageFact("Stress of Brack", "0 of 4"))


def test_damage_above_that_of_its_dice_says_where_it_comes_from() -> None:
    fight = Brawl(momentum=4)
    fight.fight(fight.okafor)
    fight.do(TakeMinorAction(character_id=fight.okafor, action=Action(name="prepare")))
    fight.attack(fight.okafor, fight.brack, "phaser_type_2", effect="vicious")
    fight.throw(1, 1)
    fight.do(FollowThrough())
    fight.throw_challenge(5, 6, 3, 3, 3, 3)
    number = told(fight).number
    less = "4 − 1 = 3"  # noqa: RUF001 - a minus
    assert number == StageFact("Damage less Resistance", less, note="2 Effects, Vicious adds 2")
    fight.do(MakeSpend(spend=Spend.BONUS_DAMAGE))
    number = told(fight).number
    assert number is not None
    more = "5 − 1 = 4"  # noqa: RUF001 - a minus
    assert (number.value, number.note) == (more, "2 Effects, Vicious adds 2, Bonus Damage adds 1")


def test_a_ships_hit_names_whom_it_hits_and_where_and_its_damage() -> None:
    duel = Fleet()
    duel.hit(1, 1, 20, system=4)
    assert duel.table.agenda[0].kind is StepKind.FLAT_HIT
    telling = told(duel)
    assert (telling.headline, telling.about) == ("Far Lantern hits Black Comet", "Engines")
    count = duel.table.agenda[0].count
    assert telling.number == StageFact("Damage less Resistance", f"{count} − 3 = {count - 3}")  # noqa: RUF001 - a minus
    assert telling.lines == ("Buy more for this damage, or settle it.",)
    duel.do(MakeSpend(spend=Spend.DEVASTATING_ATTACK))
    duel.do(SettleHit())
    assert stage(duel.table, (), "Which other system?").telling is None, "the other system is a question"


def test_a_hazard_is_nobodys_hit() -> None:
    fight = Brawl()
    fight.hurt(fight.okafor, 2, 2, 1)
    assert (told(fight).headline, told(fight).about) == ("Okafor is hit", "Falling rocks")
    assert told(fight).chooses == "Okafor chooses"


def test_whom_a_die_names_aboard_is_not_told_as_hit() -> None:
    fight = Brawl()
    fight.fight(fight.okafor)
    fight.shoot(2, 2, 1, 2, 2, 1)
    step, *others = fight.table.agenda
    aboard = replace(fight.table, agenda=(replace(step, subject_id=fight.lindqvist), *others))
    assert stage(aboard, (), "What now?").telling is None


def test_momentum_that_a_full_pool_does_not_take_is_told_as_lost() -> None:
    game = Game(momentum=6)
    game.declare()
    game.throw(9, 10)
    game.do(FinishSpending())
    assert told(game).number == StageFact("Momentum lost", "1")


@pytest.mark.parametrize(
    ("momentum", "npc", "hint"),
    [
        (0, False, ""),
        (6, False, "What is left is lost: the pool is full."),
        (0, True, "What is left becomes Threat."),
    ],
)
def test_whoever_spends_reads_what_becomes_of_momentum_that_is_not_saved(momentum: int, npc: bool, hint: str) -> None:  # noqa: FBT001 - a row
    game = Game(momentum=momentum)
    game.declare(game.brack if npc else game.okafor)
    game.throw(9, 10)
    assert told(game).hint == hint
    if game.table.task is not None:
        game.do(FinishSpending())
    assert told(game).hint == "", "it is over"


def test_what_was_thrown_last_is_remembered_newest_first_and_no_more_than_fits() -> None:
    game = Game()
    assert recent_outcomes(game.history) == ()
    for place in range(REMEMBERED + 1):
        game.declare(label=f"Task {place}")
        game.throw(9, 10) if place % 2 else game.throw(19, 18)
        if game.table.task is not None:
            game.do(FinishSpending())
    remembered = recent_outcomes(game.history)
    assert [one.headline.split(":")[0] for one in remembered] == ["Task 3", "Task 2", "Task 1"]
    assert [one.mark for one in remembered] == ["success", "failure", "success"]
    assert remembered[1].headline == "Task 2: Okafor fails"


def test_a_new_session_begins_without_what_the_last_one_threw() -> None:
    game = Game()
    game.declare()
    game.throw(9, 10)
    game.do(FinishSpending())
    assert len(recent_outcomes(game.history)) == 1
    game.do(StartSession())
    assert recent_outcomes(game.history) == ()
