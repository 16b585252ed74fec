"""A failing warp core: the d20 at the end of the Round, stabilised, ejected, exploding (S2E-17, C-43)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rules.conflict.events import AttackChanged
from rules.deciding.agenda import ask_for_dice, finish_step, plan_last, plan_next, require_step
from rules.deciding.checks import find_character, find_ship, profile
from rules.deciding.decision import Command, Draft, StepRow
from rules.dice import DieKind
from rules.errors import Refusal
from rules.ships.bridge import acting_ship, change_ship, ship_of, ships_taking_part
from rules.ships.events import name_of_ship
from rules.ships.numbers import SCAN_PIERCING
from rules.ships.orders import eject_core, stabilise_core
from rules.ships.places import require_reached
from rules.ships.second.events import CoreChecked
from rules.ships.second.hits import FIRST_HIT, core_fails, hit_steps
from rules.ships.second.numbers import core_check
from rules.ships.second.stations import complete, station_row
from rules.state.changing import replace
from rules.state.conflict import Action, Attack, Step
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.tasks import Declaration, ExtendedTrack, Task
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import ActionScope, StepKind, WarpCoreCompare
from rules.tasks.extended import begin, end, tracks_for
from rules.words import Phrase, say


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseShipsInClose(Command):
    """The ships in Close range of a core that explodes; none if it is alone (S2E-17)."""

    ship_ids: tuple[str, ...] = ()

    undone: ClassVar[Phrase | None] = say("the ships in Close range")

    def decide(self, draft: Draft) -> None:
        """S2E-17: the explosion hits all in Close range, an ejected core's own ship too."""
        step = require_step(
            draft, StepKind.CORE_SPLASH, "S2E-17", say("No core explodes now; choose this when one does.")
        )
        source = find_ship(draft.table, step.subject_id)
        named = tuple(dict.fromkeys(self.ship_ids))
        if source.state.core.ejected and not source.state.destroyed:
            named = (source.ship_id, *(one for one in named if one != source.ship_id))
        elif source.ship_id in named:
            raise Refusal("S2E-17", "{source} is lost already; name the others in Close range.", source=source.name)
        targets = [find_ship(draft.table, one) for one in named]
        require_reached(draft.table, source.ship_id, tuple(targets), "S2E-17")
        for one in targets:
            if one.state.destroyed:
                raise Refusal("S2E-17", "{name} is destroyed already; leave it out.", name=one.name)
        if targets:
            number = draft.table.next_number
            attack = Attack(
                number=number,
                action=Action(name="core_explosion", scope=ActionScope.BRIDGE, ship_id=source.ship_id),
                attacker_id="",
                attacker=source.name,
                npc=source.crew is not None,
                flat=step.count,
                qualities=(f"piercing:{SCAN_PIERCING}",),
            )
            draft.record(AttackChanged(attack=attack, next_number=number + 1))
            hits = [
                part for one in targets for part in hit_steps(one.ship_id, source.ship_id, step.count, name=FIRST_HIT)
            ]
            plan_next(draft, *hits)
        finish_step(draft)


STABILISE: Final = "stabilise_core_second_edition"
"""The purpose of the Extended Task that stabilises a core."""


STABILISE_DIFFICULTY: Final = 3
"""The Difficulty of stabilising a core (S2E-17)."""


def round_ends(draft: Draft) -> None:
    """S2E-17: a d20 for each core that fails of the ships that take part. The crew may stabilise it from now on."""
    for ship in ships_taking_part(draft.table):
        if core_fails(ship):
            core = replace(ship.state.core, rounds=ship.state.core.rounds + 1)
            change_ship(draft, ship.ship_id, say("the warp core fails"), core=core)
            plan_last(draft, Step(kind=StepKind.CORE_DIE, subject_id=ship.ship_id))


def limit_of(table: Table, ship: Ship) -> int:
    """What the d20 must not exceed: the Engineering rating, or the Engines where the table plays it so (C-43)."""
    if profile(table).warp_core_compare is WarpCoreCompare.ENGINES:
        return ship.systems.engines
    return ship.departments.engineering


def _begin_die(draft: Draft, step: Step) -> None:
    ship = find_ship(draft.table, step.subject_id)
    ask_for_dice(draft, DieKind.D20, 1, who="", why=say("the warp core of {ship}", ship=ship.name))


