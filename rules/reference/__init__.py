"""The tables of the books in words: what every Difficulty, spend, quality and Breach means, for one table's rules.

Every other room of the rules comes before this one: it copies none of their numbers, it asks for them.

Enters: the profile that a table plays.
Leaves: tables of rows, each with its rule and the words that pages show and voices say.
"""
