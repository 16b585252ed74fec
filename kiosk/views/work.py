"""What a page asks of its person, and what they can do now, as forms.

In: the view as plain values, the person's role, and whom they play. Out: what `_work.html` renders.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from kiosk.views.option_fields import DONE, GOES_ON, ONWARD, Json, listed, rerolls
from kiosk.views.page_words import word_of
from kiosk.views.stage.asked import OF_NO_TASK
from kiosk.views.stage.names import called
from rules.dice import DieKind, DieState
from rules.game import GO_ON, Payer, QuestionReason, Standing, TaskPhase, ThrowRole
from rules.words import Phrase, dice_words, joined_by, say

LATER: Final = frozenset({"surge_of_activity", "use_value_against"})
"""Commands that Determination allows at any time: they are folded, and do not count as something to do now."""

_PUSH_ON: Final = "push_on"
"""Acting in spite of an Injury, which is offered at once only to whoever is injured."""

_AS_ASKED: Final = frozenset(
    {"avoid_injury", "choose_shaken", "fall_down", "keep_injury", "lose_injury", "stay_up", "suffer_injury"}
)
"""Commands that answer what a chain asks one character: `asked_of` of the view."""

_LIKELY: Final = ("avoid_injury:points", "avoid_injury:threat", "fall_down")
"""The first of these that is offered is what a player who is asked most likely chooses."""

_LIKELY_OF_NPCS: Final = ("suffer_injury", "fall_down")
"""The same of what the gamemaster most likely chooses for an NPC: what costs no Threat."""

_LED_ON: Final = _AS_ASKED | {
    "choose_targets",
    "finish_spending",
    "follow_through",
    "settle_damage",
    "settle_hit",
    "settle_ship_hit",
}
"""Commands that go on from what an NPC threw, for a table at which nobody joined as the gamemaster."""

_DEFENDS: Final = "defend:"
"""What the ids of the options begin with by which somebody defends in melee."""

_NEXT: Final = "next_in_line"
"""The option by which who is next in line goes on."""

_LEAVES: Final = "leave_line"
"""The command by which a Task that waits is taken out of the line."""

_NEXT_ROUND: Final = "next_round"
"""The option that begins the next Round: of one that is over the gamemaster's, or anybody's where nobody leads."""

_UNSEEN: Final = LATER | _AS_ASKED | {_PUSH_ON}
"""Commands that nobody looks on while another person chooses: the stage says who answers what befell them."""

_TAKES: Final = "take_complication"
"""The option that takes a Complication of the Task in hand."""

_ENDS_BUYING: Final = frozenset({"finish_spending", "take_complication"})
"""Commands after which nothing more is bought for a Task: whose it is gives them."""

_TURN_ENDS: Final = MappingProxyType({"command": "end_turn"})
"""Ends the Turn in hand, and with it the spending of its Task."""

SPARE: Final = 3
"""Most doubtful dice beyond those awaited; with more, the page suspects a mat that looks like dice."""


def work_of(
    view: Json,
    *,
    gamemaster: bool,
    me: str = "",
    deciders: Mapping[str, str] | None = None,
    held: frozenset[str] | None = None,
    ends: Mapping[str, frozenset[str]] = MappingProxyType({}),
) -> dict[str, Any]:
    """What somebody can do who plays `me`, or who looks for the whole table where that is empty.

    `deciders` names the character that each option decides for; None for whoever decides for everybody. `held` are the
    characters that the person at the page took, whomever it plays; None for whoever decides for everybody. `ends` names
    those whose spending an option would end: another person's is left to its owner.

    * `options` and `later` are offered, with `own` if the Turn is `me`'s; `turns` are those of others, folded.
    * An option is `main` if it begins one's own Turn, goes on from a success, settles its damage, or ends the buying
      for one's own Task, with nothing left to save the Turn with it or a Complication taken; for the gamemaster, for
      an NPC's and for whom nobody plays with a device. So is the end of a Turn that has no further Task. So is what
      a player who is asked most likely chooses, how they defend themselves, going on as the next in line
      where another's Task left nothing, and, where nothing else is, taking a Complication of their own. So is the next
      Round, once one is over, for the gamemaster; for players only at a table where nobody joined as one.
      What is main leads the list: it is in sight before all that may be bought.
    * One `waits` if it settles a Complication of an earlier Task, which nobody has to do now: it comes last.
    * One that begins an NPC's Turn stands for the gamemaster `at_card`, beside the NPC, too.
    * `whose` names somebody else whose Task is in hand, `headed` the same where a player's is.
    * `looks` is what somebody else chooses from whose character another person took, in one line and for looking.
    * `awaited` names somebody else whose throw is awaited, where another person is asked for it: its dice stand folded,
      and `awaits` says it in place of the stage's words, `to_know` who throws against it. `helps` says that one helps
      after it: that comes before one's own next Task.
      A helper whom nobody plays is asked of whoever acts.
    * `entered_for` names the helper or the ship whose die it is, where it is not `me` who throws: its entry says so.
    * `after` is whom `me` waits for in line; `waiting` is the next in line behind `me`'s own outcome.
    * `unvalued` names `me` where their Task failed and Determination would throw it again, had they a Value.
    * `late` says that Determination buys no die of `me`'s Task any more, as others were bought before it.
    * `thrower` says whether `me`, or another whom the person took, is asked for dice.
    * `lie` says that dice could be thrown again until something was bought: they stay where they were touched.
    * `again` throws dice again; `cited`, `scored` and `challenge` are for what else may be done. `misread` says whose
      die the `scored` are.
    * `lying` are the dice of a held throw, `asked` and `others` those in question and the rest; `too_many` says how
      many must be left out, and `pattern` whether a mat may be the cause. `missing` is how many are there too few, and
      `faces` those of the others, where all of them were read.
    """
    table = view["table"]
    taken = _taken_with(view, me) if held is None else held
    theirs = {
        option: owner
        for option, owner in (deciders or {}).items()
        if owner and not gamemaster and not _may_answer_for(view, owner, taken)
    }
    own = me if _may_answer_for(view, me, taken) else ""
    played = frozenset({own, *(held or ())} - {""})
    led = any(one["gamemaster"] for one in view["persons"])
    players = [
        one
        for one in view["options"]
        if one["role"] != "gamemaster" or (not led and one["command"]["command"] in _LED_ON)
        if not (led and one["option_id"] == _NEXT_ROUND)
    ]
    waits = {one for one, whose in ends.items() if any(_is_anothers(view, each, taken, deciders) for each in whose)}
    free = [one for one in players if one["option_id"] not in {*theirs, *waits}]
    open_to_me = [one for one in free if _is_open_to(view, one, me, played, taken)]
    mine = view["options"] if gamemaster else [{**one, "label": one["short_label"]} for one in open_to_me]
    offered = [_as_next(view, one, me) for one in listed({**view, "options": mine})]
    turn = table["conflict"]["turn"] if table["conflict"] else None
    turns = [one for one in offered if _is_of_others(one["command"], me)]
    later = [one for one in offered if _is_for_later(one["command"], me)]
    whose = "" if gamemaster else _other_owner(table, me)
    lost = any(one["option_id"] == GO_ON for one in offered)
    onward = _onward(table, offered)
    goes_on = (
        gamemaster
        if _is_npcs(table)
        else bool(own) and (not whose or not onward or onward["command"] not in _ENDS_BUYING)
    )
    if gamemaster and not goes_on:  # what decides nothing, and what is nobody else's to decide
        goes_on = onward is GOES_ON or not _is_taken(view, _striker(table))
    if onward is DONE and _TURN_ENDS in [one["command"] for one in offered] and _is_spent(table):
        onward = _TURN_ENDS
    if onward is None and (_has_acted(view) if gamemaster else _has_no_task_left(table, own)):
        onward, goes_on = _TURN_ENDS, True
    begins = [one["command"] for one in offered if one["command"]["command"] == "begin_turn"]
    over = any(one["option_id"] == _NEXT_ROUND and one["role"] != "gamemaster" for one in view["options"])
    leading: list[Json] = [] if over else [{"command": "begin_turn", "combatant_id": own or None}]
    leading += [onward] if goes_on and onward else []
    if gamemaster and len(begins) == 1 and not over and not _is_taken(view, begins[0]["combatant_id"]):
        leading = begins
    asked: tuple[str, ...] = _LIKELY if own and view["asked_of"] == own else ()
    if own and not view["asked_of"]:  # of an NPC, which is offered to players where nobody leads the table
        asked = _LIKELY_OF_NPCS
    if gamemaster:
        asked = () if _is_taken(view, view["asked_of"]) else _LIKELY if view["asked_of"] else _LIKELY_OF_NPCS
    likely = next((one for one in asked if any(each["option_id"] == one for each in offered)), "")
    main = {one["option_id"] for one in offered if one["command"] in leading or one["option_id"] == GO_ON}
    main |= {likely or _defence(offered, own)} - {""}
    main |= {one["option_id"] for one in offered if over and one["option_id"] == _NEXT_ROUND}
    if own and _leaves_nothing(table) and any(one["option_id"] == _NEXT for one in offered):
        main |= {_NEXT}
    main = main or {_own_complication(table, offered, own)}
    kept = {one["number"] for one in table["complications_waiting"]}
    later_ones = {one["option_id"] for one in offered if _settles(one["command"], kept)} - main
    again = _drawn(rerolls({**view, "options": mine}), view["stage"]["dice"])
    if again is not None and not _buys(table, offered):
        offered = [_as_kept(one) for one in offered]
    offered = [_as_headed(one, table, own) for one in offered]
    return {
        "options": [
            {
                **one,
                "main": one["option_id"] in main,
                "waits": one["option_id"] in later_ones,
                "at_card": gamemaster and _begins_npcs(table, one["command"]),
            }
            for one in sorted(
                offered,
                key=lambda one: (one["option_id"] in later_ones, one["option_id"] not in main),
            )
            if one not in later and one not in turns
        ],
        "turns": turns,
        "later": later,
        "own": bool(own) and turn is not None and turn["combatant_id"] == own and not lost,
        "whose": whose,
        "headed": "" if _is_npcs(table) or _is_anothers(view, _owner(table), taken, deciders) else whose,
        "looks": _looks(view, theirs, players),
        **_awaited(view, taken, deciders),
        "entered_for": _entered_for(table, own),
        "after": _after(table, own),
        "waiting": _waiting(table, played),
        "unvalued": _unvalued(table, own),
        "late": _late(table, own, offered),
        "thrower": _throws(table, played),
        "again": again,
        "lie": again is None and _lie(table, own, offered),
        "cited": _cited(table["characters"], gamemaster=gamemaster),
        "scored": _scored(view["misread"]),
        "misread": _misread_words(view),
        "challenge": _may_ask_challenge(table),
        **_looked_at(table),
    }


def _is_spent(table: Json) -> bool:
    """Whether the Task in hand is the last one of its Turn, and ending its spending would save and settle nothing."""
    task, turn = table["task"], table["conflict"]["turn"] if table["conflict"] else None
    left = task["momentum_left"] or task["complications_open"] if task else True
    if left or turn is None or (turn["guest_id"] or turn["combatant_id"]) != _owner(table):
        return False
    return bool(turn["tasks"] >= turn["tasks_allowed"])


def _onward(table: Json, offered: list[Mapping[str, Any]]) -> Json | None:
    """What goes on from the Task in hand; with nothing to save, taking its Complication while a pool may still buy."""
    found = next((one for one in ONWARD if any(each["command"] == one for each in offered)), None)
    if found is None and table["task"] and table["task"]["phase"] == TaskPhase.SPENDING:
        return next((one["command"] for one in offered if one["option_id"] == _TAKES), None)
    return found


def _is_anothers(view: Json, owner: str, taken: frozenset[str], deciders: Mapping[str, str] | None) -> bool:
    """Whether another person took `owner`, so that the one who took those does not decide for them."""
    return deciders is not None and bool(owner) and not _may_answer_for(view, owner, taken)


def _owner(table: Json) -> str:
    """Whose Task is in hand, by id; empty if there is none."""
    return str(table["task"]["declaration"]["character_id"]) if table["task"] else ""


def _looks(view: Json, theirs: Mapping[str, str], players: list[Json]) -> dict[str, Any] | None:
    """What another person chooses from now: who it is, that in words, and each choice; None if they choose nothing.

    `theirs` are the options that others decide, each with for whom; of a character's the `players`' are told.
    """
    table = view["table"]
    if table["request"] or table["held"]:
        return None
    conflict, attack, task = table["conflict"], table["attack"], table["task"]
    turn = conflict["turn"] if conflict else None
    acting = (turn["guest_id"] or turn["combatant_id"]) if turn else ""
    now = (view["asked_of"], attack["attacker_id"] if attack else "", _owner(table), acting)
    owner = next((one for one in now if one and one in theirs.values()), "")
    masters = _is_gamemasters(view, owner)
    chosen = [
        one
        for one in view["options"]
        if owner and theirs.get(one["option_id"]) == owner and (masters or one in players)
        if one["command"]["command"] not in _UNSEEN
    ]
    if not chosen:
        return None
    name = _called(table, _name(table, owner))
    mine = task is not None and owner == _owner(table) and task["phase"] != TaskPhase.AWAITING_OPPOSITION
    left = task["momentum_left"] if mine else 0  # before the other side has thrown, nobody has any
    words = say("{who} chooses what to do with {momentum} Momentum.", who=name, momentum=left)
    again = [{"label": say("Throw dice again"), "cost": ""}] if rerolls({**view, "options": chosen}) else []
    return {
        "who": name,
        "words": say("The gamemaster chooses for {who}.", who=name)
        if masters
        else words
        if left
        else _chooses(table, name, of_turn=owner == acting),
        "choices": [
            *({"label": one["own_label"] or one["label"], "cost": one["cost"]} for one in listed({"options": chosen})),
            *again,
        ],
    }


def _chooses(table: Json, who: str, *, of_turn: bool) -> Phrase:
    """What somebody chooses who has no Momentum of a Task to spend: the damage, what their Turn is for, or else."""
    if table["agenda"]:
        return say("{who} chooses what comes of it.", who=who)
    if of_turn and table["task"] is None:
        return say("{who} chooses what to do in this Turn.", who=who)
    return say("{who} chooses how the Task goes on.", who=who) if table["task"] else say("{who} chooses.", who=who)


def _awaited(view: Json, taken: frozenset[str], deciders: Mapping[str, str] | None) -> dict[str, Any]:
    """Who throws, where that is another person's, and what the stage says of it."""
    table = view["table"]
    request = table["request"]
    thrower, owner = _thrower(table), _owner(table)
    of_task = request is not None and request["role"] not in OF_NO_TASK
    asked = owner if of_task and _may_answer_for(view, thrower, frozenset()) else thrower
    if not _is_anothers(view, asked, taken, deciders):
        return {"awaited": "", "awaits": "", "to_know": [], "helps": []}
    more = {"to_know": _to_know(table), "helps": _helps(table, taken)}
    name = _called(table, _name(table, thrower))
    if table["held"]:
        return {"awaited": name, "awaits": say("{who} looks at the dice", who=name), **more}
    dice = dice_words(request["count"], DieKind(request["kind"]))
    again = request["role"] in {ThrowRole.REROLL, ThrowRole.CHALLENGE_REROLL}
    throws = say("{who} throws {dice} again", who=name, dice=dice)
    awaits = throws if again else say("{who} throws {dice}", who=name, dice=dice)
    return {"awaited": name, "awaits": awaits, **more}


