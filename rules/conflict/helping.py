"""Assist, Direct and Ready: Tasks given to somebody else or kept for later (ASST-4, ACT-4, C-22, C-82)."""

from __future__ import annotations

from typing import Final

from rules.conflict.budget import do_once, room_left, tasks_left, turn_with, was_done
from rules.conflict.events import AllyDirected, TurnGivenUp
from rules.conflict.holding import turn_starts
from rules.conflict.lasting import begin_effect, effects_named, end_one
from rules.conflict.order import combatant_name, is_able, require_able, require_combatant, require_conflict
from rules.deciding.checks import conflict_side, find_character, is_npc, profile
from rules.deciding.decision import Draft
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.conflict import Action, LastingEffect
from rules.state.table import Table
from rules.state.tasks import Assistance, Declaration, Task
from rules.state.vocabulary import ActionScope, Attribute, DirectUse, Discipline, EffectEnd
from rules.tasks.opposed import helpers
from rules.tasks.paying import pay_price
from rules.words import say

DIRECT_PRICE: Final = 1
"""Momentum or Threat, where Direct costs something (C-22, C-82)."""


def action_of(declaration: Declaration) -> Action:
    """The action that a row's `plan` was called for."""
    if declaration.action is None:
        raise Refusal("ACT-4", "Say which action this is.")
    return declaration.action


def require_ally(table: Table, actor_id: str, action: Action) -> None:
    """Refuse where no other, able person of the same side is named."""
    if not action.target_id:
        raise Refusal("ASST-4", "Choose the ally that this is for.")
    find_character(table, action.target_id)
    if action.target_id == actor_id:
        raise Refusal("ASST-4", "Choose somebody else; nobody is their own ally.")
    if conflict_side(table, action.target_id) is not conflict_side(table, actor_id):
        raise Refusal(
            "ASST-4", "{name} is on the other side; choose an ally.", name=combatant_name(table, action.target_id)
        )
    require_able(table, action.target_id)


def _require_person(table: Table, actor_id: str, *, directs: bool = False) -> None:
    """Refuse an NPC ship's crew: it has no single helper whose d20 could be thrown with an ally's."""
    if all(one.character_id != actor_id for one in table.characters):
        crew = combatant_name(table, actor_id)
        if directs:
            raise Refusal(
                "ASST-4", "The crew of {crew} acts as one, and nobody of it directs; act yourselves.", crew=crew
            )
        raise Refusal("ASST-4", "The crew of {crew} acts as one, and nobody of it assists; act yourselves.", crew=crew)


# --- Assist -------------------------------------------------------------------------------------------------


def plan_assist(table: Table, declaration: Declaration) -> Declaration:
    """ASST-4: no dice now; the helper's d20 comes with the ally's next Task. Refuses a second ally."""
    if action_of(declaration).also_id:
        raise Refusal("ASST-4", "Only the commander of a bridge assists two at once; choose one ally.")
    return plan_help(table, declaration)


def plan_help(table: Table, declaration: Declaration) -> Declaration:
    """ASST-4: an Assist for whoever is named. Refuses a crew that acts as one, and helping the same ally twice."""
    action, actor_id = action_of(declaration), declaration.character_id
    _require_person(table, actor_id)
    require_ally(table, actor_id, action)
    if action.also_id:
        if action.also_id == action.target_id:
            raise Refusal("S2E-C1", "That is the same ally twice; choose another one, or one ally only.")
        require_ally(table, actor_id, replace(action, target_id=action.also_id))
    return declaration


def assisted(draft: Draft, task: Task) -> None:
    """ASST-4: the ally's next Task has this helper, and that of a commander's second ally (S2E-C1)."""
    action = action_of(task.declaration)
    for ally in (action.target_id, action.also_id):
        if ally:
            _promise(draft, task, ally, EffectEnd.SCENE)


def _promise(draft: Draft, task: Task, ally: str, ends: EffectEnd) -> None:
    declaration = task.declaration
    begin_effect(
        draft,
        LastingEffect(
            effect_id="",
            name="assist",
            owner_id=declaration.character_id,
            target_id=ally,
            ends=ends,
            attribute=declaration.attribute,
            discipline=declaration.discipline,
            focus=declaration.focus,
        ),
    )


def _promised(table: Table, declaration: Declaration) -> tuple[LastingEffect, ...]:
    """Help that comes to a Task: of who can act, and of nobody at whom an opposed one is aimed (DMG-6, OPP-1)."""
    against = declaration.action.target_id if declaration.opposed and declaration.action is not None else ""
    return tuple(
        one
        for one in effects_named(table, "assist", target_id=declaration.character_id)
        if declaration.rolled
        and one.owner_id != against
        and is_able(table, one.owner_id)
        and any(card.character_id == one.owner_id for card in table.characters)
    )


