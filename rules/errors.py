"""The errors of the rules: what is not allowed, with the rule that forbids it."""

from __future__ import annotations

from typing import LiteralString

from rules.words import Fill, Phrase, say


class RulesError(Exception):
    """Anything that the rules cannot answer with a result."""


class Refusal(RulesError):  # noqa: N818 - a refusal is an answer of the rules, not a fault
    """Something that the rules do not allow; nothing has changed because of it.

    `rule` is the rule ID that forbids it. `message` is one plain sentence for the person who asked: what is the
    matter and what they can do; it is given as a template with what fills it, as `say` takes them, or as a `Phrase`.
    `str(refusal)` is the message.
    """

    def __init__(self, rule: str, message: LiteralString | Phrase, /, **fills: Fill) -> None:
        self.rule = rule
        self.message = message if isinstance(message, Phrase) else say(message, **fills)
        super().__init__(self.message)

    def __reduce__(self) -> tuple[type[Refusal], tuple[str, Phrase]]:
        """Copy and pickle with both arguments; an exception would keep the message alone."""
        return type(self), (self.rule, self.message)


class Unchanged(Refusal):
    """What was asked for is so already: a program is refused, and a person's form is as good as saved."""


class OutOfRangeError(RulesError, ValueError):
    """A number that means nothing in its place, such as a negative price: the caller's mistake, not the player's."""


def require_at_least(lowest: int, value: int, what: str) -> int:
    """Return `value` unless it is below `lowest`; raise `OutOfRangeError` naming `what` otherwise."""
    if value < lowest:
        raise OutOfRangeError(f"{what} is {value}; it cannot be below {lowest}")
    return value
