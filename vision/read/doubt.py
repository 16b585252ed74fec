"""What speaks for and against a die's reading: the bars and rules by which it is read, doubted, cocked or left out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from rules.dice import FACES, Box, DieKind, DieReading, DieState, Guess, SourceKind, Symbol
from vision.pose.crops import Grey, face_patch
from vision.pose.geometry import Array, Camera, Pose, cube, icosahedron, see
from vision.pose.networks import KIND_NONE, Judgement
from vision.pose.posing import Judged, PosedDie
from vision.pose.table_normal import Up, leaning, up_chance
from vision.read.evidence import Evidence
from vision.read.faces import Verdict, edge_sharpness
from vision.read.flat import NOT_FLAT, Flatness

COCKED_LEAN: Final = math.radians(10.0)
"""A cocked die leans further than this from the table's "up"."""
_COCKED_SPREADS: Final = 2.5
"""A cocked die leans by more than so many times what the table's "up" and the pose may be off."""
_COCKED_LIKELY: Final = 0.8
"""The least chance that a cocked die's pose is about right."""
_MAY_BE_FLAT: Final = 0.12
"""What is likelier than this to be print is not called cocked: print seems to lean wherever it lies."""
WITNESSES: Final = 2
"""So many other dice must tell what is up: a lone die under a camera that stands askew looks as if it leant."""
_NO_POSE: Final = 0.4
"""What surely is a die, at first glance and as a whole, and fits no pose at rest even so well, is cocked too."""
_TAUGHT_POSED: Final = 0.2
"""Where others tell what is up, a taught d20's pose need but fit as well as this."""
_INSIDE: Final = 0.1
"""What lies beyond the picture by more than this, in radii, is cut off."""
_LEAST_OF_A_CUBE: Final = 0.5
"""Where the upper face of a cube is rather none at all, there is rather no cube."""
_LEAST_SHARPNESS: Final = 0.47
"""The least `edge_sharpness` of a blank cube that the first look at the picture did not see; shadows stay below."""
_LEAST_LIKELY: Final = 0.5
"""What fits no pose of its solid so well is hardly a die."""
_BLANK_LIKELY: Final = 0.97
"""The least chance of the pose of a die on which nothing is drawn: the pose must speak for it."""
_BLANK_GLANCE: Final = 0.3
"""The least chance, at the first look, of a die on which nothing is drawn, unless its edges speak for it."""
_ROOM_FOR_TWO: Final = 0.6
"""A die of more than this share of the picture's shorter side fills it."""
_WHITE: Final = 250
"""Grey levels from here on may be any brightness."""
_MOSTLY_WHITE: Final = 0.6
"""A face of which more than this share is so bright may carry a sign that cannot be seen."""
_SURELY_DIE: Final = 0.95
"""So sure a die is reported although none of its faces can be made out."""
_LEAST_CHANCE: Final = 0.4
"""A die that is less sure is reported only if its likeliest face is at least this likely."""
_SURELY_DIE_ALTHOUGH: Final = 0.9
"""What is contradicted (`Detection.contradicted`) must be so surely a die."""
_AT_FIRST_GLANCE: Final = 0.5
"""What is contradicted must have looked so much like a die in the whole picture, or show a face: bare wood passes for a
blank cube."""
_SURELY_SEEN: Final = 0.6
"""The least chance at the first look of what may be dice that lie on one another."""
_ANY_KIND: Final = 0.95
"""The least chance of any kind of die of what may be dice that lie on one another."""
_ONE_KIND: Final = 0.85
"""What is so surely one die of another kind is no heap of dice."""
_LEFT_OVER: Final = 0.65
"""Where dice fill no more than this of what looked like a die as a whole, another one lies beneath or beside them."""
_LEAST_OF_ITS_KIND: Final = 0.6
"""Dice of one kind are at least so large, measured by the smallest that was read: 12 mm beside 20 mm."""
_MORE_LIKELY_THAN_NOT: Final = 0.5
_LIKELY_FLAT: Final = 0.8
"""What is likelier than this to be flat is asked about only where a face is likelier than not."""
_SURELY_FLAT: Final = 0.95
"""What is likelier than this to be flat is never asked about: it is print."""
_MOST_OF_A_THROW: Final = 8
"""More cubes that lie in ranks are the squares of a mat, keys or check boxes, and not asked about."""
_WORTH_NAMING: Final = 0.01
"""Faces less likely than this are not named as guesses."""


