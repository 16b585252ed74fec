"""What a Turn has room for: Tasks and Minor Actions, what more of them costs, and who may take them (TURN-5, ACT-1).

Outside a conflict nothing is counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from rules.conflict.events import BodyChanged, MinorActionTaken
from rules.conflict.holding import use_up
from rules.conflict.lasting import effects_named, end_effects
from rules.conflict.numbers import minor_actions_cost, minor_actions_left
from rules.conflict.order import combatant_name, require_able, require_combatant, require_turn
from rules.conflict.rounds import change, change_combatant, conflict_with
from rules.conflict.spends import EXTRA_MINOR_ACTION
from rules.deciding.checks import find_character, is_npc, profile, require_ready, short_text
from rules.deciding.decision import ActionRow, Command, Draft
from rules.deciding.rows import SpendRule
from rules.errors import Refusal
from rules.rulesets.profiles import Profile
from rules.state.changing import replace
from rules.state.conflict import Action, Conflict, Turn
from rules.state.table import Table
from rules.state.tasks import Declaration, Modifier, Task
from rules.state.vocabulary import ActionScope, ConflictKind, EffectEnd, Spend, TaskPhase
from rules.tasks.actions import rightly_named, row_of
from rules.tasks.determination import surges
from rules.tasks.opposed import answer, answer_awaited
from rules.tasks.paying import pay_price
from rules.tasks.pools import spend_cost, spend_rule
from rules.words import Phrase, say


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeMinorAction(Command):
    """ACT-3: a Minor Action. `threat_part` points of the price of a further one are added to Threat (MOM-3)."""

    character_id: str
    action: Action
    threat_part: int = 0

    undone: ClassVar[Phrase | None] = say("the Minor Action")

    def payer(self, table: Table) -> str | None:  # noqa: ARG002 - whoever acts
        """Who acts."""
        return self.character_id

    def decide(self, draft: Draft) -> None:
        """ACT-3: a Minor Action, before a Task's dice or once its Momentum can be spent."""
        require_ready(draft.table)
        table = draft.table
        row = row_of(draft, self.action)
        perform = row.perform
        if not row.minor or perform is None:
            raise Refusal("ACT-1", "{action} is no Minor Action; declare it as a Task.", action=row.label)
        require_minor(draft, self.character_id, row)
        character = find_character(table, self.character_id)
        action = rightly_named(table, row, self.character_id, self.action)
        for_turn, own = _threat_parts(self, row, minor_price(table, self.character_id, row))
        conflict = use_minor(draft, self.character_id, row, for_turn)
        draft.record(
            MinorActionTaken(
                combatant_id=self.character_id,
                name=character.name,
                action=row.name,
                label=row.label,
                note="" if row.asks_words else short_text(action.note, say("the note")),
                conflict=conflict,
            )
        )
        action = draft.playbook.situated(table, self.character_id, row, action)
        perform(draft, self.character_id, replace(action, threat_part=own))


def require_minor(draft: Draft, actor_id: str, row: ActionRow) -> None:
    """Refuse a Minor Action that is impossible for any target and payment."""
    table = draft.table
    found = answer(table, draft.playbook)
    if found is not None:
        raise answer_awaited(table, found)
    if table.request is not None or table.agenda:
        raise Refusal("ACT-1", "Something is still to be thrown or settled; do that first.")
    if table.task is not None and table.task.phase is not TaskPhase.SPENDING:
        raise Refusal("ACT-1", "A Task is in hand; settle it first.")
    find_character(table, actor_id)
    minor_price(table, actor_id, row)


ANOTHER_TASK: Final = "other"
"""The name of the action of a Task that names none (ACT-4)."""


SWIFT_TASK_HARDER: Final = 1
"""The added Difficulty of a Swift Task (MOM-9, S2E-2)."""


def turn_with(draft: Draft, **changes: Any) -> Conflict:  # noqa: ANN401 - fields of `Turn`, checked by `replace`
    """The conflict with these changes of the Turn in hand, for the event that names them."""
    return conflict_with(draft, turn=replace(require_turn(draft.table), **changes))


