"""A character of one's own in one step: a name, a Value, a discipline, with ready numbers. One decision, one undo."""

from __future__ import annotations

from dataclasses import replace

from flask import request

from kiosk.errors import WireError
from kiosk.i18n.current import said_now
from kiosk.storage.wire import command_of
from kiosk.views.crew import ready_character
from kiosk.web.form_fields import checked_name
from kiosk.web.form_results import key_of, new_key
from kiosk.web.permissions import require_may
from kiosk.web.visit import Visit
from rules.game import AddPlayer, CharacterSaved, Command, Next, SaveCharacter, Table
from rules.words import say


def make_character(now: Visit, discipline: str, name: str, value: str = "") -> str:
    """The id of the character that the present form makes, for a player who has none yet or a new one.

    An empty `value` is none. A form that is sent twice makes one. Raises `KioskError` and `Refusal`.
    """
    key = key_of(request.path, request.form) or new_key()
    return now.services.form_results.once(key, lambda: _made(now, discipline, name, value, key))


def _made(now: Visit, discipline: str, name: str, value: str, key: str) -> str:
    if not name:
        raise WireError(say("Say what your character is called."), "character_name")
    try:
        raw = ready_character(discipline, checked_name(name, "a character", "character_name"), said_now)
    except KeyError:
        raise WireError(say("Choose what your character is best at."), "make") from None
    command = command_of(raw).command
    if not isinstance(command, SaveCharacter):
        raise TypeError(f"save_character made a {type(command).__name__}")
    command = replace(command, values=(value,) if value else ())
    services = now.services
    table = services.engine.present().table
    player = _without_character(table)
    first: Command = replace(command, player_id=player)
    following: list[Next] = []
    if not player:
        first = AddPlayer(name=_new_player(now, table, command.name))
        following.append(lambda grown: replace(command, player_id=grown.players[-1].player_id))
    result = services.engine.submit_all(
        first,
        following,
        now.who.by,
        key,
        fits=lambda present: require_may(services.access.persons, now.who, present, (first,), confirmed=False),
        person=now.who.person,
    )
    return next(one.character.character_id for one in result.events if isinstance(one, CharacterSaved))


def _new_player(now: Visit, table: Table, character: str) -> str:
    """The name of a new player: that of the person who asks, else of the character."""
    mine = now.services.access.persons.find(now.who.person) if now.who.person else None
    others = {one.name.casefold() for one in table.players}
    return mine.name if mine is not None and mine.name and mine.name.casefold() not in others else character


def _without_character(table: Table) -> str:
    """The id of the first player who has no character; empty where everybody has one."""
    playing = {one.player_id for one in table.characters}
    return next((one.player_id for one in table.players if one.player_id not in playing), "")
