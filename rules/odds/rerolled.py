"""The chances of d20s of which some may be thrown again, each time as it helps the Task most (TASK-12).

A die is thrown again only while the Task would fail, and only those that then give the best chance of success; a
Complication goes first where that makes no difference. Counts ways out of 20 to the number of dice, in whole numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Final

from rules.state.changing import replace
from rules.state.vocabulary import RerollReason

D20_FACES: Final = 20
"""The faces of a d20."""


Worth = tuple[int, bool]
"""What one die is worth: its successes, and whether it is a Complication."""


Faces = tuple[tuple[Worth, int], ...]
"""One kind of die: how many of its faces have each worth."""


Lying = tuple[tuple[Worth, ...], ...]
"""The dice on the table, kind by kind, in no order."""


Came = Counter[tuple[int, bool]]
"""Ways to successes that count, each with and without any Complication."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrownTogether:
    """Dice of some kinds that are thrown together, the leader's own first.

    * `kinds`: faces and their worth, with how many such dice there are; the first kind is the leader's.
    * `own`: successes of the leader's that lie there already; `automatic` ones count on top and let no help count.
    * `needed`: successes that make the Task succeed.
    """

    kinds: tuple[tuple[Faces, int], ...]
    own: int
    automatic: int
    needed: int


def came(throw: ThrownTogether, rerolls: Sequence[RerollReason]) -> tuple[Came, int]:
    """Ways to each result when dice are thrown again as `rerolls` allow, and of how many ways in all."""
    reasons = _used(rerolls)
    dice = sum(count for _, count in throw.kinds)
    if RerollReason.SHIP_SYSTEM not in reasons:
        throw = _with_help_as_one(throw)
    best = _Best(throw)
    total: Came = Counter()
    for lying, ways in _thrown(throw.kinds):
        for one, number in best.of(lying, reasons)[0].items():
            total[one] += ways * number
    return total, D20_FACES**dice * prod(best.ways(one) for one in reasons)


def _with_help_as_one(throw: ThrownTogether) -> ThrownTogether:
    """Combine dice that are never thrown again into one die with their joint results."""
    together: Came = Counter({(0, False): 1})
    for faces, count in throw.kinds[1:]:
        sums: Came = Counter()
        for (got, spoilt), ways in together.items():
            for (more, bad), number in _of_these(faces, count).items():
                sums[got + more, spoilt or bad] += ways * number
        together = sums
    return replace(throw, kinds=(throw.kinds[0], (tuple(sorted(together.items())), 1)))


class _Best:
    """The results of dice on the table when each re-roll is used in the best way, or not at all."""

    def __init__(self, throw: ThrownTogether) -> None:
        self._throw = throw
        self._known: dict[tuple[Lying, tuple[RerollReason, ...]], tuple[Came, int]] = {}

    def ways(self, reason: RerollReason) -> int:
        """The total number of ways of all results with these re-rolls."""
        return int(D20_FACES ** (self._throw.kinds[0][1] if reason is RerollReason.ACCURATE_AIM else 1))

    def of(self, lying: Lying, left: tuple[RerollReason, ...]) -> tuple[Came, int]:
        """The ways to each result with these re-rolls left, and how many of them are a success."""
        key = (lying, left)
        if key not in self._known:
            self._known[key] = self._worked_out(lying, left)
        return self._known[key]

    def _worked_out(self, lying: Lying, left: tuple[RerollReason, ...]) -> tuple[Came, int]:
        own, helped, bad = _sums(lying)
        ways = prod(self.ways(one) for one in left)
        result = self._counted(own, helped), bad > 0
        if result[0] >= self._throw.needed:
            return Counter({result: ways}), ways
        found, won = Counter({result: ways}), 0
        for place, reason in enumerate(left):
            others = (*left[:place], *left[place + 1 :])
            for chosen in _choices(lying, reason):
                tried = self._again(lying, chosen, others)
                scale = self.ways(reason) // D20_FACES ** sum(len(some) for some in chosen)
                good = scale * sum(number for (got, _), number in tried.items() if got >= self._throw.needed)
                if good > won:
                    found, won = Counter({one: scale * number for one, number in tried.items()}), good
        return found, won

    def _again(self, lying: Lying, chosen: Lying, others: tuple[RerollReason, ...]) -> Came:
        tried: Came = Counter()
        kinds = [(faces, len(some)) for (faces, _), some in zip(self._throw.kinds, chosen, strict=True)]
        if others:
            for fresh, ways in _thrown(kinds):
                after = tuple(_without(old, gone, new) for old, gone, new in zip(lying, chosen, fresh, strict=True))
                for one, number in self.of(after, others)[0].items():
                    tried[one] += ways * number
            return tried
        stays = [here - gone for here, gone in zip(_sums(lying), _sums(chosen), strict=True)]
        place = next(place for place, some in enumerate(chosen) if some)
        for (got, spoilt), ways in _of_these(*kinds[place]).items():
            own, helped = (stays[0] + got, stays[1]) if place == 0 else (stays[0], stays[1] + got)
            tried[self._counted(own, helped), spoilt or stays[2] > 0] += ways
        return tried

    def _counted(self, own: int, helped: int) -> int:
        """ASST-2: help counts once the leader has a success of their own."""
        own += self._throw.own
        return own + (helped if own else 0) + self._throw.automatic


