"""What is said names whom it is about, leaves nothing out that changed, and says nothing twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.conflict.events import InjuryAvoided, InjurySuffered, MinorActionTaken
from rules.conflict.rounds import EndConflict, EndTurn
from rules.deciding.decision import Draft
from rules.history import undo_words
from rules.house.adopting import AdoptHouseTables
from rules.legal.offers import options
from rules.narrate import narrate
from rules.setup.setting_up import RemoveCharacter, SaveCharacter, StartScene
from rules.ships.cards import SaveShip
from rules.ships.events import ShieldsChanged
from rules.ships.first.events import PowerChanged
from rules.ships.first.power import lose
from rules.ships.second.leaving import AbandonShip
from rules.state.conflict import Action
from rules.state.house import HouseTables
from rules.state.options import TableOptions
from rules.state.tasks import Assistance, Modifier
from rules.state.vocabulary import Attribute, Discipline, InjuryState, Pool, RerollReason, Ruleset, Spend, Standing
from rules.table import PLAYBOOK
from rules.tasks.challenge_rolls import DeclareChallenge
from rules.tasks.extended import BeginExtendedTask
from rules.tasks.pools import AdjustPool
from rules.tasks.second_throws import CorrectScoredDie, RerollDice
from rules.tasks.settling import BuyOffComplication, FinishSpending, MakeSpend, TakeComplication
from rules.undo import Redo, Undo
from rules.words import challenge_words
from tests.rules.brawl import Brawl
from tests.rules.fleet2e import Fleet
from tests.rules.skirmish import Skirmish
from tests.rules.squadron import Squadron
from tests.rules.tabletop import OKAFOR_VALUE, Game


def last(game: Game) -> str:
    said = game.said[-1]
    assert said is not None
    return said.full


def test_momentum_that_is_saved_and_lost_is_said_beside_another_result() -> None:
    """POOL-2: the result of the Task is told, and what became of its Momentum."""
    game = Game(Ruleset.SECOND_EDITION, momentum=5)
    game.do(BeginExtendedTask(label="Search", work=20, progress=True))
    track = game.table.extended[-1].track_id
    game.declare(action=Action(name="extended", target_id=track), focus=True)
    game.throw(1, 1)
    left = game.task.momentum_left
    assert left > 1
    game.do(FinishSpending())
    said = game.said[-1]
    assert said is not None
    assert "1 Momentum saved." in said.terse
    assert f"{left - 1} Momentum lost above 6." in said.terse
    assert said.full.count(f"Momentum {game.table.momentum}, Threat") == 1


def test_the_last_button_says_what_is_saved_and_what_is_lost() -> None:
    """POOL-2, POOL-3."""
    for before, label in ((0, "Done: save 1 Momentum"), (6, "Done: 1 Momentum is lost")):
        game = Game(momentum=before)
        game.declare()
        game.throw(1, 19)
        assert game.task.momentum_left == 1
        assert label in {one.label for one in options(game.table)}


@pytest.mark.parametrize("faces", [(9, 20), (20, 20)])
def test_a_complication_is_settled_before_the_spending_is_said_to_be_done(faces: tuple[int, int]) -> None:
    """TASK-7: with nothing to save, the end of the spending would lead to the same question."""
    game = Game(momentum=2)
    game.declare(may_succeed_at_cost=True)
    game.throw(*faces)
    assert not game.task.momentum_left
    for _ in range(game.task.complications_open):
        ids = {one.option_id for one in options(game.table)}
        assert ("take_complication" in ids, "finish_spending" in ids) == (True, False)
        game.do(TakeComplication())
    assert "Done with this Task's spending" in {one.label for one in options(game.table)}, "the pool may still buy"


@pytest.mark.parametrize(
    ("faces", "label"), [((19, 20), "the Complication waits"), ((20, 20), "the Complications wait")]
)
def test_who_loses_against_a_hit_reads_that_a_complication_waits_for_its_damage(
    faces: tuple[int, int], label: str
) -> None:
    """C-61: the button that ends their spending settles nothing yet."""
    game = Brawl()
    game.fight(game.brack, reach=(game.okafor, game.brack))
    game.attack(game.brack, game.okafor)
    game.throw(1, 1)
    game.defend(game.okafor)
    game.throw(*faces)
    found = {one.option_id: one.label for one in options(game.table)}
    assert found["finish_spending"] == f"Done: {label} for the damage"


@pytest.mark.parametrize(("faces", "label"), [((19, 20), "the Complication"), ((20, 20), "the Complications")])
def test_of_an_opposed_task_the_last_button_leads_to_its_complications(faces: tuple[int, int], label: str) -> None:
    """OPP-1: they come once its spending is finished."""
    game = Game()
    game.declare(game.brack, opposed=True, rerolls=())
    game.throw(1, 2)
    game.declare(game.okafor)
    game.throw(*faces)
    found = {one.option_id: one.label for one in options(game.table)}
    assert found["finish_spending"] == f"Done: settle {label}"
    assert "take_complication" not in found


def test_momentum_that_a_scene_takes_is_said() -> None:
    """C-17."""
    game = Game(momentum=4, options=TableOptions(momentum_decay=1))
    game.do(StartScene(name="Elsewhere"))
    assert "Momentum falls by 1, to 3." in game.last_said.normal


def test_two_losses_of_power_for_one_reason_are_one_sentence() -> None:
    """BRCH-2, C-67: two Impacts on the Engines take 4 Power, and 4 is what is said."""
    game = Squadron()
    before = game.table
    draft = Draft(before, PLAYBOOK)
    lose(draft, game.ship, 2, "an Impact")
    lose(draft, game.ship, 2, "an Impact")
    assert sum(isinstance(one, PowerChanged) for one in draft.events) == 2
    said = narrate(before, tuple(draft.events), draft.table)
    assert said is not None
    assert "loses 4 Power, 5 left." in said.terse
    assert "loses 2 Power" not in said.terse


def test_undo_says_what_was_taken_back_and_asks_once() -> None:
    """UNDO: the voice names it as the button does; a question that is open again is asked once."""
    game = Squadron()
    game.fire()
    game.throw(12)
    game.do(Undo())
    said = game.last_said
    assert said.terse.startswith("Taken back: the dice that were read.")
    asked = said.normal.removeprefix("Taken back: the dice that were read. ")
    assert asked
    assert said.normal.count(asked) == 1
    assert "d20: " in asked
    assert said.full.count(asked) == 1
    game.do(Redo())
    assert game.last_said.terse.startswith("Brought back: the dice that were read.")


def test_names_keep_their_capitals_within_reasons() -> None:
    """ACT-4: what ends with somebody's Turn ends with the Turn of somebody who has a name."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.minor(game.okafor, "prepare")
    game.do(EndTurn())
    said = last(game)
    assert "okafor" not in said


