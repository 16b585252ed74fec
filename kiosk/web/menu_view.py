"""What somebody could do now, for programs: every action of the ruleset with its price, or what stands against it."""

from __future__ import annotations

from typing import Annotated, Any, Final

from flask import Response, request
from msgspec import Meta, Struct

from kiosk.web.route import answered
from kiosk.web.services import Services
from rules.game import PLAYBOOK, ActionScope, MenuEntry, menu

ACTOR: Final = (
    "actor",
    {"type": "string", "maxLength": 200},
    "Who would act: a `character_id`, or the `ship_id` of an NPC ship. Without it, whoever has the Turn.",
)
"""The query of `get_menu`, as the API's table of routes has it."""


class MenuView(Struct, frozen=True, kw_only=True):
    """Every action of the ruleset for one who may act.

    An entry that is `minor` is taken with `take_minor_action`, any other with `declare_task`: its `name` and `scope`
    go into `action`, and so do the fields that it `needs`.
    """

    actor: Annotated[str, Meta(description="Who would act; empty where nobody was asked for and nobody has the Turn.")]
    actions: tuple[MenuEntry, ...]


def get_menu(kiosk: Services) -> Response:
    """The menu of one who may act."""
    table = kiosk.views.present().table
    turn = table.conflict.turn if table.conflict is not None else None
    actor = request.args.get("actor", "") or (turn.combatant_id if turn is not None else "")
    view = MenuView(actor=actor, actions=kiosk.views.menus.of(table, actor, menu) if actor else ())
    return answered(view)


def action_names(scope: ActionScope) -> list[str]:
    """The name of every action of the books within `scope`, whatever the ruleset, in the order of their tables."""
    return list(dict.fromkeys(name for where, name, _ in PLAYBOOK.rows if where is scope))


def describe_actions(schemas: dict[str, Any]) -> None:
    """Add the possible names to the description of an action; a house's own file may add some."""
    listed = "; ".join(f"{scope.value}: {', '.join(action_names(scope))}" for scope in ActionScope)
    schemas["ActionInput"]["properties"]["name"]["description"] = (
        f"One of those that /api/v1/menu lists. Of the books, within each scope: {listed}."
    )
