"""Sent to each worker in place of pytest-xdist's own code: what is forked has collected, else the usual goes on."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

if __name__ == "__channelexec__":
    given = {"__name__": __name__, "channel": globals()["channel"]}  # by execnet, to what it runs
    origin = sys.modules.get("tests.forked.origin")
    if origin is not None:
        origin.work(given["channel"])
    else:
        found = find_spec("xdist")  # unloaded: pytest wants to be the first that loads its plugins
        assert found is not None
        assert found.origin is not None
        exec(Path(found.origin).with_name("remote.py").read_text(), given)  # noqa: S102 - as execnet does
