"""What fights on foot bring to the playbook, and what decides their commands (ATK, DMG, EFF, QUAL, NPC)."""

from __future__ import annotations

from typing import Final

from rules.conflict import attacks, chain, cover, creatures, damage_spends, hits, injuries
from rules.conflict.attacks import require_defence
from rules.conflict.bodies import scene_ends, scene_starts
from rules.conflict.circumstances import unminded
from rules.conflict.creatures import turn_starts
from rules.conflict.damage_spends import spend_refused, spent
from rules.deciding.decision import Playbook

CHAPTER: Final = Playbook(
    actions=attacks.ROWS,
    steps=(*chain.STEPS, *cover.STEPS, *damage_spends.STEPS, *hits.STEPS, *injuries.STEPS, *creatures.STEPS),
    modifiers=(require_defence, unminded),
    turn_starts=(turn_starts,),
    scene_ends=(scene_ends,),
    scene_starts=(scene_starts,),
    spend_refused=(spend_refused,),
    spent=(spent,),
)
"""Attacks, their chains, Injuries, creatures."""
