"""What fights on foot bring to the playbook, and what decides their commands (ATK, DMG, EFF, QUAL, NPC)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rules import commands_fighting as cf
from rules.deciding.draft import Draft
from rules.deciding.fighting import (
    attacks,
    bodies,
    chain,
    circumstances,
    cover,
    creatures,
    damage_spends,
    hits,
    injuries,
)
from rules.deciding.playbook import Chapter

CHAPTER: Final = Chapter(
    actions=attacks.ROWS,
    steps=(*chain.STEPS, *cover.STEPS, *damage_spends.STEPS, *hits.STEPS, *injuries.STEPS, *creatures.STEPS),
    modifiers=(attacks.require_defence, circumstances.unminded),
    turn_starts=(creatures.turn_starts,),
    scene_ends=(bodies.scene_ends,),
    scene_starts=(bodies.scene_starts,),
    spend_refused=(damage_spends.spend_refused,),
    spent=(damage_spends.spent,),
)
"""Attacks, their chains, Injuries, creatures."""

DECIDERS: Final[Mapping[type, Callable[[Draft, Any], None]]] = {
    cf.SetCover: cover.set_cover,
    cf.RerollDamage: damage_spends.reroll_damage,
    cf.SettleDamage: damage_spends.settle_damage,
    cf.ChooseTargets: hits.choose_targets,
    cf.AvoidInjury: injuries.avoid_injury,
    cf.SufferInjury: injuries.suffer_injury,
    cf.StayUp: injuries.stay_up,
    cf.FallDown: injuries.fall_down,
    cf.FendOff: attacks.fend_off,
    cf.StrikeHazard: chain.strike_hazard,
    cf.TakeWeapon: creatures.take_weapon,
    cf.PushOn: injuries.push_on,
    cf.BringIn: creatures.bring_in,
    cf.DrawPrivateThreat: creatures.draw_private_threat,
    cf.LoseInjury: creatures.lose_injury,
    cf.KeepInjury: creatures.keep_injury,
    cf.AdjustStress: bodies.adjust_stress,
}
"""What decides each command of a fight on foot."""
