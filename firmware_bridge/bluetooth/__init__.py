"""Dice that report their faces over Bluetooth: Pixels and GoDice.

Enters: what dice send (`makers`), by way of bleak (`supervisor`, which alone imports it, once there is a die). Leaves:
readings, one for each throw (`throws`), the source's state, and how each die is (`source`).
"""
