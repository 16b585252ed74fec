"""What the end of a Round brings to ships, and a core that explodes (SWPN-3, BRCH-4, WCB-1, C-35, C-71, C-74).

In: the end of a Round; the ships that the gamemaster names. Out: dice for cores, hits on every ship in Close range.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rules.conflict.bodies import body_with
from rules.conflict.events import InjurySuffered
from rules.conflict.lasting import EffectBegan, end_one
from rules.conflict.positions import parted
from rules.deciding.agenda import ask_for_dice, finish_step, plan_last, plan_next, require_step, with_next
from rules.deciding.checks import find_ship, profile
from rules.deciding.decision import Command, Draft, StepRow
from rules.dice import DieKind
from rules.errors import Refusal
from rules.ships.bridge import ships_taking_part
from rules.ships.cards import no_new_power
from rules.ships.events import name_of_ship
from rules.ships.first.engineering import STABILISE
from rules.ships.first.events import CoreCounted, ShipsNamed
from rules.ships.first.hits import BESIDE, apply_hit, begin_attack, hit_steps, new_attack
from rules.ships.first.numbers import core_countdown, resolve_ship_hit
from rules.ships.first.power import lose
from rules.ships.hits import resistance_of
from rules.ships.places import require_reached
from rules.state.changing import replace
from rules.state.conflict import Action, Step
from rules.state.ships import Ship
from rules.state.table import Table
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import ActionScope, InjuryState, StepKind, System
from rules.tasks.challenge import challenge_result
from rules.tasks.extended import end, tracks_for
from rules.words import Phrase, say, say_count


@dataclass(frozen=True, slots=True, kw_only=True)
class NameShipsHit(Command):
    """The other ships that an Area weapon or an exploding core hits; nobody is possible (SWPN-1, WCB-1)."""

    ship_ids: tuple[str, ...] = ()

    undone: ClassVar[Phrase | None] = say("the ships that are hit as well")

    def decide(self, draft: Draft) -> None:
        """SWPN-1: Contact, and one ship in Close range for each Effect; WCB-1: every ship in Close range."""
        step = require_step(
            draft,
            StepKind.SHIP_TARGETS,
            "SWPN-1",
            say("No further ships are hit now; look at what the table asks for."),
        )
        sure = always_hit(draft.table, step)
        named = [find_ship(draft.table, one) for one in dict.fromkeys(self.ship_ids)]
        more = [one for one in named if one.ship_id not in {each.ship_id for each in sure}]
        require_reached(draft.table, step.subject_id, tuple(more), "SWPN-1" if step.name == "area" else "WCB-1")
        possible = {one.ship_id for one in may_be_named(draft.table, step)}
        for one in more:
            if one.ship_id not in possible:
                raise Refusal("SWPN-1", "{name} is hit already, or gone; leave it out.", name=one.name)
        if step.name == AREA and len(more) > step.count:
            raise Refusal(
                "SWPN-1", "{count} more in Close range can be hit, one for each Effect; name no more.", count=step.count
            )
        targets = (*sure, *more)
        names = tuple(one.name for one in targets)
        if step.name == SPLASH and targets:
            draft.record(ShipsNamed(names=names))
            _splash(draft, step, targets)
        elif targets:
            hits = [part for one in targets for part in hit_steps(draft.table, one, step.by_id, name=BESIDE)]
            draft.record(ShipsNamed(names=names, steps=with_next(draft, *hits)))
        finish_step(draft)


DRAIN: Final = 1
"""Power that disabled or destroyed Engines lose a ship at each Round's end (BRCH-4, C-74)."""


SPLASH_EFFECTS: Final = ("piercing:2",)
"""The effects of a core that explodes (WCB-1)."""


AREA, SPLASH = "area", "splash"
"""The two causes of further targets: an Area weapon, or an exploding core."""


