"""The end of a fight on the table's screen: who stands and who fell, until something else goes on."""

from __future__ import annotations

from kiosk.views.conflict_view import ConflictView, closing_view
from rules.conflict.rounds import EndConflict
from rules.setup.setting_up import StartScene
from rules.undo import Undo
from tests.rules.brawl import Brawl


def closing(game: Brawl) -> ConflictView | None:
    return closing_view(game.table, game.history)


def fought() -> Brawl:
    """The guard falls, then the fight is ended."""
    fight = Brawl()
    fight.fight(fight.okafor)
    assert closing(fight) is None, "while it goes on"
    fight.hurt(fight.guard, 2, 2, 2)
    fight.do(EndConflict())
    return fight


def test_who_stands_and_who_fell_is_shown_with_their_injuries() -> None:
    found = closing(fought())
    assert found is not None
    assert [[(one.name, one.turn, one.injury) for one in side.fighters] for side in found.sides] == [
        [("Okafor", "Stands", ""), ("Lindqvist", "Stands", "")],
        [("Brack", "Stands", ""), ("Guard", "Fell", "Lethally injured")],
    ]
    assert not any(one.acting or one.target for side in found.sides for one in side.fighters)


def test_it_gives_way_to_a_throw_and_to_a_scene_and_to_undo() -> None:
    fight = fought()
    fight.do(Undo())
    assert closing(fight) is None
    fight = fought()
    fight.declare()
    assert closing(fight) is None
    fight = fought()
    fight.do(StartScene(name="Afterwards"))
    assert closing(fight) is None
