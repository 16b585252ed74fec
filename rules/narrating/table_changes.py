"""How it is told who and what is at the table, and what changed there."""

from __future__ import annotations

from typing import Final

from rules import events as e
from rules.narrating.standing_again import standing_again
from rules.narrating.telling import (
    NOTHING,
    Narration,
    NarrationKind,
    Sentences,
    awaited_words,
    ended,
    longer,
    plainly,
    pools_if_same,
    pools_words,
    reason,
    same,
)
from rules.narrating.undoing import command_words
from rules.option_words import OPTION_ROWS, value_words
from rules.phrases import Phrase, capitalized, known, say, sentences
from rules.rulesets import profile_at
from rules.state import Table
from rules.wording import (
    counted,
    spoken,
)


def _set_up(event: e.TableSetUp, _: Table, after: Table) -> Narration:
    return longer(
        say("The table is set."), ended(counted(len(event.players), "player")), pools_words(after), NarrationKind.INFO
    )


def _options(event: e.OptionsChanged, before: Table, after: Table) -> Narration:
    played, plays = profile_at(before), profile_at(after)
    changed = [
        say("{option}: {value}.", option=row.label, value=value_words(getattr(plays, row.name)))
        for row in OPTION_ROWS.values()
        if getattr(event.before, row.name) != getattr(event.options, row.name)
        and getattr(played, row.name) != getattr(plays, row.name)
    ]
    more = sentences(*changed) or say("They come to the same.")
    return longer(say("The table's rules are changed."), more, say("From the next roll on."), NarrationKind.INFO)


def _session(event: e.SessionStarted, _: Table, after: Table) -> Narration:
    return longer(say("Session {session}.", session=event.session), pools_words(after), "", NarrationKind.INFO)


def _scene(event: e.SceneStarted, before: Table, after: Table) -> Narration:
    name = spoken(event.name)
    if name:
        text = say("Scene {scene}, {name}.", scene=event.scene, name=name)
    else:
        text = say("Scene {scene}.", scene=event.scene)
    return longer(text, "", pools_if_same(before, after), NarrationKind.INFO)


def _trait_added(event: e.TraitAdded, _: Table, __: Table) -> Narration:
    kind, name, potency = capitalized(event.trait.kind), spoken(known(event.trait.name)), event.trait.potency
    if potency > 1:
        return same(
            say("{kind}: {name}, potency {potency}.", kind=kind, name=name, potency=potency), NarrationKind.CHANGE
        )
    return same(say("{kind}: {name}.", kind=kind, name=name), NarrationKind.CHANGE)


def _trait_removed(event: e.TraitRemoved, _: Table, __: Table) -> Narration:
    return same(say("{name} ends.", name=spoken(known(event.name))), NarrationKind.CHANGE)


def _pool(event: e.PoolChanged, _: Table, __: Table) -> Narration:
    return _why(event.reason)


def _determination(event: e.DeterminationChanged, _: Table, __: Table) -> Narration:
    return _why(event.reason)


def _why(words: str) -> Narration:
    """In full, why something changed; what changed is said as with every decision that changes it."""
    return longer(NOTHING, NOTHING, reason(words), NarrationKind.CHANGE)


def _challenged(event: e.ValueChallenged, _: Table, __: Table) -> Narration:
    return longer(
        say("{name}'s Value is struck out.", name=spoken(event.name)),
        say("{words}.", words=spoken(event.value)),
        "",
        NarrationKind.CHANGE,
    )


def _surge(event: e.SurgeGained, _: Table, __: Table) -> Narration:
    return same(say("{name} may begin another Task at once.", name=spoken(event.name)), NarrationKind.CHANGE)


def _player_added(event: e.PlayerAdded, _: Table, __: Table) -> Narration:
    return same(say("{player} joins.", player=spoken(event.player.name)), NarrationKind.INFO)


def _character_saved(event: e.CharacterSaved, _: Table, __: Table) -> Narration:
    return _saved(spoken(event.character.name), created=event.created)


def _ship_saved(event: e.ShipSaved, _: Table, __: Table) -> Narration:
    return _saved(spoken(event.ship.name), created=event.created)


def _saved(name: str, *, created: bool) -> Narration:
    if created:
        return same(say("{name} is ready.", name=name), NarrationKind.INFO)
    return same(say("{name} is changed.", name=name), NarrationKind.INFO)


def _undone(event: e.DecisionUndone, before: Table, after: Table) -> Narration:
    text = say("Taken back.")
    if event.command:
        text = say("Taken back: {decision}.", decision=command_words(event.command))
    return _stands_again(text, before, after)


def _redone(event: e.DecisionRedone, before: Table, after: Table) -> Narration:
    text = say("Brought back.")
    if event.command:
        text = say("Brought back: {decision}.", decision=command_words(event.command))
    return _stands_again(text, before, after)


def _stands_again(text: Phrase, before: Table, after: Table) -> Narration:
    """What was decided, then what it is about now: the outcome that stands again, or the dice that are awaited."""
    again, pools = standing_again(before, after), pools_if_same(before, after)
    return Narration(
        terse=sentences(text, again.terse),
        normal=sentences(text, again.normal, awaited_words(after.request)),
        full=sentences(text, again.full, awaited_words(after.request), pools),
        kind=NarrationKind.CHANGE,
    )


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
    e.PlayerRemoved: plainly(lambda name: say("{name} leaves.", name=name)),
    e.CharacterSaved: _character_saved,
    e.CharacterRemoved: plainly(lambda name: say("{name} leaves the table.", name=name)),
    e.ShipSaved: _ship_saved,
    e.ShipRemoved: plainly(lambda name: say("{name} leaves the table.", name=name)),
    e.DecisionUndone: _undone,
    e.DecisionRedone: _redone,
}
"""The weightiest first."""
