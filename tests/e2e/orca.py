"""A blind player at a real browser with a real screen reader: Orca, driven by real keys, and every word that it says.

Nothing is drawn to a screen and nothing sounds: the windows lie on a display in memory, and what Orca would say goes to
its own log, which it writes where there is no voice. A home of its own keeps the machine's settings out.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

BUS_LAUNCHER: Final = Path("/usr/libexec/at-spi-bus-launcher")
NEEDED: Final = ("Xvfb", "openbox", "dbus-daemon", "orca", "xdotool", "chromium", str(BUS_LAUNCHER))
QUIET_SECONDS: Final = 0.3
"""After so long without a word Orca has said all that a key made it say."""

PATIENCE_SECONDS: Final = 20.0
ANSWER_SECONDS: Final = 5.0
"""How long a key may take to make Orca say anything, on a machine that does much else."""

MOST_PRESSES: Final = 60
MOST_UNANSWERED: Final = 4
"""Keys in a row to which Orca says nothing: it says nothing to more of them either."""

BROWSE_AFTER: Final = 2
"""After so many of them a person tells Orca to take letters for its own: it thinks that a field has them."""

BROWSE: Final = "Insert+a"
WHERE: Final = "KP_Enter"
"""Has Orca say what has the focus."""

READ: Final = "The page is read."
"""Follows all words of a page that is new."""

READ_SECONDS: Final = 5.0
"""After so long without a word Orca reads no more of it."""

BROWSER_SECONDS: Final = 10.0
"""How long Orca waits for the browser to answer. Its own 0.8 s are too few beside other tests: it takes what answers
later for gone, and what is said of it, or has the focus, for nothing."""

_SPOKEN: Final = re.compile(r"^SPEECH OUTPUT: '(?P<words>.*)'(?P<key> \{.*\})?$", re.MULTILINE)
"""What is said; the name of a key that was pressed is followed by how it sounds."""

_CUSTOM: Final = """import logging
import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi
from orca import speech as voice

Atspi.set_timeout({answer}, {start})

speech = logging.getLogger("speech")
speech.setLevel(logging.INFO)
speech.addHandler(logging.FileHandler({log!r}))
read = voice.sayAll

def read_to_the_end(*page):
    read(*page)
    speech.info("SPEECH OUTPUT: {end}")

voice.sayAll = read_to_the_end
"""

_NO_OTHER: Final = "#!/bin/sh\nexit 1\n"
"""Finds no process: Orca asks for others of its user and would give way, also to one on another display and bus."""

_BROWSER: Final = (
    "chromium",
    "--no-sandbox",
    "--force-renderer-accessibility",
    "--no-first-run",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=480,880",
)


class Programs:
    """Programs that end together, each with what it started itself."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self, *words: str, passed: int | None = None) -> subprocess.Popen[bytes]:
        """Start one of them; what it writes can be read from it, what it complains of is left."""
        made = subprocess.Popen(
            words,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=() if passed is None else (passed,),
            start_new_session=True,
        )
        self._running.append(made)
        return made

    def end(self) -> None:
        """End them all, the newest first."""
        for one in reversed(self._running):
            for signed in (signal.SIGTERM, signal.SIGKILL):
                with suppress(ProcessLookupError):
                    os.killpg(one.pid, signed)
                with suppress(subprocess.TimeoutExpired):
                    one.wait(3)
                    break
            if one.stdout is not None:
                one.stdout.close()


@dataclass(frozen=True, slots=True)
class Spoken:
    """One thing that Orca said, or the name of a key that came to it."""

    words: str
    key: bool


