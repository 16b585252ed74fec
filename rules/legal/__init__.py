"""What is legal now, with its price: every pseudo-legal move is tried on the rules, and those that hold are offered.

The rooms say in `moves` what could be chosen, without asking whether it may be. `offers` tries each with `decide`, so
that no rule stands twice; `menu` says of every action whether it is possible and, if not, why.

Enters: the table. Leaves: options, menus with the reason why not, and which dice can still be put right.
"""
