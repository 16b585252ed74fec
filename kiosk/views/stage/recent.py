"""What came of the last throws, a line each."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from kiosk.views.stage.harm import headline_with_harm, settled_blow
from kiosk.views.stage.looked_back import LOOKED_BACK
from kiosk.views.stage.names import those_said
from kiosk.views.stage.told import cost_of, headline_of, mark_of, skills_of
from rules.game import DecidedStep, History, last_result, reached
from rules.words import joined_by, say


class RecentOutcome(Struct, frozen=True, kw_only=True):
    """A finished Task, or Threat that the gamemaster spent, as shown between throws."""

    headline: Annotated[str, Meta(description="Who did what, as a sentence.")]
    about: Annotated[str, Meta(description="What it was about.")]
    mark: Annotated[str, Meta(description="As `StageView.mark`, or `threat`.")]
    cost: Annotated[str, Meta(description="Its Complications, and what became of them; else empty.")] = ""


REMEMBERED: Final = 3
"""Most outcomes shown between throws: as many as fit beside the crew."""


def recent_outcomes(history: History) -> tuple[RecentOutcome, ...]:
    """The last Tasks of this session that are over, and what Threat was spent, the newest first."""
    found: dict[int, RecentOutcome] = {}
    for place in range(len(history.done) - 1, max(-1, len(history.done) - 1 - LOOKED_BACK), -1):
        after = history.done[place].after
        if after.session != history.present.session:
            break
        if history.done[place].command == "spend_threat":
            found[-place] = _threat_spent(history.done[place])
            if len(found) == REMEMBERED:
                break
        over = after.last_task
        shown = last_result(after) if over is not None and over.number not in found else None
        if over is None or shown is None or shown.outcome is None:
            continue
        good = reached(shown)
        mark = mark_of(shown, after, good=good)
        headline = headline_with_harm(
            headline_of(shown, after, good=good), settled_blow(shown, history.done[: place + 1])
        )
        found[over.number] = RecentOutcome(
            headline=headline, about=skills_of(shown, after), mark=mark, cost=cost_of(shown)
        )
        if len(found) == REMEMBERED:
            break
    return tuple(found.values())


def _threat_spent(step: DecidedStep) -> RecentOutcome:
    """Threat that was spent, with the Complication that came of it."""
    points = step.before.threat - step.after.threat
    there = {one.trait_id for one in step.before.traits}
    made = "; ".join(one.name for one in step.after.traits if one.trait_id not in there)
    words = say("The gamemaster spends {points} Threat", points=points)
    return RecentOutcome(headline=joined_by(": ", those_said(words, made)), about="", mark="threat")
