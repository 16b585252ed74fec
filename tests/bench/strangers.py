"""What the table waits for while strangers in the network wear the kiosk out: `python -m tests.bench.strangers`.

A kiosk is started that the network reaches. Each kind of stranger then works on it for some seconds from this machine's
own network address, in a process of its own. Meanwhile the kiosk's own display is asked for, a joined phone asks from
the strangers' own address, as behind one router, and Tasks are rolled. The longest waits are printed.
ARGS: the kinds to try, as `sockets streams`.
"""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kiosk.web.access import own_network_address
from tests.bench.measure import milliseconds
from tests.e2e.crew import declaration, set_up
from tests.e2e.program import Program

SECONDS: Final = 8.0
"""How long each kind of stranger is at work."""
GRACE: Final = 3.0
"""How long they have to take their places before anything is measured."""
PATIENCE: Final = 4.0
"""A wait longer than this counts as none: nobody stands before a screen for longer."""
SETTINGS: Final = "[server]\nopen_to_network = true\n"

DRIP: Final = {
    "sockets": (600, b"", b"G"),
    "headers": (600, b"GET / HTTP/1.1\r\nHost: {host}\r\n", b"X-A: b\r\n"),
    "bodies": (600, b"POST /join HTTP/1.1\r\nHost: {host}\r\nContent-Length: 100000\r\n\r\n", b"a"),
}
"""Kinds that keep places by sending a little now and then: how many, what they begin with, what they go on with."""
STREAMS: Final = 200
SPEECH: Final = 40
PAGES: Final = 40
KINDS: Final = ("nobody", *DRIP, "streams", "speech", "pages")


def drip(host: str, port: int, count: int, begin: bytes, more: bytes) -> None:
    """Keep `count` connections by a little now and then; one that was ended is begun anew."""
    lines: list[socket.socket | None] = [None] * count
    while True:
        for place, line in enumerate(lines):
            try:
                if line is None:
                    made = socket.create_connection((host, port), 0.2)
                    made.sendall(begin.replace(b"{host}", host.encode()) or more)
                    lines[place] = made
                else:
                    line.sendall(more)
            except OSError:
                if line is not None:
                    line.close()
                lines[place] = None
        time.sleep(0.3)


def stay(host: str, port: int) -> None:
    """Hold one live page after another."""
    while True:
        with suppress(OSError, http.client.HTTPException), closing(http.client.HTTPConnection(host, port, 5)) as line:
            line.request("GET", "/api/v1/events")
            answer = line.getresponse()
            while answer.status == 200 and answer.read1(65536):
                pass
        time.sleep(0.05)


def ask(host: str, port: int, path: str) -> None:
    """Ask for one thing over and over."""
    number = 0
    while True:
        with suppress(OSError, http.client.HTTPException), closing(http.client.HTTPConnection(host, port, 5)) as line:
            while True:
                number += 1
                line.request("GET", path.format(number=80 + number % 170))
                line.getresponse().read()


def strangers(kind: str, host: str, port: int) -> None:
    """Be that kind of stranger until the process is ended."""
    many: list[Callable[[], None]] = []
    if kind in DRIP:
        count, begin, more = DRIP[kind]
        many = [lambda: drip(host, port, count, begin, more)]
    elif kind == "streams":
        many = [lambda: stay(host, port)] * STREAMS
    elif kind == "speech":
        many = [lambda: ask(host, port, "/api/v1/speech/pools.wav?length=full&volume={number}")] * SPEECH
    elif kind == "pages":
        many = [lambda: ask(host, port, "/display")] * PAGES
    for one in many:
        threading.Thread(target=one, daemon=True).start()
    time.sleep(3600)


@dataclass
class Waits:
    """What was waited for; a wait that nobody has patience for is counted in `lost`."""

    taken: list[float] = field(default_factory=list)
    lost: int = 0

    def of(self, action: Callable[[], object]) -> None:
        """Wait for that once."""
        start = time.perf_counter()
        try:
            action()
        except (OSError, http.client.HTTPException, ValueError):
            self.lost += 1
        else:
            self.taken.append(time.perf_counter() - start)

    def __str__(self) -> str:
        """The figures in words."""
        told = f"{milliseconds(self.taken)}, worst {max(self.taken) * 1e3:.0f} ms" if self.taken else "never"
        return f"{told}; {self.lost} of {len(self.taken) + self.lost} in vain"


