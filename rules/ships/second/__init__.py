"""Starship combat of the second edition (S2E).

Each group of actions has a module of its own; `hits` follows an attack step by step; `playbook` has them all.

Enters: actions at its stations. Leaves: Reserve Power, hits with flat damage, Shields, Breaches, a core that fails.
"""
