"""The serial dice tray's room: wire protocol, session, link, supervisor and simulator.

Enters: bytes from a serial port. Leaves: readings and the tray's status in the words of `rules.dice`.
pyserial is imported here and nowhere else; `framing`, `messages` and `session` do no I/O.
"""
