"""Who may decide: once somebody has taken a character, only they and the gamemaster decide for it.

A character that nobody took may be played by anybody who has joined. Dice that lie on the table are entered and put
right by anybody, as anybody sees them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from kiosk.engine import Present
from kiosk.errors import AskFirstError, NotTheirsError, PinNeededError
from kiosk.storage.persons import Persons
from kiosk.storage.wire import command_of
from kiosk.views.holders import holders_of, npcs_of
from kiosk.web.access import TYPE_PIN, AccessLevel, Identity
from kiosk.web.messages import GAMEMASTER_COMMANDS
from rules.game import (
    Command,
    DecidedStep,
    Declaration,
    DeclareTask,
    LineUp,
    Redo,
    Role,
    SaveCharacter,
    Standing,
    Table,
    Undo,
    chooser,
    combatant_name,
    dying,
    name_of,
    options,
    owner_of_complications,
    spending_ended_by,
    undo_words,
)
from rules.words import Phrase, listed, say

OF_TASK: Final = frozenset(
    {
        "buy_die",
        "fend_off",
        "finish_spending",
        "follow_through",
        "make_spend",
        "reroll_dice",
        "succeed_at_cost",
        "throw_against",
        "use_surplus_die",
        "withdraw_task",
    }
)
"""Commands about the Task in hand: its owner decides."""

GOES_ON: Final = frozenset({"begin_turn", "declare_task", "end_conflict", "end_turn", "next_round", "pass_turn"})
"""Commands of options that end the spending in hand, as what comes next begins by them."""

OF_COMPLICATION: Final = frozenset({"buy_off_complication", "take_complication"})
"""Commands about a Complication, of the Task in hand or one that waits: its owner decides."""

OF_NPCS: Final = OF_COMPLICATION | {"begin_turn", "declare_task", "end_turn", "leave_line", "line_up", "pass_turn"}
"""Commands that only the gamemaster gives for an NPC, once somebody has taken a character.

All others but those that set the table up, too, where somebody joined as the gamemaster.
"""

OF_ATTACK: Final = frozenset(
    {
        "choose_struck_system",
        "choose_targets",
        "reroll_damage",
        "reroll_ship_damage",
        "settle_damage",
        "settle_hit",
        "settle_ship_hit",
    }
)
"""Commands about an attack that has hit: the attacker decides."""

OF_CHAIN: Final = frozenset(
    {"avoid_injury", "choose_shaken", "fall_down", "keep_injury", "lose_injury", "stay_up", "suffer_injury"}
)
"""Commands about what happens to somebody in a chain, or to the ship that they command: they decide."""

OF_TURN: Final = frozenset({"end_turn", "keep_initiative"})
"""Commands about the Turn in hand: its owner decides."""

OF_CHARACTER: Final = frozenset(
    {
        "adjust_stress",
        "draw_private_threat",
        "leave_line",
        "make_it_so",
        "push_on",
        "remove_character",
        "save_character",
        "set_cover",
        "surge_of_activity",
        "take_minor_action",
        "take_weapon",
        "use_value_against",
    }
)
"""Commands with the `character_id` of whoever decides."""

BEGINS_FIGHT: Final = "start_conflict"
"""The command that begins a fight for the whole table: before a player's, a question is asked."""

ENDS_FIGHT: Final = "end_conflict"
"""The command that ends it: before it a question is asked, of the gamemaster too."""

TAKES_OFF: Final = {"remove_character": "character_id", "remove_player": "player_id", "remove_ship": "ship_id"}
"""Commands that take something off the table, with the field that names it: before one, a question is asked."""

IN_LINE: Final = frozenset({"leave_line", "line_up"})
"""Commands about who stands in line for a Task."""

OF_COMBATANT: Final = frozenset({"begin_turn", "pass_turn", "remove_combatant"})
"""Commands with the `combatant_id` of whoever decides."""

OF_CHALLENGE: Final = frozenset({"close_challenge", "reroll_challenge"})
"""Commands about a roll of Challenge Dice: whoever it is for decides."""

OF_HELD: Final = frozenset({"correct_die", "dismiss_throw", "drop_die"})
"""Commands that answer for a throw that is held: anybody gives them, but before another's a question is asked."""

ENDS_SCENE: Final = frozenset({"start_scene", "start_session"})
"""The commands that end a scene: before one that kills a player's character, a question is asked."""

ASKED_ABOUT: Final = frozenset(
    {
        "add_player",
        "adopt_house_tables",
        "change_options",
        "remove_character",
        "remove_player",
        "remove_ship",
        "save_character",
        "save_ship",
        "set_up_table",
        "start_session",
    }
)
"""Commands that set the table up or take something off it: before one is taken back, a question is asked."""


