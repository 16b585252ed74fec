"""Momentum: its pool, its spends as a table, and who pays them (POOL-1 to POOL-11). Threat is in `threat`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final

from rules.deciding.checks import require_ready, short_text
from rules.deciding.decision import Command, Draft, Playbook
from rules.deciding.rows import SpendRule
from rules.errors import Refusal, require_at_least
from rules.rulesets.profiles import Profile
from rules.state.changing import replace
from rules.state.glossary import SPEND_WORDS
from rules.state.table import Table
from rules.state.vocabulary import Pool, TraitKind
from rules.tasks.threat import CREATE_COMPLICATION, gain_threat, reason_of, require_threat, spend_threat
from rules.tasks.traits import record_trait, without_words
from rules.words import Phrase, say, worded

MOMENTUM_CAP: Final = 6
"""Most Momentum that the group pool holds (POOL-2)."""


def _capped(rule: SpendRule, profile: Profile) -> SpendRule:
    """POOL-7, C-9: how many there can be on one Task is the ruleset's."""
    return replace(rule, most=profile.create_problem_cap)


CREATE_PROBLEM: Final = SpendRule(
    name="create_problem", rule="POOL-7", label=SPEND_WORDS["create_problem"], cost=2, scope="any",
    effect=say("one more Difficulty on an enemy's Task"), repeatable=True, immediate=True, here=_capped,
)  # fmt: skip
"""What makes an enemy's Task harder (POOL-7)."""

REROLL_DAMAGE: Final = SpendRule(
    name="reroll_damage", rule="MOM-6", label=SPEND_WORDS["reroll_damage"], cost=1, scope="any",
    effect=say("any of the Challenge Dice thrown again"),
)  # fmt: skip
"""Challenge Dice again, those of a free roll as well (MOM-6)."""

