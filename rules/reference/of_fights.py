"""The tables about fights on foot: circumstances, distances, actions, weapons, Injuries, abilities, what lasts.

In: the profile of a table. Out: RNG-1, ACT-3 to ACT-8, WPN-1, EFF, QUAL, DMG-6, NPC-2 and what lasts, in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rules.conflict.attacks import CHARGED
from rules.conflict.circumstances import MACHINE_EASIER
from rules.conflict.events import MINOR_MEANINGS
from rules.conflict.lasting import LASTING, LastingRow
from rules.conflict.numbers import RANGES, range_of
from rules.deciding.decision import ActionRow
from rules.deciding.rows import AbilityRow
from rules.deciding.telling import sentence
from rules.reference.rows import ReferenceRow, ReferenceTable, Topic, named, trait_label, trait_words, traits_words
from rules.rulesets.profiles import Profile
from rules.rulesets.weapons import EFFECTS, QUALITIES, weapons_of
from rules.ships.first.stations import FIRST
from rules.ships.second.stations import SECOND
from rules.ships.stations import STATION_ACTIONS
from rules.state.people import Weapon
from rules.state.vocabulary import (
    ActionScope,
    AttackType,
    Attribute,
    Availability,
    Circumstance,
    Discipline,
    InjuryState,
    Ruleset,
)
from rules.table import PLAYBOOK
from rules.words import NOTHING, Phrase, counted, either, say, sentences

CIRCUMSTANCES: Final[Mapping[Circumstance, Phrase]] = {
    Circumstance.DARKNESS: say("Darkness"),
    Circumstance.HEAT: say("Heat"),
    Circumstance.COLD: say("Cold"),
}
"""The name of each circumstance."""


def circumstances(_: Profile) -> ReferenceTable:
    """NPC-2: what makes Tasks harder, and which creature does not mind it."""
    machine = say("Tasks that it makes harder are {easier} easier for a Machine.", easier=MACHINE_EASIER)
    meant = {
        Circumstance.DARKNESS: say("It makes nothing harder for who has Night Vision."),
        Circumstance.HEAT: machine,
        Circumstance.COLD: machine,
    }
    return ReferenceTable(
        topic=Topic.CIRCUMSTANCES,
        heading=say("Circumstances"),
        rows=tuple(
            ReferenceRow(key=one.value, rule="NPC-2", label=CIRCUMSTANCES[one], meaning=meaning)
            for one, meaning in meant.items()
        ),
    )


def ranges(_: Profile) -> ReferenceTable:
    """RNG-1: how far each range is."""
    farthest = RANGES[-1]
    zones = {one: next(away for away in range(len(RANGES)) if range_of(away) is one) for one in RANGES}
    return ReferenceTable(
        topic=Topic.RANGES,
        heading=say("Distances"),
        rows=tuple(
            ReferenceRow(
                key=one.value,
                rule="RNG-1",
                label=named(one.value),
                meaning=say("{zones} away, or more.", zones=counted(away, "zone"))
                if one is farthest
                else say("{zones} away.", zones=counted(away, "zone"))
                if away
                else say("In the same zone."),
            )
            for one, away in zones.items()
        ),
    )


def actions(profile: Profile) -> ReferenceTable:
    """ACT-3 to ACT-8: what people do in a fight, with what, and how hard it is."""
    rows = (one for one in PLAYBOOK.played(profile.edition_of) if one.scope is ActionScope.PERSONAL and one.listed)
    return ReferenceTable(
        topic=Topic.ACTIONS,
        heading=say("Actions on foot"),
        rows=tuple(
            ReferenceRow(key=one.name, rule=one.rule, label=one.label, meaning=action_words(one, LASTING.get(one.name)))
            for one in rows
        ),
    )


_DOES: Final[Mapping[str, Phrase]] = {
    **MINOR_MEANINGS,
    "change_position": say("One goes to another station."),
    "direct": say("An ally acts at once."),
    "draw_item": say("An item or a weapon comes to hand."),
    "extended": say("It brings an Extended Task further."),
    "hide_weapon": say("A weapon with Hidden goes out of sight."),
    "interact": say("Something within reach is used."),
    "movement": say("Anywhere within Medium range, unless an enemy in Reach holds one."),
    "other": say("What the rules do not name, as the gamemaster says."),
    "pass": say("The Turn goes by."),
    "restore": say("A system that is out works again."),
    "stand": say("Who lies on the ground gets up."),
    "starbase_repair": say("Breaches are repaired in dock."),
    "undisturbed_repair": say("Breaches are repaired without a throw."),
}
"""The effects of actions without a number or a lasting effect."""


def action_words(row: ActionRow, lasting: LastingRow | None) -> Phrase:
    """What an action is thrown with and against, and what holds afterwards where something lasts."""
    return sentences(
        say("A Minor Action.") if row.minor else NOTHING,
        _DOES.get(row.name, NOTHING),
        NOTHING if row.minor else skills_words(row.attributes, row.disciplines),
        say("Difficulty {difficulty}.", difficulty=row.difficulty)
        if row.difficulty is not None and not (row.minor or row.settled or row.later)
        else NOTHING,
        sentence(lasting.meaning) if lasting is not None else NOTHING,
    )


def skills_words(attributes: tuple[Attribute, ...], disciplines: tuple[Discipline, ...]) -> Phrase:
    """What is thrown, as a sentence; empty where anything fits."""
    if not attributes or not disciplines:
        return NOTHING
    every = len(attributes) == len(Attribute), len(disciplines) == len(Discipline)
    if every == (True, True):
        return NOTHING
    attribute = say("any attribute") if every[0] else either([named(one.value) for one in attributes])
    discipline = say("any discipline") if every[1] else either([named(one.value) for one in disciplines])
    return say("Thrown with {attribute} and {discipline}.", attribute=attribute, discipline=discipline)


def weapons(profile: Profile) -> ReferenceTable:
    """WPN-1: what people carry, with the house's own."""
    return ReferenceTable(
        topic=Topic.WEAPONS,
        heading=say("Weapons"),
        rows=tuple(
            ReferenceRow(key=one.name, rule="WPN-1", label=one.label, meaning=_weapon(one), price=_to_be_had(one))
            for one in weapons_of(profile)
        ),
    )


