"""How a fight on foot is told: damage, cover, hits, Injuries, falls, creatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rules import events_fighting as ef
from rules.narrating.telling import NOTHING, Asked, Narration, NarrationKind, Sentences, ended, longer, reason, same
from rules.phrases import Phrase, known, say, say_count, sentences
from rules.pools import spend_cost
from rules.rulesets import profile_at
from rules.state import Table
from rules.state_conflict import Step
from rules.vocabulary import InjuryState, Standing, StepKind
from rules.wording import counted, faces_words, joined, spoken

_HURT: Final[dict[InjuryState, Callable[[str], Phrase]]] = {
    InjuryState.NONE: lambda name: say("{name} is not hurt.", name=name),
    InjuryState.NONLETHAL: lambda name: say("{name} is injured.", name=name),
    InjuryState.LETHAL: lambda name: say("{name} is lethally injured.", name=name),
    InjuryState.DEAD: lambda name: say("{name} is dead.", name=name),
}


def _struck(event: ef.Struck, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if event.hazard:
        return longer(say("{name} is hit.", name=name), reason(event.attacker), "", NarrationKind.CHANGE)
    return same(say("{attacker} hits {name}.", attacker=spoken(event.attacker), name=name), NarrationKind.CHANGE)


def _own_threat(event: ef.PrivateThreatDrawn, _: Table, __: Table) -> Narration:
    first = say("{name} uses {points} Threat of its own.", name=spoken(event.name), points=event.points)
    return longer(first, say("{left} of it left.", left=event.left), "", NarrationKind.CHANGE)


def _threat_kept(event: ef.PrivateThreatReturned, _: Table, __: Table) -> Narration:
    first = say("{name} keeps {points} Threat of its own.", name=spoken(event.name), points=event.points)
    return longer(first, say("{own} of it left.", own=event.own), "", NarrationKind.CHANGE)


def _damage(event: ef.DamageCounted, _: Table, __: Table) -> Narration:
    effects = counted(event.effects, "Effect") if event.effects else say("no Effect")
    first = say("{total} damage before Resistance, {effects}.", total=event.total, effects=effects)
    return longer(first, "", say("The dice show {faces}.", faces=faces_words(event.faces)), NarrationKind.OUTCOME)


def _damage_again(event: ef.DamageRerollStarted, _: Table, __: Table) -> Narration:
    again = say_count(
        len(event.positions),
        "{number} Challenge Die of the damage is thrown again.",
        "{number} Challenge Dice of the damage are thrown again.",
    )
    return longer(again, say("In place of {faces}.", faces=faces_words(event.faces)), "", NarrationKind.CHANGE)


def _cover(event: ef.CoverCounted, _: Table, __: Table) -> Narration:
    return same(
        say("The cover gives {name} Resistance {resistance}.", name=spoken(event.name), resistance=event.resistance),
        NarrationKind.CHANGE,
    )


def _hit(event: ef.DamageSettled, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    if not event.damage:
        return longer(
            say("{name} takes no damage.", name=name),
            say("Resistance {resistance}.", resistance=event.resistance),
            "",
            NarrationKind.OUTCOME,
        )
    injuries = ended(counted(event.injuries, "Injury")) if event.injuries else NOTHING
    return longer(
        sentences(say("{name} takes {damage} damage.", name=name, damage=event.damage), injuries),
        say("Stress {stress} of {stress_max}.", stress=event.stress, stress_max=event.stress_max),
        say("Resistance {resistance}.", resistance=event.resistance),
        NarrationKind.OUTCOME,
    )


def _avoided(event: ef.InjuryAvoided, _: Table, __: Table) -> Narration:
    complication = (
        say("Complication: {complication}.", complication=spoken(known(event.complication)))
        if event.complication
        else NOTHING
    )
    return longer(say("{name} avoids the Injury.", name=spoken(event.name)), complication, "", NarrationKind.OUTCOME)


def _suffered(event: ef.InjurySuffered, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    more = "" if event.after is InjuryState.DEAD else say("{name} cannot act for the rest of the scene.", name=name)
    return longer(_HURT[event.after](name), more, "", NarrationKind.OUTCOME)


def _withstood(event: ef.InjuryWithstood, _: Table, __: Table) -> Narration:
    lost = say("It loses its next Turn.") if event.staggered else NOTHING
    return longer(say("{name} withstands the Injury.", name=spoken(event.name)), lost, "", NarrationKind.OUTCOME)


_RELIEFS: Final[dict[ef.Relief, Callable[[str], Phrase]]] = {
    ef.Relief.STABILISED: lambda name: say("{name} is stabilised.", name=name),
    ef.Relief.BACK_IN_ACTION: lambda name: say("{name} acts again.", name=name),
    ef.Relief.MAY_AVOID_AGAIN: lambda name: say("{name} may avoid an Injury again.", name=name),
}


def _relieved(event: ef.Relieved, _: Table, __: Table) -> Narration:
    return same(_RELIEFS[event.relief](spoken(event.name)), NarrationKind.CHANGE)


def _healed(event: ef.InjuryEnded, _: Table, __: Table) -> Narration:
    text = say("{name} is not injured any more.", name=spoken(event.name))
    return longer(text, "", reason(event.why), NarrationKind.CHANGE)


def _fell(event: ef.KnockedDown, _: Table, __: Table) -> Narration:
    name = spoken(event.name)
    return same(
        say("{name} is knocked down.", name=name) if event.fell else say("{name} stays up.", name=name),
        NarrationKind.OUTCOME,
    )


def _targets(event: ef.TargetsChosen, _: Table, __: Table) -> Narration:
    names = joined([spoken(one) for one in event.names])
    return same(say("Also hit: {names}.", names=names) if names else say("Nobody else is hit."), NarrationKind.CHANGE)


def _settled(_: ef.AttackSettled, __: Table, after: Table) -> Narration:
    task = after.task
    left = task.momentum_left if task is not None else 0
    return longer(
        say("The attack is settled."),
        say("{left} Momentum left of it.", left=left) if left else "",
        "",
        NarrationKind.CHANGE,
    )


def _fended(event: ef.FendedOff, _: Table, __: Table) -> Narration:
    return same(
        say("{name} breaks away from {other}.", name=spoken(event.name), other=spoken(event.other)),
        NarrationKind.OUTCOME,
    )


def _disarmed(event: ef.Disarmed, _: Table, __: Table) -> Narration:
    more = say("{label} lies on the ground.", label=spoken(known(event.label))) if event.label else ""
    return longer(say("{name} is disarmed.", name=spoken(event.name)), more, "", NarrationKind.CHANGE)


def _weapon(event: ef.WeaponTaken, _: Table, __: Table) -> Narration:
    return same(
        say("{name} takes along: {label}.", name=spoken(event.name), label=spoken(known(event.label))),
        NarrationKind.CHANGE,
    )


def _pushed(event: ef.PushedOn, _: Table, __: Table) -> Narration:
    return same(say("{name} acts in spite of the Injury.", name=spoken(event.name)), NarrationKind.CHANGE)


def _entered(event: ef.BroughtIn, _: Table, __: Table) -> Narration:
    own = (
        say("{private_threat} Threat of its own.", private_threat=event.private_threat) if event.private_threat else ""
    )
    return longer(say("{name} enters.", name=spoken(event.name)), own, "", NarrationKind.CHANGE)


def _stress(event: ef.StressChanged, _: Table, __: Table) -> Narration:
    first = say(
        "{name}, Stress {stress} of {stress_max}.",
        name=spoken(event.name),
        stress=event.stress,
        stress_max=event.stress_max,
    )
    return longer(first, "", reason(event.why), NarrationKind.CHANGE)


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
    return next((spoken(one.name) for one in table.characters if one.character_id == character_id), say("the target"))


def _choose(_: Table, __: Step) -> Phrase:
    return say("Buy more for this damage, or settle it.")


def _avoid(table: Table, step: Step) -> Phrase:
    name = _name(table, step.subject_id)
    price = spend_cost("avoid_injury", 1, profile_at(table)) + step.count
    hurt = next((one for one in table.characters if one.character_id == step.subject_id), None)
    if hurt is not None and hurt.standing is not Standing.PLAYER:
        return say("{name} suffers the Injury, or avoids it for {price} Threat.", name=name, price=price)
    if step.count:
        return say(
            "{name} suffers the Injury, or avoids it for {price} Momentum or Threat, "
            "or for a Complication and {more} more.",
            name=name,
            price=price,
            more=step.count,
        )
    return say(
        "{name} suffers the Injury, or avoids it for {price} Momentum or Threat, or for a Complication.",
        name=name,
        price=price,
    )


def _fall(table: Table, step: Step) -> Phrase:
    return say("{name} falls, or stays up for {count} Threat.", name=_name(table, step.subject_id), count=step.count)


def _recovers(table: Table, step: Step) -> Phrase:
    return say(
        "{name} loses its Injury for {count} Threat, or regains Stress.",
        name=_name(table, step.subject_id),
        count=step.count,
    )


def _whom(table: Table, step: Step) -> Phrase:
    if step.name == "secondary":
        return say("Who near {name} is hit as well?", name=_name(table, step.subject_id))
    return say("Gamemaster, who else near {name} is in the area?", name=_name(table, step.subject_id))


ASKED: Final[Asked] = {
    StepKind.CHOOSE_DAMAGE: _choose,
    StepKind.INJURY: _avoid,
    StepKind.KNOCKDOWN: _fall,
    StepKind.FAST_RECOVERY: _recovers,
    StepKind.AREA_TARGETS: _whom,
}
"""What the steps of an attack ask."""

COMMANDS: Final = {
    "follow_through": say("going on to what follows"),
    "set_cover": say("the cover"),
    "reroll_damage": say("throwing damage again"),
    "settle_damage": say("settling the damage"),
    "choose_targets": say("who else is hit"),
    "avoid_injury": say("avoiding the Injury"),
    "suffer_injury": say("suffering the Injury"),
    "stay_up": say("staying up"),
    "fall_down": say("falling down"),
    "fend_off": say("breaking away"),
    "strike_hazard": say("the hazard"),
    "take_weapon": say("taking the weapon along"),
    "push_on": say("acting in spite of the Injury"),
    "bring_in": say("bringing in the creature"),
    "draw_private_threat": say("the creature's own Threat"),
    "lose_injury": say("losing the Injury"),
    "keep_injury": say("staying injured"),
    "adjust_stress": say("the change of Stress"),
}
"""What undo calls each decision of a fight."""
