"""A die that counts, of whatever throw."""

from __future__ import annotations

from dataclasses import dataclass

from rules.dice import DieKind, Face, SourceKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrownDie:
    """A die that counts: what it shows, and where the value came from. `fixed` marks the Determination die.

    `weak`: its value came without a check against damage on the way (`DieReading.weak`), and no person gave it since.
    """

    kind: DieKind
    face: Face
    source: SourceKind
    picture: str | None = None
    corrected: bool = False
    fixed: bool = False
    weak: bool = False
