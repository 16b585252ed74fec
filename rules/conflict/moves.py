"""What could be chosen now in a fight on foot: going on from a hit, what its chain asks, creatures' own choices."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from rules.conflict.attacks import ATTACK, DEFEND, FendOff, answers
from rules.conflict.chain import AREA, SECONDARY, StrikeHazard
from rules.conflict.cover import SetCover, cover_dice
from rules.conflict.creatures import BringIn, DrawPrivateThreat, KeepInjury, LoseInjury
from rules.conflict.damage_spends import RerollDamage, SettleDamage, choosing
from rules.conflict.hits import ChooseTargets, possible_targets
from rules.conflict.injuries import AvoidHow, AvoidInjury, FallDown, PushOn, StayUp, SufferInjury
from rules.conflict.order import in_reach
from rules.conflict.positions import there
from rules.conflict.spends import AVOID_INJURY
from rules.deciding.candidate import Candidate, Role, ways_to_pay
from rules.deciding.checks import conflict_side, is_npc, profile
from rules.deciding.decision import Command
from rules.rulesets.weapons import UNARMED, weapons_of
from rules.state.conflict import Action, Step
from rules.state.people import Character
from rules.state.table import Table
from rules.state.tasks import Declaration
from rules.state.vocabulary import AttackType, Attribute, Discipline, InjuryState, Standing, StepKind, TaskPhase
from rules.tasks.abilities import amount_of
from rules.tasks.declaring import DeclareTask
from rules.tasks.opposed import waiting
from rules.tasks.paying import momentum_at_hand
from rules.tasks.pools import REROLL_DAMAGE, played, spend_cost
from rules.words import counted, listed, say

USUAL_COVER: Final = range(5)
"""The numbers of Challenge Dice of cover that are offered; others can be asked for."""


def fights_on_foot(table: Table) -> Iterator[Candidate]:
    """Everything that may be offered here now; the rules refuse what does not fit."""
    yield from _defences(table)
    yield from _cover(table)
    yield from _breaking_away(table)
    if table.agenda and table.request is None:
        yield from _answers(table, table.agenda[0])
    yield from _in_spite(table)
    yield from _creatures(table)
    yield from _hazards(table)


def _hazards(table: Table) -> Iterator[Candidate]:
    """What the gamemaster may let strike who is in a zone that harms (DMG-1)."""
    if table.zone_map is None or table.task is not None or table.request is not None or table.agenda:
        return
    people = {one.character_id: one for one in table.characters}
    for zone in table.zone_map.zones:
        for who in there(table, zone.zone_id) if zone.hazard else ():
            if who in people:
                yield _plain(
                    f"strike_hazard:{who}",
                    say("The hazard in {zone} strikes {name}", zone=zone.name, name=people[who].name),
                    StrikeHazard(target_id=who, rating=zone.hazard, reason=zone.name),
                    "DMG-1",
                    Role.GAMEMASTER,
                )


def _plain(option_id: str, label: str, command: Command, rule: str, role: Role, *, free: bool = True) -> Candidate:
    return Candidate(option_id=option_id, label=label, command=command, rule=rule, role=role, free=free)


def _defences(table: Table) -> Iterator[Candidate]:
    """Who is attacked in melee defends with bare hands or a melee weapon (ATK-2)."""
    task = waiting(table)
    found = answers(table, task) if task is not None else None
    defender = next((one for one in table.characters if found is not None and one.character_id in found.who), None)
    if defender is None:
        return
    known = {one.name: one for one in weapons_of(profile(table))}
    for name in (UNARMED, *defender.weapons):
        held = known.get(name)
        if held is None or held.attack is not AttackType.MELEE:
            continue
        for lethal in (False, True):
            declaration = Declaration(
                character_id=defender.character_id,
                attribute=Attribute.DARING,
                discipline=Discipline.SECURITY,
                action=Action(name=DEFEND, weapon=name, lethal=lethal),
            )
            yield _plain(
                f"defend:{name}{':lethal' if lethal else ''}",
                say("{defender} defends, {weapon}, to kill", defender=defender.name, weapon=held.label)
                if lethal
                else say("{defender} defends, {weapon}", defender=defender.name, weapon=held.label),
                DeclareTask(declaration=declaration),
                "ATK-2",
                _role_of(defender),
                free=not lethal,
            )


def _cover(table: Table) -> Iterator[Candidate]:
    """While an attack is on its way, the gamemaster says how good its target's cover is (DMG-2)."""
    task = table.task
    action = task.declaration.action if task is not None else None
    if task is None or action is None or action.name not in {ATTACK, DEFEND} or table.agenda or task.followed:
        return
    target = next((one for one in table.characters if one.character_id == action.target_id), None)
    if target is None:
        return
    known = cover_dice(table, target.character_id)
    for dice in USUAL_COVER:
        if dice != known:
            worth = counted(dice, "Challenge Die") if dice else say("none")
            yield _plain(
                f"set_cover:{dice}",
                say("Cover of {target}: {worth}", target=target.name, worth=worth),
                SetCover(character_id=target.character_id, dice=dice),
                "DMG-2",
                Role.GAMEMASTER,
            )


