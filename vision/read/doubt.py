"""What speaks for and against a die's reading: the rules by which it is read, doubted, cocked or left out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

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
from vision.read.thresholds import (
    ASKED_DIE,
    ASKED_FACE,
    BLANK_GLANCE,
    BLANK_POSED,
    BLANK_SHARPNESS,
    COCKED_FLAT,
    COCKED_LEAN,
    COCKED_LIKELY,
    COCKED_SPREADS,
    COCKED_UNPOSED,
    CONTRADICTED_DIE,
    CONTRADICTED_GLANCE,
    CUBE_SUPPORT,
    CUT_OFF_BEYOND,
    EVEN,
    FLAT_LIKELY,
    FLAT_SURELY,
    GUESS_LEAST,
    HEAP_ANY_KIND,
    HEAP_GLANCE,
    HEAP_ONE_KIND,
    HIDDEN_LEFT_OVER,
    NO_FACE,
    NO_FACE_SUPPORT,
    POSE_CONTRADICTED,
    RANKS_ASKED,
    SIZE_OF_ITS_KIND,
    TAUGHT_POSED,
    TRAY_SIDE,
    WASHED_OUT_GREY,
    WASHED_OUT_SHARE,
    WITNESSES,
)


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
        (verdict.support < NO_FACE_SUPPORT and chance < NO_FACE)
        or (not is_d20 and verdict.support < CUBE_SUPPORT)
        or place.posed < POSE_CONTRADICTED
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
    if flat.chance < COCKED_FLAT and not flat.in_ranks and _is_cocked(place, verdict, lean, up):
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
        guesses=tuple(Guess(one, round(min(1.0, share), 4)) for one, share in ranked if share > GUESS_LEAST),
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
    return float((patch[rim:-rim, rim:-rim] >= WASHED_OUT_GREY).mean()) > WASHED_OUT_SHARE


def _faces_confirm(place: PosedDie, up: Up) -> bool:
    """Whether a d20 that surely is a taught one may be read in a pose that the network doubts, as with strange signs.

    Faces that look as they were taught could not be cut out in a wrong pose. Which of them is up others must tell.
    """
    return (place.agreed or place.fits > TAUGHT_POSED) and up.witnesses >= WITNESSES


def _is_cocked(place: PosedDie, verdict: Verdict, lean: float, up: Up) -> bool:
    """Whether the die leans on something: its pose says so, or none at rest fits what surely is a die.

    What surely is a die that was taught shows its faces where its pose has them, whatever the pose network thinks.
    """
    if place.posed > COCKED_LIKELY and place.glance > CONTRADICTED_GLANCE:
        return up.witnesses >= WITNESSES and lean > max(COCKED_LEAN, COCKED_SPREADS * up.spread)
    surely = place.judgement.readable > CONTRADICTED_DIE and place.glance > CONTRADICTED_GLANCE
    return surely and place.posed < COCKED_UNPOSED and verdict.owner is None


def _reaches_beyond(camera: Camera, verdict: Verdict) -> bool:
    """Whether the picture's edge cuts the die off: a flat side, some 0.85 radii from its middle, or a corner."""
    x, y = verdict.pose.centre
    spare = (0.85 - CUT_OFF_BEYOND) * verdict.pose.radius
    if not (spare < x < camera.width - spare and spare < y < camera.height - spare):
        return True
    points, beyond = _corners(verdict, camera), CUT_OFF_BEYOND * verdict.pose.radius
    return bool(np.any(points < -beyond) or np.any(points > np.array([camera.width, camera.height]) + beyond))


def shows_a_numeral(verdict: Verdict) -> bool:
    """Whether a die shows a numeral, and neither pips nor a sign nor nothing."""
    face, chance = verdict.best
    if verdict.kind is DieKind.D20:
        return True
    challenge = verdict.kind is DieKind.CHALLENGE and isinstance(face, int)
    return challenge or verdict.numeral > chance * EVEN


def _fills(camera: Camera, verdict: Verdict) -> bool:
    """Whether there is no room in the picture for a second die beside it."""
    return 2 * verdict.pose.radius > TRAY_SIDE * min(camera.width, camera.height)


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
    hardly_a_face = face is Symbol.BLANK or chance < EVEN
    if (
        one.flat.chance > FLAT_SURELY
        or one.flat.ranks > RANKS_ASKED
        or (one.flat.chance > FLAT_LIKELY and hardly_a_face)
    ):
        return False
    if one.contradicted:
        surely = one.judgement.readable > CONTRADICTED_DIE
        if one.glance > HEAP_GLANCE and _of_no_one_kind(one.judgement):
            return True
        return surely and (one.glance > CONTRADICTED_GLANCE or (face is not Symbol.BLANK and chance > ASKED_FACE))
    return one.die > ASKED_DIE or chance > ASKED_FACE


def _of_no_one_kind(judgement: Judgement) -> bool:
    return judgement.kinds[KIND_NONE] < 1 - HEAP_ANY_KIND and judgement.other[1] < HEAP_ONE_KIND


def hidden(seen: Sequence[Judged], kept: Sequence[Detection], camera: Camera) -> list[Detection]:
    """What is left of each thing that looked like a die when the dice that lie on it are taken off: doubtful dice.

    A die that another one hides in part looks, together with that one, like a larger die.
    """
    result: list[Detection] = []
    for one in seen:
        centre, radius = one.place.centre, one.place.radius
        upon = [die for die in [*kept, *result] if math.dist(die.pose.centre, centre) < radius]
        if not upon or sum(die.pose.radius**2 for die in upon) > HIDDEN_LEFT_OVER * radius**2:
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
    `SIZE_OF_ITS_KIND` as large is part of the tray or of what lies around it, unless one of its faces (not blank:
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
        or one.verdict.pose.radius >= SIZE_OF_ITS_KIND * least.get(one.verdict.kind is DieKind.D20, 0.0)
        or (one.verdict.best[1] > EVEN and one.verdict.best[0] is not Symbol.BLANK)
    ]


def _hardly_blank(grey: Grey, camera: Camera, place: PosedDie, verdict: Verdict) -> bool:
    """Whether what looks like a blank face may be any smooth patch: its pose or its edges do not speak for a die."""
    if place.likely < BLANK_POSED:
        return True
    outline = see(cube(), verdict.pose, camera).outline()
    return place.glance < BLANK_GLANCE and edge_sharpness(grey, outline) < BLANK_SHARPNESS