def test_a_minor_action_that_lasts_is_said_once_and_drop_prone_says_what_it_does() -> None:
    """ACT-3, C-20."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    game.minor(game.okafor, "aim")
    assert game.last_said.full.count("Aim") == 1
    other = Skirmish(begins="okafor")
    other.begin(other.okafor)
    other.minor(other.okafor, "drop_prone")
    assert "harder" in other.last_said.normal


def test_the_order_to_abandon_ship_is_said_once() -> None:
    """S2E-20."""
    game = Fleet()
    game.do(AbandonShip(ship_id=game.ship))
    assert "Abandoning" not in game.last_said.full
    assert "Abandon ship: Far Lantern." in game.last_said.terse


def test_a_price_says_what_it_is_paid_with() -> None:
    """DMG-7, NPC-1."""
    game = Skirmish()
    paid = InjuryAvoided(character_id=game.brack, name="Brack", price=2, complication="")
    before = game.table
    npc = narrate(before, (paid,), replace(before, threat=before.threat - 2))
    assert npc is not None
    assert npc.normal == f"Brack avoids the Injury. Threat falls by 2, to {before.threat - 2}."
    player = replace(paid, character_id=game.okafor, name="Okafor")
    rich = replace(before, momentum=3)
    for momentum, added, words in (
        (1, 0, "Momentum falls by 2, to 1."),
        (3, 2, "Threat rises by 2, to 6."),
        (2, 1, "Momentum falls by 1, to 2. Threat rises by 1, to 5."),
    ):
        said = narrate(rich, (player,), replace(rich, momentum=momentum, threat=rich.threat + added))
        assert said is not None
        assert said.normal == f"Okafor avoids the Injury. {words}"


def test_challenge_dice_are_said_as_challenge_dice() -> None:
    """CD-1: a d6 that stands in shows 5 or 6 for an Effect."""
    assert challenge_words((5, 3, 2)) == "effect, blank and 2"


def test_a_free_die_of_a_talent_is_no_threat() -> None:
    """BUY-6, BUY-7: of an NPC's two ways to a further die, the free one says that it is."""
    game = Game()
    game.do(AdjustPool(pool=Pool.THREAT, change=4))
    game.declare(game.brack, modifiers=(Modifier(reason="Dust", change=1),))
    labels = [one.label for one in options(game.table) if one.option_id.startswith("buy_die:")]
    assert labels.count("Buy one more d20 with Threat") == 1
    assert "One more d20 from a Talent" in labels


