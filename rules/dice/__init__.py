"""Dice and readings: the vocabulary that every part of trueroll shares. Nothing of the game.

Enters: what a camera, a tray or a hand saw of dice. Leaves: kinds, faces, states and readings as values.
"""

from rules.dice.readings import (
    FACES,
    Box,
    DiceError,
    DieKind,
    DieReading,
    DieState,
    Doubt,
    Face,
    Guess,
    Reading,
    SourceKind,
    SourceState,
    SourceStatus,
    Symbol,
    as_challenge_face,
    challenge_face,
    require_face,
)

__all__ = [
    "FACES",
    "Box",
    "DiceError",
    "DieKind",
    "DieReading",
    "DieState",
    "Doubt",
    "Face",
    "Guess",
    "Reading",
    "SourceKind",
    "SourceState",
    "SourceStatus",
    "Symbol",
    "as_challenge_face",
    "challenge_face",
    "require_face",
]
