"""Runs on MicroPython: the camera tray's own program with a camera that looks at files. See `camera_tray.py`.

Arguments: the folder of the program, the folder of looks and pictures, the boot id. The folder's file `now` names what
lies there: N.grey is a look (160 x 120 greys), N.jpg the picture; a missing one is a camera that fails.

A board's files are those of the present folder: a `main.py` there runs from the next restart on.
"""

import sys

sys.path.insert(0, sys.argv[1])
import main as tray


class Restart(BaseException):
    """What resets a board."""


class Machine:
    """The module `machine` of a board, as far as a tool needs it: this port's own has no `reset`."""

    @staticmethod
    def reset():
        raise Restart


sys.modules["machine"] = Machine


class FolderEyes:
    """A camera that sees what the file `now` names."""

    BLIND = 0

    def __init__(self, folder):
        self._folder = folder

    def _read(self, name):
        with open(self._folder + "/" + name, "rb") as file:
            return file.read()

    def _now(self):
        return self._read("now").decode().strip()

    def look(self):
        return self._read(self._now() + ".grey")

    def picture(self):
        return self._read(self._now() + ".jpg"), 1280, 720


boot_id = int(sys.argv[3])
while True:  # as a board starts anew after RESET
    try:
        tray.run(FolderEyes(sys.argv[2]), tray.Console(sys.stdin.buffer, sys.stdout.buffer), 0xCA3E7A, boot_id)
    except Restart:
        sys.path[0] = ""
        del sys.modules["main"]
        import main as tray
    boot_id += 1