def _to_know(table: Json) -> list[Phrase]:
    """What is to be known while another throws first: who throws against it."""
    task = table["task"]
    if task is None or table["request"]["role"] != ThrowRole.LEADER or table["opposed"]:
        return []
    if not task["declaration"]["opposed"]:
        return []
    against = _called(table, _name(table, task["declaration"]["opponent_id"]))
    return [say("{name} throws against it.", name=against) if against else say("The other side throws against it.")]


def _helps(table: Json, taken: frozenset[str]) -> list[Phrase]:
    """Who of those helps with a die that is still to come, after the throw that another is asked for."""
    task, role = table["task"], table["request"]["role"]
    if task is None or role not in {ThrowRole.LEADER, ThrowRole.ASSIST}:
        return []
    thrown = sum(one["role"] == ThrowRole.ASSIST for one in task["dice"]) + (role == ThrowRole.ASSIST)
    who = _called(table, task["who"])
    return [
        say("{name} helps with a die after {who}'s.", name=_called(table, _name(table, one["character_id"])), who=who)
        for one in task["declaration"]["assists"][thrown:]
        if one["character_id"] in taken
    ]


def _thrower(table: Json) -> str:
    """Whose dice are asked for, by id: a ship's are thrown for whoever acts; empty if nobody's in particular."""
    request, task = table["request"], table["task"]
    if request is None:
        return ""
    if request["role"] in OF_NO_TASK or task is None:
        called = (one["character_id"] for one in table["characters"] if one["name"] == request["who"])
        return str(next(called, "")) or _who_struck(table, request["who"])
    if request["role"] == ThrowRole.ASSIST:
        there = sum(one["role"] == ThrowRole.ASSIST for one in task["dice"])
        return str(task["declaration"]["assists"][there]["character_id"])
    return _owner(table)


