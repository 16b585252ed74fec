"""The camera: frames -> pose -> taught -> table -> read -> watch -> desk, each room knowing those before it.

`ports` says what the rooms ask of one another and `errors` what can go wrong: every room knows these two. `training`
lies apart: it renders dice and teaches the networks of `models`, and no room knows it.
Enters: pictures from cameras, streams, files and folders. Leaves: readings in the words of `rules.dice`.
OpenCV and NumPy are imported here and nowhere else.
"""
