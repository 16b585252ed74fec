"""Templates that import each other: each is made once for a page, however many of the others import it.

The parts of live pages keep what was made for them: see `KeptMacros`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from jinja2 import Template
from jinja2.environment import TemplateModule

MADE: Final = "modules_made"
"""The name in a template's context of what was made for this page, a `Made`."""


@dataclass(frozen=True, slots=True)
class Made:
    """The modules made so far, by the names of their templates; with `values`, all of them read these alone."""

    modules: dict[str | None, TemplateModule] = field(default_factory=dict)
    values: dict[str, Any] | None = None


class OnceAPage(Template):
    """A template whose macros are made once for each page that imports them.

    Jinja makes a template anew wherever it is imported with the context, and what that one imports as well: sixty
    times for a page that needs fifteen, which took a quarter of the page's time.
    """

    def make_module(
        self,
        vars: dict[str, Any] | None = None,  # noqa: A002 - as Jinja has it
        shared: bool = False,  # noqa: FBT001, FBT002 - likewise
        locals: Mapping[str, Any] | None = None,  # noqa: A002 - likewise
    ) -> TemplateModule:
        """As Jinja's, or what was made before for the page whose context `vars` is."""
        made: Made | None = (vars or {}).get(MADE)
        if made is None or not shared:  # no page, or what the page itself begins with
            return super().make_module(vars, shared, locals)
        if self.name not in made.modules:
            read = (vars, shared, locals) if made.values is None else (made.values, True, None)
            made.modules[self.name] = super().make_module(*read)
        return made.modules[self.name]


class KeptMacros:
    """The macros of a template that are made once, and read at each call the values that were given last.

    To make them takes longer than most parts of a page do. The template, and those that it imports, hold macros and
    imports alone: what else they did would be done once. For one thread at a time.
    """

    def __init__(self, template: Template) -> None:
        self.template: Final = template
        self._values: dict[str, Any] = {}
        self._made = Made(values=self._values)
        self._module: TemplateModule | None = None

    def reading(self, values: Mapping[str, Any]) -> TemplateModule:
        """The macros, reading `values` and the globals of all templates from now on."""
        self._values.clear()
        self._values |= {**self.template.globals, **values, MADE: self._made}
        if self._module is None:
            self._module = Template.make_module(self.template, self._values, shared=True)
        return self._module


def nothing_made() -> dict[str, Any]:
    """The initial context of a page. A context processor."""
    return {MADE: Made()}
