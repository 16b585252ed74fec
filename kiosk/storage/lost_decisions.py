"""Which decisions are lost, told by the rows of a damaged journal that are left.

Enters: places of adjacent rows, in order. Leaves: the numbers of the decisions that can be read nowhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from kiosk.ports import LeftOut


@dataclass(frozen=True, slots=True)
class RowRange:
    """The place of a decision's adjacent rows: first and last sequence, and its number."""

    number: int
    first: int
    last: int
    command: str
    whole: bool
    """Whether it is unaltered, its number included, by its checksum."""
    readable: bool
    begins: bool
    """Whether the first of its rows is the first of a decision."""


def lost_among(places: Sequence[RowRange]) -> tuple[tuple[LeftOut, ...], list[tuple[int, int]]]:
    """The decisions that can be read nowhere, of those of a journal, and from which sequence to which their rows stand.

    A decision with a valid checksum has its right number. Each other one stands between two of these, or its number is
    wrong. Rows that form no whole decision belong to the one before, if that is not whole either.
    """
    stays = _compatible(places)
    following = _next_numbers(places, stays)
    for at in range(1, len(places)):
        if stays[at] or not stays[at - 1] or places[at - 1].whole:
            continue
        if places[at].first > places[at - 1].last + 1:
            continue
        if not places[at].begins or following[at] == places[at - 1].number + 1:
            stays[at - 1] = False
    lost: dict[int, LeftOut] = {}
    ranges: list[tuple[int, int]] = []
    last, after = 0, _next_numbers(places, stays)
    for at, one in enumerate(places):
        if stays[at]:
            last = one.number
            continue
        ranges.append((one.first, one.last))
        if not one.begins and at and not stays[at - 1]:
            continue  # it goes on with the one before
        room = one.first - (places[at - 1].last if at else 0)  # as many decisions can be missing before it
        fits = last < one.number <= last + room and (not after[at] or one.number < after[at])
        number = one.number if fits else last + 1
        if not fits and after[at]:
            number = max(last, min(number, after[at] - 1))
        lost.setdefault(number, LeftOut(number, one.command))
        last = number
    return tuple(lost.values()), ranges


def _compatible(places: Sequence[RowRange]) -> list[bool]:
    """The readable ones that begin with their first row, and have a number between those of the whole ones around them.

    Of two that exclude each other, the one with an impossible number of missing decisions before it is dropped.
    """
    bounds = _next_numbers(places, [one.whole for one in places])
    lowest = list(accumulate((one.number for one in reversed(places)), min))[::-1]
    stays = []
    last, sequence = 0, 0
    for at, (one, bound) in enumerate(zip(places, bounds, strict=True)):
        rises = one.number > last and (one.whole or not bound or one.number < bound)
        too_high = one.number > last + one.first - sequence and lowest[at] < one.number
        stays.append(rises and one.readable and one.begins and (one.whole or not too_high))
        sequence = one.last
        if stays[-1]:
            last = one.number
    return stays


def _next_numbers(places: Sequence[RowRange], among: Sequence[bool]) -> list[int]:
    """For each the number of the next one after it that is among those; 0 where there is none."""
    numbers, number = [0] * len(places), 0
    for at in reversed(range(len(places))):
        numbers[at] = number
        if among[at]:
            number = places[at].number
    return numbers
