"""Decides from the evidence whether a die is read, doubtful or cocked."""

from __future__ import annotations

import numpy as np

from rules.dice import DieKind, DieReading, DieState, Guess, SourceKind, Symbol
from vision.pose.crops import Grey, face_patch
from vision.pose.geometry import Camera, cube, see
from vision.pose.posing import PosedDie
from vision.pose.table_normal import TableNormal, leaning, up_chance
from vision.read.detection import Detection, box_of, corners
from vision.read.evidence import Evidence
from vision.read.faces import Verdict, edge_sharpness, shows_a_numeral
from vision.read.flat import NOT_FLAT, Flatness
from vision.read.glare import may_hide_pips
from vision.read.thresholds import (
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
    GUESS_LEAST,
    NO_FACE,
    NO_FACE_SUPPORT,
    POSE_CONTRADICTED,
    PRINT_OF_ILLEGIBLE,
    TAUGHT_POSED,
    THRESHOLDS,
    TRAY_SIDE,
    WASHED_OUT_GREY,
    WASHED_OUT_SHARE,
    WITNESSES,
)


def found(
    grey: Grey, camera: Camera, place: PosedDie, verdict: Verdict, up: TableNormal, *, flat: Flatness = NOT_FLAT
) -> Detection:
    """The reader's final word on a die: read, doubtful or cocked, and how sure it is.

    `flat` is the evidence of the other things in the picture that it is flat.
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
        glared=_glared(grey, camera, verdict),
        whole_tray=not shows_a_numeral(verdict) and _fills(camera, verdict),
        of_kind=verdict.kind_chance,
        illegible=_illegible(verdict),
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
        narrowed=place.narrowed,
        unproven=place.unproven,
        resting=place.likely,
        evidence=evidence,
    )


def _illegible(verdict: Verdict) -> bool:
    """Whether only the upper face of a d20 is legible, and not beyond doubt: all faces have the same lettering.

    A recogniser of print that surely reads the same number is believed.
    """
    if verdict.kind is not DieKind.D20 or verdict.legible >= THRESHOLDS.legible:
        return False
    face, chance = verdict.best
    if verdict.printed:
        return verdict.printed[int(face) - 1] < PRINT_OF_ILLEGIBLE
    return chance < THRESHOLDS.of_illegible


def _either(kind: DieKind) -> tuple[DieKind, DieKind]:
    """The two kinds with a bare 1 or 2, the likelier first."""
    return (kind, DieKind.D6 if kind is DieKind.CHALLENGE else DieKind.CHALLENGE)


def _washed_out(grey: Grey, camera: Camera, verdict: Verdict) -> bool:
    """Whether so much of the upper face is overexposed that a sign in light ink would not show."""
    patch = face_patch(grey, see(cube(), verdict.pose, camera), 0)
    rim = patch.shape[0] // 8
    return float((patch[rim:-rim, rim:-rim] >= WASHED_OUT_GREY).mean()) > WASHED_OUT_SHARE


def _glared(grey: Grey, camera: Camera, verdict: Verdict) -> bool:
    """Whether a glare on pips leaves open how many there are."""
    face, _ = verdict.best
    if verdict.kind is not DieKind.D6 or not isinstance(face, int) or shows_a_numeral(verdict):
        return False
    return may_hide_pips(face_patch(grey, see(cube(), verdict.pose, camera), 0), face)


def _faces_confirm(place: PosedDie, up: TableNormal) -> bool:
    """Whether a d20 that surely is a taught one may be read in a pose that the network doubts, as with strange signs.

    Taught faces are found only in the right pose. Which of them is up must be confirmed by other dice.
    """
    return (place.agreed or place.fits > TAUGHT_POSED) and up.witnesses >= WITNESSES


def _is_cocked(place: PosedDie, verdict: Verdict, lean: float, up: TableNormal) -> bool:
    """Whether the die leans on something: its pose says so, or none at rest fits what surely is a die.

    For a die that surely is a taught one the pose is right, whatever the pose network says.
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
    points, beyond = corners(verdict, camera), CUT_OFF_BEYOND * verdict.pose.radius
    return bool(np.any(points < -beyond) or np.any(points > np.array([camera.width, camera.height]) + beyond))


def _fills(camera: Camera, verdict: Verdict) -> bool:
    """Whether the die fills the picture, without room for a second one."""
    return 2 * verdict.pose.radius > TRAY_SIDE * min(camera.width, camera.height)


def _hardly_blank(grey: Grey, camera: Camera, place: PosedDie, verdict: Verdict) -> bool:
    """Whether a blank face may be any smooth patch, because neither its pose nor its edges suggest a die."""
    if place.likely < BLANK_POSED:
        return True
    outline = see(cube(), verdict.pose, camera).outline()
    return place.glance < BLANK_GLANCE and edge_sharpness(grey, outline) < BLANK_SHARPNESS
