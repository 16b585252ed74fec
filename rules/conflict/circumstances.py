"""What makes somebody harder to hit, and which circumstances creatures ignore (ATK-5, EFF-1, NPC-2)."""

from __future__ import annotations

from typing import Final

from rules.conflict.lasting import effects_named
from rules.conflict.numbers import GUARD_HARDER
from rules.conflict.positions import concealed
from rules.deciding.checks import find_character, profile
from rules.state.people import Character
from rules.state.table import Table
from rules.state.tasks import Declaration, Modifier
from rules.state.vocabulary import Circumstance
from rules.tasks.abilities import amount_of
from rules.words import say

MACHINE_EASIER: Final = 2
"""How much easier heat and cold are for a Machine (NPC-2)."""


_HEAT_AND_COLD: Final = frozenset({Circumstance.HEAT, Circumstance.COLD})
"""The circumstances that affect a Machine less (NPC-2)."""


def harder_to_hit(table: Table, target: Character, *, melee: bool) -> tuple[Modifier, ...]:
    """What of the target itself makes an attack on it harder, each with its reason (ATK-5, ACT-8, C-20)."""
    prone = profile(table).prone_difficulty
    reasons = (
        (bool(effects_named(table, "guard", target_id=target.character_id)), say("Guard"), GUARD_HARDER),
        (not melee and target.body.prone, say("Target is prone"), prone),
    )
    found = tuple(Modifier(reason=reason, change=change) for holds, reason, change in reasons if holds and change)
    return found if melee else (*found, *concealed(table, target.character_id))


def unminded(table: Table, declaration: Declaration) -> tuple[Modifier, ...]:
    """NPC-2: darkness takes nothing from Night Vision; what heat or cold makes hard is 2 easier for a Machine."""
    actor = find_character(table, declaration.character_id)
    dark = sum(
        one.change for one in declaration.modifiers if one.circumstance is Circumstance.DARKNESS and one.change > 0
    )
    more = []
    if dark and amount_of(actor, "night_vision"):
        more.append(Modifier(reason=say("Night Vision"), change=-dark))
    if amount_of(actor, "machine") and any(one.circumstance in _HEAT_AND_COLD for one in declaration.modifiers):
        more.append(Modifier(reason=say("Machine"), change=-MACHINE_EASIER))
    return tuple(more)