def change_turn(draft: Draft, **changes: Any) -> None:  # noqa: ANN401 - fields of `Turn`, checked by `replace`
    """Change the Turn in hand where no event names what happened."""
    change(draft, turn=replace(require_turn(draft.table), **changes))


def do_once(draft: Draft, key: str) -> None:
    """Remember that something was done which is possible once a Round or a scene, as "round:sprint:character-3"."""
    conflict = draft.table.conflict
    if conflict is not None and key not in conflict.once:
        change(draft, once=(*conflict.once, key))


def was_done(table: Table, key: str) -> bool:
    """Whether something possible once was done."""
    return table.conflict is not None and key in table.conflict.once


def tasks_within(profile: Profile, taken: int) -> int | None:
    """How many more Tasks the cap allows after those `taken`, None without one (C-8, S2E-2)."""
    return None if profile.task_cap is None else max(0, profile.task_cap - taken)


def tasks_left(table: Table, combatant_id: str) -> int | None:
    """How many more Tasks the cap lets someone take, None without one (C-8).

    Who has one Turn a Round is counted by the Round, so that being directed counts; others by the Turn.
    """
    conflict = table.conflict
    combatant = conflict.combatant(combatant_id) if conflict is not None else None
    if conflict is None or combatant is None:
        return None
    turn = conflict.turn
    in_turn = turn.tasks if turn is not None and turn.combatant_id == combatant_id else 0
    used = combatant.tasks if combatant.turns == 1 else in_turn
    return tasks_within(profile(table), used)


def room_left(table: Table, combatant_id: str) -> int | None:
    """How many more Tasks may be given to someone under the cap: those given and not taken yet fill it too (C-8)."""
    left, conflict = tasks_left(table, combatant_id), table.conflict
    if left is None or conflict is None:
        return None
    turn = conflict.turn
    own = turn.tasks_allowed - turn.tasks if turn is not None and turn.combatant_id == combatant_id else 0
    directed = turn is not None and turn.guest_id == combatant_id
    return max(0, left - own - directed - (table.surge_for == combatant_id))


def _holds(conflict: Conflict | None, combatant_id: str) -> bool:
    return conflict is not None and conflict.turn is not None and conflict.turn.combatant_id == combatant_id


def in_ones_turn(table: Table, declaration: Declaration) -> Declaration:
    """A Task without an action counts as one of the Tasks of its Turn, for who takes part (TURN-5, ACT-4).

    What the gamemaster asks them for outside of their Turn, such as to avoid a hazard, takes none (TASK-1).
    """
    actor_id, conflict = declaration.character_id, table.conflict
    combatant = conflict.combatant(actor_id) if conflict is not None else None
    if declaration.action is not None or combatant is None:
        return declaration
    if not _holds(conflict, actor_id) and any(one.character_id == actor_id for one in table.asked):
        return declaration
    scope = ActionScope.BRIDGE if combatant.ship_id else ActionScope.PERSONAL
    return replace(declaration, action=Action(name=ANOTHER_TASK, scope=scope))


def may_swift(table: Table, task: Task) -> str | None:
    """Why the Task in hand cannot be followed by a Swift Task, None if it can (MOM-9, C-8)."""
    conflict, actor_id = table.conflict, task.declaration.character_id
    turn = conflict.turn if conflict is not None else None
    if conflict is None or turn is None or not _holds(conflict, actor_id) or task.reactive:
        return say("A Swift Task follows a Task of the one whose Turn it is; this is none.")
    if turn.tasks_allowed > turn.tasks:
        return _possible_already()
    return _without_room(table, actor_id)


def _possible_already() -> Phrase:
    return say("Another Task is possible already; take it.")


def _without_room(table: Table, combatant_id: str) -> str | None:
    """Why a further Task would be given for nothing, None where there is room for it."""
    capped = _capped(table, combatant_id)
    return _possible_already() if capped is None and room_left(table, combatant_id) == 0 else capped


def _capped(table: Table, combatant_id: str) -> str | None:
    if tasks_left(table, combatant_id) == 0:
        return say(
            "{combatant} can take no more Tasks in this Turn; end the Turn.",
            combatant=combatant_name(table, combatant_id),
        )
    return None


