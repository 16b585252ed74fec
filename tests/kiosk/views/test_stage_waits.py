"""For whom the table waits is named: who chooses in a chain, and who goes on where a Turn is lost."""

from __future__ import annotations

from kiosk.views.bridge import bridge
from kiosk.views.stage.now import seen_by, stage
from kiosk.views.stage.values import StageView
from rules.conflict.creatures import TakeWeapon
from rules.conflict.injuries import SufferInjury
from rules.conflict.rounds import BeginTurn, EndTurn, Entrant, StartConflict
from rules.dice import Symbol
from rules.legal.offers import options
from rules.narrate import asked_words
from rules.ships.first.breaching import NameCasualty
from rules.ships.first.choosing import SettleShipHit
from rules.ships.second.hits import SettleHit
from rules.state.ships import SystemDamage
from rules.state.vocabulary import Condition, ConflictKind, Side, StepKind, System
from rules.status import turn_told
from rules.tasks.settling import FinishSpending, TakeComplication
from tests.rules.brawl import Brawl
from tests.rules.fleet2e import Fleet
from tests.rules.skirmish import Skirmish
from tests.rules.squadron import Squadron
from tests.rules.tabletop import Game


def shown(game: Game) -> StageView:
    return stage(game.table, (), str(asked_words(game.table)))


def ids(game: Game) -> set[str]:
    return {one.option_id.partition(":")[0] for one in options(game.table)}


def duel(begins: str = "") -> Fleet:
    game = Fleet()
    seats = (
        Entrant(combatant_id=game.okafor, ship_id=game.ship, station="command"),
        Entrant(combatant_id=game.lindqvist, ship_id=game.ship, station="helm"),
        Entrant(combatant_id=game.raider),
    )
    game.do(StartConflict(kind=ConflictKind.STARSHIP, combatants=seats, begins=begins or game.raider))
    return game


def test_the_turn_of_a_ship_that_is_destroyed_is_over_and_who_is_next_is_named() -> None:
    game = duel()
    game.do(BeginTurn(combatant_id=game.raider))
    assert shown(game).word == "Black Comet's Turn"
    game.state(game.raider, destroyed=True)
    view = shown(game)
    assert view.word == "Black Comet is destroyed"
    assert view.lines == ("The Turn is over: the gamemaster goes on.", "Next may be Okafor or Lindqvist.")
    assert "go_on" in ids(game)
    assert not {"minor_action", "end_turn", "pass_turn"} & ids(game)
    assert bridge(game.table, ()).acts == "", "it has no action to choose"
    told = turn_told(game.table).normal
    assert told.startswith("Black Comet cannot act any more: the Turn is over and has to be ended. Next may be Okafor")
    game.do(EndTurn())
    assert shown(game).word == "Whose Turn?"


def test_who_is_injured_in_their_own_turn_ends_it_or_acts_in_spite_of_it() -> None:
    fight = Skirmish()
    fight.begin(fight.okafor)
    fight.injure(fight.okafor)
    view = shown(fight)
    assert (view.word, view.lines[0]) == ("Okafor cannot act", "The Turn is over: end it to go on.")
    assert {"go_on", "push_on"} <= ids(fight)


def test_where_no_foe_can_act_any_more_the_fight_may_end() -> None:
    fight = Skirmish()
    fight.take_turn(fight.okafor)
    over = "No foe can act any more: the gamemaster may end the fight."
    assert over not in shown(fight).lines
    foes = [one.combatant_id for one in fight.conflict.combatants if one.side is Side.NPC]
    for one in foes[1:]:
        fight.injure(one)
    assert over not in shown(fight).lines
    fight.injure(foes[0])
    assert over in shown(fight).lines
    waits = [(str(one.words), one.mine) for one in bridge(fight.table, ()).waits]
    assert ("No foe can act any more. End the conflict, or play on.", True) in waits


