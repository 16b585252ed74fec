"""How it is told what lasts: that it holds from now on, and that it ends."""

from __future__ import annotations

from typing import Final

from rules import events_conflict as ec
from rules.lasting import LASTING
from rules.narrating.telling import Narration, NarrationKind, Sentences, longer, sentence
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
    about = f", {name}" if name else ""
    meaning = f"{row.meaning[:1].upper()}{row.meaning[1:]}."
    return longer(f"{row.label}{about}.", meaning, spoken(event.effect.note), NarrationKind.CHANGE)


def _ended(event: ec.EffectEnded, before: Table, _: Table) -> Narration | None:
    row = LASTING.get(event.effect.name)
    if row is None:
        return None
    name = whose(before, event.effect)
    about = f" for {name}" if name else ""
    return longer(f"{row.label} ends{about}.", "", sentence(spoken(event.why)), NarrationKind.CHANGE)


SENTENCES: Final[Sentences] = {ec.EffectBegan: _began, ec.EffectEnded: _ended}
"""What lasts."""