def test_every_die_that_may_be_thrown_again_has_a_label_of_its_own() -> None:
    """MOM-6: also where they show the same."""
    game = Squadron(momentum=4)
    game.fire()
    labels = [one.label for one in options(game.table)]
    assert len(labels) == len(set(labels))


def test_a_spend_says_what_each_payer_paid() -> None:
    """POOL-4 to POOL-8: what the Task brought, the group, and Threat; of whom nobody asked nothing is said."""
    game = Game(momentum=3)
    game.declare(focus=True)
    game.throw(2, 20)
    assert game.task.momentum_left == 1
    game.do(MakeSpend(spend=Spend.CREATE_ADVANTAGE, note="High ground"))
    paid = game.last_said
    assert paid.terse == "Create Advantage: High ground. No Momentum of this Task left. Momentum 2."
    assert paid.normal == (
        "Create Advantage: High ground. It costs 1 Momentum of this Task, none left. Momentum falls by 1, to 2."
    )
    fight = Skirmish(begins="okafor", momentum=2)
    fight.begin(fight.okafor)
    fight.act(fight.okafor, "other")
    fight.throw(2, 3)
    fight.do(MakeSpend(spend=Spend.EXTRA_MINOR_ACTION, threat_part=1))
    added = fight.last_said
    assert added.terse == "Extra Minor Action. Threat 5."
    assert added.normal == "Extra Minor Action. Threat rises by 1, to 5."
    assert added.full == "Extra Minor Action. Threat rises by 1, to 5. Momentum 2, Threat 5."
    fight.do(Undo())
    assert fight.last_said.terse == "Taken back: the spend on Extra Minor Action. Threat 4."
    game.do(Undo())
    assert game.last_said.terse == "Taken back: the Advantage High ground. 1 Momentum of this Task left. Momentum 3."


def test_undo_names_the_ship_that_was_made_or_changed() -> None:
    game = Squadron()
    like = game.table.ships[0]
    card = SaveShip(name="Long Watch", scale=3, systems=like.systems, departments=like.departments)
    game.do(card)
    assert undo_words(game.history) == "the new ship Long Watch"
    game.do(replace(card, ship_id=game.table.ships[-1].ship_id, scale=4))
    assert undo_words(game.history) == "the change of Long Watch"
    game.do(Undo())
    assert game.last_said.terse == "Taken back: the change of Long Watch."


def test_undo_names_the_character_that_was_made_changed_or_removed() -> None:
    game = Game()
    like = game.table.characters[0]
    card = SaveCharacter(name="T'Lan", attributes=like.attributes, disciplines=like.disciplines)
    game.do(card)
    assert undo_words(game.history) == "the new character T'Lan"
    game.do(Undo())
    assert game.last_said.terse == "Taken back: the new character T'Lan."
    game.do(card)
    made = game.table.characters[-1].character_id
    game.do(replace(card, character_id=made, name="T'Lan of Vega"))
    assert undo_words(game.history) == "the change of T'Lan of Vega"
    game.do(RemoveCharacter(character_id=made))
    assert undo_words(game.history) == "taking T'Lan of Vega off the table"
    game.do(Undo())
    assert game.last_said.terse == "Taken back: taking T'Lan of Vega off the table."


