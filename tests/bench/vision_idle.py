"""What a camera costs while the dice lie still: `python -m tests.bench.vision_idle`.

A network camera is played by a process of its own, so that sending is not counted: 1280 x 720 pictures of one tray,
each with other noise. A watcher with the kiosk's own reader looks on; counted is this process's time on all cores.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import cycle
from multiprocessing.connection import Connection

import numpy as np

from rules.dice import DieKind, SourceState, SourceStatus
from tests.bench.measure import machine
from vision.frames.pictures import encode_jpeg
from vision.read.reader import load_reader
from vision.training.scenes import scene
from vision.watch.thresholds import CALM_AFTER
from vision.watch.watcher import Watcher

SEED = 970_000
PICTURES = 12
NOISE = 2.0


def pictures() -> list[bytes]:
    """JPEG pictures of five d20s that lie still, seen by a camera with some noise."""
    rng = np.random.default_rng(SEED)
    still = scene(SEED, (DieKind.D20,) * 5).picture.astype(np.float32)
    noisy = (still + rng.normal(0.0, NOISE, still.shape) for _ in range(PICTURES))
    return [encode_jpeg(np.clip(one, 0, 255).astype(np.uint8)) for one in noisy]


def send(fps: float, told: Connection) -> None:
    """Be a network camera until the process is ended; the port is told to whoever started it."""
    parts = pictures()

    class Camera(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            due = time.monotonic()
            for part in cycle(parts):
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(part)}\r\n\r\n"
                self.wfile.write(head.encode() + part + b"\r\n")
                due += 1 / fps
                time.sleep(max(0.0, due - time.monotonic()))

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the library's
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Camera) as server:
        told.send(server.server_address[1])
        server.serve_forever()


@contextmanager
def camera(fps: float) -> Iterator[str]:
    """The address of a network camera that shows a tray at rest."""
    here, there = multiprocessing.Pipe()
    sender = multiprocessing.get_context("spawn").Process(target=send, args=(fps, there), daemon=True)
    sender.start()
    try:
        yield f"http://127.0.0.1:{here.recv()}/stream"
    finally:
        sender.terminate()
        sender.join()


def share_of_a_core(fps: float, seconds: float) -> float:
    """The share of a core that watching takes at rest, over that number of seconds.

    Raises `RuntimeError` where the camera is not watched all the while.
    """
    settled = threading.Event()
    told: list[SourceStatus] = []
    with ExitStack() as stack:
        watcher = Watcher(stack.enter_context(camera(fps)), reader=load_reader(), start_id="bench")
        stack.callback(watcher.stop)
        watcher.start(lambda _: settled.set(), told.append)
        if not settled.wait(60):
            raise RuntimeError("The dice were never read.")
        time.sleep(CALM_AFTER + 1)
        before = watcher.newest()
        begun, cost = time.monotonic(), time.process_time()
        time.sleep(seconds)
        share = (time.process_time() - cost) / (time.monotonic() - begun)
        if watcher.newest() is before or told[-1].state is not SourceState.READY:
            raise RuntimeError(f"The camera was lost meanwhile: {told[-1].what}")
    return share


def main(arguments: Sequence[str]) -> int:
    """Measure and tell. Returns 0 where the mark of 5 % is kept, 1 otherwise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fps", type=float, nargs="+", default=[10.0, 20.0, 30.0], help="pictures a second sent")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long to measure")
    asked = parser.parse_args(arguments)
    kept = True
    for fps in asked.fps:
        share = share_of_a_core(fps, asked.seconds)
        kept = kept and share < 0.05
        print(f"{fps:g} pictures a second, at rest: {share:.1%} of a core ({machine()})")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
