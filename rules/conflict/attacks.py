"""Attacks on foot as Tasks: weapon, target, intent, what makes them harder, what they cost (ATK-1 to ATK-6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rules.conflict.among import FOE, at_hand, concealable, in_melee, to_be_hidden
from rules.conflict.bodies import change_body, find_person
from rules.conflict.chain import open_attack
from rules.conflict.circumstances import harder_to_hit
from rules.conflict.damage import attack_dice
from rules.conflict.events import FendedOff
from rules.conflict.lasting import effects_named, end_one
from rules.conflict.numbers import attack_task, awkward_use
from rules.conflict.order import can_act, in_reach, is_able
from rules.conflict.threats import LETHAL_ATTACK, NPC_LETHAL_ATTACK
from rules.deciding.checks import find_character, is_npc, profile, require_spending
from rules.deciding.decision import ActionRow, Answer, Command, Draft
from rules.deciding.fields import FieldRow, Those
from rules.errors import Refusal
from rules.rulesets.weapons import UNARMED, has, weapon
from rules.state.changing import replace
from rules.state.conflict import Action
from rules.state.people import Character, Weapon
from rules.state.table import Table
from rules.state.tasks import Declaration, Modifier, Task
from rules.state.vocabulary import (
    ActionScope,
    AttackType,
    Attribute,
    Discipline,
    InjuryState,
    Pool,
    Quality,
    RerollReason,
)
from rules.tasks.actions import row_of, succeeded
from rules.tasks.events import FollowedThrough
from rules.tasks.scoring import NARROWEST_RANGE, WIDEST_RANGE
from rules.tasks.threat import gain_threat, spend_threat
from rules.words import Phrase, either, say


@dataclass(frozen=True, slots=True, kw_only=True)
class FendOff(Command):
    """The winner of a melee attack leaves Reach instead of dealing damage (ATK-6)."""

    undone: ClassVar[Phrase | None] = say("breaking away")

    def decide(self, draft: Draft) -> None:
        """ATK-6: the winner in melee leaves Reach instead of dealing damage."""
        task = require_spending(draft.table)
        action = task.declaration.action
        if action is None or action.scope is not ActionScope.PERSONAL or action.name not in {ATTACK, DEFEND}:
            raise Refusal("ATK-6", "Only a melee attack can be fended off.")
        held = weapon_of(draft.table, find_character(draft.table, task.declaration.character_id), action)
        if held.attack is not AttackType.MELEE or task.followed or not succeeded(task):
            raise Refusal("ATK-6", "Only who has just won a melee attack can leave Reach instead of dealing damage.")
        label = row_of(draft, action).label
        draft.record(FollowedThrough(number=task.number, who=task.who, label=label))
        conflict = draft.table.conflict
        if conflict is not None:
            pair = {task.declaration.character_id, action.target_id}
            conflict = replace(conflict, reach=tuple(one for one in conflict.reach if set(one) != pair))
        other = find_character(draft.table, action.target_id).name
        draft.record(FendedOff(name=task.who, other=other, conflict=conflict))


ATTACK: Final = "attack"
"""The name of the action that attacks."""


DEFEND: Final = "defend"
"""The name of the action that answers a melee attack."""


CHARGED: Final = {"area": "area", "intense": "intense", "piercing": "piercing:2", "vicious": "vicious:1"}
"""What Charge may add to an attack after Prepare, with its number (QUAL-2)."""


def _chargeable(table: Table, who: str) -> tuple[str, ...] | None:
    """QUAL-2: what Charge may add; nobody is asked before Prepare."""
    return tuple(CHARGED) if effects_named(table, "prepare", owner_id=who) else None


CHARGE: Final = FieldRow(
    name="effect",
    optional=True,
    those=_chargeable,
    labels=(
        ("area", say("Area")),
        ("intense", say("Intense")),
        ("piercing", say("Piercing 2")),
        ("vicious", say("Vicious 1")),
    ),
    asked=say("Charge adds"),
    otherwise=say("Nothing"),
    rule="QUAL-2",
)
"""What an attack with a Charge adds (QUAL-2)."""


def weapon_of(table: Table, character: Character, action: Action) -> Weapon:
    """The weapon of an attack. Refuses one that the character does not carry, or that was knocked away (ATK-1)."""
    name = action.weapon or UNARMED
    if name != UNARMED and name not in character.weapons:
        labels = [weapon(one, profile(table)).label for one in (*character.weapons, UNARMED)]
        raise Refusal(
            "ATK-1",
            "{character} does not carry that weapon; choose {names}.",
            character=character.name,
            names=either(labels),
        )
    held = weapon(name, profile(table))
    if name in character.body.disarmed:
        raise Refusal(
            "MOM-2",
            "{weapon} lies on the ground; pick it up with Draw Item, or choose another weapon.",
            weapon=held.label,
        )
    return held


def _others_in_reach(table: Table, one_id: str, *, but: str = "") -> tuple[str, ...]:
    """Who else is in someone's Reach and can act (RNG-1, C-79)."""
    if table.conflict is None:
        return ()
    return tuple(one for one in in_reach(table.conflict, one_id) if one != but and is_able(table, one))


