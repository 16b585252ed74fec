"""What the panel's menu may do: what the kiosk's own screen may, or the gamemaster's device.

While the screen is locked the menu keeps back more than its pages do: all that is an NPC's, too.
"""

from __future__ import annotations

from dataclasses import replace

from kiosk.engine import Present
from kiosk.errors import AccessError, NotGamemasterError, PinNeededError
from kiosk.panel.rights import Presser
from kiosk.panel.spoken_words import LOCKED
from kiosk.storage.persons import Person
from kiosk.views.about import PANEL
from kiosk.web.access import Access, AccessLevel, Identity
from kiosk.web.messages import role_needed
from kiosk.web.permissions import decided_for, of_npc, require_may, was_for, was_gamemasters
from rules.game import Command, Redo, Role, Table, Undo, options
from rules.words import say


def may_press(who: Identity) -> bool:
    """Whether `who` may press the panel's buttons by keys: at the kiosk itself, and the gamemaster."""
    return who.local or who.role >= AccessLevel.GAMEMASTER


def presser_of(who: Identity, *, program: bool) -> Presser:
    """`who` as whoever presses. Raises `AccessError` where that is another person's device."""
    if not may_press(who):
        raise NotGamemasterError(
            say("Only the table's own screen and the gamemaster press the panel's buttons. Play on your own page.")
        )
    return Presser(person=who.person, here=who.local, locked=who.locked, asks=not (program and who.local))


class PanelRights:
    """See `kiosk.panel.rights.Rights`; `access` knows the persons and the PIN."""

    def __init__(self, access: Access) -> None:
        self._access = access

    @property
    def persons(self) -> tuple[Person, ...]:
        """See `Rights`."""
        return self._access.persons.all

    @property
    def has_pin(self) -> bool:
        """See `Rights`."""
        return self._access.has_pin

    def unlock(self, pin: str) -> None:
        """See `Rights`."""
        self._access.unlock_buttons(pin)

    def lock(self) -> None:
        """See `Rights`."""
        self._access.lock_all()

    def opened(self, presser: Presser) -> Presser:
        """See `Rights`. What was dialled opens the keys of a browser there, too, but not its pages."""
        return replace(presser, locked=False) if presser.here and self._access.dialled else presser

    def here(self) -> Presser:
        """See `Rights`. The PIN counts for the buttons once it was typed in at any browser of the kiosk itself."""
        return Presser(locked=self._access.locked_here())

    def require(self, present: Present, command: Command, presser: Presser, *, confirmed: bool) -> None:
        """See `Rights`. What was decided at the table's screen it takes back there without a question."""
        table = present.table
        self._require_open(present, command, presser)
        if presser.locked and any(one.role is Role.GAMEMASTER and one.command == command for one in options(table)):
            raise PinNeededError(LOCKED)
        known = confirmed or (isinstance(command, Undo) and self._is_own(present, presser))
        require_may(
            *(self._access.persons, _identity(presser), present, (command,)), confirmed=known if presser.asks else None
        )

    def keeps_back(self, present: Present, command: Command, presser: Presser) -> bool:
        """See `Rights`."""
        if not presser.locked:
            return False
        try:
            self._require_open(present, command, presser)
        except AccessError:
            return True
        return False

    def decides(self, table: Table, command: Command, presser: Presser) -> str:
        """See `Rights`. At the kiosk itself the menu acts for whom it names, whoever presses."""
        owner = self._access.persons.owner(decided_for(command, table)) if presser.here else None
        return owner.person_id if owner is not None else presser.person

    def _is_own(self, present: Present, presser: Presser) -> bool:
        """Whether the newest decision was made at the table's screen, where `presser` is, and is no other person's."""
        newest = present.history.done[-1] if present.history.done else None
        if newest is None or newest.by != PANEL or not presser.here:
            return False
        owner = self._access.persons.owner(was_for(newest))
        return newest.person in {"", presser.person, owner.person_id if owner is not None else ""}

    def _require_open(self, present: Present, command: Command, presser: Presser) -> None:
        """Raise where `command` is the gamemaster's and the screen is locked, or takes or brings such a one back."""
        if not presser.locked:
            return
        if role_needed(command) > AccessLevel.PLAYER or of_npc(command, present.table):
            raise PinNeededError(LOCKED)
        require_may(self._access.persons, _identity(presser), present, (command,), confirmed=True)
        steps = {Undo: present.history.done, Redo: present.history.undone}.get(type(command), ())
        if steps and was_gamemasters(steps[-1]):
            raise PinNeededError(LOCKED)


def _identity(presser: Presser) -> Identity:
    role = AccessLevel.PLAYER if presser.locked else AccessLevel.GAMEMASTER
    return Identity(role, local=presser.here, person=presser.person, locked=presser.locked)
