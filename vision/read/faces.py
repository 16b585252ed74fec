"""From a posed die to the chance of each face.

A d20's faces are read one by one and vote together: a numbering is one of 120 known ones, or (less likely) one of its
own, and every visible face supports or contradicts it. The vote is soft: a maker's own numbering costs some confidence,
but still gives a value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules.dice import FACES, DieKind, Face, Symbol
from vision.pose.crops import Grey, cube_patch, face_patch
from vision.pose.geometry import Array, Camera, Pose, View, cube, icosahedron, layout_hypotheses, see
from vision.pose.networks import CUBE_FACES, Networks
from vision.pose.refinement import turned_by
from vision.read.face_memory import FaceMemory
from vision.read.thresholds import CHALLENGE_FRAMED, EFFECT_SAME_SIGN, EVEN, FACE_FACING, THRESHOLDS
from vision.taught.likeness import NO_OWN_DICE, Likeness, OwnDice
from vision.taught.own_dice import OwnDie
from vision.taught.thresholds import SAME_LOOK, SURELY_THE_LOOK

_OWN_LAYOUT: Final = 0.15
"""The prior chance of an unknown numbering."""
_HIDDEN: Final = 0.05
"""The chance that a face shows no number although it has a place in the numbering: a logo, glare, a smudge."""
_MISTAKEN: Final = 0.0015
"""The chance that a face is taken for another number, whatever the network says."""
_SHOWN_TWICE: Final = 0.02
"""The least factor on a number's chance on one face for each other face that surely shows it: each number stands
once."""
_LEAST_WRONG: Final = 0.005
"""The least chance that a pose is wrong, however sure it seems."""
_SHOWS_NOTHING: Final = 0.8
"""In a wrong pose each patch shows no number with this chance; the others show anything."""
_NO_NUMBER: Final = 0.2
"""The share of the patches without a whole upright number among those that `numbers` was taught with."""
_NO_NUMERALS: Final = 0.2
"""The number of dice with Roman numerals or letters for each wrong pose; they look like any numbers, some of them
twice."""
_SHARPNESS: Final = 0.7
"""Neighbouring faces fail together (blur, glare): their log-likelihoods count for this much."""
_BESIDE_LOOKS: Final = 0.6
"""The weight of the network's log odds if a taught face's look is known, too."""
_LEAST_BESIDE_LOOKS: Final = -1.5
"""The most that the network counts against a taught face whose look is known, too (log odds)."""
_MIN_LOG_ODDS_OF_SIGN: Final = -0.8
"""The least log odds of the network for a taught cube's look: it may mistake a cube's 1 for an Effect."""
_LESS_IF_SURE: Final = 2.5
"""The additional log odds against such a face if the network surely reads another number."""
_NOTHING_BESIDE_LOOKS: Final = 1.5
"""The most that all faces without a number, taken together, count for a wrong pose (log odds)."""
_STRANGE_DICE: Final = 0.05
"""The share of untaught dice with unknown signs, at a table with taught dice."""
_LEAST_STRANGE: Final = -6.0
"""The most that a patch's likeness to a taught face counts against the faces not taught (log odds)."""
_SAYS_OTHERWISE: Final = 0.02
"""The chance from which a taught cube with another face than the likeliest one halves all chances."""
_RING_CHANCE: Final = math.log(0.5 / 60)
"""The chance, before looking, of one turn of one face of a die whose ring is known."""
_LEAST_CHANCE: Final = 1e-3
"""What is added to the chances of an Effect and of a strange sign before they are compared."""
_STRANGE_MEANS: Final[dict[Face, float]] = {Symbol.EFFECT: 0.25, 1: 0.1, 2: 0.1, Symbol.BLANK: 0.05}
"""The guesses for an unknown sign: a face of some maker's Challenge Die, or nothing."""


