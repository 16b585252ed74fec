"""The command line: `trueroll …`. Each command's module is loaded only when that command is called.

A broken camera library must not keep `trueroll odds` from answering, and `--help` stays quick on a small board.
"""

from __future__ import annotations

import importlib
import sys
from importlib.metadata import version
from typing import Final

import click

_COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "run": ("kiosk.commands.run", "run"),
    "read": ("kiosk.commands.pictures", "read"),
    "watch": ("kiosk.commands.pictures", "watch"),
    "odds": ("kiosk.commands.odds", "odds"),
    "tray": ("kiosk.commands.tray", "tray"),
    "doctor": ("kiosk.commands.doctor", "doctor"),
    "config": ("kiosk.commands.config", "config"),
    "export": ("kiosk.commands.export", "export"),
}
"""Command -> module and name of its click command."""


class _LazyGroup(click.Group):
    """Knows the names of all commands and imports a module only when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The commands in the order a newcomer meets them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import and return one command, None for an unknown name."""
        if cmd_name not in _COMMANDS:
            return None
        module, name = _COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), name)
        return command


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("trueroll"), prog_name="trueroll")
def main() -> None:
    """Reads the dice you threw, scores them by the rules, shows them and says them. It never rolls for you."""


if __name__ == "__main__":
    sys.exit(main())