def got(host: str, port: int, path: str, cookie: str = "") -> bytes:
    """A page on a connection of its own, as a browser that comes anew. Raises `ValueError` where it is refused."""
    with closing(http.client.HTTPConnection(host, port, timeout=PATIENCE)) as line:
        line.request("GET", path, headers={"Cookie": cookie} if cookie else {})
        answer = line.getresponse()
        if answer.status >= 400:
            raise ValueError(f"{path}: {answer.status}")
        return answer.read(200) if path.startswith("/api/v1/events") else answer.read()


def commanded(port: int, name: str, **fields: object) -> None:
    """Send a command from the kiosk itself. Raises `ValueError` where it is refused."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as line:
        headers = {"Content-Type": "application/json", "X-Trueroll": "1"}
        line.request("POST", "/api/v1/commands", json.dumps({"command": name, **fields}), headers)
        answer = line.getresponse()
        if answer.status >= 400:
            raise ValueError(answer.read().decode())
        answer.read()


def joined(host: str, port: int, data: Path) -> str:
    """The cookie of a phone that joins with the table's code."""
    code = json.loads((data / "access.json").read_text())["table_code"]
    with closing(http.client.HTTPConnection(host, port, timeout=PATIENCE)) as line:
        headers = {"Content-Type": "application/json", "X-Trueroll": "1"}
        line.request("POST", "/api/v1/join", json.dumps({"code": code}), headers)
        answer = line.getresponse()
        answer.read()
        return (answer.getheader("Set-Cookie") or "").partition(";")[0]


def roll(program: Program, character: str, waits: Waits) -> None:
    """A whole Task; what is timed are its dice."""
    port = program.port
    with suppress(OSError, http.client.HTTPException, ValueError):  # one of an earlier turn may be under way
        commanded(port, "finish_spending")
    with suppress(OSError, http.client.HTTPException, ValueError):
        commanded(port, "declare_task", declaration=declaration(character))
    try:
        number = json.loads(got("127.0.0.1", port, "/api/v1/table"))["table"]["request"]["number"]
    except (OSError, http.client.HTTPException, ValueError, TypeError):
        waits.lost += 1
        return
    waits.of(lambda: commanded(port, "enter_dice", request=number, faces=[1, 13]))


def measured(kind: str, program: Program, host: str, character: str, phone: str) -> None:
    """Print what waits there are while strangers of that kind are at work."""
    attack = subprocess.Popen([sys.executable, "-m", "tests.bench.strangers", "be", kind, host, str(program.port)])
    display, live, phones, rolls = Waits(), Waits(), Waits(), Waits()
    try:
        time.sleep(GRACE if kind != "nobody" else 0)
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            display.of(lambda: got("127.0.0.1", program.port, "/display"))
            live.of(lambda: got("127.0.0.1", program.port, "/api/v1/events?parts=display"))
            phones.of(lambda: got(host, program.port, "/play", phone))
            roll(program, character, rolls)
            time.sleep(0.1)
    finally:
        attack.kill()
        attack.wait()
    for what, waits in (("display", display), ("live page", live), ("phone", phones), ("a roll", rolls)):
        print(f"{kind:8} {what:9} {waits}", flush=True)


def main(arguments: list[str]) -> None:
    """Measure each kind, or be one."""
    if arguments[:1] == ["be"]:
        strangers(arguments[1], arguments[2], int(arguments[3]))
        return
    host = own_network_address()
    if host == "127.0.0.1":
        raise SystemExit("This machine has no address in a network: strangers would be taken for the kiosk itself.")
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "kiosk.toml"
        settings.write_text(SETTINGS)
        data = Path(folder) / "data"
        command = (sys.executable, "-m", "kiosk.cli", "run", "--config", str(settings))
        program = Program(data, "--camera", "off", "--tray", "off", command=command)
        program.start()
        try:
            character = set_up(program)
            phone = joined(host, program.port, data)
            for kind in arguments or KINDS:
                measured(kind, program, host, character, phone)
                time.sleep(1)
        finally:
            program.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
