"""The setup of one table, known before a picture is read: the camera's pose, the empty tray, the taught dice.

Enters: pictures of the printed card, corners pointed at, throws that were read. Leaves: the `Calibration`, what is
remembered of a camera that stands still, and `setup.TableSetup`, which `folder` keeps on disk.
"""
