"""Decides the set-up of the table: players, characters, sessions, scenes, traits."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import ClassVar

from rules.conflict.bodies import MOST_STRESS, stress_most
from rules.deciding.checks import (
    A_NAME,
    find_character,
    profile,
    require_name,
    require_nothing_open,
    require_ready,
    require_text,
    short_text,
)
from rules.deciding.decision import Command, Draft, Playbook
from rules.errors import Refusal
from rules.rulesets.weapons import weapon
from rules.setup.events import (
    CharacterRemoved,
    CharacterSaved,
    PlayerAdded,
    PlayerRemoved,
    SceneStarted,
    SessionStarted,
    TableSetUp,
)
from rules.setup.table_options import require_options
from rules.state.changing import replace
from rules.state.options import TableOptions
from rules.state.people import Ability, Attributes, Body, Character, Disciplines, Player, Value
from rules.state.table import Table
from rules.state.vocabulary import Pool, Ruleset, Standing
from rules.tasks.abilities import require_ability
from rules.tasks.determination import end_surge
from rules.tasks.pools import decayed_momentum
from rules.tasks.settling import make_room
from rules.tasks.threat import starting_threat
from rules.words import Phrase, capitalized, either, known, say


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUpTable(Command):
    """Begin: ruleset and the players' names; Threat starts at 2 per player (THR-1), Momentum at 0."""

    ruleset: Ruleset
    players: tuple[str, ...] = field(metadata=A_NAME)
    options: TableOptions = field(default_factory=TableOptions)

    undone: ClassVar[Phrase | None] = say("setting up the table")

    def decide(self, draft: Draft) -> None:
        """A table begins anew; characters and ships stay, each character as at the start of play (DET-8)."""
        require_nothing_open(draft.table)
        names = tuple(require_name(name, say("every player's name")) for name in self.players)
        if not 1 <= len(names) <= MOST_PLAYERS:
            raise Refusal("SETUP", "A table has 1 to {most} players; name them.", most=MOST_PLAYERS)
        if len({name.casefold() for name in names}) != len(names):
            raise Refusal("SETUP", "Two players have the same name; tell them apart.")
        require_options(replace(draft.table, ruleset=self.ruleset), self.options)
        number = draft.table.next_number
        known = {player.name.casefold(): player.player_id for player in draft.table.players}
        players = []
        for name in names:
            player_id = known.get(name.casefold())
            if player_id is None:
                player_id = f"player-{number}"
                number += 1
            players.append(Player(player_id=player_id, name=name))
        playing = {player.player_id for player in players}
        start = profile(replace(draft.table, ruleset=self.ruleset, options=self.options)).determination_start
        characters = tuple(
            replace(
                one,
                player_id=one.player_id if one.player_id in playing else "",
                determination=start if one.standing is Standing.PLAYER else one.determination,
                values=tuple(replace(value, struck=False) for value in one.values),
                challenged_this_session=False,
            )
            for one in draft.table.characters
        )
        draft.record(
            TableSetUp(
                ruleset=self.ruleset,
                options=self.options,
                players=tuple(players),
                characters=characters,
                threat=starting_threat(len(players)),
                next_number=number,
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AddPlayer(Command):
    """Someone joins; the pools do not change."""

    name: str = field(metadata=A_NAME)

    undone: ClassVar[Phrase | None] = say("adding a player")

    def decide(self, draft: Draft) -> None:
        """Someone joins."""
        require_ready(draft.table)
        name = require_name(self.name, say("the player's name"))
        if any(player.name.casefold() == name.casefold() for player in draft.table.players):
            raise Refusal("SETUP", "{name} is already at the table; choose another name.", name=name)
        if len(draft.table.players) >= MOST_PLAYERS:
            raise Refusal("SETUP", "A table has at most {most} players; remove one first.", most=MOST_PLAYERS)
        number = draft.table.next_number
        player = Player(player_id=f"player-{number}", name=name)
        draft.record(PlayerAdded(player=player, next_number=number + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovePlayer(Command):
    """Someone leaves; their characters become the gamemaster's to hand on."""

    player_id: str

    undone: ClassVar[Phrase | None] = say("taking a player off the table")

    def decide(self, draft: Draft) -> None:
        """Someone leaves."""
        for player in draft.table.players:
            if player.player_id == self.player_id:
                draft.record(PlayerRemoved(player_id=player.player_id, name=player.name))
                return
        raise no_such_player(draft.table)


def no_such_player(table: Table) -> Refusal:
    """The refusal of a player who is not at the table, with those who are."""
    if not table.players:
        return Refusal("SETUP", "That player is not at this table; add one first.")
    names = either([one.name for one in table.players])
    return Refusal("SETUP", "That player is not at this table; choose {names}.", names=names)


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveCharacter(Command):
    """Make a character (empty `character_id`) or replace one.

    `determination` None means the ruleset's start for a new character, and unchanged for one that is replaced.
    `stress_max` None means Fitness + Security for a new one. `weapons` are names of WPN-1, `abilities` those of NPC-2.
    Of these, too, None keeps what one has that is replaced.
    """

    name: str = field(metadata=A_NAME)
    attributes: Attributes
    disciplines: Disciplines
    focuses: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    standing: Standing = Standing.PLAYER
    player_id: str = ""
    character_id: str = ""
    determination: int | None = None
    stress_max: int | None = None
    resistance: int | None = None
    weapons: tuple[str, ...] | None = None
    abilities: tuple[Ability, ...] | None = None

    undone: ClassVar[Phrase | None] = say("the change of a character")

    def decide(self, draft: Draft) -> None:
        """CHAR-1 to CHAR-5: make or replace a character. A Value that was struck stays so while its text stays."""
        require_ready(draft.table)
        name = require_name(self.name, say("the character's name"))
        npc = self.standing is not Standing.PLAYER
        _require_ratings(self.attributes, _OTHER_RATINGS if npc else _PLAYER_ATTRIBUTES, "CHAR-1")
        _require_ratings(self.disciplines, _OTHER_RATINGS if npc else _DISCIPLINES, "CHAR-2")
        if self.player_id and all(player.player_id != self.player_id for player in draft.table.players):
            raise no_such_player(draft.table)
        before = find_character(draft.table, self.character_id) if self.character_id else None
        _require_not_acting(draft.table, self.character_id)
        struck = {value.text for value in before.values if value.struck} if before else set[str]()
        texts = tuple(dict.fromkeys(require_text(text, say("every Value in words")) for text in self.values))
        number = draft.table.next_number
        character = Character(
            character_id=before.character_id if before else f"character-{number}",
            name=name,
            attributes=self.attributes,
            disciplines=self.disciplines,
            focuses=tuple(dict.fromkeys(require_text(text, say("every focus in words")) for text in self.focuses)),
            values=tuple(Value(text=text, struck=text in struck) for text in texts),
            determination=_determination(draft.table, self, before),
            standing=self.standing,
            player_id=self.player_id,
            challenged_this_session=before.challenged_this_session if before else False,
            weapons=_weapons(draft.table, self, before),
            abilities=_abilities(draft.playbook, self, before),
            body=_body(draft.playbook, self, before),
        )
        draft.record(CharacterSaved(character=character, created=before is None, next_number=number + (before is None)))


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveCharacter(Command):
    """Take a character off the table."""

    character_id: str

    undone: ClassVar[Phrase | None] = say("taking a character off the table")

    def decide(self, draft: Draft) -> None:
        """Take a character off the table, unless it acts just now."""
        character = find_character(draft.table, self.character_id)
        _require_not_acting(draft.table, self.character_id)
        _require_not_fighting(draft.table, self.character_id)
        _require_not_aimed_at(draft.table, self.character_id)
        draft.record(CharacterRemoved(character_id=character.character_id, name=character.name))


@dataclass(frozen=True, slots=True, kw_only=True)
class StartSession(Command):
    """A new evening: Threat back to 2 per player, Values may be challenged again (THR-1, DET-7).

    It ends the scene, too: Momentum decays where the table plays so (C-17).
    """

    undone: ClassVar[Phrase | None] = say("starting the session")

    def decide(self, draft: Draft) -> None:
        """THR-1, DET-7, C-17: Threat back to its start, Values may be challenged again; the scene before is over."""
        require_ready(draft.table)
        make_room(draft)
        require_nothing_open(draft.table)
        end_surge(draft)
        for ends in draft.playbook.scene_ends:
            ends(draft)
        draft.record(SessionStarted(session=draft.table.session + 1, scene=1))
        threat = starting_threat(len(draft.table.players))
        draft.change_pool(Pool.THREAT, threat - draft.table.threat, say("a new session"))
        _let_momentum_decay(draft)
        for starts in draft.playbook.scene_starts:
            starts(draft)


@dataclass(frozen=True, slots=True, kw_only=True)
class StartScene(Command):
    """A new scene; Momentum decays where the table plays so (C-17)."""

    name: str = ""

    undone: ClassVar[Phrase | None] = say("starting the scene")

    def decide(self, draft: Draft) -> None:
        """C-17: a new scene, with the loss of Momentum that the table plays."""
        require_ready(draft.table)
        make_room(draft)
        require_nothing_open(draft.table)
        name = short_text(self.name, say("the scene's name"))
        end_surge(draft)
        for ends in draft.playbook.scene_ends:
            ends(draft)
        draft.record(SceneStarted(scene=draft.table.scene + 1, name=name))
        _let_momentum_decay(draft)
        for starts in draft.playbook.scene_starts:
            starts(draft)


def _let_momentum_decay(draft: Draft) -> None:
    """C-17: what the table loses of its Momentum when a scene ends."""
    left = decayed_momentum(draft.table.momentum, profile(draft.table))
    draft.change_pool(Pool.MOMENTUM, left - draft.table.momentum, say("the scene ended"))


MOST_PLAYERS = 12
"""The most players of a table."""


_PLAYER_ATTRIBUTES = range(7, 13)
"""What an attribute of a player's character may be (CHAR-1)."""


_OTHER_RATINGS = range(21)
"""What an attribute or a discipline of anybody else may be: creatures leave the players' range."""


_DISCIPLINES = range(7)
"""What a discipline of a player's character may be (CHAR-2)."""


def _body(playbook: Playbook, command: SaveCharacter, before: Character | None) -> Body:
    """DMG-3: Stress as the card says, else Fitness + Security; what was lost of it stays lost."""
    known = before.body if before is not None else Body()
    most = command.stress_max
    if most is None:
        most = known.stress_max or stress_most(command.attributes.fitness, command.disciplines.security)
    resistance = known.resistance if command.resistance is None else command.resistance
    if not 1 <= most <= MOST_STRESS or not 0 <= resistance <= MOST_STRESS:
        raise Refusal(
            "DMG-3", "Stress goes from 1 to {most} and Resistance from 0; choose among these.", most=MOST_STRESS
        )
    lost = known.stress_max - known.stress
    had = _own_threat(before.abilities if before is not None else ())
    has = _own_threat(_abilities(playbook, command, before))
    return replace(
        known,
        stress_max=most,
        stress=max(0, most - lost),
        resistance=resistance,
        private_threat=known.private_threat if had == has else has,
    )


def _own_threat(abilities: tuple[Ability, ...]) -> int:
    """THR-6: the Threat of its own that a Threatening creature has in each scene."""
    return max((one.amount for one in abilities if one.name == "threatening"), default=0)


def _weapons(table: Table, command: SaveCharacter, before: Character | None) -> tuple[str, ...]:
    """WPN-1: the weapons carried, each by a name of the table."""
    if command.weapons is None:
        return before.weapons if before is not None else ()
    return tuple(dict.fromkeys(weapon(one, profile(table)).name for one in command.weapons))


def _abilities(playbook: Playbook, command: SaveCharacter, before: Character | None) -> tuple[Ability, ...]:
    """NPC-2: the special abilities, each of the table."""
    if command.abilities is None:
        return before.abilities if before is not None else ()
    return tuple(require_ability(playbook, one) for one in command.abilities)


def _determination(table: Table, command: SaveCharacter, before: Character | None) -> int:
    ruled = profile(table)
    if command.determination is not None:
        if not 0 <= command.determination <= ruled.determination_maximum:
            raise Refusal(
                "DET-8",
                "Determination goes from 0 to {most}; choose one of these.",
                most=ruled.determination_maximum,
            )
        return command.determination
    if before is not None:
        return before.determination
    return ruled.determination_start if command.standing is Standing.PLAYER else 0


def _require_ratings(ratings: Attributes | Disciplines, allowed: range, rule: str) -> None:
    for one in fields(ratings):
        if getattr(ratings, one.name) not in allowed:
            raise Refusal(
                rule,
                "{name} goes from {least} to {most}.",
                name=capitalized(known(one.name)),
                least=allowed.start,
                most=allowed.stop - 1,
            )


def _require_not_acting(table: Table, character_id: str) -> None:
    for task in (table.task, table.opposed):
        if task is None or not character_id:
            continue
        acting = (task.declaration.character_id, *(one.character_id for one in task.declaration.assists))
        if character_id in acting:
            raise Refusal("TASK-10", "That character's Task is in hand; finish it or take it back first.")


def _require_not_aimed_at(table: Table, character_id: str) -> None:
    """Refuse for who is the target of the Task in hand, or of what is still to be settled."""
    actions = [task.declaration.action for task in (table.task, table.opposed) if task is not None]
    if table.attack is not None:
        actions.append(table.attack.action)
    aimed = {one.target_id for one in actions if one is not None}
    undecided = (one for one in (table.task, table.opposed) if one is not None and one.opposed_winner is None)
    aimed |= {one.declaration.opponent_id for one in undecided}
    aimed |= {one for step in table.agenda for one in (step.subject_id, step.by_id)}
    if character_id in aimed:
        raise Refusal("TASK-10", "Something that happens to them is still to be settled; finish it first.")


def _require_not_fighting(table: Table, combatant_id: str) -> None:
    """Refuse for who takes part in the conflict under way."""
    if table.conflict is not None and table.conflict.combatant(combatant_id) is not None:
        raise Refusal("TURN-1", "They take part in the conflict; take them out of it first.")
