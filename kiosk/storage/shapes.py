"""The structs of the game's values in the bodies of the API, each made on first use.

`wire` makes one shape for each command and event: some 200 structs, 1.5 MB, a tenth of the kiosk's start. Only the
API's description asks for all of them; what is sent is written without.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from kiosk.storage.wire import any_of, command_shape, output_shape
from rules.game import COMMANDS, EVENTS, Declaration, Option

if TYPE_CHECKING:
    AnyCommand = Any
    AnyEvent = Any
    DeclarationOut = Any
    OptionOut = Any

_MAKES: Final[dict[str, Callable[[], Any]]] = {
    "AnyCommand": lambda: any_of(tuple(command_shape(kind) for kind in COMMANDS.values())),
    "AnyEvent": lambda: any_of(tuple(output_shape(kind) for kind in EVENTS.values())),
    "DeclarationOut": lambda: output_shape(Declaration),
    "OptionOut": lambda: output_shape(Option),
}
"""The makers of the shapes: every command in its strict form, every event, a Task and an option in output form."""


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a shape is made at run time and has no static type
    """The shape of that name. msgspec asks for it where an annotation `shapes.AnyEvent` is first looked at."""
    if name not in _MAKES:
        raise AttributeError(f"no shape is called {name!r}")
    made = globals()[name] = _MAKES[name]()
    return made
