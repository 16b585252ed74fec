"""docs/rules.md: every rule by its ID, the functions that hold it and the tests that hold those.

`python -m tests.rules_reference` writes the page anew from the docstrings; with `--check` it only compares.
"""
