"""`trueroll doctor`: what is wrong and what to do. Checks each part of the kiosk without starting it.

Each check returns a `Finding` in words. A part that is merely absent is no fault: the table plays without it.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import pwd
import socket
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final

import click

from kiosk.commands.bundle import write_bundle
from kiosk.commands.doctor_journal import (
    AS_ITS_OWNER,
    FIRST_START,
    files_finding,
    folder_findings,
    journal_finding,
    nearest,
    restore_findings,
    set_aside_findings,
    takes_nothing,
)
from kiosk.commands.findings import Finding, FindingState, reported
from kiosk.commands.options import config_option, configured, data_option
from kiosk.commands.running import Running, parts_at, running_on
from kiosk.config import Config, is_loopback, settled_by
from kiosk.errors import ConfigError, GlossaryError
from kiosk.i18n.glossary import own_file, replacing
from kiosk.i18n.languages import FOLDER, Languages
from kiosk.ports import SourceView
from kiosk.speech.speech import find_program, has_sound_output
from kiosk.storage.folder import LOCK_NAME
from kiosk.storage.house_file import PART as HOUSE_TABLES
from kiosk.storage.house_file import REMEDY as HOUSE_REMEDY
from kiosk.storage.house_file import house_file, load_house_tables
from kiosk.storage.kept_file import read_kept
from kiosk.storage.paths import data_folder
from kiosk.storage.preferences import FILE_NAME as PREFERENCES_NAME
from kiosk.storage.preferences import PreferencesFile
from kiosk.web.access import PROXY, own_network_address
from kiosk.web.network import PART as NETWORK
from rules.game import house_words
from rules.words import masked_address

CONNECT_SECONDS: Final = 1.0
"""How long the doctor waits for a connection to the port that the kiosk would use."""

ADAPTERS: Final = Path("/sys/class/bluetooth")
"""Where Linux names its Bluetooth adapters."""

HERE: Final = "this machine"
"""The name of the finding on who counts as the kiosk itself."""

OF_PEOPLE: Final = range(1000, 60_000)
"""The numbers that Debian gives to users who are people."""

NO_LOGIN: Final = frozenset({"nologin", "false"})
"""The shells of users who cannot log in."""


def examine(config: Config, data: Path) -> tuple[Finding, ...]:
    """Look at every part. Reads only, and asks a running kiosk for the state of what it uses.

    A kiosk that runs on the folder `data` is found wherever it listens and whatever options it was started with.
    """
    try:
        running, unseen = running_on(data), ""
    except OSError as error:
        running, unseen = None, error.strerror or str(error)
    parts = (running.parts if running is not None else None) or {}
    checks: tuple[tuple[str, Callable[[], Finding]], ...] = (
        ("camera", lambda: _camera(config)),
        ("tray", lambda: _tray(config)),
        ("bluetooth", lambda: _bluetooth(data)),
        ("voice", _voice),
        (HOUSE_TABLES, lambda: _house(config)),
        ("panel", lambda: _panel(config)),
        ("languages", lambda: _languages(config, data)),
        (NETWORK, lambda: _network(config, data)),
    )
    return (
        _python(),
        _kiosk(config, data, running, unseen),
        journal_finding(data, parts.get("journal")),
        *folder_findings(data),
        *set_aside_findings(data),
        *restore_findings(data),
        files_finding(data),
        _board(data),
        *(_told_now(parts[part], config, check) if part in parts else check() for part, check in checks),
        *((reported(parts[PROXY]),) if PROXY in parts else ()),
        _this_machine(config, pwd.getpwall()),
    )


def _languages(config: Config, data: Path) -> Finding:
    """The languages there are, and the table's own words for the terms of the rules."""
    folders = (*((config.path.parent,) if config.path is not None else ()), data)
    languages = Languages(own=folders)
    own = [(code, file) for code in languages.codes if (file := own_file(folders, code)) is not None]
    try:
        for code, file in own:
            replacing(FOLDER, file, code)
    except GlossaryError as error:
        return Finding("languages", FindingState.WRONG, str(error), "Mend the file, then start the kiosk again.")
    room = config.language.room
    if room and room not in languages:
        what = f"There is no language {room!r}. There are: {', '.join(languages.codes)}."
        return Finding("languages", FindingState.WRONG, what, "Set language.room to one of them.")
    words = "".join(f" Words of the table's own: {file}." for _, file in own)
    return Finding("languages", FindingState.WELL, f"There are: {', '.join(languages.codes)}.{words}")


