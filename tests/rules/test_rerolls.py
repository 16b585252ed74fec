from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import Refusal
from rules.tasks.rerolls import ANY_NUMBER, replace_faces, rerollable_dice


@pytest.mark.parametrize(
    ("aim", "qualities", "dice"),
    [
        (False, (), 0), (True, (), 1), (True, ("accurate",), ANY_NUMBER), (False, ("accurate",), 0),
        (True, ("inaccurate",), 0), (True, ("charge", "hidden"), 1),
    ],
)  # fmt: skip
def test_aim_lets_that_many_dice_be_thrown_again(qualities: tuple[str, ...], dice: int | None, *, aim: bool) -> None:
    """TASK-12, QUAL-1, QUAL-7."""
    assert rerollable_dice(aim=aim, qualities=qualities) == dice


def test_the_new_value_stands_even_if_worse() -> None:
    """TASK-12."""
    assert replace_faces((3, 20), (0,), (19,), "TASK-12") == (19, 20)


@given(st.data(), st.lists(st.integers(1, 20), min_size=1, max_size=5))
def test_dice_that_are_not_chosen_stay(data: st.DataObject, faces: list[int]) -> None:
    """TASK-12."""
    chosen = data.draw(st.lists(st.integers(0, len(faces) - 1), min_size=1, unique=True))
    new = data.draw(st.lists(st.integers(1, 20), min_size=len(chosen), max_size=len(chosen)))
    after = replace_faces(faces, chosen, new, "TASK-12")
    assert [after[place] for place in chosen] == new
    assert [face for place, face in enumerate(after) if place not in chosen] == [
        face for place, face in enumerate(faces) if place not in chosen
    ]


def test_a_refusal_names_the_rule_it_was_asked_under() -> None:
    """TASK-12."""
    with pytest.raises(Refusal, match="2 dice are thrown again, 1 came") as refused:
        replace_faces((3, 20), (0, 1), (19,), "TASK-12")
    assert refused.value.rule == "TASK-12"
