"""The file of taught dice while people mend it by hand: noticed, read anew, and nothing lost on either side."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from firmware_bridge.errors import TaughtError
from firmware_bridge.taught import TaughtDice, TaughtDie, read, written
from firmware_bridge.taught_file import LOOK_INTERVAL, TaughtFile
from rules.dice import DieKind

RED = TaughtDie("Red", DieKind.D6, (1, 2, 3, 4, 5, 6))
BLUE = TaughtDie("Blue", DieKind.CHALLENGE, (11, 12, 13, 14, 15, 16))
GREEN = TaughtDie("Green", DieKind.D6, (21, 22, 23, 24, 25, 26))


class Watched:
    """A file with RED and BLUE that is in use, and how often its listener was told."""

    def __init__(self, folder: Path) -> None:
        self.path, self.now, self.told = folder / "dice.toml", 0.0, 0
        self.file = TaughtFile(self.path, clock=lambda: self.now)
        self.file.load()
        self.file.change(lambda _: TaughtDice((RED, BLUE)))
        self.file.listen(self._count)

    def _count(self) -> None:
        self.told += 1

    def by_hand(self, *dice: TaughtDie) -> None:
        self.path.write_text(written(TaughtDice(dice)) + "# mine\n", encoding="utf-8")

    def dice(self) -> tuple[TaughtDie, ...]:
        return self.file.taught.dice

    def kept(self, name: str = "dice.toml") -> tuple[TaughtDie, ...]:
        return read((self.path.parent / name).read_text(encoding="utf-8")).dice


def test_what_a_hand_adds_is_not_written_over(tmp_path: Path) -> None:
    one = Watched(tmp_path)
    one.by_hand(RED, BLUE, GREEN)
    one.file.change(lambda taught: taught.renamed(RED.die_id, "Ruby"))
    assert [die.name for die in one.kept()] == ["Ruby", "Blue", "Green"]
    assert one.told == 1
    assert [path.name for path in tmp_path.iterdir()] == ["dice.toml"]


def test_what_a_hand_takes_away_is_kept_beside(tmp_path: Path) -> None:
    one = Watched(tmp_path)
    one.by_hand(RED)
    one.file.refresh()
    assert one.dice() == (RED,)
    assert one.file.noticed.endswith("Another or gone: Blue. The dice as they were before are in dice.before-1.toml.")
    assert one.kept("dice.before-1.toml") == (RED, BLUE)
    one.path.unlink()
    one.file.refresh()
    assert one.dice() == ()
    assert one.kept("dice.before-2.toml") == (RED,)
    one.file.change(lambda taught: taught.with_die(GREEN))
    assert one.file.noticed == ""
    assert one.told == 3


def test_an_edit_is_noticed_while_the_dice_are_asked_for_but_the_disk_is_left_in_peace(tmp_path: Path) -> None:
    one = Watched(tmp_path)
    one.by_hand(RED, BLUE, GREEN)
    assert one.file.current().dice == (RED, BLUE)
    one.now += LOOK_INTERVAL
    assert one.file.current().dice == (RED, BLUE, GREEN)
    assert one.file.noticed == "The file of taught dice was changed by hand and has been read anew."
    one.now += LOOK_INTERVAL
    one.path.touch()
    assert one.file.current().dice == (RED, BLUE, GREEN)
    assert one.told == 1, "a file that says the same is no news"


def test_a_mistake_by_hand_stops_writing_until_it_is_mended(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    one = Watched(tmp_path)
    broken = one.path.read_text(encoding="utf-8").replace("face = 2", "face = 9", 1)
    one.path.write_text(broken, encoding="utf-8")
    for _ in range(3):
        one.file.refresh()
    assert "die 1 (Red), tag 2: a d6 has no face 9" in str(one.file.trouble)
    assert one.dice() == (RED, BLUE)
    for _ in range(2):
        with pytest.raises(TaughtError, match="no face 9") as refused:
            one.file.change(lambda taught: taught.without(BLUE.die_id))
    assert one.path.read_text(encoding="utf-8") == broken
    assert refused.value.remedy.endswith("The dice as they were before are in dice.before-1.toml.")
    assert one.kept("dice.before-1.toml") == (RED, BLUE), "they would be in memory alone"
    assert (one.told, len(caplog.records)) == (1, 1)
    one.by_hand(RED, BLUE)
    one.file.refresh()
    assert one.file.trouble is None
    assert one.told == 2
    one.path.write_bytes(b"\xff")
    one.file.refresh()
    assert len(list(tmp_path.glob("dice.before-*.toml"))) == 1, "those are kept already"
    one.by_hand(RED, BLUE)
    one.file.change(lambda taught: taught.without(BLUE.die_id))
    assert one.kept() == (RED,)


def test_dice_that_cannot_be_put_beside_are_not_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = Watched(tmp_path)
    one.by_hand(RED)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        one.file.refresh()
        assert "dice.before-1.toml cannot be written: No space left on device" in str(one.file.trouble)
        with pytest.raises(TaughtError, match="No space left"):
            one.file.change(lambda taught: taught.with_die(GREEN))
    assert one.dice() == (RED, BLUE)
    one.file.refresh()
    assert (one.dice(), one.kept("dice.before-1.toml")) == ((RED,), (RED, BLUE))


def test_what_is_no_file_under_the_name_beside_blocks_no_edit(tmp_path: Path) -> None:
    one = Watched(tmp_path)
    (tmp_path / "dice.before-1.toml").mkdir()
    (tmp_path / "dice.before-2.toml").symlink_to("nowhere")
    one.by_hand(RED)
    one.file.refresh()
    assert (one.dice(), one.file.trouble) == ((RED,), None)
    assert one.kept("dice.before-3.toml") == (RED, BLUE)


def test_a_disk_that_is_full_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = Watched(tmp_path)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TaughtError, match="cannot be written: No space left"):
        one.file.change(lambda taught: taught.with_die(GREEN))
    assert one.kept() == one.dice() == (RED, BLUE)
    assert [path.name for path in tmp_path.iterdir()] == ["dice.toml"]


def test_a_file_that_comes_later_is_read_without_a_word_of_loss(tmp_path: Path) -> None:
    file = TaughtFile(tmp_path / "dice.toml")
    assert file.load().dice == ()
    (tmp_path / "dice.toml").write_text(written(TaughtDice((RED,))), encoding="utf-8")
    file.refresh()
    assert file.taught.dice == (RED,)
    assert [path.name for path in tmp_path.iterdir()] == ["dice.toml"]
