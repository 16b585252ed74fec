"""The commands of the terminal, a module for each subject; `kiosk.cli` gathers them.

In: what somebody typed. Out: text or JSON on the terminal, and an exit status that tells how it went.
"""
