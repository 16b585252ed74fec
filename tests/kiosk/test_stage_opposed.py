"""Who won an Opposed Task is said large, whatever the side's own dice came to (OPP-1, OPP-2)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kiosk.showing.stage import stage
from rules import commands as c
from rules.history import Decision, begin, decide, evolve
from rules.messages import Command, name_of
from rules.state import Attributes, Declaration, Disciplines
from rules.vocabulary import Attribute, Discipline, Ruleset

ABLE = Attributes(control=11, daring=11, fitness=11, insight=11, presence=11, reason=11)
SKILLED = Disciplines(command=4, conn=4, security=4, engineering=4, science=4, medicine=4)


def shown(active: tuple[int, int], reactive: tuple[int, int]) -> dict[str, Any]:
    """The stage after both sides have thrown."""
    history = begin()

    def do(command: Command) -> None:
        nonlocal history
        events = decide(history, command)
        history = evolve(
            history, Decision(number=history.next_decision, by="t", command=name_of(command), events=events)
        )

    do(c.SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada", "Ben")))
    for name in ("Ada Lindqvist", "Ben Okafor"):
        do(c.SaveCharacter(name=name, attributes=ABLE, disciplines=SKILLED))
    for card, faces in zip(history.present.characters, (active, reactive), strict=True):
        whole = Declaration(
            character_id=card.character_id,
            attribute=Attribute.DARING,
            discipline=Discipline.SECURITY,
            opposed=card is history.present.characters[0],
        )
        do(c.DeclareTask(declaration=whole))
        assert history.present.request is not None
        do(c.EnterDice(request=history.present.request.number, faces=faces))
    made: dict[str, Any] = msgspec.to_builtins(stage(history.present, (), ""), enc_hook=str)
    return made


@pytest.mark.parametrize(
    ("active", "reactive", "word", "mark"),
    [((1, 2), (9, 19), "Loses", "failure"), ((9, 19), (1, 2), "Wins", "success")],
)
def test_the_side_that_threw_last_is_shown_as_it_ended(
    active: tuple[int, int], reactive: tuple[int, int], word: str, mark: str
) -> None:
    made = shown(active, reactive)
    assert made["who"].startswith("Ben Okafor")
    assert (made["word"], made["mark"]) == (word, mark)
