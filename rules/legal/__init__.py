"""What is legal now, with its price: every pseudo-legal move is tried on the rules, and those that hold are offered.

Enters: the table. Leaves: options, menus with the reason why not, and which dice can still be put right.
"""
