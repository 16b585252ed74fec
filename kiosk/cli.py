"""The command line: `trueroll …`. Each command's module is loaded only when that command is called.

A broken camera library must not keep `trueroll odds` from answering, and `--help` stays quick on a small board.
"""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass
from importlib.metadata import version
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from kiosk.compose import Kiosk
    from kiosk.config import Config


@dataclass(frozen=True, slots=True)
class _Entry:
    module: str
    summary: str


_COMMANDS: Final[dict[str, _Entry]] = {
    "run": _Entry("run", "Start the kiosk."),
    "read": _Entry("pictures", "Read the dice in still pictures."),
    "watch": _Entry("pictures", "Follow a camera, an address, a video or a folder of frames."),
    "calibrate": _Entry("calibrate", "Tell the camera where the table is, and hear what its picture lacks."),
    "dice": _Entry("own_dice", "Teach the reader your own dice."),
    "bench-cases": _Entry("own_dice", "Read kept misreadings again."),
    "odds": _Entry("odds", "Exact chances of a Task, and what each further die would buy."),
    "tray": _Entry("tray", "Monitor, simulate, record or replay a serial dice tray."),
    "doctor": _Entry("doctor", "Say what is wrong and what to do."),
    "config": _Entry("config", "Look at the settings."),
    "backup": _Entry("backup", "Write all that is kept to one file."),
    "restore": _Entry("backup", "Bring back what a backup holds."),
    "rejoin": _Entry("rejoin", "Put what an end rescued behind the journal that it continues."),
    "update": _Entry("update", "Install a new version from a file; it gives way by itself if it does not run."),
    "rollback": _Entry("update", "Let the version before run again."),
    "export": _Entry("export", "Write out the session as Markdown, CSV or JSON."),
    "import": _Entry("export", "Make a journal of an export as JSON."),
}
"""Every command with its module in `kiosk.commands`; the click command there has the command's name."""


class _LazyGroup(click.Group):
    """Knows the names of all commands and imports a module only when its command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The commands in the order a newcomer meets them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import and return one command; None for an unknown name."""
        if cmd_name not in _COMMANDS:
            return None
        try:
            module = importlib.import_module(f"kiosk.commands.{_COMMANDS[cmd_name].module}")
        except (ImportError, OSError) as error:
            raise click.ClickException(f"trueroll {cmd_name} cannot be loaded: {error}. Run: make install") from error
        command: click.Command = getattr(module, f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name.replace("-", "_"))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's
        """List the commands without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in _COMMANDS.items()])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("trueroll"), prog_name="trueroll")
@click.pass_context
def main(context: click.Context) -> None:
    """Reads the dice you threw, scores them by the rules, shows them and says them. It never rolls for you."""
    context.obj = context.obj or _build


def _build(config: Config, data_dir: Path, demo: bool) -> Kiosk:  # noqa: FBT001 - as `compose.build` takes it
    from kiosk.compose import build  # noqa: PLC0415 - a page is answered while the libraries are loaded

    return build(config, data_dir, demo)


if __name__ == "__main__":
    sys.exit(main())
