"""The workplaces where people look after camera and tray: calibrating, one's own dice, teaching tagged ones, stopping.

Enters: what a page, the API or the terminal asks. Leaves: views for the same, and words about what is wrong. Each desk
is its source's only door; without the source it says so.
"""
