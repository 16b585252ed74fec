from __future__ import annotations

import pytest

from rules.errors import Refusal
from rules.setup.events import TableSetUp
from rules.setup.setting_up import (
    AddPlayer,
    RemoveCharacter,
    RemovePlayer,
    SaveCharacter,
    SetUpTable,
    StartScene,
    StartSession,
)
from rules.ships.cards import RemoveShip, SaveShip
from rules.state.options import TableOptions
from rules.state.table import Table
from rules.state.vocabulary import Pool, Ruleset, Standing, TraitKind
from rules.table import decide
from rules.tasks.challenge_rolls import DeclareChallenge
from rules.tasks.pools import AdjustPool, GainThreat, SpendThreat
from rules.tasks.traits import AddTrait, RemoveTrait
from tests.rules.tabletop import LINDQVIST_VALUE, OKAFOR_VALUE, Game, attributes, disciplines, systems


@pytest.mark.parametrize("players", [1, 2, 5])
def test_threat_starts_at_two_a_player(players: int) -> None:
    names = tuple(f"Player {number}" for number in range(players))
    (event,) = decide(Table(), SetUpTable(ruleset=Ruleset.STARTER, players=names))
    assert isinstance(event, TableSetUp)
    assert event.threat == 2 * players


@pytest.mark.parametrize("players", [(), ("Ann", " ann "), ("",), tuple(str(number) for number in range(13))])
def test_a_table_needs_players_who_can_be_told_apart(players: tuple[str, ...]) -> None:
    with pytest.raises(Refusal) as caught:
        decide(Table(), SetUpTable(ruleset=Ruleset.STARTER, players=players))
    assert caught.value.rule == "SETUP"


def test_nothing_is_declared_before_the_table_is_set_up() -> None:
    for command in (AddPlayer(name="Ann"), StartScene(), DeclareChallenge(count=2), AddTrait(name="Fog")):
        with pytest.raises(Refusal, match="Set the table up first"):
            decide(Table(), command)


def test_a_new_table_keeps_characters_and_who_plays_them() -> None:
    game = Game(momentum=4)
    game.do(SetUpTable(ruleset=Ruleset.SECOND_EDITION, players=("bob", "Cleo")))
    assert game.table.momentum == 0
    assert game.table.threat == 4
    assert game.card(game.okafor).player_id == ""
    assert game.card(game.lindqvist).player_id == game.table.players[0].player_id
    assert len({one.player_id for one in game.table.players}) == 2


def test_options_of_a_table_are_held_to_sense() -> None:
    game = Game()
    for options in (TableOptions(momentum_decay=-1), TableOptions(determination_maximum=99)):
        game.refused(SetUpTable(ruleset=Ruleset.STARTER, players=("A",), options=options), "SETUP")
    wrong = TableOptions(determination_start=3, determination_maximum=2)
    game.refused(SetUpTable(ruleset=Ruleset.STARTER, players=("A",), options=wrong), "DET-8")


def test_players_come_and_go_without_touching_the_pools() -> None:
    game = Game()
    game.do(AddPlayer(name="<script>"))
    assert game.table.players[-1].name == "<script>"
    assert game.table.threat == 4
    assert "<" not in game.last_said.full
    game.refused(AddPlayer(name="ANN"), "SETUP")
    game.do(RemovePlayer(player_id=game.table.players[0].player_id))
    assert game.card(game.okafor).player_id == ""
    game.refused(RemovePlayer(player_id="nobody"), "SETUP")


def test_a_character_starts_with_the_determination_of_the_table() -> None:
    game = Game(options=TableOptions(determination_start=2))
    assert game.card(game.okafor).determination == 2
    assert game.card(game.brack).determination == 0
    game.refused(SaveCharacter(name="X", attributes=attributes(), disciplines=disciplines(), determination=4), "DET-8")


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"attributes": attributes(control=13)}, "CHAR-1"),
        ({"disciplines": disciplines(conn=9)}, "CHAR-2"),
        ({"name": "  "}, "SETUP"),
        ({"name": "x" * 300}, "SETUP"),
        ({"player_id": "nobody"}, "SETUP"),
        ({"character_id": "nobody"}, "SETUP"),
        ({"values": ("",)}, "SETUP"),
    ],
)
def test_a_card_that_cannot_be_is_refused(changes: dict[str, object], rule: str) -> None:
    game = Game()
    whole: dict[str, object] = {"name": "X", "attributes": attributes(), "disciplines": disciplines(), **changes}
    game.refused(SaveCharacter(**whole), rule)  # type: ignore[arg-type]  # the parameters above are of their types


def test_npcs_may_lie_outside_the_players_ranges() -> None:
    game = Game()
    game.character("Guard", standing=Standing.MINOR_NPC, attributes=attributes(control=5))
    assert game.table.characters[-1].attributes.control == 5


def test_replacing_a_card_keeps_determination_and_struck_values() -> None:
    game = Game()
    card = game.card(game.okafor)
    game.do(
        SaveCharacter(
            name="Nyota",
            attributes=card.attributes,
            disciplines=card.disciplines,
            character_id=card.character_id,
            values=(OKAFOR_VALUE, LINDQVIST_VALUE),
        )
    )
    after = game.card(game.okafor)
    assert (after.name, after.determination) == ("Nyota", 1)
    assert [one.struck for one in after.values] == [False, False]
    assert len(game.table.characters) == 3


