"""The shell round the pure core, and the rooms round the shell.

The shell (ports, engine, hub, sources, settings, errors, clock) knows none of the rooms. Enters: readings from the
sources, commands from phones, keys and buttons. Leaves: committed events, pages and spoken words. `compose` puts the
rooms together, `losses` tells what happened to their files, and `cli` finds the commands; nothing else knows them all.
"""