@dataclass(frozen=True)
class Verdict:
    """The face of a die: chances by face (adding up to at most 1), and the pose that explains the picture best.

    * `support`: the chance (0..1) that in the best pose the upper face is a whole, upright one.
    * `owner`: the taught die that it surely is.
    * `shared`: the chance that a 1 or 2 without a frame, which d6s and Challenge Dice share, is a Challenge Die's,
      before `kinds.kinds_told` decides; None for any other face.
    * `numeral`: the chance that it shows a d6's numeral; `kind_chance`: that it is of this kind.
    * `numbered`: the chance that an untaught d20 has a known numbering; `legible`: how surely its other faces are read,
      each by itself, in the mean.
    * `printed`: the result of a recogniser of print on its upper face, if used (`witness.numbers_told`).
    * `sign`: the chance that it shows a sign, an Effect or a strange one; `emblem`: the log odds, by that sign's look
      alone, that it is an Effect; `sign_odds`: the same by its sides and its set (`effects.effects_told`).
    """

    kind: DieKind
    chances: dict[Face, float]
    pose: Pose
    support: float
    owner: str | None = None
    shared: float | None = None
    numeral: float = 0.0
    kind_chance: float = 1.0
    numbered: float = 1.0
    legible: float = 1.0
    printed: tuple[float, ...] = ()
    sign: float = 0.0
    emblem: float = 0.0
    sign_odds: float | None = None

    @property
    def best(self) -> tuple[Face, float]:
        """The likeliest face and its chance."""
        return max(self.chances.items(), key=lambda item: item[1])


def merit(verdict: Verdict) -> float:
    """How convincing a reading is: by its likeliest face, and whether that is a whole face."""
    return verdict.best[1] * verdict.support


def shows_a_numeral(verdict: Verdict) -> bool:
    """Whether a die shows a numeral, not pips, a sign or a blank face."""
    face, chance = verdict.best
    if verdict.kind is DieKind.D20:
        return True
    challenge = verdict.kind is DieKind.CHALLENGE and isinstance(face, int)
    return challenge or verdict.numeral > chance * EVEN


def read_d20s(
    memory: FaceMemory,
    looks: Sequence[Sequence[Pose]],
    camera: Camera,
    *,
    likely: Sequence[float],
    most: int = 4,
    own: OwnDice = NO_OWN_DICE,
    colours: Sequence[Array | None] = (),
) -> list[Verdict]:
    """Read d20s, each of which lies in one of its poses (face 0 up); one run of the network for what is new in them.

    `likely` are the prior chances that each die lies about so. In each pose at most `most` faces are read: face 0 and
    the most frontal others. `own` are the taught dice, `colours` each die's colour.
    """
    solid = icosahedron()
    views = [[see(solid, pose, camera) for pose in poses] for poses in looks]
    faces = [[_frontal(view, most) for view in row] for row in views]
    wanted = [
        (pose, view, face)
        for poses, row, chosen in zip(looks, views, faces, strict=True)
        for pose, view, shown in zip(poses, row, chosen, strict=True)
        for face in shown
    ]
    if not wanted:
        return []
    patches, scores = memory.read(wanted)
    said = own.say(patches, own.d20s)
    start = 0
    verdicts = []
    for number, (poses, chosen, chance) in enumerate(zip(looks, faces, likely, strict=True)):
        colour = colours[number] if colours else None
        biases = [one.colour_says(colour) + own.doubt(own.d20s) for one in own.d20s]
        votes: list[Array] = []
        plain: list[_Vote] = []
        supports: list[float] = []
        others: list[float] = []
        for shown in chosen:
            part = slice(start, start + len(shown))
            start += len(shown)
            rows = scores[part]
            plain.append(_vote(rows, shown))
            others.append(float(rows[1:, :20].max(axis=1).mean()) if len(rows) > 1 else 1.0)
            told = [plain[-1].odds] + [
                _vote(rows, shown, alike.odds[part], one.die.rings, legible=one.die.legible).odds
                + bias
                + alike.belongs(part, said)
                for one, alike, bias in zip(own.d20s, said, biases, strict=True)
            ]
            votes.append(np.array(told))
            owned = max((alike.belongs(part) + float(alike.odds[part.start].max()) for alike in said), default=-9.0)
            supports.append(max(float(1 - rows[0, 20]), 1 / (1 + math.exp(-owned)) if owned > 0 else 0.0))
        wrong = min(1 - _LEAST_WRONG, max(_LEAST_WRONG, 1 - chance))
        against = wrong / (1 - wrong) * (1 + float(np.exp([one.unread for one in plain]).mean()))
        best = int(np.argmax(np.logaddexp.reduce(votes, axis=(1, 2))))
        verdict = _d20_verdict(poses[best], supports[best], np.array(votes), against, own)
        if said:  # looks that agree with the faces read never make them less sure
            read = _d20_verdict(poses[best], supports[best], np.array(votes)[:, :1], against, NO_OWN_DICE)
            if read.best[0] == verdict.best[0]:
                verdict = replace(verdict, chances=raised(verdict.chances, *read.best))
        if verdict.owner is None:
            told_so = plain[best].own[int(verdict.best[0]) - 1]
            verdict = replace(verdict, numbered=1 - math.exp(told_so), legible=others[best])
        verdicts.append(verdict)
    return verdicts