def with_promised(table: Table, declaration: Declaration) -> Declaration:
    """The declaration with the helpers who gave their own Task for it (ASST-4)."""
    helpers = tuple(
        Assistance(
            character_id=one.owner_id,
            attribute=one.attribute,
            discipline=one.discipline,
            focus=one.focus,
            promised=True,
        )
        for one in _promised(table, declaration)
        if one.attribute is not None and one.discipline is not None
    )
    coming = {one.character_id for one in helpers}
    others = tuple(one for one in declaration.assists if one.character_id not in coming)
    return replace(declaration, assists=(*others, *helpers)) if helpers else declaration


def end_promised(draft: Draft, declaration: Declaration) -> None:
    """End the promised help that was used with its Task."""
    for one in _promised(draft.table, declaration):
        end_one(draft, one, say("it was used"))


# --- helpers who are named with a Task ----------------------------------------------------------------------


def may_help(table: Table) -> tuple[str, ...]:
    """Who can be named as a helper of the Task that is declared next, as `character_id`s (ASST-4, OPP-1).

    In a conflict those who have a Turn to give up for it; in the first edition nobody: help is promised before.
    """
    found = tuple(one for one in helpers(table) if is_able(table, one))
    if table.conflict is None:
        return found
    return tuple(one for one in found if profile(table).help_for_a_turn and _may_give_up(table, one))


def _may_give_up(table: Table, who_id: str) -> bool:
    """Whether somebody has a Turn of this Round left that is not the one in hand."""
    conflict = table.conflict
    seat = conflict.combatant(who_id) if conflict is not None else None
    if conflict is None or seat is None or find_character(table, who_id).body.staggered:
        return False
    acting = conflict.turn is not None and who_id in {conflict.turn.combatant_id, conflict.turn.guest_id}
    return not acting and seat.turns_taken < seat.turns and tasks_left(table, who_id) != 0


def give_help(draft: Draft, leader_id: str, helper: Assistance) -> Assistance:
    """ASST-4: what a helper gives in a conflict who is named with a Task: an Assist that was promised, or the Turn.

    Refuses who can give neither, and says what to do.
    """
    table, who_id = draft.table, helper.character_id
    if table.conflict is None:
        return helper
    promised = effects_named(table, "assist", owner_id=who_id, target_id=leader_id)
    if promised:
        end_one(draft, promised[0], say("it was used"))
        return replace(helper, promised=True)
    _require_person(table, who_id)
    name, leader = combatant_name(table, who_id), combatant_name(table, leader_id)
    if table.conflict.combatant(who_id) is None:
        raise Refusal(
            "ASST-4",
            "{name} takes no part in the conflict; let {name} join first, or choose another helper.",
            name=name,
        )
    if conflict_side(table, who_id) is not conflict_side(table, leader_id):
        raise Refusal("ASST-4", "{name} is on the other side; choose an ally.", name=name)
    if not profile(table).help_for_a_turn:
        raise Refusal(
            "ASST-4",
            "In a conflict helping costs a Task. Let {name} take Assist in a Turn before; "
            "it comes with {leader}'s next Task.",
            name=name,
            leader=leader,
        )
    if not _may_give_up(table, who_id):
        raise Refusal(
            "ASST-4",
            "{name} has no Turn left to give up this Round; choose another helper, or act alone.",
            name=name,
        )
    _give_up_turn(draft, who_id, leader)
    return replace(helper, promised=True)


def _give_up_turn(draft: Draft, who_id: str, ally: str) -> None:
    """End a Turn of this Round that somebody gives up, with a Task of it taken."""
    seat = require_combatant(draft.table, who_id)
    turn_starts(draft, who_id)
    conflict = require_conflict(draft.table)
    given = replace(
        conflict,
        combatants=conflict.combatants_with(
            who_id, turns_taken=seat.turns_taken + 1, tasks=seat.tasks + 1, passed=False, opened=False
        ),
        next_id="" if conflict.next_id == who_id else conflict.next_id,
    )
    name = combatant_name(draft.table, who_id)
    draft.record(TurnGivenUp(combatant_id=who_id, name=name, ally=ally, conflict=given))
    for ends in draft.playbook.turn_ends:
        ends(draft, who_id)


# --- Direct -------------------------------------------------------------------------------------------------