def _who_struck(table: Json, ship: str) -> str:
    """Whose attack it is with a ship of that name, by id; empty where no such attack is in hand."""
    attack, task = table["attack"], table["task"]
    struck = attack is not None and task is not None and attack["attacker_id"] != "" and attack["attacker"] == ship
    return _owner(table) if struck else ""


_OWN_DICE: Final = frozenset({ThrowRole.LEADER, ThrowRole.REROLL, ThrowRole.CHALLENGE, ThrowRole.CHALLENGE_REROLL})
"""The throws whose dice are of whoever acts, whom the page names above them."""


def _entered_for(table: Json, own: str) -> str:
    """Who throws a helper's or a ship's die, where that is not `own`; empty of other dice."""
    request = table["request"]
    if request is None or request["role"] in _OWN_DICE or not request["who"] or request["who"] == _name(table, own):
        return ""
    return _called(table, str(request["who"]))


def _as_next(view: Json, option: Mapping[str, Any], me: str) -> Mapping[str, Any]:
    """The way for `me`, who is next, to go on, with what it comes to for the one before; anything else as it is."""
    table, command = view["table"], option["command"]
    task = table["task"]
    mine = option["option_id"] == _NEXT and command["declaration"]["character_id"] == me
    if not mine or not task:
        return option
    who = _called(table, task["who"])
    if _leaves_nothing(table):
        return {**option, "label": say("Go on now: {who} leaves the dice as they lie", who=who)}
    if not task["momentum_left"]:
        return option
    words = say("Go on now: {who} saves {momentum} Momentum", who=who, momentum=task["momentum_left"])
    return {**option, "label": words}


