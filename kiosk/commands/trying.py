"""Installs a version of trueroll from its wheels, and tries it on a copy of the data before it may run.

The copy is made as a backup is, also while a kiosk runs. On it the version starts without any device, serves its pages,
says the table as it stands, and ends; then the journal has every decision that the copy had.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from pwd import getpwuid
from typing import Final

from kiosk.commands.update_file import REQUIREMENTS, UpdateError
from kiosk.commands.versions import BACKUPS, TriedVersion, backup_name
from kiosk.errors import JournalNewerError, KioskError
from kiosk.ports import Clock
from kiosk.storage.backup import Manifest, back_up, restore
from kiosk.storage.folder import LOCK_NAME, held_at
from kiosk.storage.journal import open_for_reading
from kiosk.storage.paths import JOURNAL_NAME, UNIT

BOOTED: Final = Path("/run/systemd/system")
"""A folder that is there where systemd runs the services."""
READY_SECONDS: Final = 120.0
"""How long a version may take until it serves pages: a cold start from a slow card, beside a kiosk that runs."""
END_SECONDS: Final = 30.0
"""How long it may take to end."""
ANSWER_SECONDS: Final = 10.0
"""How long a page may take."""
INSTALL_SECONDS: Final = 1800.0
"""How long pip may take on a slow card."""
LOOK_SECONDS: Final = 0.1
"""Seconds between two checks whether it answers."""
TOLD_LINES: Final = 8
"""Most lines of a failed program's output in an error message."""
COMPILES: Final = "from kiosk.web.app import compile_templates; compile_templates()"
"""What compiles the pages of the version whose Python runs it: the kiosk itself may write nothing beside them."""
APART: Final = {
    "GPIOZERO_PIN_FACTORY": "mock",
    "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent",
    "PATH": "/nonexistent",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
}
"""The environment of a trial: no pins, Bluetooth or voice, which the running kiosk uses meanwhile."""


def program_of(version: Path) -> Path:
    """The program of the version in that folder."""
    return version / ".venv/bin/trueroll"


def environment(version: Path) -> None:
    """Install the wheels in the folder `version` into an environment in it. Fetches nothing. Raises `UpdateError`.

    Root may call it from any folder: Python runs isolated (`-I`), else it would run what lies in that folder.
    """
    python = shutil.which("python3", path=os.defpath) or sys.executable
    made = version / ".venv"
    site = ["--system-site-packages"] if _sees_system() else []
    pip = [str(made / "bin/python"), "-I", "-m", "pip"]
    install = [*pip, "--quiet", "--disable-pip-version-check", "--no-cache-dir", "install"]
    local = ["--no-index", f"--find-links={version}", "--only-binary=:all:"]
    _done([python, "-I", "-m", "venv", *site, str(made)], "Python cannot make an environment")
    libraries = [*install, *local, f"--requirement={version / REQUIREMENTS}"]  # checked by the manifest already
    _done(libraries, "a library cannot be installed")
    own = [str(one) for one in version.glob("trueroll-*.whl")]
    _done([*install, *local, "--no-deps", *own], "trueroll itself cannot be installed")
    with suppress(UpdateError):  # an earlier version keeps none, and compiles them when they are asked for
        _done([str(made / "bin/python"), "-I", "-c", COMPILES], "its pages cannot be compiled")
    for wheel in version.glob("*.whl"):
        wheel.unlink()


def _sees_system() -> bool:
    """Whether this environment also sees the system's libraries, as for camera modules and pins."""
    try:
        return "include-system-site-packages = true" in (Path(sys.prefix) / "pyvenv.cfg").read_text(encoding="utf-8")
    except OSError:
        return False