MASTERS_OWN: Final = say("The gamemaster decided this: only the gamemaster takes it back or brings it back.")
"""Why nobody else takes back what the gamemaster decided."""


def decided_for(command: Command, table: Table) -> str:
    """The id of the character or combatant that `command` decides for; empty if anybody may give it."""
    name = name_of(command)
    if isinstance(command, DeclareTask | LineUp):
        return command.declaration.character_id
    if name in OF_CHARACTER:
        return str(getattr(command, "character_id", ""))
    if name in OF_COMBATANT and (combatant := str(getattr(command, "combatant_id", ""))):
        return combatant
    return _of_what_is_in_hand(name, table, int(getattr(command, "number", 0)))


def was_for(step: DecidedStep) -> str:
    """Whom a decision that was made is for, as far as the tables before and after it tell; see `decided_for`."""
    name, before, after = step.command, step.before, step.after
    declared = after.task.declaration.character_id if after.task is not None else ""
    if name == name_of(DeclareTask):
        return declared
    if name in IN_LINE:
        lined = next((one for one in (*before.in_line, *after.in_line) if one not in _in_both(before, after)), None)
        return lined.character_id if lined is not None else declared
    if name in OF_CHARACTER:
        changed = next((one.character_id for one in after.characters if one not in before.characters), "")
        return changed or _on_turn(before)
    return _of_what_is_in_hand(name, before, 0) or (_on_turn(after) if name in OF_COMBATANT else "")


def _in_both(before: Table, after: Table) -> tuple[Declaration, ...]:
    return tuple(one for one in before.in_line if one in after.in_line)


def _of_what_is_in_hand(name: str, table: Table, number: int) -> str:  # noqa: PLR0911 - one for each kind of command
    """Whom a command that names nobody decides for; `number` is the Complications', where it has one."""
    if name in OF_COMPLICATION:
        return owner_of_complications(table, number)
    if name in OF_TASK:
        return table.task.declaration.character_id if table.task is not None else ""
    if name in OF_ATTACK:
        return _attacker(table)
    if name in OF_CHAIN:
        found = chooser(table)
        return found.character_id if found is not None else ""
    if name in OF_TURN | OF_COMBATANT:  # what names nobody is about the Turn in hand
        return _on_turn(table)
    if name in OF_CHALLENGE and table.challenge is not None:
        who = table.challenge.who
        return next((one.character_id for one in table.characters if who in {one.character_id, one.name}), "")
    return ""


def _on_turn(table: Table) -> str:
    """Who acts in the Turn in hand; empty where there is none."""
    turn = table.conflict.turn if table.conflict is not None else None
    return (turn.guest_id or turn.combatant_id) if turn is not None else ""


def _attacker(table: Table) -> str:
    """Whose attack it is that hit: where a players' ship fired, whose Task that was."""
    attack, task = table.attack, table.task
    fired = attack is not None and any(one.ship_id == attack.attacker_id and one.crew is None for one in table.ships)
    if fired and task is not None:
        return task.declaration.character_id
    return attack.attacker_id if attack is not None else ""


