"""What a person does with the camera: calibrating, teaching dice, keeping misreadings, taking pictures.

Enters: what the person asks (`workbench`), pictures of theirs (`snapshots`), and those of a tray with a camera
(`tray_pictures`). Leaves: what is kept of the table,
what a picture lacks as numbers (`hints`, `sizes`), and misreadings as cases.
"""