def _leaves_nothing(table: Json) -> bool:
    """Whether the Task in hand generated nothing that is left: its owner may throw again, or buy from the pool."""
    task = table["task"]
    if not task or task["phase"] != TaskPhase.SPENDING or task["opposed_winner"] is not None:
        return False
    return not task["momentum_left"] and task["outcome"] is not None


def _buys(table: Json, offered: list[Mapping[str, Any]]) -> bool:
    """Whether anything can be bought on the Task in hand, or is left of it to be saved."""
    left = table["task"]["momentum_left"] or table["task"]["complications_open"] if table["task"] else 0
    return bool(left) or any(one["command"]["command"] == "make_spend" for one in offered)


def _as_kept(option: Mapping[str, Any]) -> Mapping[str, Any]:
    """The end of a spending that can buy nothing, where dice may still be thrown again: that they stay."""
    return {**option, "label": say("Leave the dice as they lie")} if option["command"] == DONE else option


def _as_headed(option: Mapping[str, Any], table: Json, own: str) -> Mapping[str, Any]:
    """To take the Task of `own` out of the line is called short, below a heading that says whose Task waits."""
    command = option["command"]
    mine = command["command"] == _LEAVES and command["character_id"] == own and _after(table, own)
    return {**option, "label": say("Take it back")} if mine else option