def _weapon(one: Weapon) -> Phrase:
    dice = counted(one.rating, "Challenge Die")
    melee = one.attack is AttackType.MELEE
    return sentences(
        say("Melee: {dice}, and as many as one's Security.", dice=dice)
        if melee
        else say("Ranged: {dice}, and as many as one's Security.", dice=dice),
        say("It takes two hands.") if one.two_handed else NOTHING,
        sentence(traits_words((*one.effects, *one.qualities))),
    )


def _to_be_had(one: Weapon) -> Phrase:
    if one.availability is Availability.NOT_AVAILABLE:
        return say("It is not to be had.")
    momentum, threat = counted(one.opportunity, "Momentum"), counted(one.escalation, "Threat")
    if one.opportunity and one.escalation:
        return say("To take it along costs {momentum} and adds {threat}.", momentum=momentum, threat=threat)
    if one.opportunity:
        return say("To take it along costs {momentum}.", momentum=momentum)
    return say("To take it along adds {threat}.", threat=threat) if one.escalation else NOTHING


PIERCING: Final = say("X Resistance is ignored for each Effect.")
"""What Piercing does wherever Challenge Dice are thrown (EFF-4, SWPN-4)."""


VICIOUS: Final = say("X more damage for each Effect.")
"""What Vicious does (EFF-5, SWPN-6)."""


_EFFECTS: Final[Mapping[str, tuple[str, Phrase]]] = {
    "area": (
        "EFF-1",
        say("All in Reach of the target are hit too, and one more at Close range for each Effect."),
    ),
    "intense": ("EFF-2", say("To avoid the Injury costs 1 more for each Effect.")),
    "knockdown": ("EFF-3", say("The target falls, unless 1 Threat is paid for each Effect.")),
    "piercing": ("EFF-4", PIERCING),
    "vicious": ("EFF-5", VICIOUS),
}
"""The rule and the meaning of each Damage Effect of a weapon."""


_CHARGED: Final = [trait_words(*one.partition(":")[::2]) for one in CHARGED.values()]
"""The effects that Charge can add, in words (QUAL-2)."""


