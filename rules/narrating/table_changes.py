"""How it is told who and what is at the table, and what changed there."""

from __future__ import annotations

from typing import Final

from rules import events as e
from rules.narrating.telling import (
    Narration,
    NarrationKind,
    Sentences,
    awaited_words,
    longer,
    named,
    pools_words,
    same,
    sentence,
)
from rules.narrating.undoing import command_words
from rules.option_words import OPTION_ROWS, value_words
from rules.rulesets import profile_at
from rules.state import Table
from rules.vocabulary import Pool
from rules.wording import (
    counted,
    signless,
    spoken,
)


def _set_up(event: e.TableSetUp, _: Table, after: Table) -> Narration:
    return longer(
        "The table is set.", f"{counted(len(event.players), 'player')}.", pools_words(after), NarrationKind.INFO
    )


def _options(event: e.OptionsChanged, before: Table, after: Table) -> Narration:
    played, plays = profile_at(before), profile_at(after)
    changed = [
        f"{row.label}: {value_words(getattr(plays, row.name))}."
        for row in OPTION_ROWS.values()
        if getattr(event.before, row.name) != getattr(event.options, row.name)
        and getattr(played, row.name) != getattr(plays, row.name)
    ]
    more = " ".join(changed) or "They come to the same."
    return longer("The table's rules are changed.", more, "From the next roll on.", NarrationKind.INFO)


def _session(event: e.SessionStarted, _: Table, after: Table) -> Narration:
    return longer(f"Session {event.session}.", pools_words(after), "", NarrationKind.INFO)


def _scene(event: e.SceneStarted, before: Table, after: Table) -> Narration:
    name = spoken(event.name)
    lost = f"Momentum falls from {before.momentum} to {after.momentum}." if after.momentum < before.momentum else ""
    return longer(f"Scene {event.scene}{f', {name}' if name else ''}.", lost, pools_words(after), NarrationKind.INFO)


def _trait_added(event: e.TraitAdded, _: Table, __: Table) -> Narration:
    kind = event.trait.kind.value.capitalize()
    potency = f", potency {event.trait.potency}" if event.trait.potency > 1 else ""
    return same(f"{kind}: {spoken(event.trait.name)}{potency}.", NarrationKind.CHANGE)


def _trait_removed(event: e.TraitRemoved, _: Table, __: Table) -> Narration:
    return same(f"{spoken(event.name)} ends.", NarrationKind.CHANGE)


def _pool(event: e.PoolChanged, _: Table, __: Table) -> Narration:
    name = "Momentum" if event.pool is Pool.MOMENTUM else "Threat"
    return longer(
        f"{name} {event.after}.",
        f"Changed by {signless(event.change)}.",
        f"{spoken(event.reason)}.",
        NarrationKind.CHANGE,
    )


def _determination(event: e.DeterminationChanged, _: Table, __: Table) -> Narration:
    return longer(
        f"{spoken(event.name)}, Determination {event.after}.",
        "",
        f"{sentence(spoken(event.reason))}",
        NarrationKind.CHANGE,
    )


def _challenged(event: e.ValueChallenged, _: Table, __: Table) -> Narration:
    return longer(f"{spoken(event.name)}'s Value is struck out.", f"{spoken(event.value)}.", "", NarrationKind.CHANGE)


def _surge(event: e.SurgeGained, _: Table, __: Table) -> Narration:
    return same(f"{spoken(event.name)} may begin another Task at once.", NarrationKind.CHANGE)


def _player_added(event: e.PlayerAdded, _: Table, __: Table) -> Narration:
    return same(f"{spoken(event.player.name)} joins.", NarrationKind.INFO)


def _character_saved(event: e.CharacterSaved, _: Table, __: Table) -> Narration:
    return same(f"{spoken(event.character.name)} is {'ready' if event.created else 'changed'}.", NarrationKind.INFO)


def _ship_saved(event: e.ShipSaved, _: Table, __: Table) -> Narration:
    return same(f"{spoken(event.ship.name)} is {'ready' if event.created else 'changed'}.", NarrationKind.INFO)


def _undone(event: e.DecisionUndone, _: Table, after: Table) -> Narration:
    what = f": {command_words(event.command)}" if event.command else ""
    return longer(f"Taken back{what}.", awaited_words(after.request), pools_words(after), NarrationKind.CHANGE)


def _redone(event: e.DecisionRedone, _: Table, after: Table) -> Narration:
    what = f": {command_words(event.command)}" if event.command else ""
    return longer(f"Brought back{what}.", awaited_words(after.request), pools_words(after), NarrationKind.CHANGE)


SENTENCES: Final[Sentences] = {
    e.TableSetUp: _set_up,
    e.OptionsChanged: _options,
    e.SessionStarted: _session,
    e.SceneStarted: _scene,
    e.ValueChallenged: _challenged,
    e.SurgeGained: _surge,
    e.TraitAdded: _trait_added,
    e.TraitRemoved: _trait_removed,
    e.DeterminationChanged: _determination,
    e.PoolChanged: _pool,
    e.PlayerAdded: _player_added,
    e.PlayerRemoved: named("leaves"),
    e.CharacterSaved: _character_saved,
    e.CharacterRemoved: named("leaves the table"),
    e.ShipSaved: _ship_saved,
    e.ShipRemoved: named("leaves the table"),
    e.DecisionUndone: _undone,
    e.DecisionRedone: _redone,
}
"""The weightiest first."""
