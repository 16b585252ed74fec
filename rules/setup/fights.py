"""A fight at once: those whom the crew meets come to the table and the conflict begins, in one decision."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from rules.conflict.creatures import BringIn
from rules.conflict.rounds import Entrant, StartConflict
from rules.deciding.checks import require_ready
from rules.deciding.decision import Command, Draft
from rules.errors import Refusal
from rules.setup.setting_up import RemoveCharacter, SaveCharacter
from rules.ships.cards import RemoveShip, SaveShip
from rules.state.vocabulary import ConflictKind, Standing
from rules.words import Phrase, say


@dataclass(frozen=True, slots=True, kw_only=True)
class StartFight(Command):
    """Make NPCs and NPC ships and begin a conflict with them against those of `crew`, who are at the table already.

    In a starship conflict the NPC ships take part; people who are made for it are aboard, and wait. Minor NPCs and NPC
    ships of a conflict that is over leave the table where a new one has their name.
    """

    kind: ConflictKind
    crew: tuple[Entrant, ...]
    foes: tuple[SaveCharacter, ...] = ()
    ships: tuple[SaveShip, ...] = ()

    undone: ClassVar[Phrase | None] = say("the fight and those who came for it")

    def decide(self, draft: Draft) -> None:
        """NPC-1, NSHIP-1, TURN-1: foes enter the scene, and Rounds and Turns begin."""
        require_ready(draft.table)
        duel = self.kind is ConflictKind.STARSHIP
        if not (self.ships if duel else self.foes):
            raise Refusal("TURN-1", "Say whom the crew meets.")
        if not self.crew:
            raise Refusal("TURN-1", "Say who of the crew takes part.")
        if any(one.standing is Standing.PLAYER or one.character_id for one in self.foes):
            raise Refusal(
                "NPC-1", "Foes are NPCs who are new at the table; who is there already is entered beside them."
            )
        if any(one.crew is None or one.ship_id for one in self.ships):
            raise Refusal("NSHIP-1", "The other side's ships are new at the table and have a crew of their own.")
        _make_room(draft, {*(one.name for one in self.foes), *(one.name for one in self.ships)})
        entrants = list(self.crew)
        for foe in self.foes:
            foe.decide(draft)
            made = draft.table.characters[-1]
            if any(one.name == "menacing" for one in made.abilities):
                BringIn(character_id=made.character_id).decide(draft)
            if not duel:
                entrants.append(Entrant(combatant_id=made.character_id))
        for ship in self.ships:
            ship.decide(draft)
            if duel:
                entrants.append(Entrant(combatant_id=draft.table.ships[-1].ship_id))
        StartConflict(kind=self.kind, combatants=tuple(entrants)).decide(draft)


def _make_room(draft: Draft, names: Collection[str]) -> None:
    """Take those off whose fight is over and who have one of these names: only one can be meant by it."""
    table = draft.table
    if table.conflict is not None:
        return
    for one in table.characters:
        if one.name in names and one.character_id in table.fought and one.standing is Standing.MINOR_NPC:
            RemoveCharacter(character_id=one.character_id).decide(draft)
    for ship in table.ships:
        if ship.name in names and ship.ship_id in table.fought:
            RemoveShip(ship_id=ship.ship_id).decide(draft)
