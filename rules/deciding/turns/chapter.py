"""What Rounds, Turns and people's own actions bring to the playbook, and what decides their commands (TURN, ACT)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rules import commands_turns as ct
from rules.deciding.draft import Draft
from rules.deciding.playbook import ActionRow, Chapter, nothing
from rules.deciding.turns import budget, common, holding, minors, personal, rounds
from rules.phrases import say
from rules.vocabulary import ActionScope, Attribute, Discipline


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
        plan=personal.PLANS[name],
        pay=personal.PAYS.get(name, nothing),
        result=personal.RESULTS[name],
    )


CHAPTER: Final = Chapter(
    actions=(
        *common.ROWS,
        *(common.aboard(row) for row in (common.READY, common.PASS, common.OTHER)),
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
        common.aboard(minors.INTERACT, rule="SHIP-10"),
    ),
    modifiers=(personal.reach_modifiers, budget.swift_modifiers),
    turn_starts=(holding.turn_starts, budget.lose_turn),
    turn_ends=(holding.turn_ends, budget.turn_ends),
    round_ends=(holding.round_ends,),
    steps=rounds.STEPS,
    scene_ends=(rounds.scene_ends,),
    spend_refused=(budget.spend_refused, personal.spend_refused),
    spent=(budget.spent, personal.spent),
)  # fmt: skip
"""Turn order, the Turn's budget, Minor Actions and the Tasks of ACT-4 besides attacks."""

DECIDERS: Final[Mapping[type, Callable[[Draft, Any], None]]] = {
    ct.StartConflict: rounds.start_conflict,
    ct.EndConflict: rounds.end_conflict,
    ct.AddCombatant: rounds.add_combatant,
    ct.RemoveCombatant: rounds.remove_combatant,
    ct.BeginTurn: rounds.begin_turn,
    ct.EndTurn: rounds.end_turn,
    ct.PassTurn: rounds.pass_turn,
    ct.KeepInitiative: rounds.keep_the_initiative,
    ct.NextRound: rounds.next_round,
    ct.SetReach: rounds.set_reach,
    ct.TakeMinorAction: budget.take_minor_action,
}
"""What decides the commands of Rounds and Turns."""
