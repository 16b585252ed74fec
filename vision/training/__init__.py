"""Renders dice, and trains the networks of `vision/models` with them.

Enters: a seed, fonts, and for training many hours. Leaves: rendered dice and trays with their truth, and networks. The
renderer needs NumPy and OpenCV only and serves the tests, the benches and the demo as well; teaching (`python -m
vision.training`) needs the `training` extra.
"""