def _target(table: Table, declaration: Declaration, action: Action) -> Character:
    if not action.target_id:
        raise Refusal("ATK-1", "An attack needs a target; choose one.")
    if action.target_id == declaration.character_id:
        raise Refusal("ATK-1", "Nobody attacks themselves; choose another target.")
    target = find_person(table, action.target_id)
    if target.body.injury is InjuryState.DEAD:
        raise Refusal("ATK-1", "{target} is dead; choose another target.", target=target.name)
    return target


def _require_in_reach(table: Table, attacker: Character, target: Character) -> None:
    """ATK-1: a melee weapon strikes only in Reach, where the table keeps who is."""
    conflict = table.conflict
    if conflict is None:
        return
    pair = {attacker.character_id, target.character_id}
    if all(set(one) != pair for one in conflict.reach):
        raise Refusal(
            "ATK-1",
            "{target} is not in Reach. Take Movement there first, or choose a ranged weapon.",
            target=target.name,
        )


def plan_attack(table: Table, declaration: Declaration) -> Declaration:
    """ATK-1 to ATK-5: what the attack is thrown against, each thing that makes it harder with its reason.

    A melee attack is opposed, unless its target cannot act (DMG-6).
    """
    action = declaration.action or Action(name=ATTACK)
    attacker = find_person(table, declaration.character_id)
    held = weapon_of(table, attacker, action)
    target = _target(table, declaration, action)
    melee = held.attack is AttackType.MELEE
    if melee:
        _require_in_reach(table, attacker, target)
    _require_lethal_paid(table, attacker, action)
    _require_prepared(table, attacker, action, held)
    crowded = not melee and bool(_others_in_reach(table, target.character_id, but=attacker.character_id))
    parts = attack_task(held.attack, creatures_in_target_reach=crowded)
    return replace(
        declaration,
        action=replace(action, weapon=held.name),
        attribute=parts.attribute,
        discipline=parts.discipline,
        difficulty=parts.difficulty,
        modifiers=(*declaration.modifiers, *_harder(table, action, held, target, melee=melee)),
        complication_range=_widened(declaration.complication_range, parts.complication_range - NARROWEST_RANGE),
        opposed=melee and can_act(target.body),
        rerolls=(*declaration.rerolls, *_aimed(table, attacker, held)),
    )


def _widened(declared: int, by: int) -> int:
    """ATK-3, TASK-7: creatures in the target's Reach widen whatever range the Task has, within what there is."""
    return min(max(declared, WIDEST_RANGE), declared + by)


def _harder(table: Table, action: Action, held: Weapon, target: Character, *, melee: bool) -> tuple[Modifier, ...]:
    awkward = awkward_use(
        two_handed=held.two_handed,
        one_handed=action.one_handed,
        deadly=has(held, Quality.DEADLY),
        non_lethal=has(held, Quality.NON_LETHAL),
        lethal=action.lethal,
    )
    of_weapon = tuple(Modifier(reason=reason, change=1) for reason in awkward)
    return (*of_weapon, *harder_to_hit(table, target, melee=melee))


