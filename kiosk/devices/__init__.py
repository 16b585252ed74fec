"""What people do with camera and tray: calibrating, own dice, teaching tagged ones, stopping, and the demonstration.

Enters: what a page, the API or the terminal asks. Leaves: views for the same, and words about what is wrong. Without
its camera or tray a desk says so.
"""
