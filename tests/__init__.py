"""Tests: they mirror the folders, plus contracts/, conformance/, e2e/ and bench/."""
