"""From a picture to readings: find the dice and their poses, agree on "up", read the faces, and weigh doubts.

A die is called `read` only when its kind, its face and which of its faces is up are all beyond doubt; the
thresholds were set on rendered dice in fonts that the networks had not seen (docs/vision-measured.md).
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.dice import Box, DieKind, DieReading, DieState, Symbol
from rules.words import Phrase
from vision.errors import MOVED, MOVED_CALIBRATED, NO_WORDS
from vision.ports import Silhouette, Survey, Tops, UncountedDie
from vision.pose.crops import Grey, thing_square
from vision.pose.geometry import (
    STRAIGHT_UP,
    USUAL_HFOV,
    Array,
    Camera,
    Pose,
    across,
    cube,
    icosahedron,
    see,
    unit,
)
from vision.pose.networks import Networks
from vision.pose.places import places_of
from vision.pose.posing import Considered, PosedDie
from vision.pose.proposals import Proposal
from vision.pose.refinement import upright
from vision.pose.scales import other_scales, scaled
from vision.pose.table_normal import CAMERA_SPREAD, TableNormal, ups_of_heard
from vision.pose.things import dice_among
from vision.pose.thresholds import LARGE, LONGEST_SIDE, SMALL, SMALLEST
from vision.read.as_taught import laid_as_taught
from vision.read.askew import counts_askew, under_askew
from vision.read.asking import asked_about, counted
from vision.read.closer import read_dice
from vision.read.cut_off import cut_off_dice
from vision.read.detection import Detection
from vision.read.die_evidence import DieEvidence, Shown
from vision.read.doubt import found
from vision.read.effects import effects_told
from vision.read.evidence import Evidence
from vision.read.explain import draw
from vision.read.faces import Verdict, shows_a_numeral
from vision.read.flat import Flatness, flatness
from vision.read.ink import with_coloured_ink
from vision.read.kinds import kinds_told
from vision.read.lens import outwards, posed_in, wider_shown
from vision.read.mirror import Mirror, as_mirrored
from vision.read.outline import d20s_beside, reconsidered
from vision.read.overlaps import apart, hidden, large_enough, without_told
from vision.read.overlooked import overlooked
from vision.read.readings import boxes_of, questioned, same_place, surer
from vision.read.rests import leaning_by_chance, unless_leaning
from vision.read.search import searched, tells_up
from vision.read.solids import look_flat
from vision.read.things import dice_after_all, without_things
from vision.read.thresholds import (
    CARD_CUBES,
    LARGE_GLANCE,
    LEANS_SETTLED,
    LENS_CLOSER,
    MIRRORED_D20S,
    SMALL_GLANCE,
    WITNESS_POSED,
    WITNESSES,
)
from vision.read.upside_down import Turned, settles, turned, with_another_look
from vision.read.witness import asks_the_witness, witnessed
from vision.table.calibration import Calibration
from vision.table.camera_memory import Backdrop, CameraMemory, CameraStand
from vision.table.card import find_card
from vision.table.setup import TableSetup
from vision.taught.colours import colour_of


@dataclass(frozen=True)
class Seen:
    """Everything found in a picture: its dice from left to right, and the places considered.

    `picture` is the examined one: straightened where the calibrated lens bends, and `scale` times as large as the one
    that was given. The pixels of `found` and `considered` are its own.
    """

    found: tuple[Detection, ...]
    considered: Considered
    picture: NDArray[np.uint8]
    camera: Camera
    calibration: Calibration | None = None
    scale: float = 1.0

    @property
    def readings(self) -> tuple[DieReading, ...]:
        """The dice, their boxes in pixels of the picture as it was given."""
        return tuple(
            replace(one.reading, box=self._as_given(one.reading.box)) if one.reading.box is not None else one.reading
            for one in self.found
        )

    @property
    def others(self) -> tuple[UncountedDie, ...]:
        """Dice that surely are of other kinds, from left to right, their boxes as those of `readings`."""
        height, width = self.picture.shape[:2]
        sure = sorted((one for one in self.considered.others if one.surely), key=lambda one: one.pose.centre)
        return tuple(UncountedDie(one.name, self._as_given(_round(one.pose, width, height))) for one in sure)

    @property
    def tops(self) -> Tops:
        """The upper faces of the dice that are read."""
        sure = (one for one in self.found if one.reading.state is DieState.READ)
        return Tops(tuple(one.verdict.pose.rotation[:, 2] for one in sure))

    @property
    def maybe_print(self) -> frozenset[int]:
        """The places in `found` of dice that only the suspicion of print keeps from being read."""
        return self._doubtful(Evidence.print_feared)

    @property
    def unclear(self) -> frozenset[int]:
        """The places in `found` of dice that only their pose or their upper face keeps from being read.

        No d20s are among them if so few are read that the picture may be mirrored: that shows by those that are not.
        """
        d20s = [one.reading.state is DieState.READ for one in self.found if one.verdict.kind is DieKind.D20]
        unread = d20s.count(False)
        mirrored = unread >= MIRRORED_D20S and unread > d20s.count(True)
        places = self._doubtful(Evidence.only_unclear)
        return frozenset(one for one in places if not (mirrored and self.found[one].verdict.kind is DieKind.D20))

    @property
    def silhouettes(self) -> dict[Box, Silhouette]:
        """The silhouettes of dice with a known pose, by their boxes, in pixels of the picture as given."""
        found = {}
        for one, reading in zip(self.found, self.readings, strict=True):
            if reading.box is None or one.beneath:
                continue
            solid = icosahedron() if one.verdict.kind is DieKind.D20 else cube()
            view = see(solid, one.verdict.pose, self.camera)
            corners = view.points[list(solid.faces[0])]
            found[reading.box] = Silhouette(self._points_as_given(view.outline()), self._points_as_given(corners))
        return found

    def _points_as_given(self, points: Array) -> tuple[tuple[float, float], ...]:
        if self.calibration is not None and self.calibration.bends:
            points = self.calibration.bent(points)
        return tuple((float(x), float(y)) for x, y in points / self.scale)

    def _doubtful(self, why: Callable[[Evidence], bool]) -> frozenset[int]:
        return frozenset(
            place
            for place, one in enumerate(self.found)
            if one.reading.state is DieState.DOUBTFUL and one.evidence is not None and why(one.evidence)
        )

    def _as_given(self, box: Box) -> Box:
        box = _bent(box, self.calibration) if self.calibration is not None else box
        return box if self.scale == 1 else _larger(box, 1 / self.scale)


class PictureReader:
    """Reads still pictures. It keeps nothing of pictures except in `remember`.

    Threads may share it that do not `look_through` another lens; who does takes a reader of their own (`as_now`).

    `hfov` is the camera's field of view in degrees, along the longer side of its pictures: with it the place of a die
    in the picture tells which of its faces is up, for a camera that looks about straight down. A person's word for it
    rules over what pictures and cameras tell of themselves (`look_through`). `table` is the setup of one table; it may
    be replaced at any time, and counts from the next picture on. `memory` is what was learnt of the camera from
    throws; for a calibrated one, only the surroundings.
    """

    def __init__(self, networks: Networks, hfov: float | None = None, table: TableSetup | None = None) -> None:
        self.networks = networks
        self._given = hfov
        self._lens: float | None = None
        self._supposed = USUAL_HFOV
        self._shown: tuple[float, tuple[DieReading, ...]] | None = None
        self.table = table or TableSetup()
        self.memory: CameraMemory | None = None
        self._up: TableNormal | None = None
        self._searched_at: Sequence[Pose] | None = None
        self._silences = True
        self.noticed: Callable[[], None] | None = None
        self._strictly = False

    @property
    def hfov(self) -> float:
        """The field of view that is used: what a person said, else what the lens is told to have, else the usual."""
        return self._supposed if self.known_hfov is None else self.known_hfov

    @property
    def known_hfov(self) -> float | None:
        """The same where a person or the lens said it; None where it is only supposed."""
        return self._given if self._given is not None else self._lens

    def look_through(self, hfov: float | None) -> None:
        """From now on pictures see so many degrees along their longer side; None where nothing tells."""
        self._lens = hfov

    def read(self, picture: NDArray[np.uint8]) -> tuple[DieReading, ...]:
        """Every d20, Challenge Die and d6 in a BGR picture (uint8, rows x columns x 3), from left to right.

        None in a picture too small to hold one.

        Boxes are in pixels of the picture. Uncertain dice are `doubtful`, with their likeliest faces as guesses;
        leaning ones are `cocked`. A picture is read at the size that its dice need (`look_at_its_size`).
        """
        return self.survey(picture).dice

    def survey(self, picture: NDArray[np.uint8]) -> Survey:
        """The same, and the dice that surely are of other kinds, which are named and not read.

        If a die stays in doubt, the picture is read once more upside down, with the remembered camera pose, and through
        a wider lens where its dice show one. That only turns doubts into readings, tells of dice that were not seen
        before, and makes dice doubtful that contradict the memory.
        """
        seen = self.look_at_its_size(picture)
        told = Survey(seen.readings, seen.others, seen.maybe_print, tops=seen.tops, silhouettes=seen.silhouettes)
        again = self.upside_down(picture, seen)
        if again is not None:
            told = with_another_look(told, again, seen.unclear)
        shown = self.through_wider_lens(picture, seen)
        if shown is not None:
            hfov, wider = shown
            outlines = {**wider.silhouettes, **told.silhouettes}
            told = replace(told, dice=surer(told.dice, wider.readings), silhouettes=outlines, hfov=hfov)
        memory, tops = self.memory, told.tops or Tops(())
        if memory is None or memory.calibration is not None or seen.calibration is not None or not told.dice:
            return told
        now = Backdrop.of(picture, boxes_of(told.dice))
        if len(told.dice) == len(tops.normals) == 1:
            strange = memory.makes_strange(tops.normals[0], now)
            return replace(told, dice=(questioned(told.dice[0]),)) if strange else told
        up = None if all(die.state is DieState.READ for die in told.dice) else memory.reliable_up(tops, now)
        if up is None:
            return told
        anew = self._under(up).look_at_its_size(picture)
        return replace(told, dice=surer(told.dice, anew.readings), silhouettes={**anew.silhouettes, **told.silhouettes})

    def upside_down(self, picture: NDArray[np.uint8], seen: Seen) -> Turned | None:
        """What is read in the picture turned by a half, told as it lies in `picture`; None if no die is unclear."""
        if not seen.unclear:
            return None
        wide, high = seen.camera.width, seen.camera.height
        poses = (seen.found[place].pose for place in sorted(seen.unclear))
        other = self._at(self.table.turned())
        other._searched_at = [  # noqa: SLF001 - of this same class
            replace(one, centre=(wide - one.centre[0], high - one.centre[1])) for one in poses
        ]
        other._up = self._up.turned() if self._up is not None else None  # noqa: SLF001 - likewise
        other._strictly = True  # noqa: SLF001 - likewise
        anew = other.look(scaled(turned(picture), seen.scale), seen.scale)
        height, width = picture.shape[:2]
        normals = tuple(one.verdict.pose.rotation[:, 2] for one in anew.found)
        leaning = frozenset(
            place
            for place, one in enumerate(anew.found)
            if one.evidence is not None and one.evidence.leans > LEANS_SETTLED
        )
        return Turned(width, height, anew.readings, anew.silhouettes, normals, leaning).back()

    def settled_upside_down(self, picture: NDArray[np.uint8], seen: Seen) -> list[DieReading]:
        """What settles unclear dice of `seen` once the picture is turned."""
        again = self.upside_down(picture, seen)
        if again is None:
            return []
        settling = (settles(seen.readings[place], again) for place in sorted(seen.unclear))
        return [one for one in settling if one is not None]

    def through_wider_lens(self, picture: NDArray[np.uint8], seen: Seen) -> tuple[float, Seen] | None:
        """The picture through a wider lens, if nothing tells the lens, a die is in doubt and the dice show that one.

        The field of view in degrees comes with it.
        """
        if self.known_hfov is not None or self._up is not None or seen.calibration is not None:
            return None
        if all(one.reading.state is DieState.READ for one in seen.found):
            return None
        doubtful = [one.pose for one in seen.found if one.reading.state is not DieState.READ]
        best, now = None, seen
        posed = posed_in(seen.found)
        lean = outwards(posed, seen.camera)
        while lean is not None:
            hfov = wider_shown(posed, now.camera, lean)
            if hfov is None:
                break
            anew = self._through(hfov, doubtful).look(scaled(picture, seen.scale), seen.scale)
            posed = posed_in(anew.found)
            then = outwards(posed, anew.camera)
            if then is None or then.apart > LENS_CLOSER * lean.apart:
                break
            best, now, lean = (hfov, anew), anew, then
        return best

    def _through(self, hfov: float, searched_at: Sequence[Pose]) -> Self:
        """The same reader where a lens of so many degrees is given; it searches for poses at these places alone."""
        other = self._at(self.table)
        other._given, other._searched_at = hfov, searched_at  # noqa: SLF001 - of this same class
        return other

    def remember(self, picture: NDArray[np.uint8], told: Survey) -> Phrase:
        """Learn the camera's lens and pose from a throw that `survey` reported as `told`.

        Returns the message if it was moved after its pose was known: `MOVED` where that was learnt and is gone,
        `MOVED_CALIBRATED` where it is calibrated, which a person has to do again; else `NO_WORDS`. For the one thread
        that watches a camera.
        """
        calibration = self._calibration(picture)
        if calibration is not None and not calibration.witnesses:  # one of the lens alone does not depend on its place
            return NO_WORDS
        if told.hfov is not None:
            self._learn_lens(told.hfov, told.dice)
        tops, now = told.tops or Tops(()), Backdrop.of(picture, boxes_of(told.dice))
        before = self.memory if self.memory is not None and self.memory.calibration == calibration else None
        standing = CameraStand.SAME if before is None else before.standing(tops, now)
        if before is not None and standing is CameraStand.UNSURE:
            self.memory = before.unsure(tops, now)
            return NO_WORDS
        known = None if standing is CameraStand.ELSEWHERE else before
        if standing is CameraStand.ELSEWHERE:  # it may be another camera
            self._supposed, self._shown = USUAL_HFOV, None
        if tops.normals and calibration is None:
            # a fitted pose is biased towards the assumption, so it is fitted again from the result
            up = (known.up if known is not None else None) or TableNormal(
                unit(np.mean(tops.normals, axis=0)), CAMERA_SPREAD
            )
            tops = self._under(up).look_at_its_size(picture).tops
        first = CameraMemory.begun(tops, now, calibration)
        self.memory = first if known is None else known.and_then(first)
        if before is None or standing is CameraStand.SAME:
            return NO_WORDS
        if calibration is not None:
            return MOVED_CALIBRATED
        return NO_WORDS if before.up is None else MOVED

    def _learn_lens(self, hfov: float, dice: tuple[DieReading, ...]) -> None:
        """Suppose the lens that two throws have shown; what is up was learnt through another one, and is forgotten.

        Dice of which one lies where it lay are the same throw, of which somebody moved a die.
        """
        if self._shown is not None:
            before, lay = self._shown
            if any(same_place(one, other) for one in dice for other in lay):
                return
            if hfov == before:
                self._supposed, self.memory = hfov, None
        self._shown = hfov, dice

    def _calibration(self, picture: NDArray[np.uint8]) -> Calibration | None:
        """The calibration for this picture, if any."""
        height, width = picture.shape[:2]
        return self.table.calibration.for_picture(width, height) if self.table.calibration is not None else None

    def _under(self, up: TableNormal) -> Self:
        """The same reader with `up` as the assumed "up"."""
        other = self._at(self.table)
        other._up = up  # noqa: SLF001 - of this same class
        return other

    def look_at_its_size(self, picture: NDArray[np.uint8]) -> Seen:
        """The picture (BGR) at the size at which most of its dice are read, with everything behind it.

        Other sizes are tried only if no die is read, or if dice look too large or too small.
        """
        usual = min(1.0, LONGEST_SIDE / max(picture.shape[:2]))
        best = self.look(scaled(picture, usual), usual)
        for scale in other_scales(picture, usual, _sides(best), told=_told(best), sure=_all_sure(best)):
            other = scaled(picture, scale)
            if scale < usual and not self._shows_large_dice(other, scale / usual):
                continue
            seen = self.look(other, scale)
            if _told(seen) > _told(best):
                best = seen
            elif scale > best.scale and _told(seen) == _told(best) and len(seen.found) > len(best.found):
                best = self._without_hasty_blanks(seen, best)
        return best

    def _without_hasty_blanks(self, seen: Seen, best: Seen) -> Seen:
        """The result of a larger copy that found more dice; `best` if none of them surely is a die.

        Smooth things look blank at the wrong size, and print like cubes with pips. So if no numeral is read, what is
        blank or not surely a die is asked about.
        """
        if _told(seen) > 0:
            return seen
        places = [one.verdict.pose for one in seen.found]
        squares = [thing_square(seen.picture, place.centre, place.radius) for place in places]
        surely = dice_among(self.networks, squares)
        if not surely:
            return best
        found = (
            one if number in surely and one.verdict.best[0] is not Symbol.BLANK else _questioned(one)
            for number, one in enumerate(seen.found)
        )
        return replace(seen, found=tuple(found))

    def _shows_large_dice(self, picture: NDArray[np.uint8], share: float) -> bool:
        """Whether a copy of `share` times the usual size shows, at first look, dice that were too large before."""
        large = (one for one in self.networks.proposals(picture) if 2 * one.radius > LARGE * share)
        return any(one.chance > LARGE_GLANCE for one in large)

    def untaught(self) -> Self:
        """The same reader at no table in particular: without calibration, empty tray and dice that were taught."""
        return self._at(TableSetup())

    def as_now(self) -> Self:
        """A copy of the reader with the present setup, unaffected by later learning."""
        return copy.copy(self)

    def without_empty(self) -> Self:
        """The same reader at the same table, but for the picture of its empty tray."""
        return self._at(replace(self.table, empty=None))

    def telling_all(self) -> Self:
        """The same reader, but it reports even things that look like no die: for teaching unusual dice."""
        other = self.as_now()
        other._silences = False  # noqa: SLF001 - of this same class
        return other

    def elsewhere(self, hfov: float | None, supposed: float = USUAL_HFOV) -> Self:
        """The same reader for another camera, of which only `hfov` is known; the taught dice stay.

        Where nothing tells that either, `supposed` counts until the dice of a picture show a wider lens.
        """
        other = self._at(TableSetup(dice=self.table.dice, evening=self.table.evening))
        other._given, other._lens, other._supposed = hfov, None, supposed  # noqa: SLF001 - of this same class
        return other

    def _at(self, table: TableSetup) -> Self:
        other = copy.copy(self)
        other.table, other.memory = table, None
        return other

    def find(self, picture: NDArray[np.uint8]) -> tuple[Detection, ...]:
        """The same with everything behind each die: for measuring."""
        return self.look(picture).found

    def look(self, picture: NDArray[np.uint8], scale: float = 1.0) -> Seen:
        """The same with everything behind the picture: for explaining, teaching and measuring.

        `scale` says how many times as large it is as the one that was given.
        """
        height, width = picture.shape[:2]
        table = self.table
        calibration = self._calibration(picture)
        supposed = across(self.hfov, width, height)
        camera = Camera(width, height, calibration.hfov if calibration is not None else supposed)
        if min(height, width) < SMALLEST:
            return Seen((), Considered((), (), ()), picture, camera, scale=scale)
        if calibration is not None and calibration.bends:
            picture = calibration.straightened(picture)
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        assumed = self._up or TableNormal(np.array(STRAIGHT_UP), CAMERA_SPREAD)
        if calibration is not None:
            assumed = TableNormal(np.array(calibration.up), calibration.spread, calibration.witnesses)
        inside = calibration.holds if calibration is not None and calibration.corners else None
        considered = places_of(picture, grey, camera, assumed.direction, self.networks, inside=inside)
        considered = _beside_the_card(grey, considered)
        if considered.places and self.noticed is not None:
            self.noticed()
        empty = table.empty.of_size(width, height) if table.empty is not None else None
        inked = with_coloured_ink(picture, grey, camera, [(one.solid, one.pose) for one in considered.places])
        shown = Shown(picture, grey, inked, camera, self.networks, table.own, empty)
        every = _dice(shown, considered, assumed, self._searched_at, strictly=self._strictly)
        dice = counted([one for one in every if shown.is_new(one)])
        told, strange = asked_about(dice)
        told += cut_off_dice(shown, considered, told, assumed)
        told += dice_after_all(shown, strange)
        told, silenced = without_things(shown, told) if self._silences else (told, [])
        kept = large_enough(apart(told))
        kept += hidden(considered.seen, kept, camera, silenced)
        ordered = tuple(sorted(kept, key=lambda one: one.pose.centre))
        considered = without_told(considered, ordered)
        if empty is not None:
            new = (one for one in considered.others if not empty.same_at(grey, _round(one.pose, width, height)))
            considered = replace(considered, others=tuple(new))
        return Seen(ordered, considered, picture, camera, calibration, scale)


def _dice(
    shown: Shown,
    considered: Considered,
    assumed: TableNormal,
    searched_at: Sequence[Pose] | None,
    *,
    strictly: bool,
) -> list[Detection]:
    """All possible dice with their faces. Step by step the evidence on all dice grows.

    From the search on there may be further versions of them beside that as found: as the search explains them, and as
    they lie under a camera that stands askew. These only turn doubts into readings.
    """
    dice = laid_as_taught(shown, _begun(shown, considered, assumed))
    first, anew = searched(shown, considered, dice, partial(_ups_of_explained, assumed), searched_at)
    accounts = [first, anew] if any(one.explained for one in anew) else [first]
    supposed = [assumed] * len(accounts)
    under = under_askew(shown, first, assumed, [_surely(one.place) and not one.overlooked for one in first])
    if under is not None:
        supposed.append(under[0])
        accounts.append(under[1])
    for tell in (kinds_told, effects_told):
        accounts = [_told_by(tell, shown, dice) for dice in accounts]
    looks = [_looks(shown, dice, up) for dice, up in zip(accounts, supposed, strict=True)]
    accounts = [_flat(shown, dice, up, look) for dice, up, look in zip(accounts, supposed, looks, strict=True)]
    accounts = [accounts[0], *(_keeping_print_evidence(dice, accounts[0]) for dice in accounts[1:])]
    if any(one.flat.rather_print for one in accounts[0]):  # print seems to lean, and says nothing of the camera
        accounts = [dice for dice in accounts if not any(one.askew for one in dice)]
    ups = _ups_without_print(accounts[0], assumed)
    accounts = [[_told_up(one, up) for one, up in zip(dice, ups, strict=True)] for dice in accounts]
    accounts = [
        [_doubted(shown, one) if one.explained or one.askew or not n else one for one in dice]
        for n, dice in enumerate(accounts)
    ]
    accounts = [
        [_outlined(shown, one, beside) for one in dice]
        for dice in accounts
        for beside in [d20s_beside(shown.camera, [one.told for one in dice])]
    ]
    accounts = [unless_leaning(shown, dice, strictly=strictly) for dice in accounts]
    return [_surest(shown, each) for each in zip(*accounts, strict=True)]


def _begun(shown: Shown, considered: Considered, assumed: TableNormal) -> list[DieEvidence]:
    """The dice found and other possible ones, with their faces; posed dice determine "up"."""
    posed_so = len(considered.places)
    found_so = [*considered.places, *considered.unproven, *overlooked(considered, shown.camera)]
    ups = _ups(found_so, assumed, [number < posed_so for number in range(len(found_so))])
    places = [_resting(place, up) for place, up in zip(found_so, ups, strict=True)]
    picture, camera = shown.picture, shown.camera
    colours = [colour_of(picture, one.pose, one.solid, camera) for one in places] if shown.own else []
    verdicts = read_dice(shown, places, colours)
    return [
        DieEvidence(place, up, verdict, colours[n] if colours else None, overlooked=n >= posed_so)
        for n, (place, up, verdict) in enumerate(zip(places, ups, verdicts, strict=True))
    ]


def _ups_of_explained(assumed: TableNormal, dice: Sequence[DieEvidence]) -> list[TableNormal]:
    """What is up for each die, by the others that the search explained."""
    return _ups([one.place for one in dice], assumed, [tells_up(one) for one in dice])


Tell = Callable[[NDArray[np.uint8], Grey, Camera, Networks, Sequence[Verdict]], list[Verdict]]
"""Decides more of the verdicts on the dice of one picture: the picture, its grey form, the camera, the networks."""


def _told_by(tell: Tell, shown: Shown, dice: Sequence[DieEvidence]) -> list[DieEvidence]:
    """The dice, each bare 1 or 2 of the likelier kind, or each sign with the chance that it is an Effect."""
    told = tell(shown.picture, shown.grey, shown.camera, shown.networks, [one.verdict for one in dice])
    return [replace(one, verdict=verdict) for one, verdict in zip(dice, told, strict=True)]


def _looks(shown: Shown, dice: Sequence[DieEvidence], assumed: TableNormal) -> dict[int, float]:
    """How flat each cube looks by itself."""
    return look_flat(shown.plain, shown.camera, shown.networks, [one.place for one in dice], assumed.direction)


def _flat(
    shown: Shown, dice: Sequence[DieEvidence], assumed: TableNormal, looks: Mapping[int, float]
) -> list[DieEvidence]:
    """The dice with the evidence for print. What is unproven may be print, and says nothing of the other dice."""

    def told(numbers: Sequence[int]) -> dict[int, Flatness]:
        asked = [dice[number] for number in numbers]
        seen = {place: looks[number] for place, number in enumerate(numbers) if number in looks}
        flats = flatness(shown.camera, [one.place for one in asked], [one.verdict for one in asked], assumed, seen)
        return dict(zip(numbers, flats, strict=True))

    flats = told(range(len(dice)))
    proven = [number for number, one in enumerate(dice) if not one.place.unproven]
    if len(proven) < len(dice):
        flats |= told(proven)
    return [replace(one, flat=flats[number]) for number, one in enumerate(dice)]


def _keeping_print_evidence(anew: Sequence[DieEvidence], found: Sequence[DieEvidence]) -> list[DieEvidence]:
    """Keeps the evidence for print from before the search."""
    flats = [max(one.flat, other.flat, key=_print) for one, other in zip(found, anew, strict=True)]
    return [replace(one, flat=flat) for one, flat in zip(anew, flats, strict=True)]


def _print(one: Flatness) -> tuple[bool, float]:
    return one.in_ranks, one.chance


def _ups_without_print(dice: Sequence[DieEvidence], assumed: TableNormal) -> list[TableNormal]:
    """The "up" for each die, without the vote of printed things."""
    if not any(one.flat.rather_print for one in dice):
        return [one.up for one in dice]
    heard = [not one.flat.rather_print and not one.place.unproven for one in dice]
    return _ups([one.place for one in dice], assumed, heard)


def _told_up(one: DieEvidence, up: TableNormal) -> DieEvidence:
    """The die with `up`; an explained die keeps its own "up" if only that has enough witnesses.

    One under a camera that stands askew keeps its own in any case.
    """
    return one if one.askew or (one.explained and one.up.witnesses >= WITNESSES > up.witnesses) else replace(one, up=up)


def _doubted(shown: Shown, one: DieEvidence) -> DieEvidence:
    """The die with its reading after all looks."""
    return replace(one, told=found(shown.grey, shown.camera, one.place, one.verdict, one.up, flat=one.flat))


def _outlined(shown: Shown, one: DieEvidence, beside: Sequence[Array]) -> DieEvidence:
    """The die with its reading after the check of its surroundings, in which d20s of these outlines lie."""
    if one.told is None:
        return one
    return replace(one, told=reconsidered(shown.picture, shown.plain, shown.camera, one.told, one.up, beside=beside))


def _surest(shown: Shown, accounts: Sequence[DieEvidence]) -> Detection:
    """The reading of a die: as the search explains it if that is `read`, else as found.

    If it is read in neither, it counts as it lies under a camera that stands askew, and a second witness is asked.
    """
    dice = [(one, one.told) for one in accounts if one.told is not None]
    plain = [(told.reading.state, told.verdict.best[0]) for one, told in dice if not one.askew]
    dice = [
        (one, told) for one, told in dice if not one.askew or counts_askew(one.place.solid, told.verdict.best[0], plain)
    ]
    told = [one for _, one in dice]
    if all(one.reading.state is not DieState.READ for one in told):
        told = [_witnessed(shown, one, so_far) for one, so_far in dice]
    found_so, *others = told
    return next((one for one in others if one.reading.state is DieState.READ), found_so)


def _witnessed(shown: Shown, one: DieEvidence, told: Detection) -> Detection:
    """The reading of a die with a second witness for its face, if nothing else is in doubt."""
    if not asks_the_witness(told):
        return told
    anew = _outlined(shown, _doubted(shown, replace(one, verdict=witnessed(shown, one.verdict))), ()).told
    return leaning_by_chance(anew, told.evidence.leans) if anew is not None and told.evidence is not None else told


def _beside_the_card(grey: Grey, considered: Considered) -> Considered:
    """Without places on the calibration card: its markers look like strange cubes, which take long to explain."""
    cubes = sum(place.solid.name == "cube" for place in considered.places)
    if cubes < CARD_CUBES:
        return considered
    markers = [spots.astype(np.float32) for spots in find_card(grey).corners.values()]

    def beside(pose: Pose) -> bool:
        return all(cv2.pointPolygonTest(spots, pose.centre, measureDist=False) < 0 for spots in markers)

    return replace(
        considered,
        places=tuple(one for one in considered.places if beside(one.pose)),
        unproven=tuple(one for one in considered.unproven if beside(one.pose)),
        seen=tuple(one for one in considered.seen if beside(one.place)),
        judged=tuple(one for one in considered.judged if beside(one.place)),
    )


def _ups(places: Sequence[PosedDie], assumed: TableNormal, heard: Sequence[bool] | None = None) -> list[TableNormal]:
    """For each die the "up" of the other ones, of those in `heard` (None: all)."""
    said = [_surely(place) and (heard is None or heard[number]) for number, place in enumerate(places)]
    return ups_of_heard([(place.pose, place.solid) for place in places], said, assumed)


def _surely(place: PosedDie) -> bool:
    return place.posed > WITNESS_POSED and place.die > WITNESS_POSED


def _resting(place: PosedDie, up: TableNormal) -> PosedDie:
    """The place with face 0 towards the "up" that the dice agreed on."""
    return replace(
        place,
        pose=upright(place.pose, up.direction, place.solid),
        rivals=tuple(upright(one, up.direction, place.solid) for one in place.rivals),
    )


def _bent(box: Box, calibration: Calibration) -> Box:
    """`box` in the picture before straightening."""
    if not calibration.bends:
        return box
    corners = np.array([(box.x, box.y), (box.x + box.width, box.y + box.height)], dtype=np.float64)
    (left, top), (right, bottom) = np.round(calibration.bent(corners)).astype(int).tolist()
    left, top = max(0, left), max(0, top)
    return Box(left, top, max(1, right - left), max(1, bottom - top))


def _round(place: Pose, width: int, height: int) -> Box:
    """The box round a die of any kind at a place, clipped to the picture."""
    (x, y), radius = place.centre, place.radius
    left, right = (min(max(0, round(side)), width - 1) for side in (x - radius, x + radius))
    top, bottom = (min(max(0, round(side)), height - 1) for side in (y - radius, y + radius))
    return Box(left, top, max(1, right - left), max(1, bottom - top))


def _told(seen: Seen) -> int:
    """The number of dice read with a numeral.

    At the wrong size smooth things look blank, and trays, mats and dominoes look like cubes with pips or a sign.
    """
    return sum(one.reading.state is DieState.READ and shows_a_numeral(one.verdict) for one in seen.found)


def _all_sure(seen: Seen) -> bool:
    """Whether there are dice, each of them is read, and nothing else looks like one."""
    read = (one.reading.state is DieState.READ for one in seen.found)
    return bool(seen.found) and not _small(seen) and all(read)


def _sides(seen: Seen) -> list[float]:
    """The sizes, in pixels across, of everything that looks like a die or was found to be one."""
    sides = [2 * one.pose.radius for one in seen.found] + [2 * one.place.radius for one in seen.considered.seen]
    return sides + [2 * one.radius for one in _small(seen)]


def _small(seen: Seen) -> list[Proposal]:
    """Places that look like a small die at first look, if none was found."""
    return [
        one
        for one in (*seen.considered.proposals, *seen.considered.small)
        if one.chance > SMALL_GLANCE
        and 2 * one.radius < SMALL
        and all(math.dist(one.centre, die.pose.centre) > max(one.radius, die.pose.radius) for die in seen.found)
    ]


def _questioned(one: Detection) -> Detection:
    """The die, asked about if it was read."""
    return replace(one, reading=questioned(one.reading))


def _larger(box: Box, by: float) -> Box:
    return Box(*(round(side * by) for side in (box.x, box.y, box.width, box.height)))


def load_reader(*, hfov: float | None = None, table: TableSetup | None = None) -> PictureReader:
    """The reader with the networks that come with trueroll. Raises `ReaderError` when they are missing or damaged."""
    return PictureReader(Networks(), hfov, table)


def explained(
    picture: NDArray[np.uint8],
    reader: PictureReader,
    *,
    mirrored: bool | None = None,
    told: Sequence[DieReading] = (),
) -> NDArray[np.uint8]:
    """A picture for people: the places considered, each die's pose and faces, and what was read.

    `mirrored` is the earlier result for the picture; None if unknown. `told` are its dice as reported, if other
    pictures of the same rest were used, too.
    """
    seen = reader.look_at_its_size(picture)
    settled = reader.settled_upside_down(picture, seen)
    wider = reader.through_wider_lens(picture, seen)
    if wider is not None:
        _, seen = wider
    names = {die.die_id: die.name for die in reader.table.dice}
    readings = [one.reading for one in seen.found]
    upside_down = 0
    for place, die in enumerate(seen.readings):
        over = [one for one in settled if die.state is not DieState.READ and same_place(die, one)]
        if len(over) == 1:
            readings[place] = replace(over[0], box=readings[place].box)
            upside_down += 1
    if mirrored is None:
        mirror = Mirror(reader)
        mirror.judged(seen.picture, readings)
        mirrored = mirror.mirrored
    if len(told) == len(readings):
        readings = [replace(one, box=seen_so.box) for one, seen_so in zip(told, readings, strict=True)]
    shown = as_mirrored(readings) if mirrored else readings
    wide = 2 * math.degrees(math.atan(max(seen.camera.width, seen.camera.height) / 2 / seen.camera.focal))
    note = f"field of view: {wide:.0f} degrees along the longer side"
    if upside_down:
        note += f"; read upside down: {upside_down}"
    if mirrored:
        note += "; the picture is mirrored: no d20 counts as read"
    return draw(seen.picture, seen.considered, seen.found, shown, seen.camera, names=names, note=note)
