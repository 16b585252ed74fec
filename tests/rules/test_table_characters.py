"""What a character's card brings to a Task: focuses, Values, dice of Talents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.setup.setting_up import SaveCharacter
from rules.state.people import Value
from rules.state.vocabulary import Attribute, Discipline, Payer, ValueAction
from rules.tasks.declaring import BuyDie
from rules.tasks.determination import UseValueAgainst
from tests.rules.tabletop import OKAFOR_VALUE, Game, attributes, bought, disciplines


def saved(game: Game, **changes: object) -> None:
    """Okafor's card anew, with what is told of it."""
    whole: dict[str, object] = {"attributes": attributes(), "disciplines": disciplines(), **changes}
    game.do(SaveCharacter(character_id=game.okafor, name="Okafor", **whole))  # type: ignore[arg-type]  # each field of its own type


@pytest.mark.parametrize("attribute", Attribute)
@pytest.mark.parametrize("discipline", Discipline)
def test_a_focus_serves_any_pair_and_matters_once(attribute: Attribute, discipline: Discipline) -> None:
    """CHAR-3: free words on the card; yes or no for the Task, whatever it is thrown with, however many fit."""
    game = Game()
    saved(game, focuses=("Helm Operations", "Warp Drives", "Poker"))
    assert game.card(game.okafor).focuses == ("Helm Operations", "Warp Drives", "Poker")
    game.declare(attribute=attribute, discipline=discipline, focus=True)
    assert game.task.double_at_most == max(1, getattr(disciplines(), discipline))


@given(focus=st.booleans(), focuses=st.lists(st.text("abc", min_size=1, max_size=5), max_size=3, unique=True))
def test_the_gamemaster_rules_whether_a_focus_applies(*, focus: bool, focuses: list[str]) -> None:
    """CHAR-3: the card's words change no die; only what was ruled for the Task does."""
    game = Game()
    saved(game, focuses=tuple(focuses))
    game.declare(focus=focus)
    assert game.task.double_at_most == (disciplines().engineering if focus else 1)


def test_determination_is_had_only_for_a_value_on_the_card() -> None:
    """CHAR-4, DET-1: their own, said in its words, and not struck out."""
    game = Game()
    determined = bought(Payer.DETERMINATION)
    game.refused(game.declaration(purchases=determined), "BUY-4")
    game.refused(game.declaration(purchases=determined, value="Never apologise"), "DET-1")
    game.declare(purchases=determined, value=OKAFOR_VALUE)
    assert game.card(game.okafor).determination == 0


def test_a_value_that_was_struck_out_stays_so_while_its_words_stay() -> None:
    """CHAR-4, DET-7: rewritten, it is a new one."""
    game = Game()
    game.do(UseValueAgainst(character_id=game.okafor, value=OKAFOR_VALUE, action=ValueAction.CHALLENGE))
    saved(game, values=(OKAFOR_VALUE,))
    assert game.card(game.okafor).values == (Value(text=OKAFOR_VALUE, struck=True),)
    saved(game, values=("Someone has to answer",))
    assert game.card(game.okafor).values == (Value(text="Someone has to answer", struck=False),)


def test_dice_of_a_talent_cost_nothing_and_count_against_the_three() -> None:
    """CHAR-5, BUY-6, C-5: nor do they make the next die dearer."""
    game = Game(momentum=3)
    threat = game.table.threat
    game.declare(purchases=bought(Payer.TALENT, Payer.TALENT, Payer.MOMENTUM))
    assert (game.table.momentum, game.table.threat, game.task.own_dice) == (2, threat, 5)
    game.refused(BuyDie(purchase=bought(Payer.TALENT)[0]), "BUY-1")
