"""The commands and events of fights on foot, as unions for the list of all messages."""

from __future__ import annotations

from typing import TypeAlias

from rules import commands_fighting as cf
from rules import events_fighting as ef

FightingCommand: TypeAlias = (
    cf.SetCover
    | cf.RerollDamage
    | cf.SettleDamage
    | cf.ChooseTargets
    | cf.AvoidInjury
    | cf.SufferInjury
    | cf.StayUp
    | cf.FallDown
    | cf.FendOff
    | cf.StrikeHazard
    | cf.TakeWeapon
    | cf.PushOn
    | cf.BringIn
    | cf.DrawPrivateThreat
    | cf.LoseInjury
    | cf.KeepInjury
    | cf.AdjustStress
)
"""What can be asked in a fight on foot."""

FightingEvent: TypeAlias = (
    ef.DamageCounted
    | ef.Struck
    | ef.PrivateThreatDrawn
    | ef.PrivateThreatReturned
    | ef.DamageRerollStarted
    | ef.CoverCounted
    | ef.DamageSettled
    | ef.InjuryAvoided
    | ef.InjurySuffered
    | ef.InjuryWithstood
    | ef.InjuryEnded
    | ef.Relieved
    | ef.KnockedDown
    | ef.TargetsChosen
    | ef.AttackSettled
    | ef.FendedOff
    | ef.Disarmed
    | ef.WeaponTaken
    | ef.PushedOn
    | ef.BroughtIn
    | ef.StressChanged
)
"""What can have happened in a fight on foot."""
