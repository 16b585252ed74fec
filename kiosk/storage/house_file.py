"""The file of house tables: found, read, checked by the rules, and adopted when the kiosk starts.

In: the setting `rules.house_tables`. Out: `HouseTables`, and a command to the engine where they are others than those
in force. If the file cannot be used, the table plays on with the tables adopted before.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kiosk.config import Config
from kiosk.engine import Engine
from kiosk.errors import ConfigError, EngineError, JournalError
from kiosk.storage.typed_text import harmless, visible_in
from rules.dice import SourceState
from rules.game import (
    THE_RULES_OWN,
    AdoptHouseTables,
    HouseTables,
    HouseTablesError,
    Refusal,
    house_tables,
    house_words,
)

PART: Final = "house tables"
"""The name of this part on the pages and in the doctor's findings."""

LARGEST_FILE: Final = 256 * 1024
"""Every row there can be fits into a fraction of this."""

REMEDY: Final = "Mend the file and start again; docs/house-rules.md says what each row may hold."
"""What the owner can do where the file has faults."""


@dataclass(frozen=True, slots=True)
class HouseState:
    """The state of the house tables, in words for the pages; `remedy` is empty if nothing is wrong."""

    state: SourceState
    what: str
    remedy: str = ""


def house_file(config: Config) -> Path | None:
    """The configured file, None for the rules' own tables. A relative path is relative to the settings file."""
    named = config.rules.house_tables
    if not named:
        return None
    path = Path(named).expanduser()
    return path if path.is_absolute() or config.path is None else config.path.parent / path


def load_house_tables(path: Path) -> HouseTables:
    """The tables of a TOML file. Raises `ConfigError` naming the file, and table, row and key of each fault."""
    try:
        return house_tables(_read(path), path.name)
    except HouseTablesError as error:
        raise ConfigError(str(error)) from None


def _read(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ConfigError(f"{path} is too large to hold house tables. Name the right file in rules.house_tables.")
        return _harmless(tomllib.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise ConfigError(f"There is no file {path}. Put it there, or correct rules.house_tables.") from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}. Check its permissions.") from error
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not a text file. House tables are written as TOML in UTF-8.") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path.name} is not valid TOML: {error}.") from None


def _harmless(tables: dict[str, Any]) -> dict[str, Any]:
    """The tables without control characters in what is shown: the names of rows are, too."""
    return {
        harmless(name): _harmless(row) if isinstance(row, dict) else visible_in(row, harmless)
        for name, row in tables.items()
    }


def adopt(config: Config, engine: Engine) -> HouseState | None:
    """Let the table play by the file that is set; None where none is set and none was adopted.

    Without a file, tables that came from one give way to the rules' own. The engine has to run.
    """
    path = house_file(config)
    before = engine.present().table.house
    if path is None and not before.source:
        return None
    try:
        wanted = THE_RULES_OWN if path is None else load_house_tables(path)
    except ConfigError as error:
        kept = f"Those of {before.source} hold on." if before.source else "The rules' own hold."
        return HouseState(SourceState.LOST, f"{error} {kept}", REMEDY)
    if wanted != before:
        try:
            engine.submit(AdoptHouseTables(tables=wanted), PART)
        except Refusal as refusal:
            return HouseState(SourceState.LOST, f"They wait. {refusal.message}", "Then start the kiosk again.")
        except (EngineError, JournalError) as error:
            return HouseState(SourceState.LOST, str(error), "Start the kiosk again.")
    if path is None:
        return HouseState(SourceState.OFF, "The rules' own tables are played.")
    return HouseState(SourceState.READY, f"{path.name} sets {house_words(wanted) or 'nothing'}.")
