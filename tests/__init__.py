"""Tests: they mirror the folders, plus contracts/, conformance/, e2e/ and bench/."""

import os

# Tests run beside each other: threads of a library that wait for each other's part would only spin. Read at its import.
for _library in ("OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"):
    os.environ.setdefault(_library, "1")
