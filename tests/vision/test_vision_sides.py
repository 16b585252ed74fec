"""The bench that tells how good the network for the sides of cubes is."""

from __future__ import annotations

from tests.bench.vision_sides import lines, sides_told
from vision.pose.networks import Networks
from vision.training.glyphs import Fonts


def test_most_sides_that_look_towards_the_lens_are_told_and_counted() -> None:
    told = sides_told(3, Fonts(), Networks())
    turned, flatter = (told[name] for name in ("12 degrees and more towards the lens", "flatter"))
    assert len(turned) > len(flatter) > 0
    assert sum(right for _, right in turned) > 0.6 * len(turned)
    assert all(0 < chance <= 1 for chance, _ in (*turned, *flatter))


def test_the_table_tells_shares_of_all_and_of_the_sure_ones() -> None:
    told = {"12 degrees and more towards the lens": [(0.99, True), (0.98, False), (0.5, True), (0.4, True)]}
    *_, turned, flatter = lines({**told, "flatter": []})
    assert turned == "| 12 degrees and more towards the lens | 4 | 75.0% | 50.0% | 50.0% |"
    assert flatter == "| flatter | 0 | 0.0% | 0.0% | 0.0% |"
