"""What an attack did to its target once it is settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import Final

from msgspec.structs import replace

from kiosk.views.stage.dice import damage_dice
from kiosk.views.stage.hit import beat_of_hit, damage_after_resistance, left_to
from kiosk.views.stage.looked_back import tables_in_hand
from kiosk.views.stage.names import name_of, those_said, titled
from kiosk.views.stage.values import Blow, StageFact, StageView, Telling
from rules.game import (
    Attack,
    DecidedStep,
    History,
    Hit,
    InjuryState,
    Ship,
    StepKind,
    System,
    Table,
    Task,
    TaskPhase,
    Weight,
    foreseen_hit,
    foreseen_ship_hit,
    last_result,
    points_of,
    whole_damage,
)
from rules.words import Phrase, counted, joined_by, say, say_count


def with_harm(shown: StageView, history: History) -> StageView:
    """`shown` with what a blow that was settled did, beside whom it hits."""
    table = history.present
    task, telling = table.task or last_result(table), shown.telling
    if shown.kind != "outcome" or task is None or telling is None:
        return shown
    settled = settled_blow(task, history.done)
    if settled is None:
        return shown
    headline = headline_with_harm(telling.headline, settled)
    telling = replace(telling, headline=headline, lines=those_said(*telling.lines, _located(settled)))
    return replace(shown, telling=telling, blow=_blow_shown(shown, telling, task, settled))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settled:
    """An attack as it was at last, and the tables before it and once it was settled."""

    attack: Attack
    before: Table
    after: Table
    hit: Hit | None
    system: System | None = None
    """The system of a ship that the attack's first hit found, if it was found."""


def settled_blow(task: Task, done: Sequence[DecidedStep]) -> _Settled | None:
    """The attack that a Task set off, once it is settled; None of any other Task, and until then."""
    there = tables_in_hand(task.number, done)
    first = next((place for place, one in enumerate(there) if one.attack is not None), len(there))
    struck = list(takewhile(lambda one: one.attack is not None, there[first:]))
    attack = struck[-1].attack if struck else None
    if attack is None or first + len(struck) == len(there):
        return None
    found = (one.system for each in struck for one in each.agenda if one.kind in _LOCATED and one.system is not None)
    hits = (foreseen_hit(one) or foreseen_ship_hit(one) for one in reversed(struck))
    hit = next((one for one in hits if one is not None), None)
    after = there[first + len(struck)]
    return _Settled(attack=attack, before=struck[0], after=after, hit=hit, system=next(found, None))


_LOCATED: Final = frozenset({StepKind.FLAT_HIT, StepKind.SETTLE_SHIP_HIT})
"""The steps of a hit on a ship that know which system it finds."""


def headline_with_harm(headline: Phrase | str, settled: _Settled | None) -> Phrase | str:
    """`headline` of a blow with the harm that it did; as it is where there is none, and until the blow is settled."""
    harm = _harm(settled.before, settled.after, settled.attack.action.target_id) if settled is not None else ""
    return joined_by(": ", [headline, harm]) if harm else headline


def _blow_shown(shown: StageView, telling: Telling, task: Task, settled: _Settled) -> Blow:
    """A settled attack for the room: the dice of the damage in place of those that hit."""
    attack, before, after = settled.attack, settled.before, settled.after
    target = attack.action.target_id
    dice = damage_dice(attack)
    ship = next((one for one in after.ships if one.ship_id == target), None)
    breached = _breached(before, ship) if ship is not None else {}
    others = tuple(one for one in dict.fromkeys(attack.hit_ids) if one != target)
    harms = ((name_of(after, one), _harm(before, after, one)) for one in others)
    left = telling.number if task.phase is TaskPhase.SPENDING and task.momentum_left else None
    return Blow(
        headline=telling.headline,
        cost=telling.cost,
        about=_damage_told(attack, settled.hit) if dice else telling.about,
        number=left_to(after, target),
        lines=(
            *those_said(_located(settled) if settled.system not in breached else ""),
            *(joined_by(": ", [titled(one.value), counted(number, "Breach")]) for one, number in breached.items()),
            *(joined_by(": ", those_said(name, harm)) for name, harm in harms if name),
        ),
        dice=dice,
        counts=tuple(accumulate(points_of(face) for face in attack.faces)),
        mark=shown.mark,
        weight=Weight.SUCCESS.value if shown.weight == Weight.TRIUMPH else shown.weight,
        beat=beat_of_hit(task, attack),
        struck=target if ship is not None else "",
        system=(max(breached, key=lambda one: breached[one]) if breached else settled.system or ""),
        next=those_said(joined_by(": ", [left.name, left.value]) if left is not None else ""),
    )


