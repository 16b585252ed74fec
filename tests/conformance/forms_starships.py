"""Call forms of starships in both editions: SHIP, NSHIP, SATK, SDMG, BRCH, REP, WCB, SWPN, SQUAL, STN, S2E."""

from __future__ import annotations

from rules.conflict.budget import SWIFT_TASK_HARDER, tasks_within
from rules.conflict.helping import DIRECT_PRICE
from rules.rulesets.profiles import Profile
from rules.ships.first.numbers import (
    breach_impact,
    core_countdown,
    least_pursuit_power,
    lose_power,
    persistence,
    repair_task,
    resolve_ship_hit,
    shot_penalties,
    spread,
    system_condition,
    task_with_system,
)
from rules.ships.numbers import (
    TERRAIN,
    WEAPON_DIFFICULTY,
    fire,
    has_second_seat,
    npc_ship_turns,
    ship_numbers,
    system_hit,
    terrain_cost,
)
from rules.ships.second.numbers import (
    LargeShipTurns,
    collision_rating,
    core_check,
    hit_shields,
    hull_state,
    large_ship_round,
    long_repair,
    modulate_shields,
    pursuit_catches,
    regain_power_difficulty,
    ship_damage,
    system_destroyed,
)
from rules.ships.stations import (
    attack_under_pattern,
    course_reduction,
    managed_power,
    modulated_resistance,
    ramming,
    regenerate_shields,
    station_action,
    warp_power,
)
from rules.state.ships import CREW_RATINGS
from rules.state.vocabulary import Condition, CrewQuality, Range, ShipWeaponKind, System
from rules.table import PLAYBOOK
from rules.tasks.pools import bonus_momentum, spend_cost
from rules.tasks.scoring import target_number, task_difficulty
from tests.conformance.forms import Form, Result, if_allowed, name_in


def numbers(_: Profile, /, *, scale: int, structure: int, security: int, engines: int) -> Result:
    ship = ship_numbers(scale=scale, structure=structure, security=security, engines=engines)
    return {
        "resistance": ship.resistance,
        "shields": ship.shields,
        "power": ship.power,
        "crew_support": ship.crew_support,
    }


def power_loss(_: Profile, /, *, power: int, loss: int) -> Result:
    lost = lose_power(power, loss)
    return {"power": lost.power, "complications": lost.complications}


def pursuit_power(_: Profile, /, *, fleeing_power_spent: int) -> Result:
    return {"minimum_pursuer_power": least_pursuit_power(fleeing_power_spent)}


def crew(_: Profile, /, *, quality: str) -> Result:
    rating = CREW_RATINGS[CrewQuality(quality)]
    return {
        "attribute": rating.attribute,
        "discipline": rating.discipline,
        "target_number": target_number(rating.attribute, rating.discipline),
        "focus": True,
    }


def npc_turns(profile: Profile, /, *, scale: int, tasks_already_by_role: int) -> Result:
    turns = npc_ship_turns(scale, tasks_already_by_role, profile)
    return {"turns": turns.turns, "difficulty_increase": turns.difficulty_increase}


def ship_attack(
    _: Profile, /, *, weapon: str, system_targeted: bool, target_range: str, optimal_range: str, modifiers: list[int]
) -> Result:
    penalties = shot_penalties(Range(target_range), Range(optimal_range), aimed=system_targeted)
    return {"difficulty": task_difficulty(WEAPON_DIFFICULTY[ShipWeaponKind(weapon)], (*penalties, *modifiers))}


def system(_: Profile, /, *, d20: int) -> Result:
    return {"system": system_hit(d20)}


def ship_hit(
    _: Profile,
    /,
    *,
    faces: list[int],
    scale: int,
    shields_before: int,
    resistance_faces: tuple[int, ...] = (),
    vicious: int = 0,
    piercing: int = 0,
    bonus_damage: int = 0,
    penetration: int = 0,
    high_yield: bool = False,
) -> Result:
    resolved = resolve_ship_hit(
        faces,
        scale=scale,
        shields_before=shields_before,
        resistance_faces=resistance_faces,
        vicious=vicious,
        piercing=piercing,
        bonus_damage=bonus_damage,
        penetration=penetration,
        high_yield=high_yield,
    )
    return {
        "rolled": resolved.rolled,
        "effects": resolved.effects,
        "total_resistance": resolved.total_resistance,
        "damage": resolved.damage,
        "shields_after": resolved.track_after,
        "breaches": resolved.wounds,
    }


def system_state(_: Profile, /, *, scale: int, breaches: int) -> Result:
    return {"state": system_condition(scale, breaches)}


def npc_ship_state(_: Profile, /, *, scale: int, total_breaches: int) -> Result:
    return {"state": system_condition(scale, total_breaches)}