def _aimed(table: Table, attacker: Character, held: Weapon) -> tuple[RerollReason, ...]:
    """QUAL-1, QUAL-7: the re-roll that an Aim allows with this weapon."""
    if not effects_named(table, "aim", owner_id=attacker.character_id) or has(held, "inaccurate"):
        return ()
    return (RerollReason.ACCURATE_AIM,) if has(held, "accurate") else (RerollReason.AIM,)


def _require_prepared(table: Table, attacker: Character, action: Action, held: Weapon) -> None:
    """QUAL-2, QUAL-3: Charge adds an effect, and a Cumbersome weapon strikes, only after Prepare."""
    prepared = bool(effects_named(table, "prepare", owner_id=attacker.character_id))
    if has(held, "cumbersome") and not prepared:
        raise Refusal("QUAL-3", "{weapon} is Cumbersome; prepare in the same Turn first.", weapon=held.label)
    if not action.effect:
        return
    if not has(held, "charge"):
        raise Refusal(
            "QUAL-2", "{weapon} cannot add that; choose an effect that Charge offers, or none.", weapon=held.label
        )
    if not prepared:
        raise Refusal("QUAL-2", "Charge adds an effect only after Prepare; prepare first, or add none.")


def _require_lethal_paid(table: Table, attacker: Character, action: Action) -> None:
    if action.lethal and is_npc(attacker):
        spend_threat(table.threat, NPC_LETHAL_ATTACK)


def pay_attack(draft: Draft, task: Task) -> None:
    """ATK-4: the intent's Threat; Aim and Prepare are used up."""
    pay_intent(draft, task)
    for name in ("aim", "prepare"):
        for one in effects_named(draft.table, name, owner_id=task.declaration.character_id):
            end_one(draft, one, say("used for the attack"))


def pay_intent(draft: Draft, task: Task) -> None:
    """ATK-4: intent to kill adds 1 Threat, or costs an NPC 1."""
    action = task.declaration.action
    if action is not None and action.lethal:
        before = draft.table.threat
        after = spend_threat(before, NPC_LETHAL_ATTACK) if task.npc else gain_threat(before, LETHAL_ATTACK)
        draft.change_pool(Pool.THREAT, after - before, say("an attack to kill"))


def strike(draft: Draft, task: Task) -> None:
    """Let the attack hit: its damage is thrown, then settled target by target (ATK-1, C-61)."""
    action = task.declaration.action
    if action is None:
        return
    attacker = find_character(draft.table, task.declaration.character_id)
    held = weapon_of(draft.table, attacker, action)
    effects = tuple(f"{one.name}:{one.amount}" if one.amount else one.name for one in held.effects)
    if action.effect:
        effects = (*effects, CHARGED[action.effect])
    open_attack(
        draft,
        action=action,
        attacker=attacker,
        dice=attack_dice(held, attacker),
        effects=effects,
        qualities=tuple(one.name for one in held.qualities),
    )


def plan_defence(table: Table, declaration: Declaration) -> Declaration:
    """ATK-2: the one attacked in melee throws too, and strikes back if they win."""
    attack = table.task
    action = declaration.action or Action(name=DEFEND)
    if attack is None:
        raise Refusal("ATK-2", "Nobody attacks this character in melee just now.")
    defender = find_character(table, declaration.character_id)
    held = weapon_of(table, defender, action)
    if held.attack is not AttackType.MELEE:
        raise Refusal("ATK-2", "In melee one defends with a melee weapon or unarmed; choose one.")
    _require_lethal_paid(table, defender, action)
    target = find_character(table, attack.declaration.character_id)
    parts = attack_task(AttackType.MELEE)
    return replace(
        declaration,
        action=replace(action, weapon=held.name, target_id=target.character_id, effect=""),
        attribute=parts.attribute,
        discipline=parts.discipline,
        difficulty=parts.difficulty,
        modifiers=(*declaration.modifiers, *_harder(table, replace(action, effect=""), held, target, melee=True)),
    )


