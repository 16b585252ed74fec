"""The public face of the game: the only module of it that the kiosk imports.

The table is a value; `decide` makes events of a command, `evolve` the table after an event; `history` adds undo and
redo; `options` and `menu` say what is legal and at which price; `narrate` says what happened; `declared_odds` what may.
Dice are in `rules.dice`, sentences in `rules.words`, which load nothing of this.
"""

from __future__ import annotations

from rules import history
from rules.conflict.bodies import dying, stress_most
from rules.conflict.budget import TakeMinorAction, may_take_task
from rules.conflict.damage import Hit
from rules.conflict.events import after_turn_words, allies_among
from rules.conflict.helping import may_help
from rules.conflict.hits import foreseen_hit
from rules.conflict.lasting import LASTING, EndEffect, meaning_of
from rules.conflict.minors import MOVEMENT
from rules.conflict.order import (
    combatant_name,
    in_reach,
    is_able,
    left_to_act,
    may_begin,
    round_is_over,
    turn_is_lost,
)
from rules.conflict.positions import (
    feature_words,
    neighbour_words,
    place_of,
    ranges_told,
    there,
    unplaced,
    zone_words,
)
from rules.conflict.rounds import EndTurn
from rules.deciding.candidate import Candidate, Role, how_paid, ways_to_pay
from rules.deciding.checks import LONGEST_NAME, profile
from rules.deciding.decision import Command, Event, name_of
from rules.deciding.telling import Narration, NarrationKind, awaited_words
from rules.errors import Refusal, Unchanged
from rules.history import DecidedStep, Decision, History, Next, redo_words, step_words, undo_words
from rules.house.adopting import AdoptHouseTables, house_words
from rules.house.tables import HouseTablesError, house_tables
from rules.legal.choices import ChoiceKind, MenuChoice, foes_of
from rules.legal.chooser import Chooser, chooser
from rules.legal.menu import ALIKE, Dice, MenuEntry, choices_for, menu, skills_for
from rules.legal.offers import (
    Option,
    Price,
    declarers,
    has_to_wait_for,
    may_be_plain,
    may_oppose,
    offered,
    options,
    spending_ended_by,
)
from rules.legal.trial import correctable, move_before, tried, with_skills
from rules.legal.trying import YES, chosen
from rules.legal.turns import ALSO_WITHOUT, GO_ON, WORDLESS
from rules.messages import COMMANDS, EVENTS
from rules.narrate import asked_words, beside_dice_words, narrate
from rules.odds.declared import (
    Aim,
    DeclaredOdds,
    DicePool,
    FurtherDie,
    TaskOdds,
    chance,
    declared_odds,
    further_dice,
    pool_of,
)
from rules.reference.book import EXPLAINED, reference, reference_row, row_about
from rules.reference.of_fights import CIRCUMSTANCES
from rules.reference.rows import ReferenceRow, ReferenceTable, Topic
from rules.rulesets.options import OPTION_ROWS, value_words
from rules.rulesets.profiles import FORMS, PROFILES, UNLIMITED, Profile, profile_of
from rules.rulesets.weapons import weapon_label, weapons_of
from rules.setup.events import CharacterSaved, SessionStarted
from rules.setup.setting_up import AddPlayer, SaveCharacter
from rules.ships.cards import SHIP_EFFECTS
from rules.ships.first.hits import foreseen_ship_hit, whole_damage
from rules.ships.numbers import ship_numbers
from rules.ships.second.hits import flat_resistance
from rules.ships.second.leaving import LARGE_SCALE
from rules.ships.stations import STATION_ACTIONS
from rules.state.conflict import Action, Attack, Combatant, Conflict, ConflictEnd, LastingEffect, Step, Turn
from rules.state.folding import spends_dial
from rules.state.glossary import TOLD
from rules.state.house import THE_RULES_OWN, HouseTables
from rules.state.options import TableOptions
from rules.state.people import Character
from rules.state.places import Zone, ZoneMap
from rules.state.ships import Core, Ship
from rules.state.table import Table
from rules.state.tasks import (
    KNOWN_ONCE_DECLARED,
    Assistance,
    ChallengeRoll,
    Declaration,
    ExtendedTrack,
    FreeRoll,
    HeldThrow,
    LastThrow,
    Modifier,
    Purchase,
    ShipAssistance,
    Task,
    TaskDie,
    ThrowRequest,
    Work,
)
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import (
    ActionScope,
    Attribute,
    Circumstance,
    Condition,
    ConflictKind,
    CrewQuality,
    Discipline,
    InjuryState,
    Layout,
    OpposedWinner,
    Payer,
    Pool,
    QuestionReason,
    Range,
    RerollReason,
    Ruleset,
    ShipWeaponKind,
    Side,
    Standing,
    StepKind,
    System,
    TaskPhase,
    Terrain,
    ThrowRole,
    TraitKind,
)
from rules.status import pools_told, to_take_words, turn_told, where_told
from rules.table import PLAYBOOK, decide, evolve
from rules.tasks.actions import FollowThrough
from rules.tasks.buying import DicePrice, price_of_die
from rules.tasks.challenge import points_of
from rules.tasks.challenge_rolls import CloseChallenge, RerollChallenge
from rules.tasks.declaring import BuyDie, CreateProblem, DeclareTask, WithdrawTask, momentum_to_declare, why_unpaid
from rules.tasks.determination import MakeItSo, SurgeOfActivity, UseValueAgainst
from rules.tasks.dial import (
    SetComplicationRange,
    SetDifficulty,
    as_dialled,
    dial_now,
    dial_words,
    dialled,
    difficulty_words,
)
from rules.tasks.events import TaskDeclared, TaskDiceThrown, TaskDieCorrected
from rules.tasks.extended import difficulty_as_it_is, difficulty_now, is_finished, resistance_words, work_words
from rules.tasks.line import LeaveLine, LinedUp, LineUp, may_line_up, when_next
from rules.tasks.opposed import (
    against_words,
    expected,
    is_foes,
    last_result,
    momentum_against,
    named_opponent,
    next_throw_words,
    opponent,
    other_side,
    players_result,
    reached,
    successes_to_win,
    to_win,
    waiting,
    why_won,
)
from rules.tasks.paying import momentum_at_hand
from rules.tasks.pools import MOMENTUM_CAP, save_momentum
from rules.tasks.scoring import (
    BASE_DICE,
    DIFFICULTY_WORDS,
    MOST_BONUS_DICE,
    RANGE_WORDS,
    double_at_most,
    goal,
    ship_acts,
    target_number,
)
from rules.tasks.second_throws import CorrectScoredDie, RerollDice
from rules.tasks.settling import (
    BuyOffComplication,
    FinishSpending,
    MakeSpend,
    TakeComplication,
    owner_of_complications,
    told_apart_by,
)
from rules.tasks.throwing import AttachFreeRoll, CorrectDie, DismissThrow, DropDie, EnterDice, ReportReading
from rules.tasks.throws import ChallengeDiceThrown, ChallengeDieCorrected
from rules.tasks.weighing import Weight, weight_of
from rules.tasks.words import question_sentences, questions_sentence
from rules.undo import DecisionRedone, DecisionUndone, Redo, Undo, command_words, outcome_now

