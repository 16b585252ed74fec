"""What could be set right between fights, and ordered of ships in them: Stress, Shields, leaving a ship, its Turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from rules import commands_fighting as cf
from rules import commands_ships as ch
from rules import commands_ships2e as cs
from rules.candidate import Candidate, Role
from rules.deciding.ships2e.leaving import LARGE_SCALE
from rules.phrases import Phrase, say
from rules.starship2e import LargeShipTurns
from rules.state import Ship, Table
from rules.state_conflict import Conflict
from rules.vocabulary import ConflictKind, Ruleset

_TURNS: Final[dict[LargeShipTurns, Callable[[str], Phrase]]] = {
    LargeShipTurns.ALL: lambda ship: say("{ship} takes all its Turns", ship=ship),
    LargeShipTurns.MATCH: lambda ship: say(
        "{ship} takes as many Turns as the players, with bonus dice for the rest", ship=ship
    ),
}


def upkeep(table: Table) -> Iterator[Candidate]:
    """Everything that may be restored or ordered now; the rules refuse what does not fit."""
    if table.task is not None or table.request is not None or table.agenda:
        return
    if table.conflict is None:
        yield from _restoring(table)
    if table.ruleset is Ruleset.SECOND_EDITION:
        yield from (_abandoning(one) for one in table.ships if one.state.critical)
        if table.conflict is not None and table.conflict.kind is ConflictKind.STARSHIP:
            yield from _large_turns(table, table.conflict)


def _restoring(table: Table) -> Iterator[Candidate]:
    """C-75: nothing comes back by itself between scenes, but the gamemaster may let it."""
    for person in table.characters:
        missing = person.body.stress_max - person.body.stress
        if person.body.stress_max and missing > 0:
            yield Candidate(
                option_id=f"adjust_stress:{person.character_id}",
                label=say(
                    "Restore {name}'s Stress, {stress} of {stress_max}",
                    name=person.name,
                    stress=person.body.stress,
                    stress_max=person.body.stress_max,
                ),
                command=cf.AdjustStress(character_id=person.character_id, change=missing, reason=say("restored")),
                rule="C-75",
                role=Role.GAMEMASTER,
                free=True,
            )
    for ship in table.ships:
        state = ship.state
        if state.shields_raised and state.shields < state.shields_max and not state.destroyed:
            yield Candidate(
                option_id=f"restore_shields:{ship.ship_id}",
                label=say(
                    "Restore {ship}'s Shields, {shields} of {shields_max}",
                    ship=ship.name,
                    shields=state.shields,
                    shields_max=state.shields_max,
                ),
                command=ch.RestoreShields(ship_id=ship.ship_id),
                rule="C-75",
                role=Role.GAMEMASTER,
                free=True,
            )


def _abandoning(ship: Ship) -> Candidate:
    return Candidate(
        option_id=f"abandon_ship:{ship.ship_id}",
        label=say("Give the order to abandon {ship}", ship=ship.name),
        command=cs.AbandonShip(ship_id=ship.ship_id),
        rule="S2E-20",
        role=Role.PLAYER if ship.crew is None else Role.GAMEMASTER,
        free=True,
    )


def _large_turns(table: Table, conflict: Conflict) -> Iterator[Candidate]:
    for ship in table.ships:
        combatant = conflict.combatant(ship.ship_id)
        if combatant is None or combatant.turns_taken or ship.scale < LARGE_SCALE:
            continue
        for option, label in _TURNS.items():
            yield Candidate(
                option_id=f"choose_large_ship_turns:{ship.ship_id}:{option}",
                label=label(ship.name),
                command=cs.ChooseLargeShipTurns(ship_id=ship.ship_id, option=option),
                rule="S2E-21",
                role=Role.GAMEMASTER,
                free=True,
            )