def votes_of(memory: FaceMemory, poses: Sequence[Pose], camera: Camera, most: int) -> Array:
    """For each pose of a d20 and each number on face 0 (poses x 20) how much likelier than a wrong pose it is.

    Log odds of what is seen on face 0 and the most frontal others, `most` faces in all.
    """
    views = [see(icosahedron(), pose, camera) for pose in poses]
    faces = [_frontal(view, most) for view in views]
    wanted = [(pose, view, face) for pose, view, shown in zip(poses, views, faces, strict=True) for face in shown]
    _, scores = memory.read(wanted)
    parts = np.split(scores, np.cumsum([len(shown) for shown in faces])[:-1])
    return np.array([_vote(rows, shown).odds for rows, shown in zip(parts, faces, strict=True)])


def _d20_verdict(pose: Pose, support: float, votes: Array, against: float, own: OwnDice) -> Verdict:
    """From votes by pose, by owner (the first: none) and by number; `against` are the odds that none of them counts.

    `pose` is the one that explains the picture best.
    """
    joined: Array = np.logaddexp.reduce(votes, axis=(0, 1)) - math.log(len(votes))
    whole = float(np.logaddexp.reduce(np.append(joined, math.log(against))))
    chances: dict[Face, float] = {n + 1: float(math.exp(joined[n] - whole)) for n in range(20)}
    owners = np.logaddexp.reduce(votes, axis=(0, 2))
    return Verdict(DieKind.D20, chances, pose, support, own.surely(owners, own.d20s))


def _frontal(view: View, most: int) -> list[int]:
    """The faces to read: face 0, and those that face the camera enough, the most frontal first; `most` at most."""
    order = np.argsort(-view.facing)
    others = [int(face) for face in order if face != 0 and view.facing[face] > FACE_FACING]
    return [0, *others][:most]


@dataclass(frozen=True, eq=False)
class _Vote:
    """By the number on face 0, logs of how much more likely it makes what is seen than a wrong pose would (`odds`).

    `own` is the share of it that is owed to a numbering of the die's own, `unread` the same odds of a die in this pose
    that carries no numerals.
    """

    odds: Array
    own: Array
    unread: float


