"""Call forms of the rules of a roll: CD, TASK, TRAIT, RNG-2, ASST, DET, NPC-2, BUY, OPP, POOL, S2E-8, THR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.conflict.numbers import reach_penalty
from rules.deciding.rows import SpendRule, ThreatRow
from rules.errors import Refusal
from rules.rulesets.profiles import Profile
from rules.state.tasks import Purchase
from rules.state.vocabulary import Payer, ValueAction
from rules.table import PLAYBOOK
from rules.tasks.buying import Funds, buy_dice
from rules.tasks.challenge import challenge_result
from rules.tasks.determination import inspired_positions, use_value_against
from rules.tasks.opposed import decide_opposed
from rules.tasks.pools import npc_leftover, save_momentum, spend_cost, spend_rule
from rules.tasks.rerolls import ANY_NUMBER, replace_faces, rerollable_dice
from rules.tasks.scoring import (
    dice_to_throw,
    result_of,
    simple_success,
    task_difficulty,
)
from rules.tasks.scoring import succeed_at_cost as turn_into_success
from rules.tasks.threat import gain_threat, reason_of, spend_threat, starting_threat
from tests.conformance.forms import Form, Result, if_allowed, name_in
from tests.rules.scored import AssistDie, ShipDie, score_task

JsonDie = Mapping[str, int]


def _spend(said: str, profile: Profile) -> SpendRule:
    return spend_rule(PLAYBOOK, name_in(PLAYBOOK.spend_rows, said), profile)


def _reason(rows: Mapping[str, ThreatRow], said: str) -> ThreatRow:
    return reason_of(rows, "THR-2", name_in(rows, said))


def challenge(_: Profile, /, *, faces: list[int]) -> Result:
    result = challenge_result(faces)
    return {"total": result.total, "effects": result.effects}


def challenge_reroll(_: Profile, /, *, faces: list[int], reroll: list[int], new_faces: list[int]) -> Result:
    after = replace_faces(faces, reroll, new_faces, "CD-5")
    result = challenge_result(after)
    return {"faces": after, "total": result.total, "effects": result.effects}


def task(
    _: Profile,
    /,
    *,
    attribute: int,
    discipline: int,
    focus: bool,
    difficulty: int,
    dice: list[int],
    complication_range: int = 1,
    assists: Sequence[JsonDie] = (),
    ship_assist: JsonDie | None = None,
    determination_die: bool = False,
    automatic_successes: int = 0,
) -> Result:
    score = score_task(
        attribute=attribute,
        discipline=discipline,
        focus=focus,
        difficulty=difficulty,
        dice=dice,
        complication_range=complication_range,
        assists=[
            AssistDie(
                attribute=one["attribute"],
                discipline=one["discipline"],
                focus=bool(one.get("focus", False)),
                die=one["die"],
            )
            for one in assists
        ],
        ship_assist=None if ship_assist is None else ShipDie(**ship_assist),
        determination_die=determination_die,
        automatic_successes=automatic_successes,
    )
    return {
        "target_number": score.target_number,
        "successes": score.outcome.successes,
        "complications": score.outcome.complications,
        "success": score.outcome.success,
        "momentum": score.outcome.momentum,
    }


def unrolled(_: Profile, /, *, difficulty: int, rolled: bool) -> Result:
    if rolled:
        raise Refusal("TASK-9", "a Task that is rolled is scored by its dice")
    simple = simple_success(difficulty)
    return {
        "success": simple.outcome.success,
        "successes": simple.outcome.successes,
        "complications": simple.outcome.complications,
        "momentum": simple.outcome.momentum,
        "can_spend_momentum": simple.can_spend_momentum,
    }


def dice_count(_: Profile, /, *, bonus_dice: int, determination_die: bool, dice: list[int]) -> Result:
    required = dice_to_throw(bonus_dice, determination_die=determination_die)
    return {"dice_required": required, "accepted": len(dice) == required}


def at_cost(_: Profile, /, *, successes: int, difficulty: int, complications: int, succeed_at_cost: bool) -> Result:
    outcome = result_of(successes, difficulty, complications)
    if succeed_at_cost and not outcome.success:
        outcome = turn_into_success(outcome)
    return {"success": outcome.success, "momentum": outcome.momentum, "complications": outcome.complications}


def aiming(_: Profile, /, *, aim: bool, qualities: list[str]) -> Result:
    count = rerollable_dice(aim=aim, qualities=qualities)
    return {"rerollable_dice": "any" if count is ANY_NUMBER else count}


def traits(_: Profile, /, *, base: int, modifiers: list[int], floor: int = 0) -> Result:
    return {"difficulty": task_difficulty(base, modifiers, floor)}


def reach(_: Profile, /, *, base: int, enemy_in_reach: bool, melee_attack: bool) -> Result:
    harder = reach_penalty(enemy_in_reach=enemy_in_reach, melee_attack=melee_attack)
    return {"difficulty": task_difficulty(base, (harder,))}


def buying(
    profile: Profile,
    /,
    *,
    purchases: list[str],
    momentum: int,
    threat: int,
    determination: int,
    value_applies: bool = False,
    npc: bool = False,
) -> Result:
    bill = buy_dice(
        [Purchase(payer=Payer(one)) for one in purchases],
        Funds(momentum=momentum, threat=threat, determination=determination),
        profile,
        value_applies=value_applies,
        npc=npc,
    )
    if not bill.allowed:
        return {"allowed": False, "refused_at": bill.refused_at}
    return {
        "allowed": True,
        "bonus_dice": bill.bonus_dice,
        "dice_to_roll": bill.dice_to_roll,
        "momentum": bill.funds.momentum,
        "threat": bill.funds.threat,
        "determination": bill.funds.determination,
    }


def inspiration(profile: Profile, /, *, dice: list[int], reroll: list[int], new_values: list[int]) -> Result:
    def ask() -> Result:
        inspired_positions(len(dice), reroll, profile)
        return {"dice": replace_faces(dice, reroll, new_values, "DET-3")}

    return if_allowed(ask)


def value_against(
    profile: Profile, /, *, determination: int, action: str, challenged_this_session: bool = False
) -> Result:
    def ask() -> Result:
        use = use_value_against(
            determination, ValueAction(action), profile, challenged_this_session=challenged_this_session
        )
        return {
            "determination": use.determination,
            "complications": use.complications,
            "value_usable": use.value_usable,
        }

    return if_allowed(ask)


def opposed(profile: Profile, /, *, active: JsonDie, reactive: JsonDie) -> Result:
    decided = decide_opposed(result_of(**active), result_of(**reactive), profile)
    return {"winner": decided.winner, "momentum": decided.momentum}


def saving(_: Profile, /, *, pool: int, earned: int, spent: int) -> Result:
    saved = save_momentum(pool, earned, spent)
    return {"pool": saved.pool, "lost": saved.lost}


def leftover(_: Profile, /, *, earned: int, spent: int, threat: int) -> Result:
    return {"threat": npc_leftover(threat, earned, spent)}


def spend(profile: Profile, /, *, spend: str, times: int) -> Result:
    return if_allowed(lambda: {"cost": spend_cost(_spend(spend, profile), times, profile)})


def threat_start(_: Profile, /, *, players: int) -> Result:
    return {"threat": starting_threat(players)}


def threat_gain(_: Profile, /, *, threat: int, event: str, amount: int) -> Result:
    return {"threat": gain_threat(threat, _reason(PLAYBOOK.gain_rows, event), amount)}


def threat_spend(_: Profile, /, *, threat: int, event: str, amount: int) -> Result:
    return if_allowed(lambda: {"threat": spend_threat(threat, _reason(PLAYBOOK.threat_rows, event), amount)})


FORMS: dict[str, Form] = {
    **dict.fromkeys(("CD-1", "CD-2"), challenge),
    "CD-5": challenge_reroll,
    **dict.fromkeys(
        ("TASK-4", "TASK-5", "TASK-6", "TASK-7", "TASK-8", "ASST-1", "ASST-2", "ASST-3", "DET-2", "NPC-2"), task
    ),
    "TASK-3": dice_count,
    "TASK-9": unrolled,
    "TASK-11": at_cost,
    "TASK-12": aiming,
    "TRAIT-2": traits,
    "RNG-2": reach,
    **dict.fromkeys(("BUY-1", "BUY-2", "BUY-3", "BUY-4", "BUY-5", "BUY-6", "BUY-7"), buying),
    "DET-3": inspiration,
    **dict.fromkeys(("DET-6", "DET-7"), value_against),
    **dict.fromkeys(("OPP-1", "OPP-2", "OPP-3"), opposed),
    "POOL-2": saving,
    **dict.fromkeys(("POOL-4", "POOL-7", "S2E-8"), spend),
    "POOL-9": leftover,
    "THR-1": threat_start,
    "THR-2": threat_gain,
    "THR-4": threat_spend,
}