def surge_refused(table: Table, character_id: str) -> str | None:
    """Why a Surge of Activity gives no Task in the conflict under way, None if it does (DET-4, C-8)."""
    conflict = table.conflict
    if conflict is None:
        return None
    if not _holds(conflict, character_id):
        return say("A Surge of Activity follows a Task in one's own Turn; this is none.")
    return _without_room(table, character_id)


def spend_refused(table: Table, task: Task, spend: SpendRule) -> str | None:
    """Why Swift Task, an Extra Minor Action or what is possible once a Round cannot be bought now (POOL-4), or None."""
    if _once_a_round(spend) and was_done(table, once_key(task, spend.name)):
        return say("{spend} is possible once a Round, and was bought already.", spend=spend.label)
    if spend.name == Spend.SWIFT_TASK:
        return may_swift(table, task)
    if spend.name == Spend.EXTRA_MINOR_ACTION and (not _holds(table.conflict, task.declaration.character_id)):
        return say("Minor Actions are bought in one's own Turn.")
    return None


def bought_before(table: Table, spend: str) -> int | None:
    """How many Extra Minor Actions the Turn in hand has; None of other spends."""
    return _minor_actions_bought(table) if spend == Spend.EXTRA_MINOR_ACTION else None


def _minor_actions_bought(table: Table) -> int:
    """How many Minor Actions beyond the free one were bought in the Turn in hand, taken or not (ACT-1)."""
    turn = table.conflict.turn if table.conflict is not None else None
    return max(0, len(turn.minor_actions) - 1) + turn.minor_actions_paid if turn is not None else 0


def serves(draft: Draft, task: Task, spend: str) -> int | None:
    """ACT-2: Minor Actions serve as long as there are others than those of the Turn, each of them once; None of others.

    Those of a station serve who sits there, or nowhere in particular.
    """
    turn = draft.table.conflict.turn if draft.table.conflict is not None else None
    if spend != Spend.EXTRA_MINOR_ACTION or turn is None:
        return None
    left = minor_actions_left(_minor_actions_of(draft, task.declaration.character_id), turn.minor_actions)
    free = 0 if turn.minor_actions else 1
    return max(0, left - free - turn.minor_actions_paid)


def _minor_actions_of(draft: Draft, actor_id: str) -> frozenset[str]:
    """The names of all Minor Actions of somebody: on foot, on the bridge of a ship in a fight, or both."""
    conflict = draft.table.conflict
    combatant = conflict.combatant(actor_id) if conflict is not None else None
    aboard = conflict is not None and conflict.kind is ConflictKind.STARSHIP
    crew = any(one.ship_id == actor_id for one in draft.table.ships)
    seat = combatant.station if combatant is not None else ""
    return frozenset(
        row.name
        for row in draft.playbook.played(profile(draft.table).edition_of)
        if row.minor
        and (aboard if row.scope is ActionScope.BRIDGE else not crew)
        and (not seat or row.station in ("", seat))
    )


def spent(draft: Draft, task: Task, spend: str, times: int) -> None:
    """Apply Swift Task or an Extra Minor Action to the Turn in hand."""
    if spend == Spend.SWIFT_TASK:
        turn = require_turn(draft.table)
        change_turn(draft, tasks_allowed=turn.tasks_allowed + 1, harder=SWIFT_TASK_HARDER)
    elif spend == Spend.EXTRA_MINOR_ACTION:
        turn = require_turn(draft.table)
        change_turn(draft, minor_actions_paid=turn.minor_actions_paid + times)
    if _once_a_round(spend_rule(draft.playbook, spend, profile(draft.table))):
        do_once(draft, once_key(task, spend))


def _once_a_round(rule: SpendRule) -> bool:
    """POOL-4: what is neither Immediate nor Repeatable."""
    return not rule.immediate and not rule.repeatable


def once_key(task: Task, spend: str) -> str:
    """The key of a spend that its buyer has once a Round (POOL-4)."""
    return f"round:{spend}:{task.declaration.character_id}"


