"""Starship combat of the second edition (S2E).

Enters: actions at its stations. Leaves: Reserve Power, flat hits, Shields, Breaches.
"""
