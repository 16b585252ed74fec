"""What a torpedo costs an NPC: the Threat that a player's adds."""

from __future__ import annotations

import pytest

from rules.legal.menu import menu
from rules.ships.cards import SaveShip
from rules.state.options import TableOptions
from rules.state.tasks import Purchase
from rules.state.vocabulary import CrewQuality, Payer, Pool, Ruleset
from rules.tasks.pools import AdjustPool
from rules.undo import Undo
from tests.rules.fleet2e import PHASERS, TORPEDOES, Fleet
from tests.rules.squadron import Squadron
from tests.rules.tabletop import disciplines, systems


def second_edition(*weapons: object) -> Fleet:
    """The raider carries these weapons."""
    game = Fleet()
    card = {"systems": systems(), "departments": disciplines(), "shields": 12, "resistance": 3}
    game.do(
        SaveShip(ship_id=game.raider, name="Black Comet", scale=5, crew=CrewQuality.TALENTED, weapons=weapons, **card)  # type: ignore[arg-type]  # each field of its own type
    )
    return game


def threat(game: Fleet, points: int) -> None:
    if points != game.table.threat:
        game.do(AdjustPool(pool=Pool.THREAT, change=points - game.table.threat))


def test_an_npc_pays_for_a_torpedo_with_threat() -> None:
    """THR-4, NPC-1, S2E-T5: 1 Threat, whatever comes of it; none, no torpedo."""
    game = second_edition(PHASERS, TORPEDOES)
    threat(game, 2)
    game.act("fire", game.raider, target_id=game.ship, weapon="Torpedoes")
    assert game.table.threat == 1
    assert "Threat falls by 1, to 1." in game.last_said.normal
    game.do(Undo())
    threat(game, 0)
    said = game.refused(game.acting("fire", game.raider, target_id=game.ship, weapon="Torpedoes"), "THR-4")
    assert said == "A torpedo costs an NPC 1 Threat, and there is none; fire another weapon."
    game.act("fire", game.raider, target_id=game.ship, weapon="Phasers")
    assert game.table.threat == 0


def test_dice_and_a_torpedo_are_paid_together() -> None:
    """THR-5, BUY-7: what the bonus dice took is not there for the torpedo."""
    game = second_edition(PHASERS, TORPEDOES)
    threat(game, 1)
    die = (Purchase(payer=Payer.THREAT),)
    firing = game.acting("fire", game.raider, target_id=game.ship, weapon="Torpedoes", purchases=die)
    game.refused(firing, "THR-4")
    threat(game, 2)
    game.do(firing)
    assert game.table.threat == 0


def test_the_menu_offers_no_torpedo_that_cannot_be_paid() -> None:
    """THR-4: a ship with torpedoes alone cannot fire without Threat, and hears why."""
    game = second_edition(TORPEDOES)
    threat(game, 0)
    (fire,) = (one for one in menu(game.table, game.raider) if one.name == "fire")
    assert (fire.possible, "costs an NPC 1 Threat" in fire.why_not) == (False, True)
    threat(game, 1)
    (fire,) = (one for one in menu(game.table, game.raider) if one.name == "fire")
    assert fire.possible


@pytest.mark.parametrize("ruleset", [Ruleset.STARTER, Ruleset.CORE_1E])
@pytest.mark.parametrize("plays_it", [True, False])
def test_the_first_edition_asks_for_it_where_the_table_plays_so(ruleset: Ruleset, plays_it: bool) -> None:  # noqa: FBT001 - a case
    """THR-4, NPC-1, C-52."""
    game = Squadron(ruleset=ruleset, options=TableOptions(torpedo_adds_threat=plays_it))
    threat(game, 1)
    game.act("fire_weapon", game.raider, target_id=game.ship, weapon="Torpedoes")
    assert game.table.threat == (0 if plays_it else 1)
    game.do(Undo())
    threat(game, 0)
    firing = game.acting("fire_weapon", game.raider, target_id=game.ship, weapon="Torpedoes")
    if plays_it:
        game.refused(firing, "THR-4")
    else:
        game.do(firing)
