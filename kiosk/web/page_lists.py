"""The choices of every list on the pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kiosk.views.house_rules import BRINGS, RULESETS
from kiosk.views.stage.names import titled
from rules.game import (
    CIRCUMSTANCES,
    PLAYBOOK,
    Attribute,
    Circumstance,
    Discipline,
    Payer,
    Pool,
    Standing,
    System,
    TraitKind,
)
from rules.words import Phrase, say


def lists_of(view: Mapping[str, Any]) -> dict[str, Any]:
    """The choices of every list on the pages, as values or as pairs of value and words."""
    table = view["table"]
    names = {one["character_id"]: one["name"] for one in table["characters"]}
    names |= {one["ship_id"]: one["name"] for one in table["ships"]}
    return {
        "attributes": [one.value for one in Attribute],
        "disciplines": [one.value for one in Discipline],
        "systems": [one.value for one in System],
        "attribute_pairs": _pairs(Attribute),
        "discipline_pairs": _pairs(Discipline),
        "system_pairs": _pairs(System),
        "circumstances": [(one.value, CIRCUMSTANCES[one]) for one in Circumstance],
        "payers": _pairs(Payer),
        "pools": _pairs(Pool),
        "standings": _pairs(Standing),
        "trait_kinds": _pairs(TraitKind),
        "rulesets": [(one.value, named) for one, named in RULESETS.items()],
        "brings": {one.value: brought for one, brought in BRINGS.items()},
        "gains": [
            (row.name, _priced(row.label, row.each) if row.each > 1 else row.label, row.counted)
            for row in PLAYBOOK.threat_gains
        ],
        "spends": [(row.name, _priced(row.label, row.each), row.counted) for row in PLAYBOOK.threat_spends],
        "characters": [(one["character_id"], one["name"]) for one in table["characters"]],
        "declarers": [(one, names[one]) for one in view["declarers"]],
        "helpers": [(one, names[one]) for one in view["helpers"]],
        "players": [(one["player_id"], one["name"]) for one in table["players"]],
        "ships": [(one["ship_id"], one["name"]) for one in table["ships"]],
    }


def _priced(reason: str, points: int) -> Phrase:
    """A reason for Threat with its points for each time."""
    return say("{reason}: {points} Threat", reason=reason, points=points)


def _pairs(
    kind: type[Attribute | Discipline | System | Payer | Pool | Standing | TraitKind],
) -> list[tuple[str, str]]:
    return [(one.value, titled(one.value)) for one in kind]
