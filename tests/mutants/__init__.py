"""Mutants: the product with one small fault, to see which tests notice.

`python -m tests.mutants` draws them by a seed and runs them; `places` says what is changed, `trying` how it is run.
"""
