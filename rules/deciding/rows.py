"""The rows of the tables that rooms bring to a playbook beside their actions.

What Momentum buys, what raises Threat and what it buys, and the special abilities of creatures: each room has the rows
of its own subject.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rules.rulesets.profiles import Profile
from rules.state.vocabulary import Ruleset

_ALL: Final = frozenset(Ruleset)
"""The rulesets of a spend that all of them have."""


def as_printed(rule: SpendRule, _: Profile) -> SpendRule:
    """What holds of a spend whatever the profile."""
    return rule


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendRule:
    """One thing that Momentum buys (POOL-4 to POOL-8, MOM-1 to MOM-11, S2E-8).

    `cost` is for one; `escalating` ones cost 1, 2, 3, ... times that. `immediate` ones can be bought at any time
    and paid by adding Threat; `repeatable` ones several times on one Task. `most` is how many at once, None for
    no limit. `effect` says what one buys. `scope` is where it is at home. `here` gets the row and a profile, and says
    what holds of it there.
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
    here: Callable[[SpendRule, Profile], SpendRule] = as_printed


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreatRow:
    """One reason for which Threat rises or is spent: `each` points for each of the amount (THR-2, THR-4).

    * `own`: an NPC spends it on what it does itself, so that Threat of its own may pay (THR-6).
    * `counted`: it happens several times at once, or by points, so that an amount is asked for.
    """

    name: str
    label: str
    each: int = 1
    own: bool = False
    counted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AbilityRow:
    """NPC-2: a special ability. `number` says what its X is, `about` what its note names; empty where it has none."""

    name: str
    label: str
    meaning: str
    number: str = ""
    about: str = ""