def _vote(
    rows: Array,
    shown: Sequence[int],
    odds: Array | None = None,
    rings: Mapping[int, tuple[int, int, int]] | None = None,
    *,
    legible: bool = True,
) -> _Vote:
    """The vote of some faces of a d20 for each number on face 0.

    `shown` lists the faces read, face 0 first; `rows` their chances (21 columns). For a die that was taught, `odds` is
    what its faces' looks say of each patch, and `rings` the numbers round its faces as far as they are known; the
    networks' reading counts only if they are known to be able to read it (`legible`).
    """
    # The ratio of a patch's chance of a class to the class's share in training is its evidence for the class.
    told = rows[:, :20] * ((1 - _HIDDEN) * 20 / (1 - _NO_NUMBER)) + rows[:, 20:] * (_HIDDEN / _NO_NUMBER) + _MISTAKEN
    logs = np.log(told) * _SHARPNESS
    nothing = np.log(_SHOWS_NOTHING * rows[:, 20] / _NO_NUMBER + 1 - _SHOWS_NOTHING) * _SHARPNESS
    some_number = np.log(told.mean(axis=1)) * _SHARPNESS
    alone = np.log(rows[0, :20] * (20 / (1 - _NO_NUMBER)) + _MISTAKEN / 4)  # no neighbour fails with it
    alone += np.log(np.maximum(1 - rows[1:, :20], _SHOWN_TWICE)).sum(axis=0)
    if odds is not None:  # where the look of a face is known, the network counts for less
        known_look = odds != 0
        if not legible:
            logs, alone, nothing = np.zeros_like(logs), np.zeros_like(alone), np.zeros_like(nothing)
        least = _LEAST_BESIDE_LOOKS - _LESS_IF_SURE * rows[:, :20].max(axis=1, keepdims=True) ** 2
        logs = np.where(known_look, np.maximum(_BESIDE_LOOKS * logs, least) + odds, logs)
        alone = np.where(known_look[0], np.maximum(_BESIDE_LOOKS * alone, least[0]) + odds[0], alone)
        some_number = np.log(np.exp(logs).mean(axis=1))
        # A wrong pose would not look like this die either, which `Likeness.belongs` has told already.
        nothing = np.minimum(nothing, _NOTHING_BESIDE_LOOKS / len(nothing))
    hypotheses = layout_hypotheses()
    known = sum((logs[i, hypotheses[:, face] - 1] for i, face in enumerate(shown)), np.zeros(len(hypotheses)))
    known += math.log((1 - _OWN_LAYOUT) / len(hypotheses))
    own = alone + float(some_number[1:].sum()) + _told_apart(rows[1:, :20]) + math.log(_OWN_LAYOUT / 20)
    if rings:
        own = np.logaddexp(own, _ringed(alone, logs, shown, rings))
    told_by_all = np.column_stack([known[_hypotheses_by_number()], own])
    whole: Array = np.logaddexp.reduce(told_by_all, axis=1)
    none = float(nothing.sum())
    return _Vote(whole - none, own - whole, math.log(_NO_NUMERALS) + float(some_number.sum()) - none)


def _told_apart(rows: Array) -> float:
    """The log of the chance that the faces with these chances (rows, 20 columns) show numbers that all differ."""
    same = rows @ rows.T
    return float(np.log(np.maximum(1 - same[np.triu_indices(len(rows), 1)], _SHOWN_TWICE)).sum())


def _ringed(alone: Array, logs: Array, shown: Sequence[int], rings: Mapping[int, tuple[int, int, int]]) -> Array:
    """The same by the numbers that are known to lie round a face, for a die with a numbering of its own."""
    result = np.full(20, -np.inf)
    beside = [shown.index(face) if face in shown else None for face in icosahedron().neighbours[0]]
    rest = [i for i in range(1, len(shown)) if i not in beside]
    others = float(np.log(np.exp(logs[rest]).mean(axis=1)).sum()) if rest else 0.0
    for number, ring in rings.items():
        turns = [
            sum(logs[place, ring[(i + turn) % 3] - 1] for i, place in enumerate(beside) if place is not None)
            for turn in range(3)
        ]
        result[number - 1] = alone[number - 1] + np.logaddexp.reduce(np.array(turns)) + others + _RING_CHANCE
    return result


@cache
def _hypotheses_by_number() -> NDArray[np.intp]:
    """For each number the rows of `layout_hypotheses` that have it on face 0."""
    return np.array([np.flatnonzero(layout_hypotheses()[:, 0] == number) for number in range(1, 21)])


def around(pose: Pose, rng: np.random.Generator, count: int, spread: float = 1.0) -> list[Pose]:
    """`count` poses near this one: moved, scaled, spun and leaned a little."""
    result = []
    for _ in range(count):
        near = pose.moved(
            float(rng.normal(0, 0.03 * spread)),
            float(rng.normal(0, 0.03 * spread)),
            math.exp(float(rng.normal(0, 0.03 * spread))),
        )
        turn = turned_by(rng.normal(0, 0.05 * spread, 3))
        result.append(Pose(near.centre, near.radius, turn @ pose.rotation))
    return result