ROWS: Final = (
    SpendRule(
        name="create_advantage", rule="POOL-5", label=SPEND_WORDS["create_advantage"], cost=2, scope="any",
        effect=say("an advantage for the scene, or one complication less"),
    ),
    SpendRule(
        name="create_opportunity", rule="POOL-6", label=SPEND_WORDS["create_opportunity"], cost=1, scope="any",
        effect=say("a bonus d20 before the throw"), repeatable=True, immediate=True, escalating=True, most=3,
    ),
    CREATE_PROBLEM,
    SpendRule(
        name="obtain_information", rule="POOL-8", label=SPEND_WORDS["obtain_information"], cost=1, scope="any",
        effect=say("the answer to one question"), repeatable=True,
    ),
    REROLL_DAMAGE,
)  # fmt: skip
"""What Momentum buys on Tasks and free rolls of any kind; the subjects bring what it buys on theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PricePaid:
    """How a price is paid: Momentum of this Task, of the group pool, Threat added (players) or spent (NPCs)."""

    from_generated: int = 0
    from_pool: int = 0
    added_threat: int = 0
    spent_threat: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """POOL-2: the group pool after saving, how much was saved, how much exceeded 6 and is lost."""

    pool: int
    saved: int
    lost: int


def spends_of(playbook: Playbook, profile: Profile) -> tuple[SpendRule, ...]:
    """The spends that a table has, in the order in which the rooms bring them, as its house plays them (POOL-4)."""
    return tuple(_at_this_house(one, profile) for one in playbook.spends if profile.ruleset in one.rulesets)


def _at_this_house(rule: SpendRule, profile: Profile) -> SpendRule:
    here = rule.here(rule, profile)
    house = next((one for one in profile.house.spends if one.name == rule.name), None)
    if house is None:
        return here
    changes: dict[str, Any] = {one.name: getattr(house, one.name) for one in fields(house)}
    return replace(here, **{name: value for name, value in changes.items() if value is not None})


def spend_rule(playbook: Playbook, name: str, profile: Profile) -> SpendRule:
    """The row of one spend as the house plays it. Refuses a name that the ruleset does not have (POOL-4)."""
    rule = playbook.spend_rows.get(name)
    if rule is None:
        raise _no_spend(name)
    return played(rule, profile)


def played(rule: SpendRule, profile: Profile) -> SpendRule:
    """A spend as the house plays it. Refuses one that the ruleset does not have (POOL-4)."""
    if profile.ruleset not in rule.rulesets:
        raise _no_spend(rule.name)
    return _at_this_house(rule, profile)


def _no_spend(name: str) -> Refusal:
    return Refusal("POOL-4", "{name} is no Momentum spend of this ruleset; choose another.", name=worded(name))


def spend_cost(spend: SpendRule, times: int, profile: Profile, *, already: int = 0) -> int:
    """Points for buying a spend `times` times in one go (POOL-4 to POOL-8), after `already` on the same Task.

    Refuses a spend of another ruleset, fewer than one, a second of what is not repeatable (POOL-4), and more than the
    spend's limit: three dice (BUY-1), the ruleset's cap on Create Problem (POOL-7, C-9).
    """
    rule = played(spend, profile)
    if times < 1:
        raise Refusal("POOL-4", "{spend} can be bought once or more; say how often.", spend=rule.label)
    bought = require_at_least(0, already, "what was bought before") + times
    if not rule.repeatable and bought > 1:
        raise Refusal("POOL-4", "{spend} can be bought once only; choose another spend.", spend=rule.label)
    if rule.most is not None and bought > rule.most:
        raise Refusal(
            "POOL-7" if rule.name == CREATE_PROBLEM.name else "BUY-1",
            "{spend} goes up to {most} on one Task; {left} can still be bought.",
            spend=rule.label,
            most=rule.most,
            left=max(0, rule.most - already),
        )
    return rule.cost * (sum(range(already + 1, bought + 1)) if rule.escalating else times)


def pay(
    price: int, *, generated: int, pool: int, immediate: bool, threat_part: int = 0, threat: int = 0, npc: bool = False
) -> PricePaid:
    """Pay a price (POOL-4, C-62): what the Task generated first, then the group pool.

    `threat_part` points of an Immediate price are added to Threat instead. An NPC has no pool: the rest of its
    price is spent from `threat` (POOL-9, THR-4, NPC-1). Refuses what is not there.
    """
    require_at_least(0, min(price, generated, pool, threat), "an amount")
    if threat_part and (npc or not immediate):
        if npc:
            raise Refusal("POOL-4", "An NPC spends Threat, it does not add to it.")
        raise Refusal("POOL-4", "Only an Immediate spend can add to Threat. Pay with Momentum instead.")
    if threat_part and not price:
        raise Refusal("POOL-4", "This costs nothing; leave Threat out.")
    if not 0 <= threat_part <= price:
        raise Refusal("POOL-4", "Of this price, 0 to {price} points can go to Threat; choose within that.", price=price)
    rest = price - threat_part
    from_generated = min(generated, rest)
    rest -= from_generated
    if npc:
        require_threat(rest, threat)
        return PricePaid(from_generated=from_generated, spent_threat=rest)
    if rest > pool:
        missing = rest - pool
        if immediate:
            raise Refusal(
                "POOL-4", "{missing} Momentum more is needed; spend less or add it to Threat.", missing=missing
            )
        raise Refusal("POOL-4", "{missing} Momentum more is needed; spend less.", missing=missing)
    return PricePaid(from_generated=from_generated, from_pool=rest, added_threat=threat_part)


def save_momentum(pool: int, earned: int, spent: int = 0) -> Saved:
    """Save what is left of a Task's Momentum (POOL-1 to POOL-3): spend first, then fill up to 6, lose the rest (C-16).

    `spent` leaves what was earned first, then the pool. Refuses spending more than both hold (POOL-4).
    """
    require_at_least(0, min(pool, earned, spent), "Momentum")
    if spent > pool + earned:
        raise Refusal("POOL-4", "Only {pool} Momentum is there to spend; spend less.", pool=pool + earned)
    pool -= max(0, spent - earned)
    left = max(0, earned - spent)
    saved = min(left, max(0, MOMENTUM_CAP - pool))
    return Saved(pool=pool + saved, saved=saved, lost=left - saved)


def npc_leftover(threat: int, earned: int, spent: int = 0) -> int:
    """Threat after an NPC's Task: each point of Momentum left becomes one (POOL-9, POOL-3)."""
    require_at_least(0, min(threat, earned, spent), "an amount")
    if spent > earned:
        raise Refusal("POOL-9", "The Task made {earned} Momentum; pay the rest with Threat.", earned=earned)
    return threat + earned - spent


