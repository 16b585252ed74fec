"""The gamemaster's hidden rolls: scored by the same rules, seen by the gamemaster alone until they are shown.

A hidden roll is thrown on a copy of the table. Nothing of it is decided, recorded, said or sent to any screen before
it is shown: then it is declared and entered at the table like any other, as one decision, and only once, however often
it is asked for.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from kiosk.clock import SystemClock
from kiosk.engine import Committed, Engine
from kiosk.errors import KioskError, WireError
from kiosk.ports import Clock
from kiosk.storage.kept_file import Tell, read_kept
from kiosk.storage.replacing import replace_file
from kiosk.storage.type_registration import registered
from kiosk.storage.wire import LONGEST_LIST, LONGEST_TEXT, IdempotencyKey, encode, input_shape
from kiosk.views.stage.now import stage
from kiosk.views.stage.values import StageView
from rules.dice import Face, Symbol
from rules.game import (
    Command,
    CorrectScoredDie,
    Declaration,
    DeclareTask,
    EnterDice,
    Event,
    Next,
    Refusal,
    Table,
    decide,
    evolve,
    narrate,
)
from rules.words import say

log = logging.getLogger(__name__)

FILE_NAME: Final = "hidden.json"
"""The file in the data folder."""
MOST: Final = 8
"""Hidden rolls at once; more than anyone keeps in mind."""

QUIET_SECONDS: Final = 180.0
"""How long a hidden roll that waits keeps free throws from being told: one that was forgotten silences no table."""

STEPS_REMEMBERED: Final = 64
"""Most keys of steps remembered, so that a step sent again is not applied again."""

MARK_BYTES: Final = 16
"""Bytes of the mark by which the journal knows a roll that was shown."""

DeclarationIn: Any = input_shape(Declaration)
"""A Task as a request declares it."""

TypedId = Annotated[str, Meta(max_length=LONGEST_TEXT)]
"""The id of a hidden roll, as a request names it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenRoll:
    """What was declared behind the screen, every throw for it in turn, and which dice were put right.

    `mark` is unique over all sessions: it lets the journal record the roll only once. `scene` are the numbers of the
    session and the scene that it is for, None where an older file does not say.
    """

    roll_id: str
    declaration: Declaration
    throws: tuple[tuple[Face, ...], ...] = ()
    corrections: tuple[tuple[int, Face], ...] = ()
    mark: str = ""
    scene: tuple[int, int] | None = None


class HiddenChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step of a hidden roll.

    `declare` takes `declaration`; `enter` takes `roll_id` and `faces`; `correct` takes `roll_id`, `position` and
    `face`; `show` puts the roll on the table for all to see, `drop` forgets it; both take `roll_id`.
    """

    action: Literal["declare", "enter", "correct", "show", "drop"]
    roll_id: TypedId = ""
    declaration: DeclarationIn | None = None
    faces: Annotated[tuple[int | Symbol, ...], Meta(max_length=LONGEST_LIST)] = ()
    position: int = 0
    face: int | Symbol = 1
    idempotency: IdempotencyKey | None = None


class HiddenView(Struct, frozen=True, kw_only=True):
    """A hidden roll as the gamemaster sees it."""

    roll_id: str
    stage: StageView
    said: Annotated[str, Meta(description="What the table would hear.")]
    waits_for: Annotated[int, Meta(description="Dice to enter; 0 when all are in.")]
    faces: Annotated[tuple[int | str, ...], Meta(description="The dice that can be put right, in order.")]


class HiddenRolls(Struct, frozen=True, kw_only=True):
    """Every hidden roll, the newest last."""

    rolls: tuple[HiddenView, ...]


class HiddenDesk:
    """Keeps the hidden rolls, in a file of its own that only the kiosk's owner can read; without `path` in memory.

    `new_mark` makes a unique text for each roll; `clock` says how long one has been open.
    """

    def __init__(
        self,
        engine: Engine,
        path: Path | None = None,
        new_mark: Callable[[], str] = lambda: secrets.token_hex(MARK_BYTES),
        tell: Tell = None,
        clock: Clock | None = None,
    ) -> None:
        self._engine = engine
        self._path = path
        self._new_mark = new_mark
        self._lock = threading.Lock()
        self._clock = clock or SystemClock()
        self._opened: dict[str, float] = {}
        self._done: deque[str] = deque(maxlen=STEPS_REMEMBERED)
        self._changed: Callable[[], None] = lambda: None
        kept = read_kept(path, tuple[HiddenRoll, ...], tell) if path is not None else None
        self._rolls = kept or ()
        self._scene: tuple[int, int] | None = None
        engine.keep_free_throws(self.waits)
        engine.listen(self._committed)

    def listen(self, changed: Callable[[], None]) -> None:
        """Call `changed` after each step, so that the gamemaster's other devices update."""
        self._changed = changed

    def _committed(self, told: Committed) -> None:
        """Another scene has other rolls."""
        scene = _scene(told.present.table)
        before, self._scene = self._scene, scene
        if self._rolls and before != scene:
            self._changed()

    def view(self) -> HiddenRolls:
        """Every hidden roll that still applies to this table: none of a scene that is over."""
        table = self._engine.present().table
        views = (_view(table, one) for one in self._rolls)
        return HiddenRolls(rolls=tuple(one for one in views if one is not None))

    def waits(self) -> bool:
        """Whether one opened since the start, within `QUIET_SECONDS`, waits for dice, which a source may see."""
        since = self._clock.monotonic() - QUIET_SECONDS
        recent = {roll_id for roll_id, opened in dict(self._opened).items() if opened > since}
        return bool(recent) and any(one.waits_for and one.roll_id in recent for one in self.view().rolls)

    def do(self, change: HiddenChange, by: str, person: str = "") -> HiddenRolls:
        """Apply a step by `person`; the same key again has no effect.

        Raises `Refusal`, `KioskError` and what `Engine.submit` raises; nothing is changed then. Only after
        `EngineUncertainError` a roll may have been shown: showing it again is safe.
        """
        with self._lock:
            if change.idempotency is not None and change.idempotency in self._done:
                return self.view()
            if change.action == "declare":
                roll = self._declared(change)
                self._opened[roll.roll_id] = self._clock.monotonic()
                self._keep((*self._rolls, roll))
            else:
                kept = next((one for one in self._rolls if one.roll_id == change.roll_id), None)
                if kept is None:
                    raise KioskError(say("That hidden roll is no longer kept."))
                self._go_on(kept, change, by, person)
            if change.idempotency is not None:
                self._done.append(change.idempotency)
        self._changed()
        return self.view()

    def _declared(self, change: HiddenChange) -> HiddenRoll:
        if change.declaration is None:
            raise WireError("A hidden roll needs its declaration.", "$.declaration")
        declaration = msgspec.convert(change.declaration, registered(Declaration), from_attributes=True)
        if declaration.purchases:
            raise KioskError(say("A hidden roll buys no dice: Momentum and Threat are seen by all."))
        if declaration.opposed:
            raise KioskError(say("A hidden roll is not opposed; show it, or declare the Opposed Task openly."))
        if len(self._rolls) >= MOST:
            self._forget_lost()
        if len(self._rolls) >= MOST:
            raise KioskError(say("At most {most} rolls are hidden at once; show or drop one.", most=MOST))
        numbers = [int(one.roll_id) for one in self._rolls if one.roll_id.isdecimal()]
        roll = HiddenRoll(roll_id=str(max(numbers, default=0) + 1), declaration=declaration, mark=self._new_mark())
        table = self._engine.present().table
        roll = replace(roll, scene=_scene(table))
        _followed(table, roll)
        return roll

    def _forget_lost(self) -> None:
        """Delete the rolls that no longer apply: nobody sees them, so nobody could drop them."""
        table = self._engine.present().table
        self._keep(tuple(one for one in self._rolls if _view(table, one) is not None))

    def _go_on(self, roll: HiddenRoll, change: HiddenChange, by: str, person: str) -> None:
        others = tuple(one for one in self._rolls if one is not roll)
        if change.action == "drop":
            self._keep(others)
            return
        if change.action == "show":
            first, *following = _shown(roll)
            once = f"hidden:{roll.mark}" if roll.mark else None
            self._engine.submit_all(first(self._engine.present().table), following, by, once, person=person)
            self._keep(others)
            return
        if change.action == "enter":
            after = replace(roll, throws=(*roll.throws, change.faces))
        else:
            after = replace(roll, corrections=(*roll.corrections, (change.position, change.face)))
        _followed(self._engine.present().table, after)
        self._keep(tuple(after if one is roll else one for one in self._rolls))

    def write_anew(self) -> bool:
        """Write the rolls again; whether that succeeded.

        False while a step is applied: it may wait for the engine, which may be the caller.
        """
        if not self._lock.acquire(blocking=False):
            return False
        try:
            return self._write()
        finally:
            self._lock.release()

    def _keep(self, rolls: tuple[HiddenRoll, ...]) -> None:
        self._rolls = rolls
        ids = {one.roll_id for one in rolls}
        self._opened = {roll_id: opened for roll_id, opened in self._opened.items() if roll_id in ids}
        self._write()

    def _write(self) -> bool:
        if self._path is None:
            return True
        try:
            replace_file(self._path, encode(self._rolls) + b"\n")
        except OSError as error:
            log.warning("Hidden rolls are kept until the next start only: %s.", error)
            return False
        return True


