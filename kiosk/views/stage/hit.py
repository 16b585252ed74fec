"""An attack that hit, step by step: damage, what it is lessened by, and who chooses what."""

from __future__ import annotations

from itertools import takewhile
from typing import Final

from msgspec.structs import replace

from kiosk.views.stage.dice import cover_dice, damage_dice
from kiosk.views.stage.looked_back import LOOKED_BACK
from kiosk.views.stage.names import known_as, name_of, those_said, titled
from kiosk.views.stage.told import beat_of, throw_id
from kiosk.views.stage.values import StageFact, StageView, Telling
from rules.game import (
    Attack,
    History,
    Step,
    StepKind,
    Table,
    Task,
    chooser,
    flat_resistance,
    foreseen_hit,
    foreseen_ship_hit,
    last_result,
    points_of,
    whole_damage,
)
from rules.words import Phrase, counted, joined_by, say, say_count


def attack_chain(table: Table, asked: str) -> StageView:
    """What a conflict's chain asks a person, with the damage dice."""
    attack = table.attack
    step = table.agenda[0]
    of_hit = step.kind in _OF_A_HIT
    dice = damage_dice(attack) if attack is not None and of_hit else ()
    if attack is not None and step.kind is StepKind.CHOOSE_DAMAGE:
        dice += cover_dice(attack)
    who = attack.attacker if attack is not None else ""
    facts: tuple[StageFact, ...] = ()
    if attack is not None and attack.faces and of_hit:
        total, effects = whole_damage(attack)
        facts = (StageFact(say("Damage"), str(total)), StageFact(say("Effects"), str(effects)))
    word = _who_chooses(table)
    telling = None
    if attack is not None and (headline := _hit_words(table, attack)):
        about = titled(step.system) if step.system is not None else "" if attack.attacker_id else who
        flat = step.kind is StepKind.FLAT_HIT
        lines = (say("Buy more for this damage, or settle it."),) if flat else (asked,)
        number, hint = _damage(table, attack) or _left_after(table, step), still_to_spend(table)
        telling = Telling(headline=headline, chooses=word, about=about, number=number, lines=lines, hint=hint)
    elif headline := _befell(table, step):
        telling = Telling(headline=headline, chooses=word, lines=(asked,))
    ship = next((one for one in table.ships if one.ship_id == step.subject_id), None)
    beat = beat_of_hit(table.task or last_result(table), attack) if attack is not None and of_hit else ""
    shown = StageView(
        kind="chain", who=who, word=word, lines=(asked,), facts=facts, dice=dice, telling=telling, beat=beat
    )
    if ship is None or dice or telling is None:
        return shown
    return replace(shown, struck=ship.ship_id, system=step.system.value if step.system is not None else "")


def left_to(table: Table, its_id: str) -> StageFact | None:
    """What somebody has left of their Stress, or a ship of its Shields; None where it has none at its best."""
    body = next((one.body for one in table.characters if one.character_id == its_id), None)
    state = next((one.state for one in table.ships if one.ship_id == its_id), None)
    name = name_of(table, its_id)
    if body is not None and body.stress_max:
        return StageFact(
            say("Stress of {name}", name=name), say("{left} of {most}", left=body.stress, most=body.stress_max)
        )
    if state is not None and state.shields_max:
        return StageFact(
            say("Shields of {name}", name=name), say("{left} of {most}", left=state.shields, most=state.shields_max)
        )
    return None


def with_injury_counted(shown: StageView, history: History) -> StageView:
    """`shown` with the damage and the Injury that is asked about, and which of how many where one hit caused several.

    DMG-5. The Injury of a hazard, or of something else than the attack in hand, keeps its own headline.
    """
    table, telling = history.present, shown.telling
    left = most = _injuries_left(table)
    hit = None
    for step in reversed(history.done[-LOOKED_BACK:]):
        before = step.before
        there = _injuries_left(before) if _who_is_hit(before) == _who_is_hit(table) else 0
        if not there:
            hit = foreseen_hit(before) if _who_is_hit(before) == _who_is_hit(table) else None
            break
        most = max(most, there)
    if telling is None or not left:
        return shown
    if table.attack is not None and table.attack.attacker_id and _hit_words(table, table.attack):
        damage = say("{damage} damage", damage=hit.damage) if hit is not None else ""
        harm = joined_by(", ", those_said(damage, _injuries(table, most)))
        telling = replace(telling, headline=joined_by(": ", [telling.headline, harm]))
    if most > 1:
        words = say("Injury {number} of {count}", number=most - left + 1, count=most)
        telling = replace(telling, about=joined_by(": ", those_said(telling.about, words)))
    return replace(shown, telling=telling)


def _injuries(table: Table, most: int) -> Phrase:
    """The Injuries of a hit in words, of which the next one is asked about."""
    return say("lethal Injury") if most == 1 and table.agenda[0].lethal else counted(most, "Injury")


def _injuries_left(table: Table) -> int:
    """How many Injuries of whoever is asked about one come one after the other, with that one; else 0."""
    ours = takewhile(lambda one: (one.kind, one.subject_id) == (StepKind.INJURY, _who_is_hit(table)), table.agenda)
    return sum(1 for _ in ours)


def _who_is_hit(table: Table) -> str:
    return table.agenda[0].subject_id if table.agenda else ""


