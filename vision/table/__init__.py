"""What is known of one table before a picture is read: how its camera stands, its empty tray, its dice.

Enters: pictures of the printed card, corners pointed at, throws that were read. Leaves: the `Calibration`, what is
remembered of a camera that stands still, and `setup.TableSetup`, which `folder` keeps on disk.
"""
