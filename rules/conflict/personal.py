"""The Tasks of people in a conflict besides attacks (ACT-4): Guard, Recover, Sprint, First Aid and the others."""

from __future__ import annotations

from typing import Final

from rules.conflict.among import GUARDED, PATIENT
from rules.conflict.bodies import body_of, body_with, regain_stress
from rules.conflict.budget import do_once, swift_modifiers, was_done
from rules.conflict.cover import cover_dice
from rules.conflict.events import InjuryEnded, Relief, Relieved
from rules.conflict.helping import action_of, require_ally
from rules.conflict.lasting import begin_effect
from rules.conflict.minors import leave_place
from rules.conflict.numbers import (
    RECOVER_STRESS_PER_MOMENTUM,
    first_aid,
    guard,
    reach_penalty,
    recover,
    sprint_zones,
)
from rules.conflict.order import can_act, combatant_name, enemy_in_reach
from rules.conflict.positions import hardest, parted, path_to, require_named, require_place
from rules.deciding.checks import find_character, profile
from rules.deciding.decision import ActionRow, Draft, by_choice
from rules.deciding.fields import HARDEST, FieldRow, within
from rules.deciding.rows import SpendRule
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.conflict import LastingEffect
from rules.state.people import Character
from rules.state.table import Table
from rules.state.tasks import Declaration, Modifier, Task
from rules.state.vocabulary import (
    ActionScope,
    Attribute,
    ConflictKind,
    Discipline,
    EffectEnd,
    InjuryState,
    Spend,
    TraitKind,
)
from rules.tasks.determination import surge_difficulty, surges
from rules.tasks.scoring import task_difficulty
from rules.tasks.traits import RemoveTrait, complications, find_complication, record_trait, remove_trait
from rules.words import say

CREATE_ADVANTAGE_DIFFICULTY: Final = 2
"""The Difficulty of Create Advantage (C-21)."""

TREATMENT_DIFFICULTY: Final = 2
"""The least Difficulty of Treatment; the gamemaster may set more (ACT-4)."""


# --- what makes Tasks harder --------------------------------------------------------------------------------


def _is_melee(table: Table, declaration: Declaration) -> bool:
    """A melee attack, which is an opposed one, or the answer to it (ATK-2)."""
    if table.task is not None:
        declaration = table.task.declaration
    action = declaration.action
    return action is not None and action.name == "attack" and declaration.opposed


def reach_modifiers(table: Table, declaration: Declaration) -> tuple[Modifier, ...]:
    """RNG-2, C-28, C-79: an enemy in Reach who can act makes every Task but a melee attack 1 harder, once."""
    if table.conflict is None or table.conflict.kind is not ConflictKind.PERSONAL or not declaration.rolled:
        return ()
    near, melee = enemy_in_reach(table, declaration.character_id), _is_melee(table, declaration)
    harder = reach_penalty(enemy_in_reach=near, melee_attack=melee)
    return (Modifier(reason=say("an enemy in Reach"), change=harder),) if harder else ()


_INSIGHT_FIRST: Final = tuple(sorted(Attribute, key=lambda one: one is not Attribute.INSIGHT))
"""The attributes that Guard may be thrown with, the suggested one first (C-80)."""


_SECURITY_FIRST: Final = tuple(sorted(Discipline, key=lambda one: one is not Discipline.SECURITY))
"""C-80: the gamemaster names what Guard is thrown with; Insight and Security are suggested."""


# --- Guard --------------------------------------------------------------------------------------------------


def _plan_guard(table: Table, declaration: Declaration) -> Declaration:
    """C-55, C-80: Difficulty 0 for oneself, 1 for an ally, with what the gamemaster names."""
    action = action_of(declaration)
    guarded = action.target_id or declaration.character_id
    if guarded != declaration.character_id:
        require_ally(table, declaration.character_id, action)
    base = guard(ally=guarded != declaration.character_id, attack_difficulty=0).difficulty
    return replace(declaration, action=replace(action, target_id=guarded), difficulty=base, rolled=True)


def _guard_is_rolled(table: Table, declaration: Declaration) -> bool:
    """C-80: without dice at Difficulty 0 alone, and whatever makes a Task harder makes this one harder too."""
    surge = surge_difficulty(profile(table)) if surges(table, declaration.character_id) else 0
    changes = (*declaration.modifiers, *reach_modifiers(table, declaration), *swift_modifiers(table, declaration))
    return task_difficulty(declaration.difficulty, (surge, *(one.change for one in changes))) > 0