_OF_A_HIT: Final = frozenset(
    {
        StepKind.CHOOSE_DAMAGE,
        StepKind.INJURY,
        StepKind.KNOCKDOWN,
        StepKind.CHOOSE_SHIP_DAMAGE,
        StepKind.FLAT_HIT,
    }
)
"""The steps of a chain about the target of the attack itself, not about others aboard or beside."""


def _hit_words(table: Table, attack: Attack) -> Phrase | str:
    """Who hits whom with the attack in hand; empty if the next step is about something else."""
    step = table.agenda[0]
    hit = step.subject_id
    if step.kind is StepKind.FLAT_HIT and not step.count:
        return ""
    if step.kind not in _OF_A_HIT or hit not in {attack.action.target_id, *attack.hit_ids}:
        return ""
    target = name_of(table, hit)
    if not attack.attacker_id:
        return say("{target} is hit", target=target) if target else ""
    who, whom = known_as(table, attack.attacker), known_as(table, target)
    return say("{who} hits {target}", who=who, target=whom) if target else ""


def _damage(table: Table, attack: Attack) -> StageFact | None:
    """The damage while more can be bought for it; once it is applied, the voice reports the result."""
    step = table.agenda[0]
    if step.kind is StepKind.FLAT_HIT:
        whole, met = step.count + attack.bonus_damage, flat_resistance(table, step)
        return damage_after_resistance(whole, met, max(0, whole - met))
    if step.kind not in {StepKind.CHOOSE_DAMAGE, StepKind.CHOOSE_SHIP_DAMAGE} or not attack.faces:
        return None
    total, effects = whole_damage(attack)
    bought, thrown = attack.bonus_damage, sum(points_of(face) for face in attack.faces)
    hit = foreseen_hit(table) or foreseen_ship_hit(table)
    wound = "Injury" if step.kind is StepKind.CHOOSE_DAMAGE else "Breach"
    parts = [
        counted(hit.wounds, wound) if hit is not None and hit.wounds else "",
        say_count(effects, "{number} Effect", "{number} Effects") if effects else "",
        say("Vicious adds {points}", points=total - thrown - bought) if total > thrown + bought else "",
        say("Bonus Damage adds {points}", points=bought) if bought else "",
    ]
    note = joined_by(", ", those_said(*parts))
    if hit is None:
        return StageFact(say("Damage before Resistance"), str(total), note=note)
    return damage_after_resistance(total, hit.total_resistance, hit.damage, note)


def damage_after_resistance(whole: int, resistance: int, left: int, note: Phrase | str = "") -> StageFact:
    """Damage with the Resistance that it meets, and what is left of it."""
    if not resistance:
        return StageFact(say("Damage"), str(whole), note=note)
    less = say("{whole} − {resistance} = {left}", whole=whole, resistance=resistance, left=left)  # noqa: RUF001 - a minus
    return StageFact(say("Damage less Resistance"), less, note=note)


def _left_after(table: Table, step: Step) -> StageFact | None:
    """What a hit whose damage is applied left of the Stress, while the rest of it is decided."""
    return left_to(table, step.subject_id) if step.kind in {StepKind.INJURY, StepKind.KNOCKDOWN} else None


def still_to_spend(table: Table) -> Phrase | str:
    """What is left of the Momentum of the Task in hand, for as long as it buys more."""
    left = table.task.momentum_left if table.task is not None else 0
    return say("{momentum} Momentum of this Task left.", momentum=left) if left else ""


def _who_chooses(table: Table) -> Phrase:
    """Who answers what a chain asks, as a heading for everybody who waits."""
    found = chooser(table)
    if found is None or (not found.gamemaster and not found.character_id):
        return say("The players choose")
    if found.gamemaster:
        return say("The gamemaster chooses")
    return say("{name} chooses", name=known_as(table, name_of(table, found.character_id)))


def _befell(table: Table, step: Step) -> Phrase | str:
    """What happened, where a chain asks about something else than the attack's own hit; empty if it is told already."""
    name = name_of(table, step.subject_id)
    if not name:
        return ""
    if step.kind is StepKind.SHAKEN:
        return _breach_words(table, step) or say("{name} is shaken", name=name)
    if step.kind is StepKind.CASUALTY:
        return say("Somebody aboard {ship} is injured", ship=name)
    if step.kind is StepKind.INJURY:
        return say("{name} is hit", name=name)
    if step.kind is StepKind.KNOCKDOWN:
        return say("{name} is knocked down", name=name)
    return ""


def _breach_words(table: Table, step: Step) -> Phrase | str:
    """The Breaches of the system whose hit shook the ship; empty if it has none."""
    ship = next((one for one in table.ships if one.ship_id == step.subject_id), None)
    number = ship.state.damage_of(step.system).breaches if ship is not None and step.system is not None else 0
    if ship is None or step.system is None or not number:
        return ""
    return say_count(
        number,
        "{number} Breach on {ship}: {system}",
        "{number} Breaches on {ship}: {system}",
        ship=ship.name,
        system=titled(step.system.value),
    )


def beat_of_hit(task: Task | None, attack: Attack) -> str:
    """An id for the damage of an attack, from when its dice lie there: what comes of it is no throw of its own."""
    return f"{beat_of(task) if task is not None else ''} {throw_id(attack.number, attack.faces)}"
