"""What pytest-xdist begins as a worker: it hands its pipes to a fork of the process that has collected, and waits.

`python door.py NAME WORDS…`: NAME is where that process is met. Where it is gone, as it is where something cannot be
collected, this becomes a usual worker, `python WORDS…`, which says what is wrong.
"""

from __future__ import annotations

import os
import signal
import socket
import sys

if __name__ == "__main__":
    name, *words = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as line:
        try:
            line.connect(f"\0{name}")
            socket.send_fds(line, [b"?"], [0, 1, 2])
            forked = line.recv(1)
        except OSError:
            forked = b""
        if forked:
            os.close(0)
            os.close(1)
            line.recv(1)  # nothing comes, until the worker has ended
            os._exit(0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.execv(sys.executable, [sys.executable, *words])  # noqa: S606 - the interpreter that runs this