def impact(_: Profile, /, *, system: str, power: int, face: int | None = None) -> Result:
    done = breach_impact(System(system), power, face)
    return {"power": done.power, "pc_injured": done.pc_injured}


def using_system(_: Profile, /, *, state: str, base_difficulty: int) -> Result:
    def ask() -> Result:
        task = task_with_system(Condition(state), base_difficulty)
        return {"difficulty": task.difficulty, "complication_range": task.complication_range}

    answer = if_allowed(ask)
    return {"usable": answer.pop("allowed"), **answer}


def repair(_: Profile, /, *, state: str, devastating: bool, damage_report: bool) -> Result:
    def ask() -> Result:
        task = repair_task(Condition(state), devastating=devastating, damage_report=damage_report)
        return {"difficulty": task.difficulty, "complication_range": task.complication_range}

    return if_allowed(ask)


def countdown(_: Profile, /, *, round: int, faces: list[int], scale: int) -> Result:  # noqa: A002 - the cases' word
    counted = core_countdown(round, faces, scale)
    return {"dice_required": round, "explodes": counted.explodes, "splash_dice": counted.splash_dice}


def spreading(_: Profile, /, *, initial_damage: int, effects: int) -> Result:
    hit = spread(initial_damage, effects)
    return {"extra_hits": hit.extra_hits, "damage": hit.damage}


def dampened(_: Profile, /, *, power: int, effects: int) -> Result:
    return {"power": lose_power(power, effects).power}


def persistent(_: Profile, /, *, x: int, effects: int) -> Result:
    lasting = persistence(x, effects)
    return {"damage_per_round": lasting.damage_per_round, "rounds": lasting.rounds}


def versatile(_: Profile, /, *, momentum: int, x: int, success: bool) -> Result:
    return {"momentum": bonus_momentum(momentum, x, success=success)}


def station(profile: Profile, /, *, action: str) -> Result:
    row = station_action(action, profile)
    return {
        "attributes": row.attributes,
        "discipline": row.discipline,
        "ship_system": row.ship_system,
        "ship_department": row.ship_department,
        "difficulty": row.difficulty,
        "power": row.power,
    }


def pattern(_: Profile, /, *, attack_difficulty: int) -> Result:
    change = attack_under_pattern(attack_difficulty)
    return {"difficulty": change.difficulty, "bonus_momentum": change.bonus_momentum}


def power_management(_: Profile, /, *, power: int, momentum_spent: int) -> Result:
    return {"power": managed_power(power, momentum_spent)}


def warp(_: Profile, /, *, zones: int) -> Result:
    return if_allowed(lambda: {"power": warp_power(zones)})


def ram(_: Profile, /, *, range: str, scale: int) -> Result:  # noqa: A002 - the cases call it so
    blow = ramming(Range(range), scale)
    return {"difficulty": blow.difficulty, "target_dice": blow.target_dice, "own_dice": blow.own_dice}


def course(_: Profile, /, *, momentum_spent: int) -> Result:
    return {"reduction": course_reduction(momentum_spent)}


def modulated(_: Profile, /, *, momentum_spent: int) -> Result:
    return {"resistance_bonus": modulated_resistance(momentum_spent)}


def regenerated(
    profile: Profile, /, *, shields: int, shields_max: int, momentum_spent: int, engineering: int
) -> Result:
    restored = regenerate_shields(
        shields=shields,
        shields_max=shields_max,
        momentum_spent=momentum_spent,
        engineering=engineering,
        profile=profile,
    )
    return {"difficulty": restored.difficulty, "shields_after": restored.shields_after}


def shields(profile: Profile, /, *, shields_max: int, shields_before: int, damage: int) -> Result:
    hit = hit_shields(shields_max, shields_before, damage, profile)
    return {"shields_after": hit.shields, "shaken": hit.shaken, "breaches": hit.breaches}


def damage_2e(_: Profile, /, *, damage: int, modifiers: list[int], resistance: int) -> Result:
    return {"damage": ship_damage(damage, modifiers, resistance)}


def destroyed_2e(_: Profile, /, *, scale: int, breaches_on_system: int) -> Result:
    return {"system_destroyed": system_destroyed(scale, breaches_on_system)}


def hull(_: Profile, /, *, scale: int, total_breaches_before: int, new_breaches: int) -> Result:
    state = hull_state(scale, total_breaches_before, new_breaches)
    return {"critical": state.critical, "destroyed": state.destroyed}


def collision(_: Profile, /, *, scale: int, zones_moved: int) -> Result:
    return {"rating": collision_rating(scale, zones_moved)}


