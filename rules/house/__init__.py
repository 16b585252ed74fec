"""The tables that a house plays in the place of the books' own: weapons, prices, stations and more, checked row by row.

They are checked against the data of all rooms, so this room comes after them; what is adopted lies on the table.

Enters: plain rows, as a file holds them. Leaves: a checked value that a table adopts, or every fault with its place.
"""
