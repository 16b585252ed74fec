"""The stage shows the photographs that there are, and draws every other die."""

from __future__ import annotations

from kiosk.views.stage import StageView, with_photographs
from kiosk.views.stage_dice import StageDie


def die(photograph: str | None) -> StageDie:
    return StageDie(shape="d20", face="7", name="d20: 7", words="", mark="plain", photograph=photograph)


def test_a_die_whose_photograph_is_gone_is_drawn() -> None:
    view = StageView(kind="free", who="", word="Free roll", dice=(die("kept"), die("gone"), die(None)))
    shown = with_photographs(view, lambda key: key == "kept")
    assert [one.photograph for one in shown.dice] == ["kept", None, None]