def plan_direct(table: Table, declaration: Declaration) -> Declaration:
    """C-22: the ally acts at once, with the leader's help: any attribute or Control, with Command."""
    action = action_of(declaration)
    leader = declaration.character_id
    _require_person(table, leader, directs=True)
    require_ally(table, leader, action)
    if table.conflict is None:
        raise Refusal("ACT-4", "Outside a conflict nobody waits for a Turn; let them act.")
    if table.conflict.combatant(action.target_id) is None:
        raise Refusal(
            "ACT-4",
            "{name} takes no part in the conflict; choose someone else.",
            name=combatant_name(table, action.target_id),
        )
    if tasks_left(table, action.target_id) == 0:
        raise Refusal(
            "TURN-5",
            "{name} took every Task of this Round; choose someone else.",
            name=combatant_name(table, action.target_id),
        )
    turn = table.conflict.turn
    if turn is not None and turn.guest_id not in {"", leader}:
        raise Refusal("ACT-4", "{name} is directed already; let them act.", name=combatant_name(table, turn.guest_id))
    if turn is not None and turn.guest_id == leader and action.target_id in {turn.combatant_id, *_led(table, leader)}:
        raise Refusal(
            "ACT-4",
            "{name} has the Turn or gave this Task away already; choose someone else.",
            name=combatant_name(table, action.target_id),
        )
    if room_left(table, action.target_id) == 0:
        raise Refusal(
            "TURN-5",
            "Another Task is possible for {name} already; choose someone else.",
            name=combatant_name(table, action.target_id),
        )
    ruled = profile(table)
    once = ruled.direct_use is DirectUse.ONCE_PER_SCENE and action.scope is ActionScope.PERSONAL
    if once and was_done(table, _once_key(leader)):
        raise Refusal("ACT-4", "Direct is possible once a scene; that was it.")
    if action.threat_part and ruled.direct_use is not DirectUse.MOMENTUM:
        raise Refusal("ACT-4", "Direct costs nothing here; leave Threat out.")
    attribute = Attribute.CONTROL if ruled.direct_with_control else declaration.attribute
    return replace(declaration, attribute=attribute, discipline=Discipline.COMMAND)


def _led(table: Table, follower: str) -> set[str]:
    """Who directed somebody to act now, and who had directed them: their help for it is promised still."""
    leaders: set[str] = set()
    while given := [
        one.owner_id
        for one in effects_named(table, "assist", target_id=follower)
        if one.ends is EffectEnd.OWNER_TURN_ENDS and one.owner_id not in leaders
    ]:
        follower = given[-1]
        leaders.add(follower)
    return leaders


def _once_key(leader: str) -> str:
    return f"scene:direct:{leader}"


def pay_direct(draft: Draft, task: Task) -> None:
    """C-22, C-82: 1 Momentum where the table plays so, Immediate; an NPC's Threat."""
    if profile(draft.table).direct_use is not DirectUse.MOMENTUM:
        return
    leader = find_character(draft.table, task.declaration.character_id)
    pay_price(
        draft,
        DIRECT_PRICE,
        npc=is_npc(leader),
        threat_part=action_of(task.declaration).threat_part,
        spend="direct",
        label=say("Direct"),
    )


def directed(draft: Draft, task: Task) -> None:
    """Let the ally take a Task at once, with the leader's help."""
    leader = task.declaration.character_id
    ally = action_of(task.declaration).target_id
    if action_of(task.declaration).scope is ActionScope.PERSONAL:
        do_once(draft, _once_key(leader))
    _promise(draft, task, ally, EffectEnd.OWNER_TURN_ENDS)
    name, conflict = combatant_name(draft.table, ally), turn_with(draft, guest_id=ally, directed=True)
    draft.record(AllyDirected(leader=task.who, ally_id=ally, ally=name, conflict=conflict))


# --- Ready --------------------------------------------------------------------------------------------------


def plan_ready(table: Table, declaration: Declaration) -> Declaration:
    """ACT-4: a Task kept for a trigger, which is said in words."""
    if table.conflict is None:
        raise Refusal("ACT-4", "Outside a conflict nobody waits for a Turn; act when it is time.")
    if not action_of(declaration).note.strip():
        raise Refusal("ACT-4", "Say what is readied, and what sets it off.")
    return declaration


def readied(draft: Draft, task: Task) -> None:
    """Let the readied Task interrupt until its owner's next Turn begins."""
    begin_effect(
        draft,
        LastingEffect(
            effect_id="",
            name="ready",
            owner_id=task.declaration.character_id,
            note=action_of(task.declaration).note.strip(),
            ends=EffectEnd.OWNER_NEXT_TURN,
        ),
    )