def _guarded(draft: Draft, task: Task) -> None:
    begin_effect(
        draft,
        LastingEffect(
            effect_id="",
            name="guard",
            owner_id=task.declaration.character_id,
            target_id=action_of(task.declaration).target_id,
            amount=1,
            ends=EffectEnd.OWNER_NEXT_TURN,
        ),
    )


# --- Recover ------------------------------------------------------------------------------------------------


def _plan_recover(table: Table, declaration: Declaration) -> Declaration:
    """C-54: Fitness + Command, Difficulty 2, 1 easier in Cover where the table plays so."""
    return replace(
        declaration,
        attribute=Attribute.FITNESS,
        discipline=Discipline.COMMAND,
        difficulty=_recovery(table, declaration.character_id, in_cover=action_of(declaration).in_cover),
    )


def _recovery(table: Table, who: str, *, in_cover: bool) -> int:
    """The Difficulty of Recover for somebody who says that they are in Cover, or is (C-54)."""
    body = body_of(find_character(table, who))
    return recover(
        in_cover=in_cover or bool(cover_dice(table, who)),
        momentum_spent=0,
        stress=body.stress,
        stress_max=body.stress_max,
        cover_faces=(),
        profile=profile(table),
    ).difficulty


def _recover_here(row: ActionRow, table: Table, who: str) -> ActionRow:
    return replace(row, difficulty=_recovery(table, who, in_cover=False))


def _recovered(draft: Draft, task: Task) -> None:
    """DMG-7, C-70: avoiding an Injury is possible again, and the cover taken gives more Resistance."""
    who = task.declaration.character_id
    if find_character(draft.table, who).body.avoided:
        _relieve(draft, who, Relief.MAY_AVOID_AGAIN, avoided=False)
    begin_effect(
        draft,
        LastingEffect(effect_id="", name="recover_cover", owner_id=who, target_id=who, amount=1, ends=EffectEnd.SCENE),
    )


# --- Sprint -------------------------------------------------------------------------------------------------


def _plan_sprint(table: Table, declaration: Declaration) -> Declaration:
    """ACT-6: Fitness + Security, Difficulty 0; once a Round, not with Movement."""
    who = declaration.character_id
    if was_done(table, _sprint_key(who)):
        raise Refusal("ACT-6", "Sprint is possible once a Round; choose another action.")
    turn = table.conflict.turn if table.conflict is not None else None
    if turn is not None and turn.combatant_id == who and "movement" in turn.minor_actions:
        raise Refusal("ACT-6", "Movement was taken in this Turn, which excludes Sprint; choose another action.")
    action = action_of(declaration)
    require_named(table, who, action.zone_id)
    if action.zone_id and not action.zones:
        raise Refusal("ACT-6", "Sprint leads to another zone; choose one, or take Movement.")
    return replace(
        declaration,
        attribute=Attribute.FITNESS,
        discipline=Discipline.SECURITY,
        difficulty=hardest(path_to(table, who, action.zone_id)),
        may_succeed_at_cost=profile(table).sprint_at_cost,
    )


def _sprint_key(who: str) -> str:
    return f"round:sprint:{who}"


def _sprint_tried(draft: Draft, task: Task) -> None:
    do_once(draft, _sprint_key(task.declaration.character_id))


def _sprinted(draft: Draft, task: Task) -> None:
    """ACT-6: a zone, and one more for each Momentum, as far as the way goes."""
    who = task.declaration.character_id
    path = path_to(draft.table, who, action_of(task.declaration).zone_id)
    leave_place(draft, who, path[min(_sprint_reaches(task), len(path) - 1)].zone_id if path else "")


# --- First Aid and treatment --------------------------------------------------------------------------------


def _patient(table: Table, declaration: Declaration) -> Character:
    action = action_of(declaration)
    if not action.target_id:
        raise Refusal("ACT-7", "Choose who is treated.")
    patient = find_character(table, action.target_id)
    if patient.body.injury is InjuryState.DEAD:
        raise Refusal("ACT-7", "{patient} is dead; nobody can help.", patient=patient.name)
    if patient.body.injury is InjuryState.NONE:
        raise Refusal("ACT-7", "{patient} has no Injury; choose who has one.", patient=patient.name)
    if parted(table, declaration.character_id, patient.character_id):
        zone = require_place(table, patient.character_id)
        raise Refusal("ACT-7", "{patient} is in {zone}; move there first.", patient=patient.name, zone=zone.name)
    return patient


