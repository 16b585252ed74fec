"""Templates that import each other: each is made once for a page, however many of the others import it.

The parts of live pages keep what was made for them: see `KeptMacros`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from jinja2 import Template
from jinja2.environment import TemplateModule

from rules.words import alike

MADE: Final = "modules_made"
"""The name in a template's context of what was made for this page, a `MacrosMade`."""


@dataclass(frozen=True, slots=True)
class MacrosMade:
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
        made: MacrosMade | None = (vars or {}).get(MADE)
        if made is None or not shared:  # no page, or what the page itself begins with
            return super().make_module(vars, shared, locals)
        if self.name not in made.modules:
            read = (vars, shared, locals) if made.values is None else (made.values, True, None)
            made.modules[self.name] = super().make_module(*read)
        return made.modules[self.name]


Path: TypeAlias = tuple[str, ...]
"""The name of a value of a template; beside it that of a field, where fields are read one by one."""


@dataclass(frozen=True, slots=True)
class KeptPart:
    """What a macro made, and the values that it read for it; `read` is None where it may be otherwise the next time."""

    html: str
    read: Mapping[Path, object] | None


class _Values(dict[str, Any]):
    """The values of a template, which note what is read of them; so do their `fields`, which it reads one by one."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: frozenset[str] = frozenset()
        self.read: dict[Path, object] = {}

    def __contains__(self, name: object) -> bool:
        if super().__contains__(name):
            return True
        self.read[str(name),] = _ABSENT
        return False

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - whatever a template is given
        value = super().__getitem__(name)
        if name in self.fields:
            return _Fields(value, name, self)
        self.read[name,] = value
        return value

    def now(self, path: Path) -> object:
        """The value that is there now."""
        value = dict.get(self, path[0], _ABSENT)
        return value if len(path) == 1 else value.get(path[1], _ABSENT)


class _Fields(Mapping[str, Any]):
    """The fields of a value, of which each that is read is noted. One that has a name of its own is that value."""

    __slots__ = ("_name", "_of", "_values")

    def __init__(self, of: Mapping[str, Any], name: str, values: _Values) -> None:
        self._of = of
        self._name = name
        self._values = values

    def __getitem__(self, field: str) -> Any:  # noqa: ANN401 - whatever a template is given
        if field in self._values.fields:
            return self._values[field]
        self._values.read[self._name, field] = self._of.get(field, _ABSENT)
        return self._of[field]

    def __iter__(self) -> Iterator[str]:
        self._values.read[self._name,] = self._of
        return iter(self._of)

    def __len__(self) -> int:
        self._values.read[self._name,] = self._of
        return len(self._of)


_ABSENT: Final = object()
"""What stands for a value that was looked for in vain."""


class KeptMacros:
    """The macros of a template that are made once, and read at each call the values that were given last.

    To make them takes longer than most parts of a page do. The template, and those that it imports, hold macros and
    imports alone: what else they did would be done once. For one thread at a time.

    What a macro made is kept as long as all that it read is as it was: most parts stay when a pool changes. Of the
    values in `fields` each field counts alone. `changing` are names of functions that may answer otherwise the next
    time: what calls them is always made anew.
    """

    def __init__(self, template: Template, fields: Iterable[str] = (), changing: Iterable[str] = ()) -> None:
        self.template: Final = template
        self._changing = frozenset((name,) for name in changing)
        self._values = _Values()
        self._values.fields = frozenset(fields)
        self._made = MacrosMade(values=self._values)
        self._module: TemplateModule | None = None
        self._compared: dict[tuple[Path, int], bool] = {}

    def reading(self, values: Mapping[str, Any]) -> None:
        """Let the macros read `values` and the globals of all templates from now on."""
        self._values.clear()
        self._values.update({**self.template.globals, **values, MADE: self._made})
        self._compared.clear()
        if self._module is None:
            self._module = Template.make_module(self.template, self._values, shared=True)

    def part(self, macro: str, before: KeptPart | None) -> KeptPart:
        """What that macro makes of the present values; `before` is what it made of others. Raises what it raises."""
        values = self._values
        if (
            before is not None
            and before.read is not None
            and all(self._is_as_it_was(*one) for one in before.read.items())
        ):
            return before
        read: dict[Path, object] = {}
        values.read = read
        html = str(getattr(self._module, macro)())
        return KeptPart(html, None if self._changing & read.keys() else read)

    def _is_as_it_was(self, path: Path, before: object) -> bool:
        """Whether that value is what it was `before`; worked out once for all parts that read it."""
        key = path, id(before)
        if key not in self._compared:
            self._compared[key] = alike(self._values.now(path), before)
        return self._compared[key]


def nothing_made() -> dict[str, Any]:
    """The initial context of a page. A context processor."""
    return {MADE: MacrosMade()}