@dataclass(frozen=True)
class Detection:
    """One thing in the picture that may be a die: its squares' judgement, its pose, and what it shows.

    `contradicted` tells that its faces or its edges do not look like a die's, so that it is half as likely to be one;
    `lean` is how far its upper face leans from the table's "up", in radians; `die` is the chance that it is one, and
    `glance` the one that the first look at the whole picture gave; `solid` is the solid it was posed as, `likely` the
    chance that it lies about so, flat or not, and `resting` the one that it lies flat under the assumed "up"; `flat`
    what speaks for print or another flat thing; `beneath` tells that other dice hide it in part, so that nothing is
    known but about where it lies (None for the `evidence` that the reading's confidence is made of).
    """

    judgement: Judgement
    pose: Pose
    verdict: Verdict
    reading: DieReading
    contradicted: bool = False
    lean: float = 0.0
    die: float = 1.0
    glance: float = 0.0
    solid: str = "d20"
    likely: float = 1.0
    flat: Flatness = NOT_FLAT
    beneath: bool = False
    resting: float = 1.0
    evidence: Evidence | None = None


def found(
    grey: Grey, camera: Camera, place: PosedDie, verdict: Verdict, up: Up, *, flat: Flatness = NOT_FLAT
) -> Detection:
    """What the reader says of a die after all looks: read, doubtful or cocked, and how sure it is.

    `flat` is what the other things in the picture say against its being one.
    """
    face, chance = verdict.best
    is_d20 = verdict.kind is DieKind.D20
    contradicted = (
        (verdict.support < 0.1 and chance < 0.2)  # noqa: PLR2004 - nothing on it looks like a face
        or (not is_d20 and verdict.support < _LEAST_OF_A_CUBE)
        or place.posed < _LEAST_LIKELY
        or (face is Symbol.BLANK and _hardly_blank(grey, camera, place, verdict))
    )
    lean = leaning(place.pose, up.direction)
    evidence = Evidence(
        verdict.kind,
        chance,
        face is Symbol.BLANK,
        place.die * (0.5 if contradicted else 1.0),
        up_chance(verdict.pose, place.solid, up),
        flat.chance,
        verdict.support,
        place.fits,
        place.likely,
        taught=is_d20 and verdict.owner is not None and _faces_confirm(place, up),
        cut_off=_reaches_beyond(camera, verdict),
        in_ranks=flat.in_ranks,
        washed_out=face is Symbol.BLANK and _washed_out(grey, camera, verdict),
        whole_tray=not shows_a_numeral(verdict) and _fills(camera, verdict),
        of_kind=verdict.kind_chance,
    )
    state = DieState.READ if evidence.sure() else DieState.DOUBTFUL
    if flat.chance < _MAY_BE_FLAT and not flat.in_ranks and _is_cocked(place, verdict, lean, up):
        state = DieState.COCKED
    ranked = sorted(verdict.chances.items(), key=lambda item: -item[1])[:3]
    reading = DieReading(
        kind=verdict.kind,
        face=face if state is DieState.READ else None,
        confidence=round(evidence.confidence(), 4),
        state=state,
        source=SourceKind.CAMERA,
        box=box_of(verdict, camera),
        die_id=verdict.owner,
        guesses=tuple(Guess(one, round(min(1.0, share), 4)) for one, share in ranked if share > _WORTH_NAMING),
        kinds=_either(verdict.kind) if state is DieState.READ and evidence.kind_open() else (),
    )
    return Detection(
        place.judgement,
        place.pose,
        verdict,
        reading,
        contradicted,
        lean,
        place.die,
        place.glance,
        place.solid.name,
        place.posed,
        flat,
        resting=place.likely,
        evidence=evidence,
    )


def _either(kind: DieKind) -> tuple[DieKind, DieKind]:
    """Both kinds that carry a bare 1 or 2, the likelier first."""
    return (kind, DieKind.D6 if kind is DieKind.CHALLENGE else DieKind.CHALLENGE)


