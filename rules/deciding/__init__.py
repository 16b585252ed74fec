"""Deciding commands, one subject a module; `rules.table` gathers them. Nothing outside `rules` imports from here."""
