"""The board's room: buttons, status lamp, ring light and buzzer on GPIO pins, board health, and the Pi's OS files.

Enters: edges on pins, plain reads of the board, and what the kiosk wants shown. Leaves: presses, facts about
the board, and word to the service manager. gpiozero is imported here and nowhere else; without pins
everything else works.
"""
