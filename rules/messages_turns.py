"""The commands and events of Rounds and Turns, for `rules.messages`."""

from __future__ import annotations

from typing import TypeAlias

from rules import commands_turns as ct
from rules import events_turns as et

TurnCommand: TypeAlias = (
    ct.StartConflict
    | ct.EndConflict
    | ct.AddCombatant
    | ct.RemoveCombatant
    | ct.BeginTurn
    | ct.EndTurn
    | ct.PassTurn
    | ct.KeepInitiative
    | ct.NextRound
    | ct.SetReach
    | ct.TakeMinorAction
)
"""What can be asked of a conflict's order."""

TurnEvent: TypeAlias = (
    et.ConflictStarted
    | et.ConflictOver
    | et.CombatantJoined
    | et.CombatantLeft
    | et.TurnBegan
    | et.TurnOver
    | et.TurnPassed
    | et.InitiativeKept
    | et.RoundBegan
    | et.ReachChanged
    | et.MinorActionTaken
    | et.AllyDirected
)
"""What can have happened to a conflict's order."""
