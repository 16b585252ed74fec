"""What templates are given of a view is what it would be made into now, however much of it was kept."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, Final

import msgspec
import pytest

from kiosk.i18n.current import page_catalog
from kiosk.ports import SOURCE_LANGUAGE
from kiosk.storage.wire import in_words_of
from kiosk.views.spoken import SpokenViews
from rules.game import Refusal, Ruleset, Undo
from rules.setup.setting_up import SetUpTable
from rules.tasks.traits import AddTrait
from rules.words import alike
from tests.kiosk.desk import LANGUAGES, Desk, StillClock
from tests.kiosk.memory_journal import MemoryJournal
from tests.recorded.plays import fighting
from tests.rules.tabletop import Game
from tests.rules.wild import fight_on_foot, ship_duel

MOVES: Final = 24


@pytest.mark.parametrize(
    ("scene", "ruleset", "seed"),
    [
        (fight_on_foot, Ruleset.CORE_1E, 11),
        (fight_on_foot, Ruleset.SECOND_EDITION, 12),
        (ship_duel, Ruleset.CORE_1E, 13),
        (ship_duel, Ruleset.SECOND_EDITION, 14),
    ],
)
def test_a_view_is_as_it_would_be_made_now(scene: Callable[[Ruleset], Game], ruleset: Ruleset, seed: int) -> None:
    game, journal, chance = scene(ruleset), MemoryJournal(StillClock()), Random(seed)  # noqa: S311 - the course of play
    for decision in game.decisions:
        journal.append(decision)
    catalogs = [page_catalog(one) for one in (SOURCE_LANGUAGE, LANGUAGES.language("de"))]
    spoken = [SpokenViews(one) for one in catalogs]
    with Desk(journal=journal) as desk:
        for move in range(MOVES):
            with suppress(Refusal):
                asked = Undo() if move % 6 == 5 else fighting(desk.views.present().table, chance)
                desk.engine.submit(asked, "test")
            view = desk.views.current()
            for made, catalog in zip(spoken, catalogs, strict=True):
                whole: dict[str, Any] = msgspec.to_builtins(view, enc_hook=in_words_of(catalog))
                found = made.of(view)
                assert list(found) == list(whole)
                assert alike(found, whole), move


def test_what_did_not_change_is_kept() -> None:
    spoken = SpokenViews(page_catalog(SOURCE_LANGUAGE))
    with Desk() as desk:
        desk.engine.submit(SetUpTable(ruleset=Ruleset.CORE_1E, players=("Ada",)), "test")
        desk.engine.submit(AddTrait(name="Fog"), "test")
        before = spoken.of(desk.views.current())["table"]
        desk.engine.submit(AddTrait(name="Rain"), "test")
        after = spoken.of(desk.views.current())["table"]
    assert after["characters"] is before["characters"]
    assert [one["name"] for one in after["traits"]] == ["Fog", "Rain"]