def _after(table: Json, me: str) -> str:
    """After whom `me` is next in line; empty of who does not stand there.

    Where their own Task that lost is in hand, that is who won.
    """
    line = [one["character_id"] for one in table["in_line"]]
    if not me or me not in line:
        return ""
    if place := line.index(me):
        return _called(table, _name(table, line[place - 1]))
    task = table["opposed"] if table["opposed"] and _owner(table) == me else table["task"]
    return _called(table, task["who"] if task else "")


def _waiting(table: Json, played: frozenset[str]) -> str:
    """Who is next once one of `played` is done with the outcome in hand; empty if nobody is."""
    spends = _owner(table) in played and table["task"]["phase"] == TaskPhase.SPENDING
    return _called(table, _name(table, table["in_line"][0]["character_id"])) if spends and table["in_line"] else ""


def _unvalued(table: Json, own: str) -> str:
    """Whose failure Determination cannot throw again for want of a Value (DET-3); empty where it is no such failure."""
    task = table["task"] or table["last_task"]
    card = next((one for one in table["characters"] if one["character_id"] == own), None)
    if task is None or card is None or card["values"] or not card["determination"] or table["request"]:
        return ""
    failed = task["outcome"] is not None and not task["outcome"]["success"] and bool(task["dice"])
    mine = task["declaration"]["character_id"] == own and task["opposed_winner"] is None
    over = task["phase"] in {TaskPhase.SPENDING, TaskPhase.COMPLICATIONS, TaskPhase.CLOSED}
    return str(card["name"]) if failed and mine and over else ""


