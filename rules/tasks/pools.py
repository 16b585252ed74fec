"""Momentum: its pool, its spends as a table, and who pays them (POOL-1 to POOL-11). Threat is in `threat`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, ClassVar, Final

from rules.deciding.checks import acting_id, require_ready, short_text
from rules.deciding.decision import Command, Draft
from rules.errors import Refusal, require_at_least
from rules.rulesets.profiles import Profile
from rules.state.changing import replace
from rules.state.table import Table
from rules.state.vocabulary import ExtraMinorCost, Pool, Ruleset, TraitKind
from rules.tasks.threat import THREAT_GAINS, THREAT_SPENDS, gain_threat, require_threat, spend_threat
from rules.tasks.traits import record_trait
from rules.words import Phrase, say, worded

MOMENTUM_CAP: Final = 6
"""Most Momentum that the group pool holds (POOL-2)."""


_ALL: Final = frozenset(Ruleset)
"""The rulesets of a spend that all of them have."""


_SECOND_EDITION: Final = frozenset({Ruleset.SECOND_EDITION})
"""The rulesets of a spend that the second edition alone has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendRule:
    """One thing that Momentum buys (POOL-4 to POOL-8, MOM-1 to MOM-11, S2E-8).

    `cost` is for one; `escalating` ones cost 1, 2, 3, ... times that. `immediate` ones can be bought at any time
    and paid by adding Threat; `repeatable` ones several times on one Task. `most` is how many at once, None for
    no limit. `effect` says what one buys. `scope` is where it is at home.
    """

    name: str
    rule: str
    label: str
    cost: int
    effect: str
    scope: str
    repeatable: bool = False
    immediate: bool = False
    escalating: bool = False
    most: int | None = None
    rulesets: frozenset[Ruleset] = _ALL


_TABLE: Final = (
    SpendRule(
        name="create_advantage", rule="POOL-5", label=say("Create Advantage"), cost=2, scope="any",
        effect=say("an advantage for the scene, or one complication less"),
    ),
    SpendRule(
        name="create_opportunity", rule="POOL-6", label=say("Create Opportunity"), cost=1, scope="any",
        effect=say("a bonus d20 before the throw"), repeatable=True, immediate=True, escalating=True, most=3,
    ),
    SpendRule(
        name="create_problem", rule="POOL-7", label=say("Create Problem"), cost=2, scope="any",
        effect=say("one more Difficulty on an enemy's Task"), repeatable=True, immediate=True,
    ),
    SpendRule(
        name="obtain_information", rule="POOL-8", label=say("Obtain Information"), cost=1, scope="any",
        effect=say("the answer to one question"), repeatable=True,
    ),
    SpendRule(
        name="bonus_damage", rule="MOM-1", label=say("Bonus Damage"), cost=1, scope="conflict",
        effect=say("one more damage"), repeatable=True,
    ),
    SpendRule(
        name="disarm", rule="MOM-2", label=say("Disarm"), cost=2, scope="personal",
        effect=say("one weapon of the target falls within Reach"),
    ),
    SpendRule(
        name="extra_minor_action", rule="MOM-3", label=say("Extra Minor Action"), cost=1, scope="conflict",
        effect=say("one more Minor Action"), repeatable=True, immediate=True,
    ),
    SpendRule(
        name="keep_initiative", rule="MOM-4", label=say("Keep the Initiative"), cost=2, scope="conflict",
        effect=say("an ally has the next Turn"), immediate=True,
    ),
    SpendRule(
        name="penetration", rule="MOM-5", label=say("Penetration"), cost=1, scope="conflict",
        effect=say("2 Resistance ignored"), repeatable=True,
    ),
    SpendRule(
        name="reroll_damage", rule="MOM-6", label=say("Re-Roll Damage"), cost=1, scope="conflict",
        effect=say("any of the Challenge Dice thrown again"),
    ),
    SpendRule(
        name="avoid_injury", rule="MOM-7", label=say("Avoid an Injury"), cost=2, scope="personal",
        effect=say("one Injury not suffered"), immediate=True,
    ),
    SpendRule(
        name="secondary_target", rule="MOM-8", label=say("Secondary Target"), cost=2, scope="personal",
        effect=say("someone in Reach of the target takes half the damage, rounded down"),
    ),
    SpendRule(
        name="swift_task", rule="MOM-9", label=say("Swift Task"), cost=2, scope="conflict",
        effect=say("a second Task this Turn, one harder"),
    ),
    SpendRule(
        name="regain_stress", rule="ACT-5", label=say("Regain Stress"), cost=1, scope="action",
        effect=say("2 Stress more from Recover"), repeatable=True,
    ),
    SpendRule(
        name="sprint_on", rule="ACT-6", label=say("Sprint On"), cost=1, scope="action",
        effect=say("one zone more"), repeatable=True,
    ),
    SpendRule(
        name="back_in_action", rule="ACT-7", label=say("Back in Action"), cost=2, scope="action",
        effect=say("the patient acts again in spite of the Injury"),
    ),
    SpendRule(
        name="devastating_attack", rule="MOM-10", label=say("Devastating Attack"), cost=2, scope="starship",
        effect=say("another system takes half the damage, rounded up"),
    ),
    SpendRule(
        name="power_loss", rule="MOM-11", label=say("Power Loss"), cost=1, scope="starship",
        effect=say("the target loses 1 Power"), repeatable=True,
    ),
    SpendRule(
        name="added_damage", rule="S2E-8", label=say("Added Damage"), cost=2, scope="starship",
        effect=say("one more damage"), repeatable=True, rulesets=_SECOND_EDITION,
    ),
    SpendRule(
        name="counter_hit", rule="S2E-T4", label=say("Counter-hit"), cost=2, scope="starship",
        effect=say("the ship that attacked is hit in return"), rulesets=_SECOND_EDITION,
    ),
    SpendRule(
        name="more_shields", rule="S2E-O3", label=say("More Shields"), cost=1, scope="action",
        effect=say("2 more Shields regenerated"), repeatable=True,
    ),
    SpendRule(
        name="more_power", rule="STN-7", label=say("More Power"), cost=1, scope="action",
        effect=say("1 more Power from Power Management"), repeatable=True,
    ),
    SpendRule(
        name="more_resistance", rule="STN-21", label=say("More Resistance"), cost=1, scope="action",
        effect=say("1 more Resistance from Modulate Shields"), repeatable=True,
    ),
    SpendRule(
        name="better_course", rule="STN-17", label=say("Better Course"), cost=2, scope="action",
        effect=say("the next Task of the helm is 1 easier still"), repeatable=True,
    ),
    SpendRule(
        name="more_hazards", rule="STN-18", label=say("More Hazards"), cost=2, scope="action",
        effect=say("one hazard more is charted"), repeatable=True,
    ),
)  # fmt: skip
"""Every Momentum spend of every ruleset, in the order in which they are offered."""


