"""The panel's spoken menu as a state machine: presses and facts in, words and commands out. Pure.

A press chooses only what was said: where the table has changed under the menu meanwhile, it says what is there now
instead. Going back often enough closes it from anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from kiosk.panel.spoken_levels import by_hand, level, needs_choice, next_rest, rest_words, yes_for
from kiosk.panel.spoken_places import Dialling, Do, Facts, Gesture, Level, LevelEntry, Rest, Top, Where
from kiosk.panel.spoken_words import entry_said, entry_words, told
from rules.game import Command, Narration, Undo
from rules.words import say

LEFT_ALONE: Final = 60.0
"""Seconds without a press after which an open menu falls silent."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A level on the way, with the key of the entry said last there and the words by which it was known."""

    where: Where
    key: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Menu:
    """Where a person is in the menu; `path` is empty while it is closed.

    `leading` says that the Task in hand is played from here, so the menu speaks up when a choice is due. `again` says
    that the last press asked to hear it again. `aside` is the path of what was left alone half-built: the menu opens
    there at the next press, as long as what was chosen can still be chosen.
    """

    path: tuple[Stop, ...] = ()
    aside: tuple[Stop, ...] = ()
    leading: bool = False
    again: bool = False

    @property
    def open(self) -> bool:
        """Whether the menu is open."""
        return bool(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuStep:
    """The result of a press or a change.

    At most one of `command`, `rest`, `hold`, `pin` and `lock` is set: `pin` is tried, `lock` closes what it opened.
    `say` is said and shown; `asked` is the question with which it begins and `unasked` the same without it, for where
    that question has just been said. `repeat` says that the last outcome is to be said again, in `full` or in the
    person's length. `refused` marks a press that could mean nothing.
    """

    menu: Menu
    say: Narration | None = None
    asked: str = ""
    unasked: Narration | None = None
    command: Command | None = None
    rest: Rest | None = None
    hold: bool | None = None
    pin: str = ""
    lock: bool = False
    repeat: bool = False
    full: bool = False
    refused: bool = False


def press(menu: Menu, gesture: Gesture, facts: Facts) -> MenuStep:
    """What `gesture` leads to. The command of the answer is one that the rules accept on these very facts."""
    menu, moved = _standing(menu, facts)
    asked_again, menu = menu.again, replace(menu, again=False)
    if gesture in {Gesture.REPEAT, Gesture.MORE}:
        more = asked_again or gesture is Gesture.MORE
        menu = replace(menu, again=True)
        return _here(menu, facts, full=more) if menu.open else MenuStep(menu=menu, repeat=True, full=more)
    if gesture is Gesture.BACK:
        return _back(menu, facts)
    if moved and menu.open:
        return _here(menu, facts, entered=True)
    return _undo(menu, facts) if gesture is Gesture.UNDO else _act(menu, gesture, facts)


def _act(menu: Menu, gesture: Gesture, facts: Facts) -> MenuStep:
    """Next, previous or confirm where nothing has changed since it was said."""
    if menu.open and gesture is Gesture.CONFIRM:
        return _choose(menu, facts)
    if menu.open:
        return _here(_moved_by(menu, facts, 1 if gesture is Gesture.NEXT else -1), facts)
    command = yes_for(facts.table) if gesture is Gesture.CONFIRM else None
    leading = replace(menu, leading=True)
    if command is not None and not facts.withheld(command):
        return MenuStep(menu=leading, command=command)
    kept = _kept_aside(leading, facts)
    if kept.aside:
        return _here(replace(kept, path=kept.aside, aside=()), facts, entered=True)
    return _enter(kept, Top(), facts)


def done(menu: Menu, facts: Facts) -> MenuStep:
    """The menu after a command of its own was done and the table is as in `facts`."""
    return _attend(_kept_aside(replace(menu, path=(), leading=True, again=False), facts), facts)


def follow(menu: Menu, facts: Facts) -> MenuStep:
    """The menu after somebody else's decision: where it was as long as that is there, else where it is needed."""
    if not menu.open:
        menu = _kept_aside(menu, facts)
        return _attend(menu, facts) if menu.leading else MenuStep(menu=menu)
    standing, moved = _standing(menu, facts)
    if not moved:
        return MenuStep(menu=standing)
    if standing.path and standing.path[-1].where == menu.path[-1].where:
        return _here(standing, facts, entered=True)
    return _attend(replace(standing, path=(), leading=True), facts)


def left_alone(menu: Menu) -> Menu:
    """The menu after `LEFT_ALONE` seconds without a press: closed, with a half-built Task set aside."""
    secret = menu.open and isinstance(menu.path[-1].where, Dialling)  # half a PIN is left to nobody
    aside = menu.path if len(menu.path) > 1 and not secret else menu.aside
    return replace(menu, path=(), aside=aside, again=False, leading=menu.leading and not menu.open)


def at_top(menu: Menu, facts: Facts) -> Menu:
    """The open menu at its top, after the PIN was tried or the gamemaster's part was locked."""
    return _renewed(replace(menu, path=menu.path[:1]), facts)


def words_here(menu: Menu, facts: Facts) -> Narration | None:
    """The menu's present words; None while it is closed."""
    return _here(menu, facts).say if menu.open else None


def _attend(menu: Menu, facts: Facts) -> MenuStep:
    """Open where a person is needed; else wait while dice are thrown, and close when the Task is over."""
    awaited = by_hand(facts.table) is not None
    if needs_choice(facts.table) or (awaited and not facts.reads):
        return _enter(menu, Top(), facts)
    return MenuStep(menu=menu if awaited else replace(menu, leading=False))


def _undo(menu: Menu, facts: Facts) -> MenuStep:
    if len(menu.path) > 1:
        return _back(menu, facts)
    if not facts.history.done:
        return MenuStep(menu=menu, say=told(say("There is nothing to take back.")), refused=True)
    return MenuStep(menu=menu, command=Undo())


def _back(menu: Menu, facts: Facts) -> MenuStep:
    if not menu.open:
        return MenuStep(menu=menu, say=told(say("The menu is closed.")), refused=True)
    if len(menu.path) == 1:
        return MenuStep(menu=replace(menu, path=(), leading=False), say=told(say("Menu closed.")))
    return _here(_renewed(replace(menu, path=menu.path[:-1]), facts), facts, entered=True)


def _choose(menu: Menu, facts: Facts) -> MenuStep:
    there, place = _level(menu, facts)
    entry = there.entries[place]
    if entry.command is not None:
        return MenuStep(menu=menu, command=entry.command)
    if entry.pin:
        return MenuStep(menu=menu, pin=entry.pin)
    if isinstance(menu.path[-1].where, Dialling) and entry.go is not None:
        menu = replace(menu, path=menu.path[:-1])  # one goes back out of the PIN, not to a digit that is not said
    if entry.go is not None:
        return _enter(menu, entry.go, facts)
    return MenuStep(menu=menu, say=told(entry.tell)) if entry.tell else _do(menu, entry, facts)


def _do(menu: Menu, entry: LevelEntry, facts: Facts) -> MenuStep:
    if entry.do is Do.SAY_LAST:
        return MenuStep(menu=menu, repeat=True, full=True)
    if entry.do is Do.RING and facts.rest is not None:
        rest = next_rest(facts.rest)
        renewed = _renewed(menu, replace(facts, rest=rest))
        return MenuStep(menu=renewed, say=told(say("Ring light {rest}.", rest=rest_words(rest))), rest=rest)
    if entry.do is Do.HOLD and facts.held is not None:
        words = say("The table's screen goes on.") if facts.held else say("The table's screen is held.")
        return MenuStep(menu=replace(menu, path=()), say=told(words), hold=not facts.held)
    if entry.do is Do.LOCK:
        return MenuStep(menu=menu, lock=True)
    return _back(replace(menu, path=menu.path[:1]) if entry.do is Do.CLOSE else menu, facts)


def _enter(menu: Menu, where: Where, facts: Facts) -> MenuStep:
    """Enter a level at its first entry, unless it is empty."""
    there = level(facts, where)
    if not there.entries:
        return _here(menu, facts, entered=True)
    return _here(replace(menu, path=(*menu.path, _stop(where, there, 0)), aside=()), facts, entered=True)


def _here(menu: Menu, facts: Facts, *, entered: bool = False, full: bool = False) -> MenuStep:
    there, place = _level(menu, facts)
    words = entry_said(there, place, entered=entered, hint=facts.hint)
    if full:
        words = replace(words, terse=words.full, normal=words.full)
    if not entered:
        return MenuStep(menu=menu, say=words)
    unasked = entry_said(replace(there, prompt=""), place, entered=True, hint=facts.hint)
    return MenuStep(menu=menu, say=words, asked=there.prompt, unasked=unasked)


def _moved_by(menu: Menu, facts: Facts, by: int) -> Menu:
    there, place = _level(menu, facts)
    stop = _stop(menu.path[-1].where, there, (place + by) % len(there.entries))
    return replace(menu, path=(*menu.path[:-1], stop))


def _level(menu: Menu, facts: Facts) -> tuple[Level, int]:
    last = menu.path[-1]
    there = level(facts, last.where)
    keys = [one.key for one in there.entries]
    return there, keys.index(last.key) if last.key in keys else 0


def _stop(where: Where, there: Level, place: int) -> Stop:
    entry = there.entries[place]
    known_by = entry_words(entry) if isinstance(where, Top) else f"{there.prompt} {entry_words(entry)}"
    return Stop(where, entry.key, known_by)


def _renewed(menu: Menu, facts: Facts) -> Menu:
    """The menu with its last entry as it is now, or the first one where that is gone."""
    there, place = _level(menu, facts)
    return replace(menu, path=(*menu.path[:-1], _stop(menu.path[-1].where, there, place)))


def _standing(menu: Menu, facts: Facts) -> tuple[Menu, bool]:
    """The menu without levels that are gone, and whether the entry said last has changed.

    A different price or Target Number is a change.
    """
    for depth, stop in enumerate(menu.path):
        if not isinstance(stop.where, Top) and not level(facts, stop.where).entries:
            return _renewed(replace(menu, path=menu.path[:depth]), facts), True
    if not menu.open:
        return menu, False
    renewed = _renewed(menu, facts)
    return renewed, renewed.path[-1] != menu.path[-1]


def _kept_aside(menu: Menu, facts: Facts) -> Menu:
    """The menu without its half-built Task, if that is no longer valid."""
    if menu.aside and _standing(replace(menu, path=menu.aside), facts)[1]:
        return replace(menu, aside=())
    return menu
