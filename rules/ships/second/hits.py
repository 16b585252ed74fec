"""What a hit does, step by step: its system, its flat damage, Shields, Breaches, the hull (S2E-7 to S2E-15).

In: attacks that struck, collisions, hazards, a core that explodes. Out: steps of the agenda, and the ship's new state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rules.conflict.damage import half_rounded_up
from rules.conflict.events import AttackChanged
from rules.deciding.agenda import AgendaChanged, ask_for_dice, finish_step, plan_last, plan_next, require_step
from rules.deciding.checks import find_ship, profile
from rules.deciding.decision import Command, Draft, StepRow
from rules.dice import DieKind
from rules.errors import Refusal
from rules.ships.bridge import state_with
from rules.ships.events import ContainmentFailed, SystemStruck, name_of_ship
from rules.ships.hits import amount_among, resistance_of
from rules.ships.numbers import system_hit
from rules.ships.second.events import AttackStruck, FlatHitSettled, HullFailed
from rules.ships.second.numbers import ShieldHit, hit_shields, hull_state, ship_damage, system_destroyed
from rules.state.changing import replace
from rules.state.conflict import Action, Attack, Step
from rules.state.house import HouseTables
from rules.state.ships import Ship, SystemDamage
from rules.state.table import Table
from rules.state.tasks import Task
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import Condition, StepKind, System
from rules.words import Phrase, either, say


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseStruckSystem(Command):
    """The system that the next hit finds, where it may be chosen: another one, by a Devastating Attack (S2E-8)."""

    system: System

    undone: ClassVar[Phrase | None] = say("where the ship is hit")

    def decide(self, draft: Draft) -> None:
        """S2E-8: the other system of a Devastating Attack."""
        step = require_step(
            draft,
            StepKind.STRUCK_SYSTEM,
            "S2E-8",
            say("No hit waits for a choice of its system; settle what the table asks for."),
        )
        if draft.table.request is not None:
            raise Refusal("S2E-7", "A d20 finds the system of this hit; throw it.")
        hit_already = draft.table.attack.breached if draft.table.attack is not None else ()
        if self.system in hit_already:
            raise Refusal(
                "S2E-8", "A Devastating Attack hits another system than {system}; choose one.", system=self.system
            )
        _struck(draft, step, self.system, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleHit(Command):
    """Nothing more is bought for this hit: its damage is done.

    `reductions` is what the gamemaster takes off for the attack's Complications, one each, which uses them up
    (S2E-10, C-38).
    """

    reductions: int = 0

    undone: ClassVar[Phrase | None] = say("settling the hit")

    def decide(self, draft: Draft) -> None:
        """S2E-10, C-38: the damage of the hit in hand, less what the gamemaster takes off for Complications."""
        step = require_step(
            draft, StepKind.FLAT_HIT, "S2E-10", say("No hit waits to be settled; look at what the table asks for.")
        )
        most = most_reductions(draft.table)
        if not 0 <= self.reductions <= most:
            raise Refusal(
                "S2E-10", "This attack's Complications take off 0 to {most} damage; choose within that.", most=most
            )
        _settle(draft, step, self.reductions)


FIRST_HIT: Final = "hit"
"""The name of an attack's first hit, which Momentum makes worse and Complications weaken."""


DEVASTATING: Final = "devastating"
"""The hit on another system that a Devastating Attack adds (S2E-8)."""


def quality_amount(attack: Attack | None, name: str) -> int:
    """The number X of an attack's quality, 1 where it has none of its own, 0 where the attack lacks it."""
    return amount_among(attack.qualities, name) if attack is not None else 0


def open_attack(
    draft: Draft,
    *,
    attacker: Ship | None,
    action: Action,
    flat: int,
    target_id: str,
    qualities: tuple[str, ...] = (),
    system: System | None = None,
    reason: str = "",
) -> None:
    """Let an attack strike: its hit's system is found, then its damage settled (S2E-7, C-61)."""
    attack = Attack(
        number=draft.table.next_number,
        action=action,
        attacker_id=attacker.ship_id if attacker is not None else "",
        attacker=attacker.name if attacker is not None else reason,
        npc=attacker is not None and attacker.crew is not None,
        flat=flat,
        qualities=qualities,
    )
    target = find_ship(draft.table, target_id)
    draft.record(AttackStruck(ship_id=target_id, name=target.name, by=attack.attacker, damage=flat, attack=attack))
    plan_last(draft, *hit_steps(target_id, attack.attacker_id, flat, name=FIRST_HIT, system=system))