def bonus_momentum(momentum: int, bonus: int, *, success: bool) -> int:
    """Momentum with a bonus added, on a success only (POOL-10, SQUAL-5)."""
    return momentum + require_at_least(0, bonus, "bonus Momentum") if success else momentum


def decayed_momentum(pool: int, profile: Profile) -> int:
    """The group pool after a scene ends: less by what the table plays, never below 0 (POOL-11, C-17)."""
    return max(0, pool - profile.momentum_decay)


MOST_AT_ONCE = 100
"""The largest change of a pool in one go; more is a slip of the finger."""


def _require_sensible(amount: int) -> None:
    if abs(amount) > MOST_AT_ONCE:
        raise Refusal("THR-2", "A pool changes by at most {most} at once; change it by less.", most=MOST_AT_ONCE)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustPool(Command):
    """The gamemaster puts a pool right by a change, never to an absolute number, so that two at once both count."""

    pool: Pool
    change: int
    reason: str = ""

    undone: ClassVar[Phrase | None] = say("the change of a pool")

    def payer(self, table: Table) -> str | None:  # noqa: ARG002 - nobody's
        """Nobody: what is taken away is the common pool's."""
        return "" if self.pool is Pool.THREAT and self.change < 0 else None

    def decide(self, draft: Draft) -> None:
        """POOL-2, THR-5: put a pool right by a change; it stays within what it can hold."""
        require_ready(draft.table)
        reason = short_text(self.reason, say("the reason")) or say("put right")
        if not self.change:
            raise Refusal("POOL-2", "Say by how much the pool changes.")
        table = draft.table
        after = (table.momentum if self.pool is Pool.MOMENTUM else table.threat) + self.change
        if self.pool is Pool.MOMENTUM and not 0 <= after <= MOMENTUM_CAP:
            raise Refusal(
                "POOL-2",
                "Momentum goes from 0 to {most}, and there is {momentum}; change it by less.",
                most=MOMENTUM_CAP,
                momentum=table.momentum,
            )
        if after < 0:
            raise Refusal(
                "THR-5", "Threat cannot fall below 0, and there is {threat}; take away less.", threat=table.threat
            )
        _require_sensible(self.change)
        draft.change_pool(self.pool, self.change, reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class GainThreat(Command):
    """Threat rises for one of the reasons of THR-2 (`event` is the name of one of `Playbook.threat_gains`)."""

    event: str
    amount: int = 1

    undone: ClassVar[Phrase | None] = say("the Threat gained")

    def decide(self, draft: Draft) -> None:
        """THR-2: Threat rises."""
        require_ready(draft.table)
        _require_sensible(self.amount)
        row = reason_of(draft.playbook.gain_rows, say("THR-2"), self.event)
        after = gain_threat(draft.table.threat, row, self.amount)
        draft.change_pool(Pool.THREAT, after - draft.table.threat, row.label)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendThreat(Command):
    """The gamemaster spends Threat (THR-4); `event` is the name of one of `Playbook.threat_spends`."""

    event: str
    amount: int = 1
    note: str = ""

    undone: ClassVar[Phrase | None] = say("the Threat spent")

    def payer(self, table: Table) -> str | None:  # noqa: ARG002 - nobody in particular
        """The gamemaster; for what an NPC pays for itself it is `rules.conflict.creatures` that knows who acts."""
        return ""

    def decide(self, draft: Draft) -> None:
        """THR-4, THR-5: the gamemaster spends Threat; each Complication made so is a trait, by any name noted."""
        require_ready(draft.table)
        _require_sensible(self.amount)
        note = short_text(self.note, say("the note"))
        row = reason_of(draft.playbook.threat_rows, say("THR-4"), self.event)
        after = spend_threat(draft.table.threat, row, self.amount)
        why = say("{reason}: {note}", reason=row.label, note=note) if note else row.label
        draft.change_pool(Pool.THREAT, after - draft.table.threat, why)
        if row is CREATE_COMPLICATION:
            for _ in range(self.amount):
                record_trait(draft, note or without_words(draft.table), TraitKind.COMPLICATION, self.amount)