def _breaking_away(table: Table) -> Iterator[Candidate]:
    task = table.task
    if task is None or task.phase is not TaskPhase.SPENDING or task.declaration.action is None:
        return
    role = Role.GAMEMASTER if task.npc else Role.PLAYER
    yield _plain("fend_off", say("Break away instead of dealing damage"), FendOff(), "ATK-6", role)


def _answers(table: Table, step: Step) -> Iterator[Candidate]:
    if step.kind is StepKind.CHOOSE_DAMAGE:
        yield from _choosing(table)
    elif step.kind is StepKind.INJURY:
        yield from _injury(table, step)
    elif step.kind is StepKind.KNOCKDOWN:
        role = _role_of(_subject(table, step))
        yield _plain("fall_down", say("Fall"), FallDown(), "EFF-3", role)
        yield _plain("stay_up", say("Stay up"), StayUp(), "EFF-3", role, free=False)
    elif step.kind is StepKind.FAST_RECOVERY:
        gamemaster = Role.GAMEMASTER
        yield _plain("lose_injury", say("Lose the Injury"), LoseInjury(), "NPC-3", gamemaster, free=False)
        yield _plain("keep_injury", say("Regain Stress and stay injured"), KeepInjury(), "NPC-3", gamemaster)
    elif step.kind is StepKind.AREA_TARGETS:
        yield from _targets(table, step)


def _choosing(table: Table) -> Iterator[Candidate]:
    attack = table.attack
    role = Role.GAMEMASTER if attack is not None and attack.npc else Role.PLAYER
    yield _plain("settle_damage", say("Settle the damage"), SettleDamage(), "DMG-3", role)
    if attack is not None and choosing(table):
        every = tuple(range(len(attack.faces)))
        label = played(REROLL_DAMAGE, profile(table)).label
        yield _plain(
            "reroll_damage:all",
            say("{spend}: all the dice", spend=label),
            RerollDamage(positions=every),
            "MOM-6",
            role,
            free=False,
        )
        for place, face in enumerate(attack.faces):
            again = RerollDamage(positions=(place,))
            yield _plain(
                f"reroll_damage:{place}",
                say("{spend}: die {place}, the {face}", spend=label, place=place + 1, face=face),
                again,
                "MOM-6",
                role,
                free=False,
            )


def _subject(table: Table, step: Step) -> Character | None:
    return next((one for one in table.characters if one.character_id == step.subject_id), None)


def _role_of(character: Character | None) -> Role:
    return Role.GAMEMASTER if character is not None and is_npc(character) else Role.PLAYER


def _injury(table: Table, step: Step) -> Iterator[Candidate]:
    subject = _subject(table, step)
    role = _role_of(subject)
    name = subject.name if subject is not None else say("The target")
    price = spend_cost(AVOID_INJURY, 1, profile(table)) + step.count
    yield Candidate(
        option_id="avoid_injury:points",
        label=say("{name} avoids the Injury", name=name),
        command=AvoidInjury(),
        rule="DMG-7",
        role=role,
        threat_allowed=role is Role.PLAYER,
    )
    if role is Role.PLAYER:
        yield Candidate(
            option_id="avoid_injury:threat",
            label=say("{name} avoids the Injury by adding Threat", name=name),
            command=AvoidInjury(threat_part=price),
            rule="DMG-7",
            role=role,
        )
        at_hand = momentum_at_hand(table, npc=False)
        if 0 < at_hand < price:
            yield Candidate(
                option_id="avoid_injury:mixed",
                label=say("{name} avoids the Injury with the pool and added Threat", name=name),
                command=AvoidInjury(threat_part=price - at_hand),
                rule="DMG-7",
                role=role,
                threat_allowed=True,
            )
    yield from _for_a_complication(table, name, step, role)
    yield _plain("suffer_injury", say("{name} suffers the Injury", name=name), SufferInjury(), "DMG-6", role)