def _located(settled: _Settled) -> Phrase | str:
    """The system that a settled attack on a ship found, with what became of it; empty where none was found."""
    target = settled.attack.action.target_id
    ship = next((one for one in settled.after.ships if one.ship_id == target), None)
    if settled.system is None or ship is None:
        return ""
    number = _breached(settled.before, ship).get(settled.system, 0)
    broken = counted(number, "Breach") if number else say("no Breach")
    return joined_by(": ", [titled(settled.system.value), broken])


def _damage_told(attack: Attack, hit: Hit | None) -> Phrase:
    """The damage of the dice, with the Resistance that it met, and their Effects."""
    total, effects = whole_damage(attack)
    more = say_count(effects, "{number} Effect", "{number} Effects") if effects else ""
    told = StageFact(say("Damage before Resistance"), str(total))
    if hit is not None:
        told = damage_after_resistance(total, hit.total_resistance, hit.damage)
    return joined_by(": ", [told.name, joined_by(", ", those_said(told.value, more))])


def _breached(before: Table, ship: Ship) -> dict[System, int]:
    """The systems of a ship with Breaches that they did not have `before`, and how many."""
    was = next((one for one in before.ships if one.ship_id == ship.ship_id), ship).state
    more = {one: ship.state.damage_of(one).breaches - was.damage_of(one).breaches for one in System}
    return {one: number for one, number in more.items() if number > 0}


def _harm(before: Table, after: Table, struck: str) -> Phrase | str:
    """What a settled blow did to one, in short; empty where that cannot be told from how they stood and stand.

    Damage beyond the last point of Stress or Shields is nowhere kept: then the Injury or the Breach is told alone.
    """
    for was in before.characters:
        now = next((one for one in after.characters if one.character_id == was.character_id), None)
        if was.character_id == struck and now is not None:
            stress = was.body.stress if was.body.stress_max else now.body.stress_max
            hurt = "" if was.body.injury is now.body.injury else _HURT[now.body.injury]
            return _harm_words(stress, now.body.stress, hurt)
    for ship in before.ships:
        hit = next((one for one in after.ships if one.ship_id == ship.ship_id), None)
        if ship.ship_id == struck and hit is not None:
            breaches = _breaches(hit) - _breaches(ship)
            broken = counted(breaches, "Breach") if breaches > 0 else ""
            broken = say("ship destroyed") if hit.state.destroyed else broken
            return _harm_words(ship.state.shields, hit.state.shields, broken)
    return ""


def _harm_words(before: int, after: int, hurt: Phrase | str) -> Phrase | str:
    damage = say("{damage} damage", damage=before - after) if 0 < after < before else ""
    if damage or hurt:
        return joined_by(", ", those_said(damage, hurt))
    return say("no damage") if after == before else ""


def _breaches(ship: Ship) -> int:
    return sum(one.breaches for one in ship.state.systems) + ship.state.unplaced_breaches


_HURT: Final[Mapping[InjuryState, Phrase | str]] = {
    InjuryState.NONE: "",
    InjuryState.NONLETHAL: counted(1, "Injury"),
    InjuryState.LETHAL: say("lethal Injury"),
    InjuryState.DEAD: say("dead"),
}
"""How badly somebody is hurt, in a headline."""
