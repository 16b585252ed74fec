"""Exact chances of a Task before its dice are thrown.

Enters: a Task as it is declared. Leaves: chances, and what each further die would buy.
"""
