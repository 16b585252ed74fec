"""Every command and every event by name, for the journal, the wire and the table's own dispatch."""

from __future__ import annotations

import re
from typing import Final, TypeAlias, get_args

from rules import commands, commands_conflict, commands_extended, events, events_conflict, events_extended

ConflictCommand: TypeAlias = commands_conflict.FollowThrough | commands_conflict.EndEffect
"""What can be asked of a table in a conflict."""

Command: TypeAlias = (
    ConflictCommand
    | commands_extended.BeginExtendedTask
    | commands_extended.EndExtendedTask
    | commands.SetUpTable
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

Event: TypeAlias = (
    ConflictEvent
    | ExtendedEvent
    | events.TableSetUp
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
