"""A folder of versions whose programs only print their name, and an update of it that is cut off at every step.

`cut_everywhere` does an action once for each change that it makes to the disk, killed right before that change. It is
for a process of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Final

from kiosk.commands.update_file import pack
from kiosk.commands.versions import Installation, Means, TriedVersion

CHOOSER: Final = Path(__file__).resolve().parents[3] / "hardware/os/trueroll-versions"
CHANGES: Final = frozenset({"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.symlink", "os.link"})
"""What changes the disk, by its audit event; files are opened to be written, too."""
KILLED: Final = 9
FORM: Final = 2


def update_file(folder: Path, version: str) -> Path:
    """An update that brings `version`."""
    wheels = folder / f"wheels-{version}"
    wheels.mkdir(parents=True)
    (wheels / f"trueroll-{version}-py3-none-any.whl").write_text(version)
    (wheels / "requirements.txt").write_text(f"# of {version}\n")
    file = folder / f"{version}.update"
    pack(wheels, file)
    return file


def environment(version: Path) -> None:
    """A program that prints what its wheel says."""
    (version / ".venv/bin").mkdir(parents=True)
    wheel = next(version.glob("*.whl"))
    program = version / ".venv/bin/trueroll"
    program.write_text(f"#!/bin/sh\necho {wheel.read_text()}\n")
    program.chmod(0o755)
    wheel.unlink()


def means(folder: Path) -> Means:
    """The data are one file, of which a backup is made."""
    data = folder / "data"

    def try_out(version: Path) -> TriedVersion:
        backup = data / "backups" / f"before-{version.name}.zip"
        backup.parent.mkdir(exist_ok=True)
        shutil.copyfile(data / "rolls", backup)
        return TriedVersion(FORM, backup)

    return Means(data, environment, try_out, lambda: None, lambda: None)


def shelf(folder: Path) -> Installation:
    """Version 1.0 runs, and the data hold a roll."""
    (folder / "data").mkdir(parents=True)
    (folder / "data/rolls").write_text("17\n")
    (folder / "root").mkdir()
    installation = Installation(folder / "root")
    installation.update(update_file(folder, "1.0"), means(folder))
    return installation


def choose(installation: Installation, does: str = "start") -> str:
    """What hardware/os/trueroll-versions says before a start; it must not fail."""
    done = subprocess.run(
        [str(CHOOSER), does, str(installation.root)], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stderr


def runs(installation: Installation) -> str:
    """What the version that is linked says of itself."""
    program = installation.root / "current/.venv/bin/trueroll"
    return subprocess.run([program], capture_output=True, text=True, check=True, timeout=60).stdout.strip()


def act(folder: Path, action: str) -> None:
    """Update to 2.0, install 1.0 once more, or roll back."""
    installation = Installation(folder / "root")
    if action == "update":
        installation.update(folder / "2.0.update", means(folder))
    elif action == "again":
        installation.update(folder / "1.0.update", means(folder))
    else:
        installation.roll_back(means(folder))


def cut_before(number: int, folder: Path, action: str) -> bool:
    """Do it in a process that ends right before change `number`; whether it came so far."""
    process = os.fork()
    if process:
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        assert status in {0, KILLED}
        return status == KILLED
    seen = 0

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal seen
        if event not in CHANGES or (event == "open" and not _writes(arguments)):
            return
        seen += 1
        if seen == number:
            os._exit(KILLED)

    for name in ("sync", "fsync"):
        setattr(os, name, lambda *_: None)  # what is killed leaves all that it wrote; this only saves time
    sys.addaudithook(watch)
    act(folder, action)
    os._exit(0)


def _writes(arguments: tuple[object, ...]) -> bool:
    flags = arguments[2]
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR))


def cut_everywhere(folder: Path, action: str) -> None:
    """Each cut begins with a folder as `shelf` makes it, and is left as folder `cut-N`; the last one is not cut off."""
    for number in count(1):
        place = folder / f"cut-{number}"
        shutil.copytree(folder / "before", place, symlinks=True)
        if not cut_before(number, place, action):
            break
