"""Rolls as the portable firmware makes them, from the reader chips' registers to the frames: throws, hands, tags."""

from __future__ import annotations

from itertools import pairwise

import pytest

from firmware_bridge.messages import (
    Die,
    KindCode,
    RollEnd,
    SideCode,
    StateCode,
    Tag,
    Taught,
)
from tests.firmware_bridge.desk import Desk, only
from tests.firmware_bridge.desk_dice import (
    CHALLENGE,
    CHALLENGE_ID,
    D6_DOWN,
    D6_ID,
    D20_DOWN,
    D20_ID,
    D20_OTHER,
    D20_UP,
    OTHER_ID,
    SHAKY,
    STRANGER,
    TEACH,
    assert_ended,
    meaning,
    shown,
    tag,
)

pytestmark = pytest.mark.slow


def test_a_throw_is_one_roll_with_every_kind_of_die() -> None:
    with Desk(TEACH) as desk:
        desk.run(500)
        told = desk.throw({0: D20_UP, 1: D20_OTHER, 2: CHALLENGE, 3: D6_DOWN})
        assert [shown(desk, slot) for slot in range(4)] == [
            (StateCode.SETTLED, 17, KindCode.D20, 1),
            (StateCode.SETTLED, 4, KindCode.D20, 1),
            (StateCode.SETTLED, 4, KindCode.CHALLENGE, 1),
            (StateCode.SETTLED, 5, KindCode.D6, 1),
        ]
        assert [desk.die(slot).die_id for slot in range(4)] == [D20_ID, OTHER_ID, CHALLENGE_ID, D6_ID]
        assert_ended(desk, 1, 0, 1, 2, 3)
        assert len(only(told, RollEnd)) == 1
        assert [one.event for one in told if isinstance(one, Die | RollEnd)] == list(range(1, 10))
        assert not desk.faults


@pytest.mark.parametrize("face", range(1, 21))
def test_the_face_up_of_a_d20_follows_from_the_face_down(face: int) -> None:
    with Desk({tag(D20_UP): meaning(D20_UP, D20_ID, KindCode.D20, face, SideCode.DOWN)}) as desk:
        desk.throw({0: D20_UP}, 1000)
        assert shown(desk, 0) == (StateCode.SETTLED, 21 - face, KindCode.D20, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        Taught(tag(D20_UP), D20_ID, KindCode.D20, 21, 0),
        Taught(tag(D20_UP), D20_ID, KindCode.D20, 0, 0),
        Taught(tag(D20_UP), D20_ID, KindCode.D20, 5, 2),
        Taught(tag(D20_UP), D20_ID, KindCode.CHALLENGE, 4, SideCode.DOWN),
        Taught(tag(D20_UP), D20_ID, KindCode.CHALLENGE, 5, 0),
        Taught(tag(D20_UP), D20_ID, KindCode.D6, 7, 0),
        Taught(tag(D20_UP), D20_ID, 4, 1, 0),
        Taught(tag(D20_UP), 0, KindCode.NOT_KNOWN, 0, 0),
    ],
)
def test_a_meaning_that_cannot_be_is_no_value(wrong: Taught) -> None:
    with Desk({wrong.tag: wrong}) as desk:
        desk.throw({0: D20_UP})
        assert shown(desk, 0) == (StateCode.FAULT, 0, KindCode.NOT_KNOWN, 1)
        assert desk.die(0).die_id == tag(D20_UP)
        assert_ended(desk, 1, 0)


def test_without_an_answer_the_die_is_a_fault_after_a_second_and_right_when_it_comes() -> None:
    with Desk(TEACH, answers=False) as desk:
        desk.run(500)
        desk.do("hit 500 100", f"tag 1 {D20_UP}")
        told = desk.run(1000)
        asked = [when for when, message in desk.heard if isinstance(message, Tag)]
        assert set(desk.of(Tag)) == {Tag(1, tag(D20_UP))}
        assert all(200 <= later - earlier <= 250 for earlier, later in pairwise(asked))
        assert not only(told, RollEnd), "it may still be answered"
        desk.run(500)
        assert shown(desk, 1)[0] is StateCode.FAULT
        assert_ended(desk, 1, 1)
        desk.say(TEACH[tag(D20_UP)])
        desk.run(100)
        assert shown(desk, 1) == (StateCode.SETTLED, 17, KindCode.D20, 1)
        assert_ended(desk, 1, 1)
        before = len(desk.of(Tag))
        desk.run(600)
        assert len(desk.of(Tag)) == before, "answered: no more questions"