def deciders(table: Table, offered: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Whom each of the view's options decides for, by the option's id; empty for what anybody may choose."""
    return {one["option_id"]: decided_for(command_of(one["command"]).command, table) for one in offered}


def ending(table: Table, offered: Iterable[Mapping[str, Any]]) -> dict[str, frozenset[str]]:
    """Whose spending each of the view's options would end, although something can still be bought, by the option's id.

    Options that end nobody's are not in it.
    """
    goes_on = (one for one in offered if one["command"]["command"] in GOES_ON)
    ended = ((one["option_id"], spending_ended_by(table, command_of(one["command"]).command)) for one in goes_on)
    return {option: frozenset(one.declaration.character_id for one in tasks) for option, tasks in ended if tasks}


def require_may(
    persons: Persons, who: Identity, present: Present, commands: Iterable[Command], *, confirmed: bool | None
) -> None:
    """Raise where `who` may not give one of `commands` now, in words that say who may.

    `NotTheirsError` for what is another's; `AskFirstError` with the question for what is taken back or off the table
    only after one, for a held throw that is another's, for a fight that ends, a scene whose end kills a player's
    character, or a fight that a player begins, until it is `confirmed`. At the kiosk itself anybody may act for
    anybody, and None skips the questions, because programs there do not know them. While that screen is locked,
    `PinNeededError` for taking back what the gamemaster decided, and for what takes something off the table.
    """
    asks = not confirmed and (confirmed is not None or not who.local)
    for command in commands:
        if who.role < AccessLevel.GAMEMASTER and not who.local:
            if any(one.characters for one in persons.here):
                _require_own(persons, who, present, command)
            _require_same_standing(present.table, command)
        if who.locked:
            _require_unlocked(persons, present, command)
        if isinstance(command, Undo) and present.history.done:
            _ask_first(persons, who, present, present.history.done[-1], asks=asks)
        if asks:
            _ask_before_it_is_gone(present.table, command)
            _ask_before_the_fight_is_over(present.table, command)
            _ask_before_somebody_dies(present.table, command)
        if asks and who.role < AccessLevel.GAMEMASTER:
            _ask_about_a_fight(present.table, command)
            if not who.local:
                _ask_before_another_is_answered_for(persons, who, present.table, command)


def _ask_before_it_is_gone(table: Table, command: Command) -> None:
    """The question before something is taken off the table, by its name; what is not there the rules refuse."""
    gone = getattr(command, TAKES_OFF.get(name_of(command), ""), None)
    there = {one.character_id: one.name for one in table.characters}
    there |= {one.player_id: one.name for one in table.players} | {one.ship_id: one.name for one in table.ships}
    if gone in there:
        raise AskFirstError(say("This takes {name} off the table. Do you want that?", name=there[gone]))


def _ask_before_the_fight_is_over(table: Table, command: Command) -> None:
    """The question before it ends for the whole table; where there is none the rules refuse it."""
    if name_of(command) == ENDS_FIGHT and table.conflict is not None:
        raise AskFirstError(say("This ends the fight for the whole table. End it?"))


def _ask_before_somebody_dies(table: Table, command: Command) -> None:
    """The question before the end of the scene kills a player's character (DMG-6)."""
    if name_of(command) not in ENDS_SCENE:
        return
    names = [one.name for one in dying(table) if one.standing is Standing.PLAYER]
    if names:
        raise AskFirstError(
            say(
                "The end of the scene kills {names}: nobody treated a lethal Injury. End the scene all the same?",
                names=listed(names),
            )
        )


def _ask_before_another_is_answered_for(persons: Persons, who: Identity, table: Table, command: Command) -> None:
    """Held dice of somebody whom another person plays, or the gamemaster: the question names whose they are."""
    if name_of(command) not in OF_HELD or table.held is None or table.request is None:
        return
    named = {one.name: one.ship_id for one in table.ships} | {one.name: one.character_id for one in table.characters}
    thrower = named.get(table.request.who, "")
    owner = persons.owner(thrower) if thrower else None
    if (owner is not None and owner.person_id != who.person) or (_is_led(persons) and _is_gamemasters(table, thrower)):
        raise AskFirstError(say("{name} throws these dice. Answer for {name} all the same?", name=table.request.who))


def _ask_about_a_fight(table: Table, command: Command) -> None:
    """A player's fight is everybody's: the question before it begins names who is in it."""
    if name_of(command) != BEGINS_FIGHT:
        return
    known = {one.character_id for one in table.characters} | {one.ship_id for one in table.ships}
    ids = [one.combatant_id for one in getattr(command, "combatants", ())]
    names = [combatant_name(table, one) for one in ids if one in known]
    if names:  # without anybody the rules refuse it
        raise AskFirstError(say("This begins a fight for the whole table: {names}. Begin it?", names=listed(names)))


def _require_own(persons: Persons, who: Identity, present: Present, command: Command) -> None:
    table = present.table
    if isinstance(command, Undo | Redo):
        steps = present.history.done if isinstance(command, Undo) else present.history.undone
        if refused := refused_back(persons, who.person, steps):
            raise NotTheirsError(refused)
        return
    character = decided_for(command, table)
    led = _is_led(persons) and name_of(command) not in ASKED_ABOUT
    if (led or name_of(command) in OF_NPCS) and _is_npcs(command, character, table):
        raise NotTheirsError(say("Only the gamemaster decides for this character."))
    _require_unspent(persons, who, table, command)
    owner = persons.owner(character) if character else None
    if owner is None and name_of(command) == "remove_character":
        raise NotTheirsError(say("Nobody plays this character: only the gamemaster takes it off the table."))
    if _is_gamemasters(table, getattr(command, "ship_id", "")) and name_of(command) == "remove_ship":
        raise NotTheirsError(say("This ship has a crew of its own: only the gamemaster takes it off the table."))
    if owner is not None and owner.person_id != who.person:
        name = next((one.name for one in table.characters if one.character_id == character), "")
        raise NotTheirsError(
            say(
                "{person} plays {character}: only {person} and the gamemaster decide here.",
                person=owner.called,
                character=name,
            )
        )


def _require_same_standing(table: Table, command: Command) -> None:
    """Raise where a character would become an NPC, or an NPC a character: other limits hold for those (CHAR-1)."""
    if not isinstance(command, SaveCharacter):
        return
    before = next((one for one in table.characters if one.character_id == command.character_id), None)
    if before is not None and before.standing is not command.standing:
        raise NotTheirsError(say("Only the gamemaster makes {name} an NPC or a player's character.", name=before.name))


def _require_unspent(persons: Persons, who: Identity, table: Table, command: Command) -> None:
    """Raise where `command` would end what another person can still buy; a Task that waits in line does not."""
    holders = holders_of(persons.here, table)
    ended = spending_ended_by(table, command)
    task = next((one for one in ended if holders.get(one.declaration.character_id, who.person) != who.person), None)
    if task is None:
        return
    declares = isinstance(command, DeclareTask | LineUp)
    words = (
        say("The gamemaster still spends for {character}: let them finish first.", character=task.who),
        say("The gamemaster still spends for {character}: your Task waits.", character=task.who),
    )
    owner = persons.owner(task.declaration.character_id)
    if owner is not None:
        person, character = owner.called, task.who
        words = (
            say(
                "{person} still spends for {character}: let them finish, or ask the gamemaster.",
                person=person,
                character=character,
            ),
            say("{person} still spends for {character}: your Task waits.", person=person, character=character),
        )
    raise NotTheirsError(words[declares])


def _is_led(persons: Persons) -> bool:
    """Whether somebody joined as the gamemaster."""
    return any(one.part == "gamemaster" for one in persons.here)


def _require_unlocked(persons: Persons, present: Present, command: Command) -> None:
    """Raise where the locked screen of the kiosk undoes what the gamemaster decided, or takes something off."""
    if name_of(command) in TAKES_OFF:
        raise PinNeededError(TYPE_PIN)
    steps = {Undo: present.history.done, Redo: present.history.undone}.get(type(command), ())
    decided = steps[-1] if steps else None
    masters = {one.person_id for one in persons.here if one.part == "gamemaster"}
    if decided is not None and (decided.person in masters or decided.command in GAMEMASTER_COMMANDS):
        raise PinNeededError(MASTERS_OWN)


def of_npc(command: Command, table: Table) -> bool:
    """Whether `command` decides for an NPC."""
    return name_of(command) not in ASKED_ABOUT and _is_npcs(command, decided_for(command, table), table)


def was_gamemasters(step: DecidedStep) -> bool:
    """Whether a decision that was made was offered to the gamemaster alone, or was for an NPC.

    Commands that are the gamemaster's by their name are not asked about here: `require_may` knows those.
    """
    offered = {one.role for one in options(step.before) if name_of(one.command) == step.command}
    if offered == {Role.GAMEMASTER}:
        return True
    whom = was_for(step)
    return step.command not in ASKED_ABOUT and any(_is_gamemasters(one, whom) for one in (step.before, step.after))


def _is_npcs(command: Command, character: str, table: Table) -> bool:
    """Whether `command`, which decides for `character`, is about an NPC; in a chain the gamemaster answers for one."""
    found = chooser(table) if name_of(command) in OF_CHAIN else None
    return _is_gamemasters(table, character) or (found is not None and found.gamemaster)


def _is_gamemasters(table: Table, actor: str) -> bool:
    """Whether somebody is an NPC, or an NPC ship's crew."""
    return actor in npcs_of(table)


def refused_back(persons: Persons, person: str, steps: Sequence[DecidedStep]) -> Phrase | str:
    """Why a player may not take back the newest of `steps`, or bring it back; empty where they may.

    Whoever made a decision may; if nobody in particular did, whoever it was for.
    """
    if not steps or not any(one.characters for one in persons.here):
        return ""
    step = steps[-1]
    whose = step.person
    if not whose:
        owner = persons.owner(_acting(step))
        whose = owner.person_id if owner is not None else ""
    if whose:
        return (
            ""
            if whose == person
            else say(
                "{person} decided this: only {person} and the gamemaster take it back or bring it back.",
                person=persons.called(whose),
            )
        )
    return MASTERS_OWN if step.command in GAMEMASTER_COMMANDS else ""


def _acting(step: DecidedStep) -> str:
    """Whose Task, step or Turn it was when a decision was made; empty where it was nobody's."""
    table = step.before
    if table.task is not None:
        return table.task.declaration.character_id
    if table.agenda:
        return table.agenda[0].by_id or table.agenda[0].subject_id
    return _on_turn(table)


def _ask_first(persons: Persons, who: Identity, present: Present, step: DecidedStep, *, asks: bool) -> None:
    what = undo_words(present.history)
    if not asks or what is None:
        return
    others = persons.called(step.person) if step.person and step.person != who.person else ""
    if others:
        raise AskFirstError(say("{person} decided this: {what}. Take it back all the same?", person=others, what=what))
    if step.command in ASKED_ABOUT:
        raise AskFirstError(say("This takes back {what}. Do you want that?", what=what))
