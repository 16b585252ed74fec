"""How it is told what lasts: that it holds from now on, and that it ends."""

from __future__ import annotations

from typing import Final

from rules import events_conflict as ec
from rules.lasting import LASTING
from rules.narrating.telling import Narration, NarrationKind, Sentences, ended, longer, reason, sentence
from rules.phrases import say
from rules.state import Table
from rules.state_conflict import LastingEffect
from rules.wording import spoken


def whose(table: Table, effect: LastingEffect) -> str:
    """The name of whom an effect is about, else of whose it is; empty where neither is at the table."""
    named = {one.character_id: one.name for one in table.characters} | {one.ship_id: one.name for one in table.ships}
    return spoken(named.get(effect.target_id) or named.get(effect.owner_id) or "")


def _began(event: ec.EffectBegan, before: Table, after: Table) -> Narration | None:
    """A change of what holds already, such as its Rounds, is not told again."""
    if any(one.effect_id == event.effect.effect_id for one in before.effects):
        return None
    row = LASTING.get(event.effect.name)
    if row is None:
        return None
    name = whose(after, event.effect)
    text = say("{effect}, {name}.", effect=row.label, name=name) if name else ended(row.label)
    return longer(text, sentence(row.meaning), spoken(event.effect.note), NarrationKind.CHANGE)


def _ended(event: ec.EffectEnded, before: Table, _: Table) -> Narration | None:
    row = LASTING.get(event.effect.name)
    if row is None:
        return None
    name = whose(before, event.effect)
    if name:
        text = say("{effect} ends for {name}.", effect=row.label, name=name)
    else:
        text = say("{effect} ends.", effect=row.label)
    return longer(text, "", reason(event.why), NarrationKind.CHANGE)


SENTENCES: Final[Sentences] = {ec.EffectBegan: _began, ec.EffectEnded: _ended}
"""What lasts."""
