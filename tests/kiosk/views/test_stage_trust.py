"""How far a die can be relied on stands beside it, wherever it is shown."""

from __future__ import annotations

from typing import Any

import msgspec

from kiosk.views.stage.now import stage
from rules.conflict.chain import StrikeHazard
from rules.dice import DieKind, DieReading, DieState, Face, Reading, SourceKind, Symbol
from rules.state.vocabulary import Pool
from rules.tasks.challenge_rolls import DeclareChallenge, RerollChallenge
from rules.tasks.pools import AdjustPool
from rules.tasks.throwing import EnterDice, ReportReading
from tests.kiosk.views.test_stage_lasting import Play

WEAK = "(unchecked)"


def plain(play: Play, kind: DieKind, *faces: Face) -> dict[str, Any]:
    """A throw on a tray that sends plain lines."""
    dice = tuple(DieReading(kind, face, 0.9, DieState.READ, SourceKind.TRAY, weak=True) for face in faces)
    play.do(ReportReading(reading=Reading(f"plain:{play.history.next_decision}", SourceKind.TRAY, dice)))
    return play.stage()


def origins(shown: dict[str, Any]) -> list[str]:
    return [one["origin"] for one in shown["dice"]]


def test_dice_of_damage_say_it_too() -> None:
    play = Play()
    target = play.history.present.characters[0].character_id
    play.do(StrikeHazard(target_id=target, rating=3, reason="Falling rocks"))
    plain(play, DieKind.CHALLENGE, 2, 2, Symbol.EFFECT)
    made: dict[str, Any] = msgspec.to_builtins(stage(play.history.present, (), "Choose."), enc_hook=str)
    assert made["kind"] == "chain"
    assert origins(made) == [WEAK] * 3


def test_dice_of_damage_entered_by_hand_say_so() -> None:
    play = Play()
    target = play.history.present.characters[0].character_id
    play.do(StrikeHazard(target_id=target, rating=3, reason="Falling rocks"))
    assert play.history.present.request is not None
    play.do(EnterDice(request=play.history.present.request.number, faces=(2, 2, 1)))
    made: dict[str, Any] = msgspec.to_builtins(stage(play.history.present, (), "Choose."), enc_hook=str)
    assert origins(made) == ["(entered)"] * 3


def test_dice_that_stay_say_it_while_others_are_thrown_again() -> None:
    play = Play()
    play.do(AdjustPool(pool=Pool.MOMENTUM, change=2))
    play.do(DeclareChallenge(count=2))
    plain(play, DieKind.CHALLENGE, 1, 2)
    play.do(RerollChallenge(positions=(1,)))
    assert origins(play.stage()) == [WEAK]


def test_a_free_roll_and_a_held_one_say_it() -> None:
    play = Play()
    assert origins(plain(play, DieKind.D20, 4, 5)) == [WEAK, WEAK]
