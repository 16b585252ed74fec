"""What could be chosen now about ships: answers to what an attack's chain asks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from rules import commands_ships as ch
from rules.candidate import Candidate, Role
from rules.challenge import points_of
from rules.deciding.ships.rounds import may_be_named
from rules.dice import Face
from rules.phrases import say
from rules.state import Ship, Table
from rules.state_conflict import Step
from rules.vocabulary import Standing, StepKind
from rules.wording import challenge_words, counted, joined

MOST_COMBINED: Final = 5
"""Ships of which every choice is listed; among more, one names them by hand."""


def ships(table: Table) -> Iterator[Candidate]:
    """Everything this chapter may offer now; the rules refuse what does not fit."""
    if not table.agenda or table.request is not None:
        return
    step = table.agenda[0]
    if step.kind is StepKind.CHOOSE_SHIP_DAMAGE:
        yield from _damage(table)
    elif step.kind is StepKind.CASUALTY:
        yield from _casualties(table)
    elif step.kind is StepKind.SHIP_TARGETS:
        yield from _targets(table, step)


def _damage(table: Table) -> Iterator[Candidate]:
    attack = table.attack
    faces = attack.faces if attack is not None else ()
    role = Role.GAMEMASTER if attack is not None and attack.npc else Role.PLAYER
    yield Candidate(
        option_id="settle_ship_hit",
        label=say("Settle the hit"),
        command=ch.SettleShipHit(),
        rule="SDMG-1",
        role=role,
        free=True,
    )
    everything = tuple(range(len(faces)))
    misses = tuple(place for place in everything if not points_of(faces[place]))
    singles = [
        (
            f"{place}",
            say("Throw die {place} of the damage again, the {shown}", place=place + 1, shown=_shown(faces[place])),
            (place,),
        )
        for place in everything
    ]
    for name, label, places in (
        (
            "misses",
            say("Throw {dice} of the damage again", dice=counted(len(misses), "blank die")),
            misses,
        ),
        ("all", say("Throw all the damage again"), everything),
        *(singles if len(everything) > 1 else ()),
    ):
        if places:
            yield Candidate(
                option_id=f"reroll_ship_damage:{name}",
                label=label,
                command=ch.RerollShipDamage(positions=places),
                rule="MOM-6",
                role=role,
            )


def _shown(face: Face) -> str:
    return challenge_words((face,))


def _casualties(table: Table) -> Iterator[Candidate]:
    """Every player's character, in no order that would pick one: the table lets a die say who it is."""
    for one in table.characters:
        if one.standing is not Standing.PLAYER:
            continue
        for lethal in (False, True):
            yield Candidate(
                option_id=f"name_casualty:{one.character_id}{':lethal' if lethal else ''}",
                label=say("The die says {name}: lethally injured", name=one.name)
                if lethal
                else say("The die says {name}: injured", name=one.name),
                command=ch.NameCasualty(character_id=one.character_id, lethal=lethal),
                rule="BRCH-2",
                role=Role.GAMEMASTER,
                free=True,
            )
    yield Candidate(
        option_id="name_casualty:nobody",
        label=say("Nobody was near"),
        command=ch.NameCasualty(),
        rule="BRCH-2",
        role=Role.GAMEMASTER,
        free=True,
    )


def _targets(table: Table, step: Step) -> Iterator[Candidate]:
    near = may_be_named(table, step)
    choices: list[tuple[str, str, tuple[Ship, ...]]] = [("none", say("No further ship"), ())]
    choices += [(one.ship_id, say("Only {name}", name=one.name), (one,)) for one in near]
    for several in range(2, len(near)) if len(near) <= MOST_COMBINED else ():
        choices += [
            ("+".join(one.ship_id for one in named), joined([one.name for one in named]), named)
            for named in combinations(near, several)
        ]
    if len(near) > 1:
        choices.append(("all", joined([one.name for one in near]), near))
    for name, label, named in choices:
        yield Candidate(
            option_id=f"name_ships_hit:{name}",
            label=label,
            command=ch.NameShipsHit(ship_ids=tuple(one.ship_id for one in named)),
            rule="SWPN-1" if step.name == "area" else "WCB-1",
            role=Role.GAMEMASTER,
            free=True,
        )
