"""Sets up this machine's voice: the program, the output, and a voice for each language."""

from __future__ import annotations

from collections.abc import Mapping

from kiosk.config import Config
from kiosk.i18n.room import Room
from kiosk.ports import ENGLISH, ROOM, Length, Manner
from kiosk.sources import Sources
from kiosk.speech.sayable import sayable
from kiosk.speech.speech import (
    EspeakSpeaker,
    VoiceSettings,
    find_player,
    find_program,
    has_sound_output,
    in_manner,
    synthesise,
)
from kiosk.speech.voice import QueuedVoice
from kiosk.storage.preferences import PreferencesFile
from rules.dice import SourceState
from rules.words import say, translated


def open_voice(config: Config, sources: Sources, file: PreferencesFile, room: Room) -> QueuedVoice:
    """This machine's voice, which may be silent; its state is reported among the parts."""
    wanted, chosen = config.voice, file.load()
    length, muted, manner = chosen.length or wanted.length, bool(chosen.muted), chosen.manner or ROOM
    voices = voices_of(config)

    def keep(length: Length, muted: bool, manner: Manner) -> None:  # noqa: FBT001  # as `QueuedVoice` calls it
        file.change(length=length, muted=muted, manner=manner)

    def settings(manner: Manner, language: str) -> VoiceSettings:
        voice = voices.get(language, language)
        usual = VoiceSettings(voice=voice, words_per_minute=wanted.rate, loudness=wanted.loudness)
        return in_manner(usual, manner)

    program = find_program()
    if program is None:
        sources.set(
            "voice",
            SourceState.ABSENT,
            say("There is no voice; captions are shown."),
            say("To hear outcomes, install espeak-ng."),
        )
        return QueuedVoice(speaker=None, synthesise=None, length=length, muted=muted, manner=manner, keep=keep)
    speaker = None
    if not wanted.enabled:
        sources.set("voice", SourceState.OFF, say("The kiosk's speaker is switched off in the settings."))
    elif not has_sound_output():
        sources.set(
            "voice",
            SourceState.ABSENT,
            say("There is no sound output; phones can still speak."),
            say("To hear outcomes in the room, connect a speaker."),
        )
    else:
        speaker = EspeakSpeaker(
            program, lambda: settings(file.load().manner or ROOM, room.language.code), player=find_player()
        )
        sources.set("voice", SourceState.READY, say("Outcomes are spoken."))
    return QueuedVoice(
        speaker=speaker,
        synthesise=lambda text, manner, language: synthesise(
            program, settings(manner, language), sayable(text, room.languages.language(language).catalog)
        ),
        length=length,
        muted=muted,
        manner=manner,
        keep=keep,
        words=lambda text: sayable(translated(text, room.language.catalog), room.language.catalog),
    )


def voices_of(config: Config) -> Mapping[str, str]:
    """The espeak-ng voice of each language that the settings name one for; any other goes by its own name."""
    return {ENGLISH: config.voice.voice, **dict(one.split("=", 1) for one in config.language.voices)}
