"""The disputed points of RULES section 19 in words: what each option is called, and what it decides.

In: the fields of `rules.state_options.TableOptions`. Out: a row for each, for forms, screens and `rules.rulesets`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules.vocabulary import DirectUse, ExtraMinorCost, Ruleset, WarpCoreCompare


@dataclass(frozen=True, slots=True)
class OptionRow:
    """One option: its field's name, its number in section 19, its label, and what it decides."""

    name: str
    rule: str
    label: str
    meaning: str


def _form(name: str, rule: str, label: str) -> OptionRow:
    return OptionRow(f"{name}_as", rule, label, "The ruleset whose form of this rule is played.")


_ROWS: Final = (
    OptionRow(
        "determination_first", "C-4", "Determination die bought first",
        "Whether a bonus die paid with Determination has to be bought before all others.",
    ),
    OptionRow(
        "bonus_price_counts_all", "C-5", "Free dice raise the price",
        "Whether dice from Determination and Talents make the next bought die dearer, as bought dice do.",
    ),
    OptionRow(
        "inspiration_subset", "C-6", "Inspiration for chosen dice",
        "Whether a Moment of Inspiration may throw only some dice again. If not, it throws all of them.",
    ),
    OptionRow(
        "surge_difficulty", "C-7", "Difficulty of a second Task",
        "Added to the Difficulty of the extra Task that Determination buys.",
    ),
    OptionRow(
        "create_problem_cap", "C-9", "Most steps of Create Problem",
        "How far Create Problem may raise one Task's Difficulty. 0 means no limit.",
    ),
    OptionRow(
        "momentum_decay", "C-17", "Momentum lost after a scene", "What the group's pool loses when a scene ends.",
    ),
    OptionRow(
        "bonus_momentum_saved", "C-63", "Bonus Momentum can be saved",
        "Whether bonus Momentum may go to the group's pool. If not, it is spent at once or lost.",
    ),
    OptionRow(
        "price_complications_buyoff", "C-78", "Complications taken as a price can be bought off",
        "Whether Threat waives a Complication that someone accepted in exchange for something.",
    ),
    OptionRow(
        "opposed_reactive_first", "C-42", "Reactive side throws first",
        "Whether the reactive side of an Opposed Task throws first and so sets the Difficulty.",
    ),
    OptionRow("determination_start", "C-18", "Determination at the start", "What each new character begins with."),
    OptionRow("determination_maximum", "C-18", "Most Determination", "The most that a character can hold."),
    OptionRow(
        "extra_minor_cost", "C-1", "Price of further Minor Actions",
        "Whether each further Minor Action of a Turn costs 1 Momentum, or one more than the last.",
    ),
    OptionRow(
        "task_cap", "C-8", "Most Tasks in a Turn",
        "How many Tasks one character may attempt in a Turn, however they come about. 0 means no limit.",
    ),
    OptionRow(
        "aim_until_next_turn", "C-19", "Aim lasts until the next Turn",
        "Whether an Aim holds until one's next Turn begins. If not, it is for an attack in the same Turn.",
    ),
    OptionRow(
        "prone_difficulty", "C-20", "Difficulty to hit somebody prone",
        "Added to the Difficulty of ranged attacks on somebody who dropped prone.",
    ),
    OptionRow("direct_use", "C-22", "Direct", "What it takes to direct an ally to act at once."),
    OptionRow(
        "direct_with_control", "C-22", "Direct assists with Control and Command",
        "Whether who directs throws Control with Command. If not, any attribute with Command.",
    ),
    OptionRow(
        "pushing_on", "C-24", "Acting in spite of an Injury",
        "Whether a player's character may ignore an Injury until the scene ends for 1 Determination.",
    ),
    OptionRow(
        "cover_eases_recover", "C-54", "Recover is easier in Cover",
        "Whether Recover is 1 less difficult for a character who is in Cover already.",
    ),
    OptionRow(
        "npc_role_cumulative", "C-34", "Repeated roles grow harder",
        "Whether each further Task of one role on an NPC ship is harder than the last. If not, all are 1 harder.",
    ),
    OptionRow(
        "npc_ship_shortcut", "C-72", "NPC ships take Breaches in one total",
        "Whether an NPC ship's damage is kept in one number. If not, in its systems, as for any ship.",
    ),
    OptionRow(
        "persistent_is_dice", "C-35", "Persistent damage is thrown",
        "Whether a ship weapon's Persistent damage is Challenge Dice. If not, it is that many points.",
    ),
    OptionRow("fire_power", "C-36", "Power to fire", "The Power that firing a ship's weapon costs."),
    OptionRow(
        "impact_once_per_hit", "C-67", "One Impact for each hit",
        "Whether two Breaches of one hit have one Impact. If not, each Breach has its own.",
    ),
    OptionRow(
        "torpedo_adds_threat", "C-52", "Torpedoes add Threat", "Whether firing a torpedo adds 1 Threat.",
    ),
    OptionRow(
        "range_and_aim_penalties", "C-52", "Range and an aimed shot make it harder",
        "Whether distance from a ship weapon's best range, and aiming at a system, raise the Difficulty.",
    ),
    OptionRow(
        "s2e_zero_replaces_quarter", "C-37", "Shields down replace the quarter",
        "Whether Shields that reach 0 in one hit breach once only, and not at a quarter as well.",
    ),
    OptionRow(
        "warp_core_compare", "C-43", "Rating that holds the warp core",
        "What the d20 for a failing warp core is compared with, in the second edition.",
    ),
    OptionRow(
        "extended_progress", "C-58", "Extended Tasks by Progress",
        "Whether an Extended Task is one track of Progress. If not, it takes Work, thrown for, and Breakthroughs.",
    ),
    _form("warp", "C-32", "Going to warp"),
    _form("sensor_sweep", "C-33", "Sensor Sweep"),
    _form("evasive_action", "C-44", "Evasive Action"),
    _form("attack_pattern", "C-45", "Attack Pattern"),
    _form("modulate_shields", "C-46", "Modulate Shields"),
    _form("tractor_beam", "C-47", "Tractor Beam"),
    _form("regenerate_shields", "C-48", "Regenerate Shields"),
    _form("scan_for_weakness", "C-49", "Scan for Weakness"),
    _form("power_management", "C-49", "Power Management"),
    _form("ram", "C-50", "Ramming"),
    _form("repairs", "C-51", "Repairs in combat"),
    _form("override", "C-59", "Override"),
)  # fmt: skip

OPTION_ROWS: Final[dict[str, OptionRow]] = {one.name: one for one in _ROWS}
"""Every option by its field's name, in the order of `TableOptions` (RULES section 19)."""

VALUE_WORDS: Final[dict[str, str]] = {
    ExtraMinorCost.ESCALATING: "one more each time",
    ExtraMinorCost.FLAT: "1 each",
    DirectUse.FREE: "as often as wanted",
    DirectUse.ONCE_PER_SCENE: "once a scene, on the bridge as often as wanted",
    DirectUse.MOMENTUM: "1 Momentum",
    WarpCoreCompare.ENGINEERING: "Engineering department",
    WarpCoreCompare.ENGINES: "Engines system",
    Ruleset.STARTER: "first edition, starter set",
    Ruleset.CORE_1E: "first edition, core",
    Ruleset.SECOND_EDITION: "second edition",
}
"""The values that are words of the rules, as a person reads them."""


def value_words(value: bool | int | str | None) -> str:  # noqa: FBT001 - a value to be shown, whatever it is
    """A value of an option in words; None is no limit."""
    if value is None:
        return "no limit"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return VALUE_WORDS[value] if isinstance(value, str) else str(value)