def _for_a_complication(table: Table, name: str, step: Step, role: Role) -> Iterator[Candidate]:
    """C-25: in place of the basic price; what Intense adds is paid still. Its words can be added to the command."""
    for how, threat_part in ways_to_pay(step.count, momentum_at_hand(table, npc=False), threat=role is Role.PLAYER):
        yield Candidate(
            option_id="avoid_injury:complication" + (f":{how}" if threat_part else ""),
            label=say("{name} avoids the Injury for a Complication and added Threat", name=name)
            if threat_part
            else say("{name} avoids the Injury for a Complication", name=name),
            command=AvoidInjury(how=AvoidHow.COMPLICATION, threat_part=threat_part),
            rule="DMG-7",
            role=role,
            threat_allowed=role is Role.PLAYER and bool(step.count) and how != "threat",
        )


def _targets(table: Table, step: Step) -> Iterator[Candidate]:
    role = Role.ANYONE if step.name == SECONDARY else Role.GAMEMASTER
    side = conflict_side(table, step.by_id) if step.by_id else None
    possible = possible_targets(table, step.name)
    for one in sorted(possible, key=lambda one: conflict_side(table, one.character_id) is side):
        command = ChooseTargets(target_ids=(one.character_id,))
        yield _plain(
            f"choose_targets:{one.character_id}", say("{name} is hit as well", name=one.name), command, "EFF-1", role
        )
    if step.name == AREA:
        yield from _in_the_area(table, step, possible)
    yield _plain("choose_targets:nobody", say("Nobody else is hit"), ChooseTargets(), "EFF-1", role)


MOST_COMBINED: Final = 5
"""The most people beyond Reach of whom every choice is listed; among more, one of them is, or all."""


def _in_the_area(table: Table, step: Step, possible: tuple[Character, ...]) -> Iterator[Candidate]:
    """EFF-1: all in the target's Reach at once, and those with as many more as there are Effects."""
    reach = in_reach(table.conflict, step.subject_id) if table.conflict is not None else ()
    near = tuple(one for one in possible if one.character_id in reach)
    if len(near) > 1:
        yield _plain(
            "choose_targets:reach",
            say("Everyone in the target's Reach is hit as well"),
            ChooseTargets(target_ids=tuple(one.character_id for one in near)),
            "EFF-1",
            Role.GAMEMASTER,
        )
    beyond = [one for one in possible if one not in near]
    for several in range(1, len(beyond) + 1) if len(beyond) <= MOST_COMBINED else (len(beyond),):
        for more in combinations(beyond, several):
            ids = tuple(one.character_id for one in (*near, *more))
            if len(ids) > 1:
                yield _plain(
                    f"choose_targets:{'+'.join(ids)}",
                    say("{names} are hit as well", names=listed([one.name for one in (*near, *more)])),
                    ChooseTargets(target_ids=ids),
                    "EFF-1",
                    Role.GAMEMASTER,
                )


def _in_spite(table: Table) -> Iterator[Candidate]:
    for one in table.characters:
        hurt = one.body.injury in {InjuryState.NONLETHAL, InjuryState.LETHAL}
        if one.standing is not Standing.PLAYER or not hurt or one.body.pushing_on:
            continue
        for place, value in enumerate(one.values):
            if not value.struck:
                yield Candidate(
                    option_id=f"push_on:{one.character_id}:{place}",
                    label=say(
                        "{name} acts in spite of the Injury, by the Value: {value}", name=one.name, value=value.text
                    ),
                    command=PushOn(character_id=one.character_id, value=value.text),
                    rule="DET-9",
                    role=Role.PLAYER,
                )


def _creatures(table: Table) -> Iterator[Candidate]:
    for one in table.characters:
        if amount_of(one, "menacing") and not one.body.entered:
            yield _plain(
                f"bring_in:{one.character_id}",
                say("{name} enters the scene", name=one.name),
                BringIn(character_id=one.character_id),
                "NPC-2",
                Role.GAMEMASTER,
            )
    for one in table.characters:
        if one.body.private_threat:
            yield Candidate(
                option_id=f"draw_private_threat:{one.character_id}",
                label=say("{name} uses 1 Threat of its own", name=one.name),
                command=DrawPrivateThreat(character_id=one.character_id),
                rule="THR-6",
                role=Role.GAMEMASTER,
                repeatable=True,
                free=True,
            )