def test_determination_says_whose_and_what_is_left() -> None:
    """DET-3."""
    game = Game()
    game.declare()
    game.throw(19, 18)
    game.do(RerollDice(positions=(0, 1), reason=RerollReason.INSPIRATION, value=OKAFOR_VALUE))
    assert game.last_said.terse == "Okafor throws 2 d20s again. Okafor, Determination 0."
    assert "Okafor's Determination falls by 1, to 0." in game.last_said.normal


def test_determination_that_nobody_paid_is_not_said_to_be_paid() -> None:
    """DET-8: a card that is put right, and a maximum that a house lowers."""
    game = Game()
    one = next(each for each in game.table.characters if each.character_id == game.okafor)
    card = SaveCharacter(
        character_id=one.character_id, name=one.name, attributes=one.attributes, disciplines=one.disciplines
    )
    game.do(replace(card, determination=3))
    assert "Okafor's Determination rises by 2, to 3." in game.last_said.normal
    game.do(replace(card, determination=2))
    assert "Okafor's Determination falls by 1, to 2." in game.last_said.normal
    game.do(AdoptHouseTables(tables=HouseTables(options=TableOptions(determination_maximum=1))))
    assert "Okafor's Determination falls by 1, to 1." in game.last_said.normal


def test_a_lost_opposed_task_is_not_said_as_a_success() -> None:
    """OPP-2: the dice reached their Difficulty and lost all the same: who won comes first."""
    game = Game()
    game.declare(opposed=True)
    game.throw(2, 3)
    game.declare(game.brack)
    game.throw(19, 18)
    for text in (game.last_said.terse, game.last_said.normal, game.last_said.full):
        assert text.startswith("Okafor wins with "), text
        assert "Success" not in text


def test_a_corrected_die_is_said_with_what_it_brings_about() -> None:
    """A listener learns that a face changed, not only that the outcome did."""
    game = Game()
    game.declare()
    game.throw(2, 19)
    game.do(CorrectScoredDie(position=0, face=17))
    assert game.last_said.terse == "Failure. Corrected from 2 to 17."
    assert game.last_said.normal.endswith("Corrected from 2 to 17.")


def test_what_stands_again_is_said_after_undo_and_redo() -> None:
    """UNDO: an outcome that changes when a decision is taken or brought back, and Complications that are open again."""
    game = Game()
    game.declare(focus=True)
    game.throw(2, 3)
    game.do(CorrectScoredDie(position=1, face=20))
    game.do(Undo())
    assert game.last_said.terse == "Taken back: the correction of a die. Triumph, 3 Momentum."
    game.do(Redo())
    corrected = "Success. 2 successes against Difficulty 1. 1 Momentum. 1 Complication."
    assert game.last_said.normal == f"Brought back: the correction of a die. {corrected}"
    game.do(FinishSpending())
    game.do(BuyOffComplication())
    game.do(Undo())
    assert "1 Complication of Okafor to settle." in game.last_said.terse
    game.do(Undo())
    assert "Success" not in game.last_said.full


def test_the_winner_of_an_opposed_task_is_said_again() -> None:
    """OPP-2, UNDO: also of a side whose Task was over with its dice."""
    game = Game()
    game.declare(opposed=True)
    game.throw(19, 18)
    game.declare(game.brack)
    game.throw(19, 18)
    game.do(Undo())
    assert "Neither side wins" not in game.last_said.full
    game.do(Redo())
    assert game.last_said.terse.endswith("Neither side wins.")


