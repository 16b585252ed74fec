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
    STEP = "step"


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
    """Momentum spends on a Task (POOL-5 to POOL-8, MOM-1 to MOM-11, S2E-8), in the order in which they are offered.

    First what belongs to the damage that lies there, the likeliest first, then what belongs to one action, then what
    any success buys, then what the Turn goes on with.
    """

    BONUS_DAMAGE = "bonus_damage"
    ADDED_DAMAGE = "added_damage"
    PENETRATION = "penetration"
    DEVASTATING_ATTACK = "devastating_attack"
    SECONDARY_TARGET = "secondary_target"
    DISARM = "disarm"
    POWER_LOSS = "power_loss"
    COUNTER_HIT = "counter_hit"
    MORE_SHIELDS = "more_shields"
    MORE_POWER = "more_power"
    MORE_RESISTANCE = "more_resistance"
    BETTER_COURSE = "better_course"
    MORE_HAZARDS = "more_hazards"
    REGAIN_STRESS = "regain_stress"
    SPRINT_ON = "sprint_on"
    BACK_IN_ACTION = "back_in_action"
    CREATE_ADVANTAGE = "create_advantage"
    OBTAIN_INFORMATION = "obtain_information"
    EXTRA_MINOR_ACTION = "extra_minor_action"
    SWIFT_TASK = "swift_task"
    CREATE_PROBLEM = "create_problem"


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
    COUNTED_BEFORE = "counted_before"


class OpposedWinner(StrEnum):
    """OPP-1 to OPP-3."""

    ACTIVE = "active"
    REACTIVE = "reactive"
    NONE = "none"


class Side(StrEnum):
    """The two sides of a conflict."""

    PC = "pc"
    NPC = "npc"


class AttackType(StrEnum):
    """ATK-2, ATK-3."""

    MELEE = "melee"
    RANGED = "ranged"


class Range(StrEnum):
    """Distances in zones (RNG-1, SHIP-9); Reach and Contact are states within Close."""

    CLOSE = "close"
    MEDIUM = "medium"
    LONG = "long"
    EXTREME = "extreme"


class Layout(StrEnum):
    """How the zones of a map adjoin: each the next one, all of them each other, or as the links alone say."""

    LINE = "line"
    ALL = "all"
    LINKS = "links"


class Quality(StrEnum):
    """Weapon qualities that change an attack's Difficulty (QUAL-4, QUAL-8)."""

    DEADLY = "deadly"
    NON_LETHAL = "non_lethal"


class Circumstance(StrEnum):
    """Circumstances that make a Task harder, and that some creatures ignore (NPC-2: Night Vision, Machine)."""

    DARKNESS = "darkness"
    HEAT = "heat"
    COLD = "cold"


class InjuryState(StrEnum):
    """How badly someone is hurt (DMG-6)."""

    NONE = "none"
    NONLETHAL = "nonlethal"
    LETHAL = "lethal"
    DEAD = "dead"


class ShipWeaponKind(StrEnum):
    """Kinds of ship weapons (SATK-1, S2E-T5)."""

    ENERGY = "energy"
    TORPEDO = "torpedo"


class Condition(StrEnum):
    """How far a system, or an NPC ship, is gone (BRCH-1, NSHIP-3)."""

    OPERATIONAL = "operational"
    DAMAGED = "damaged"
    DISABLED = "disabled"
    DESTROYED = "destroyed"


class CrewQuality(StrEnum):
    """How good an NPC ship's crew is (NSHIP-1)."""

    BASIC = "basic"
    PROFICIENT = "proficient"
    TALENTED = "talented"
    EXCEPTIONAL = "exceptional"


class ConflictKind(StrEnum):
    """What a conflict is fought with: people in zones, or ships at ranges (TURN, S2E-1)."""

    PERSONAL = "personal"
    STARSHIP = "starship"


class EffectEnd(StrEnum):
    """When something that lasts ends by itself; `rules.conflict.lasting` ends it then and says so."""

    OWNER_TURN_ENDS = "owner_turn_ends"
    OWNER_NEXT_TURN = "owner_next_turn"
    OWNER_NEXT_TURN_ENDS = "owner_next_turn_ends"
    OWNER_NEXT_TASK = "owner_next_task"
    ROLE_NEXT_TASK = "role_next_task"
    NEXT_ATTACK = "next_attack"
    DAMAGED = "damaged"
    ROUNDS = "rounds"
    SCENE = "scene"
    USED = "used"