def read_cubes(
    grey: Grey,
    looks: Sequence[Sequence[Pose]],
    camera: Camera,
    networks: Networks,
    *,
    own: OwnDice = NO_OWN_DICE,
    colours: Sequence[Array | None] = (),
) -> list[Verdict]:
    """Read cubes, each of which lies in one of its poses (face 0 up): pip or numeral d6s, and Challenge Dice.

    `own` are the dice that were taught, also those of other signs, `colours` each die's colour.
    """
    views = [see(cube(), pose, camera) for poses in looks for pose in poses]
    wide = [cube_patch(grey, view) for view in views]
    patches = [np.ascontiguousarray(np.rot90(patch, turn)) for patch in wide for turn in range(4)]
    if not patches:
        return []
    scores = networks.cubes(patches).astype(np.float64)
    logs = np.log(np.maximum(scores, 1e-5)).reshape(len(views), 4, -1).mean(axis=1)
    fronts = [face_patch(grey, view, 0) for view in views] if own.cubes else []
    said = own.say(fronts, own.cubes)
    verdicts = []
    start = 0
    for number, poses in enumerate(looks):
        part = slice(start, start + len(poses))
        start += len(poses)
        rows = np.exp(logs[part])
        rows /= rows.sum(axis=1, keepdims=True)
        best = int(np.argmin(rows[:, -1]))
        verdict = _cube_verdict(rows.mean(axis=0), poses[best], float(1 - rows[best, -1]))
        if said:
            colour = colours[number] if colours else None
            verdict = _own_cube(verdict, rows, said, part, own=own, colour=colour)
        verdicts.append(verdict)
    return verdicts


def _own_cube(
    verdict: Verdict, rows: Array, said: Sequence[Likeness], part: slice, *, own: OwnDice, colour: Array | None
) -> Verdict:
    """The verdict with the evidence of taught cubes' looks; for other dice only the network counts.

    Of the poses tried, the one counts in which a face is most like a taught one.
    """
    likest = part.start + int(np.argmax(np.max([one.best[part] for one in said], axis=0)))
    part = slice(likest, likest + 1)
    strange = float(rows[:, CUBE_FACES.index(("strange", None))].mean())
    known = (1 - strange) ** 2  # as `_cube_verdict` counts it
    votes = [np.array([math.log(known + _STRANGE_DICE * (1 - known))])]
    for one, alike in zip(own.cubes, said, strict=True):
        column = [
            max(
                (
                    rows[:, n].mean()
                    for n, (_, shown) in enumerate(CUBE_FACES)
                    if shown == face and _fits(n, one.die.kind)
                ),
                default=0.0,
            )
            for face in FACES[one.die.kind]
        ]
        network = _BESIDE_LOOKS * np.log(np.array(column) * len(CUBE_FACES) + 1e-3)
        # Signs that are strange to the network are no evidence against this die.
        network = np.maximum(network - network.max(), _MIN_LOG_ODDS_OF_SIGN)
        seen = alike.odds[part].mean(axis=0)
        rest = -np.inf if alike.strange is None else float(np.maximum(alike.strange[part], _LEAST_STRANGE).mean())
        rest += math.log(1 - _of_another_kind(rows, one.die.kind) + 1e-3)
        vote = network + np.where(seen != 0, seen, rest) - math.log(len(column))
        votes.append(vote + alike.belongs(part, said) + one.colours_say(colour) + own.doubt(own.cubes))
    owners = np.array([float(np.logaddexp.reduce(vote)) for vote in votes])
    shares = np.exp(owners - np.logaddexp.reduce(owners))
    top = int(np.argmax(owners))
    kind = own.cubes[top - 1].die.kind if top else verdict.kind
    chances: dict[Face, float] = dict.fromkeys(FACES[kind], 0.0)
    for face, chance in verdict.chances.items():
        if face in same_faces(verdict.kind, kind):
            chances[face] += chance * float(shares[0])
    looks: list[_TaughtLook] = []
    for one, like, vote, share in zip(own.cubes, said, votes[1:], shares[1:], strict=True):
        shown = same_faces(one.die.kind, kind)
        told = dict(zip(FACES[one.die.kind], np.exp(vote - np.logaddexp.reduce(vote)).tolist(), strict=True))
        for face in shown:
            chances[face] += float(share) * told[face]
        likest = max(told, key=lambda face: told[face])
        looks.append(_TaughtLook(one.die, likest, float(share), float(like.best[part].max()), likest in shown))
    support = verdict.support
    if max(chances, key=lambda face: chances[face]) is not Symbol.BLANK:  # a shadow is as smooth as a blank face
        support = max(support, float(1 - shares[0]))
    best = _beside_what_is_read(verdict, chances, looks, looks[top - 1] if top else None)
    shared = verdict.shared if top == 0 else None
    sign, owner = (verdict.sign if top == 0 else 0.0), own.surely(owners, own.cubes)
    return Verdict(kind, best, verdict.pose, support, owner, shared, verdict.numeral, sign=sign, emblem=verdict.emblem)