def swift_modifiers(table: Table, declaration: Declaration) -> tuple[Modifier, ...]:
    """MOM-9: the Task that Swift Task bought is harder; it is the active side's, not an answer to another Task."""
    turn = table.conflict.turn if table.conflict is not None else None
    mine = turn is not None and turn.combatant_id == declaration.character_id
    if turn is None or not mine or not turn.harder or declaration.action is None or table.task is not None:
        return ()
    if turn.guest_id == declaration.character_id or surges(table, declaration.character_id):
        return ()
    return (Modifier(reason=say("Swift Task"), change=turn.harder),)


def use_task(draft: Draft, actor_id: str, row: ActionRow) -> None:
    """TURN-5: the Task that an action takes, out of one's own Turn, by an ally's direction, or readied before.

    Refuses who may not take one now. What holds until its owner's next Task, or the next of its role, ends.
    """
    end_effects(draft, EffectEnd.OWNER_NEXT_TASK, say("the next Task is taken"), owner_id=actor_id)
    if row.station:
        end_effects(
            draft,
            EffectEnd.ROLE_NEXT_TASK,
            say("the next Task of that role is taken"),
            owner_id=actor_id,
            role=row.station,
        )
    conflict = draft.table.conflict
    if conflict is None or row.free:
        return
    combatant = require_combatant(draft.table, actor_id)
    require_able(draft.table, actor_id)
    turn = conflict.turn
    if turn is not None and turn.guest_id == actor_id:
        _use_directed(draft, actor_id, row)
    elif _holds(conflict, actor_id):
        _use_own(draft, actor_id, row, surge=surges(draft.table, actor_id))
    elif effects_named(draft.table, "ready", owner_id=actor_id):
        use_up(draft, "ready", owner_id=actor_id)
        return
    else:
        _refuse_out_of_turn(draft.table, actor_id, plain=row.name == ANOTHER_TASK)
    change_combatant(draft, actor_id, tasks=combatant.tasks + 1)


def may_take_task(table: Table, actor_id: str) -> bool:
    """Whether whose Turn it is lets somebody take a Task (TURN-5, ACT-4).

    They may in their own, by an ally's direction, readied before, or asked for. Who takes no part is kept by none.
    """
    conflict = table.conflict
    if conflict is None or conflict.combatant(actor_id) is None:
        return True
    holds = conflict.turn is not None and actor_id in {conflict.turn.combatant_id, conflict.turn.guest_id}
    asked = any(one.character_id == actor_id for one in table.asked)
    return holds or asked or bool(effects_named(table, "ready", owner_id=actor_id))


def _refuse_out_of_turn(table: Table, actor_id: str, *, plain: bool = False) -> None:
    name = combatant_name(table, actor_id)
    turn = table.conflict.turn if table.conflict is not None else None
    if turn is None:
        raise Refusal("TURN-1", "Begin the Turn of {name} first.", name=name)
    if plain:
        raise Refusal(
            "TURN-1",
            "It is the Turn of {other}; {name} acts in a Turn of their own, or when the gamemaster asks for a Task.",
            other=combatant_name(table, turn.combatant_id),
            name=name,
        )
    raise Refusal(
        "TURN-1",
        "It is the Turn of {other}; {name} acts in a Turn of their own.",
        other=combatant_name(table, turn.combatant_id),
        name=name,
    )


def _use_directed(draft: Draft, actor_id: str, row: ActionRow) -> None:
    """ACT-4: the Task that an ally gave; in a Turn of one's own it is one more of its Tasks."""
    turn = require_turn(draft.table)
    own = turn.combatant_id == actor_id
    change_turn(
        draft,
        guest_id="",
        tasks=turn.tasks + own,
        tasks_allowed=turn.tasks_allowed + own,
        task_names=(*turn.task_names, row.name) if own else turn.task_names,
    )


def _use_own(draft: Draft, actor_id: str, row: ActionRow, *, surge: bool) -> None:
    turn = require_turn(draft.table)
    _require_not_staggered(draft.table, actor_id)
    if turn.tasks >= turn.tasks_allowed and not surge:
        raise Refusal(
            "TURN-5", "The Task of this Turn is taken; buy a Swift Task with one that succeeds, or end the Turn."
        )
    capped = _capped(draft.table, actor_id)
    if capped is not None:
        raise Refusal("TURN-5", capped)
    change_turn(
        draft,
        tasks=turn.tasks + 1,
        tasks_allowed=turn.tasks_allowed + surge,
        task_names=(*turn.task_names, row.name),
        harder=turn.harder if surge else 0,
    )


