"""The tables that a house plays in the place of the books' own.

Enters: plain rows, as a file holds them. Leaves: a value that was checked row by row, or every fault with its place.
"""