@dataclass(frozen=True)
class _TaughtLook:
    """The face if the cube were this taught one: its likeliest face, and the chance that it is this one.

    `alike` is the likeness of its best look; `counts` whether that face is one of the reported kind.
    """

    die: OwnDie
    face: Face
    share: float
    alike: float
    counts: bool


def same_faces(one: DieKind, other: DieKind) -> tuple[Face, ...]:
    """The faces that count the same on both kinds of cubes (CD-1): an open kind is no doubt about these."""
    return FACES[one] if one is other else (1, 2)


def _beside_what_is_read(
    read: Verdict, chances: dict[Face, float], looks: Sequence[_TaughtLook], owner: _TaughtLook | None
) -> dict[Face, float]:
    """The `chances` with the looks of taught cubes, beside what was `read` without them.

    If both agree, the result is no less sure than the reading alone. If they disagree, the reading counts if it is sure
    and read the similar face correctly when it was taught: then it can distinguish them. It does not count if it
    misread that face, and its present result was taught, too, or is not on the die. Otherwise the die stays in
    question.
    """
    best = max(chances, key=lambda face: chances[face])
    if best is Symbol.BLANK:  # a face with a faint sign looks like a blank one: looks never make a blank face surer
        chances = chances | {best: min(chances[best], read.chances.get(best, 0.0))}
    face, chance = read.best
    surely = chance >= THRESHOLDS.read[read.kind]
    halved = {one: max(each, chance if one == face else 0.0) / 2 for one, each in chances.items()}
    contrary = [one for one in looks if one.share > _SAYS_OTHERWISE and (one.face != best or not one.counts)]
    if face == best:
        likest = max(looks, key=lambda one: one.alike)
        like = [one for one in contrary if one.alike >= SAME_LOOK] if likest in contrary else []
        known = surely and best is not Symbol.BLANK and all(_told_from_others(one) for one in like)
        if like and not known:
            return halved
        return raised(chances, best, chance)
    if owner is None or chance <= EVEN:
        return halved if contrary else chances
    die, possible = owner.die, same_faces(read.kind, owner.die.kind)
    if surely and face in possible and _told_from_others(owner):
        return raised(chances, face, chance)
    every = FACES[die.kind] if face not in possible else (face,)
    outweighed = owner.alike >= SURELY_THE_LOOK and all(one in die.faces for one in every)
    return chances if outweighed and not contrary else halved


def _told_from_others(look: _TaughtLook) -> bool:
    """Whether the networks can distinguish this face from others: they read it correctly when it was taught.

    Of an Effect they may have read only that it is a sign, so a face that looks the same as it is not distinguished.
    """
    just_so = look.face is Symbol.EFFECT and look.alike > EFFECT_SAME_SIGN
    return look.die.read_so(look.face) and not just_so


def raised(chances: Mapping[Face, float], face: Face, chance: float) -> dict[Face, float]:
    """The chances with at least this chance for a face; the others share the rest."""
    if chances[face] >= chance:
        return dict(chances)
    less = (1 - chance) / max(1e-9, 1 - chances[face])
    return {one: chance if one == face else each * less for one, each in chances.items()}


