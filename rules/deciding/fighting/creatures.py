"""What creatures and NPCs do beside their Tasks: enter, recover fast, spend Threat of their own; weapons taken along.

NPC-1 to NPC-3, THR-4, THR-6, C-26, C-86.
"""

from __future__ import annotations

from rules import commands_fighting as cf
from rules import events_fighting as ef
from rules.abilities import amount_of
from rules.damage import fast_recovery
from rules.deciding.draft import Draft, find_character, is_npc, profile, require_ready
from rules.deciding.fighting.bodies import body_of, change_body, regain_stress
from rules.deciding.turns.paying import pay_price
from rules.errors import Refusal
from rules.state import Table
from rules.threat import gain_threat, spend_threat
from rules.vocabulary import Availability, InjuryState, Pool, Standing, TaskPhase
from rules.weapons import weapon


def turn_starts(draft: Draft, combatant_id: str) -> None:
    """NPC-3: Fast Recovery gives Stress back when the creature's Turn begins."""
    for one in draft.table.characters:
        recovery = amount_of(one, "fast_recovery")
        if one.character_id == combatant_id and recovery:
            body = body_of(one)
            gained = fast_recovery(body.stress, body.stress_max, recovery) - body.stress
            regain_stress(draft, one.character_id, gained, "Fast Recovery")


def lose_injury(draft: Draft, command: cf.LoseInjury) -> None:
    """NPC-3: at the start of its Turn a creature with Fast Recovery loses an Injury for 2 Threat."""
    character = find_character(draft.table, command.character_id)
    turn = draft.table.conflict.turn if draft.table.conflict is not None else None
    mine = turn is not None and turn.combatant_id == character.character_id
    if not amount_of(character, "fast_recovery") or not mine:
        raise Refusal("NPC-3", "Only a creature with Fast Recovery loses an Injury so, at the start of its Turn.")
    if turn is not None and (turn.tasks or turn.minor_actions):
        raise Refusal("NPC-3", "It has acted already; an Injury is lost at the start of its Turn.")
    if character.body.injury not in {InjuryState.NONLETHAL, InjuryState.LETHAL}:
        raise Refusal("NPC-3", f"{character.name} has no Injury to lose.")
    before = draft.table.threat
    after = spend_threat(before, "fast_recovery_clears_injury")
    draft.change_pool(Pool.THREAT, after - before, "Fast Recovery")
    change_body(
        draft, character.character_id, "Fast Recovery", injury=InjuryState.NONE, stabilised=False, debilitated=False
    )
    draft.record(ef.InjuryEnded(character_id=character.character_id, name=character.name, why="Fast Recovery"))


def bring_in(draft: Draft, command: cf.BringIn) -> None:
    """NPC-1, NPC-2, THR-4, THR-6: an NPC enters the scene, as a reinforcement for Threat."""
    require_ready(draft.table)
    character = find_character(draft.table, command.character_id)
    if not is_npc(character):
        raise Refusal("NPC-1", "Players' characters enter a scene without Threat; bring in an NPC.")
    before = draft.table.threat
    after = before
    if command.reinforcement:
        minor = character.standing is Standing.MINOR_NPC
        after = spend_threat(before, "reinforce_minor" if minor else "reinforce_notable")
    if amount_of(character, "menacing"):
        after = gain_threat(after, "menacing_enters")
    private = amount_of(character, "threatening")
    if character.body.entered and not command.reinforcement:
        raise Refusal("NPC-2", f"{character.name} is in this scene already; bring in more of them as a reinforcement.")
    if character.body.entered:
        private = 0
    if after == before and not private and not command.reinforcement:
        raise Refusal("NPC-2", f"Nothing changes when {character.name} enters; it has neither of these abilities.")
    own = {"private_threat": private} if private else {}
    change_body(draft, character.character_id, "enters the scene", entered=True, **own)
    draft.record(ef.BroughtIn(character_id=character.character_id, name=character.name, private_threat=private))
    draft.change_pool(Pool.THREAT, after - before, f"{character.name} enters")


def draw_private_threat(draft: Draft, command: cf.DrawPrivateThreat) -> None:
    """THR-6, C-86: points of a creature's own Threat beside the pool, for a payment of its own."""
    character = find_character(draft.table, command.character_id)
    if not _pays(draft.table, character.character_id):
        raise Refusal("THR-6", f"{character.name} uses its own Threat for what it does itself; wait until it acts.")
    own = character.body.private_threat
    if not 1 <= command.points <= own:
        raise Refusal("THR-6", f"{character.name} has {own} Threat of its own; choose within that.")
    change_body(draft, character.character_id, "its own Threat", private_threat=own - command.points)
    draft.change_pool(Pool.THREAT, command.points, f"{character.name}'s own Threat")


def _pays(table: Table, creature_id: str) -> bool:
    """Whether something is a creature's own to pay for now: its Task or defence, its Injury or fall, its Turn."""
    if table.agenda:
        return creature_id in {table.agenda[0].subject_id, table.agenda[0].by_id}
    if table.task is not None:
        action = table.task.declaration.action
        defends = table.task.phase is TaskPhase.AWAITING_OPPOSITION and action is not None
        return table.task.declaration.character_id == creature_id or (
            action is not None and defends and action.target_id == creature_id
        )
    turn = table.conflict.turn if table.conflict is not None else None
    return turn is None or creature_id in {turn.combatant_id, turn.guest_id}


def take_weapon(draft: Draft, command: cf.TakeWeapon) -> None:
    """C-26: Opportunity costs Momentum (Immediate), Escalation adds Threat; an NPC carries what it carries."""
    require_ready(draft.table)
    character = find_character(draft.table, command.character_id)
    wanted = weapon(command.weapon, profile(draft.table))
    if wanted.name in character.weapons:
        raise Refusal("WPN-1", f"{character.name} carries that already.")
    npc = is_npc(character)
    if wanted.availability is Availability.NOT_AVAILABLE and not npc:
        raise Refusal("WPN-1", f"{wanted.label} is not to be had; choose another weapon.")
    if wanted.opportunity and not npc:
        pay_price(
            draft,
            wanted.opportunity,
            npc=False,
            threat_part=command.threat_part,
            spend="opportunity",
            label=f"{wanted.label} taken along",
        )
    if wanted.escalation and not npc:
        before = draft.table.threat
        after = gain_threat(before, "escalation", wanted.escalation)
        draft.change_pool(Pool.THREAT, after - before, f"{wanted.label} taken along")
    draft.record(
        ef.WeaponTaken(character_id=character.character_id, name=character.name, weapon=wanted.name, label=wanted.label)
    )