def hit_steps(target_id: str, by_id: str, damage: int, *, name: str, system: System | None = None) -> tuple[Step, Step]:
    """The two steps of one hit: which system, and what it does."""
    found = Step(kind=StepKind.STRUCK_SYSTEM, subject_id=target_id, by_id=by_id, system=system, name=name)
    return found, replace(found, kind=StepKind.FLAT_HIT, count=damage)


# --- which system -------------------------------------------------------------------------------------------


def _begin_system(draft: Draft, step: Step) -> None:
    target = find_ship(draft.table, step.subject_id)
    if step.system is not None:
        _struck(draft, step, step.system, 0)
    elif step.name != DEVASTATING:
        attack = draft.table.attack
        who = attack.attacker if attack is not None and attack.attacker_id else ""
        ask_for_dice(draft, DieKind.D20, 1, who=who, why=say("where {target} is hit", target=target.name))


def _count_system(draft: Draft, step: Step, thrown: tuple[ThrownDie, ...]) -> None:
    face = int(thrown[0].face)
    _struck(draft, step, system_hit(face), face)


def _struck(draft: Draft, step: Step, system: System, face: int) -> None:
    """The hit that follows is on that system (SATK-2)."""
    target = find_ship(draft.table, step.subject_id)
    found, hit, *later = draft.table.agenda
    steps = (found, replace(hit, system=system), *later)
    draft.record(SystemStruck(ship_id=target.ship_id, name=target.name, system=system, face=face, steps=steps))
    finish_step(draft)


# --- damage -------------------------------------------------------------------------------------------------


def _begin_hit(draft: Draft, step: Step) -> None:
    if draft.table.task is None or step.name != FIRST_HIT:
        _settle(draft, step, 0)


def most_reductions(table: Table) -> int:
    """How much the attack's Complications may take off: 1 each, which uses them up (S2E-10)."""
    task = table.task
    return task.complications_open - task.price_complications if task is not None else 0


def flat_resistance(table: Table, step: Step) -> int:
    """The Resistance that the hit of a step meets: the ship's, less what pierces it (S2E-10)."""
    return max(0, resistance_of(table, find_ship(table, step.subject_id)) - quality_amount(table.attack, "piercing"))


def _settle(draft: Draft, step: Step, reductions: int) -> None:
    attack = draft.table.attack
    whole = step.count
    if step.name == FIRST_HIT and attack is not None:
        whole += attack.bonus_damage
    elif step.name == DEVASTATING and attack is not None:
        whole = half_rounded_up(attack.damage_done)
    ship = find_ship(draft.table, step.subject_id)
    resistance = flat_resistance(draft.table, step)
    damage = ship_damage(whole, (), resistance, reductions)
    state = ship.state
    mark = f"shaken:{ship.ship_id}"
    hit = hit_shields(
        max(state.shields_max, state.shields),
        state.shields,
        damage,
        profile(draft.table),
        shaken_before=attack is not None and mark in attack.once,
    )
    system = step.system or System.STRUCTURE
    _apply(draft, ship, system, damage, hit, reductions=reductions)
    gone = find_ship(draft.table, ship.ship_id).state.destroyed
    if gone:
        _drop_hits(draft, ship)
    if attack is not None:
        done = whole if step.name == FIRST_HIT else attack.damage_done
        hits = replace(
            attack,
            damage_done=done,
            hits_settled=attack.hits_settled + 1,
            breached=(*attack.breached, system),
            once=(*attack.once, mark) if hit.shaken else attack.once,
        )
        last = all(one.kind is not StepKind.FLAT_HIT for one in draft.table.agenda[1:])
        draft.record(AttackChanged(attack=None if last else hits, next_number=draft.table.next_number))
    shaken = Step(kind=StepKind.SHAKEN, subject_id=ship.ship_id, by_id=step.by_id, system=system)
    if not gone:
        plan_next(draft, *(shaken for _ in range(hit.shaken)))
    finish_step(draft)


def _drop_hits(draft: Draft, ship: Ship) -> None:
    """Nothing more hits a ship that is gone, and nobody aboard is shaken."""
    kinds = (StepKind.STRUCK_SYSTEM, StepKind.FLAT_HIT, StepKind.SHAKEN)
    hand, *later = draft.table.agenda
    kept = [one for one in later if one.subject_id != ship.ship_id or one.kind not in kinds]
    if len(kept) != len(later):
        draft.record(AgendaChanged(steps=(hand, *kept)))


