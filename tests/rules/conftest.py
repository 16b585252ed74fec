"""Properties of the rules are held by examples, not by the clock: a busy machine is no counterexample."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("rules", deadline=None)
settings.load_profile("rules")
