"""The disputed points of RULES section 19 in words: what each option is called, and what it decides.

In: the fields of `rules.state.options.TableOptions`. Out: a row for each, for forms, screens and `profiles`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules.state.vocabulary import DirectUse, ExtraMinorCost, Ruleset, WarpCoreCompare
from rules.words import say


@dataclass(frozen=True, slots=True)
class OptionRow:
    """One option: its field's name, its number in section 19, its label, and what it decides."""

    name: str
    rule: str
    label: str
    meaning: str


def _form(name: str, rule: str, label: str) -> OptionRow:
    return OptionRow(f"{name}_as", rule, label, say("The ruleset whose form of this rule is played."))


_ROWS: Final = (
    OptionRow(
        "determination_first", "C-4", say("Determination die bought first"),
        say("Whether a bonus die paid with Determination has to be bought before all others."),
    ),
    OptionRow(
        "bonus_price_counts_all", "C-5", say("Free dice raise the price"),
        say("Whether dice from Determination and Talents make the next bought die dearer, as bought dice do."),
    ),
    OptionRow(
        "inspiration_subset", "C-6", say("Inspiration for chosen dice"),
        say("Whether a Moment of Inspiration may throw only some dice again. If not, it throws all of them."),
    ),
    OptionRow(
        "surge_difficulty", "C-7", say("Difficulty of a second Task"),
        say("Added to the Difficulty of the extra Task that Determination buys."),
    ),
    OptionRow(
        "create_problem_cap", "C-9", say("Most steps of Create Problem"),
        say("How far Create Problem may raise one Task's Difficulty. 0 means no limit."),
    ),
    OptionRow(
        "momentum_decay", "C-17", say("Momentum lost after a scene"),
        say("What the group's pool loses when a scene ends."),
    ),
    OptionRow(
        "bonus_momentum_saved", "C-63", say("Bonus Momentum can be saved"),
        say("Whether bonus Momentum may go to the group's pool. If not, it is spent at once or lost."),
    ),
    OptionRow(
        "price_complications_buyoff", "C-78", say("Complications taken as a price can be bought off"),
        say("Whether Threat waives a Complication that someone accepted in exchange for something."),
    ),
    OptionRow(
        "opposed_reactive_first", "C-42", say("Reactive side throws first"),
        say("Whether the reactive side of an Opposed Task throws first and so sets the Difficulty."),
    ),
    OptionRow(
        "determination_start", "C-18", say("Determination at the start"), say("What each new character begins with."),
    ),
    OptionRow("determination_maximum", "C-18", say("Most Determination"), say("The most that a character can hold.")),
    OptionRow(
        "extra_minor_cost", "C-1", say("Price of further Minor Actions"),
        say("Whether each further Minor Action of a Turn costs 1 Momentum, or one more than the last."),
    ),
    OptionRow(
        "task_cap", "C-8", say("Most Tasks in a Turn"),
        say("How many Tasks one character may attempt in a Turn, however they come about. 0 means no limit."),
    ),
    OptionRow(
        "aim_until_next_turn", "C-19", say("Aim lasts until the next Turn"),
        say("Whether an Aim holds until one's next Turn begins. If not, it is for an attack in the same Turn."),
    ),
    OptionRow(
        "prone_difficulty", "C-20", say("Difficulty to hit somebody prone"),
        say("Added to the Difficulty of ranged attacks on somebody who dropped prone."),
    ),
    OptionRow("direct_use", "C-22", say("Direct"), say("What it takes to direct an ally to act at once.")),
    OptionRow(
        "direct_with_control", "C-22", say("Direct assists with Control and Command"),
        say("Whether who directs throws Control with Command. If not, any attribute with Command."),
    ),
    OptionRow(
        "pushing_on", "C-24", say("Acting in spite of an Injury"),
        say("Whether a player's character may ignore an Injury until the scene ends for 1 Determination."),
    ),
    OptionRow(
        "cover_eases_recover", "C-54", say("Recover is easier in Cover"),
        say("Whether Recover is 1 less difficult for a character who is in Cover already."),
    ),
    OptionRow(
        "npc_role_cumulative", "C-34", say("Repeated roles grow harder"),
        say("Whether each further Task of one role on an NPC ship is harder than the last. If not, all are 1 harder."),
    ),
    OptionRow(
        "npc_ship_shortcut", "C-72", say("NPC ships take Breaches in one total"),
        say("Whether an NPC ship's damage is kept in one number. If not, in its systems, as for any ship."),
    ),
    OptionRow(
        "persistent_is_dice", "C-35", say("Persistent damage is thrown"),
        say("Whether a ship weapon's Persistent damage is Challenge Dice. If not, it is that many points."),
    ),
    OptionRow("fire_power", "C-36", say("Power to fire"), say("The Power that firing a ship's weapon costs.")),
    OptionRow(
        "impact_once_per_hit", "C-67", say("One Impact for each hit"),
        say("Whether two Breaches of one hit have one Impact. If not, each Breach has its own."),
    ),
    OptionRow(
        "torpedo_adds_threat", "C-52", say("Torpedoes add Threat"), say("Whether firing a torpedo adds 1 Threat."),
    ),
    OptionRow(
        "range_and_aim_penalties", "C-52", say("Range and an aimed shot make it harder"),
        say("Whether distance from a ship weapon's best range, and aiming at a system, raise the Difficulty."),
    ),
    OptionRow(
        "s2e_zero_replaces_quarter", "C-37", say("Shields down replace the quarter"),
        say("Whether Shields that reach 0 in one hit breach once only, and not at a quarter as well."),
    ),
    OptionRow(
        "warp_core_compare", "C-43", say("Rating that holds the warp core"),
        say("What the d20 for a failing warp core is compared with, in the second edition."),
    ),
    OptionRow(
        "extended_progress", "C-58", say("Extended Tasks by Progress"),
        say("Whether an Extended Task is one track of Progress. If not, it takes Work, thrown for, and Breakthroughs."),
    ),
    _form("warp", "C-32", say("Going to warp")),
    _form("sensor_sweep", "C-33", say("Sensor Sweep")),
    _form("evasive_action", "C-44", say("Evasive Action")),
    _form("attack_pattern", "C-45", say("Attack Pattern")),
    _form("modulate_shields", "C-46", say("Modulate Shields")),
    _form("tractor_beam", "C-47", say("Tractor Beam")),
    _form("regenerate_shields", "C-48", say("Regenerate Shields")),
    _form("scan_for_weakness", "C-49", say("Scan for Weakness")),
    _form("power_management", "C-49", say("Power Management")),
    _form("ram", "C-50", say("Ramming")),
    _form("repairs", "C-51", say("Repairs in combat")),
    _form("override", "C-59", say("Override")),
)  # fmt: skip
"""Every option of a table, in the order of the forms."""


OPTION_ROWS: Final[dict[str, OptionRow]] = {one.name: one for one in _ROWS}
"""Every option by its field's name, in the order of `TableOptions` (RULES section 19)."""


VALUE_WORDS: Final[dict[str, str]] = {
    ExtraMinorCost.ESCALATING: say("one more each time"),
    ExtraMinorCost.FLAT: say("1 each"),
    DirectUse.FREE: say("as often as wanted"),
    DirectUse.ONCE_PER_SCENE: say("once a scene, on the bridge as often as wanted"),
    DirectUse.MOMENTUM: say("1 Momentum"),
    WarpCoreCompare.ENGINEERING: say("Engineering department"),
    WarpCoreCompare.ENGINES: say("Engines system"),
    Ruleset.STARTER: say("first edition, starter set"),
    Ruleset.CORE_1E: say("first edition, core"),
    Ruleset.SECOND_EDITION: say("second edition"),
}
"""The values that are words of the rules, as a person reads them."""


def value_words(value: bool | int | str | None) -> str:  # noqa: FBT001 - a value to be shown, whatever it is
    """A value of an option in words; None is no limit."""
    if value is None:
        return say("no limit")
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    return VALUE_WORDS[value] if isinstance(value, str) else str(value)
