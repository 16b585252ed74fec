"""Events of the set-up: players, characters, sessions, scenes, options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rules.deciding.checks import profile
from rules.deciding.decision import Event
from rules.deciding.telling import (
    Narration,
    NarrationKind,
    ended,
    longer,
    pools_if_same,
    pools_words,
    same,
    saved_told,
)
from rules.rulesets.options import OPTION_ROWS, value_words
from rules.state.changing import replace
from rules.state.folding import with_character, without_asking, without_opponent
from rules.state.options import TableOptions
from rules.state.people import Character, Player
from rules.state.table import Table
from rules.state.vocabulary import Ruleset
from rules.words import NOTHING, counted, say, sentences, spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSetUp(Event):
    """A table begins. `characters` are those that stay from before, as they start now."""

    ruleset: Ruleset
    options: TableOptions
    players: tuple[Player, ...]
    characters: tuple[Character, ...]
    threat: int
    next_number: int

    weight: ClassVar[int | None] = 250

    def fold(self, table: Table) -> Table:
        return Table(
            ruleset=self.ruleset,
            options=self.options,
            house=table.house,
            ready=True,
            session=1,
            scene=1,
            threat=self.threat,
            players=self.players,
            characters=self.characters,
            ships=table.ships,
            seen_readings=table.seen_readings,
            next_number=self.next_number,
        )

    def told(self, _: Table, after: Table) -> Narration:
        return longer(
            say("The table is set."),
            ended(counted(len(self.players), "player")),
            pools_words(after),
            NarrationKind.INFO,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionsChanged(Event):
    """The table plays by other options from now on; `before` are those it played by."""

    before: TableOptions
    options: TableOptions

    weight: ClassVar[int | None] = 260

    def fold(self, table: Table) -> Table:
        return replace(table, options=self.options)

    def told(self, before: Table, after: Table) -> Narration:
        played, plays = profile(before), profile(after)
        changed = [
            say("{option}: {value}.", option=row.label, value=value_words(getattr(plays, row.name)))
            for row in OPTION_ROWS.values()
            if getattr(self.before, row.name) != getattr(self.options, row.name)
            and getattr(played, row.name) != getattr(plays, row.name)
        ]
        more = sentences(*changed) or say("They come to the same.")
        return longer(say("The table's rules are changed."), more, say("From the next roll on."), NarrationKind.INFO)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerAdded(Event):
    """Someone joined."""

    player: Player
    next_number: int

    weight: ClassVar[int | None] = 350

    def fold(self, table: Table) -> Table:
        return replace(table, players=(*table.players, self.player), next_number=self.next_number)

    def told(self, _: Table, __: Table) -> Narration:
        return same(say("{player} joins.", player=spoken(self.player.name)), NarrationKind.INFO)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRemoved(Event):
    """Someone left; their characters now belong to the gamemaster."""

    player_id: str
    name: str

    weight: ClassVar[int | None] = 360

    def fold(self, table: Table) -> Table:
        return replace(
            table,
            players=tuple(one for one in table.players if one.player_id != self.player_id),
            characters=tuple(
                replace(one, player_id="") if one.player_id == self.player_id else one for one in table.characters
            ),
        )

    def told(self, _: Table, __: Table) -> Narration:
        return same(say("{name} leaves.", name=spoken(self.name)), NarrationKind.INFO)


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterSaved(Event):
    """A character was made or replaced."""

    character: Character
    created: bool
    next_number: int

    weight: ClassVar[int | None] = 370

    def fold(self, table: Table) -> Table:
        known = any(one.character_id == self.character.character_id for one in table.characters)
        if known:
            table = with_character(table, self.character.character_id, lambda _: self.character)
            return replace(table, next_number=self.next_number)
        return replace(table, characters=(*table.characters, self.character), next_number=self.next_number)

    def told(self, _: Table, __: Table) -> Narration:
        return saved_told(spoken(self.character.name), created=self.created)


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterRemoved(Event):
    """A character left the table."""

    character_id: str
    name: str

    weight: ClassVar[int | None] = 380

    def fold(self, table: Table) -> Table:
        left = replace(
            table,
            characters=tuple(one for one in table.characters if one.character_id != self.character_id),
            surge_for="" if table.surge_for == self.character_id else table.surge_for,
            asked=without_asking(table, self.character_id),
            fought=tuple(one for one in table.fought if one != self.character_id),
        )
        return without_opponent(left, self.character_id)

    def told(self, _: Table, __: Table) -> Narration:
        return same(say("{name} leaves the table.", name=spoken(self.name)), NarrationKind.INFO)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStarted(Event):
    """A new evening; every Value may be challenged again (DET-7)."""

    session: int
    scene: int

    weight: ClassVar[int | None] = 270

    def fold(self, table: Table) -> Table:
        return replace(
            _cleared(table),
            session=self.session,
            scene=self.scene,
            scene_name="",
            characters=tuple(replace(one, challenged_this_session=False) for one in table.characters),
        )

    def told(self, _: Table, after: Table) -> Narration:
        return longer(say("Session {session}.", session=self.session), pools_words(after), "", NarrationKind.INFO)


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneStarted(Event):
    """A new scene."""

    scene: int
    name: str

    weight: ClassVar[int | None] = 280

    def fold(self, table: Table) -> Table:
        return replace(_cleared(table), scene=self.scene, scene_name=self.name)

    def told(self, before: Table, after: Table) -> Narration:
        name = spoken(self.name)
        if name:
            text = say("Scene {scene}, {name}.", scene=self.scene, name=name)
        else:
            text = say("Scene {scene}.", scene=self.scene)
        line = say("No Task waits any more.") if before.in_line else NOTHING
        return longer(sentences(text, line), "", pools_if_same(before, after), NarrationKind.INFO)


def _cleared(table: Table) -> Table:
    """The table without what belonged to the scene before: its last dice, its map, and what was asked for in it."""
    return replace(
        table,
        last_task=None,
        last_opponent=None,
        challenge=None,
        free_rolls=(),
        asked=(),
        in_line=(),
        dial=None,
        conflict_end=None,
        zone_map=None,
    )
