"""Tests of the panel, its pins, the board and the OS files."""
