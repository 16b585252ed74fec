"""Who presses the panel's buttons, and what they may do by them; the kiosk's web side knows the answers.

A button of the machine itself is pressed by whoever sits at the table's screen. A key may be pressed there too, or at
the gamemaster's own device.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from kiosk.engine import Present
from kiosk.storage.persons import Person
from kiosk.views.about import KEYS, PANEL
from rules.game import Command, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Presser:
    """Whoever presses.

    `person` is the id of whose device it is, where it is somebody's. `here`: at the kiosk itself. `locked`: there,
    before the PIN. `asks`: a question comes first where one is due, which programs at the kiosk do not know.
    """

    person: str = ""
    here: bool = True
    locked: bool = False
    asks: bool = True

    @property
    def by(self) -> str:
        """The journal's word for where the press came from."""
        return PANEL if self.here else KEYS


class Rights(Protocol):
    """What whoever presses may do."""

    @property
    def persons(self) -> tuple[Person, ...]:
        """Everybody who is remembered, for the names of who decided."""

    @property
    def has_pin(self) -> bool:
        """Whether the table has set a PIN."""

    def unlock(self, pin: str) -> None:
        """Open the gamemaster's part for buttons and keys at the kiosk itself; raises `KioskError` for a wrong PIN."""

    def lock(self) -> None:
        """Close the gamemaster's part there again, for buttons, keys and browsers."""

    def opened(self, presser: Presser) -> Presser:
        """`presser` as the PIN that was dialled at the kiosk itself leaves them."""

    def here(self) -> Presser:
        """Whoever presses a button of the machine itself now."""

    def require(self, present: Present, command: Command, presser: Presser, *, confirmed: bool) -> None:
        """Raise where `presser` may not give `command`, in words; `AskFirstError` with a question until `confirmed`."""

    def keeps_back(self, present: Present, command: Command, presser: Presser) -> bool:
        """Whether the menu leaves `command` out, as it is the gamemaster's and the screen is locked."""

    def decides(self, table: Table, command: Command, presser: Presser) -> str:
        """The id of the person whose decision `command` is; empty for nobody's in particular."""