def _plan_first_aid(table: Table, declaration: Declaration) -> Declaration:
    """ACT-7: Daring + Medicine, Difficulty 1, 1 harder after a Debilitating weapon."""
    patient = _patient(table, declaration)
    if patient.character_id == declaration.character_id and not can_act(patient.body):
        raise Refusal("DMG-6", "{patient} cannot act; somebody else has to help.", patient=patient.name)
    parts = first_aid(debilitating=False)
    return replace(
        declaration,
        attribute=parts.attribute,
        discipline=parts.discipline,
        difficulty=parts.difficulty,
        modifiers=(*declaration.modifiers, *_debilitated(patient)),
    )


def _debilitated(patient: Character) -> tuple[Modifier, ...]:
    """QUAL-5: whom a Debilitating weapon hurt is harder to help."""
    return (Modifier(reason=say("a Debilitating weapon"), change=1),) if patient.body.debilitated else ()


def _stabilised(draft: Draft, task: Task) -> None:
    patient = action_of(task.declaration).target_id
    if not find_character(draft.table, patient).body.stabilised:
        _relieve(draft, patient, Relief.STABILISED, stabilised=True)


def _relieve(draft: Draft, who: str, relief: Relief, **changes: bool) -> None:
    body = body_with(draft, who, **changes)
    draft.record(Relieved(character_id=who, name=combatant_name(draft.table, who), relief=relief, body=body))


def _plan_treatment(table: Table, declaration: Declaration) -> Declaration:
    """ACT-4: Control + Medicine, Difficulty 2 or what the gamemaster sets above it; never during a conflict."""
    if table.conflict is not None:
        raise Refusal("ACT-4", "An Injury is not treated during a conflict; give First Aid, or wait until it is over.")
    patient = _patient(table, declaration)
    level = action_of(declaration).level
    return replace(
        declaration,
        attribute=Attribute.CONTROL,
        discipline=Discipline.MEDICINE,
        difficulty=max(TREATMENT_DIFFICULTY, level or 0),
        modifiers=(*declaration.modifiers, *_debilitated(patient)),
    )


def _treated(draft: Draft, task: Task) -> None:
    patient = action_of(task.declaration).target_id
    body = body_with(draft, patient, injury=InjuryState.NONE, stabilised=False, debilitated=False, pushing_on=False)
    name = combatant_name(draft.table, patient)
    draft.record(InjuryEnded(character_id=patient, name=name, why=say("treated"), body=body))


# --- Create Advantage, Pass, Other --------------------------------------------------------------------------


def _plan_advantage(table: Table, declaration: Declaration) -> Declaration:
    """C-21: Difficulty 2, with whatever fits; an Advantage in words, or the Complication that is removed."""
    action = action_of(declaration)
    if action.target_id:
        find_complication(table, action.target_id)
    elif not action.note.strip():
        raise Refusal("TRAIT-3", "Say the Advantage in words, or choose the Complication to remove.")
    return replace(declaration, difficulty=CREATE_ADVANTAGE_DIFFICULTY)


def _advantage_made(draft: Draft, task: Task) -> None:
    action = action_of(task.declaration)
    if any(one.trait_id == action.target_id for one in draft.table.traits):
        remove_trait(draft, RemoveTrait(trait_id=action.target_id))
    elif not action.target_id:
        record_trait(draft, action.note, TraitKind.ADVANTAGE)


# --- what Momentum buys on these Tasks ----------------------------------------------------------------------

_OF_ACTIONS: Final[dict[str, tuple[str, str]]] = {
    Spend.REGAIN_STRESS: ("recover", say("Stress is regained with Recover only.")),
    Spend.SPRINT_ON: ("sprint", say("Further zones come with Sprint only.")),
    Spend.BACK_IN_ACTION: ("first_aid", say("First Aid alone puts somebody back in action.")),
}
"""The spends that belong to one action: its name, and why any other Task refuses them."""


def spend_refused(table: Table, task: Task, spend: SpendRule) -> str | None:
    """Why one of these Tasks' own spends is not possible now; None where it is, or is no spend of theirs."""
    of_action = _OF_ACTIONS.get(spend.name)
    if of_action is None:
        return None
    name, otherwise = of_action
    action = task.declaration.action
    if action is None or action.scope is not ActionScope.PERSONAL or action.name != name:
        return otherwise
    if spend.name == Spend.REGAIN_STRESS:
        body = body_of(find_character(table, task.declaration.character_id))
        return say("No Stress is lost; spend Momentum on something else.") if body.stress >= body.stress_max else None
    if spend.name == Spend.BACK_IN_ACTION and can_act(find_character(table, action.target_id).body):
        return say("{name} can act already.", name=combatant_name(table, action.target_id))
    return None