def test_the_total_of_challenge_dice_is_said_again() -> None:
    """CD-1, UNDO."""
    game = Game()
    game.do(DeclareChallenge(count=2))
    game.throw_challenge(1, 2)
    game.do(Undo())
    game.do(Redo())
    assert game.last_said.terse == "Brought back: the dice that were read. Total 3, no Effect."


def test_a_helper_of_the_same_name_is_told_as_a_helper() -> None:
    """ASST-1: two of one name are still two."""
    game = Game()
    first, second = (game.character("Guard", standing=Standing.MINOR_NPC) for _ in range(2))
    help_given = Assistance(character_id=second, attribute=Attribute.DARING, discipline=Discipline.ENGINEERING)
    game.declare(first, assists=(help_given,))
    game.throw(5, 6)
    game.throw(3)
    assert "Guard helps, Target Number" in last(game)
    assert "ship" not in last(game)


def test_a_minor_action_and_what_it_did_at_once_name_who_took_it_once() -> None:
    """ACT-3: a ship that acts itself; whoever sits at one of its stations is another than the ship."""
    game = Fleet()
    before = game.table
    lowered = ShieldsChanged(ship_id=game.raider, name="Black Comet", shields=0, change=-12, why="lower shields")
    taken = MinorActionTaken(combatant_id=game.raider, name="Black Comet", action="shields", label="Lower shields")
    said = narrate(before, (taken, lowered), before)
    assert said is not None
    assert said.normal == "Lower shields: Black Comet, Shields 0."
    assert said.full.startswith("Lower shields: Black Comet, Shields 0. A Minor Action.")
    said = narrate(before, (replace(taken, name="Blac"), lowered), before)
    assert said is not None
    assert said.normal == "Blac: Lower shields. Black Comet, Shields 0."
    said = narrate(before, (replace(taken, name="Black"), lowered), before)
    assert said is not None
    assert said.normal == "Black: Lower shields. Black Comet, Shields 0.", "a name that begins another's"
    said = narrate(before, (replace(taken, note="To parley"), lowered), before)
    assert said is not None
    assert said.normal == "Lower shields: Black Comet, Shields 0. To parley."
    assert said.full.startswith("Lower shields: Black Comet, Shields 0. To parley. A Minor Action.")


def test_where_a_ship_is_hit_is_asked_in_plain_words() -> None:
    """S2E-7, C-61."""
    game = Fleet()
    game.act("fire", target_id=game.raider, weapon="Phasers")
    game.throw(1, 1)
    game.throw(20)
    game.follow()
    assert game.last_said.normal.endswith("Far Lantern throws 1 d20: where Black Comet is hit.")


def test_injuries_of_one_hit_are_told_as_the_worst() -> None:
    """DMG-5, DMG-6."""
    game = Skirmish()
    hurt = InjurySuffered(character_id=game.brack, name="Brack", before=InjuryState.NONE, after=InjuryState.NONLETHAL)
    worse = replace(hurt, before=InjuryState.NONLETHAL, after=InjuryState.LETHAL)
    said = narrate(game.table, (hurt, worse), game.table)
    assert said is not None
    assert said.normal == "Brack is lethally injured. Brack cannot act for the rest of the scene."


def test_what_ends_for_one_reason_gives_it_once() -> None:
    """ACT-3: at the end of somebody's Turn, and of the conflict."""
    game = Skirmish(begins="okafor", momentum=2)
    game.begin(game.okafor)
    game.minor(game.okafor, "aim")
    game.minor(game.okafor, "prepare")
    game.do(EndTurn())
    assert last(game).count("The Turn of Okafor is over.") == 1
    other = Skirmish(begins="okafor")
    other.begin(other.okafor)
    other.minor(other.okafor, "aim")
    other.do(EndConflict())
    assert last(other).count("The conflict is over.") == 1


def test_who_won_an_opposed_task_is_named_once() -> None:
    """OPP-2: who threw just now, and won; who lost is named beside who won."""
    game = Game()
    game.declare(opposed=True)
    game.throw(19, 18)
    game.declare(game.brack)
    game.throw(2, 3)
    assert game.last_said.normal.startswith("Brack wins with ")
    assert game.last_said.normal.count("Brack") == 1
