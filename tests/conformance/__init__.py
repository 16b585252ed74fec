"""Runs conformance cases, one JSON object a line, through the public functions of `rules`.

`python -m tests.conformance FILE.jsonl...` prints a line for each failing case and a closing line with the counts.
"""