def _shown(roll: HiddenRoll) -> Sequence[Next]:
    """The commands of a roll in order, each made for the table after the one before."""

    def enter(faces: tuple[Face, ...]) -> Next:
        return lambda table: EnterDice(request=table.request.number if table.request is not None else 0, faces=faces)

    def correct(position: int, face: Face) -> Next:
        return lambda _table: CorrectScoredDie(position=position, face=face)

    declared: Next = lambda _table: DeclareTask(declaration=roll.declaration)  # noqa: E731 - one of a kind with the others
    return (declared, *(enter(one) for one in roll.throws), *(correct(*one) for one in roll.corrections))


def _followed(table: Table, roll: HiddenRoll) -> tuple[Table, Table, tuple[Event, ...]]:
    """The table before the roll, the one after it, and the events between. Raises `Refusal`."""
    quiet = replace(
        table, task=None, opposed=None, request=None, held=None, challenge=None, agenda=(), attack=None, conflict=None,
        surge_for="", free_rolls=(), last_task=None, last_opponent=None, conflict_end=None, in_line=(),
    )  # fmt: skip
    before, events = quiet, list[Event]()
    for make in _shown(roll):
        command: Command = make(quiet)
        for event in decide(quiet, command):
            quiet = evolve(quiet, event)
            events.append(event)
    return before, quiet, tuple(events)


def _scene(table: Table) -> tuple[int, int]:
    return table.session, table.scene


def _view(table: Table, roll: HiddenRoll) -> HiddenView | None:
    if roll.scene not in {None, _scene(table)}:
        return None
    try:
        before, after, events = _followed(table, roll)
    except Refusal:
        return None  # the table has changed under it, as when a character left
    narration = narrate(before, events, after)
    task = after.task if after.task is not None else after.last_task
    dice = task.dice if task is not None else ()
    return HiddenView(
        roll_id=roll.roll_id,
        stage=stage(after, (), ""),
        said=narration.normal if narration is not None else "",
        waits_for=after.request.count if after.request is not None else 0,
        faces=tuple(one.die.face for one in dice if not one.die.fixed),
    )
