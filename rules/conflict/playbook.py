"""The part of the playbook that conflicts bring: Rounds and Turns, actions, fights on foot (TURN, ACT, ATK).

Moments that several modules have a say in follow each other in the order of the rows here.
"""

from __future__ import annotations

from typing import Final

from rules.conflict import (
    abilities,
    attacks,
    bodies,
    budget,
    chain,
    common,
    cover,
    creatures,
    damage_spends,
    hits,
    holding,
    injuries,
    lasting,
    minors,
    personal,
    rounds,
    spends,
    threats,
)
from rules.conflict.budget import in_ones_turn, lose_turn, surge_refused, swift_modifiers, use_task
from rules.conflict.circumstances import unminded
from rules.conflict.common import OTHER, PASS, READY, on_the_bridge
from rules.conflict.helping import end_promised, give_help, with_promised
from rules.conflict.minors import INTERACT
from rules.conflict.order import require_able
from rules.conflict.personal import reach_modifiers
from rules.conflict.positions import situated
from rules.deciding.decision import Playbook

PLAYBOOK: Final = Playbook(
    actions=(
        *common.ROWS,
        *(on_the_bridge(row) for row in (READY, PASS, OTHER)),
        *personal.ROWS,
        *minors.ROWS,
        on_the_bridge(INTERACT, rule="SHIP-10"),
        *attacks.ROWS,
    ),
    steps=(
        *rounds.STEPS,
        *chain.STEPS,
        *cover.STEPS,
        *damage_spends.STEPS,
        *hits.STEPS,
        *injuries.STEPS,
        *creatures.STEPS,
    ),
    spends=spends.ROWS,
    threat_gains=threats.GAINS,
    threat_spends=threats.SPENDS,
    abilities=abilities.ROWS,
    may_act=(require_able,),
    own_task=(in_ones_turn,),
    uses_task=(use_task,),
    task_begins=(end_promised,),
    adds_help=(with_promised,),
    pays_help=(give_help,),
    surge_refused=(surge_refused,),
    situates=(situated,),
    answers=(attacks.answers,),
    modifiers=(reach_modifiers, swift_modifiers, unminded),
    turn_starts=(holding.turn_starts, lose_turn, creatures.turn_starts),
    turn_ends=(holding.turn_ends, budget.turn_ends),
    round_ends=(holding.round_ends,),
    # What lasts ends while there still is the conflict that it belongs to.
    scene_ends=(lasting.scene_ends, rounds.scene_ends, bodies.scene_ends),
    scene_starts=(bodies.scene_starts,),
    spend_refused=(budget.spend_refused, personal.spend_refused, damage_spends.spend_refused),
    serves=(budget.serves, personal.serves, damage_spends.serves),
    bought_before=(budget.bought_before,),
    spent=(budget.spent, personal.spent, damage_spends.spent),
    decided=(creatures.return_unspent,),
)
"""The actions, steps and moments of conflicts, in every ruleset."""
