"""Rendering dice, and teaching the networks of `vision/models` with the renderings.

The renderer needs NumPy and OpenCV only and serves the tests, the benches and the demo as well; teaching
(`python -m vision.training`) needs the `training` extra.
"""