def persistent_damage(draft: Draft) -> None:
    """SWPN-3: what goes on to damage the ships that take part."""
    there = {one.ship_id for one in ships_taking_part(draft.table)}
    for one in draft.table.effects:
        if one.name == "persistent_damage" and one.target_id in there:
            system = System(one.role) if one.role else None
            plan_last(
                draft,
                Step(
                    kind=StepKind.SHIP_PERSISTENT, subject_id=one.target_id, count=one.amount, system=system,
                    name=one.effect_id,
                ),
            )  # fmt: skip


def engines_and_cores(draft: Draft) -> None:
    """Engines that drain, and every core that fails, of the ships that take part."""
    there = {one.ship_id for one in ships_taking_part(draft.table)}
    burning = {one.subject_id for one in draft.table.agenda}
    for ship in draft.table.ships:
        if ship.ship_id not in there:
            continue
        if not ship.state.destroyed and no_new_power(ship):
            lose(draft, ship.ship_id, DRAIN, say("the engines give none"))
        # what still burns may let the containment fail; the core's step looks again
        if ship.ship_id in burning or _fails(find_ship(draft.table, ship.ship_id)):
            plan_last(draft, Step(kind=StepKind.CORE_DICE, subject_id=ship.ship_id))


# --- Persistent ---------------------------------------------------------------------------------------------


def _begin_persistent(draft: Draft, step: Step) -> None:
    """SWPN-3, C-35: X damage, or X Challenge Dice where the table plays it so."""
    ship = find_ship(draft.table, step.subject_id)
    if profile(draft.table).persistent_is_dice and not ship.state.destroyed:
        ask_for_dice(
            draft, DieKind.CHALLENGE, step.count, who="", why=say("Persistent damage of {ship}", ship=ship.name)
        )
    else:
        _persist(draft, step, step.count)


def _count_persistent(draft: Draft, step: Step, thrown: tuple[ThrownDie, ...]) -> None:
    _persist(draft, step, challenge_result(one.face for one in thrown).total)


def _persist(draft: Draft, step: Step, damage: int) -> None:
    ship = find_ship(draft.table, step.subject_id)
    for one in draft.table.effects:
        if one.effect_id != step.name:
            continue
        if one.rounds_left <= 1 or ship.state.destroyed:
            end_one(draft, one, say("its Rounds are over"))
        else:
            fewer = replace(one, rounds_left=one.rounds_left - 1)
            draft.record(EffectBegan(effect=fewer, next_number=draft.table.next_number))
    if not ship.state.destroyed:
        hit = resolve_ship_hit(
            (), scale=resistance_of(draft.table, ship), shields_before=ship.state.shields, bonus_damage=damage
        )
        plan_next(draft, *apply_hit(draft, ship, hit, step.system, None))
    finish_step(draft)


# --- the core -----------------------------------------------------------------------------------------------


def _fails(ship: Ship) -> bool:
    core = ship.state.core
    return bool(core.rounds) and not (ship.state.destroyed or core.stable or core.exploded)


def _begin_core(draft: Draft, step: Step) -> None:
    """WCB-1: one Challenge Die in the Round that containment fails, one more in each that follows."""
    ship = find_ship(draft.table, step.subject_id)
    if not _fails(ship):
        finish_step(draft)
        return
    ask_for_dice(
        draft, DieKind.CHALLENGE, ship.state.core.rounds, who="", why=say("the warp core of {ship}", ship=ship.name)
    )


def _count_core(draft: Draft, step: Step, thrown: tuple[ThrownDie, ...]) -> None:
    ship = find_ship(draft.table, step.subject_id)
    core, faces = ship.state.core, tuple(one.face for one in thrown)
    countdown = core_countdown(core.rounds, faces, ship.scale)
    if countdown.explodes:
        state = replace(ship.state, core=replace(core, exploded=True), destroyed=not core.ejected)
    else:
        state = replace(ship.state, core=replace(core, rounds=core.rounds + 1))
    draft.record(
        CoreCounted(
            ship_id=ship.ship_id,
            name=ship.name,
            faces=faces,
            explodes=countdown.explodes,
            splash=countdown.splash_dice,
            ejected=core.ejected,
            next_dice=core.rounds + 1,
            state=state,
        )
    )
    if countdown.explodes:
        if not core.ejected:
            _lose_all_aboard(draft, ship)
        for track in tracks_for(draft.table, STABILISE, ship.ship_id):
            end(draft, track, say("the core exploded"))
        splash = Step(kind=StepKind.SHIP_TARGETS, subject_id=ship.ship_id, name=SPLASH, count=countdown.splash_dice)
        plan_next(draft, splash)
    finish_step(draft)