def test_who_acts_or_helps_cannot_leave() -> None:
    game = Game()
    game.declare()
    game.refused(RemoveCharacter(character_id=game.okafor), "TASK-10")
    game.do(RemoveCharacter(character_id=game.lindqvist))
    assert len(game.table.characters) == 2


def test_ships_are_saved_replaced_and_removed() -> None:
    game = Game()
    game.do(SaveShip(name="Yorktown", scale=5, systems=systems(), departments=disciplines(), ship_id=game.ship))
    assert [(one.name, one.scale) for one in game.table.ships] == [("Yorktown", 5)]
    game.refused(SaveShip(name="X", scale=0, systems=systems(), departments=disciplines()), "SHIP-1")
    game.do(RemoveShip(ship_id=game.ship))
    assert game.table.ships == ()


def test_a_session_resets_threat_and_a_scene_lets_momentum_decay() -> None:
    game = Game(momentum=3, options=TableOptions(momentum_decay=1))
    game.do(GainThreat(event="threatening_scene", amount=2))
    game.do(StartSession())
    assert (game.table.session, game.table.threat, game.table.momentum) == (2, 4, 2), "it ends a scene, too"
    game.do(StartScene(name="The bridge"))
    assert (game.table.scene, game.table.scene_name, game.table.momentum) == (2, "The bridge", 1)


def test_scenes_and_sessions_wait_for_the_task_in_hand() -> None:
    game = Game()
    game.declare()
    for command in (StartScene(), StartSession(), SetUpTable(ruleset=Ruleset.STARTER, players=("A",))):
        game.refused(command, "TASK-10")


def test_identical_traits_gain_potency() -> None:
    game = Game()
    game.do(AddTrait(name="Hull breach", kind=TraitKind.COMPLICATION))
    game.do(AddTrait(name="hull  breach", kind=TraitKind.COMPLICATION))
    (trait,) = game.table.traits
    assert trait.potency == 2
    game.do(RemoveTrait(trait_id=trait.trait_id))
    assert game.table.traits == ()
    game.refused(RemoveTrait(trait_id=trait.trait_id), "TRAIT-1")


def test_pools_are_put_right_by_a_change_within_their_bounds() -> None:
    game = Game()
    game.do(AdjustPool(pool=Pool.MOMENTUM, change=6))
    game.refused(AdjustPool(pool=Pool.MOMENTUM, change=1), "POOL-2")
    game.refused(AdjustPool(pool=Pool.MOMENTUM, change=-7), "POOL-2")
    game.refused(AdjustPool(pool=Pool.MOMENTUM, change=0), "POOL-2")
    game.refused(AdjustPool(pool=Pool.THREAT, change=-5), "THR-5")
    game.refused(AdjustPool(pool=Pool.THREAT, change=10**9), "THR-2")


def test_threat_rises_and_is_spent_for_reasons() -> None:
    game = Game()
    game.do(GainThreat(event="torpedo_attack"))
    game.do(SpendThreat(event="create_complication", note="Ion storm"))
    assert game.table.threat == 3
    assert [(one.name, one.kind) for one in game.table.traits] == [("Ion storm", TraitKind.COMPLICATION)]
    game.refused(SpendThreat(event="reinforce_notable", amount=2), "THR-5")
    game.refused(GainThreat(event="good_mood"), "THR-2")
    game.refused(SpendThreat(event="reinforce_minor", amount=0), "THR-4")


def test_a_complication_bought_without_words_lies_on_the_table_too() -> None:
    """THR-4, TRAIT-3: a Complication is a trait, named or not; two bought at once are two."""
    game = Game()
    game.do(AdjustPool(pool=Pool.THREAT, change=4))
    game.do(SpendThreat(event="create_complication"))
    game.do(SpendThreat(event="create_complication", amount=2))
    assert game.last_said.terse == "2 Complications: Trouble in the scene, 2 and Trouble in the scene, 3. Threat 2."
    assert [(one.name, one.kind, one.potency) for one in game.table.traits] == [
        (name, TraitKind.COMPLICATION, 1)
        for name in ("Trouble in the scene", "Trouble in the scene, 2", "Trouble in the scene, 3")
    ]
    assert game.table.threat == 2
    game.do(SpendThreat(event="environment_effect"))
    assert len(game.table.traits) == 3


def test_complications_bought_at_once_are_told_as_they_lie_there() -> None:
    """TRAIT-4: the same name twice is one trait, told with its potency; many names are a number."""
    game = Game()
    game.do(AdjustPool(pool=Pool.THREAT, change=20))
    game.do(SpendThreat(event="create_complication", note="Fire"))
    game.do(SpendThreat(event="create_complication", note="Fire", amount=2))
    assert game.last_said.terse.startswith("Complication: Fire, potency 3.")
    game.do(SpendThreat(event="create_complication", amount=5))
    assert game.last_said.terse.startswith("5 Complications. ")
