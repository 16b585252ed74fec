"""The camera's room: frames -> settled -> located -> read; also the training of its models.

Enters: pictures from cameras, streams, files and folders. Leaves: readings in the words of `rules.dice`.
OpenCV and NumPy are imported here and nowhere else.
"""
