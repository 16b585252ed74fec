"""Measuring: repeat, take the median and a high percentile, put them into words with their unit."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Row:
    """One measured thing: what, and its figure in words with a unit."""

    what: str
    figure: str


def each(repeat: int, action: Callable[[], object]) -> list[float]:
    """Seconds that each of `repeat` calls of `action` took."""
    taken = []
    for _ in range(repeat):
        start = time.perf_counter()
        action()
        taken.append(time.perf_counter() - start)
    return taken


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0 to 1) of `values` lie, nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]


def milliseconds(values: Sequence[float]) -> str:
    """`median 1.2 ms, p99 3.4 ms`."""
    return f"median {statistics.median(values) * 1e3:.2f} ms, p99 {percentile(values, 0.99) * 1e3:.2f} ms"


def against(figure: str, value: float, mark: float, unit: str) -> str:
    """The figure with its mark, the most that `value` may be, and whether it is held: `…; mark 150 kB: held`."""
    verdict = "held" if value <= mark else f"missed, {value:.3g} {unit}"
    return f"{figure}; mark {mark:g} {unit}: {verdict}"


def machine() -> str:
    """The machine in general words."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    name = next((line.partition(":")[2].strip() for line in lines if line.startswith(("model name", "Model"))), "")
    cores = sum(line.startswith("processor") for line in lines)
    return f"{name or platform.machine()}, {cores} cores, Python {platform.python_version()}"


def resident_megabytes(pid: int) -> float:
    """Resident memory of a process in MB (10^6 bytes)."""
    return _megabytes(pid, "VmRSS:")


def processor_seconds(pid: int) -> float:
    """What a process has had of the processor so far, in seconds: what other programs took does not count."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_megabytes(pid: int) -> float:
    """The most resident memory that a process has had, in MB (10^6 bytes)."""
    return _megabytes(pid, "VmHWM:")


def _megabytes(pid: int, field: str) -> float:
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024 / 1e6
    raise LookupError(f"process {pid} is gone")
