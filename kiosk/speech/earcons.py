"""Short sounds before results: one for each player, one for how it went. Made here from sines, no recording.

Each is gentle (soft edges, a third of full scale) and shorter than 400 ms, so that speech still starts soon. Players'
sounds differ in their interval and in their number of notes, not in pitch alone, and so can be told apart by ears that
hear high notes badly. How it went is also said: no sound is ever the only sign.
"""

from __future__ import annotations

import functools
import io
import math
import struct
import wave
from typing import Final

from kiosk.ports import Sounds
from rules.game import NarrationKind, Standing, Table, TaskPhase, Weight, is_foes, players_result, reached, weight_of

SAMPLES_PER_SECOND: Final = 22_050
"""The rate of every tone, half that of a CD: no tone is as high as that would need."""
LOUDEST: Final = 0.32
"""Of full scale: below the speech that follows."""

NOTE_SECONDS: Final = 0.11
"""How long a note sounds."""
_EDGE_SECONDS: Final = 0.012
"""How long a note takes to rise and to fall: without it a loudspeaker clicks."""

_A3: Final = 220.0
"""The frequency of the note A3, in hertz."""
_OVERTONES: Final = ((1, 1.0), (2, 0.28), (3, 0.08))
"""Each partial of a note, by its multiple of the note's frequency and its loudness."""

_PLAYERS: Final[tuple[tuple[int, ...], ...]] = (
    (12,),
    (7, 14),
    (14, 7),
    (10, 10, 10),
    (5, 9, 12),
    (12, 9, 5),
    (3, 15),
    (15, 3),
)
"""Notes of each player's sound in half tones above A3; beyond the eighth player they come again."""

_HOW: Final[dict[str, tuple[int, ...]]] = {
    "success": (12, 19),
    "triumph": (12, 19, 24),
    "failure": (8, 1),
    "success-complication": (12, 19, 6),
    "failure-complication": (8, 1, 2),
    "npc-success": (3, 3, 3),
    "npc-failure": (3, 3),
}
"""Notes that tell how it went: up or down, and a third one beside the chord for a Complication; a triumph climbs on.

Of an NPC against the players the same low note again and again: neither a cheer nor a loss of the table's.
"""

NAMES: Final = (*(f"player-{place + 1}" for place in range(len(_PLAYERS))), *_HOW)
"""Every sound by its name."""


def sounds_of(table: Table, kind: NarrationKind | None) -> Sounds:
    """The sounds of the last outcome of `table`, of an Opposed Task the players'; none without an outcome.

    While the other side has yet to throw, none tells how it went.
    """
    task = players_result(table)
    if kind is not NarrationKind.OUTCOME or task is None or task.outcome is None:
        return Sounds()
    actor = next((one for one in table.characters if one.character_id == task.declaration.character_id), None)
    player = ""
    if actor is not None and actor.standing is Standing.PLAYER:
        places = [place for place, one in enumerate(table.players) if one.player_id == actor.player_id]
        player = f"player-{places[0] % len(_PLAYERS) + 1}" if places else ""
    if task.phase is TaskPhase.AWAITING_OPPOSITION:
        return Sounds(player)
    how = "success" if reached(task) else "failure"
    if is_foes(task, table):
        return Sounds(player, f"npc-{how}")
    if weight_of(task) is Weight.TRIUMPH:
        return Sounds(player, "triumph")
    return Sounds(player, f"{how}-complication" if task.complications_open else how)


SILENCE: Final = "silence"
"""A silent sound: a browser that was allowed to play it on a tap may play others later without one."""


@functools.cache
def sound(name: str) -> bytes:
    """The sound of that name, or silence, as a WAV (mono, 16 bit). Raises KeyError for an unknown name."""
    if name == SILENCE:
        return _wav([0.0] * int(NOTE_SECONDS * SAMPLES_PER_SECOND))
    if name not in NAMES:
        raise KeyError(name)
    notes = _HOW[name] if name in _HOW else _PLAYERS[NAMES.index(name)]
    return _wav([sample for note in notes for sample in _note(_A3 * 2 ** (note / 12))])


def together(names: tuple[str, ...]) -> bytes:
    """The sounds of those names one after the other as one WAV; empty for none."""
    return _wav([sample for name in names for sample in _samples(sound(name))]) if names else b""


def _note(hertz: float) -> list[float]:
    length = int(NOTE_SECONDS * SAMPLES_PER_SECOND)
    edge = int(_EDGE_SECONDS * SAMPLES_PER_SECOND)
    whole = sum(part for _, part in _OVERTONES)

    def at(place: int) -> float:
        turn = 2 * math.pi * hertz * place / SAMPLES_PER_SECOND
        tone = sum(part * math.sin(times * turn) for times, part in _OVERTONES) / whole
        swell = min(1.0, place / edge, (length - place) / edge)
        return LOUDEST * swell * math.exp(-2.5 * place / length) * tone

    return [at(place) for place in range(length)]


def _wav(samples: list[float]) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as made:
        made.setnchannels(1)
        made.setsampwidth(2)
        made.setframerate(SAMPLES_PER_SECOND)
        made.writeframes(struct.pack(f"<{len(samples)}h", *(round(32_767 * one) for one in samples)))
    return out.getvalue()


def _samples(made: bytes) -> list[float]:
    with wave.open(io.BytesIO(made)) as opened:
        frames = opened.readframes(opened.getnframes())
    return [one / 32_767 for one in struct.unpack(f"<{len(frames) // 2}h", frames)]
