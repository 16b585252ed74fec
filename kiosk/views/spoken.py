"""A view as templates have it: dicts and lists with the words of one language.

Most of a table stays from one view to the next: what is the very same value is not made anew.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from kiosk.storage.wire import in_words_of
from kiosk.views.view import TableView
from rules.words import Catalog

_TABLE: Final = "table"
"""The field of a view that is kept field by field."""


class SpokenViews:
    """Makes views of dicts and lists in the words of `catalog`. Views never change, and nobody changes what is made."""

    def __init__(self, catalog: Catalog) -> None:
        self._words = in_words_of(catalog)
        self._made: dict[str, tuple[object, Any]] = {}

    def of(self, view: TableView) -> dict[str, Any]:
        """As `msgspec.to_builtins` makes it. For one thread at a time."""
        table = {field.name: getattr(view.table, field.name) for field in dataclasses.fields(view.table)}
        spoken = {name: self._spoken(f"{_TABLE}.{name}", value) for name, value in table.items()}
        fields: Mapping[str, object] = {name: getattr(view, name) for name in view.__struct_fields__}
        return {name: spoken if name == _TABLE else self._spoken(name, value) for name, value in fields.items()}

    def _spoken(self, name: str, value: object) -> Any:  # noqa: ANN401 - whatever a field holds
        before = self._made.get(name)
        if before is None or before[0] is not value:
            before = self._made[name] = value, msgspec.to_builtins(value, enc_hook=self._words)
        return before[1]
