"""What is said to who asks whose turn it is, in each of its three lengths."""

from __future__ import annotations

from rules.status import turn_told
from tests.rules.skirmish import Skirmish
from tests.rules.tabletop import Game


def test_without_a_conflict_there_is_no_turn_and_no_round() -> None:
    told = turn_told(Game().table)
    assert (told.terse, told.full) == ("No Task is declared yet. Whoever acts next declares one.",) * 2


def test_in_a_conflict_the_turn_is_told_and_in_full_the_round() -> None:
    """TURN-1."""
    game = Skirmish(begins="okafor")
    game.begin(game.okafor)
    told = turn_told(game.table)
    assert (told.terse, told.normal, told.full) == (
        "It is Okafor's Turn.",
        "It is Okafor's Turn.",
        "It is Okafor's Turn. Round 1.",
    )
    game.act(game.okafor, "create_advantage", note="High ground")
    told = turn_told(game.table)
    assert told.normal == f"{told.terse} It is Okafor's Turn."
    assert told.full == f"{told.normal} Round 1."