def _done(command: Sequence[str], trouble: str) -> None:
    try:
        ended = subprocess.run(  # noqa: S603 - Python and pip, by path
            command, capture_output=True, text=True, errors="replace", timeout=INSTALL_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UpdateError(f"The update was not taken: {trouble} ({error}). The present version goes on.") from error
    if ended.returncode != 0:
        raise UpdateError(
            f"The update was not taken: {trouble}. The present version goes on.\n{_last(ended.stdout + ended.stderr)}"
        )


def _last(text: str) -> str:
    return "\n".join(text.splitlines()[-TOLD_LINES:])


def try_out(version: Path, data: Path, clock: Clock) -> TriedVersion:
    """Start the version in the folder `version` on a copy of `data`, made and kept as a backup.

    Raises `UpdateError` where it does not start, does not serve, or does not have the table as it stands.
    """
    owner = data.stat() if data.exists() else None
    backup = data / BACKUPS / backup_name(version.name)
    try:
        backup.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        made = back_up(data, backup, clock) if (data / JOURNAL_NAME).exists() else None
        if owner is not None and os.geteuid() == 0:
            for one in (backup.parent, *([backup] if made else [])):
                os.chown(one, owner.st_uid, owner.st_gid)
        with tempfile.TemporaryDirectory(prefix="trueroll-trial-") as room:
            copy = Path(room) / "data"
            copy.mkdir(mode=0o700)
            if made is not None:
                restore(backup, copy, clock)
            form = _form(copy)
            user = _given_to(Path(room), owner)
            _run_on(version, copy, user)
            if made is not None:
                _require_all(copy, made, version.name, clock)
    except (KioskError, OSError) as error:
        raise UpdateError(f"{version.name} cannot be tried: {error}. The present version goes on.") from error
    return TriedVersion(form, backup)


def _form(data: Path) -> int:
    """The journal's schema version in `data`; 0 if there is none."""
    if not (data / JOURNAL_NAME).exists():
        return 0
    with closing(sqlite3.connect(data / JOURNAL_NAME)) as journal:
        return int(journal.execute("PRAGMA user_version").fetchone()[0])


def _given_to(room: Path, owner: os.stat_result | None) -> os.stat_result | None:
    """Give the copy to the owner of the data, and return who that is; None where it stays with this user."""
    if os.geteuid() != 0 or owner is None or owner.st_uid == 0:
        return None
    for one in (room, *room.rglob("*")):
        os.chown(one, owner.st_uid, owner.st_gid)
    return owner


def _run_on(version: Path, copy: Path, owner: os.stat_result | None) -> None:
    """Start it on the copy, wait until it has announced the table's state, and end it."""
    user, group, home = (
        (None, None, str(Path.home())) if owner is None else (owner.st_uid, owner.st_gid, "/nonexistent")
    )
    if user is not None:
        with suppress(KeyError):
            home = getpwuid(user).pw_dir
    command = [*ending_with_us(), str(program_of(version)), "run", "--data", str(copy)]
    command += ["--host", "127.0.0.1", "--port", "0"]
    log = copy.parent / "log"
    with log.open("w+", encoding="utf-8", errors="replace") as printed:
        with subprocess.Popen(  # noqa: S603 - the version's own program, by path
            [*command, "--camera", "off", "--tray", "off"],
            stdout=printed,
            stderr=subprocess.STDOUT,
            env={**APART, "HOME": home},
            cwd=copy,
            user=user,
            group=group,
            extra_groups=None if user is None else [],
        ) as program:
            try:
                trouble = _trouble(program, copy)
            finally:
                program.terminate()
                try:
                    ended = program.wait(END_SECONDS)
                except subprocess.TimeoutExpired:
                    program.kill()
                    ended = program.wait()
        if not trouble and ended != 0:
            trouble = f"it ended with {ended}"
        if trouble:
            printed.seek(0)
            raise UpdateError(
                f"{version.name} was not taken: {trouble}. The present version goes on.\n{_last(printed.read())}"
            )


def ending_with_us() -> tuple[str, ...]:
    """What to begin a command with, so that Linux ends it once this program is gone, however that ended.

    Nothing where there is no `setpriv` of util-linux; Debian has it everywhere. That of BusyBox cannot do it.
    """
    setpriv = shutil.which("setpriv", path=os.defpath)
    if setpriv is None:
        return ()
    able = subprocess.run([setpriv, "--pdeathsig", "keep", "true"], capture_output=True, check=False)  # noqa: S603 - by path
    return (setpriv, "--pdeathsig", "TERM", "--") if able.returncode == 0 else ()


def _trouble(program: subprocess.Popen[bytes], copy: Path) -> str:
    """Why it does not serve the table; empty if it does."""
    ends = time.monotonic() + READY_SECONDS
    while time.monotonic() < ends:
        if program.poll() is not None:
            return f"it ended with {program.returncode} at its start"
        address = held_at(copy / LOCK_NAME)
        if address:
            try:
                for page in ("healthz", "display", "api/v1/table"):
                    with urllib.request.urlopen(address + page, timeout=ANSWER_SECONDS) as answer:  # noqa: S310 - http only
                        answer.read()
            except (OSError, ValueError) as error:
                return f"its pages do not come ({error})"
            return ""
        time.sleep(LOOK_SECONDS)
    return f"it served no pages within {READY_SECONDS:.0f} seconds"


def _require_all(copy: Path, made: Manifest, name: str, clock: Clock) -> None:
    """Require that the copy's journal is readable and goes as far as before; a later schema is not checked."""
    try:
        with closing(open_for_reading(copy / JOURNAL_NAME, clock)) as journal:
            found = journal.decision
    except JournalNewerError:
        return
    if found < made.decisions:
        raise UpdateError(
            f"{name} was not taken: it kept {found} of {made.decisions} decisions. The present version goes on."
        )


def stop() -> None:
    """Stop the kiosk, where systemd runs it. Raises `UpdateError`."""
    _service("stop")


def start() -> None:
    """Start the kiosk, where systemd runs it. Raises `UpdateError`."""
    _service("start")


def _service(verb: str) -> None:
    systemctl = shutil.which("systemctl")
    if systemctl is None or not BOOTED.is_dir():
        return
    ended = subprocess.run([systemctl, verb, UNIT], capture_output=True, text=True, check=False)  # noqa: S603 - found by name
    if ended.returncode != 0:
        raise UpdateError(f"systemctl {verb} {UNIT} failed: {ended.stderr.strip()}. See: journalctl -u {UNIT}")