def answers(_: Table, task: Task) -> Answer | None:
    """ATK-2: who is attacked in melee answers alone, with Defend in melee, so that winning strikes back."""
    action = task.declaration.action
    if action is None or action.scope is not ActionScope.PERSONAL or action.name != ATTACK:
        return None
    return Answer(
        who=(action.target_id,),
        actions=frozenset({DEFEND}),
        rule="ATK-2",
        otherwise=say("A melee attack is answered with Defend in melee; choose that and a weapon."),
    )


def hidden_x(table: Table, name: str) -> int:
    """How hard a weapon is to find once it is hidden. Refuses one that cannot be (QUAL-6)."""
    held = weapon(name, profile(table)) if name else None
    hidden = next((one.amount for one in held.qualities if one.name == "hidden"), 0) if held is not None else 0
    if not hidden:
        raise Refusal("QUAL-6", "That weapon cannot be hidden; choose one that has Hidden.")
    return hidden


def hide_weapon(draft: Draft, actor_id: str, action: Action) -> None:
    """QUAL-6: a Minor Action; it is in nobody's hand then."""
    hidden_x(draft.table, action.weapon)
    held = weapon_of(draft.table, find_person(draft.table, actor_id), action)
    if find_person(draft.table, actor_id).body.drawn == held.name:
        change_body(draft, actor_id, say("hides a weapon"), drawn="")


def plan_search(table: Table, declaration: Declaration) -> Declaration:
    """QUAL-6: finding a hidden weapon is as hard as its number."""
    action = declaration.action or Action(name="find_hidden")
    hidden = hidden_x(table, action.weapon)
    fits = declaration.attribute in {Attribute.INSIGHT, Attribute.REASON}
    return replace(
        declaration,
        attribute=declaration.attribute if fits else Attribute.INSIGHT,
        discipline=Discipline.SECURITY,
        difficulty=hidden,
    )


def _with(those: Those) -> FieldRow:
    """The weapon of the attack: bare hands if none is named."""
    return FieldRow(name="weapon", optional=True, those=those, asked=say("With"))


_ATTACK_NEEDS: Final = ("target_id", "weapon", "lethal", "one_handed", "effect", "weakness")
"""What is asked of whoever attacks, in this order."""


ROWS: Final = (
    ActionRow(
        name=ATTACK,
        rule="ATK-1",
        label=say("Attack"),
        scope=ActionScope.PERSONAL,
        attributes=(Attribute.DARING, Attribute.CONTROL),
        disciplines=(Discipline.SECURITY,),
        needs=_ATTACK_NEEDS,
        fields=(FOE, _with(at_hand), CHARGE),
        settled=True,
        plan=plan_attack,
        pay=pay_attack,
        struck=strike,
    ),
    ActionRow(
        name=DEFEND,
        rule="ATK-2",
        label=say("Defend in melee"),
        scope=ActionScope.PERSONAL,
        attributes=(Attribute.DARING,),
        disciplines=(Discipline.SECURITY,),
        difficulty=1,
        needs=("weapon", "lethal", "one_handed", "weakness"),
        fields=(_with(in_melee),),
        free=True,
        plan=plan_defence,
        pay=pay_intent,
        struck=strike,
    ),
    ActionRow(
        name="find_hidden",
        rule="QUAL-6",
        label=say("Find a hidden weapon"),
        scope=ActionScope.PERSONAL,
        attributes=(Attribute.INSIGHT, Attribute.REASON),
        disciplines=(Discipline.SECURITY,),
        needs=("weapon",),
        fields=(FieldRow(name="weapon", those=concealable, asked=say("Which weapon")),),
        plan=plan_search,
    ),
    ActionRow(
        name="hide_weapon",
        rule="QUAL-6",
        label=say("Hide a weapon"),
        scope=ActionScope.PERSONAL,
        minor=True,
        needs=("weapon",),
        fields=(
            FieldRow(
                name="weapon",
                those=to_be_hidden,
                asked=say("Which weapon"),
                none=say("They carry nothing that can be hidden."),
            ),
        ),
        perform=hide_weapon,
    ),
)
"""The Tasks of a fight that strike or search (ATK, QUAL-6)."""
