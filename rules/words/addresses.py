"""Addresses as people may see them: without what lets somebody in.

Shown are scheme, host, port, and the path up to its first sign of a value. Hidden are user, password, query, fragment,
and whatever may belong to them: in doubt between showing and hiding, all of it is hidden.

Who quotes an address hides its secrets there, by `masked_address`: that is the door. `masked` is the last one, for
sentences that others made: a library's error, a line of the log.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

HIDDEN: Final = "***"
"""What stands for a secret."""
_MARK: Final = "://"
"""What makes a word an address."""
_SCHEME: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-"
"""The signs of a scheme, which stands before the mark."""
_BETWEEN: Final = " \t\r\n,;|\"'`([{<"
"""One of these stands before the next address. After another sign a further mark belongs to the address before."""
_CLOSED_BY: Final = {"'": "'", '"': '"', "`": "`", "(": ")", "[": "]", "{": "}", "<": ">"}
"""What ends an address that begins after such a sign."""
_PLACE: Final = re.compile(r"(?:\[[^\]]*\]|[^\s:/?#@\[]*)(?::\d*)?[/?#]")
"""A host with its port. What follows with an `@` is a path or a query, or all of it is a password."""
_VALUE: Final = re.compile(r"[?#;&=]")
"""What a value follows. Some cameras have their passwords in the path."""
_HIDDEN_BEFORE: Final = re.compile(r"\*\*\*\W*")
"""A secret that was hidden before, with the signs of the sentence round it."""
_BLANK: Final = re.compile(r"\s")
"""What ends an address in a sentence."""


def masked_address(value: str) -> str:
    """`value` of a setting with its secrets hidden: an address, or several with blanks or commas between them.

    A secret may hold any sign, a blank or a quotation mark too. What is no address stays as it is.
    """
    return _masked(value, whole=True)


def masked(text: str) -> str:
    """`text` with the secrets of each address in it hidden; for sentences.

    An address goes up to the last `@` of its line or before the next address, and from there to the next blank. A
    query's secret may have a blank in it: what follows it in its line is hidden too, up to the sign that closes the
    address.
    """
    if _MARK not in text:
        return text
    return "\n".join(_masked(line, whole=False) for line in text.split("\n"))


def _masked(line: str, *, whole: bool) -> str:
    """Each part is read a few times at most: one long word costs no more than many short ones."""
    marks = list(_marks(line, whole=whole))
    if not marks:
        return line
    shown = [line[: marks[0][1]]]
    ends = [*marks[1:], (len(line), len(line))]
    for (scheme, mark), (next_scheme, next_mark) in zip(marks, ends, strict=True):
        rest = line[mark + len(_MARK) : next_scheme]
        address = rest if next_mark == len(line) else rest.rstrip(_BETWEEN)
        closed_by = _CLOSED_BY.get(line[scheme - 1 : scheme], "")
        shown += [_MARK, _without_secrets(address, closed_by, whole=whole), rest[len(address) :]]
        shown.append(line[next_scheme:next_mark])
    return "".join(shown)


def _marks(line: str, *, whole: bool) -> Iterator[tuple[int, int]]:
    """Where each address begins: its scheme, and its mark."""
    end, mark = 0, line.find(_MARK)
    first = True
    while mark >= 0:
        since = line[end:mark]
        before = since.rstrip(_SCHEME)
        if first or before.endswith(tuple(_BETWEEN)) or (not whole and _BLANK.search(before)):
            yield end + len(before), mark
        first = False
        end = mark + len(_MARK)
        mark = line.find(_MARK, end)


def _without_secrets(rest: str, closed_by: str, *, whole: bool) -> str:
    """What stands from an address' mark to the next address."""
    at = rest.rfind("@") + 1
    end = len(rest)
    if not whole:
        blank = _BLANK.search(rest, at)
        end = end if blank is None else blank.start()
        closed = rest.rfind(closed_by, at, end) if closed_by else -1
        end = end if closed < 0 or _MARK in rest[closed:] else closed
    where, after = rest[at:end], rest[end:]
    if at and _PLACE.match(rest[: at - 1]):
        value = _VALUE.search(rest, 0, at)
        return HIDDEN + (after if whole or value is None else _closing(rest, at, closed_by))
    who = f"{HIDDEN}@" if at else ""
    value = _VALUE.search(where)
    if value is None:
        return who + where + after
    secret = where[value.end() :]
    ends_a_clause = not secret and (value.group() == ";" or not after.strip())
    if _HIDDEN_BEFORE.fullmatch(secret) or ends_a_clause:
        return who + where + after
    hidden = HIDDEN + (after if whole else _closing(rest, at + value.end(), closed_by))
    return who + where[: value.end()] + hidden


def _closing(rest: str, since: int, closed_by: str) -> str:
    """What follows a secret that begins there and may have blanks in it: the sign that closes the address, and more."""
    closed = rest.rfind(closed_by, since) if closed_by else -1
    return rest[closed:] if closed >= 0 else ""
