"""The stage: what a screen shows large, one thing at a time, in words that each listener can have.

Enters: the table and its history. Leaves: a `StageView`, which `templates/_parts.html` renders for every page, at first
and with each change. `now` chooses what is shown; the other modules work out one thing each.
"""
