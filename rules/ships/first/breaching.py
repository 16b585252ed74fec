"""What Breaches do: a system's condition, its Impact, who is injured, an NPC ship's total (BRCH, NSHIP-3, C-67).

In: Breaches from a hit. Out: the ship's new state, and what follows: a Challenge Die for the Structure, a name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rules.deciding.agenda import ask_for_dice, finish_step, require_step, with_next
from rules.deciding.checks import find_character, find_ship, profile
from rules.deciding.decision import Command, Draft, StepRow
from rules.dice import DieKind
from rules.errors import Refusal
from rules.ships.events import ContainmentFailed, name_of_ship
from rules.ships.first.events import CasualtyNamed, ImpactCounted, NpcShipBreached, SystemBreached
from rules.ships.first.numbers import ENGINES_IMPACT_POWER, breach_impact, system_condition
from rules.ships.first.power import lose
from rules.state.changing import replace
from rules.state.conflict import Step
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import Condition, Standing, StepKind, System
from rules.words import Phrase, say


@dataclass(frozen=True, slots=True, kw_only=True)
class NameCasualty(Command):
    """Who a hit on the Structure injures: drawn at the table by a die (BRCH-2). Empty where nobody was near."""

    character_id: str = ""
    lethal: bool = False

    undone: ClassVar[Phrase | None] = say("who is injured")

    def decide(self, draft: Draft) -> None:
        """BRCH-2: the player's character that a die has found is injured."""
        step = require_step(
            draft, StepKind.CASUALTY, "BRCH-2", say("Nobody is to be injured now; look at what the table asks for.")
        )
        if not self.character_id:
            finish_step(draft)
            return
        character = find_character(draft.table, self.character_id)
        if character.standing is not Standing.PLAYER:
            raise Refusal(
                "BRCH-2", "{character} is no player's character; draw among those aboard.", character=character.name
            )
        ship = find_ship(draft.table, step.subject_id)
        draft.record(
            CasualtyNamed(
                ship_id=ship.ship_id,
                ship=ship.name,
                character_id=character.character_id,
                name=character.name,
                steps=with_next(
                    draft, Step(kind=StepKind.INJURY, subject_id=character.character_id, lethal=self.lethal)
                ),
            )
        )
        finish_step(draft)


NPC_BREACH_POWER: Final = 2
"""Power that an attack with a Breach takes from an NPC ship (NSHIP-3)."""


def breach(draft: Draft, ship_id: str, system: System, breaches: int, *, devastating: bool = False) -> list[Step]:
    """Breaches of one system: its condition, and an Impact for each (BRCH-1, BRCH-2, C-67).

    What was repaired counts again (REP-2).
    """
    ship = find_ship(draft.table, ship_id)
    before = ship.state.damage_of(system)
    total = before.breaches + breaches
    condition = system_condition(ship.scale, total, profile(draft.table).house)
    after = replace(
        before,
        breaches=total,
        condition=condition,
        impact=True,
        patched=0,
        devastating=before.devastating or devastating,
    )
    draft.record(
        SystemBreached(
            ship_id=ship_id,
            name=ship.name,
            system=system,
            breaches=total,
            condition=condition,
            state=replace(ship.state, systems=ship.state.systems_with(after)),
        )
    )
    impacts = 1 if profile(draft.table).impact_once_per_hit else breaches
    follows: list[Step] = []
    if system is System.ENGINES:
        for _ in range(impacts):
            lose(draft, ship_id, ENGINES_IMPACT_POWER, say("the engines are hit"))
        _contain(draft, ship_id)
    elif system is System.STRUCTURE and has_people(draft.table, ship):
        follows.append(Step(kind=StepKind.IMPACT_DIE, subject_id=ship_id, count=impacts))
    return follows


def has_people(table: Table, ship: Ship) -> bool:
    """Whether players' characters may be aboard: a ship without an NPC crew (BRCH-2)."""
    return ship.crew is None and any(one.standing is Standing.PLAYER for one in table.characters)


def _contain(draft: Draft, ship_id: str) -> None:
    """BRCH-5, WCB-1: destroyed Engines let the core's containment fail."""
    ship = find_ship(draft.table, ship_id)
    core = ship.state.core
    gone = ship.state.damage_of(System.ENGINES).condition is Condition.DESTROYED
    if gone and not (core.rounds or core.stable or core.exploded):
        state = replace(ship.state, core=replace(core, rounds=1))
        draft.record(ContainmentFailed(ship_id=ship_id, name=ship.name, state=state))


def breach_whole(draft: Draft, ship_id: str, breaches: int) -> list[Step]:
    """NSHIP-3: an NPC ship's Breaches in one total; an attack takes a Turn and 2 Power once."""
    ship, attack = find_ship(draft.table, ship_id), draft.table.attack
    total = ship.state.unplaced_breaches + breaches
    condition = system_condition(ship.scale, total, profile(draft.table).house)
    mark = f"npc:{ship_id}"
    first = attack is None or mark not in attack.once
    marked = replace(attack, once=(*attack.once, mark)) if attack is not None and first else None
    state = replace(
        ship.state,
        unplaced_breaches=total,
        condition=condition,
        turns_lost=1,
        destroyed=ship.state.destroyed or condition is Condition.DESTROYED,
    )
    draft.record(
        NpcShipBreached(
            ship_id=ship_id,
            name=ship.name,
            breaches=total,
            condition=condition,
            turn_lost=first,
            state=state,
            attack=marked,
        )
    )
    if first and condition is not Condition.DESTROYED:
        lose(draft, ship_id, NPC_BREACH_POWER, say("a Breach"))
    return []


# --- the Structure ------------------------------------------------------------------------------------------


def _begin_impact(draft: Draft, step: Step) -> None:
    ship = find_ship(draft.table, step.subject_id)
    ask_for_dice(
        draft,
        DieKind.CHALLENGE,
        step.count,
        who="",
        why=say("who is injured as the Structure of {ship} is hit", ship=ship.name),
    )


def _count_impact(draft: Draft, step: Step, thrown: tuple[ThrownDie, ...]) -> None:
    """BRCH-2: each Effect injures somebody; who that is, a die at the table says."""
    hurt = sum(breach_impact(System.STRUCTURE, 0, one.face).pc_injured for one in thrown)
    ship = find_ship(draft.table, step.subject_id)
    casualty = Step(kind=StepKind.CASUALTY, subject_id=step.subject_id, count=hurt if hurt > 1 else 0)
    steps = with_next(draft, *(casualty for _ in range(hurt)))
    draft.record(ImpactCounted(ship_id=ship.ship_id, name=ship.name, injured=hurt, steps=steps))
    finish_step(draft)


def _begin_casualty(_: Draft, __: Step) -> None:
    """People draw who it is and say it."""


def _ask_casualty(table: Table, step: Step) -> Phrase:
    ship = name_of_ship(table, step.subject_id)
    if step.count > 1:
        left = sum(one.kind is StepKind.CASUALTY and one.subject_id == step.subject_id for one in table.agenda)
        return say(
            "Somebody aboard {ship} is injured, {number} of {count}. A die says who, and the gamemaster names them.",
            ship=ship,
            number=step.count - left + 1,
            count=step.count,
        )
    return say("Somebody aboard {ship} is injured. A die says who, and the gamemaster names them.", ship=ship)


STEPS: Final = (
    StepRow(kind=StepKind.IMPACT_DIE, begin=_begin_impact, count=_count_impact),
    StepRow(kind=StepKind.CASUALTY, begin=_begin_casualty, asks=_ask_casualty),
)
"""The step of the Impact of a Breach of the Structure (BRCH-2)."""
