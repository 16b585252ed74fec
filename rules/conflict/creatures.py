"""What creatures and NPCs do beside their Tasks: enter, recover fast, spend Threat of their own; weapons taken along.

NPC-1 to NPC-3, THR-4, THR-6, C-26, C-86.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rules.conflict.bodies import body_of, body_with, change_body, find_person, name_of_person, regain_stress, threat_of
from rules.conflict.damage import fast_recovery
from rules.conflict.events import BroughtIn, InjuryEnded, PrivateThreatDrawn, PrivateThreatReturned, WeaponTaken
from rules.conflict.threats import ESCALATION, INJURY_CLEARED, MENACING_ENTERS, MINOR_ARRIVES, NOTABLE_ARRIVES
from rules.deciding.agenda import finish_step, plan_next, require_step, subject_of
from rules.deciding.checks import acting_id, find_character, is_npc, profile, require_ready
from rules.deciding.decision import Command, Draft, PoolChanged, StepRow
from rules.errors import Refusal
from rules.rulesets.weapons import weapon
from rules.state.conflict import Step
from rules.state.people import Character
from rules.state.table import Table
from rules.state.vocabulary import Availability, InjuryState, Pool, Standing, StepKind, TaskPhase
from rules.tasks.abilities import amount_of
from rules.tasks.paying import pay_price
from rules.tasks.pools import SpendThreat
from rules.tasks.threat import gain_threat, spend_threat
from rules.words import Phrase, say


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeWeapon(Command):
    """Take a weapon along for its price: Opportunity in Momentum, Escalation in Threat (C-26)."""

    character_id: str
    weapon: str
    threat_part: int = 0

    undone: ClassVar[Phrase | None] = say("taking the weapon along")

    def decide(self, draft: Draft) -> None:
        """C-26: Opportunity costs Momentum (Immediate), Escalation adds Threat; an NPC carries what it carries."""
        require_ready(draft.table)
        character = find_person(draft.table, self.character_id)
        wanted = weapon(self.weapon, profile(draft.table))
        if wanted.name in character.weapons:
            raise Refusal("WPN-1", "{character} carries that already.", character=character.name)
        npc = is_npc(character)
        if wanted.availability is Availability.NOT_AVAILABLE and not npc:
            raise Refusal("WPN-1", "{weapon} is not to be had; choose another weapon.", weapon=wanted.label)
        if wanted.opportunity and not npc:
            pay_price(
                draft,
                wanted.opportunity,
                npc=False,
                threat_part=self.threat_part,
                spend="opportunity",
                label=say("{weapon} taken along", weapon=wanted.label),
            )
        if wanted.escalation and not npc:
            before = draft.table.threat
            after = gain_threat(before, ESCALATION, wanted.escalation)
            draft.change_pool(Pool.THREAT, after - before, say("{weapon} taken along", weapon=wanted.label))
        draft.record(
            WeaponTaken(
                character_id=character.character_id, name=character.name, weapon=wanted.name, label=wanted.label
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BringIn(Command):
    """An NPC enters the scene: Menacing adds Threat (NPC-2).

    `reinforcement` pays for it with Threat: 1 a minor NPC, 2 a notable one (NPC-1, THR-4).
    """

    character_id: str
    reinforcement: bool = False

    undone: ClassVar[Phrase | None] = say("bringing in the creature")

    def payer(self, table: Table) -> str | None:  # noqa: ARG002 - whoever enters
        """Who enters as a reinforcement."""
        return self.character_id if self.reinforcement else None

    def decide(self, draft: Draft) -> None:
        """NPC-1, NPC-2, THR-2, THR-4: an NPC enters the scene, as a reinforcement for Threat."""
        require_ready(draft.table)
        character = find_person(draft.table, self.character_id)
        if not is_npc(character):
            raise Refusal("NPC-1", "Players' characters enter a scene without Threat; bring in an NPC.")
        before = draft.table.threat
        paid = before
        if self.reinforcement:
            minor = character.standing is Standing.MINOR_NPC
            paid = spend_threat(before, MINOR_ARRIVES if minor else NOTABLE_ARRIVES)
        after = gain_threat(paid, MENACING_ENTERS) if amount_of(character, "menacing") else paid
        if character.body.entered and not self.reinforcement:
            raise Refusal(
                "NPC-2",
                "{character} is in this scene already; bring in more of them as a reinforcement.",
                character=character.name,
            )
        if after == paid and not self.reinforcement:
            raise Refusal(
                "NPC-2", "Nothing changes when {character} enters; it is not Menacing.", character=character.name
            )
        draft.record(
            BroughtIn(
                character_id=character.character_id,
                name=character.name,
                private_threat=character.body.private_threat,
                body=body_with(draft, character.character_id, entered=True),
            )
        )
        draft.change_pool(Pool.THREAT, paid - before, say("{character} enters", character=character.name))
        draft.change_pool(Pool.THREAT, after - paid, say("{character} is Menacing", character=character.name))


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawPrivateThreat(Command):
    """A creature puts points of its own Threat beside the pool for a payment of its own (THR-6, C-86)."""

    character_id: str
    points: int = 1

    undone: ClassVar[Phrase | None] = say("the creature's own Threat")

    def decide(self, draft: Draft) -> None:
        """THR-6, C-86: points of a creature's own Threat beside the pool, for a payment of its own that comes next."""
        character = find_person(draft.table, self.character_id)
        if not _pays(draft.table, character.character_id):
            raise Refusal(
                "THR-6",
                "{character} uses its own Threat for what it does itself; wait until it acts.",
                character=character.name,
            )
        own = character.body.private_threat
        if not 1 <= self.points <= own:
            raise Refusal(
                "THR-6",
                "{character} has {own} Threat of its own; choose within that.",
                character=character.name,
                own=own,
            )
        left = own - self.points
        drawn = character.body.drawn_threat + self.points
        draft.record(
            PrivateThreatDrawn(
                character_id=character.character_id,
                name=character.name,
                points=self.points,
                left=left,
                body=body_with(draft, character.character_id, private_threat=left, drawn_threat=drawn),
            )
        )
        draft.change_pool(Pool.THREAT, self.points, say("{character}'s own Threat", character=character.name))