def _apply(draft: Draft, ship: Ship, system: System, damage: int, hit: ShieldHit, *, reductions: int) -> None:
    state, attack = ship.state, draft.table.attack
    before = state.damage_of(system)
    breaches = hit.breaches + (1 if hit.breaches and quality_amount(attack, "high_yield") else 0)
    after = before
    if breaches:
        devastating = bool(quality_amount(attack, "devastating"))
        after = breached(ship, before, breaches, draft.table.house, devastating=devastating)
    total = sum(one.breaches for one in state.systems) + state.unplaced_breaches
    hull = hull_state(ship.scale, total, breaches)
    systems = state.systems
    if breaches:
        systems = state.systems_with(after)
    after_hit = state_with(
        draft,
        ship.ship_id,
        shields=hit.shields,
        shaken=state.shaken + hit.shaken,
        systems=systems,
        critical=state.critical or hull.critical,
        destroyed=state.destroyed or hull.destroyed,
    )
    draft.record(
        FlatHitSettled(
            ship_id=ship.ship_id,
            name=ship.name,
            system=system,
            damage=damage,
            shields=hit.shields,
            shields_max=state.shields_max,
            shaken=hit.shaken,
            breaches=breaches,
            breaches_of_system=after.breaches,
            system_destroyed=after.condition is Condition.DESTROYED and before.condition is not Condition.DESTROYED,
            reductions=reductions,
            state=after_hit,
        )
    )
    if (hull.critical and not state.critical) or (hull.destroyed and not state.destroyed):
        draft.record(
            HullFailed(ship_id=ship.ship_id, name=ship.name, destroyed=hull.destroyed, npc=ship.crew is not None)
        )
    if core_fails(find_ship(draft.table, ship.ship_id)) and not core_fails(ship):
        draft.record(ContainmentFailed(ship_id=ship.ship_id, name=ship.name))


def core_fails(ship: Ship) -> bool:
    """Whether a ship's core has to be thrown for: critical damage and the Engines destroyed (S2E-17)."""
    state = ship.state
    if state.destroyed or state.core.stable or state.core.exploded:
        return False
    return state.critical and state.damage_of(System.ENGINES).condition is Condition.DESTROYED


def breached(
    ship: Ship, before: SystemDamage, breaches: int, house: HouseTables, *, devastating: bool = False
) -> SystemDamage:
    """A system after more Breaches: destroyed from half the Scale on, its patches undone (S2E-14, S2E-18)."""
    total = before.breaches + breaches
    gone = system_destroyed(ship.scale, total, house)
    return replace(
        before,
        breaches=total,
        patched=0,
        condition=Condition.DESTROYED if gone else Condition.DAMAGED,
        devastating=before.devastating or devastating,
    )


# --- Momentum -----------------------------------------------------------------------------------------------


def hit_in_hand(table: Table, task: Task) -> bool:
    """Whether the hit of that Task's attack may still be made worse (S2E-8)."""
    step = table.agenda[0] if table.agenda else None
    return (
        task.followed
        and table.attack is not None
        and step is not None
        and step.kind is StepKind.FLAT_HIT
        and step.name == FIRST_HIT
    )


def add_damage(draft: Draft, times: int) -> None:
    """S2E-8: 1 more damage each time."""
    attack = draft.table.attack
    if attack is not None:
        worse = replace(attack, bonus_damage=attack.bonus_damage + times)
        draft.record(AttackChanged(attack=worse, next_number=draft.table.next_number))


def add_devastating_hit(draft: Draft) -> None:
    """S2E-8: another system takes half, once the first hit is settled."""
    step = draft.table.agenda[0]
    plan_next(draft, *hit_steps(step.subject_id, step.by_id, 0, name=DEVASTATING))


def _ask_system(table: Table, step: Step) -> Phrase:
    return say(
        "Which other system of {ship} is hit? Choose {systems}.",
        ship=name_of_ship(table, step.subject_id),
        systems=either([one for one in System if table.attack is None or one not in table.attack.breached]),
    )


def _ask_hit(table: Table, step: Step) -> Phrase:
    attack = table.attack
    damage = step.count + (attack.bonus_damage if attack is not None else 0)
    return say(
        "{damage} damage before Resistance on {ship}. Buy more, or settle the hit.",
        damage=damage,
        ship=name_of_ship(table, step.subject_id),
    )


STEPS: Final = (
    StepRow(kind=StepKind.STRUCK_SYSTEM, begin=_begin_system, count=_count_system, asks=_ask_system),
    StepRow(kind=StepKind.FLAT_HIT, begin=_begin_hit, asks=_ask_hit),
)
"""The steps of a hit."""
