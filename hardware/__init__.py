"""The board's room: panel buttons, lamps, ring light and buzzer on GPIO pins, and the Pi's OS files.

Enters: edges on pins, and what the kiosk wants shown. Leaves: presses. gpiozero is imported here and
nowhere else; without pins everything else works.
"""