def _lie(table: Json, own: str, offered: Iterable[Json]) -> bool:
    """Whether Determination could have thrown again dice of `own`'s, had nothing been bought with their Momentum."""
    task = table["task"]
    card = next((one for one in table["characters"] if one["character_id"] == own), None)
    if task is None or card is None or _owner(table) != own or not task["spends"] or not card["determination"]:
        return False
    return any(not one["struck"] for one in card["values"]) and any(one["command"] == DONE for one in offered)


def _late(table: Json, own: str, offered: Iterable[Json]) -> bool:
    """Whether Determination would still buy `own` a die, had it been the first that was bought (BUY-5)."""
    task = table["task"]
    card = next((one for one in table["characters"] if one["character_id"] == own), None)
    if task is None or card is None or _owner(table) != own or task["dice"] or not card["determination"]:
        return False
    bought = {one["payer"] for one in task["declaration"]["purchases"]}
    buys = [one["command"]["purchase"]["payer"] for one in offered if one["command"]["command"] == "buy_die"]
    cites = any(not one["struck"] for one in card["values"])
    return cites and bool(buys and bought) and Payer.DETERMINATION not in {*bought, *buys}


def _name(table: Json, its_id: str) -> str:
    """The name of a character, or of a ship that acts by itself."""
    names = {one["ship_id"]: str(one["name"]) for one in table["ships"]}
    return (names | {one["character_id"]: str(one["name"]) for one in table["characters"]}).get(its_id, "")


def _called(table: Json, name: str) -> str:
    """The short name of a player's character, as the stage has it; anybody else's whole name."""
    players = [str(one["name"]) for one in table["characters"] if one["standing"] == Standing.PLAYER]
    return called(name, players, (str(one["name"]) for one in (*table["characters"], *table["ships"])))


def player(characters: Iterable[Json], wanted: str) -> str:
    """The character of a phone: the one it names, else the only player's; empty if there is neither."""
    players = [one["character_id"] for one in characters if one["standing"] == Standing.PLAYER]
    if wanted in players:
        return wanted
    return players[0] if len(players) == 1 else ""


def _is_open_to(view: Json, option: Json, me: str, played: frozenset[str], taken: frozenset[str]) -> bool:
    """Whether whoever plays `me`, or nobody, may choose what is one character's to choose."""
    command = option["command"]
    name = command["command"]
    if name in _AS_ASKED:
        return _may_answer_for(view, view["asked_of"], taken)
    whose = {one["number"]: one["character_id"] for one in view["table"]["complications_waiting"]}
    owner = {
        _NEXT: lambda: command["declaration"]["character_id"],
        "leave_line": lambda: command["character_id"],
        "take_complication": lambda: whose.get(command.get("number", 0), ""),
        "buy_off_complication": lambda: whose.get(command.get("number", 0), ""),
        _PUSH_ON: lambda: command["character_id"],
    }.get(option["option_id"].partition(":")[0], str)()
    return owner in {"", *played} if me else _may_answer_for(view, owner, taken)


def _may_answer_for(view: Json, owner: str, taken: frozenset[str]) -> bool:
    """Whether the one who took those decides for `owner`: one of them, and whom nobody took and no gamemaster plays."""
    return owner in {"", *taken} or not any(owner in one["decides_for"] for one in view["persons"])


def _is_gamemasters(view: Json, owner: str) -> bool:
    """Whether `owner` is an NPC or a ship's crew for whom somebody decides who joined as the gamemaster."""
    masters = (one for one in view["persons"] if one["gamemaster"])
    return any(owner in one["decides_for"] and owner not in one["characters"] for one in masters)


