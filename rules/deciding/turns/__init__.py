"""Rounds, Turns and what one may do in them (TURN, ACT): order, budget, Minor Actions, the Tasks of ACT-4."""
