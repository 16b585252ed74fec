"""The sounds before results: short, soft, told apart, and only where somebody's result is told."""

from __future__ import annotations

import io
import itertools
import struct
import wave

import pytest

from kiosk.ports import Sounds
from kiosk.speech.earcons import LOUDEST, NAMES, SILENCE, sound, sounds_of, together
from rules.conflict.rounds import BeginTurn, Entrant, StartConflict
from rules.deciding.telling import NarrationKind
from rules.state.vocabulary import ConflictKind, Side, Standing
from rules.tasks.settling import FinishSpending
from tests.rules.brawl import Brawl
from tests.rules.tabletop import Game

LONGEST_SECONDS = 0.4
"""The longest that all notes of one outcome may take: speech waits for them."""


def samples(wav: bytes) -> list[int]:
    with wave.open(io.BytesIO(wav)) as opened:
        assert (opened.getnchannels(), opened.getsampwidth()) == (1, 2)
        assert opened.getnframes() / opened.getframerate() <= LONGEST_SECONDS
        frames = opened.readframes(opened.getnframes())
    return list(struct.unpack(f"<{len(frames) // 2}h", frames))


@pytest.mark.parametrize("name", NAMES)
def test_each_is_short_soft_and_does_not_click(name: str) -> None:
    heard = samples(sound(name))
    assert 0.1 * 32_767 < max(map(abs, heard)) <= LOUDEST * 32_767
    assert abs(heard[0]) < 40
    assert abs(heard[-1]) < 40
    assert max(abs(after - before) for before, after in itertools.pairwise(heard)) < 3_000


def test_silence_is_silent() -> None:
    assert not any(samples(sound(SILENCE)))


def test_no_two_are_alike() -> None:
    assert len({sound(name) for name in NAMES}) == len(NAMES)
    lengths = [len(samples(sound(name))) for name in NAMES if name.startswith("player")]
    assert len(set(lengths)) >= 3, "their rhythms differ too"


def test_one_after_the_other() -> None:
    both = together(("player-2", "success"))
    with wave.open(io.BytesIO(both)) as opened:
        whole = opened.getnframes()
    assert whole == len(samples(sound("player-2"))) + len(samples(sound("success")))
    assert together(()) == b""


def test_an_unknown_sound_is_named() -> None:
    with pytest.raises(KeyError, match="gong"):
        sound("gong")


def test_a_result_sounds_by_its_player_and_how_it_went() -> None:
    game = Game()
    assert sounds_of(game.table, NarrationKind.OUTCOME) == Sounds()
    game.declare(game.lindqvist, difficulty=1)
    assert sounds_of(game.table, NarrationKind.DECLARED) == Sounds()
    game.throw(2, 20)
    told = sounds_of(game.table, game.last_said.kind)
    assert told == Sounds("player-2", "success-complication")
    assert told.wanted(earcons=True, tones=False) == ("player-2",)
    assert told.wanted(earcons=False, tones=True) == ("success-complication",)
    assert told.wanted(earcons=False, tones=False) == ()
    game.do(FinishSpending())
    assert sounds_of(game.table, game.last_said.kind) == Sounds(), "what follows is no result"


def test_a_triumph_has_a_sound_of_its_own() -> None:
    game = Game()
    game.declare(game.lindqvist, difficulty=1)
    game.throw(1, 1)
    assert sounds_of(game.table, game.last_said.kind) == Sounds("player-2", "triumph")


def test_the_gamemasters_character_has_no_players_sound() -> None:
    game = Game()
    game.declare(game.brack, difficulty=5)
    game.throw(19, 18)
    assert sounds_of(game.table, game.last_said.kind) == Sounds("", "npc-failure"), "nor the sound of a player's"
    game.declare(game.brack, difficulty=1)
    game.throw(1, 1)
    assert sounds_of(game.table, game.last_said.kind) == Sounds("", "npc-success")


def test_an_npc_on_the_players_side_sounds_as_a_player_does() -> None:
    fight = Brawl()
    fight.save(fight.brack, "Brack", standing=Standing.NOTABLE_NPC, weapons=("phaser_type_2",))
    sides = {fight.okafor: None, fight.guard: None, fight.brack: Side.PC}
    seats = tuple(Entrant(combatant_id=one, side=side) for one, side in sides.items())
    fight.do(StartConflict(kind=ConflictKind.PERSONAL, combatants=seats, begins=fight.brack))
    fight.do(BeginTurn(combatant_id=fight.brack))
    fight.attack(fight.brack, fight.guard, "phaser_type_2")
    fight.throw(1, 1)
    assert sounds_of(fight.table, NarrationKind.OUTCOME).how == "success"
