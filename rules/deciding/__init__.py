"""What every decision is made of, whatever its subject: messages, the draft, the playbook, chains of steps, telling.

Enters: a table and a command of some room. Leaves: events, folded as they are recorded, and the forms of what is told.
"""
