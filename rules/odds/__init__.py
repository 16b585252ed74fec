"""Exact chances of a Task before its dice are thrown, also of dice that may be thrown again.

Enters: a Task as it is declared. Leaves: chances in whole numbers of ways, and what each further die would buy.
"""
