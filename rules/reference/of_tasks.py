"""The tables about Tasks and pools: Difficulty, complication range, bonus dice, what the pools and Determination buy.

In: the profile of a table. Out: DIFF-1, TASK-7, BUY, POOL-4 to POOL-8, MOM, DET, THR-2 to THR-4 and TRAIT-1 in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rules.deciding.rows import SpendRule, ThreatRow
from rules.deciding.telling import sentence
from rules.reference.rows import ReferenceRow, ReferenceTable, Topic, named
from rules.rulesets.profiles import Profile
from rules.state.vocabulary import Benefit, Payer, TraitKind, ValueAction
from rules.table import PLAYBOOK
from rules.tasks.buying import next_die_price
from rules.tasks.determination import BENEFIT_PRICE, BENEFIT_RULES, surge_difficulty
from rules.tasks.pools import spends_of
from rules.tasks.scoring import (
    DETERMINATION_DIE_SUCCESSES,
    DIFFICULTY_LADDER,
    DIFFICULTY_WORDS,
    MOST_BONUS_DICE,
    RANGE_WORDS,
)
from rules.words import NOTHING, Phrase, counted, joined_by, say, sentences


def difficulty(_: Profile) -> ReferenceTable:
    """DIFF-1: what each Difficulty feels like."""
    return ReferenceTable(
        topic=Topic.DIFFICULTY,
        heading=say("Difficulty"),
        rows=tuple(
            ReferenceRow(
                key=str(number),
                rule="DIFF-1",
                label=say("Difficulty {difficulty}, {word}", difficulty=number, word=word),
                meaning=sentence(joined_by(", ", examples)),
            )
            for number, (word, examples) in enumerate(zip(DIFFICULTY_WORDS, DIFFICULTY_LADDER, strict=True))
        ),
    )


def complication_range(_: Profile) -> ReferenceTable:
    """TASK-7: the faces that bring a Complication."""
    return ReferenceTable(
        topic=Topic.COMPLICATION_RANGE,
        heading=say("Complication range"),
        rows=tuple(
            ReferenceRow(
                key=str(width),
                rule="TASK-7",
                label=say("Complication range {width}", width=width),
                meaning=words,
            )
            for width, words in RANGE_WORDS.items()
        ),
    )


def bonus_dice(profile: Profile) -> ReferenceTable:
    """BUY-1 to BUY-7: what each bonus d20 costs, by what pays for it."""
    first, second, third = (next_die_price((Payer.MOMENTUM,) * bought, profile) for bought in range(MOST_BONUS_DICE))
    rising = say("{first} for the first die, {second} for the second, {third} for the third.",
                 first=first, second=second, third=third)  # fmt: skip
    fixed = say(
        "The die shows a 1: {successes}, and no Complication. It needs a Value that helps.",
        successes=counted(DETERMINATION_DIE_SUCCESSES, "success"),
    )
    order = say("It is bought before all others.") if profile.determination_first else NOTHING
    dearer = say("It makes the next bought die dearer.") if profile.bonus_price_counts_all else NOTHING
    free = say("Where a Talent says so. A Task has at most {most} bonus dice from all sources.", most=MOST_BONUS_DICE)
    rows: tuple[tuple[Payer, str, Phrase, Phrase, Phrase], ...] = (
        (Payer.MOMENTUM, "BUY-2", say("With Momentum"), say("One d20 more, from the group's pool."), rising),
        (
            Payer.THREAT, "BUY-3", say("With Threat"),
            say("One d20 more: players add to Threat, an NPC takes from it."), rising,
        ),
        (
            Payer.DETERMINATION, "BUY-4", say("With Determination"), sentences(fixed, order, dearer),
            say("It costs {points} Determination.", points=BENEFIT_PRICE),
        ),
        (Payer.TALENT, "BUY-6", say("From a Talent"), sentences(free, dearer), say("It costs nothing.")),
    )  # fmt: skip
    return ReferenceTable(
        topic=Topic.BONUS_DICE,
        heading=say("Bonus dice"),
        rows=tuple(
            ReferenceRow(key=payer.value, rule=rule, label=label, meaning=meaning, price=price)
            for payer, rule, label, meaning, price in rows
        ),
    )


def momentum(profile: Profile) -> ReferenceTable:
    """POOL-4 to POOL-8, MOM-1 to MOM-11, S2E-8: what Momentum buys, as the house plays it."""
    return ReferenceTable(
        topic=Topic.MOMENTUM,
        heading=say("What Momentum buys"),
        rows=tuple(
            ReferenceRow(key=one.name, rule=one.rule, label=one.label, meaning=sentence(one.effect), price=_price(one))
            for one in spends_of(PLAYBOOK, profile)
        ),
    )


def _price(one: SpendRule) -> Phrase:
    """What a spend costs, how often it can be bought, and whether Threat may pay for it."""
    limit = say("As often as wanted.")
    if one.most is not None:
        limit = say("Up to {most} times on one Task.", most=one.most)
    costs = (
        say("It costs {first} Momentum, then {second}, then {third}.",
            first=one.cost, second=2 * one.cost, third=3 * one.cost)
        if one.escalating
        else say("It costs {momentum}.", momentum=counted(one.cost, "Momentum"))
    )  # fmt: skip
    return sentences(
        costs,
        limit if one.repeatable else NOTHING,
        say("Points of it may be added to Threat instead.") if one.immediate else NOTHING,
    )


def determination(profile: Profile) -> ReferenceTable:
    """DET-1 to DET-9: what a point of Determination buys, and how a Value gives one back."""
    price = say("It costs {points} Determination, and needs a Value that helps.", points=BENEFIT_PRICE)
    bought = tuple(
        ReferenceRow(key=one.value, rule=BENEFIT_RULES[one], label=named(one.value), meaning=meaning, price=price)
        for one, meaning in _benefits(profile).items()
    )
    back = (
        ReferenceRow(
            key=ValueAction.ACCEPT_COMPLICATION.value,
            rule="DET-6",
            label=say("A Value gets in the way"),
            meaning=say("A Complication is taken, and 1 Determination comes back."),
        ),
        ReferenceRow(
            key=ValueAction.CHALLENGE.value,
            rule="DET-7",
            label=say("A Value is challenged"),
            meaning=say("Once a session: the Value is struck out, and 1 Determination comes back."),
        ),
    )
    return ReferenceTable(topic=Topic.DETERMINATION, heading=say("What Determination buys"), rows=(*bought, *back))


def _benefits(profile: Profile) -> Mapping[Benefit, Phrase]:
    harder = surge_difficulty(profile)
    found = {
        Benefit.PERFECT_OPPORTUNITY: say(
            "A bonus d20 that shows a 1: {successes}, and no Complication.",
            successes=counted(DETERMINATION_DIE_SUCCESSES, "success"),
        ),
        Benefit.MOMENT_OF_INSPIRATION: say("Any of one's own dice are thrown again.")
        if profile.inspiration_subset
        else say("All of one's own dice are thrown again."),
        Benefit.SURGE_OF_ACTIVITY: say("Another Task at once, {harder} harder.", harder=harder)
        if harder
        else say("Another Task at once."),
        Benefit.MAKE_IT_SO: say("An advantage for the scene, without a throw."),
        Benefit.IGNORE_INJURY: say("One acts in spite of an Injury until the scene ends."),
    }
    return found if profile.pushing_on else {one: words for one, words in found.items() if one is not _PUSHED}


_PUSHED: Final = Benefit.IGNORE_INJURY
"""The benefit of Determination that only the rulesets with Pushing On have."""


_TORPEDOES: Final = frozenset({"torpedo_attack", "npc_torpedo_attack"})
"""Reasons that hold where torpedoes cost Threat (C-52)."""


def threat_gains(profile: Profile) -> ReferenceTable:
    """THR-2, THR-3: what raises Threat."""
    rows = (
        _threat_row(one, "THR-2", say("It adds {threat}.", threat=counted(one.each, "Threat")))
        for one in PLAYBOOK.threat_gains
        if profile.torpedo_adds_threat or one.name not in _TORPEDOES
    )
    return ReferenceTable(topic=Topic.THREAT_GAINS, heading=say("What raises Threat"), rows=tuple(rows))


def threat_spends(profile: Profile) -> ReferenceTable:
    """THR-4: what the gamemaster buys with Threat."""
    rows = (
        _threat_row(one, "THR-4", say("It costs {threat}.", threat=counted(one.each, "Threat")))
        for one in PLAYBOOK.threat_spends
        if profile.torpedo_adds_threat or one.name not in _TORPEDOES
    )
    return ReferenceTable(topic=Topic.THREAT_SPENDS, heading=say("What Threat buys"), rows=tuple(rows))


def _threat_row(one: ThreatRow, rule: str, price: Phrase) -> ReferenceRow:
    return ReferenceRow(key=one.name, rule=rule, label=one.label, meaning=NOTHING, price=price)


def traits(_: Profile) -> ReferenceTable:
    """TRAIT-1, TRAIT-3: what each kind of trait does."""
    meant = {
        TraitKind.TRAIT: (
            "TRAIT-1", say("It makes a Task 1 easier or 1 harder, possible or impossible, or changes nothing."),
        ),
        TraitKind.ADVANTAGE: ("TRAIT-3", say("A trait that never harms its owner.")),
        TraitKind.COMPLICATION: ("TRAIT-3", say("A trait that never helps its owner.")),
    }  # fmt: skip
    return ReferenceTable(
        topic=Topic.TRAITS,
        heading=say("Traits"),
        rows=tuple(
            ReferenceRow(key=one.value, rule=rule, label=named(one.value), meaning=meaning)
            for one, (rule, meaning) in meant.items()
        ),
    )