def _count_die(draft: Draft, step: Step, thrown: tuple[ThrownDie, ...]) -> None:
    ship = find_ship(draft.table, step.subject_id)
    limit, face = limit_of(draft.table, ship), int(thrown[0].face)
    check = core_check(critical=True, engines_destroyed=True, engineering=limit, face=face, scale=ship.scale)
    ejected, state = ship.state.core.ejected, None
    if check.explodes:
        core = replace(ship.state.core, exploded=True)
        state = replace(ship.state, core=core, destroyed=ship.state.destroyed or not ejected)
    draft.record(
        CoreChecked(
            ship_id=ship.ship_id,
            name=ship.name,
            face=face,
            limit=limit,
            explodes=check.explodes,
            splash=check.splash_damage,
            ejected=ejected,
            state=state,
        )
    )
    if check.explodes:
        for track in tracks_for(draft.table, STABILISE, ship.ship_id):
            end(draft, track, say("the core exploded"))
        splash = Step(kind=StepKind.CORE_SPLASH, subject_id=ship.ship_id, count=check.splash_damage)
        plan_next(draft, splash)
    finish_step(draft)


def _begin_splash(_: Draft, __: Step) -> None:
    """The gamemaster says who is in Close range."""


# --- stabilised, ejected ------------------------------------------------------------------------------------


def _require_failing(table: Table, declaration: Declaration) -> Ship:
    if declaration.action is None:
        raise Refusal("S2E-17", "Choose an action of a station.")
    ship = acting_ship(table, declaration.character_id, declaration.action)
    if not core_fails(ship):
        raise Refusal("S2E-17", "{ship}'s warp core does not fail; nothing is there to do.", ship=ship.name)
    return ship


def _plan_eject(table: Table, declaration: Declaration) -> Declaration:
    ship = _require_failing(table, declaration)
    if ship.state.core.ejected:
        raise Refusal("S2E-17", "{ship}'s warp core is ejected already.", ship=ship.name)
    return complete(table, declaration)


def _ejected(draft: Draft, task: Task) -> None:
    eject_core(draft, ship_of(draft, task))


def _plan_stabilise(table: Table, declaration: Declaration) -> Declaration:
    _require_failing(table, declaration)
    return complete(table, declaration)


def _worked(draft: Draft, task: Task) -> None:
    """S2E-17, EXT-T2: an Extended Task whose track is as long as the Engines' rating."""
    ship = ship_of(draft, task)
    track = begin(
        draft,
        label=say("Stabilise the warp core of {ship}", ship=ship.name),
        work=ship.systems.engines,
        difficulty=STABILISE_DIFFICULTY,
        progress=True,
        purpose=STABILISE,
        subject_id=ship.ship_id,
    )
    declaration = task.declaration
    _, discipline = declaration.skills
    department: int = getattr(find_character(draft.table, declaration.character_id).disciplines, discipline)
    work = Step(
        kind=StepKind.WORK_DICE,
        subject_id=track.track_id,
        by_id=declaration.character_id,
        count=department,
        discipline=discipline,
    )
    plan_last(draft, work)


def stabilised(draft: Draft, track: ExtendedTrack) -> None:
    """The Extended Task is finished: the core holds."""
    stabilise_core(draft, find_ship(draft.table, track.subject_id))


ROWS: Final = (
    station_row("eject_core", say("Eject the warp core"), plan=_plan_eject, result=_ejected),
    station_row("stabilise_core", say("Stabilise the warp core"), plan=_plan_stabilise, result=_worked),
)
"""The actions that save a ship from its core (S2E-17)."""


def _ask_splash(table: Table, step: Step) -> Phrase:
    return say(
        "{damage} damage around {ship}. Who is in Close range?",
        damage=step.count,
        ship=name_of_ship(table, step.subject_id),
    )


STEPS: Final = (
    StepRow(kind=StepKind.CORE_DIE, begin=_begin_die, count=_count_die),
    StepRow(kind=StepKind.CORE_SPLASH, begin=_begin_splash, asks=_ask_splash),
)
"""The steps at the end of a Round with a failing core, and of its explosion."""
