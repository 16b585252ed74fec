"""Call forms of personal conflict and Extended Tasks: TURN, ACT, RNG-1, ATK, DMG, EFF, MOM, NPC-3, EXT."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.conflict.damage import (
    avoid_injury_price,
    damage_dice,
    fast_recovery,
    half_rounded_down,
    half_rounded_up,
    injured,
    knockdown,
    resolve_hit,
)
from rules.conflict.numbers import (
    GUARD_HARDER,
    TaskParts,
    attack_task,
    awkward_use,
    first_aid,
    guard,
    minor_actions_cost,
    next_turn,
    range_of,
    reach_penalty,
    recover,
    require_turn_between,
    sprint_zones,
)
from rules.conflict.spends import KEEP_INITIATIVE
from rules.conflict.threats import LETHAL_ATTACK, NPC_LETHAL_ATTACK
from rules.errors import Refusal
from rules.rulesets.profiles import Profile
from rules.state.tasks import TaskOutcome
from rules.state.vocabulary import AttackType, InjuryState, OpposedWinner, Side, Standing
from rules.tasks.extended import ExtendedTask, do_work, make_progress, work_dice
from rules.tasks.opposed import decide_opposed
from rules.tasks.pools import pay, spend_cost
from rules.tasks.scoring import task_difficulty
from rules.tasks.threat import gain_threat, spend_threat
from tests.conformance.forms import Form, Result, if_allowed
from tests.rules.scored import score_task

MELEE_DIFFICULTY = 1

HIT_ON = {OpposedWinner.ACTIVE: "defender", OpposedWinner.REACTIVE: "attacker", OpposedWinner.NONE: None}

WINNERS = {OpposedWinner.ACTIVE: "attacker", OpposedWinner.REACTIVE: "defender", OpposedWinner.NONE: "none"}

STANDINGS = {"pc": Standing.PLAYER, "notable": Standing.NOTABLE_NPC, "minor": Standing.MINOR_NPC}


def turn(_: Profile, /, *, last_side: str, unacted: Mapping[str, int]) -> Result:
    following = next_turn(Side(last_side), {side: unacted[side] for side in Side})
    return {"next_side": following.side, "new_round": following.new_round}


def initiative(profile: Profile, /, *, side: str, momentum: int, enemy_turn_since_last_keep: bool) -> Result:
    Side(side)

    def kept() -> Result:
        require_turn_between(enemy_turn_since_last_keep=enemy_turn_since_last_keep)
        price = spend_cost(KEEP_INITIATIVE, 1, profile)
        return {"momentum": momentum - pay(price, generated=0, pool=momentum, immediate=True).from_pool}

    return if_allowed(kept)


def minor_actions(profile: Profile, /, *, actions: list[str]) -> Result:
    return if_allowed(lambda: {"momentum_cost": minor_actions_cost(actions, profile)})


def minor_actions_allowed(profile: Profile, /, *, actions: list[str]) -> Result:
    return {"allowed": minor_actions(profile, actions=actions)["allowed"]}


def distance(_: Profile, /, *, zones: int) -> Result:
    return {"range": range_of(zones)}


def recovering(
    profile: Profile, /, *, in_cover: bool, momentum_spent: int, stress: int, stress_max: int, cover_faces: list[int]
) -> Result:
    recovery = recover(
        in_cover=in_cover,
        momentum_spent=momentum_spent,
        stress=stress,
        stress_max=stress_max,
        cover_faces=cover_faces,
        profile=profile,
    )
    return {
        "difficulty": recovery.difficulty,
        "stress_after": recovery.stress_after,
        "resistance_bonus": recovery.resistance_bonus,
        "avoid_injury_restored": recovery.avoid_injury_restored,
    }


def sprint(_: Profile, /, *, momentum_spent: int) -> Result:
    return {"zones": sprint_zones(momentum_spent)}


def aid(_: Profile, /, *, debilitating: bool) -> Result:
    parts = first_aid(debilitating=debilitating)
    return {"attribute": parts.attribute, "discipline": parts.discipline, "difficulty": parts.difficulty}


def guarding(_: Profile, /, *, protect: str, attack_base: int) -> Result:
    guarded = guard(ally=protect == "ally", attack_difficulty=attack_base)
    return {"difficulty": guarded.difficulty, "attack_difficulty": guarded.attack_difficulty}


def attacking(
    _: Profile,
    /,
    *,
    type: str,  # noqa: A002 - the cases call it so
    weapon_size: str,
    hands: int,
    qualities: list[str],
    lethal: bool,
    enemy_in_attacker_reach: bool,
    creatures_in_target_reach: bool,
    target_guarding: bool,
) -> Result:
    attack = AttackType(type)
    parts: TaskParts = attack_task(attack, creatures_in_target_reach=creatures_in_target_reach)
    named = {one.lower().replace("-", "").replace("_", "") for one in qualities}
    awkward = awkward_use(
        two_handed=weapon_size == "2H",
        one_handed=hands < 2,
        deadly="deadly" in named,
        non_lethal="nonlethal" in named,
        lethal=lethal,
    )
    harder = (
        len(awkward),
        reach_penalty(enemy_in_reach=enemy_in_attacker_reach, melee_attack=attack is AttackType.MELEE),
        GUARD_HARDER if target_guarding else 0,
    )
    return {
        "attribute": parts.attribute,
        "discipline": parts.discipline,
        "difficulty": task_difficulty(parts.difficulty, harder),
        "complication_range": parts.complication_range,
    }


def close_fight(profile: Profile, /, *, attacker: Mapping[str, Any], defender: Mapping[str, Any]) -> Result:
    decided = decide_opposed(_melee_side(**attacker), _melee_side(**defender), profile)
    return {"winner": WINNERS[decided.winner], "hit_on": HIT_ON[decided.winner], "momentum": decided.momentum}


def _melee_side(*, daring: int, security: int, focus: bool, dice: list[int]) -> TaskOutcome:
    return score_task(
        attribute=daring, discipline=security, focus=focus, difficulty=MELEE_DIFFICULTY, dice=dice
    ).outcome


def lethal_intent(_: Profile, /, *, attacker: str, lethal: bool, threat: int) -> Result:
    if not lethal:
        return {"allowed": True, "threat": threat}
    by_player = Side(attacker) is Side.PC
    try:
        paid = gain_threat(threat, LETHAL_ATTACK) if by_player else spend_threat(threat, NPC_LETHAL_ATTACK)
    except Refusal:
        return {"allowed": False, "threat": threat}
    return {"allowed": True, "threat": paid}


def weapon_dice(_: Profile, /, *, weapon_rating: int, security: int) -> Result:
    return {"dice": damage_dice(weapon_rating, security)}


def hit(
    _: Profile,
    /,
    *,
    faces: list[int],
    stress_before: int,
    static_resistance: int = 0,
    cover_faces: tuple[int, ...] = (),
    vicious: int = 0,
    piercing: int = 0,
    bonus_damage: int = 0,
    penetration: int = 0,
) -> Result:
    resolved = resolve_hit(
        faces,
        track_before=stress_before,
        static_resistance=static_resistance,
        resistance_faces=cover_faces,
        vicious=vicious,
        piercing=piercing,
        bonus_damage=bonus_damage,
        penetration=penetration,
    )
    return {
        "rolled": resolved.rolled,
        "effects": resolved.effects,
        "total_resistance": resolved.total_resistance,
        "damage": resolved.damage,
        "stress_after": resolved.track_after,
        "injuries": resolved.wounds,
    }


def knocked_down(_: Profile, /, *, effects: int, target: str) -> Result:
    fall = knockdown(effects, npc=Side(target) is Side.NPC)
    return {"prone_unless_resisted": fall.prone_unless_resisted, "resist_threat_change": fall.resist_threat_change}


def secondary(_: Profile, /, *, damage: int) -> Result:
    return {"damage": half_rounded_down(damage)}


def devastating(_: Profile, /, *, damage: int) -> Result:
    return {"damage": half_rounded_up(damage)}


def escalation(_: Profile, /, *, state: str, lethal: bool, injuries: int, avoided: int) -> Result:
    return {"state": injured(InjuryState(state), lethal=lethal, injuries=injuries, avoided=avoided)}


def avoiding(_: Profile, /, *, who: str, used_this_scene: bool, effects: int, intense: bool) -> Result:
    standing = STANDINGS[who.removesuffix("_npc")]

    def ask() -> Result:
        price = avoid_injury_price(standing, used_this_scene=used_this_scene, effects=effects, intense=intense)
        return {"cost": price.cost, "currency": price.pool}

    return if_allowed(ask)


def recovering_creature(_: Profile, /, *, stress: int, stress_max: int, x: int) -> Result:
    return {"stress": fast_recovery(stress, stress_max, x)}


def work(
    _: Profile,
    /,
    *,
    work: int,
    magnitude: int,
    resistance: int,
    base_difficulty: int,
    discipline: int,
    marked: int,
    breakthroughs: int,
    faces: list[int],
) -> Result:
    task = ExtendedTask(
        work=work,
        magnitude=magnitude,
        resistance=resistance,
        base_difficulty=base_difficulty,
        marked=marked,
        breakthroughs=breakthroughs,
    )
    done = do_work(task, discipline, faces)
    return {
        "dice_required": work_dice(discipline),
        "work_done": done.work_done,
        "marked": done.task.marked,
        "breakthroughs": done.task.breakthroughs,
        "difficulty": done.task.difficulty,
        "finished": done.task.finished,
    }


def progress(_: Profile, /, *, progress_track: int, marked: int, department: int, resistance: int) -> Result:
    made = make_progress(progress_track, marked, department, resistance)
    return {"impact": made.impact, "marked": made.marked, "finished": made.finished}


FORMS: dict[str, Form] = {
    "TURN-3": turn,
    "TURN-4": initiative,
    "ACT-1": minor_actions,
    "ACT-2": minor_actions_allowed,
    "RNG-1": distance,
    "ACT-5": recovering,
    "ACT-6": sprint,
    "ACT-7": aid,
    "ACT-8": guarding,
    **dict.fromkeys(("ATK-3", "ATK-5"), attacking),
    "ATK-2": close_fight,
    "ATK-4": lethal_intent,
    "DMG-1": weapon_dice,
    **dict.fromkeys(("DMG-2", "DMG-3", "DMG-4", "DMG-5", "EFF-4", "EFF-5", "MOM-1", "MOM-5"), hit),
    "EFF-3": knocked_down,
    "MOM-8": secondary,
    "MOM-10": devastating,
    "DMG-6": escalation,
    "DMG-7": avoiding,
    "NPC-3": recovering_creature,
    "EXT-T1": work,
    "EXT-T2": progress,
}
