"""Every command and every event by name, for the journal, the wire and the table's own dispatch."""

from __future__ import annotations

import re
from typing import Final, TypeAlias, get_args

from rules import (
    commands,
    commands_asking,
    commands_conflict,
    commands_extended,
    commands_ships2e,
    events,
    events_asking,
    events_conflict,
    events_extended,
    events_ships2e,
)
from rules.commands_house import AdoptHouseTables
from rules.events_house import HouseTablesAdopted
from rules.messages_fighting import FightingCommand, FightingEvent
from rules.messages_ships import ShipsCommand, ShipsEvent
from rules.messages_turns import TurnCommand, TurnEvent

ConflictCommand: TypeAlias = commands_conflict.FollowThrough | commands_conflict.EndEffect
"""What can be asked of a table in a conflict."""

Ships2eCommand: TypeAlias = (
    commands_ships2e.SetTerrain
    | commands_ships2e.ChooseStruckSystem
    | commands_ships2e.SettleHit
    | commands_ships2e.ChooseShaken
    | commands_ships2e.StrikeShip
    | commands_ships2e.ChooseShipsInClose
    | commands_ships2e.AbandonShip
    | commands_ships2e.ChooseLargeShipTurns
    | commands_ships2e.UseSurplusDie
)
"""What can be asked in starship combat of the second edition."""

Command: TypeAlias = (
    ConflictCommand
    | ShipsCommand
    | FightingCommand
    | TurnCommand
    | Ships2eCommand
    | commands_extended.BeginExtendedTask
    | commands_extended.EndExtendedTask
    | commands_asking.AskForTask
    | commands_asking.TakeBackAsking
    | AdoptHouseTables
    | commands.SetUpTable
    | commands.ChangeOptions
    | commands.AddPlayer
    | commands.RemovePlayer
    | commands.SaveCharacter
    | commands.RemoveCharacter
    | commands.SaveShip
    | commands.RemoveShip
    | commands.StartSession
    | commands.StartScene
    | commands.AddTrait
    | commands.RemoveTrait
    | commands.AdjustPool
    | commands.GainThreat
    | commands.SpendThreat
    | commands.DeclareTask
    | commands.BuyDie
    | commands.CreateProblem
    | commands.WithdrawTask
    | commands.ThrowAgainst
    | commands.DeclareChallenge
    | commands.ReportReading
    | commands.EnterDice
    | commands.CorrectDie
    | commands.DropDie
    | commands.DismissThrow
    | commands.CorrectScoredDie
    | commands.AttachFreeRoll
    | commands.RerollDice
    | commands.RerollChallenge
    | commands.SucceedAtCost
    | commands.MakeSpend
    | commands.FinishSpending
    | commands.TakeComplication
    | commands.BuyOffComplication
    | commands.CloseChallenge
    | commands.SurgeOfActivity
    | commands.MakeItSo
    | commands.UseValueAgainst
    | commands.Undo
    | commands.Redo
)
"""Whatever can be asked of the table."""

ConflictEvent: TypeAlias = (
    events_conflict.AgendaChanged
    | events_conflict.StepDiceThrown
    | events_conflict.EffectBegan
    | events_conflict.EffectEnded
    | events_conflict.ConflictChanged
    | events_conflict.AttackChanged
    | events_conflict.BodyChanged
    | events_conflict.ShipStateChanged
    | events_conflict.FollowedThrough
)
"""What can have happened in a conflict."""

ExtendedEvent: TypeAlias = (
    events_extended.ExtendedTaskBegan
    | events_extended.WorkMarked
    | events_extended.ExtendedTaskFinished
    | events_extended.ExtendedTaskEnded
)
"""What can have happened to Extended Tasks."""

Ships2eEvent: TypeAlias = (
    events_ships2e.ReservePowerChanged
    | events_ships2e.ShieldsChanged
    | events_ships2e.WeaponsArmed
    | events_ships2e.ShipMoved
    | events_ships2e.TerrainSet
    | events_ships2e.HazardMet
    | events_ships2e.WentToWarp
    | events_ships2e.PursuitDecided
    | events_ships2e.EvasionWon
    | events_ships2e.AttackStruck
    | events_ships2e.SystemStruck
    | events_ships2e.FlatHitSettled
    | events_ships2e.HullFailed
    | events_ships2e.ShakenChosen
    | events_ships2e.CoreChecked
    | events_ships2e.CoreSecured
    | events_ships2e.BreachPatched
    | events_ships2e.BreachesMended
    | events_ships2e.SystemRestored
    | events_ships2e.ShipAbandoned
    | events_ships2e.LargeShipTurnsSet
)
"""What can have happened in starship combat of the second edition."""

Event: TypeAlias = (
    ConflictEvent
    | ShipsEvent
    | FightingEvent
    | TurnEvent
    | Ships2eEvent
    | ExtendedEvent
    | events_asking.TaskAsked
    | events_asking.AskingTakenBack
    | HouseTablesAdopted
    | events.TableSetUp
    | events.OptionsChanged
    | events.PlayerAdded
    | events.PlayerRemoved
    | events.CharacterSaved
    | events.CharacterRemoved
    | events.ShipSaved
    | events.ShipRemoved
    | events.SessionStarted
    | events.SceneStarted
    | events.TraitAdded
    | events.TraitRemoved
    | events.PoolChanged
    | events.DeterminationChanged
    | events.ValueChallenged
    | events.SurgeGained
    | events.SurgeEnded
    | events.TaskDeclared
    | events.ThrowAwaited
    | events.DieBought
    | events.ProblemCreated
    | events.TaskWithdrawn
    | events.ThrowHeld
    | events.ThrowDismissed
    | events.TaskDiceThrown
    | events.OutcomeReached
    | events.SideTurned
    | events.OpposedDecided
    | events.RerollStarted
    | events.TaskDieCorrected
    | events.MomentumSpent
    | events.SpendingFinished
    | events.ComplicationTaken
    | events.ComplicationBoughtOff
    | events.TaskClosed
    | events.ChallengeDeclared
    | events.ChallengeDiceThrown
    | events.ChallengeRerollStarted
    | events.ChallengeDieCorrected
    | events.ChallengeClosed
    | events.FreeRollMade
    | events.DecisionUndone
    | events.DecisionRedone
)
"""Whatever can have happened at the table."""

_WORD_START: Final = re.compile(r"(?<!^)(?=[A-Z])")


def name_of(message: object) -> str:
    """The snake-case name of a command or an event, or of its class: `DeclareTask` is `declare_task`."""
    kind = message if isinstance(message, type) else type(message)
    return _WORD_START.sub("_", kind.__name__).lower()


COMMANDS: Final[dict[str, type[Command]]] = {name_of(kind): kind for kind in get_args(Command)}
"""Every command's class by its name."""

EVENTS: Final[dict[str, type[Event]]] = {name_of(kind): kind for kind in get_args(Event)}
"""Every event's class by its name."""