def _lose_all_aboard(draft: Draft, ship: Ship) -> None:
    """WCB-1: all aboard are killed; the table knows of those who have Turns there."""
    combatants = draft.table.conflict.combatants if draft.table.conflict is not None else ()
    aboard = {one.combatant_id for one in combatants if one.ship_id == ship.ship_id}
    for one in draft.table.characters:
        if one.character_id in aboard and one.body.injury is not InjuryState.DEAD:
            draft.record(
                InjurySuffered(
                    character_id=one.character_id,
                    name=one.name,
                    before=one.body.injury,
                    after=InjuryState.DEAD,
                    body=body_with(draft, one.character_id, injury=InjuryState.DEAD),
                )
            )


# --- further ships ------------------------------------------------------------------------------------------


def _begin_targets(draft: Draft, step: Step) -> None:
    """People say which ships are near enough; with nobody else at the table there is nothing to ask."""
    if not may_be_named(draft.table, step) and not always_hit(draft.table, step):
        finish_step(draft)


def may_be_named(table: Table, step: Step) -> tuple[Ship, ...]:
    """The ships that a step may hit beside those it always hits."""
    sure = {one.ship_id for one in always_hit(table, step)}
    return tuple(
        one
        for one in table.ships
        if not one.state.destroyed
        and one.ship_id not in sure
        and one.ship_id != step.subject_id
        and not parted(table, step.subject_id, one.ship_id)
    )


def always_hit(table: Table, step: Step) -> tuple[Ship, ...]:
    """SWPN-1, WCB-3: ships in Contact with an Area weapon's target; the ship that ejected its core."""
    if step.name == SPLASH:
        source = find_ship(table, step.subject_id)
        return () if source.state.destroyed else (source,)
    pairs = table.conflict.reach if table.conflict is not None else ()
    near = {one for pair in pairs if step.subject_id in pair for one in pair} - {step.subject_id}
    return tuple(one for one in table.ships if one.ship_id in near and not one.state.destroyed)


def _splash(draft: Draft, step: Step, targets: tuple[Ship, ...]) -> None:
    source = find_ship(draft.table, step.subject_id)
    attack = new_attack(
        draft,
        attacker=None,
        action=Action(name="core_explosion", scope=ActionScope.BRIDGE, ship_id=source.ship_id),
        dice=step.count,
        effects=SPLASH_EFFECTS,
        reason=say("The core of {source}", source=source.name),
    )
    begin_attack(draft, attack)
    damage = Step(kind=StepKind.SHIP_DAMAGE_DICE, subject_id=source.ship_id, count=step.count)
    hits = [part for one in targets for part in hit_steps(draft.table, one, source.ship_id, name=BESIDE)]
    plan_next(draft, damage, *hits, Step(kind=StepKind.SHIP_ATTACK_DONE))


def _ask_ships(table: Table, step: Step) -> Phrase:
    name = name_of_ship(table, step.subject_id)
    if step.name == "area":
        return say_count(
            step.count,
            "Up to {number} more ship in Close range of {name} may be hit. Which?",
            "Up to {number} more ships in Close range of {name} may be hit. Which?",
            name=name,
        )
    return say("Which ships are in Close range of the core of {name}?", name=name)


STEPS: Final = (
    StepRow(kind=StepKind.SHIP_PERSISTENT, begin=_begin_persistent, count=_count_persistent),
    StepRow(kind=StepKind.CORE_DICE, begin=_begin_core, count=_count_core),
    StepRow(kind=StepKind.SHIP_TARGETS, begin=_begin_targets, asks=_ask_ships),
)
"""The steps of a Round's end, and of what hits further ships."""