def _sums(lying: Lying) -> tuple[int, int, int]:
    """Successes of the leader's dice and of all others, and Complications."""
    own, *others = (sum(got for got, _ in some) for some in lying)
    return own, sum(others), sum(spoilt for some in lying for _, spoilt in some)


def _used(rerolls: Sequence[RerollReason]) -> tuple[RerollReason, ...]:
    """What can be used one after the other: an Aim once a Task, with an Accurate weapon at its best (QUAL-1)."""
    accurate = RerollReason.ACCURATE_AIM in rerolls
    aim = (RerollReason.ACCURATE_AIM,) if accurate else (RerollReason.AIM,) if RerollReason.AIM in rerolls else ()
    return (*aim, *((RerollReason.SHIP_SYSTEM,) if RerollReason.SHIP_SYSTEM in rerolls else ()))


def _choices(lying: Lying, reason: RerollReason) -> Iterator[Lying]:
    """Which dice may be thrown again, those with a Complication first: one, or of an Accurate weapon's any own."""
    nothing: Lying = ((),) * len(lying)
    if reason is RerollReason.ACCURATE_AIM:
        own = sorted(lying[0], key=_worth_order)
        for many in range(1, len(own) + 1):
            yield (tuple(own[:many]), *nothing[1:])
        return
    for place, some in enumerate(lying[: len(lying) if reason is RerollReason.SHIP_SYSTEM else 1]):
        if some:
            yield (*nothing[:place], (min(some, key=_worth_order),), *nothing[place + 1 :])


def _worth_order(one: Worth) -> tuple[int, bool]:
    """The order of dice for re-rolling: the least worth first, because keeping it never helps."""
    got, spoilt = one
    return got, not spoilt


def _without(old: tuple[Worth, ...], gone: tuple[Worth, ...], new: tuple[Worth, ...]) -> tuple[Worth, ...]:
    return tuple(sorted((Counter(old) - Counter(gone) + Counter(new)).elements()))


def _thrown(kinds: Sequence[tuple[Faces, int]]) -> Iterator[tuple[Lying, int]]:
    """All results of that number of dice of these kinds, each with its number of ways."""
    if not kinds:
        yield (), 1
        return
    (faces, count), *others = kinds
    for first, ways in _of_a_kind(faces, count).items():
        for rest, more in _thrown(others):
            yield (first, *rest), ways * more


@lru_cache(maxsize=256)
def _of_a_kind(faces: Faces, count: int) -> Counter[tuple[Worth, ...]]:
    if not count:
        return Counter({(): 1})
    found: Counter[tuple[Worth, ...]] = Counter()
    for lying, ways in _of_a_kind(faces, count - 1).items():
        for worth, number in faces:
            found[tuple(sorted((*lying, worth)))] += ways * number
    return found


@lru_cache(maxsize=256)
def _of_these(faces: Faces, count: int) -> Came:
    found: Came = Counter()
    for lying, ways in _of_a_kind(faces, count).items():
        found[sum(got for got, _ in lying), any(spoilt for _, spoilt in lying)] += ways
    return found
