"""The part of the playbook that ships bring in every ruleset: their cards, their help, their seats, their answers."""

from __future__ import annotations

from typing import Final

from rules.deciding.decision import Playbook
from rules.ships import spends, threats
from rules.ships.answering import answers
from rules.ships.bridge import require_help_of, take_lost_turns
from rules.ships.cards import scene_starts
from rules.ships.places import situated
from rules.ships.seats import require_seat
from rules.ships.upkeep import scene_ends

PLAYBOOK: Final = Playbook(
    spends=spends.ROWS,
    threat_gains=threats.GAINS,
    threat_spends=threats.SPENDS,
    may_sit=(require_seat,),
    situates=(situated,),
    ship_may_help=(require_help_of,),
    answers=(answers,),
    turns_lost=(take_lost_turns,),
    scene_ends=(scene_ends,),
    scene_starts=(scene_starts,),
)
"""What holds of ships whatever the edition."""