def _defence(offered: list[Mapping[str, Any]], own: str) -> str:
    """How `own` most likely defends in melee: with the weapon that they carry, without meaning to kill."""
    ways = [
        str(one["option_id"])
        for one in offered
        if one["option_id"].startswith(_DEFENDS) and one["command"]["declaration"]["character_id"] == own
    ]
    return next((one for one in reversed(ways) if not one.endswith(":lethal")), "")


def _own_complication(table: Json, offered: list[Mapping[str, Any]], own: str) -> str:
    """Taking a Complication of `own`; empty where there is none, or where they have something else to go on with."""
    conflict, request = table["conflict"], table["request"]
    turn = conflict["turn"] if conflict else None
    busy = request is not None and _thrower(table) == own
    free = not table["task"] and (
        not conflict or (turn is not None and own in {turn["combatant_id"], turn["guest_id"]})
    )
    if not own or busy or free or any(one["character_id"] == own for one in table["asked"]):
        return ""
    whose = {one["number"]: one["character_id"] for one in table["complications_waiting"]} | {0: _owner(table)}
    taking = [one for one in offered if one["command"]["command"] == "take_complication"]
    return next((str(one["option_id"]) for one in taking if whose.get(one["command"].get("number", 0)) == own), "")


def _settles(command: Json, kept: set[int]) -> bool:
    """Whether it settles one of the Complications that are `kept` for later, by their numbers."""
    return command["command"] in {"take_complication", "buy_off_complication"} and command.get("number", 0) in kept


def _taken_with(view: Json, me: str) -> frozenset[str]:
    """`me`, and whom the person took who took `me`: for a page that anybody at the kiosk uses."""
    return frozenset({me, *(each for one in view["persons"] if me in one["characters"] for each in one["characters"])})


def _is_for_later(command: Json, me: str) -> bool:
    """Whether it is no part of what is done now: at any time, and acting in spite of another's Injury."""
    return command["command"] in LATER or (command["command"] == _PUSH_ON and command["character_id"] != me)


def _is_npcs(table: Json) -> bool:
    """Whether the attack that hit, or else the Task in hand, is an NPC's."""
    struck = table["attack"] or table["task"]
    return struck is not None and bool(struck["npc"])


def _striker(table: Json) -> str:
    """Whose attack hit, or else whose the Task in hand is, by id; empty if there is neither."""
    return str(table["attack"]["attacker_id"]) if table["attack"] else _owner(table)


def _is_taken(view: Json, one_id: str) -> bool:
    """Whether somebody plays that character with a device of their own."""
    return any(one_id in one["characters"] for one in view["persons"])


def _has_acted(view: Json) -> bool:
    """Whether who has the Turn has acted, nothing of it is in hand, and no person with a device plays them."""
    table = view["table"]
    turn = table["conflict"]["turn"] if table["conflict"] else None
    busy = table["task"] or table["request"] or table["held"] or table["agenda"]
    return turn is not None and bool(turn["tasks"]) and not busy and not _is_taken(view, turn["combatant_id"])


def _has_no_task_left(table: Json, own: str) -> bool:
    """Whether the Turn in hand is `own`'s, has no further Task, and nothing of it is in hand."""
    turn = table["conflict"]["turn"] if table["conflict"] else None
    if not own or turn is None or (turn["guest_id"] or turn["combatant_id"]) != own:
        return False
    busy = table["task"] or table["request"] or table["held"] or table["agenda"]
    return not busy and turn["tasks"] >= turn["tasks_allowed"]


def _begins_npcs(table: Json, command: Json) -> bool:
    players = {one["character_id"] for one in table["characters"] if one["standing"] == Standing.PLAYER}
    return command["command"] == "begin_turn" and command["combatant_id"] not in players


def _is_of_others(command: Json, me: str) -> bool:
    """Whether it begins or passes the Turn of somebody but `me`; for the whole table, whether somebody passes."""
    if command["command"] == "pass_turn":
        return command["combatant_id"] not in {"", me}
    return bool(me) and command["command"] == "begin_turn" and command["combatant_id"] != me


