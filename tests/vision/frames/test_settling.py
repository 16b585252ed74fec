"""Rest and motion, told from painted trays by the frame, without a clock."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.toys import frames, rolling, still, tray
from vision.frames.settling import LARGEST_WINDOW, SettleDetector, SettleSettings, Settling
from vision.ports import Frame, Pixels

DIE = (300, 200, 7)


def said(pictures: list[Pixels], *, fps: float = 30.0) -> list[tuple[int, Settling]]:
    detector = SettleDetector()
    seen = ((frame.index, detector.feed(frame)) for frame in frames(pictures, fps=fps))
    return [(index, settling) for index, settling in seen if settling is not None]


def test_a_throw_is_motion_and_then_rest_within_the_window() -> None:
    pictures = [*still(20), *rolling(15), *still(20, DIE)]
    events = said(pictures)
    assert [what for _, what in events] == [Settling.SETTLED, Settling.MOTION, Settling.SETTLED]
    assert events[1][0] in (20, 21)
    assert 0.3 * 30 - 1 <= events[2][0] - 35 <= LARGEST_WINDOW * 30


def test_nothing_settles_while_a_die_rolls() -> None:
    assert [what for _, what in said([*still(15), *rolling(40)])] == [Settling.SETTLED, Settling.MOTION]


def test_a_die_that_creeps_less_than_a_pixel_of_the_look_a_frame_is_moving() -> None:
    creeping = [tray((100 + step, 100, 7), seed=step) for step in range(60)]
    assert said(creeping)[0][1] is Settling.MOTION
    assert Settling.SETTLED not in [what for _, what in said(creeping)]


@pytest.mark.parametrize(
    "fps",
    [0.5, 1.0, 3.0, 10.0, 30.0, 60.0, *(pytest.param(fps, marks=pytest.mark.long) for fps in (2.0, 5.0, 15.0, 120.0))],
)
def test_cameras_of_every_speed_settle_in_time(fps: float) -> None:
    count = max(4, int(fps))
    events = said([*still(count), *rolling(count), *still(count, DIE)], fps=fps)
    assert [what for _, what in events] == [Settling.SETTLED, Settling.MOTION, Settling.SETTLED]
    waited = (events[2][0] - 2 * count) / fps
    assert waited <= max(LARGEST_WINDOW, 2 / fps) + 1 / fps


@given(noise=st.floats(0, 16), light=st.floats(0.5, 1.2))
@settings(max_examples=settings().max_examples // 5)
def test_a_still_noisy_tray_never_moves(noise: float, light: float) -> None:
    events = said(still(30, DIE, noise=noise, light=light))
    assert [what for _, what in events][-1] is Settling.SETTLED
    assert len(events) == 1 or noise > 8


def test_a_lamp_that_is_switched_on_is_no_motion_and_settles_afresh() -> None:
    events = said([*still(20, DIE, light=0.35), *still(20, DIE, light=1.3)])
    assert [what for _, what in events] == [Settling.SETTLED, Settling.SCENE, Settling.SETTLED]


def test_a_lamp_that_is_switched_while_dice_roll_does_not_stop_them() -> None:
    dark = [tray((40 + 14 * step, 60, 7), light=0.35, seed=step) for step in range(10)]
    bright = [tray((180 + 14 * step, 60, 7), light=1.3, seed=step) for step in range(10)]
    events = said([*still(20, light=0.35), *dark, *bright, *still(20, DIE, light=1.3)])
    assert [what for _, what in events] == [Settling.SETTLED, Settling.MOTION, Settling.SCENE, Settling.SETTLED]


def test_daylight_that_fades_slowly_goes_unnoticed() -> None:
    fading = [tray(DIE, light=1.2 - 0.004 * step, seed=step) for step in range(150)]
    assert [what for _, what in said(fading)] == [Settling.SETTLED]


def test_a_soft_shadow_that_passes_is_no_motion() -> None:
    across = np.arange(640)

    def shadowed(step: int) -> Pixels:
        shade = 1 - 0.35 * np.exp(-(((across - 40 * step) / 160) ** 2))
        return (tray(DIE, seed=step) * shade[None, :, None]).astype(np.uint8)

    assert [what for _, what in said([shadowed(step) for step in range(30)])] == [Settling.SETTLED]


def test_a_picture_of_something_else_altogether_is_a_scene_that_settles() -> None:
    other = np.full((480, 480, 3), 230, np.uint8)
    assert [what for _, what in said([*still(15), *[other] * 15])] == [
        Settling.SETTLED,
        Settling.SCENE,
        Settling.SETTLED,
    ]


def test_stillness_across_a_gap_is_shown_anew() -> None:
    detector = SettleDetector()
    picture = tray(DIE)
    assert [detector.feed(Frame(picture, 0, 0.0)), detector.feed(Frame(picture, 1, 5.0))] == [None, None]
    assert not detector.at_rest
    later = [detector.feed(Frame(picture, 2 + number, 5.0 + number / 30)) for number in range(1, 12)]
    assert later.count(Settling.SETTLED) == 1


def test_frames_dropped_at_rest_change_nothing() -> None:
    detector = SettleDetector()
    for frame in frames(still(20, DIE)):
        detector.feed(frame)
    assert detector.at_rest
    assert detector.feed(Frame(tray(DIE, seed=99), 20, 30.0)) is None
    assert detector.at_rest


def test_after_a_restart_the_first_rest_is_said_again() -> None:
    detector = SettleDetector()
    pictures = still(20, DIE)
    first = [detector.feed(frame) for frame in frames(pictures)]
    detector.restart()
    again = [detector.feed(frame) for frame in frames(pictures, begin=9.0)]
    assert first.count(Settling.SETTLED) == again.count(Settling.SETTLED) == 1


@pytest.mark.parametrize("window", [0.0, -1.0, 0.41, 5.0])
def test_a_window_that_reports_early_or_late_is_refused(window: float) -> None:
    with pytest.raises(ValueError, match="settle window"):
        SettleSettings(window=window)


def test_how_many_frames_agree_is_known() -> None:
    detector = SettleDetector()
    assert detector.agreeing == 0
    for frame in frames([*rolling(3), *still(4, DIE)]):
        detector.feed(frame)
    assert detector.agreeing == 4
