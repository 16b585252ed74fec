"""What dice were taught: the values, their file, and teaching one step by step."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import TaughtError, TeachingRefusedError
from firmware_bridge.taught import MOST_DICE, STEPS, Meaning, TagSide, TaughtDice, TaughtDie, read, written
from firmware_bridge.taught_file import LARGEST_FILE, TaughtFile
from firmware_bridge.teaching import Teaching, TrayPlace, face_up, tag_words
from rules.dice import DieKind, Symbol
from rules.words import Phrase

D6 = TaughtDie("Small", DieKind.D6, (1, 2, 3, 4, 5, 6))
BLUE = TaughtDie("Blue", DieKind.CHALLENGE, (11, 12, 13, 14, 15, 16))
NAMES = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=40)


@st.composite
def some_dice(draw: st.DrawFn) -> TaughtDice:
    """Any dice that can have been taught."""
    kinds = draw(st.lists(st.sampled_from(DieKind), max_size=5))
    count = sum(len(STEPS[kind]) for kind in kinds)
    tags = draw(st.lists(st.integers(1, 0xFFFFFFFF), min_size=count, max_size=count, unique=True))
    names = draw(st.lists(NAMES, min_size=len(kinds), max_size=len(kinds), unique_by=str.casefold))
    dice: list[TaughtDie] = []
    for kind, name in zip(kinds, names, strict=True):
        side = TagSide.UP if kind is DieKind.CHALLENGE else draw(st.sampled_from(TagSide))
        own, tags = tags[: len(STEPS[kind])], tags[len(STEPS[kind]) :]
        dice.append(TaughtDie(name, kind, tuple(own), side))
    return TaughtDice(tuple(dice))


@given(some_dice())
def test_the_file_says_what_was_taught(taught: TaughtDice) -> None:
    again = read(written(taught))
    assert again == taught
    for die in taught.dice:
        for face, tag in die.faces():
            assert again.meaning(tag) == Meaning(die.die_id, die.kind, face, die.side)
            assert again.owner(tag) == die


GOOD = written(TaughtDice((D6, BLUE)))


@given(st.integers(0, len(GOOD)), st.integers(0, 30), st.text(max_size=10))
def test_a_damaged_file_is_read_or_refused_and_nothing_else(start: int, length: int, put: str) -> None:
    with suppress(TaughtError):
        taught = read(GOOD[:start] + put + GOOD[start + length :])
        assert read(written(taught)) == taught


@pytest.mark.parametrize(
    ("before", "after", "place"),
    [
        ("version = 1", "version = 2", r"version has to be 1, not 2"),
        ("version = 1", "version = 1\nmore = 3", r"'more' is not known here"),
        ('kind = "d6"', 'kind = "d8"', r"die 1 \(Small\): kind has to be one of d20, challenge, d6, not 'd8'"),
        ('name = "Blue"', "name = 7", r"die 2: name is missing or no text"),
        ('name = "Blue"', 'name = "small"', r"two dice are called small"),
        ('name = "Blue"', f'name = "{"x" * 41}"', r"at most 40 characters"),
        ('name = "Blue"', 'name = "B\\u202Elue"', r"die 2 \(B\\u202elue\): a die's name needs characters that"),
        ("face = 3,", "face = 9,", r"die 1 \(Small\), tag 3: a d6 has no face 9"),
        ("face = 3,", "face = 3.0,", r"die 1 \(Small\), tag 3: a d6 has no face 3.0"),
        ("face = 3,", "face = 4,", r"die 1 \(Small\): face (3 has 0|4 has 2) tags, not 1"),
        ('"00000003"', '"3"', r"die 1 \(Small\), tag 3: a tag number has 8 digits"),
        ('"00000003"', '"00000002"', r"die 1 \(Small\): tag 00000002 stands for two of its faces"),
        ('"0000000b"', '"00000003"', r"tag 00000003 of Blue belongs to Small already"),
        ('"00000003"', '"00000000"', r"0 is no tag number"),
        ('{ face = 3, tag = "00000003" },', "5,", r"die 1 \(Small\), tag 3 is not written as"),
        ('{ face = 3, tag = "00000003" },', "", r"die 1 \(Small\): face 3 has 0 tags, not 1"),
        ('challenge"\nside = "up"', 'challenge"\nside = "down"', r"die 2 \(Blue\): the tags of a Challenge"),
        ("tags = [\n  {", "taps = [\n  {", r"die 1: 'taps' is not known here"),
        ("[[die]]", "[die", r"or was changed by hand, and cannot be read: line 4 is not written as it should be"),
        (GOOD, " \n", r"taught-dice.toml is empty: what was in it is gone"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_file_is_named_with_its_place(before: str, after: str, place: str) -> None:
    assert before in GOOD
    with pytest.raises(TaughtError, match=place) as caught:
        read(GOOD.replace(before, after, 1))
    assert caught.value.remedy


def test_too_many_dice_are_refused() -> None:
    dice = tuple(
        TaughtDie(f"die {one}", DieKind.D6, tuple(range(6 * one + 1, 6 * one + 7))) for one in range(MOST_DICE + 1)
    )
    with pytest.raises(TaughtError, match="too many"):
        TaughtDice(dice)


def test_dice_are_replaced_renamed_and_forgotten() -> None:
    taught = TaughtDice((D6, BLUE))
    again = TaughtDie("Small", DieKind.D6, (2, 3, 4, 5, 6, 7))
    assert taught.with_die(again, D6.die_id).dice == (again, BLUE)
    assert taught.renamed(1, "  Wee   one ").dice[0].name == "Wee one"
    assert taught.without(1).dice == (BLUE,)
    with pytest.raises(TaughtError, match="no die 00000063"):
        taught.renamed(99, "x")
    with pytest.raises(TaughtError, match="no die 00000063"):
        taught.without(99)
    with pytest.raises(TaughtError, match="two dice are called Small"):
        taught.with_die(again)


def test_a_file_is_changed_whole_or_not_at_all(tmp_path: Path) -> None:
    file = TaughtFile(tmp_path / "folder" / "dice.toml")
    heard: list[int] = []
    file.listen(lambda: heard.append(len(file.taught.dice)))
    assert file.load() == TaughtDice()
    file.change(lambda taught: taught.with_die(D6))
    assert heard == [1]
    with pytest.raises(TaughtError):
        file.change(lambda taught: taught.with_die(D6))
    assert TaughtFile(file.path).load().dice == (D6,)
    assert sorted(path.name for path in (tmp_path / "folder").iterdir()) == ["dice.toml"]


def test_a_file_that_cannot_be_used(tmp_path: Path) -> None:
    folder, pipe, link = (tmp_path / one for one in ("dice.toml", "pipe.toml", "link.toml"))
    folder.mkdir()
    os.mkfifo(pipe)
    link.symlink_to(tmp_path / "nowhere")
    for path, words in ((folder, "is no file"), (pipe, "is no file"), (link, "is a link to a file that is not there")):
        with pytest.raises(TaughtError, match=words) as told:
            TaughtFile(path).load()
        assert "Move it away" in told.value.remedy
        with pytest.raises(TaughtError, match=words):
            TaughtFile(path).change(lambda taught: taught.with_die(D6))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dice.toml", "link.toml", "pipe.toml"]
    for content, words in (
        (b"\xff\xfe", "is damaged: what is in it is no"),
        (b"#" * (LARGEST_FILE + 1), "too large"),
    ):
        (tmp_path / "other").write_bytes(content)
        with pytest.raises(TaughtError, match=words):
            TaughtFile(tmp_path / "other").load()


def lying(*tags: int, sure: bool = True) -> list[TrayPlace]:
    return [TrayPlace(slot, tag, sure=sure, words=Phrase("it moves")) for slot, tag in enumerate(tags)]


def test_each_side_of_a_challenge_die_is_asked_for_in_words() -> None:
    teaching, asked = Teaching("Blue", DieKind.CHALLENGE), []
    for tag in range(11, 17):
        asked.append(teaching.instruction.split(" with ")[1])
        teaching = teaching.take(lying(tag), TaughtDice())
    assert asked == [
        "1 up.",
        "2 up.",
        "a blank side up.",
        "the other blank side up.",
        "an Effect up.",
        "the other Effect up.",
    ]
    assert teaching.result() == BLUE
    assert teaching.instruction == "Blue is complete."
    assert teaching.undone().instruction.startswith("Step 6 of 6")


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ([], "reads no tag"),
        (lying(50, 51), "places 1 and 2"),
        (lying(50, sure=False), "Place 1: it moves"),
        ([TrayPlace(2, None, sure=False, words=Phrase("cocked"))], "Place 3: cocked"),
        (lying(2), "just taught as 2"),
        (lying(11), "belongs to Blue already"),
    ],
)
def test_contradictory_teaching_is_refused_in_words(places: list[TrayPlace], words: str) -> None:
    teaching = Teaching("Small", DieKind.D6, tags=(1, 2))
    with pytest.raises(TeachingRefusedError, match=words) as caught:
        teaching.take(places, TaughtDice((BLUE,)))
    assert caught.value.remedy


def test_what_is_complete_or_has_not_begun() -> None:
    with pytest.raises(TeachingRefusedError, match="no step to undo"):
        Teaching("Small", DieKind.D6).undone()
    with pytest.raises(TeachingRefusedError, match="has all its sides"):
        Teaching("Small", DieKind.D6, tags=D6.tags).take(lying(9), TaughtDice())
    with pytest.raises(TaughtError, match="has 6 tags, not 2"):
        Teaching("Small", DieKind.D6, tags=(1, 2)).result()
    with pytest.raises(TeachingRefusedError, match="by the face that is up"):
        Teaching("Blue", DieKind.CHALLENGE, TagSide.DOWN)


def test_its_own_tags_may_be_taught_again() -> None:
    teaching = Teaching("Blue", DieKind.CHALLENGE, instead_of=BLUE.die_id)
    assert teaching.take(lying(14), TaughtDice((BLUE,))).tags == (14,)


@given(st.sampled_from([(DieKind.D20, 21), (DieKind.D6, 7)]), st.data())
def test_the_face_up_follows_from_the_face_down(kind: tuple[DieKind, int], data: st.DataObject) -> None:
    face = data.draw(st.integers(1, kind[1] - 1))
    up = face_up(Meaning(1, kind[0], face, TagSide.DOWN))
    assert up == kind[1] - face
    assert face_up(Meaning(1, kind[0], face, TagSide.UP)) == face


def test_a_tag_in_words() -> None:
    assert tag_words(13, TaughtDice((BLUE,))) == f"Blue, {Symbol.BLANK} up"
    assert tag_words(0xABC, TaughtDice((BLUE,))) == "tag 00000abc, not taught yet"
    assert Teaching("Small", DieKind.D6, TagSide.DOWN).instruction == "Step 1 of 6: lay down the tag for 1, alone."
