"""Finds the dice in a picture: proposals, the kind of each, and its exact pose.

Enters: a picture, and what is assumed to be up. Leaves: `posing.Considered`, whose places are solids with their poses,
each with what the networks think of it; and from several of them the table's normal. The networks are all run here
(`networks`); `read` interprets their outputs for faces.
"""