__all__ = [
    "ALIKE",
    "ALSO_WITHOUT",
    "BASE_DICE",
    "CIRCUMSTANCES",
    "COMMANDS",
    "DIFFICULTY_WORDS",
    "EVENTS",
    "EXPLAINED",
    "FORMS",
    "GO_ON",
    "KNOWN_ONCE_DECLARED",
    "LARGE_SCALE",
    "LASTING",
    "LONGEST_NAME",
    "MOMENTUM_CAP",
    "MOST_BONUS_DICE",
    "MOVEMENT",
    "OPTION_ROWS",
    "PLAYBOOK",
    "PROFILES",
    "RANGE_WORDS",
    "SHIP_EFFECTS",
    "STATION_ACTIONS",
    "THE_RULES_OWN",
    "TOLD",
    "UNLIMITED",
    "WORDLESS",
    "YES",
    "Action",
    "ActionScope",
    "AddPlayer",
    "AdoptHouseTables",
    "Aim",
    "Assistance",
    "AttachFreeRoll",
    "Attack",
    "Attribute",
    "BuyDie",
    "BuyOffComplication",
    "Candidate",
    "ChallengeDiceThrown",
    "ChallengeDieCorrected",
    "ChallengeRoll",
    "Character",
    "CharacterSaved",
    "ChoiceKind",
    "Chooser",
    "Circumstance",
    "CloseChallenge",
    "Combatant",
    "Command",
    "Condition",
    "Conflict",
    "ConflictEnd",
    "ConflictKind",
    "Core",
    "CorrectDie",
    "CorrectScoredDie",
    "CreateProblem",
    "CrewQuality",
    "DecidedStep",
    "Decision",
    "DecisionRedone",
    "DecisionUndone",
    "Declaration",
    "DeclareTask",
    "DeclaredOdds",
    "Dice",
    "DicePool",
    "DicePrice",
    "Discipline",
    "DismissThrow",
    "DropDie",
    "EndEffect",
    "EndTurn",
    "EnterDice",
    "Event",
    "ExtendedTrack",
    "FinishSpending",
    "FollowThrough",
    "FreeRoll",
    "FurtherDie",
    "HeldThrow",
    "History",
    "Hit",
    "HouseTables",
    "HouseTablesError",
    "InjuryState",
    "LastThrow",
    "LastingEffect",
    "Layout",
    "LeaveLine",
    "LineUp",
    "LinedUp",
    "MakeItSo",
    "MakeSpend",
    "MenuChoice",
    "MenuEntry",
    "Modifier",
    "Narration",
    "NarrationKind",
    "Next",
    "OpposedWinner",
    "Option",
    "Payer",
    "Pool",
    "Price",
    "Profile",
    "Purchase",
    "QuestionReason",
    "Range",
    "Redo",
    "ReferenceRow",
    "ReferenceTable",
    "Refusal",
    "ReportReading",
    "RerollChallenge",
    "RerollDice",
    "RerollReason",
    "Role",
    "Ruleset",
    "SaveCharacter",
    "SessionStarted",
    "SetComplicationRange",
    "SetDifficulty",
    "Ship",
    "ShipAssistance",
    "ShipWeaponKind",
    "Side",
    "Standing",
    "Step",
    "StepKind",
    "SurgeOfActivity",
    "System",
    "Table",
    "TableOptions",
    "TakeComplication",
    "TakeMinorAction",
    "Task",
    "TaskDeclared",
    "TaskDiceThrown",
    "TaskDie",
    "TaskDieCorrected",
    "TaskOdds",
    "TaskPhase",
    "Terrain",
    "ThrowRequest",
    "ThrowRole",
    "ThrownDie",
    "Topic",
    "TraitKind",
    "Turn",
    "Unchanged",
    "Undo",
    "UseValueAgainst",
    "Weight",
    "WithdrawTask",
    "Work",
    "Zone",
    "ZoneMap",
    "after_turn_words",
    "against_words",
    "allies_among",
    "as_dialled",
    "asked_words",
    "awaited_words",
    "beside_dice_words",
    "chance",
    "choices_for",
    "chooser",
    "chosen",
    "combatant_name",
    "command_words",
    "correctable",
    "decide",
    "declared_odds",
    "declarers",
    "dial_now",
    "dial_words",
    "dialled",
    "difficulty_as_it_is",
    "difficulty_now",
    "difficulty_words",
    "double_at_most",
    "dying",
    "evolve",
    "expected",
    "feature_words",
    "flat_resistance",
    "foes_of",
    "foreseen_hit",
    "foreseen_ship_hit",
    "further_dice",
    "goal",
    "has_to_wait_for",
    "history",
    "house_tables",
    "house_words",
    "how_paid",
    "in_reach",
    "is_able",
    "is_finished",
    "is_foes",
    "last_result",
    "left_to_act",
    "may_be_plain",
    "may_begin",
    "may_help",
    "may_line_up",
    "may_oppose",
    "may_take_task",
    "meaning_of",
    "menu",
    "momentum_against",
    "momentum_at_hand",
    "momentum_to_declare",
    "move_before",
    "name_of",
    "named_opponent",
    "narrate",
    "neighbour_words",
    "next_throw_words",
    "offered",
    "opponent",
    "options",
    "other_side",
    "outcome_now",
    "owner_of_complications",
    "place_of",
    "players_result",
    "points_of",
    "pool_of",
    "pools_told",
    "price_of_die",
    "profile",
    "profile_of",
    "question_sentences",
    "questions_sentence",
    "ranges_told",
    "reached",
    "redo_words",
    "reference",
    "reference_row",
    "resistance_words",
    "round_is_over",
    "row_about",
    "save_momentum",
    "ship_acts",
    "ship_numbers",
    "skills_for",
    "spending_ended_by",
    "spends_dial",
    "step_words",
    "stress_most",
    "successes_to_win",
    "target_number",
    "there",
    "to_take_words",
    "to_win",
    "told_apart_by",
    "tried",
    "turn_is_lost",
    "turn_told",
    "undo_words",
    "unplaced",
    "value_words",
    "waiting",
    "ways_to_pay",
    "weapon_label",
    "weapons_of",
    "weight_of",
    "when_next",
    "where_told",
    "whole_damage",
    "why_unpaid",
    "why_won",
    "with_skills",
    "work_words",
    "zone_words",
]