def _washed_out(grey: Grey, camera: Camera, verdict: Verdict) -> bool:
    """Whether so much of the upper face is as bright as the camera can tell that a sign in light ink would not show."""
    patch = face_patch(grey, see(cube(), verdict.pose, camera), 0)
    rim = patch.shape[0] // 8
    return float((patch[rim:-rim, rim:-rim] >= _WHITE).mean()) > _MOSTLY_WHITE


def _faces_confirm(place: PosedDie, up: Up) -> bool:
    """Whether a d20 that surely is a taught one may be read in a pose that the network doubts, as with strange signs.

    Faces that look as they were taught could not be cut out in a wrong pose. Which of them is up others must tell.
    """
    return (place.agreed or place.fits > _TAUGHT_POSED) and up.witnesses >= WITNESSES


def _is_cocked(place: PosedDie, verdict: Verdict, lean: float, up: Up) -> bool:
    """Whether the die leans on something: its pose says so, or none at rest fits what surely is a die.

    What surely is a die that was taught shows its faces where its pose has them, whatever the pose network thinks.
    """
    if place.posed > _COCKED_LIKELY and place.glance > _AT_FIRST_GLANCE:
        return up.witnesses >= WITNESSES and lean > max(COCKED_LEAN, _COCKED_SPREADS * up.spread)
    surely = place.judgement.readable > _SURELY_DIE_ALTHOUGH and place.glance > _AT_FIRST_GLANCE
    return surely and place.posed < _NO_POSE and verdict.owner is None


def _reaches_beyond(camera: Camera, verdict: Verdict) -> bool:
    """Whether the picture's edge cuts the die off: a flat side, some 0.85 radii from its middle, or a corner."""
    x, y = verdict.pose.centre
    spare = (0.85 - _INSIDE) * verdict.pose.radius
    if not (spare < x < camera.width - spare and spare < y < camera.height - spare):
        return True
    points, beyond = _corners(verdict, camera), _INSIDE * verdict.pose.radius
    return bool(np.any(points < -beyond) or np.any(points > np.array([camera.width, camera.height]) + beyond))


def shows_a_numeral(verdict: Verdict) -> bool:
    """Whether a die shows a numeral, and neither pips nor a sign nor nothing."""
    face, chance = verdict.best
    if verdict.kind is DieKind.D20:
        return True
    challenge = verdict.kind is DieKind.CHALLENGE and isinstance(face, int)
    return challenge or verdict.numeral > chance * _MORE_LIKELY_THAN_NOT


def _fills(camera: Camera, verdict: Verdict) -> bool:
    """Whether there is no room in the picture for a second die beside it."""
    return 2 * verdict.pose.radius > _ROOM_FOR_TWO * min(camera.width, camera.height)


def _corners(verdict: Verdict, camera: Camera) -> Array:
    solid = icosahedron() if verdict.kind is DieKind.D20 else cube()
    return see(solid, verdict.pose, camera).points


def box_of(verdict: Verdict, camera: Camera) -> Box:
    """The die's bounding box, clipped to the picture."""
    points = _corners(verdict, camera)
    limit = np.array([camera.width, camera.height])
    low = np.clip(np.floor(points.min(axis=0)).astype(int), 0, limit - 1)
    high = np.clip(np.ceil(points.max(axis=0)).astype(int), low + 1, limit)
    return Box(int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1]))


def merit(verdict: Verdict) -> float:
    """How convincing a look is: its likeliest face, and whether that is a whole face."""
    return verdict.best[1] * verdict.support


def worth_asking(one: Detection) -> bool:
    """Whether it is worth asking a person about."""
    face, chance = one.verdict.best
    if one.reading.state is DieState.COCKED:
        return True
    hardly_a_face = face is Symbol.BLANK or chance < _MORE_LIKELY_THAN_NOT
    if (
        one.flat.chance > _SURELY_FLAT
        or one.flat.ranks > _MOST_OF_A_THROW
        or (one.flat.chance > _LIKELY_FLAT and hardly_a_face)
    ):
        return False
    if one.contradicted:
        surely = one.judgement.readable > _SURELY_DIE_ALTHOUGH
        if one.glance > _SURELY_SEEN and _of_no_one_kind(one.judgement):
            return True
        return surely and (one.glance > _AT_FIRST_GLANCE or (face is not Symbol.BLANK and chance > _LEAST_CHANCE))
    return one.die > _SURELY_DIE or chance > _LEAST_CHANCE


