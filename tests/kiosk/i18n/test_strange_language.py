"""What the kiosk shows and says is in the listener's language, restarts included: only names stay English."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from kiosk.engine import NarrationRecord, Present
from kiosk.settings import DisplaySettings
from kiosk.sources import Sources
from kiosk.storage.wire import event_of, kept_event
from kiosk.views.screen import ScreenKeeper
from kiosk.views.view import Views
from rules.deciding.decision import Command, Event
from rules.deciding.telling import Narration
from rules.history import History
from rules.narrate import narrate
from rules.words import Phrase, spoken
from tests.kiosk.desk import SilentVoice
from tests.kiosk.strange import STRANGE, english_in, read_texts
from tests.stories import test_boarding, test_duel, test_phaser_fight, test_pursuit
from tests.stories.telling import Story


@dataclass
class Told:
    """Stands for the engine: what a story has come to."""

    now: Present
    trouble: str | None = None

    def present(self) -> Present:
        return self.now

    def narration(self, _: str) -> Narration | None:
        """Nothing but what was said last is kept here."""
        return None


def view_of(history: History, events: tuple[Event, ...], before: History) -> dict[str, Any]:
    narration = narrate(before.present, events, history.present)
    said = NarrationRecord("1", narration) if narration is not None else None
    engine = Told(Present(1, history, said))
    views = Views(engine, SilentVoice(), Sources(), ScreenKeeper(DisplaySettings()), demo=False)  # type: ignore[arg-type]  # it has what is asked
    found: dict[str, Any] = msgspec.json.decode(views.json(STRANGE)[0])
    return found


def names_in(history: History) -> frozenset[str]:
    table = history.present
    people = [one.name for one in table.characters] + [one.name for one in table.ships]
    people += [one.name for one in table.players] + [one.name for one in table.traits]
    typed = [weapon.name for ship in table.ships for weapon in ship.weapons]
    typed += [value.text for one in table.characters for value in one.values]
    typed += [one.label for one in table.extended]
    typed += [one.declaration.label for one in (table.task, table.last_task) if one is not None]
    typed = [one for one in typed if not isinstance(one, Phrase)]
    everything = {*people, *typed, table.scene_name, "Conn", "d20"}
    return frozenset({*everything, *(spoken(one) for one in everything)} - {""})


STORIES: dict[str, tuple[Callable[[], Story], Callable[..., None]]] = {
    "boarding": (test_boarding.Boarding, test_boarding.tell),
    "duel": (test_duel.Duel, test_duel.tell),
    "phaser fight": (test_phaser_fight.PhaserFight, test_phaser_fight.tell),
    "pursuit": (test_pursuit.Pursuit, test_pursuit.tell),
}


@pytest.mark.parametrize("restarts", [pytest.param(False, marks=pytest.mark.long), True])
@pytest.mark.parametrize("name", STORIES)
def test_a_story_in_another_language_leaves_nothing_but_names_in_english(
    name: str,
    restarts: bool,  # noqa: FBT001 - a case
    monkeypatch: pytest.MonkeyPatch,
    *,
    whole: bool,
) -> None:
    """In the short form at every second decision; what is said of the others is looked at in the long form."""
    make, tell = STORIES[name]
    plain: Callable[[Story, Command], tuple[Event, ...]] = Story.do
    found: dict[str, str] = {}
    shown: list[str] = []
    decided: list[Command] = []

    def do(game: Story, command: Command) -> tuple[Event, ...]:
        before = game.history if hasattr(game, "history") else None
        events = plain(game, command)
        decided.append(command)
        if events and before is not None and (whole or len(decided) % 2):
            told = tuple(event_of(kept_event(one)) for one in events) if restarts else events
            for text in read_texts(view_of(game.history, told, before)):
                shown.append(text)
                for word in english_in(text, names_in(game.history)):
                    found.setdefault(word, text)
        return events

    monkeypatch.setattr(Story, "do", do)
    game = make()
    game.restarts = restarts
    tell(game)
    assert len(shown) > (1000 if whole else 500)
    assert found == {}