class Orca:
    """One person at one browser; made by `listening`."""

    def __init__(self, log: Path, home: Path, programs: Programs) -> None:
        self._log = log
        self._home = home
        self._programs = programs
        self._mark = 0

    def open(self, address: str) -> None:
        """Show a page in a window without anything round it, and wait until Orca has read it."""
        self._mark = len(self._log_until_now())
        self._programs.start(*_BROWSER, f"--user-data-dir={self._home / 'browser'}", f"--app={address}")
        self.read()

    def _log_until_now(self) -> list[Spoken]:
        if not self._log.exists():
            return []
        found = _SPOKEN.finditer(self._log.read_text(encoding="utf-8").replace("\u00a0", " "))  # an ear hears neither
        return [Spoken(one["words"].strip(), key=one["key"] is not None) for one in found]

    def _said(self, since: int) -> list[str]:
        """What was said from that place of the log on, but for the names of keys."""
        return [one.words for one in self._log_until_now()[since:] if one.words and not one.key]

    def press(self, *keys: str, answered_within: float = ANSWER_SECONDS) -> list[str]:
        """Press keys one after the other; all that was said after the last one until it is quiet again.

        Orca says a key's name as its turn comes: what it said before, and goes on to say of a page, is no answer.
        """
        before, pressed = len(self._log_until_now()), sum(len(one.split("+")) for one in keys)
        self._tell(*keys)

        def named() -> list[int]:
            return [place for place, one in enumerate(self._log_until_now()[before:], before + 1) if one.key]

        _until(lambda: len(named()) >= pressed, f"{keys} are named", self.tail)
        self._mark, last = named()[0], named()[pressed - 1]
        self._quiet(last, answered_within)
        return self._said(last)

    def seek(self, key: str, words: str) -> None:
        """Press a key until the spoken name is this one. To each Orca says something, and the next waits for it.

        Who presses ahead of a slow Orca hears the name while keys that are still to come lead on from it.
        """
        said: list[str] = []
        unanswered = 0
        for _ in range(MOST_PRESSES):
            reached = self.press(key, answered_within=PATIENCE_SECONDS)
            if any(words in one for one in reached):
                return
            said += reached
            unanswered = 0 if reached else unanswered + 1
            if unanswered == BROWSE_AFTER:
                self._tell(BROWSE)
            if unanswered == MOST_UNANSWERED:
                break
        raise AssertionError(f"{words!r} is not reached by {key}: {said}")

    def hears(self, words: str) -> None:
        """Wait until these words were said since the last press; who hears nothing for long asks what has the focus."""
        try:
            _until(lambda: words in self.tail(" "), f"{words!r} is said", self.tail)
        except AssertionError:
            self._tell(WHERE)
            _until(lambda: words in self.tail(" "), f"{words!r} is said", self.tail)

    def _tell(self, *keys: str) -> None:
        """Press keys, whatever Orca says to that."""
        subprocess.run(["xdotool", "key", "--delay", "40", *keys], env=self._programs.environment, check=True)

    def read(self) -> None:
        """Wait until Orca has read the page that is new, to its end, or is silent: it reads none that loads anew."""
        self.hears("· trueroll")
        said, since = self.tail(), time.monotonic()
        while READ not in said and time.monotonic() - since < READ_SECONDS:
            time.sleep(0.05)
            if (now := self.tail()) != said:
                said, since = now, time.monotonic()

    def tail(self, between: str = " | ") -> str:
        """What was said since the last press, for whoever looks for a fault."""
        return between.join(self._said(self._mark))

    def _quiet(self, since: int, answered_within: float) -> None:
        """Wait until something was said from that place of the log on and nothing more comes."""
        count, at = 0, time.monotonic()
        while time.monotonic() - at < (QUIET_SECONDS if count else answered_within):
            time.sleep(0.05)
            if (now := len(self._said(since))) != count:
                count, at = now, time.monotonic()


def _until(done: Callable[[], bool], what: str, more: Callable[[], str] = str) -> None:
    """Wait until something holds; fail where nothing `more` comes for so long."""
    told, deadline = more(), time.monotonic() + PATIENCE_SECONDS
    while not done():
        if (now := more()) != told:
            told, deadline = now, time.monotonic() + PATIENCE_SECONDS
        assert time.monotonic() < deadline, f"not within {PATIENCE_SECONDS:.0f} s: {what}; {told}"
        time.sleep(0.05)


@contextmanager
def listening(folder: Path) -> Iterator[Orca]:
    """Orca on a display of its own; everything that was started ends with the context."""
    missing = [one for one in NEEDED if shutil.which(one) is None]
    assert not missing, f"missing: {missing}; scripts/system-packages.sh installs it"
    home = folder / "home"
    for name in ("bin", "run", "config/speech-dispatcher", "share/orca"):
        (home / name).mkdir(parents=True, mode=0o700)
    log = folder / "spoken.log"
    (home / "config/speech-dispatcher/speechd.conf").write_text("DisableAutoSpawn\n", encoding="utf-8")
    (home / "share/orca/orca-customizations.py").write_text(
        _CUSTOM.format(
            log=str(log), end=repr(READ), answer=int(BROWSER_SECONDS * 1e3), start=int(PATIENCE_SECONDS * 1e3)
        ),
        encoding="utf-8",
    )
    (home / "bin/pgrep").write_text(_NO_OTHER, encoding="utf-8")
    (home / "bin/pgrep").chmod(0o700)
    environment = {
        "PATH": f"{home / 'bin'}:{os.environ['PATH']}",
        "LANG": "C.UTF-8",
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(home / "run"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "share"),
        "ACCESSIBILITY_ENABLED": "1",
    }
    programs = Programs(environment)
    try:
        told, tell = os.pipe()
        programs.start("Xvfb", "-displayfd", str(tell), "-screen", "0", "500x900x24", "-nolisten", "tcp", passed=tell)
        environment["DISPLAY"] = f":{os.read(told, 16).decode().strip()}"
        bus = programs.start("dbus-daemon", "--session", "--nofork", "--print-address=1")
        assert bus.stdout is not None
        environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()
        programs.start("openbox")
        programs.start(str(BUS_LAUNCHER), "--launch-immediately")
        programs.start("orca")
        orca = Orca(log, home, programs)
        orca.hears("Screen reader on.")
        yield orca
    finally:
        programs.end()
