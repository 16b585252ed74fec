"""espeak-ng as it really is: the WAV it makes, what it says when it cannot, what it must never run."""

import io
import os
import stat
import wave
from pathlib import Path

import pytest

from kiosk.speech.speech import EspeakSpeaker, SpeechError, VoiceSettings, find_program, has_sound_output, synthesise


@pytest.fixture
def program() -> str:
    found = find_program()
    assert found, "espeak-ng is missing; make test installs it"
    return found


def _seconds(wav: bytes) -> float:
    with wave.open(io.BytesIO(wav)) as opened:
        samples = opened.readframes(opened.getnframes())
        assert len(samples) == opened.getnframes() * 2
        assert any(samples), "silence"
        return float(opened.getnframes() / opened.getframerate())


def test_a_sentence_becomes_a_whole_wav(program: str) -> None:
    seconds = _seconds(synthesise(program, VoiceSettings(), "Success, 2 Momentum."))
    assert 0.8 < seconds < 4


def test_more_words_a_minute_take_less_time(program: str) -> None:
    sentence = "Success. 3 successes against Difficulty 1."
    slow = _seconds(synthesise(program, VoiceSettings(words_per_minute=100), sentence))
    fast = _seconds(synthesise(program, VoiceSettings(words_per_minute=350), sentence))
    assert fast < slow / 2


def test_text_cannot_become_an_option(program: str, tmp_path: Path) -> None:
    target = tmp_path / "written.wav"
    assert _seconds(synthesise(program, VoiceSettings(), f"-w {target}")) > 0
    assert not target.exists()


def test_an_unknown_voice_is_named_as_the_cause(program: str) -> None:
    with pytest.raises(SpeechError, match="voice"):
        synthesise(program, VoiceSettings(voice="nosuch"), "hello")


def test_a_missing_program_says_how_to_get_it() -> None:
    with pytest.raises(SpeechError, match="apt-get install"):
        synthesise("/nonexistent/espeak-ng", VoiceSettings(), "hello")
    with pytest.raises(SpeechError, match="apt-get install"):
        EspeakSpeaker("/nonexistent/espeak-ng", VoiceSettings).begin("hello")


def _program(folder: Path, script: str) -> str:
    path = folder / "espeak-ng"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_exit_zero_without_sound_is_still_told(tmp_path: Path) -> None:
    complaint = _program(tmp_path, "cat >/dev/null; echo 'error: No such file or directory' >&2")
    with pytest.raises(SpeechError, match="No sound came out"):
        EspeakSpeaker(complaint, VoiceSettings).begin("hello").wait()


def test_speech_can_be_cut(tmp_path: Path) -> None:
    utterance = EspeakSpeaker(_program(tmp_path, "exec sleep 60"), VoiceSettings).begin("hello")
    utterance.cut()
    utterance.wait()


@pytest.mark.parametrize(
    ("cards", "socket", "expected"),
    [
        ("--- no soundcards ---", None, False),
        (" 0 [vc4hdmi ]: vc4-hdmi", None, True),
        (None, None, False),
        (None, "pulse/native", True),
        (None, "pipewire-0", True),
    ],
)
def test_sound_output_is_found_without_asking_espeak(
    tmp_path: Path, cards: str | None, socket: str | None, *, expected: bool
) -> None:
    listed = tmp_path / "cards"
    if cards is not None:
        listed.write_text(cards)
    if socket is not None:
        (tmp_path / socket).parent.mkdir(exist_ok=True)
        (tmp_path / socket).touch()
    assert has_sound_output({**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}, listed) is expected