_QUALITIES: Final[Mapping[str, tuple[str, Phrase]]] = {
    "accurate": ("QUAL-1", say("After Aim, any of the dice are thrown again.")),
    "charge": ("QUAL-2", say("After Prepare, it adds {effects}.", effects=either(_CHARGED))),
    "cumbersome": ("QUAL-3", say("It strikes only after Prepare in the same Turn.")),
    "deadly": ("QUAL-4", say("An attack that is not meant to kill is 1 harder.")),
    "debilitating": ("QUAL-5", say("To treat its Injuries is 1 harder.")),
    "hidden": ("QUAL-6", say("Once hidden, it is found with Insight or Reason and Security, at Difficulty X.")),
    "inaccurate": ("QUAL-7", say("Aim gives nothing.")),
    "non_lethal": ("QUAL-8", say("An attack that is meant to kill is 1 harder.")),
    "grenade": ("QUAL-9", say("It is thrown; by itself that changes nothing.")),
}
"""The rule and the meaning of each Quality of a weapon."""


def weapon_effects(_: Profile) -> ReferenceTable:
    """EFF-1 to EFF-5: what a weapon does once an Effect was thrown."""
    return ReferenceTable(
        topic=Topic.WEAPON_EFFECTS, heading=say("Effects of weapons"), rows=trait_rows(EFFECTS, _EFFECTS)
    )


def weapon_qualities(_: Profile) -> ReferenceTable:
    """QUAL-1 to QUAL-9: what a weapon is like."""
    return ReferenceTable(
        topic=Topic.WEAPON_QUALITIES, heading=say("Qualities of weapons"), rows=trait_rows(QUALITIES, _QUALITIES)
    )


def trait_rows(traits: Mapping[str, bool], meant: Mapping[str, tuple[str, Phrase]]) -> tuple[ReferenceRow, ...]:
    """A row for each effect or quality that there is; the table says whether it has a number."""
    return tuple(
        ReferenceRow(key=name, rule=meant[name][0], label=trait_label(name, numbered=numbered), meaning=meant[name][1])
        for name, numbered in traits.items()
    )


def injuries(_: Profile) -> ReferenceTable:
    """DMG-6: what each state means."""
    meant = {
        InjuryState.NONLETHAL: (say("Injured"), say("They act no more in this scene, and are well in the next one.")),
        InjuryState.LETHAL: (
            say("Lethally injured"),
            say("They act no more in this scene, and die at its end unless First Aid holds the Injury."),
        ),
        InjuryState.DEAD: (say("Dead"), say("A lethal Injury was followed by another one.")),
    }
    return ReferenceTable(
        topic=Topic.INJURIES,
        heading=say("Injuries"),
        rows=tuple(
            ReferenceRow(key=one.value, rule="DMG-6", label=label, meaning=meaning)
            for one, (label, meaning) in meant.items()
        ),
    )


def abilities(_: Profile) -> ReferenceTable:
    """NPC-2: the special abilities of creatures."""
    return ReferenceTable(
        topic=Topic.ABILITIES,
        heading=say("Special abilities"),
        rows=tuple(
            ReferenceRow(
                key=one.name,
                rule="NPC-2",
                label=say("{name} X", name=one.label) if one.number else one.label,
                meaning=sentence(one.meaning),
                price=_number(one),
            )
            for one in PLAYBOOK.abilities
        ),
    )


def _number(one: AbilityRow) -> Phrase:
    return sentences(
        say("X: {number}.", number=one.number) if one.number else NOTHING,
        say("Named with it: {about}.", about=one.about) if one.about else NOTHING,
    )


_OF_STATIONS: Final = frozenset(row.rule for rows in STATION_ACTIONS.values() for row in rows.values())
"""The rules of the stations' actions, of all rulesets."""


def lasting(profile: Profile) -> ReferenceTable:
    """What can last at a table of this ruleset, and what holds meanwhile."""
    forms = ((profile.edition_of(one), one) for rows in STATION_ACTIONS.values() for one in rows)
    played = {rows[one].rule for ruleset, one in forms if one in (rows := STATION_ACTIONS[ruleset])}
    return ReferenceTable(
        topic=Topic.LASTING,
        heading=say("What can last"),
        rows=tuple(
            ReferenceRow(key=one.name, rule=one.rule, label=one.label, meaning=sentence(one.meaning))
            for one in LASTING.values()
            if (one.rule in played if one.rule in _OF_STATIONS else not one.rule.startswith(_OTHERS[profile.ruleset]))
        ),
    )


_OTHERS: Final[Mapping[Ruleset, tuple[str, ...]]] = {
    **dict.fromkeys(FIRST, ("S2E",)),
    **dict.fromkeys(SECOND, ("SHIP-", "SWPN-", "STN-")),
}
"""How the IDs begin of rules that only the other edition plays."""
