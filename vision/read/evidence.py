"""Computes how sure a reading is from its evidence, and decides whether that is enough to call a die `read`.

`python -m tests.bench.vision_thresholds` measures other thresholds (docs/vision-measured.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from rules.dice import DieKind
from vision.read.thresholds import SUSPICION, THRESHOLDS

_DOUBTS: Final[tuple[tuple[str, Mapping[str, Any]], ...]] = (
    ("the pose does not fit, or is not flat", {"fits": 1.0, "likely": 1.0}),
    ("the upper face is hardly a whole face", {"support": 1.0}),
    ("another face may be up", {"up": 1.0}),
    ("a brighter face may be up", {"brighter": 1.0, "aside": False}),
    ("it may lean on something", {"leans": 0.0}),
    ("its outline is elsewhere", {"outlined": True}),
    ("it is part of something longer", {"part": False}),
    ("it looks like another thing", {"thing": False}),
    ("it may be print", {"flat": 0.0}),
    ("it lies in ranks", {"in_ranks": False}),
    ("the picture's edge cuts it off", {"cut_off": False}),
    ("a blank face is washed out", {"washed_out": False}),
    ("a glare may hide pips", {"glared": False}),
    ("it may be the whole tray", {"whole_tray": False}),
    ("it may be no such die", {"die": 1.0}),
    ("its other faces are hardly legible", {"illegible": False}),
    ("its face is not sure", {"face": 1.0}),
)
"""Each possible doubt in words, with a change of the evidence that removes it."""


@dataclass(frozen=True)
class Evidence:
    """The evidence for and against a reading.

    * `face`: the chance of its likeliest face, if that one is up; `blank`: whether that face is blank.
    * `die`: the chance that such a die lies there, halved if something contradicts it; `flat`: that it is print.
    * `up`: the chance that of its faces this one is up; `leans`: that it leans and does not lie as its pose says.
    * `support`, `fits` and `likely`: as in `Verdict` and `PosedDie`.
    * `taught`: its faces look as taught, which proves the pose.
    * `cut_off`: the picture's edge cuts it; `in_ranks`: it lies in ranks, as print does.
    * `washed_out`: a blank face is so bright that a sign would not show; `glared`: a glare may hide further pips.
    * `whole_tray`: a cube that fills the picture may be a tray, its pip a die, its sign the tray's own.
    * `of_kind`: the chance of this kind, if dice of another one carry the same face; no doubt about the face.
    * `brighter`, `aside`, `outlined`: of a d20 that no other dice confirm. A brighter face beside it leaves this share
      of its chance; it is seen from aside and hardly lay flat; the picture changes along its outline.
    * `part`: two sides of a cube go on beyond it, as those of half a domino do.
    * `illegible`: only the upper face of a d20 is legible, and not beyond doubt.
    * `thing`: with its surroundings it looks like a card, a coin, a domino or the like.
    """

    kind: DieKind
    face: float
    blank: bool = False
    die: float = 1.0
    up: float = 1.0
    flat: float = 0.0
    support: float = 1.0
    fits: float = 1.0
    likely: float = 1.0
    taught: bool = False
    cut_off: bool = False
    in_ranks: bool = False
    washed_out: bool = False
    glared: bool = False
    whole_tray: bool = False
    of_kind: float = 1.0
    brighter: float = 1.0
    aside: bool = False
    outlined: bool = True
    part: bool = False
    thing: bool = False
    illegible: bool = False
    leans: float = 0.0

    def posed(self) -> bool:
        """Whether its pose is beyond doubt."""
        return self.taught or (self.fits > THRESHOLDS.posed[self.kind] and self.likely > THRESHOLDS.flat)

    def confidence(self) -> float:
        """The chance (0..1) that it lies there with this face up."""
        sure = self.face * self.die * self.up * self.brighter * (1 - self.flat) * (1 - self.leans)
        whole = self.support >= THRESHOLDS.support and self.posed() and not self.cut_off
        printed = self.in_ranks or (
            self.of_kind < THRESHOLDS.read[self.kind] and self.flat > THRESHOLDS.print_of_open_kind
        )
        bright = self.washed_out or self.glared
        if not whole or printed or self.illegible or bright or self.whole_tray or self.aside:
            sure *= SUSPICION
        return max(0.0, sure if self.outlined and not self.part and not self.thing else sure * SUSPICION)

    def doubts(self) -> Iterator[tuple[str, Evidence]]:
        """Each possible doubt in words, with the evidence without it."""
        for words, without in _DOUBTS:
            yield words, replace(self, **without)

    def main_doubt(self) -> str:
        """The strongest single doubt, in words; empty if the reading is sure."""
        if self.sure():
            return ""
        undoubted = replace(self, **{name: value for _, without in _DOUBTS for name, value in without.items()})
        by_itself = {
            words: replace(undoubted, **{name: getattr(self, name) for name in without}) for words, without in _DOUBTS
        }
        return min(by_itself, key=lambda words: by_itself[words].confidence())

    def print_feared(self) -> bool:
        """Whether only the suspicion of print, by its looks or by its rank, keeps it from being `read`."""
        return not self.sure() and replace(self, flat=0.0, in_ranks=False).sure()

    def only_unclear(self) -> bool:
        """Whether it would be `read` if its face were clear and its pose fitted: nothing else speaks against it."""
        return replace(self, face=1.0, die=1.0, support=1.0, fits=1.0, outlined=True).sure()

    def kind_open(self) -> bool:
        """Whether its face is sure but its kind is not, because dice of another kind have the same face."""
        return self.sure() and self.of_kind < THRESHOLDS.kind

    def sure(self) -> bool:
        """Whether the die may be called `read`."""
        return self.confidence() >= THRESHOLDS.read[self.kind]