def test_who_chooses_what_a_shaken_ship_suffers_is_named() -> None:
    game = duel()
    game.strike(12, game.raider)
    assert game.table.agenda[0].kind is StepKind.SHAKEN
    view = shown(game)
    assert view.telling is not None
    assert (view.telling.headline, view.telling.chooses) == ("Black Comet is shaken", "The gamemaster chooses")
    assert view.telling.lines == ("What does the shaken Black Comet suffer? The gamemaster chooses.",)
    assert [one.mine for one in bridge(game.table, ()).waits] == [True]

    game = duel()
    game.strike(12)
    view = shown(game)
    assert view.telling is not None
    assert (view.telling.headline, view.telling.chooses) == ("Far Lantern is shaken", "Okafor chooses")
    assert view.telling.lines == ("What does the shaken Far Lantern suffer? Okafor chooses.",)
    [first] = bridge(game.table, [{"called": "Sam", "characters": [game.okafor], "asks": ""}]).waits
    assert (first.whose, first.mine) == ("Sam", False)


def test_a_breach_that_shakes_a_ship_is_the_headline_and_the_ship_is_drawn() -> None:
    game = duel()
    game.strike(18, game.raider)
    breaches = game.of(game.raider).state.damage_of(System.STRUCTURE).breaches
    view = shown(game)
    assert view.telling is not None
    assert breaches == 2
    assert view.telling.headline == "2 Breaches on Black Comet: Structure"
    assert (view.struck, view.system) == (game.raider, "structure")


def test_a_system_that_is_destroyed_goes_out_no_more() -> None:
    """S2E-13: it is out already, for good."""
    game = duel()
    game.state(game.raider, systems=(SystemDamage(system=System.WEAPONS, breaches=3, condition=Condition.DESTROYED),))
    game.strike(12, game.raider)
    outs = {one.option_id for one in options(game.table) if one.option_id.startswith("choose_shaken:system_out")}
    assert len(outs) == len(System) - 1
    assert "choose_shaken:system_out:weapons" not in outs


def structure_hit() -> Squadron:
    """The ship's Structure has a Breach, and dice say whether somebody aboard is injured."""
    game = Squadron()
    game.state(game.ship, shields=3)
    game.act("fire_weapon", game.raider, target_id=game.ship, weapon="Phasers")
    game.throw(1, 1)
    game.throw(1)
    game.follow()
    game.throw(12)
    game.throw_challenge(*[2] * (game.table.request.count if game.table.request is not None else 0))
    game.do(SettleShipHit())
    return game


def test_who_names_the_injured_aboard_is_told_and_which_of_them_it_is() -> None:
    """BRCH-2."""
    game = structure_hit()
    assert game.table.request is not None
    game.throw_challenge(*[Symbol.EFFECT] * game.table.request.count)
    view = shown(game)
    assert view.telling is not None
    assert (view.telling.headline, view.telling.chooses) == (
        "Somebody aboard Far Lantern is injured",
        "The gamemaster chooses",
    )
    assert view.dice == (), "the damage that is over is not what is asked about"


def test_an_injury_is_no_fact_before_it_is_decided() -> None:
    """DMG-7."""
    fight = Brawl()
    fight.hurt(fight.okafor, 2, 2, 2, 2)
    assert "Okafor takes 8 damage. 1 Injury, unless it is avoided. Stress " in fight.last_said.normal
    assert "Okafor chooses: suffer the Injury, or avoid it for 2 Momentum" in fight.last_said.normal


def fired(*own: int) -> Fleet:
    """Okafor's shot has hit, and the d20 of the system is awaited."""
    game = Fleet()
    game.act("fire", target_id=game.raider, weapon="Phasers")
    game.throw(*own)
    game.throw(20)
    game.follow()
    return game


def test_the_momentum_that_is_left_stands_there_while_the_chain_goes_on() -> None:
    game = fired(1, 1)
    assert game.table.task is not None
    left = f"{game.table.task.momentum_left} Momentum of this Task left."
    assert left in shown(game).lines
    game.throw(4)
    view = shown(game)
    assert view.telling is not None
    assert view.telling.hint == left
    assert view.telling.number is not None
    assert " − 3 = " in view.telling.number.value, "what the damage meets"  # noqa: RUF001 - a minus


def test_nobody_waits_for_a_thrower_who_is_not_named() -> None:
    """BRCH-2: who throws for those aboard is nobody's in particular."""
    game = structure_hit()
    assert "Anybody at the table throws." in shown(game).lines


