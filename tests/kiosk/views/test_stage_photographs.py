"""The stage shows the photographs that there are, and draws every other die."""

from __future__ import annotations

from dataclasses import replace

from kiosk.views.stage.dice import StageDie
from kiosk.views.stage.now import stage, with_photographs
from kiosk.views.stage.values import StageView
from rules.dice import DieKind, Face, SourceKind, Symbol
from rules.ships.first.choosing import RerollShipDamage
from rules.state.vocabulary import RerollReason
from rules.tasks.challenge_rolls import DeclareChallenge, RerollChallenge
from rules.tasks.second_throws import RerollDice
from rules.tasks.throwing import EnterDice
from tests.rules.squadron import Squadron
from tests.rules.tabletop import Game, challenge_die, die, reading


def drawn(photograph: str | None) -> StageDie:
    return StageDie(shape="d20", face="7", name="d20: 7", words="", mark="plain", photograph=photograph)


def test_a_die_whose_photograph_is_gone_is_drawn() -> None:
    view = StageView(kind="free", who="", word="Free roll", dice=(drawn("kept"), drawn("gone"), drawn(None)))
    shown = with_photographs(view, lambda key: key == "kept")
    assert [one.photograph for one in shown.dice] == ["kept", None, None]


def camera(game: Game, throw: str, kind: DieKind, *faces: Face) -> None:
    """A throw that a camera read: each die with a picture of its own, named after the throw and its place in it."""
    dice = [die(face) if kind is DieKind.D20 else challenge_die(face) for face in faces]
    game.do(reading(*(replace(one, picture=f"{throw}{place}") for place, one in enumerate(dice))))


def photographs(game: Game) -> list[tuple[str, str | None]]:
    """The faces on the stage, each with its photograph."""
    return [(one.face, one.photograph) for one in stage(game.table, (), "Choose.").dice]


def fired_by_camera() -> Squadron:
    """A raider that has hit; the four dice of its damage lie there, read by a camera."""
    game = Squadron()
    game.threaten(6)
    game.fire(1, 1, target_id=game.ship, character_id=game.raider)
    game.throw(12)
    assert game.table.request is not None
    spare = [Symbol.BLANK] * (game.table.request.count - 3)
    camera(game, "first", DieKind.CHALLENGE, 1, 2, Symbol.EFFECT, *spare)
    return game


def test_dice_of_damage_that_a_camera_read_are_their_own_photographs() -> None:
    shown = photographs(fired_by_camera())
    assert shown[:3] == [("1", "first0"), ("2", "first1"), ("effect", "first2")]
    assert [photograph for _, photograph in shown] == [f"first{place}" for place in range(len(shown))]


def test_damage_thrown_again_leaves_the_others_photographs_and_has_its_own() -> None:
    """CD-5: those that stay are seen meanwhile, too."""
    game = fired_by_camera()
    game.do(RerollShipDamage(positions=(0, 2)))
    waiting = stage(game.table, (), "Choose.")
    assert (waiting.kind, {one.words for one in waiting.dice}) == ("ask", {"stays"})
    assert photographs(game)[:2] == [("2", "first1"), ("blank", "first3")]
    camera(game, "again", DieKind.CHALLENGE, 2, Symbol.BLANK)
    assert photographs(game)[:4] == [("2", "again0"), ("2", "first1"), ("blank", "again1"), ("blank", "first3")]


def test_damage_entered_by_hand_is_drawn_beside_what_a_camera_read() -> None:
    game = fired_by_camera()
    game.do(RerollShipDamage(positions=(1,)))
    assert game.table.request is not None
    game.do(EnterDice(request=game.table.request.number, faces=(1,)))
    assert photographs(game)[:3] == [("1", "first0"), ("1", None), ("effect", "first2")]
    game = Squadron()
    game.threaten(6)
    game.fire(1, 1, target_id=game.ship, character_id=game.raider)
    game.throw(12)
    assert game.table.request is not None
    game.do(EnterDice(request=game.table.request.number, faces=(1,) * game.table.request.count))
    assert {photograph for _, photograph in photographs(game)} == {None}


def test_dice_that_stay_are_their_own_photographs() -> None:
    """TASK-12, CD-5."""
    game = Game(momentum=2)
    game.declare()
    camera(game, "task", DieKind.D20, 17, 4)
    game.do(RerollDice(positions=(0,), reason=RerollReason.AIM))
    assert photographs(game) == [("4", "task1")]
    camera(game, "again", DieKind.D20, 3)
    assert photographs(game) == [("3", "again0"), ("4", "task1")]
    game = Game(momentum=2)
    game.do(DeclareChallenge(count=2))
    camera(game, "rocks", DieKind.CHALLENGE, 1, 2)
    game.do(RerollChallenge(positions=(1,)))
    assert photographs(game) == [("1", "rocks0")]


def test_pictures_of_dice_that_no_camera_gave_are_none() -> None:
    game = Game()
    game.declare()
    game.do(reading(*(replace(die(face), picture=None) for face in (17, 4)), source=SourceKind.TRAY))
    assert {photograph for _, photograph in photographs(game)} == {None}
