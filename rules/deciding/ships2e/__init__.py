"""Starship combat of the second edition at the table: stations, power, terrain, attacks, the core, repairs (S2E)."""