def _of_no_one_kind(judgement: Judgement) -> bool:
    return judgement.kinds[KIND_NONE] < 1 - _ANY_KIND and judgement.other[1] < _ONE_KIND


def hidden(seen: Sequence[Judged], kept: Sequence[Detection], camera: Camera) -> list[Detection]:
    """What is left of each thing that looked like a die when the dice that lie on it are taken off: doubtful dice.

    A die that another one hides in part looks, together with that one, like a larger die.
    """
    result: list[Detection] = []
    for one in seen:
        centre, radius = one.place.centre, one.place.radius
        upon = [die for die in [*kept, *result] if math.dist(die.pose.centre, centre) < radius]
        if not upon or sum(die.pose.radius**2 for die in upon) > _LEFT_OVER * radius**2:
            continue
        middle = np.mean([die.pose.centre for die in upon], axis=0)
        size = float(np.median([die.pose.radius for die in upon]))
        away = np.array(centre) - middle
        x, y = np.array(centre) + away / max(1.0, float(np.hypot(*away))) * max(0.0, radius - size)
        model = max(upon, key=lambda die: die.pose.radius)
        pose = Pose((float(x), float(y)), size, model.pose.rotation)
        verdict = Verdict(model.verdict.kind, dict.fromkeys(FACES[model.verdict.kind], 0.0), pose, 0.0)
        reading = DieReading(
            model.verdict.kind, None, 0.0, DieState.DOUBTFUL, SourceKind.CAMERA, box_of(verdict, camera)
        )
        result.append(
            Detection(
                one.judgement, pose, verdict, reading, glance=one.glance, solid=model.solid, likely=0.0, beneath=True
            )
        )
    return result


def apart(found: Sequence[Detection]) -> list[Detection]:
    """Of those that lie inside one another (a die, and a face of it taken for a small die) the more convincing."""

    def worth(one: Detection) -> float:
        return merit(one.verdict) + (0.15 if one.contradicted else 0.3) * one.die

    kept: list[Detection] = []
    for one in sorted(found, key=worth, reverse=True):
        place = one.verdict.pose
        inside = (
            math.dist(place.centre, other.verdict.pose.centre) < 0.9 * max(place.radius, other.verdict.pose.radius)
            for other in kept
        )
        if not any(inside):
            kept.append(one)
    return kept


def large_enough(found: Sequence[Detection]) -> list[Detection]:
    """Without what is doubtful and far smaller than the smallest die of its kind that was read beside it.

    Dice of one kind differ little in size, and seen from above little by where they lie: what is not even
    `_LEAST_OF_ITS_KIND` as large is part of the tray or of what lies around it, unless one of its faces (not blank:
    whatever is smooth looks blank) is more likely than not.
    """
    least: dict[bool, float] = {}
    for one in found:
        if one.reading.state is DieState.READ:
            d20 = one.verdict.kind is DieKind.D20
            least[d20] = min(one.verdict.pose.radius, least.get(d20, math.inf))
    return [
        one
        for one in found
        if one.reading.state is DieState.READ
        or one.verdict.pose.radius >= _LEAST_OF_ITS_KIND * least.get(one.verdict.kind is DieKind.D20, 0.0)
        or (one.verdict.best[1] > _MORE_LIKELY_THAN_NOT and one.verdict.best[0] is not Symbol.BLANK)
    ]


def _hardly_blank(grey: Grey, camera: Camera, place: PosedDie, verdict: Verdict) -> bool:
    """Whether what looks like a blank face may be any smooth patch: its pose or its edges do not speak for a die."""
    if place.likely < _BLANK_LIKELY:
        return True
    outline = see(cube(), verdict.pose, camera).outline()
    return place.glance < _BLANK_GLANCE and edge_sharpness(grey, outline) < _LEAST_SHARPNESS
