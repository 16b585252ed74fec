"""espeak-ng as a program: text in, sound on the speaker or a WAV out. The only place that runs it.

Text goes in by standard input, never as an argument, so that no name can become an option.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from kiosk.ports import Manner, Timbre

LONGEST_TEXT: Final = 2_000
"""Characters spoken at most in one go: over a minute of speech, and a bound on what a page can ask for."""

SYNTHESIS_LIMIT_SECONDS: Final = 10.0
"""The time limit of the synthesiser: a sentence takes some 10 ms, so a slower one hangs."""

SPEAKING_LIMIT_SECONDS: Final = 90.0
"""The time limit of speaking: the longest text at the slowest rate ends before it."""

_WAV_HEADER_BYTES: Final = 44
"""The length of the header of a WAV file with nothing but sound."""

_REINSTALL: Final = "Install it again: sudo apt-get install --reinstall espeak-ng."
"""What to do where espeak-ng does not start."""


class SpeechError(RuntimeError):
    """Speech could not be made; the message says why and what helps. Captions are never affected."""


@dataclass(frozen=True, slots=True)
class VoiceSettings:
    """How to speak: espeak-ng's voice name, words per minute (80 to 450), loudness (0 to 200)."""

    voice: str = "en-gb"
    words_per_minute: int = 175
    loudness: int = 100


MOST_WORDS_PER_MINUTE: Final = 450
"""Faster, espeak-ng swallows words."""

LOUDEST: Final = 200
"""The most of espeak-ng's own scale, on which 100 is its usual loudness."""

_VARIANTS: Final[dict[Timbre, str]] = {"plain": "", "deep": "+m7", "bright": "+f3", "soft": "+f5"}
"""The variant of espeak-ng's voice for each timbre."""


def in_manner(usual: VoiceSettings, manner: Manner) -> VoiceSettings:
    """The voice settings for that `manner`; `usual` are those of the settings file."""
    return VoiceSettings(
        voice=usual.voice if "+" in usual.voice else usual.voice + _VARIANTS[manner.voice],
        words_per_minute=min(MOST_WORDS_PER_MINUTE, round(usual.words_per_minute * manner.rate)),
        loudness=min(LOUDEST, round(usual.loudness * manner.volume / 100)),
    )


class Utterance(Protocol):
    """Speech that has begun."""

    def wait(self) -> None:
        """Return when it has ended or was cut; raise `SpeechError` when it could not be heard."""

    def cut(self) -> None:
        """Stop now; harmless when it has ended."""


class Speaker(Protocol):
    """Something that speaks aloud."""

    def begin(self, text: str) -> Utterance:
        """Start to speak `text`; raise `SpeechError` when that is not possible."""

    def play(self, sound: bytes) -> Utterance:
        """Start to play a short WAV; raise `SpeechError` when that is not possible."""


def find_program() -> str | None:
    """Where espeak-ng is, or None."""
    return shutil.which("espeak-ng")


def find_player() -> str | None:
    """Where the program is that plays short sounds (aplay of alsa-utils), or None."""
    return shutil.which("aplay")


def has_sound_output(environment: Mapping[str, str] = os.environ, cards: Path = Path("/proc/asound/cards")) -> bool:
    """Whether this machine has a sound card or a sound server to play on.

    espeak-ng itself exits with 0 when there is none, so it cannot be asked.
    """
    try:
        if "[" in cards.read_text(encoding="utf-8", errors="replace"):
            return True
    except OSError:
        pass
    runtime = environment.get("XDG_RUNTIME_DIR")
    if not runtime:
        return False
    return any((Path(runtime) / name).exists() for name in ("pulse/native", "pipewire-0"))


def synthesise(program: str, settings: VoiceSettings, text: str) -> bytes:
    """`text` as a complete WAV file (mono, 16 bit). Raises `SpeechError`."""
    try:
        done = subprocess.run(  # noqa: S603 - a fixed program; the text goes in by standard input
            [*_command(program, settings), "--stdout"],
            input=_speakable(text).encode(),
            capture_output=True,
            timeout=SYNTHESIS_LIMIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SpeechError(
            f"espeak-ng did not answer ({error}). Reinstall it: sudo apt-get install espeak-ng."
        ) from error
    if done.returncode or len(done.stdout) < _WAV_HEADER_BYTES:
        reason = done.stderr.decode(errors="replace").strip() or f"exit status {done.returncode}"
        raise SpeechError(f"espeak-ng could not speak: {reason}. Check the voice name in the settings.")
    return _with_sizes(done.stdout)


class EspeakSpeaker:
    """Speaks through the machine's default sound output; one process an utterance."""

    def __init__(self, program: str, settings: Callable[[], VoiceSettings], player: str | None = None) -> None:
        self._program = program
        self._settings = settings
        self._player = player

    def begin(self, text: str) -> Utterance:
        """Start espeak-ng on `text`."""
        try:
            process = _started(_command(self._program, self._settings()))
        except OSError as error:
            raise SpeechError(f"espeak-ng could not be started ({error}). {_REINSTALL}") from error
        return _RunningSound(process, _speakable(text).encode())

    def play(self, sound: bytes) -> Utterance:
        """Start aplay on `sound`."""
        if self._player is None:
            raise SpeechError("Sounds before results need aplay: sudo apt-get install alsa-utils.")
        try:
            process = _started([self._player, "-q", "-"])
        except OSError as error:
            raise SpeechError(f"aplay could not be started ({error}).") from error
        return _RunningSound(process, sound)


def _started(command: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - a fixed program; what it says or plays goes in by standard input
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


class _RunningSound:
    def __init__(self, process: subprocess.Popen[bytes], given: bytes) -> None:
        self._process = process
        self._given = given
        self._cut = threading.Event()

    def wait(self) -> None:
        try:
            _, complaint = self._process.communicate(self._given, timeout=SPEAKING_LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            raise SpeechError("The sound output blocks. Check the speaker and restart the sound service.") from None
        except (OSError, ValueError) as error:
            if self._cut.is_set():
                return
            raise SpeechError(f"The sound went away ({error}).") from error
        if not self._cut.is_set() and (self._process.returncode or b"error:" in complaint):
            lines = complaint.decode(errors="replace").strip().splitlines()
            raise SpeechError(f"No sound came out ({lines[-1] if lines else 'no reason given'}). Check the speaker.")

    def cut(self) -> None:
        self._cut.set()
        if self._process.poll() is None:
            self._process.kill()


def _command(program: str, settings: VoiceSettings) -> list[str]:
    return [
        program,
        *("-v", settings.voice),
        *("-s", str(settings.words_per_minute)),
        *("-a", str(settings.loudness)),
        *("-b", "1"),
        "--stdin",
    ]


def _speakable(text: str) -> str:
    """One line without control characters; espeak-ng would read markup only with -m, which is not given."""
    return "".join(char if char.isprintable() else " " for char in text)[:LONGEST_TEXT]


def _with_sizes(stream: bytes) -> bytes:
    """Put the true lengths into the header: espeak-ng, writing to a pipe, cannot know them beforehand."""
    header = bytearray(stream[:_WAV_HEADER_BYTES])
    struct.pack_into("<I", header, 4, len(stream) - 8)
    struct.pack_into("<I", header, 40, len(stream) - _WAV_HEADER_BYTES)
    return bytes(header) + stream[_WAV_HEADER_BYTES:]