def test_a_nudge_is_a_change_of_the_same_roll() -> None:
    with Desk(TEACH) as desk:
        desk.throw({0: D20_UP, 1: CHALLENGE})
        desk.do("beam 1")
        desk.run(200)
        desk.do("lift 0")
        told = desk.run(400)
        assert [one.state for one in only(told, Die)] == [StateCode.HANDLING]
        desk.do("hit 300 50", f"tag 0 {D20_DOWN}")
        assert not only(desk.run(1500), RollEnd), "the hand is still there"
        desk.do("beam 0")
        desk.run(600)
        assert shown(desk, 0) == (StateCode.SETTLED, 20, KindCode.D20, 1)
        assert_ended(desk, 1, 0, 1)


def test_a_die_put_into_another_well_by_hand_stays_in_its_roll() -> None:
    with Desk(TEACH) as desk:
        desk.throw({0: D20_UP, 1: CHALLENGE})
        desk.do("beam 1")
        desk.run(200)
        desk.do("lift 0")
        desk.run(300)
        desk.do(f"tag 3 {D20_UP}")
        desk.run(300)
        desk.do("beam 0")
        desk.run(800)
        assert shown(desk, 3) == (StateCode.SETTLED, 17, KindCode.D20, 1)
        assert shown(desk, 0)[0] is StateCode.REMOVED
        assert_ended(desk, 1, 1, 3)


def test_a_bump_that_moves_nothing_is_no_roll() -> None:
    with Desk(TEACH) as desk:
        desk.throw({0: D20_UP})
        desk.do("hit 900 200")
        assert desk.run(2000) == []


def test_taking_some_dice_ends_no_roll_and_taking_the_last_one_does() -> None:
    with Desk(TEACH) as desk:
        desk.throw({0: D20_UP, 1: CHALLENGE})
        desk.do("lift 0")
        told = desk.run(600)
        assert [(one.slot, one.state) for one in only(told, Die)] == [(0, StateCode.REMOVED)]
        assert not only(told, RollEnd)
        desk.do("lift 1")
        desk.run(600)
        assert (desk.end.count, desk.end.digest) == (0, 0xFFFF)


def test_a_die_that_lies_still_while_others_are_thrown_belongs_to_the_new_roll() -> None:
    with Desk(TEACH) as desk:
        desk.throw({0: D20_UP})
        desk.throw({1: CHALLENGE})
        assert shown(desk, 0) == (StateCode.SETTLED, 17, KindCode.D20, 2)
        assert_ended(desk, 2, 0, 1)


def test_what_is_taught_under_a_hand_ends_the_roll_anew_when_the_hand_has_gone() -> None:
    with Desk(TEACH) as desk:
        desk.throw({0: D20_UP})
        desk.do("beam 1")
        desk.run(200)
        desk.say(meaning(D20_UP, D20_ID, KindCode.D20, 3))
        assert not only(desk.run(1000), RollEnd)
        desk.do("beam 0")
        desk.run(500)
        assert shown(desk, 0) == (StateCode.SETTLED, 3, KindCode.D20, 1)
        assert_ended(desk, 1, 0)


def test_after_roll_65535_comes_1_for_0_means_not_thrown() -> None:
    with Desk(TEACH) as desk:
        desk.run(500)
        desk.do("roll 65535")
        desk.throw({0: D20_UP})
        assert_ended(desk, 1, 0)


def test_a_straggler_of_a_throw_belongs_to_it() -> None:
    with Desk(TEACH) as desk:
        desk.throw({0: D20_UP}, 900)
        assert_ended(desk, 1, 0)
        desk.do(f"tag 1 {CHALLENGE}")
        desk.run(1000)
        assert_ended(desk, 1, 0, 1)


def test_dice_that_lay_there_at_the_start_or_were_placed_without_a_hit_were_not_thrown() -> None:
    with Desk(TEACH, setup=(f"tag 0 {D20_UP}",)) as desk:
        desk.run(4000)
        desk.do(f"tag 1 {CHALLENGE}")
        desk.run(1500)
        assert [shown(desk, slot)[::3] for slot in (0, 1)] == [(StateCode.SETTLED, 0)] * 2
        assert not desk.of(RollEnd)
        desk.throw({2: D20_OTHER})
        assert_ended(desk, 1, 0, 1, 2)


def test_a_die_that_flies_through_the_beam_is_no_hand() -> None:
    with Desk(TEACH) as desk:
        desk.run(500)
        desk.do("beam 1", "run 20", "beam 0")
        desk.throw({0: D20_UP})
        assert all(one.state != StateCode.HANDLING for one in desk.of(Die))


