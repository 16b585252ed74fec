"""What can be asked of a table in a conflict, beside the commands of `rules.commands`.

A Task of a conflict is declared with `DeclareTask` and the declaration's `action`; what it sets off asks for its dice
by itself and leaves its choices to these commands.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowThrough:
    """Go on from the success in hand to what it sets off while Momentum may still be spent: an attack's damage.

    From then on the Task's own dice stand.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class EndEffect:
    """The gamemaster ends something that lasts before its time."""

    effect_id: str
