"""The Minor Actions of people (ACT-3): Aim, Draw Item, Drop Prone, Interact, Movement, Prepare, Stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rules.conflict.among import REACHED, carried
from rules.conflict.bodies import change_body
from rules.conflict.lasting import begin_effect, effects_named, end_one
from rules.conflict.order import enemy_in_reach
from rules.conflict.positions import FARTHEST_WALK, require_place, require_zone, zone_of
from rules.conflict.rounds import SetReach, leave_reach, set_reach
from rules.conflict.zones import move_to
from rules.deciding.checks import find_character, profile
from rules.deciding.decision import ActionRow, Draft
from rules.deciding.fields import FieldRow
from rules.errors import Refusal
from rules.state.conflict import Action, LastingEffect
from rules.state.vocabulary import ActionScope, ConflictKind, EffectEnd
from rules.words import counted, say

MOVEMENT: Final = "movement"
"""The name of the Minor Action by which somebody comes into another's Reach, or leaves everybody's."""


MOVEMENT_TASKS: Final = frozenset({"sprint"})
"""Tasks that exclude the Minor Action Movement in the same Turn (ACT-3)."""


def leave_place(draft: Draft, actor_id: str, zone_id: str = "") -> None:
    """Who moves away, be it to another station, is in nobody's Reach and no longer in their own cover (C-70).

    On a map they are in the zone named.
    """
    if zone_id:
        move_to(draft, actor_id, zone_id)
    leave_reach(draft, actor_id)
    for name in ("cover", "recover_cover"):
        for one in effects_named(draft.table, name, target_id=actor_id):
            end_one(draft, one, say("the cover was left"))


def _hold(draft: Draft, actor_id: str, name: str, ends: EffectEnd) -> None:
    begin_effect(draft, LastingEffect(effect_id="", name=name, owner_id=actor_id, ends=ends))


def _aim(draft: Draft, actor_id: str, _: Action) -> None:
    """C-19: for an attack in this Turn, or until one's next Turn."""
    until_next = profile(draft.table).aim_until_next_turn
    _hold(draft, actor_id, "aim", EffectEnd.OWNER_NEXT_TURN if until_next else EffectEnd.OWNER_TURN_ENDS)


def _draw_item(draft: Draft, actor_id: str, action: Action) -> None:
    character = find_character(draft.table, actor_id)
    if not action.weapon:
        return
    if action.weapon not in character.weapons:
        raise Refusal(
            "ACT-3", "{character} does not carry that; choose something they carry.", character=character.name
        )
    lying = tuple(one for one in character.body.disarmed if one != action.weapon)
    change_body(draft, actor_id, say("draws a weapon"), drawn=action.weapon, disarmed=lying)


def _drop_prone(draft: Draft, actor_id: str, _: Action) -> None:
    if find_character(draft.table, actor_id).body.prone:
        raise Refusal("ACT-3", "They lie on the ground already; choose another action.")
    change_body(draft, actor_id, say("drops prone"), prone=True)


def _stand(draft: Draft, actor_id: str, _: Action) -> None:
    if not find_character(draft.table, actor_id).body.prone:
        raise Refusal("ACT-3", "They stand already; choose another action.")
    change_body(draft, actor_id, say("stands up"), prone=False)


def _interact(_: Draft, __: str, ___: Action) -> None:
    """What is handled is the table's to say."""


def _move(draft: Draft, actor_id: str, action: Action) -> None:
    """Anywhere within Medium range, into a target's Reach or nobody's; not out of an enemy's, not with such a Task."""
    if enemy_in_reach(draft.table, actor_id):
        raise Refusal("ACT-3", "An enemy in Reach pins them; Sprint away, or fend the enemy off first.")
    turn = draft.table.conflict.turn if draft.table.conflict is not None else None
    if turn is not None and MOVEMENT_TASKS.intersection(turn.task_names):
        raise Refusal("ACT-3", "A movement Task was taken in this Turn; choose another action.")
    leave_place(draft, actor_id, _walked_to(draft, actor_id, action))
    conflict = draft.table.conflict
    if action.target_id and conflict is not None and conflict.kind is ConflictKind.STARSHIP:
        raise Refusal("RNG-1", "Nobody's Reach is kept in a fight of ships; leave out who it is.")
    if action.target_id and conflict is not None:
        set_reach(draft, SetReach(first_id=actor_id, second_id=action.target_id))


def _walked_to(draft: Draft, actor_id: str, action: Action) -> str:
    """The zone that Movement leads to: its own, a target's or the one named, within Medium range (ACT-3)."""
    if zone_of(draft.table, actor_id) is None:
        if action.zones > FARTHEST_WALK:
            raise Refusal("ACT-3", "Movement goes one zone; choose a nearer one, or Sprint.")
        return ""
    if not action.zone_id:
        return require_place(draft.table, actor_id).zone_id
    if action.zones > FARTHEST_WALK and not action.target_id:
        raise Refusal("ACT-3", "Movement goes one zone; choose a nearer one, or Sprint.")
    if action.zones > FARTHEST_WALK:
        zone = require_zone(draft.table, action.zone_id)
        raise Refusal(
            "ACT-3",
            "{zone} is {zones} away, and Movement goes one; choose a nearer zone, or Sprint.",
            zone=zone.name,
            zones=counted(action.zones, "zone"),
        )
    return action.zone_id


def _prepare(draft: Draft, actor_id: str, _: Action) -> None:
    _hold(draft, actor_id, "prepare", EffectEnd.OWNER_TURN_ENDS)


def _row(
    name: str,
    label: str,
    perform: Callable[[Draft, str, Action], None],
    *needs: str,
    fields: tuple[FieldRow, ...] = (),
    to_zone: bool = False,
) -> ActionRow:
    return ActionRow(
        name=name,
        rule="ACT-3",
        label=label,
        scope=ActionScope.PERSONAL,
        minor=True,
        needs=needs,
        fields=fields,
        to_zone=to_zone,
        perform=perform,
    )


DRAWN: Final = FieldRow(
    name="weapon", optional=True, those=carried, asked=say("Which weapon"), otherwise=say("Something else")
)
"""The weapon that is drawn, where it is one (ACT-3)."""


INTERACT: Final = _row("interact", say("Interact"), _interact)
"""Using something within reach (ACT-3)."""


ROWS: Final = (
    _row("aim", say("Aim"), _aim),
    _row("draw_item", say("Draw Item"), _draw_item, fields=(DRAWN,)),
    _row("drop_prone", say("Drop Prone"), _drop_prone),
    INTERACT,
    _row(MOVEMENT, say("Movement"), _move, "target_id", fields=(REACHED,), to_zone=True),
    _row("prepare", say("Prepare"), _prepare),
    _row("stand", say("Stand"), _stand),
)
"""The Minor Actions of people (ACT-3)."""