def test_what_the_other_side_of_an_opposed_task_threw_is_told_beside_who_won() -> None:
    game = Game()
    game.declare(game.okafor, opposed=True)
    game.throw(9, 19)
    game.declare(game.lindqvist)
    game.throw(1, 2)
    telling = shown(game).telling
    assert telling is not None
    assert (telling.headline, telling.lines[0]) == ("Lindqvist wins", "Against Okafor: 1 success.")
    theirs = seen_by(shown(game), game.table, game.okafor).telling
    assert theirs is not None
    assert (theirs.headline, theirs.lines[0]) == ("Okafor loses", "Against Lindqvist: 3 successes.")
    assert game.last_said.normal.startswith("Lindqvist wins with ")
    assert " 3 successes against Difficulty 1." in game.last_said.normal


def test_a_foes_lucky_hit_is_no_feast_of_the_tables() -> None:
    fight = Brawl()
    fight.do(TakeWeapon(character_id=fight.brack, weapon="phaser_type_2"))
    fight.fight(fight.brack)
    fight.attack(fight.brack, fight.okafor, "phaser_type_2")
    fight.throw(1, 1)
    view = shown(fight)
    assert view.telling is not None
    assert (view.telling.headline, view.weight, view.mark) == ("Brack hits Okafor", "", "npc-success")


def test_who_has_thrown_is_not_told_to_be_at_a_task_still() -> None:
    fight = Brawl()
    fight.attack(fight.okafor, fight.brack, "phaser_type_2")
    fight.throw(9, 10)
    assert fight.table.task is not None
    assert not fight.table.task.momentum_left
    assert turn_told(fight.table).terse == "Okafor has thrown; what follows is still to be settled."


def test_of_two_people_who_are_injured_aboard_the_second_is_asked_about_as_such() -> None:
    """BRCH-2, C-67: two Breaches of the Structure, an Effect for each."""
    game = Squadron()
    game.state(game.ship, shields=3, resistance=0)
    game.act("fire_weapon", game.raider, target_id=game.ship, weapon="Phasers")
    game.throw(1, 1)
    game.throw(1)
    game.follow()
    game.throw(12)
    game.throw_challenge(*[2] * (game.table.request.count if game.table.request is not None else 0))
    game.do(SettleShipHit())
    game.throw_challenge(Symbol.EFFECT, Symbol.EFFECT)
    assert "is injured, 1 of 2. A die says who" in asked_words(game.table)
    game.do(NameCasualty(character_id=game.lindqvist))
    assert "Lindqvist is hit aboard Far Lantern: an Injury, unless it is avoided." in game.last_said.normal
    view = shown(game)
    assert view.telling is not None
    assert (view.telling.headline, view.telling.chooses) == ("Lindqvist is hit", "Lindqvist chooses")
    game.do(SufferInjury())
    assert "is injured, 2 of 2. A die says who" in asked_words(game.table)


def test_how_much_of_a_hit_the_resistance_took_is_told_once_it_is_settled() -> None:
    """S2E-10."""
    game = fired(1, 1)
    game.throw(4)
    game.do(SettleHit())
    told = game.last_said.normal
    assert "Far Lantern hits Black Comet with Phasers: 4 damage." in told
    assert "Resistance took off 3." in told
    game = Fleet()
    game.strike(4, game.raider)
    assert "Resistance took off" not in game.last_said.full, "what a hazard does is told with it"


def test_of_two_open_complications_of_one_person_the_stage_says_which_throw_the_other_came_from() -> None:
    """The newer is told by the headline."""
    game = Game()
    for label in ("Seal the hatch", "Cross the gap"):
        game.declare(label=label)
        game.throw(1, 20)
        game.do(FinishSpending())
    shown = stage(game.table, (), "")
    assert shown.telling is not None
    assert (shown.telling.headline, shown.next) == (
        "Cross the gap: Okafor succeeds",
        ("Seal the hatch: Okafor has 1 Complication to take.",),
    )
    game.do(TakeComplication())
    assert stage(game.table, (), "").next == (), "one is left"