SPENDS: Final[Mapping[str, SpendRule]] = MappingProxyType({one.name: one for one in _TABLE})
"""Every spend by its name (POOL-4 to POOL-8, MOM-1 to MOM-11, S2E-8)."""


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


def spends_of(profile: Profile) -> tuple[SpendRule, ...]:
    """The spends that a table has, in the rules' order, as its house plays them (POOL-4)."""
    return tuple(_at_this_house(one, profile) for one in SPENDS.values() if profile.ruleset in one.rulesets)


def _at_this_house(rule: SpendRule, profile: Profile) -> SpendRule:
    house = next((one for one in profile.house.spends if one.name == rule.name), None)
    if house is None:
        return rule
    changes: dict[str, Any] = {one.name: getattr(house, one.name) for one in fields(house)}
    return replace(rule, **{name: value for name, value in changes.items() if value is not None})


def spend_rule(name: str, profile: Profile) -> SpendRule:
    """The row of one spend as the house plays it. Refuses a name that the ruleset does not have (POOL-4)."""
    rule = SPENDS.get(name)
    if rule is None or profile.ruleset not in rule.rulesets:
        raise Refusal("POOL-4", "{name} is no Momentum spend of this ruleset; choose another.", name=worded(name))
    return _at_this_house(rule, profile)


def spend_cost(name: str, times: int, profile: Profile, *, already: int = 0) -> int:
    """Points for buying a spend `times` times in one go (POOL-4 to POOL-8), after `already` on the same Task.

    Refuses an unknown spend, fewer than one, a second of what is not repeatable (POOL-4), and more than the
    spend's limit: three dice (BUY-1), the ruleset's cap on Create Problem (POOL-7, C-9).
    """
    rule = spend_rule(name, profile)
    if times < 1:
        raise Refusal("POOL-4", "{spend} can be bought once or more; say how often.", spend=rule.label)
    bought = require_at_least(0, already, "what was bought before") + times
    if not rule.repeatable and bought > 1:
        raise Refusal("POOL-4", "{spend} can be bought once only; choose another spend.", spend=rule.label)
    most = profile.create_problem_cap if name == "create_problem" else rule.most
    if most is not None and bought > most:
        raise Refusal(
            "POOL-7" if name == "create_problem" else "BUY-1",
            "{spend} goes up to {most} on one Task; {left} can still be bought.",
            spend=rule.label,
            most=most,
            left=max(0, most - already),
        )
    if rule.escalating or (name == "extra_minor_action" and profile.extra_minor_cost is ExtraMinorCost.ESCALATING):
        return rule.cost * sum(range(already + 1, bought + 1))
    return rule.cost * times


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


_CREATE_COMPLICATION = "create_complication"
"""The Threat spend that may say what the Complication is."""


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
    """Threat rises for one of the reasons of THR-2 (`event` is a key of `rules.tasks.threat.THREAT_GAINS`)."""

    event: str
    amount: int = 1

    undone: ClassVar[Phrase | None] = say("the Threat gained")

    def decide(self, draft: Draft) -> None:
        """THR-2: Threat rises."""
        require_ready(draft.table)
        _require_sensible(self.amount)
        after = gain_threat(draft.table.threat, self.event, self.amount)
        draft.change_pool(Pool.THREAT, after - draft.table.threat, THREAT_GAINS[self.event].label)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendThreat(Command):
    """The gamemaster spends Threat (THR-4); `event` is a key of `rules.tasks.threat.THREAT_SPENDS`."""

    event: str
    amount: int = 1
    note: str = ""

    undone: ClassVar[Phrase | None] = say("the Threat spent")

    def payer(self, table: Table) -> str | None:
        """Who acts, for what an NPC pays for itself; else the gamemaster (THR-4)."""
        row = THREAT_SPENDS.get(self.event)
        return acting_id(table) if row is not None and row.own else ""

    def decide(self, draft: Draft) -> None:
        """THR-4, THR-5: the gamemaster spends Threat; a Complication made so becomes a trait if the note names it."""
        require_ready(draft.table)
        _require_sensible(self.amount)
        note = short_text(self.note, say("the note"))
        after = spend_threat(draft.table.threat, self.event, self.amount)
        label = THREAT_SPENDS[self.event].label
        draft.change_pool(
            Pool.THREAT, after - draft.table.threat, say("{reason}: {note}", reason=label, note=note) if note else label
        )
        if note and self.event == _CREATE_COMPLICATION:
            record_trait(draft, note, TraitKind.COMPLICATION)
