"""How it is told what the gamemaster asks for."""

from __future__ import annotations

from typing import Final

from rules import events_asking as ea
from rules.narrating.telling import Narration, NarrationKind, Sentences, longer, reason, same
from rules.phrases import capitalized, say, worded
from rules.state import Table
from rules.wording import spoken


def _asked(event: ea.TaskAsked, _: Table, __: Table) -> Narration:
    wanted, who = event.declaration, spoken(event.who)
    skills = say(
        "{attribute} and {discipline}, Difficulty {difficulty}.",
        attribute=capitalized(worded(wanted.attribute)),
        discipline=capitalized(worded(wanted.discipline)),
        difficulty=wanted.difficulty,
    )
    label = reason(wanted.label)
    return longer(say("{who} is asked for a Task.", who=who), skills, label, NarrationKind.DECLARED)


def _taken_back(event: ea.AskingTakenBack, _: Table, __: Table) -> Narration:
    return same(say("{who} is not asked for a Task any more.", who=spoken(event.who)), NarrationKind.CHANGE)


SENTENCES: Final[Sentences] = {ea.TaskAsked: _asked, ea.AskingTakenBack: _taken_back}
"""The events of asking."""