def _network(config: Config, data: Path) -> Finding:
    """Whether phones reach the kiosk, and who says so."""
    settled = settled_by(config)
    chosen = PreferencesFile(data / PREFERENCES_NAME).load().phones
    if not (config.server.open_to_network and not is_loopback(config.host) if settled else chosen):
        remedy = settled or "To let phones in, choose that on the kiosk's own page /setup; it holds at once."
        return Finding(NETWORK, FindingState.ABSENT, "Closed: only this machine reaches the pages.", remedy)
    return Finding(
        NETWORK,
        FindingState.WELL,
        f"Open: phones reach the pages at http://{own_network_address()}:{config.server.port}/. "
        + (settled or "That was chosen at the kiosk, and is taken back there on /setup."),
    )


def _this_machine(config: Config, users: Iterable[pwd.struct_passwd]) -> Finding:
    """Who counts as the kiosk itself, beside whoever stands before its screen."""
    if not config.access.trust_this_machine:
        return Finding(HERE, FindingState.WELL, "Pages opened on this machine need a code, as in the network.")
    people = sum(one.pw_uid in OF_PEOPLE and Path(one.pw_shell).name not in NO_LOGIN for one in users)
    if people < 2:  # noqa: PLR2004 - one has the machine for themselves
        return Finding(HERE, FindingState.WELL, "Pages opened on this machine need no code.")
    return Finding(
        HERE,
        FindingState.WELL,
        f"{people} people can log in, and each of them counts as the kiosk itself.",
        "Where one of them is not trusted with the table, set trust_this_machine = false under [access].",
    )


def _told_now(part: SourceView, config: Config, check: Callable[[], Finding]) -> Finding:
    """A part as the running kiosk reports it; for a file mended since, that the kiosk must restart to read it."""
    told = reported(part)
    if part.source == "tray" and any(one in part.remedy for one in _left_out(config)):
        return dataclasses.replace(told, health=FindingState.WRONG)
    if part.source != HOUSE_TABLES or told.health is not FindingState.WRONG:
        return told
    now = check()
    if now.health is FindingState.WRONG:
        return now
    what = f"{now.what} The running kiosk read it before it was mended."
    return Finding(told.part, FindingState.ABSENT, what, "Start the kiosk again to play by it.")


def _python() -> Finding:
    here = ".".join(str(part) for part in sys.version_info[:3])
    return Finding("program", FindingState.WELL, f"trueroll {version('trueroll')} on Python {here}.")


def _kiosk(config: Config, data: Path, running: Running | None, unseen: str) -> Finding:
    if unseen:
        return Finding(
            "kiosk", FindingState.WRONG, f"The data folder {data} cannot be looked into: {unseen}.", AS_ITS_OWNER
        )
    if running is None:
        return _other_kiosk(config, data)
    if not running.address:
        return _silent(config, data)
    if running.parts is None:
        what = f"A kiosk holds the data folder {data}, but does not answer at {running.address}."
        return Finding("kiosk", FindingState.WRONG, what, "See its log. If it hangs, end it and start it again.")
    return Finding("kiosk", FindingState.WELL, f"Running at {running.address}.")


def _silent(config: Config, data: Path) -> Finding:
    """A kiosk holds the folder but left no address: it has none yet, or could not write it."""
    address = f"http://127.0.0.1:{config.server.port}/"
    if not takes_nothing(data):
        what = (
            f"A kiosk holds {data}, and {LOCK_NAME} there does not say where it listens: it is starting, or ending, or "
            "another program emptied that file, which a running kiosk puts right within seconds."
        )
        if parts_at(address) is not None:
            what += f" One answers at {address}; it may be of another folder."
        return Finding("kiosk", FindingState.ABSENT, what, "Look again in a moment.")
    what = f"A kiosk holds {data}, but cannot write its address there: the disk takes nothing."
    if parts_at(address) is not None:
        what += f" One answers at {address}; it may be of another folder."
    return Finding("kiosk", FindingState.WRONG, what, "Make room on it, or let it be written to.")


def _other_kiosk(config: Config, data: Path) -> Finding:
    """No kiosk runs on this folder; another program on its port would keep it from starting."""
    address = f"http://127.0.0.1:{config.server.port}/"
    if parts_at(address) is not None:
        what = f"Not running on {data}. Another kiosk, with another data folder, answers at {address}."
        return Finding("kiosk", FindingState.ABSENT, what, "To look at that one, give its folder with --data.")
    if _answers(config.server.port):
        what = f"Not running, and another program has port {config.server.port}."
        return Finding("kiosk", FindingState.ABSENT, what, "Start it on another: trueroll run --port 8081")
    return Finding("kiosk", FindingState.ABSENT, "Not running.", "Start it with: trueroll run")


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=CONNECT_SECONDS).close()
    except OSError:
        return False
    return True


