"""The real program as a subprocess, and the few HTTP calls that tests make of it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, Self

START_SECONDS = 180.0
"""Far beyond what a start takes, because CI machines are busy."""

TRUEROLL = Path(sys.executable).with_name("trueroll")


@dataclass(frozen=True)
class Answer:
    """An HTTP answer with its JSON body."""

    status: int
    body: dict[str, Any]


REFUSED: Final = frozenset(
    {1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080}
)
"""Ports above 1023 to which Chromium connects nowhere."""


def free_port() -> int:
    """A port nobody uses now, and a browser goes to."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
        return free_port() if port in REFUSED else port  # while this one is held, it is not given again


def usual_port() -> int:
    """This process's own port, below those that the system gives away; where that cannot be used, any other."""
    port = 10_000 + os.getpid() % 20_000
    if port in REFUSED:
        return free_port()
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return free_port()
    return port


def until(true: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until something holds; fail after `seconds`."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"waited {seconds} s in vain"
        time.sleep(0.05)


class Running(Protocol):
    """A started program, as `subprocess` has it."""

    pid: int

    def poll(self) -> int | None:
        """Its exit status, or None while it runs."""

    def send_signal(self, sig: int) -> None:
        """Send it a signal."""

    def kill(self) -> None:
        """End it at once."""

    def wait(self, timeout: float) -> int:
        """Wait for its end, and return its exit status."""


class Program:
    """`trueroll run` on a data folder; start, stop and kill it as a person or a power cut would."""

    def __init__(self, data: Path, *arguments: str, command: Sequence[str] = (str(TRUEROLL), "run")) -> None:
        self.data = data
        self.arguments = arguments
        self.command = command
        self.port = free_port()
        self.log = data.parent / f"{data.name}.log"
        self._process: Running | None = None

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def output(self) -> str:
        """Everything it has printed."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    @property
    def pid(self) -> int:
        """Its process number."""
        assert self._process is not None
        return self._process.pid

    def start(self, **environment: str) -> Self:
        """Start and wait until it answers."""
        self._process = self._begun({**os.environ, **environment})
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise AssertionError(f"it ended with {self._process.poll()}:\n{self.output}")
            try:
                urllib.request.urlopen(f"{self.address}/healthz", timeout=5).close()  # noqa: S310 - our own address
            except urllib.error.HTTPError as error:
                with error:
                    if error.headers.get("X-Trueroll") != "starting":
                        return self
                time.sleep(0.05)
            except OSError:
                time.sleep(0.05)
            else:
                return self
        raise AssertionError(f"no answer in {START_SECONDS} s:\n{self.output}")

    def _begun(self, environment: dict[str, str]) -> Running:
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [*self.command, *self._told()], stdout=log, stderr=subprocess.STDOUT, env=environment
            )

    def _told(self) -> list[str]:
        return ["--data", str(self.data), "--port", str(self.port), *self.arguments]

    def stop(self) -> int:
        """Ask it to end as systemd would, and return its exit status."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        return self._process.wait(20)

    def kill(self) -> None:
        """Pull the plug."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(20)

    def wait(self) -> int:
        """Wait for its own end."""
        assert self._process is not None
        return self._process.wait(20)

    def __enter__(self) -> Self:
        """Start; what did not come up in time does not stay."""
        try:
            return self.start()
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_: object) -> None:
        """End it, whatever state it is in."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait(20)

    def get(self, path: str) -> Answer:
        """GET a JSON resource."""
        return self._call(urllib.request.Request(self.address + path))  # noqa: S310 - our own address

    def table(self) -> dict[str, Any]:
        """The view every screen shows."""
        return self.get("/api/v1/table").body

    def post(self, path: str, body: object) -> Answer:
        """POST JSON as a page does."""
        return self._call(
            urllib.request.Request(  # noqa: S310 - our own address
                self.address + path,
                data=json.dumps(body).encode(),
                headers={"Content-Type": "application/json", "X-Trueroll": "1"},
            )
        )

    def send(self, command: str, **fields: object) -> dict[str, Any]:
        """Send one command and require that it was accepted."""
        answer = self.post("/api/v1/commands", {"command": command, **fields})
        assert answer.status == 200, answer
        return answer.body

    def events(self, last_event_id: int | None = None, seconds: float = 20) -> Iterator[tuple[str, str, Any]]:
        """Server-Sent Events as (event, id, data), until `seconds` pass without one."""
        headers = {} if last_event_id is None else {"Last-Event-ID": str(last_event_id)}
        request = urllib.request.Request(self.address + "/api/v1/events", headers=headers)  # noqa: S310 - our own
        with urllib.request.urlopen(request, timeout=seconds) as stream:  # noqa: S310 - our own address
            event, number, data = "", "", ""
            for raw in stream:
                field, _, value = raw.decode().rstrip("\n").partition(": ")
                if field == "event":
                    event = value
                elif field == "id":
                    number = value
                elif field == "data":
                    data += value
                elif not field and data:
                    yield event, number, json.loads(data)
                    event, number, data = "", "", ""

    def _call(self, request: urllib.request.Request) -> Answer:
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - our own address
                return Answer(answer.status, json.loads(answer.read()))
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, json.loads(error.read()))


def source(program: Program, name: str) -> dict[str, Any]:
    """What the table says of one of its parts; empty while it has said nothing."""
    return next((one for one in program.table()["sources"] if one["source"] == name), {})


def take_back(program: Program, beginning: dict[str, Any]) -> None:
    """Take back what was decided until the table is `beginning` again, as it once was."""
    while program.table()["table"] != beginning:
        program.send("undo")
