"""Pins that cannot serve are refused with both uses named; the tables agree with gpiozero's own."""

from __future__ import annotations

from dataclasses import fields

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import PinsError
from hardware.pins import HEADER_POSITION, NOT_FITTED, RESERVED, USES, PanelButton, PanelPins, pin_problems

FREE = sorted(set(HEADER_POSITION) - set(RESERVED))


def test_the_defaults_can_be_wired() -> None:
    assert pin_problems(PanelPins().uses()) == ()
    assert len(set(PanelPins().uses().values())) == len(USES)


def test_every_pin_field_has_words_and_every_press_a_pin() -> None:
    assert {one.name for one in fields(PanelPins)} - {"lamp_common_anode"} == set(USES)
    assert {press.value for press in PanelButton} <= set(USES)


def test_a_clash_names_both_uses_and_the_pin() -> None:
    with pytest.raises(PinsError) as refused:
        PanelPins(undo=17)
    assert refused.value.problems == (
        "GPIO 17 is set for both the confirm button and the undo button; give one of them another.",
    )


def test_a_reserved_pin_names_its_owner_and_the_use() -> None:
    with pytest.raises(PinsError, match=r"GPIO 14 is set for the ring light but belongs to the serial console"):
        PanelPins(ring=14)


@pytest.mark.parametrize("pin", [-2, 28, 1000, True, "17", 4.0, -1.0])
def test_a_pin_that_the_header_lacks_is_refused(pin: object) -> None:
    with pytest.raises(PinsError, match=r"The ring light is set to .* no GPIO of the header; choose from 4 to 27"):
        PanelPins(ring=pin)  # type: ignore[arg-type]  # a settings file may say anything


@pytest.mark.parametrize("absent", [None, NOT_FITTED])
@pytest.mark.parametrize("name", USES)
def test_a_part_that_is_not_fitted_uses_no_pin(name: str, absent: int | None) -> None:
    pins = PanelPins(**{name: absent})  # type: ignore[arg-type]  # only pins
    assert getattr(pins, name) is None
    assert USES[name] not in pins.uses()
    assert len(pins.uses()) == len(USES) - 1


def test_several_parts_may_be_left_out_and_their_pins_used_by_others() -> None:
    pins = PanelPins(undo=-1, repeat=-1, ring=27)
    assert set(pins.uses()) == {USES[name] for name in USES} - {"the undo button", "the repeat button"}


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(PinsError) as refused:
        PanelPins(confirm=99, undo=2, lamp_blue=5)
    assert len(refused.value.problems) == 3
    assert refused.value.fields == ("confirm", "undo", "lamp_red", "lamp_blue")


def test_the_owner_can_name_further_uses() -> None:
    taken = {**RESERVED, 12: "the fan"}
    assert pin_problems(PanelPins().uses(), taken) == (
        "GPIO 12 is set for the ring light but belongs to the fan; choose another for the ring light.",
    )


@given(st.lists(st.sampled_from(FREE), min_size=len(USES), max_size=len(USES)))
def test_any_distinct_free_pins_serve_and_any_repeat_does_not(pins: list[int]) -> None:
    chosen = dict(zip(USES, pins, strict=True))
    if len(set(pins)) == len(pins):
        assert tuple(PanelPins(**chosen).uses().values()) == tuple(pins)  # type: ignore[arg-type]  # only pins drawn
    else:
        with pytest.raises(PinsError, match="is set for both"):
            PanelPins(**chosen)  # type: ignore[arg-type]  # only pins drawn


@pytest.mark.parametrize("revision", ["a02082", "c03111", "c04170"], ids=["Pi 3B", "Pi 4B", "Pi 5"])
def test_header_positions_are_those_of_the_board(revision: str) -> None:
    header = MockFactory(revision=revision).board_info.headers["J8"]
    board = {int(pin.name[4:]): number for number, pin in header.pins.items() if pin.name.startswith("GPIO")}
    assert dict(HEADER_POSITION) == board