def _board(data: Path) -> Finding:
    from hardware.board import advice, in_bytes, read_board  # noqa: PLC0415 - each part is loaded by its own check

    health = read_board(nearest(data))
    told = advice(health)
    free = f"{in_bytes(health.disk_free)} of disk free" if health.disk_free is not None else "disk unknown"
    warmth = f", {health.temperature:.0f} °C" if health.temperature is not None else ""
    return Finding(
        "board",
        FindingState.WRONG if told else FindingState.WELL,
        f"{health.model or 'Not a Raspberry Pi'}; {free}{warmth}.",
        " ".join(told),
    )


def _camera(config: Config) -> Finding:
    try:
        importlib.import_module("vision.read.reader")
    except Exception as error:  # noqa: BLE001 - a broken library raises whatever it likes
        return Finding("camera", FindingState.WRONG, f"Pictures cannot be read: {error}.", "Run: make install")
    found = sorted(str(device) for device in Path("/dev").glob("video*"))
    library = f"OpenCV {version('opencv-python-headless')}"
    if config.camera.source == "off":
        return Finding("camera", FindingState.ABSENT, f"Switched off in the settings ({library}).")
    if not found and config.camera.source == "auto":
        return Finding(
            "camera",
            FindingState.ABSENT,
            f"None found ({library}).",
            "Plug in a USB camera to have dice read by themselves; entering them by hand always works.",
        )
    used = ", ".join(found) or masked_address(config.camera.source)
    return Finding("camera", FindingState.WELL, f"{used} ({library}).")


def _most_trays() -> int:
    most: int = importlib.import_module("kiosk.devices.trays").MOST_TRAYS
    return most


def _left_out(config: Config) -> list[str]:
    """The trays in the settings beyond the largest number."""
    return config.tray.url.split()[_most_trays() :]


def _tray(config: Config) -> Finding:
    try:
        discover = importlib.import_module("firmware_bridge.discover")
        named = [None] if config.tray.url == "auto" else config.tray.url.split()
        ports = [port for one in named for port in discover.ports_of(one)]
        others = discover.usb_ports()
    except Exception as error:  # noqa: BLE001 - a broken library raises whatever it likes
        return Finding("tray", FindingState.WRONG, f"pyserial does not work: {error}.", "Run: make install")
    if config.tray.url == "off":
        return Finding("tray", FindingState.ABSENT, "Switched off in the settings.")
    if left_out := _left_out(config):
        names = ", ".join(masked_address(one) for one in left_out)
        said = f"More than {_most_trays()} trays cannot be used at once: {names} is left out."
        return Finding("tray", FindingState.WRONG, said, "Take those out of tray.url.")
    if not ports:
        hint = f" If one of these is it, name it with --tray: {', '.join(others)}." if others else ""
        return Finding("tray", FindingState.ABSENT, "None found.", f"Plug in a dice tray to have its dice read.{hint}")
    shut = [port for port in ports if "://" not in port and not os.access(port, os.R_OK | os.W_OK)]
    if shut:
        return Finding(
            "tray",
            FindingState.WRONG,
            f"{', '.join(shut)} cannot be opened.",
            "Plug it in; if it is, add yourself to the group dialout and log in again.",
        )
    return Finding("tray", FindingState.WELL, f"{', '.join(ports)}. `trueroll tray monitor` shows what it says.")


def _bluetooth(data: Path) -> Finding:
    """The paired Bluetooth dice and the adapter; none is fine."""
    from kiosk.devices.bluetooth_desk import FILE_NAME, KeptDie  # noqa: PLC0415 - each part is loaded by its own check

    paired = read_kept(data / FILE_NAME, tuple[KeptDie, ...]) or ()
    if not paired:
        return Finding("bluetooth", FindingState.ABSENT, "No dice are paired.", "To pair Pixels or GoDice, open /tray.")
    names = f"Paired: {', '.join(one.name for one in paired)}."
    try:
        importlib.import_module("firmware_bridge.bluetooth.supervisor").load_bleak()
    except Exception as error:  # noqa: BLE001 - a broken library raises whatever it likes
        return Finding("bluetooth", FindingState.WRONG, f"{names} bleak does not work: {error}.", "Run: make install")
    adapters = sorted(one.name for one in ADAPTERS.glob("hci*"))
    if not adapters:
        remedy = (
            "Plug one in, or switch it on (`rfkill list` says whether it is off). Enter the dice by hand until then."
        )
        return Finding("bluetooth", FindingState.WRONG, f"{names} This computer has no Bluetooth adapter.", remedy)
    return Finding("bluetooth", FindingState.WELL, f"{names} Adapter: {', '.join(adapters)}.")


