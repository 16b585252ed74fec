"""What Momentum buys in a conflict and on the attacks and Tasks of people on foot (MOM-1 to MOM-9, ACT-5 to ACT-7)."""

from __future__ import annotations

from typing import Final

from rules.deciding.rows import SpendRule
from rules.rulesets.profiles import Profile
from rules.state.changing import replace
from rules.state.glossary import SPEND_WORDS
from rules.state.vocabulary import ExtraMinorCost
from rules.words import say


def _escalates(rule: SpendRule, profile: Profile) -> SpendRule:
    """ACT-1, C-1: whether each further Minor Action costs more is the ruleset's."""
    return replace(rule, escalating=profile.extra_minor_cost is ExtraMinorCost.ESCALATING)


EXTRA_MINOR_ACTION: Final = SpendRule(
    name="extra_minor_action", rule="MOM-3", label=SPEND_WORDS["extra_minor_action"], cost=1, scope="conflict",
    effect=say("one more Minor Action"), repeatable=True, immediate=True, here=_escalates,
)  # fmt: skip
"""A Minor Action beside the first of a Turn (MOM-3)."""

KEEP_INITIATIVE: Final = SpendRule(
    name="keep_initiative", rule="MOM-4", label=SPEND_WORDS["keep_initiative"], cost=2, scope="conflict",
    effect=say("an ally has the next Turn"), immediate=True,
)  # fmt: skip
"""An ally's Turn in the place of the other side's (MOM-4)."""

AVOID_INJURY: Final = SpendRule(
    name="avoid_injury", rule="MOM-7", label=SPEND_WORDS["avoid_injury"], cost=2, scope="personal",
    effect=say("one Injury not suffered"), immediate=True,
)  # fmt: skip
"""An Injury that does not come (MOM-7)."""

ROWS: Final = (
    SpendRule(
        name="bonus_damage", rule="MOM-1", label=SPEND_WORDS["bonus_damage"], cost=1, scope="conflict",
        effect=say("one more damage"), repeatable=True,
    ),
    SpendRule(
        name="disarm", rule="MOM-2", label=SPEND_WORDS["disarm"], cost=2, scope="personal",
        effect=say("one weapon of the target falls within Reach"),
    ),
    EXTRA_MINOR_ACTION,
    KEEP_INITIATIVE,
    SpendRule(
        name="penetration", rule="MOM-5", label=SPEND_WORDS["penetration"], cost=1, scope="conflict",
        effect=say("2 Resistance ignored"), repeatable=True,
    ),
    AVOID_INJURY,
    SpendRule(
        name="secondary_target", rule="MOM-8", label=SPEND_WORDS["secondary_target"], cost=2, scope="personal",
        effect=say("someone in Reach of the target takes half the damage, rounded down"),
    ),
    SpendRule(
        name="swift_task", rule="MOM-9", label=SPEND_WORDS["swift_task"], cost=2, scope="conflict",
        effect=say("a second Task this Turn, one harder"),
    ),
    SpendRule(
        name="regain_stress", rule="ACT-5", label=SPEND_WORDS["regain_stress"], cost=1, scope="action",
        effect=say("2 Stress more from Recover"), repeatable=True,
    ),
    SpendRule(
        name="sprint_on", rule="ACT-6", label=SPEND_WORDS["sprint_on"], cost=1, scope="action",
        effect=say("one zone more"), repeatable=True,
    ),
    SpendRule(
        name="back_in_action", rule="ACT-7", label=SPEND_WORDS["back_in_action"], cost=2, scope="action",
        effect=say("the patient acts again in spite of the Injury"),
    ),
)  # fmt: skip
"""Every spend of conflicts and of people on foot, in the rules' order."""