class ActionScope(StrEnum):
    """Where an action is at home: with people (ACT-4) or at a station of the bridge (STN, S2E)."""

    PERSONAL = "personal"
    BRIDGE = "bridge"


class Availability(StrEnum):
    """Whether a weapon can be had for its price (WPN-1)."""

    STANDARD = "standard"
    PRICED = "priced"
    NOT_AVAILABLE = "not_available"


class StepKind(StrEnum):
    """What a chain has still to do; each kind has its row in the playbook (`rules.table.PLAYBOOK`)."""

    DAMAGE_DICE = "damage_dice"
    COVER_DICE = "cover_dice"
    CHOOSE_DAMAGE = "choose_damage"
    SETTLE_HIT = "settle_hit"
    INJURY = "injury"
    KNOCKDOWN = "knockdown"
    FAST_RECOVERY = "fast_recovery"
    AREA_TARGETS = "area_targets"
    DAMAGE_REROLL = "damage_reroll"
    ATTACK_DONE = "attack_done"
    SYSTEM_DIE = "system_die"
    SHIP_DAMAGE_DICE = "ship_damage_dice"
    SHIP_RESISTANCE_DICE = "ship_resistance_dice"
    CHOOSE_SHIP_DAMAGE = "choose_ship_damage"
    SETTLE_SHIP_HIT = "settle_ship_hit"
    BREACH = "breach"
    IMPACT_DIE = "impact_die"
    CASUALTY = "casualty"
    POWER_COMPLICATION_DIE = "power_complication_die"
    SHAKEN = "shaken"
    CORE_DICE = "core_dice"
    SHIP_TARGETS = "ship_targets"
    SHIP_PERSISTENT = "ship_persistent"
    SHIP_DAMAGE_REROLL = "ship_damage_reroll"
    SHIP_ATTACK_DONE = "ship_attack_done"
    RAM_RECOIL = "ram_recoil"
    PERSISTENT = "persistent"
    WORK_DICE = "work_dice"
    STRUCK_SYSTEM = "struck_system"
    FLAT_HIT = "flat_hit"
    CORE_DIE = "core_die"
    CORE_SPLASH = "core_splash"
    ROUND_BEGINS = "round_begins"


class ExtraMinorCost(StrEnum):
    """What further Minor Actions of one Turn cost: 1, 2, 3, ... or 1 each (ACT-1, C-1)."""

    ESCALATING = "escalating"
    FLAT = "flat"


class DirectUse(StrEnum):
    """What Direct asks for: nothing, its one use a scene (unlimited on the bridge), or 1 Momentum (C-22)."""

    FREE = "free"
    ONCE_PER_SCENE = "once_per_scene"
    MOMENTUM = "momentum"


class WarpCoreCompare(StrEnum):
    """What the d20 for a failing warp core is compared with (S2E-17, C-43)."""

    ENGINEERING = "engineering"
    ENGINES = "engines"


class Terrain(StrEnum):
    """Kinds of zones that ships are in (S2E-5)."""

    OPEN_SPACE = "open_space"
    PLANETARY_GRAVITY_WELL = "planetary_gravity_well"
    DUST_CLOUD = "dust_cloud"
    DEBRIS_FIELD = "debris_field"
    STELLAR_GRAVITY_WELL = "stellar_gravity_well"
    DENSE_NEBULA = "dense_nebula"
    COMET_TAIL = "comet_tail"
    SINGULARITY = "singularity"
    STRANGE_ANOMALY = "strange_anomaly"


class Benefit(StrEnum):
    """What one point of Determination buys (DET-1)."""

    PERFECT_OPPORTUNITY = "perfect_opportunity"
    MOMENT_OF_INSPIRATION = "moment_of_inspiration"
    SURGE_OF_ACTIVITY = "surge_of_activity"
    MAKE_IT_SO = "make_it_so"
    IGNORE_INJURY = "ignore_injury"