def serves(draft: Draft, task: Task, spend: str) -> int | None:
    """How many times more these spends can serve: Stress that is lost (DMG-9), the way that is left (ACT-6)."""
    if spend == Spend.REGAIN_STRESS:
        body = body_of(find_character(draft.table, task.declaration.character_id))
        return -(-(body.stress_max - body.stress) // RECOVER_STRESS_PER_MOMENTUM)
    if spend == Spend.SPRINT_ON:
        way = _sprinted_over(draft.table, task)
        return None if way is None else max(0, way - _sprint_reaches(task))
    return None


def _sprinted_over(table: Table, task: Task) -> int | None:
    """How many zones a Sprint leads over: on the map, or as said; None where nobody said it."""
    action = action_of(task.declaration)
    path = path_to(table, task.declaration.character_id, action.zone_id)
    return len(path) - 1 if path else action.zones or None


def _sprint_reaches(task: Task) -> int:
    """How many zones far the Sprint in hand goes by what was bought (ACT-6)."""
    return sprint_zones(sum(one.times for one in task.spends if one.spend == Spend.SPRINT_ON))


def spent(draft: Draft, task: Task, spend: str, times: int) -> None:
    """Apply the spends of these Tasks that act at once."""
    if spend == Spend.REGAIN_STRESS:
        regain_stress(draft, task.declaration.character_id, RECOVER_STRESS_PER_MOMENTUM * times, say("Recover"))
    elif spend == Spend.BACK_IN_ACTION:
        patient = action_of(task.declaration).target_id
        _relieve(draft, patient, Relief.BACK_IN_ACTION, pushing_on=True)


_REMOVED: Final = FieldRow(
    name="target_id",
    optional=True,
    those=complications,
    asked=say("Complication to remove"),
    otherwise=say("None: an Advantage, in words"),
)
"""The Complication that is removed in the place of an Advantage (TRAIT-3)."""


ROWS: Final = (
    ActionRow(
        name="create_advantage", rule="ACT-4", label=say("Create Advantage"), scope=ActionScope.PERSONAL,
        difficulty=CREATE_ADVANTAGE_DIFFICULTY, needs=("note",), fields=(_REMOVED,),
        plan=_plan_advantage, result=_advantage_made,
    ),
    ActionRow(
        name="guard", rule="ACT-8", label=say("Guard"), scope=ActionScope.PERSONAL,
        attributes=_INSIGHT_FIRST, disciplines=_SECURITY_FIRST, difficulty=0, needs=("target_id",), fields=(GUARDED,),
        plan=_plan_guard, rolled=_guard_is_rolled, result=_guarded,
    ),
    ActionRow(
        name="recover", rule="ACT-5", label=say("Recover"), scope=ActionScope.PERSONAL,
        attributes=(Attribute.FITNESS,), disciplines=(Discipline.COMMAND,), difficulty=2, needs=("in_cover",),
        here=_recover_here, plan=_plan_recover, result=_recovered,
    ),
    ActionRow(
        name="sprint", rule="ACT-6", label=say("Sprint"), scope=ActionScope.PERSONAL,
        attributes=(Attribute.FITNESS,), disciplines=(Discipline.SECURITY,), difficulty=0, to_zone=True,
        plan=_plan_sprint, rolled=by_choice, pay=_sprint_tried, result=_sprinted,
    ),
    ActionRow(
        name="first_aid", rule="ACT-7", label=say("First Aid"), scope=ActionScope.PERSONAL,
        attributes=(Attribute.DARING,), disciplines=(Discipline.MEDICINE,), difficulty=1, needs=("target_id",),
        fields=(PATIENT,), plan=_plan_first_aid, result=_stabilised,
    ),
    ActionRow(
        name="treatment", rule="DMG-8", label=say("Treatment"), scope=ActionScope.PERSONAL,
        attributes=(Attribute.CONTROL,), disciplines=(Discipline.MEDICINE,), difficulty=TREATMENT_DIFFICULTY,
        needs=("target_id", "level"),
        fields=(PATIENT, FieldRow(name="level", optional=True, within=within(TREATMENT_DIFFICULTY, HARDEST))),
        plan=_plan_treatment, result=_treated,
    ),
)  # fmt: skip
"""The rows of these Tasks: what a menu says of each, how it is completed, and what it brings."""
