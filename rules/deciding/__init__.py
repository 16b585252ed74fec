"""The parts of every decision, whatever its subject; it knows the table, but no rule of any room.

`decision` has the forms of commands, events and actions, the draft that collects the events, and the playbook, by which
rooms are asked that come later. `agenda` holds the steps that a chain has still to take; `telling` the forms of what is
said of an event; `candidate` those of what may be legal; `checks` common questions about a table.

Enters: a table and a command of some room. Leaves: events, folded as they are recorded, and the forms of what is told.
"""
