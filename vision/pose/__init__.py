"""Where dice lie in a picture, and how: proposals, what each of them is, and its exact pose.

Enters: a picture, and what is assumed to be up. Leaves: `posing.Considered`, whose places are solids with their poses,
each with what the networks think of it; and from several of them the table's normal.
The networks are all run here (`networks`); what their outputs mean for a face is the business of `read`.
"""
