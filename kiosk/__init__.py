"""The shell round the pure core: journal, engine, web, voice, configuration and command line.

Enters: readings from the sources, commands from phones, keys and buttons. Leaves: committed events, pages
and spoken words. `compose` is the one place that knows every folder.
"""