@pytest.mark.parametrize("rest", [None, CHALLENGE])
def test_a_dead_spot_is_cocked_and_never_another_value(rest: str | None) -> None:
    with Desk(TEACH) as desk:
        desk.run(500)
        desk.do("hit 500 100", f"weak 0 {D20_UP} {SHAKY}", *([f"tag 1 {rest}"] if rest else []))
        desk.run(12_000)
        assert {(one.face, one.kind) for one in desk.of(Die) if one.slot == 0 and one.face} <= {(17, KindCode.D20)}
        assert {one.state for one in desk.of(Die) if one.slot == 0} >= {StateCode.COCKED}
        assert {one.roll for one in desk.of(Die)} == {1}
        desk.do(f"weak 0 {D20_UP} 100")
        desk.run(3000)
        assert shown(desk, 0) == (StateCode.SETTLED, 17, KindCode.D20, 1)
        assert_ended(desk, 1, *([0, 1] if rest else [0]))


@pytest.mark.parametrize(
    ("other", "kind", "die"), [(D20_DOWN, KindCode.D20, D20_ID), (D20_OTHER, 0, 0), (STRANGER, 0, 0)]
)
def test_two_tags_are_cocked_and_of_one_die_only_if_both_are(other: str, kind: int, die: int) -> None:
    with Desk(TEACH) as desk:
        desk.run(500)
        desk.do("hit 500 100", f"tag 0 {D20_UP}", f"tag 0 {other}")
        desk.run(1500)
        assert shown(desk, 0) == (StateCode.COCKED, 0, kind, 1)
        assert (desk.die(0).die_id, desk.die(0).confidence) == (die, 0)
        assert {one.tag for one in desk.of(Tag)} == {tag(D20_UP), tag(other)}
        assert_ended(desk, 1, 0)
        desk.do(f"lift 0 {other}")
        desk.run(1500)
        assert shown(desk, 0) == (StateCode.SETTLED, 17, KindCode.D20, 1)
        assert_ended(desk, 1, 0)


def test_three_tags_at_once_are_cocked() -> None:
    with Desk(TEACH) as desk:
        desk.run(500)
        desk.do("hit 500 100", *(f"tag 2 {uid}" for uid in (D20_UP, D20_OTHER, CHALLENGE, D6_DOWN)))
        desk.run(2000)
        assert shown(desk, 2)[:2] == (StateCode.COCKED, 0)
        assert all(one.face == 0 for one in desk.of(Die))


@pytest.mark.parametrize("length", [4, 7, 10])
def test_every_pair_of_tags_is_told_apart_wherever_their_numbers_part(length: int) -> None:
    base = bytes((0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x23, 0x99, 0xAA))[:length]
    for bit in range(0, 8 * length, 5):
        other = bytearray(base)
        other[bit // 8] ^= 1 << bit % 8
        if 0x88 in (other[0], other[3 * (length > 4)], other[6 * (length > 7)]):
            continue  # 0x88 may not begin a level's part: it is the cascade tag
        with Desk() as desk:
            desk.run(100)
            desk.do(f"tag 0 {base.hex()}", f"tag 0 {other.hex()}")
            desk.run(400)
            assert {one.tag for one in desk.of(Tag)} == {tag(base.hex()), tag(other.hex())}, bit


def test_one_die_over_two_wells_is_cocked_in_both_until_it_lies_in_one() -> None:
    over_a_wall = meaning(STRANGER, D20_ID, KindCode.D20, 3)
    with Desk({**TEACH, over_a_wall.tag: over_a_wall}) as desk:
        desk.throw({0: D20_UP, 1: STRANGER, 2: CHALLENGE})
        assert shown(desk, 0) == shown(desk, 1) == (StateCode.COCKED, 0, KindCode.D20, 1)
        assert shown(desk, 2) == (StateCode.SETTLED, 4, KindCode.CHALLENGE, 1)
        assert_ended(desk, 1, 0, 1, 2)
        desk.do("lift 1")
        desk.run(1500)
        assert shown(desk, 0) == (StateCode.SETTLED, 17, KindCode.D20, 1)
        assert_ended(desk, 1, 0, 2)


def test_a_die_that_goes_from_well_to_well_is_never_in_two() -> None:
    with Desk(TEACH) as desk:
        desk.throw({0: D20_UP})
        desk.do("lift 0", f"tag 1 {D20_UP}")
        desk.run(1500)
        assert shown(desk, 1) == (StateCode.SETTLED, 17, KindCode.D20, 1)
        assert StateCode.COCKED not in {die.state for die in desk.of(Die)}
