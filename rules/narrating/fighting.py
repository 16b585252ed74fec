"""How a fight on foot is told: damage, cover, hits, Injuries, falls, creatures."""

from __future__ import annotations

from typing import Final

from rules import events_fighting as ef
from rules.narrating.telling import Asked, Narration, NarrationKind, Sentences, longer, same, sentence
from rules.pools import spend_cost
from rules.rulesets import profile_at
from rules.state import Table
from rules.state_conflict import Step
from rules.vocabulary import InjuryState, Standing, StepKind
from rules.wording import counted, faces_words, joined, spoken

_HURT: Final = {
    InjuryState.NONE: "is not hurt",
    InjuryState.NONLETHAL: "is injured",
    InjuryState.LETHAL: "is lethally injured",
    InjuryState.DEAD: "is dead",
}


def _struck(event: ef.Struck, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if event.hazard:
        what = spoken(event.attacker)
        return longer(f"{name} is hit.", f"{what[:1].upper()}{what[1:]}.", "", NarrationKind.CHANGE)
    return same(f"{spoken(event.attacker)} hits {name}.", NarrationKind.CHANGE)


def _own_threat(event: ef.PrivateThreatDrawn, _: Table, __: Table) -> Narration:
    first = f"{spoken(event.name)} uses {event.points} Threat of its own."
    return longer(first, "", f"{event.left} of it left.", NarrationKind.CHANGE)


def _threat_kept(event: ef.PrivateThreatReturned, _: Table, __: Table) -> Narration:
    first = f"{spoken(event.name)} keeps {event.points} Threat of its own."
    return longer(first, "", f"{event.own} of it left.", NarrationKind.CHANGE)


def _damage(event: ef.DamageCounted, _: Table, __: Table) -> Narration:
    effects = counted(event.effects, "Effect") if event.effects else "no Effect"
    first = f"{event.total} damage before Resistance, {effects}."
    return longer(first, "", f"The dice show {faces_words(event.faces)}.", NarrationKind.OUTCOME)


def _damage_again(event: ef.DamageRerollStarted, _: Table, __: Table) -> Narration:
    dice = counted(len(event.positions), "Challenge Die", "Challenge Dice")
    again = f"{dice} of the damage {'is' if len(event.positions) == 1 else 'are'} thrown again."
    return longer(again, f"In place of {faces_words(event.faces)}.", "", NarrationKind.CHANGE)


def _cover(event: ef.CoverCounted, _: Table, __: Table) -> Narration:
    return same(f"The cover gives {spoken(event.name)} Resistance {event.resistance}.", NarrationKind.CHANGE)


def _hit(event: ef.DamageSettled, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if not event.damage:
        return longer(f"{name} takes no damage.", f"Resistance {event.resistance}.", "", NarrationKind.OUTCOME)
    injuries = f" {counted(event.injuries, 'Injury', 'Injuries')}." if event.injuries else ""
    return longer(
        f"{name} takes {event.damage} damage.{injuries}",
        f"Stress {event.stress} of {event.stress_max}.",
        f"Resistance {event.resistance}.",
        NarrationKind.OUTCOME,
    )


def _avoided(event: ef.InjuryAvoided, before: Table, after: Table) -> Narration:
    name = spoken(event.name)
    price = _price_words(event, before, after) if event.price else ""
    complication = f"Complication: {spoken(event.complication)}." if event.complication else ""
    more = " ".join(part for part in (price, complication) if part)
    return longer(f"{name} avoids the Injury.", more, "", NarrationKind.OUTCOME)


def _price_words(event: ef.InjuryAvoided, before: Table, after: Table) -> str:
    """What avoiding an Injury was paid with (DMG-7, NPC-1)."""
    paid = next((one for one in before.characters if one.character_id == event.character_id), None)
    if paid is not None and paid.standing is not Standing.PLAYER:
        return f"It costs {event.price} Threat."
    added = after.threat - before.threat
    if added >= event.price:
        return f"Threat rises by {event.price}."
    momentum = f"It costs {event.price - max(0, added)} Momentum."
    return f"{momentum} Threat rises by {added}." if added > 0 else momentum


def _suffered(event: ef.InjurySuffered, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    more = "" if event.after is InjuryState.DEAD else f"{name} cannot act for the rest of the scene."
    return longer(f"{name} {_HURT[event.after]}.", more, "", NarrationKind.OUTCOME)


def _withstood(event: ef.InjuryWithstood, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    more = []
    if event.staggered:
        more.append("It loses its next Turn.")
    if event.threat:
        more.append(f"Threat rises by {event.threat}.")
    return longer(f"{name} withstands the Injury.", " ".join(more), "", NarrationKind.OUTCOME)


_RELIEFS: Final = {
    ef.Relief.STABILISED: "is stabilised.",
    ef.Relief.BACK_IN_ACTION: "acts again.",
    ef.Relief.MAY_AVOID_AGAIN: "may avoid an Injury again.",
}


def _relieved(event: ef.Relieved, _: Table, __: Table) -> Narration:
    return same(f"{spoken(event.name)} {_RELIEFS[event.relief]}", NarrationKind.CHANGE)


def _healed(event: ef.InjuryEnded, _: Table, __: Table) -> Narration:
    why = spoken(event.why)
    return longer(f"{spoken(event.name)} is not injured any more.", "", sentence(why), NarrationKind.CHANGE)


def _fell(event: ef.KnockedDown, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    return same(f"{name} is knocked down." if event.fell else f"{name} stays up.", NarrationKind.OUTCOME)


def _targets(event: ef.TargetsChosen, _: Table, __: Table) -> Narration:
    names = joined([spoken(one) for one in event.names])
    return same(f"Also hit: {names}." if names else "Nobody else is hit.", NarrationKind.CHANGE)


def _settled(_: ef.AttackSettled, __: Table, after: Table) -> Narration:
    task = after.task
    left = task.momentum_left if task is not None else 0
    return longer("The attack is settled.", f"{left} Momentum left of it." if left else "", "", NarrationKind.CHANGE)


def _fended(event: ef.FendedOff, _: Table, __: Table) -> Narration:
    return same(f"{spoken(event.name)} breaks away from {spoken(event.other)}.", NarrationKind.OUTCOME)


def _disarmed(event: ef.Disarmed, _: Table, __: Table) -> Narration:
    more = f"{spoken(event.label)} lies on the ground." if event.label else ""
    return longer(f"{spoken(event.name)} is disarmed.", more, "", NarrationKind.CHANGE)


def _weapon(event: ef.WeaponTaken, _: Table, __: Table) -> Narration:
    return same(f"{spoken(event.name)} takes along: {spoken(event.label)}.", NarrationKind.CHANGE)


def _pushed(event: ef.PushedOn, _: Table, __: Table) -> Narration:
    return same(f"{spoken(event.name)} acts in spite of the Injury.", NarrationKind.CHANGE)


def _entered(event: ef.BroughtIn, _: Table, __: Table) -> Narration:
    own = f"{event.private_threat} Threat of its own." if event.private_threat else ""
    return longer(f"{spoken(event.name)} enters.", own, "", NarrationKind.CHANGE)


def _stress(event: ef.StressChanged, _: Table, __: Table) -> Narration:
    why = spoken(event.why)
    first = f"{spoken(event.name)}, Stress {event.stress} of {event.stress_max}."
    return longer(first, "", sentence(why), NarrationKind.CHANGE)


SENTENCES: Final[Sentences] = {
    ef.Struck: _struck,
    ef.PrivateThreatDrawn: _own_threat,
    ef.PrivateThreatReturned: _threat_kept,
    ef.DamageCounted: _damage,
    ef.DamageRerollStarted: _damage_again,
    ef.CoverCounted: _cover,
    ef.DamageSettled: _hit,
    ef.InjuryAvoided: _avoided,
    ef.InjurySuffered: _suffered,
    ef.InjuryWithstood: _withstood,
    ef.InjuryEnded: _healed,
    ef.Relieved: _relieved,
    ef.KnockedDown: _fell,
    ef.TargetsChosen: _targets,
    ef.AttackSettled: _settled,
    ef.FendedOff: _fended,
    ef.Disarmed: _disarmed,
    ef.WeaponTaken: _weapon,
    ef.PushedOn: _pushed,
    ef.BroughtIn: _entered,
    ef.StressChanged: _stress,
}
"""Each thing that happens in a fight on foot."""


def _name(table: Table, character_id: str) -> str:
    return next((spoken(one.name) for one in table.characters if one.character_id == character_id), "the target")


def _choose(_: Table, __: Step) -> str:
    return "Buy more for this damage, or settle it."


def _avoid(table: Table, step: Step) -> str:
    name = _name(table, step.subject_id)
    price = spend_cost("avoid_injury", 1, profile_at(table)) + step.count
    hurt = next((one for one in table.characters if one.character_id == step.subject_id), None)
    if hurt is not None and hurt.standing is not Standing.PLAYER:
        return f"{name} suffers the Injury, or avoids it for {price} Threat."
    more = f" and {step.count} more" if step.count else ""
    return f"{name} suffers the Injury, or avoids it for {price} Momentum or Threat, or for a Complication{more}."


def _fall(table: Table, step: Step) -> str:
    return f"{_name(table, step.subject_id)} falls, or stays up for {step.count} Threat."


def _recovers(table: Table, step: Step) -> str:
    return f"{_name(table, step.subject_id)} loses its Injury for {step.count} Threat, or regains Stress."


def _whom(table: Table, step: Step) -> str:
    if step.name == "secondary":
        return f"Who near {_name(table, step.subject_id)} is hit as well?"
    return f"Gamemaster, who else near {_name(table, step.subject_id)} is in the area?"


ASKED: Final[Asked] = {
    StepKind.CHOOSE_DAMAGE: _choose,
    StepKind.INJURY: _avoid,
    StepKind.KNOCKDOWN: _fall,
    StepKind.FAST_RECOVERY: _recovers,
    StepKind.AREA_TARGETS: _whom,
}
"""What the steps of an attack ask."""

COMMANDS: Final = {
    "follow_through": "going on to what follows",
    "set_cover": "the cover",
    "reroll_damage": "throwing damage again",
    "settle_damage": "settling the damage",
    "choose_targets": "who else is hit",
    "avoid_injury": "avoiding the Injury",
    "suffer_injury": "suffering the Injury",
    "stay_up": "staying up",
    "fall_down": "falling down",
    "fend_off": "breaking away",
    "strike_hazard": "the hazard",
    "take_weapon": "taking the weapon along",
    "push_on": "acting in spite of the Injury",
    "bring_in": "bringing in the creature",
    "draw_private_threat": "the creature's own Threat",
    "lose_injury": "losing the Injury",
    "keep_injury": "staying injured",
    "adjust_stress": "the change of Stress",
}
"""What undo calls each decision of a fight."""
