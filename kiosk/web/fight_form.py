"""The forms of the library: whom the crew meets and how many of them, or one foe alone, as one command."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from kiosk.errors import WireError
from kiosk.i18n.current import said_now
from kiosk.views.foes import FOES, MOST, SHIPS, Foe, FoeShip, foe_cards, ship_cards
from kiosk.web.form_fields import Form, Raw, text, whole, yes
from rules.game import STATION_ACTIONS, ConflictKind, InjuryState, Ruleset, Standing
from rules.words import say

POSTS: Final = (
    ("tactical", "security"),
    ("helm", "conn"),
    ("command", "command"),
    ("operations", "engineering"),
    ("internal", "engineering"),
    ("sensors", "science"),
    ("navigation", "conn"),
    ("communications", "engineering"),
)
"""The stations of a bridge with the most important discipline of each, the essential ones first."""


def fight(form: Form, table: Raw) -> list[Raw]:
    """The command for a fight with as many of each kind as the form says. Raises `WireError` if that fails."""
    duel = text(form, "kind") == ConflictKind.STARSHIP
    chosen = _chosen(form, SHIPS if duel else FOES)
    if not chosen:
        raise WireError("Choose whom the crew meets.", "foes")
    gone = {one["character_id"] for one in table["characters"] if one["standing"] == Standing.MINOR_NPC}
    gone = (gone | {one["ship_id"] for one in table["ships"]}) & set(table["fought"])  # who leave as new ones come
    there = [one for one in table["characters"] if one["character_id"] not in gone]
    there += [one for one in table["ships"] if one["ship_id"] not in gone]
    taken = {one["name"] for one in there}
    made: Raw = {"command": "start_fight", "kind": text(form, "kind"), "crew": _crew(form, table, duel=duel)}
    if duel:
        return [made | {"ships": ship_cards(chosen, taken, table["ruleset"], said_now)}]
    return [made | {"foes": foe_cards(chosen, taken, said_now)}]


def foe(form: Form, table: Raw) -> list[Raw]:
    """The command that adds one foe of the library. Raises `WireError` if it has none like that."""
    key = text(form, "foe")
    if key not in {one.key for one in FOES}:
        raise WireError("Choose whom the crew meets.", "foe")
    taken = {one["name"] for one in (*table["characters"], *table["ships"])}
    return [{"command": "save_character", **card} for card in foe_cards({key: 1}, taken, said_now)]


def _chosen(form: Form, kinds: Iterable[Foe | FoeShip]) -> dict[str, int]:
    """How many come of each kind of which any do."""
    chosen = {one.key: whole(form, f"many_{one.key}", say("The number for {name}", name=one.name)) for one in kinds}
    if not all(0 <= many <= MOST for many in chosen.values()):
        raise WireError(say("Of each kind up to {most} can come; choose one of these.", most=MOST), "foes")
    return {key: many for key, many in chosen.items() if many}


def _crew(form: Form, table: Raw, *, duel: bool) -> list[Raw]:
    """The players' characters who live, of whom the form may name some; aboard at the stations that a fight needs."""
    crew = [
        one
        for one in table["characters"]
        if one["standing"] == Standing.PLAYER and one["body"]["injury"] != InjuryState.DEAD
    ]
    if text(form, "crew"):
        crew = [one for one in crew if yes(form, f"takes_part_{one['character_id']}")]
    if not duel:
        return [{"combatant_id": one["character_id"]} for one in crew]
    own = [one["ship_id"] for one in table["ships"] if one["crew"] is None and not one["state"]["destroyed"]]
    if not own:
        raise WireError("The crew has no ship at this table. Add one on the page where the table is set up.", "ships")
    ship = text(form, "home") if text(form, "home") in own else own[0]
    played = [one for one in crew if yes(form, f"played_{one['character_id']}")]
    posts = _posts(played, [one for one in crew if one not in played], table["ruleset"])
    return [
        {"combatant_id": one["character_id"], "ship_id": ship, "station": posts.get(one["character_id"], "")}
        for one in crew
    ]


def _posts(played: Sequence[Raw], others: Sequence[Raw], ruleset: str) -> dict[str, str]:
    """The station of each by id: first of those whom somebody plays, the essential stations, then of the others."""
    there = {row.station for row in STATION_ACTIONS[Ruleset(ruleset)].values()}
    wanted = [one for one in POSTS if one[0] in there]
    return _best(wanted[: len(played)], played) | _best(wanted[len(played) :][: len(others)], others)


def _best(wanted: Sequence[tuple[str, str]], crew: Sequence[Raw]) -> dict[str, str]:
    """The station of each by id: whoever is best at what a station needs gets it first."""
    best = sorted(
        (
            (one["disciplines"][needs], -place, station, one["character_id"])
            for place, (station, needs) in enumerate(wanted)
            for one in crew
        ),
        reverse=True,
    )
    posts: dict[str, str] = {}
    for _, _, station, who in best:
        if who not in posts and station not in posts.values():
            posts[who] = station
    return posts