def _other_owner(table: Json, me: str) -> str:
    """Whose Task is in hand, if not `me`'s, so that they pay; empty if it affects `me`."""
    task = table["task"]
    if table["agenda"] and table["agenda"][0]["subject_id"] in _affected_ids(table, me):
        return ""
    players = [one for one in table["characters"] if one["standing"] == Standing.PLAYER]
    if not task or not me or task["declaration"]["character_id"] == me or len(players) <= 1:
        return ""
    return str(task["who"])


def _affected_ids(table: Json, me: str) -> set[str]:
    """The ids for which `me` decides what happens to them: `me`, and the ship that `me` is aboard."""
    seats = table["conflict"]["combatants"] if table["conflict"] else []
    return {me, *(one["ship_id"] for one in seats if one["combatant_id"] == me and one["ship_id"])}


def _throws(table: Json, played: frozenset[str]) -> bool:
    """Whether the dice that are asked for are one of `played`'s to throw, as the one who acts or as a helper.

    Who throws other dice than a Task's is known by name alone, as whoever asked for them said it.
    """
    request = table["request"]
    return request is not None and request["role"] != ThrowRole.SHIP and _thrower(table) in played


def _drawn(again: dict[str, Any] | None, dice: list[Any]) -> dict[str, Any] | None:
    """The dice that may be thrown again, each as drawn on the stage if it is there."""
    if again is None:
        return None
    shown = [(place, face, dice[place] if place < len(dice) else None) for place, face in again["dice"]]
    return {**again, "drawn": shown}


def _cited(characters: Iterable[Json], *, gamemaster: bool) -> list[tuple[str, Phrase]]:
    """Every Value that can still be used, as `character id` and `Value` in one field, with words for a person."""
    return [
        (f"{one['character_id']}\n{value['text']}", joined_by(": ", (one["name"], value["text"])))
        for one in characters
        if gamemaster or one["standing"] == Standing.PLAYER
        for value in one["values"]
        if not value["struck"]
    ]


def _scored(misread: Json) -> list[dict[str, Any]]:
    """The dice that count and can be put right: the place of each, its kind, its face in words."""
    dice = misread["dice"]
    return [
        {
            "place": place,
            "kind": dice[place]["kind"],
            "words": say("Die {number}: {face}", number=place + 1, face=word_of(dice[place]["face"])),
        }
        for place in misread["places"]
    ]


def _misread_words(view: Json) -> Phrase:
    """That a die was misread, and whose, where both sides of an Opposed Task threw."""
    who = view["misread"]["who"]
    return say("A die of {who} was misread", who=_called(view["table"], who)) if who else say("A die was misread")


def _may_ask_challenge(table: Json) -> bool:
    """Whether Challenge Dice may be asked for by themselves; the second edition has none."""
    busy = table["request"] or table["challenge"] or table["held"]
    return bool(table["ready"]) and not busy and table["ruleset"] != "second-edition"


def _looked_at(table: Json) -> dict[str, Any]:
    """The dice of a held throw, each with its place: those that are `asked` about and the `others`."""
    held, request = table["held"], table["request"]
    if not held:
        return {"lying": [], "asked": [], "others": [], "pattern": False, "too_many": 0, "missing": 0, "faces": []}
    wanted = {one["position"] for one in held["questions"]}
    dice: list[tuple[int, Mapping[str, Any]]] = list(enumerate(held["dice"]))
    awaited, stays = (request["count"], len(request["kept"])) if request else (0, 0)
    counted = [one for one in held["questions"] if one["reason"] == QuestionReason.WRONG_COUNT]
    short = not stays and not (wanted - {None}) and all(one["state"] == DieState.READ for _, one in dice)
    missing = max(0, awaited - len(dice)) if short and dice else 0
    return {
        "lying": dice,
        "asked": [one for one in dice if one[0] in wanted],
        "others": [one for one in dice if one[0] not in wanted],
        "pattern": held["source"] == "camera" and len(wanted - {None}) > awaited + SPARE,
        "too_many": max((_surplus(one["seen"] or 0, one["expected"] or 0, stays) for one in counted), default=0),
        "missing": missing,
        "faces": [one["face"] for _, one in dice] if missing else [],
    }


def _surplus(seen: int, expected: int, stays: int) -> int:
    """How many dice fewer count: without those that may lie beside the new ones, or else with all that `stays`."""
    surplus = max(0, seen - expected)
    return surplus - stays if surplus > stays else surplus