def _voice() -> Finding:
    if find_program() is None:
        return Finding(
            "voice",
            FindingState.ABSENT,
            "espeak-ng is not installed.",
            "To hear outcomes: sudo apt-get install espeak-ng",
        )
    if not has_sound_output():
        return Finding(
            "voice", FindingState.ABSENT, "No sound output; phones can still play the voice.", "Connect a speaker."
        )
    return Finding("voice", FindingState.WELL, "espeak-ng and a sound output are there.")


def _house(config: Config) -> Finding:
    path = house_file(config)
    if path is None:
        return Finding(HOUSE_TABLES, FindingState.ABSENT, "The rules' own tables are played.")
    try:
        words = house_words(load_house_tables(path))
    except ConfigError as error:
        return Finding(HOUSE_TABLES, FindingState.WRONG, str(error), HOUSE_REMEDY)
    return Finding(HOUSE_TABLES, FindingState.WELL, f"{path} sets {words or 'nothing'}.")


def _panel(config: Config) -> Finding:
    if not config.panel.enabled:
        return Finding("panel", FindingState.ABSENT, "Switched off in the settings.")
    part = importlib.import_module("kiosk.panel.part")
    try:
        panel = importlib.import_module("hardware.panel")
        panel.open_panel(part.panel_pins(config), clock=time.monotonic).stop()
    except Exception as error:  # noqa: BLE001 - a broken library raises whatever it likes
        if refused := part.pins_refused(error):
            return Finding("panel", FindingState.WRONG, *(str(words) for words in refused))
        remedy = str(getattr(error, "remedy", "")) or "Run: make install"
        return Finding("panel", FindingState.ABSENT, f"{str(getattr(error, 'what', error)).rstrip('.')}.", remedy)
    return Finding("panel", FindingState.WELL, "The pins are there. docs/wiring.md says which go where.")


def to_do(findings: Sequence[Finding]) -> str:
    """What to do now, one thing a line, the journal first."""
    wrong = [one for one in findings if one.health is FindingState.WRONG]
    if not wrong:
        none = any(one.part == "journal" and one.health is FindingState.ABSENT for one in findings)
        return f"Nothing is wrong, but there is no journal. {FIRST_START}" if none else "Nothing is wrong."
    ordered = sorted(wrong, key=lambda one: one.part != "journal")
    steps = (f"{number}. {one.part}: {one.remedy or one.what}" for number, one in enumerate(ordered, start=1))
    return "\n".join(("What to do:", *steps, "If that does not help, ask with: trueroll doctor --bundle FILE.zip"))


def _bundled(file: Path, config: Config, data: Path, findings: Iterable[Finding]) -> None:
    try:
        write_bundle(file, config, data, (dataclasses.asdict(one) for one in findings))
    except FileExistsError:
        raise click.ClickException(f"{file} is there already. Name a file that is not.") from None
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}. Choose another place.") from error
    click.echo(f"{file} holds no codes, no names and nothing of the game. It was sent to nobody.", err=True)


@click.command()
@config_option
@data_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.option(
    "--bundle",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write what a helper needs, without codes, names or the game, to this new zip file. Nothing is sent.",
)
def doctor(config_path: Path | None, data_path: Path | None, bundle: Path | None, *, as_json: bool) -> None:
    """Look at every part and say what is wrong and what to do. Exit status 1 when something is wrong."""
    config, data = configured(config_path), data_folder(data_path)
    findings = examine(config, data)
    widest = max(len(finding.part) for finding in findings)
    for finding in findings:
        if as_json:
            click.echo(json.dumps(dataclasses.asdict(finding), ensure_ascii=False))
        else:
            click.echo(f"{finding.health.upper():7} {finding.part:{widest}} {finding.what}")
            if finding.remedy:
                click.echo(f"{'':{8 + widest}} {finding.remedy}")
    if not as_json:
        click.echo(f"\n{to_do(findings)}")
    if bundle is not None:
        _bundled(bundle, config, data, findings)
    if any(finding.health is FindingState.WRONG for finding in findings):
        sys.exit(1)