@dataclass(frozen=True, slots=True, kw_only=True)
class LoseInjury(Command):
    """The creature whose Turn begins loses its Injury for 2 Threat, in place of regaining Stress (NPC-3)."""

    undone: ClassVar[Phrase | None] = say("losing the Injury")

    def payer(self, table: Table) -> str | None:
        """Who heals."""
        return subject_of(table)

    def decide(self, draft: Draft) -> None:
        """NPC-3: at the start of its Turn a creature with Fast Recovery loses an Injury for 2 Threat."""
        creature = _require_recovering(draft)
        before = draft.table.threat
        after = spend_threat(before, INJURY_CLEARED)
        draft.change_pool(Pool.THREAT, after - before, say("Fast Recovery"))
        draft.record(
            InjuryEnded(
                character_id=creature.character_id,
                name=creature.name,
                why=say("Fast Recovery"),
                body=body_with(
                    draft,
                    creature.character_id,
                    injury=InjuryState.NONE,
                    stabilised=False,
                    debilitated=False,
                ),
            )
        )
        finish_step(draft)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepInjury(Command):
    """The creature whose Turn begins regains Stress and stays injured (NPC-3)."""

    undone: ClassVar[Phrase | None] = say("staying injured")

    def decide(self, draft: Draft) -> None:
        """NPC-3: it regains Stress instead, and stays injured."""
        creature = _require_recovering(draft)
        _regain(draft, creature)
        finish_step(draft)


_CURABLE: Final = frozenset({InjuryState.NONLETHAL, InjuryState.LETHAL})
"""The Injuries that Fast Recovery may take away (NPC-2); nobody recovers from death."""


