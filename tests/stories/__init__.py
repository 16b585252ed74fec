"""Scenes played through from beginning to end, as stories whose every die is given and whose end is worked out by hand.

Each is also played by a kiosk that restarts after every single decision, and taken back step by step to its start.
"""
