"""What Rounds, Turns and people's own actions bring to the playbook, and what decides their commands (TURN, ACT)."""

from __future__ import annotations

from typing import Final

from rules.conflict import budget, common, holding, minors, personal, rounds
from rules.conflict.budget import in_ones_turn, lose_turn, surge_refused, swift_modifiers, use_task
from rules.conflict.common import OTHER, PASS, READY, aboard
from rules.conflict.helping import end_promised, with_promised
from rules.conflict.holding import round_ends, turn_starts
from rules.conflict.minors import INTERACT
from rules.conflict.order import require_able
from rules.conflict.personal import PAYS, PLANS, RESULTS, reach_modifiers
from rules.conflict.rounds import scene_ends
from rules.deciding.decision import ActionRow, Playbook, nothing
from rules.state.vocabulary import ActionScope, Attribute, Discipline
from rules.words import say


def _task(
    name: str,
    rule: str,
    label: str,
    *needs: str,
    attribute: Attribute | None = None,
    discipline: Discipline | None = None,
    difficulty: int | None = None,
) -> ActionRow:
    return ActionRow(
        name=name,
        rule=rule,
        label=label,
        scope=ActionScope.PERSONAL,
        attributes=(attribute,) if attribute is not None else (),
        disciplines=(discipline,) if discipline is not None else (),
        difficulty=difficulty,
        needs=needs,
        plan=PLANS[name],
        pay=PAYS.get(name, nothing),
        result=RESULTS[name],
    )


CHAPTER: Final = Playbook(
    actions=(
        *common.ROWS,
        *(aboard(row) for row in (READY, PASS, OTHER)),
        _task("create_advantage", "ACT-4", say("Create Advantage"), "note", difficulty=2),
        _task(
            "guard", "ACT-8", say("Guard"), "target_id", difficulty=0,
            attribute=Attribute.INSIGHT, discipline=Discipline.SECURITY,
        ),
        _task(
            "recover", "ACT-5", say("Recover"), "in_cover", difficulty=2,
            attribute=Attribute.FITNESS, discipline=Discipline.COMMAND,
        ),
        _task(
            "sprint", "ACT-6", say("Sprint"), difficulty=0,
            attribute=Attribute.FITNESS, discipline=Discipline.SECURITY,
        ),
        _task(
            "first_aid", "ACT-7", say("First Aid"), "target_id", difficulty=1,
            attribute=Attribute.DARING, discipline=Discipline.MEDICINE,
        ),
        _task(
            "treatment", "DMG-8", say("Treatment"), "target_id", "level", difficulty=2,
            attribute=Attribute.CONTROL, discipline=Discipline.MEDICINE,
        ),
        *minors.ROWS,
        aboard(INTERACT, rule="SHIP-10"),
    ),
    able=(require_able,),
    declares=(in_ones_turn,),
    taken=(use_task,),
    begun=(end_promised,),
    helps=(with_promised,),
    surge_refused=(surge_refused,),
    modifiers=(reach_modifiers, swift_modifiers),
    turn_starts=(turn_starts, lose_turn),
    turn_ends=(holding.turn_ends, budget.turn_ends),
    round_ends=(round_ends,),
    steps=rounds.STEPS,
    scene_ends=(scene_ends,),
    spend_refused=(budget.spend_refused, personal.spend_refused),
    spent=(budget.spent, personal.spent),
)  # fmt: skip
"""Turn order, the Turn's budget, Minor Actions and the Tasks of ACT-4 besides attacks."""