def core_2e(
    _: Profile, /, *, critical: bool, engines_destroyed: bool, engineering: int, d20: int, scale: int
) -> Result:
    check = core_check(
        critical=critical, engines_destroyed=engines_destroyed, engineering=engineering, face=d20, scale=scale
    )
    return {"roll_required": check.roll_required, "explodes": check.explodes, "splash_damage": check.splash_damage}


def terrain(_: Profile, /, *, terrain: str, impulse_zones: int) -> Result:
    return {"momentum_cost": terrain_cost(name_in(TERRAIN, terrain), impulse_zones)}


def major(profile: Profile, /, *, majors_taken: int, method: str) -> Result:
    """A second major action is a Swift Task's, or somebody's who is directed; a Turn's Tasks are the most there are."""
    if tasks_within(profile, majors_taken) == 0:
        return {"allowed": False}
    cost, harder = 0, 0
    if majors_taken and method == "direct":
        cost = DIRECT_PRICE
    elif majors_taken:
        cost, harder = spend_cost(PLAYBOOK.spend_rows["swift_task"], 1, profile), SWIFT_TASK_HARDER
    return {"allowed": True, "momentum_cost": cost, "difficulty_increase": harder}


def regain(_: Profile, /, *, attempts_this_scene: int) -> Result:
    return {"difficulty": regain_power_difficulty(attempts_this_scene)}


def firing(_: Profile, /, *, weapon: str) -> Result:
    task = fire(ShipWeaponKind(weapon))
    return {"difficulty": task.difficulty, "threat_added": task.threat_added}


def modulated_2e(_: Profile, /, *, shields: int) -> Result:
    return if_allowed(lambda: {"resistance_bonus": modulate_shields(shields)})


def caught(_: Profile, /, *, fleeing_successes: int, pursuer_successes: int) -> Result:
    return {"caught": pursuit_catches(fleeing_successes, pursuer_successes)}


def docked(_: Profile, /, *, breaches: int, engineering: int, patched: bool, starbase: bool) -> Result:
    if breaches < 1:
        raise ValueError("nothing to repair")
    task = long_repair(engineering, patched=patched, starbase=starbase)
    return {
        "hours_per_breach": task.hours_per_breach,
        "difficulty": task.difficulty,
        "simultaneous": task.simultaneous,
    }


def large_ship(_: Profile, /, *, scale: int, player_turns: int, option: str) -> Result:
    chosen = LargeShipTurns.ALL if option == LargeShipTurns.ALL else LargeShipTurns.MATCH
    taken = large_ship_round(scale, player_turns, chosen)
    return {"turns": taken.turns, "bonus_dice": taken.bonus_dice}


def seats(_: Profile, /, *, department: int) -> Result:
    return {"second_position": has_second_seat(department)}


STATION_RULES = (
    *(f"STN-{number}" for number in (2, 6, 7, 10, 14, 15, 17, 18, 21, 22, 23, 24)),
    *(f"S2E-{name}" for name in ("T7", "X4", "X5", "X3", "4", "H5")),
)

FORMS: dict[str, Form] = {
    "SHIP-2": numbers,
    "SHIP-5": power_loss,
    "SHIP-7": pursuit_power,
    "NSHIP-1": crew,
    "NSHIP-2": npc_turns,
    "NSHIP-3": npc_ship_state,
    "SATK-1": ship_attack,
    "SATK-2": system,
    **dict.fromkeys(("SDMG-1", "SDMG-2", "SQUAL-4", "SWPN-4", "SWPN-6"), ship_hit),
    "BRCH-1": system_state,
    "BRCH-2": impact,
    "BRCH-3": using_system,
    "REP-1": repair,
    "WCB-1": countdown,
    "SWPN-2": dampened,
    "SWPN-3": persistent,
    "SWPN-5": spreading,
    "SQUAL-5": versatile,
    **dict.fromkeys(STATION_RULES, station),
    **dict.fromkeys(("STN-8", "S2E-O3"), regenerated),
    "STN-13": warp,
    "STN-16": ram,
    "STN-26": pattern,
    "STN-27": power_management,
    "STN-28": course,
    "STN-29": modulated,
    "S2E-2": major,
    "S2E-5": terrain,
    "S2E-10": damage_2e,
    **dict.fromkeys(("S2E-11", "S2E-12"), shields),
    "S2E-14": destroyed_2e,
    "S2E-15": hull,
    "S2E-16": collision,
    "S2E-17": core_2e,
    "S2E-19": docked,
    "S2E-21": large_ship,
    "S2E-22": seats,
    "S2E-23": caught,
    "S2E-O2": regain,
    "S2E-T5": firing,
    "S2E-T6": modulated_2e,
}
