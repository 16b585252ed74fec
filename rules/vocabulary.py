"""The closed sets of the game: attributes, disciplines, systems, rulesets, payers, phases.

Names are the field's own; each value is the word used in JSON, in conformance cases and in data tables.
"""

from __future__ import annotations

from enum import StrEnum


class Ruleset(StrEnum):
    """The three rulesets a table can play (RULES §0)."""

    STARTER = "starter"
    CORE_1E = "core-1e"
    SECOND_EDITION = "second-edition"


class Attribute(StrEnum):
    """CHAR-1."""

    CONTROL = "control"
    DARING = "daring"
    FITNESS = "fitness"
    INSIGHT = "insight"
    PRESENCE = "presence"
    REASON = "reason"


class Discipline(StrEnum):
    """CHAR-2; a ship's departments carry the same names (SHIP-1)."""

    COMMAND = "command"
    CONN = "conn"
    SECURITY = "security"
    ENGINEERING = "engineering"
    SCIENCE = "science"
    MEDICINE = "medicine"


class System(StrEnum):
    """A starship's systems (SHIP-1)."""

    COMMUNICATIONS = "communications"
    COMPUTERS = "computers"
    ENGINES = "engines"
    SENSORS = "sensors"
    STRUCTURE = "structure"
    WEAPONS = "weapons"


class Standing(StrEnum):
    """Whose character it is: NPCs pay in Threat and save no Momentum (NPC-1)."""

    PLAYER = "player"
    NOTABLE_NPC = "notable_npc"
    MINOR_NPC = "minor_npc"


class Payer(StrEnum):
    """What buys a bonus d20 (BUY-2, BUY-3, BUY-4, BUY-6)."""

    MOMENTUM = "momentum"
    THREAT = "threat"
    DETERMINATION = "determination"
    TALENT = "talent"


class Pool(StrEnum):
    """The two pools of points on the table."""

    MOMENTUM = "momentum"
    THREAT = "threat"


class TraitKind(StrEnum):
    """TRAIT-1, TRAIT-3."""

    TRAIT = "trait"
    ADVANTAGE = "advantage"
    COMPLICATION = "complication"


class ThrowRole(StrEnum):
    """What a throw is for; the table expects one throw at a time."""

    LEADER = "leader"
    ASSIST = "assist"
    SHIP = "ship"
    REROLL = "reroll"
    CHALLENGE = "challenge"
    CHALLENGE_REROLL = "challenge_reroll"


class TaskPhase(StrEnum):
    """Where a Task stands in TASK-10's sequence."""

    AWAITING_DICE = "awaiting_dice"
    AWAITING_OPPOSITION = "awaiting_opposition"
    SPENDING = "spending"
    COMPLICATIONS = "complications"
    CLOSED = "closed"


class RerollReason(StrEnum):
    """What allows dice of a Task to be thrown again (TASK-12, DET-3)."""

    INSPIRATION = "inspiration"
    AIM = "aim"
    ACCURATE_AIM = "accurate_aim"
    SHIP_SYSTEM = "ship_system"


class Spend(StrEnum):
    """Momentum spends outside combat (POOL-5 to POOL-8)."""

    CREATE_ADVANTAGE = "create_advantage"
    CREATE_PROBLEM = "create_problem"
    OBTAIN_INFORMATION = "obtain_information"


class ValueAction(StrEnum):
    """How a Value gives Determination back (DET-6, DET-7)."""

    ACCEPT_COMPLICATION = "accept_complication"
    CHALLENGE = "challenge"


class QuestionReason(StrEnum):
    """Why a person must look at a throw before it counts."""

    WRONG_COUNT = "wrong_count"
    WRONG_KIND = "wrong_kind"
    DOUBTFUL = "doubtful"
    COCKED = "cocked"
    MOVING = "moving"
    KEPT_DICE_DIFFER = "kept_dice_differ"
    ONLY_KEPT_DICE = "only_kept_dice"
    SOURCES_DISAGREE = "sources_disagree"


class OpposedWinner(StrEnum):
    """OPP-1 to OPP-3."""

    ACTIVE = "active"
    REACTIVE = "reactive"
    NONE = "none"
