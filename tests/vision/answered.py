"""What the reader's networks answered before, kept in `build`: a third of what these tests cost.

A network's answer depends on nothing but itself and its input. It is found by a digest of both, of how it is asked and
of OpenCV, so whatever changes one of them is answered anew.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cached_property
from hashlib import sha256
from inspect import getsource
from pathlib import Path
from threading import Lock
from typing import Final

import cv2
import numpy as np
import pytest

from vision.pose import networks
from vision.pose.networks import MODELS, NAMES, RECOGNISER, Networks, Scores

KEPT: Final = Path(__file__).parents[2] / "build" / "networks.sqlite"
"""Where they are kept. Processes that run at the same time share it."""

MOST_BYTES: Final = 400_000_000
"""A larger file is begun anew: most of what it holds nobody asks for any more."""

_ALL: Final = (*NAMES, RECOGNISER)
"""The networks that the reader comes with."""

Run = Callable[[Networks, str, Scores], Scores]
"""Asks the network of that name."""


class Later:
    """A network that is loaded once it is asked what nobody asked before: most are asked nothing new."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @cached_property
    def _network(self) -> cv2.dnn.Net:
        return networks.load(self._file)

    def setInput(self, batch: Scores) -> None:  # noqa: N802 - as OpenCV names it
        self._network.setInput(batch)

    def forward(self) -> cv2.typing.MatLike:
        return self._network.forward()


class Answered:
    """Answers as the networks do, by what they said before where that is known. Safe to share between threads."""

    def __init__(self, file: Path, run: Run) -> None:
        """`run` asks a network."""
        self._run = run
        self._lock = Lock()
        self._new: dict[bytes, tuple[str, bytes]] = {}
        file.parent.mkdir(exist_ok=True)
        if file.exists() and file.stat().st_size > MOST_BYTES:
            file.unlink()
        self._file = sqlite3.connect(file, timeout=60, check_same_thread=False)
        self._file.execute("CREATE TABLE IF NOT EXISTS answers (digest BLOB PRIMARY KEY, shape TEXT, body BLOB)")
        asking = (networks.load, Networks.__dict__["_run"])
        how = " ".join([cv2.__version__, *map(getsource, asking)]).encode()
        self._asked = {name: sha256(how + (MODELS / f"{name}.onnx").read_bytes()) for name in _ALL}

    def run(self, asked: Networks, name: str, batch: Scores) -> Scores:
        """What the network of that name says to `batch`."""
        digest = self._asked[name].copy()
        digest.update(f"{batch.shape} {batch.dtype} ".encode())
        digest.update(np.ascontiguousarray(batch).data)
        key = digest.digest()
        with self._lock:
            known = self._new.get(key)
            known = known or self._file.execute("SELECT shape, body FROM answers WHERE digest = ?", (key,)).fetchone()
        if known is not None:
            shape, body = known
            return np.frombuffer(body, np.float32).reshape([int(one) for one in shape.split()]).copy()
        found = self._run(asked, name, batch)
        with self._lock:
            self._new[key] = (" ".join(map(str, found.shape)), found.tobytes())
        return found

    def keep(self) -> None:
        """Write down what is new; where there is no room for it, it is asked again."""
        with closing(self._file), suppress(sqlite3.OperationalError), self._lock, self._file:
            rows = [(key, *answer) for key, answer in self._new.items()]
            self._file.executemany("INSERT OR IGNORE INTO answers VALUES (?, ?, ?)", rows)


@contextmanager
def answered_before(file: Path = KEPT) -> Iterator[None]:
    """Within it, the networks that the reader comes with answer as they did before. Others are asked."""
    begun, run = Networks.__init__, Networks.__dict__["_run"]
    answered, others = Answered(file, run), set[int]()

    def begin(made: Networks, folder: Path = MODELS, names: Sequence[str] = _ALL) -> None:
        files = {name: folder / f"{name}.onnx" for name in names}
        if folder == MODELS and all(file.is_file() for file in files.values()):
            begun(made, folder, ())
            vars(made)["_loaded"] = {name: Later(file) for name, file in files.items()}
        else:
            begun(made, folder, names)
            others.add(id(made))

    def ask(asked: Networks, name: str, batch: Scores) -> Scores:
        return run(asked, name, batch) if id(asked) in others else answered.run(asked, name, batch)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Networks, "__init__", begin)
        patch.setattr(Networks, "_run", ask)
        try:
            yield
        finally:
            answered.keep()