def turn_starts(draft: Draft, combatant_id: str) -> None:
    """NPC-3: Fast Recovery gives Stress back when the creature's Turn begins; injured, it may choose to be healed."""
    for one in draft.table.characters:
        if one.character_id != combatant_id or not amount_of(one, "fast_recovery"):
            continue
        price = INJURY_CLEARED.each
        if one.body.injury in _CURABLE and price <= threat_of(draft.table, one):
            plan_next(
                draft, Step(kind=StepKind.FAST_RECOVERY, subject_id=combatant_id, by_id=combatant_id, count=price)
            )
        else:
            _regain(draft, one)


def _regain(draft: Draft, creature: Character) -> None:
    body = body_of(creature)
    recovery = amount_of(creature, "fast_recovery")
    gained = fast_recovery(body.stress, body.stress_max, recovery) - body.stress
    regain_stress(draft, creature.character_id, gained, say("Fast Recovery"))


def _require_recovering(draft: Draft) -> Character:
    step = require_step(
        draft, StepKind.FAST_RECOVERY, "NPC-3", say("Only an injured creature with Fast Recovery, as its Turn begins.")
    )
    return find_character(draft.table, step.subject_id)


def _payer(before: Table, draft: Draft, command: Command) -> str | None:
    """THR-6: whose payment it is; of Threat that an NPC spends on what it does itself, whose who acts."""
    row = draft.playbook.threat_rows.get(command.event) if isinstance(command, SpendThreat) else None
    return acting_id(before) if row is not None and row.own else command.payer(before)


def return_unspent(before: Table, draft: Draft, command: Command) -> None:
    """THR-6: of a creature's own Threat, what the payment that it was drawn for has left is its own again.

    Refuses a payment, which `command` makes on the table `before`, that the points of another paid for.
    """
    if isinstance(command, DrawPrivateThreat):
        return
    payer = _payer(before, draft, command)
    spent = -sum(min(0, one.change) for one in draft.events if isinstance(one, PoolChanged) and one.pool is Pool.THREAT)
    for one in draft.table.characters:
        drawn = one.body.drawn_threat
        if not drawn:
            continue
        if payer is not None and payer != one.character_id:
            _require_left(draft, one, spent)
            left = drawn
        else:
            left = min(max(0, drawn - spent), draft.table.threat)
            spent = max(0, spent - drawn)
        own = min(amount_of(one, "threatening"), one.body.private_threat + left)
        if not left:
            change_body(draft, one.character_id, say("its own Threat"), private_threat=own, drawn_threat=0)
            continue
        draft.change_pool(Pool.THREAT, -left, say("{name}'s own Threat", name=one.name))
        body = body_with(draft, one.character_id, private_threat=own, drawn_threat=0)
        draft.record(
            PrivateThreatReturned(character_id=one.character_id, name=one.name, points=left, own=own, body=body)
        )


def _require_left(draft: Draft, creature: Character, spent: int) -> None:
    """Refuse a payment of somebody else that took points of a creature's own."""
    drawn = creature.body.drawn_threat
    if draft.table.threat >= drawn:
        return
    raise Refusal(
        "THR-6",
        "{name} drew {drawn} Threat of its own, which pays for it alone; {left} is there for others. Let it act, or "
        "take that back.",
        name=creature.name,
        drawn=drawn,
        left=draft.table.threat + spent - drawn,
    )


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


def _ask_recovery(table: Table, step: Step) -> Phrase:
    return say(
        "{name} loses its Injury for {count} Threat, or regains Stress.",
        name=name_of_person(table, step.subject_id),
        count=step.count,
    )


STEPS: Final = (StepRow(kind=StepKind.FAST_RECOVERY, begin=lambda _draft, _step: None, asks=_ask_recovery),)
"""The step in which the gamemaster says whether a creature heals."""
