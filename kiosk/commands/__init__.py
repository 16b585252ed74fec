"""The commands of the terminal, a module for each subject; `kiosk.cli` gathers them.

Enters: what somebody typed. Leaves: text or JSON on the terminal, and an exit status that tells how it went.
"""
