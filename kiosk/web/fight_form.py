"""The forms of the library: whom the crew meets and how many of them, or one foe alone, as one command."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from itertools import islice
from typing import Final

from kiosk.errors import StaleError, WireError
from kiosk.i18n.current import said_now
from kiosk.views.foes import FOES, MOST, crew_ship, foe_cards, kinds_of_foes, kinds_of_ships, ship_cards
from kiosk.web.form_fields import Form, Raw, text, whole, yes
from rules.game import LONGEST_NAME, STATION_ACTIONS, ConflictKind, InjuryState, Ruleset, Standing, stress_most
from rules.words import Phrase, either, say

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

Kinds = Sequence[tuple[str, Phrase, Phrase]]
"""Key, name and sort of each kind that can come."""

_MANY: Final = re.compile("([0-9]{1,4})(?:\\s*[x\N{MULTIPLICATION SIGN}]\\s*|\\s+)(?=\\S)")
"""How many of a kind are meant, before its name."""


def fight(form: Form, table: Raw) -> list[Raw]:
    """The command for a fight with as many of each kind as the form says. Raises `WireError` if that fails."""
    duel = text(form, "kind") == ConflictKind.STARSHIP
    chosen = _chosen(form, kinds_of_ships() if duel else kinds_of_foes())
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
    """The command that adds one foe of the library. Raises `WireError` if it has none like that.

    Where the form names an NPC, that one gets its numbers, weapons and abilities, and stays who it is. Raises
    `WireError` if no NPC at the table has that id.
    """
    key = text(form, "foe")
    if key not in {one.key for one in FOES}:
        raise WireError("Choose whom the crew meets.", "foe")
    taken = {one["name"] for one in (*table["characters"], *table["ships"])}
    (card,) = foe_cards({key: 1}, taken, said_now)
    sought = text(form, "character_id")
    npcs = (one for one in table["characters"] if one["standing"] != Standing.PLAYER)
    there = next((one for one in npcs if one["character_id"] == sought), None)
    if sought and there is None:
        raise WireError("That character is not at the table. Choose one of those who are.", "character_id")
    return [{"command": "save_character", **card, **(_kept(there, card) if there else {})}]


def _kept(there: Raw, card: Raw) -> Raw:
    """What an NPC keeps that gets the strength of `card`; Stress follows it where it came of the card before."""
    kept = {name: there[name] for name in ("character_id", "name", "standing", "player_id")}
    kept |= {name: there[name] for name in ("focuses",) if there[name]}
    kept |= {"values": [one["text"] for one in there["values"]]} if there["values"] else {}
    usual = stress_most(there["attributes"]["fitness"], there["disciplines"]["security"])
    if there["body"]["stress_max"] in {0, usual}:
        kept["stress_max"] = stress_most(card["attributes"]["fitness"], card["disciplines"]["security"])
    return kept


def home_ship(form: Form, table: Raw) -> list[Raw]:
    """The command that gives a crew without a ship one that is ready.

    Raises `WireError` if there is none like that, and `StaleError` if the crew has a ship by now.
    """
    taken = {one["name"] for one in table["ships"]}
    card = crew_ship(text(form, "ship"), taken, table["ruleset"], said_now)
    if card is None:
        raise WireError("Choose the crew's ship.", "ship")
    if _own_ships(table):
        raise StaleError(say("The crew has a ship already."))
    return [{"command": "save_ship", **card}]


def _chosen(form: Form, kinds: Kinds) -> dict[str, int]:
    """How many come of each kind of which any do, by their fields and by what was typed into the field of names."""
    fields = {key: whole(form, f"many_{key}", say("The number for {name}", name=name)) for key, name, _ in kinds}
    named = _named(text(form, "named"), kinds)
    if not all(0 <= many <= MOST and many + named[key] <= MOST for key, many in fields.items()):
        raise WireError(say("Of each kind up to {most} can come; choose one of these.", most=MOST), "foes")
    return {key: many + named[key] for key, many in fields.items() if many + named[key]}


def _named(typed: str, kinds: Kinds) -> Counter[str]:
    """How many come of each kind by name, as in `3 corsair, sentry`. Raises `WireError` for a name that is of none."""
    many: Counter[str] = Counter()
    parts = filter(None, map(str.strip, typed.split(",")))
    for part in islice(parts, MOST * len(kinds) + 1):  # more are too many of one in any case
        number = _MANY.match(part)
        many[_meant(part[number.end() :] if number else part, kinds)] += int(number[1]) if number else 1
    return many


def _meant(typed: str, kinds: Kinds) -> str:
    """The key of the one kind that `typed` fits: the whole name, a part of it, or a part of the sort."""
    sought = _letters(typed)
    names: Mapping[str, Phrase] = {key: name for key, name, _ in kinds}
    called = {key: _letters(said_now(name)) for key, name, _ in kinds}
    sorts = {key: _letters(said_now(sort)) for key, _, sort in kinds}
    fits = (
        [key for key, name in called.items() if name == sought]
        or [key for key, name in called.items() if sought in name]
        or [key for key, sort in sorts.items() if sought in sort]
    )
    if len(fits) == 1:
        return fits[0]
    if fits:
        fitting = either([names[key] for key in fits])
        raise WireError(say("'{typed}' can be {names}. Type more of the name.", typed=typed, names=fitting), "named")
    near = max(called, key=lambda key: _likeness(sought[:LONGEST_NAME], called[key]))  # comparing takes its time
    raise WireError(
        say("Nobody here is called '{typed}'. The nearest name is {name}.", typed=typed, name=names[near]), "named"
    )


def _letters(words: str) -> str:
    """`words` to be compared: in small letters, without accents."""
    apart = unicodedata.normalize("NFKD", words.casefold())
    return " ".join("".join(one for one in apart if not unicodedata.combining(one)).split())


def _likeness(sought: str, name: str) -> float:
    """From 0 to 1, how much `sought` looks like a name or like one of its words."""
    return max(SequenceMatcher(None, sought, one).ratio() for one in (name, *name.split()))


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
    own = _own_ships(table)
    if not own:
        raise WireError("The crew has no ship at this table. Add one on the page where the table is set up.", "ships")
    ship = text(form, "home") if text(form, "home") in own else own[0]
    played = [one for one in crew if yes(form, f"played_{one['character_id']}")]
    posts = _posts(played, [one for one in crew if one not in played], table["ruleset"])
    return [
        {"combatant_id": one["character_id"], "ship_id": ship, "station": posts.get(one["character_id"], "")}
        for one in crew
    ]


def _own_ships(table: Raw) -> list[str]:
    """The crew's ships that are not destroyed, by id."""
    return [one["ship_id"] for one in table["ships"] if one["crew"] is None and not one["state"]["destroyed"]]


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
