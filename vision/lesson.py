"""The lesson before: what is said otherwise of the same die in the same throw takes its place."""

from __future__ import annotations

from dataclasses import replace

from rules.dice import Box, Face
from vision.own_dice import OwnDie

Where = tuple[str, Box | None, str]
"""The throw's name, the die's box in it, and which taught die it is said to be."""


class LastLesson:
    """Keeps a taught die as it was before its last lesson: a slip of the finger is mended by saying it right."""

    def __init__(self) -> None:
        """Begin without one."""
        self._where: Where | None = None
        self._before: OwnDie | None = None
        self._face: Face | None = None

    def start_from(self, die: OwnDie, where: Where, face: Face) -> OwnDie:
        """What is to learn that it shows `face`: `die`, or what it was before it learnt another face just there."""
        if where != self._where or self._before is None:
            self._where, self._before = where, die
        elif face != self._face:
            die = replace(self._before, name=die.name)
        self._face = face
        return die