def lose_turn(draft: Draft, combatant_id: str) -> None:
    """NPC-2: whoever is staggered when their Turn begins loses it; whoever is staggered during it loses the next."""
    if find_character(draft.table, combatant_id).body.staggered:
        do_once(draft, f"round:turn_lost:{combatant_id}")


def _loses_turn(table: Table, actor_id: str) -> bool:
    return find_character(table, actor_id).body.staggered and was_done(table, f"round:turn_lost:{actor_id}")


def _require_not_staggered(table: Table, actor_id: str) -> None:
    if _loses_turn(table, actor_id):
        raise Refusal(
            "NPC-2", "{actor} is staggered and loses this Turn; end it.", actor=combatant_name(table, actor_id)
        )


def minor_price(table: Table, actor_id: str, row: ActionRow) -> int:
    """What taking a Minor Action costs now (ACT-1, C-1); nothing outside a conflict and in a Turn's first.

    Refuses one taken already, and Drop Prone together with Stand (ACT-2).
    """
    conflict = table.conflict
    if conflict is None or row.free:
        return 0
    turn = _own_turn(table, actor_id)
    ruled = profile(table)
    minor_actions_cost((*turn.minor_actions, row.name), ruled)
    if not turn.minor_actions or turn.minor_actions_paid:
        return 0
    return spend_cost(EXTRA_MINOR_ACTION, 1, ruled, already=_minor_actions_bought(table))


def _own_turn(table: Table, actor_id: str) -> Turn:
    require_combatant(table, actor_id)
    require_able(table, actor_id)
    if not _holds(table.conflict, actor_id):
        _refuse_out_of_turn(table, actor_id)
    _require_not_staggered(table, actor_id)
    return require_turn(table)


def use_minor(draft: Draft, actor_id: str, row: ActionRow, threat_part: int = 0) -> Conflict | None:
    """ACT-1, ACT-2: a Minor Action out of the Turn in hand, paid for unless it is the first.

    The conflict with the action taken; None where it takes nothing of a Turn.
    """
    price = minor_price(draft.table, actor_id, row)
    if threat_part and not price:
        raise Refusal("MOM-3", "This Minor Action costs nothing; leave Threat out.")
    if row.free:
        return None
    require_able(draft.table, actor_id)
    if draft.table.conflict is None:
        return None
    if price:
        npc = is_npc(find_character(draft.table, actor_id))
        spend = Spend.EXTRA_MINOR_ACTION
        pay_price(draft, price, npc=npc, threat_part=threat_part, spend=spend, label=say("Extra Minor Action"))
    turn = require_turn(draft.table)
    paid_already = bool(turn.minor_actions) and not price
    return turn_with(
        draft,
        minor_actions=(*turn.minor_actions, row.name),
        minor_actions_paid=turn.minor_actions_paid - paid_already,
    )


def _threat_parts(command: TakeMinorAction, row: ActionRow, price: int) -> tuple[int, int]:
    """Points of Threat for the Turn's price and for the action's own, in whichever of the two places they are given.

    The action's own are `action.threat_part`; where it has no price of its own they are for the Turn's, and what is
    more than that price is for its own.
    """
    if "threat_part" not in row.needs:
        return command.threat_part + command.action.threat_part, 0
    for_turn = min(command.threat_part, price)
    return for_turn, command.action.threat_part + command.threat_part - for_turn


def turn_ends(draft: Draft, combatant_id: str) -> None:
    """NPC-2: a Turn lost to being staggered is over."""
    body = find_character(draft.table, combatant_id).body
    if _loses_turn(draft.table, combatant_id):
        name = combatant_name(draft.table, combatant_id)
        changed = replace(body, staggered=False)
        draft.record(BodyChanged(character_id=combatant_id, name=name, body=changed, why=say("no longer staggered")))
