"""The room as a listener: the language of the table's screen and of the speaker, chosen once and kept."""

from __future__ import annotations

import threading

from kiosk.errors import WireError
from kiosk.i18n.languages import Languages
from kiosk.ports import ENGLISH, Language
from kiosk.storage.preferences import PreferencesFile
from rules.words import say


class Room:
    """Knows the room's language as the settings have it and as people have chosen it since, and keeps the choice.

    `setting` is empty where the settings leave it open; a language that is not there counts as left open.
    """

    def __init__(
        self, languages: Languages | None = None, setting: str = "", file: PreferencesFile | None = None
    ) -> None:
        self.languages = languages or Languages()
        self._file = file
        self._lock = threading.Lock()
        chosen = file.load().language if file is not None else None
        self._chosen = next((code for code in (chosen, setting) if code and code in self.languages), "")

    @property
    def chosen(self) -> str:
        """The code of the language chosen for the room; empty where nobody chose, which means English."""
        return self._chosen

    @property
    def language(self) -> Language:
        """The room's language."""
        return self.languages.language(self._chosen or ENGLISH)

    def choose(self, code: str) -> None:
        """Let the room be in that language from now on, and keep it. Raises `WireError` where there is no such one."""
        if code not in self.languages:
            raise WireError(say("Choose a language from the list."), "$.language")
        with self._lock:
            self._chosen = code
            if self._file is not None:
                self._file.change(language=code)