def _of_another_kind(rows: Array, kind: DieKind) -> float:
    """The chance that the network sees a face of another kind: then no untaught face of this kind is up."""
    others = [n for n, (_, face) in enumerate(CUBE_FACES) if face is not None and not _fits(n, kind)]
    return float(rows[:, others].sum(axis=1).mean())


def _fits(number: int, kind: DieKind) -> bool:
    return (CUBE_FACES[number][0] == "challenge") is (kind is DieKind.CHALLENGE)


def _cube_verdict(row: NDArray[np.float64], pose: Pose, support: float) -> Verdict:
    """From the chances of `CUBE_FACES` to a kind and its faces.

    A 1 or 2 without a frame is on d6s and on Challenge Dice, and counts the same on both (CD-1): its face is as sure as
    both together. A strange sign may as well belong to no Challenge Die, and none of its possible faces is likely; the
    chance of one counts twice, since signs that were never taught are told from known ones less surely; not against
    pips or a 1, which such signs are hardly ever taken for.
    """
    challenge: dict[Face, float] = {1: 0.0, 2: 0.0, Symbol.BLANK: 0.0, Symbol.EFFECT: 0.0}
    plain: dict[Face, float] = dict.fromkeys(range(1, 7), 0.0)
    numerals: dict[Face, float] = {}
    pips: dict[Face, float] = {}
    strange = 0.0
    for (style, face), chance in zip(CUBE_FACES, row, strict=True):
        if face is None:
            strange = float(chance) if style == "strange" else strange
            continue
        (challenge if style == "challenge" else plain)[face] += float(chance)
        if style == "numeral":
            numerals[face] = float(chance)
        elif style == "pips":
            pips[face] = float(chance)
    sign = challenge[Symbol.EFFECT] + strange
    emblem = math.log((challenge[Symbol.EFFECT] + _LEAST_CHANCE) / (strange + _LEAST_CHANCE))
    ways: dict[Face, float] = {}
    for face in (1, 2):
        framed = challenge[face] / max(1e-9, challenge[face] + plain[face])  # pips are a d6's for certain
        if framed > CHALLENGE_FRAMED:
            challenge[face], plain[face] = challenge[face] + numerals[face], plain[face] - numerals[face]
        else:
            if challenge[face] + numerals[face] > plain[face] - numerals[face]:
                ways[face] = challenge[face] / max(1e-9, challenge[face] + numerals[face])
            challenge[face], plain[face] = 0.0, plain[face] + challenge[face]
    for face, share in _STRANGE_MEANS.items():
        challenge[face] = challenge[face] * (1 - strange) + share * strange
    plain = {face: chance - strange * (chance - pips[face]) if face != 1 else chance for face, chance in plain.items()}
    kind = DieKind.CHALLENGE if max(challenge.values()) >= max(plain.values()) else DieKind.D6
    chances = challenge if kind is DieKind.CHALLENGE else plain
    best = max(chances, key=lambda one: chances[one])
    shared, numeral = (ways.get(best), numerals[best]) if kind is DieKind.D6 else (None, 0.0)
    return Verdict(kind, chances, pose, support, shared=shared, numeral=numeral, sign=sign, emblem=emblem)


def edge_sharpness(grey: Grey, outline: Array) -> float:
    """The sharpness of the change across an outline: near 1 for a die's edge, towards 0.2 for a soft shadow.

    The median, over points along the outline, of the largest step on a short way across it against the whole change.
    """
    middle = outline.mean(axis=0)
    after = np.roll(outline, -1, axis=0)
    shares = np.linspace(0, 1, 8, endpoint=False)[:, None, None]
    spots = (outline + (after - outline) * shares).reshape(-1, 2)
    ways = np.linspace(0.75, 1.25, 26)[:, None, None]
    path = np.round(middle + (spots - middle) * ways).astype(int)
    columns = np.clip(path[..., 0], 0, grey.shape[1] - 1)
    rows = np.clip(path[..., 1], 0, grey.shape[0] - 1)
    profile = grey[rows, columns].astype(np.float64)
    steps = np.abs(profile[3:] - profile[:-3]).max(axis=0)
    return float(np.median(steps / np.maximum(np.ptp(profile, axis=0), 4.0)))
