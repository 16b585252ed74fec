"""What the API takes and gives beside commands, events and the table: one struct for each body."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from kiosk.ports import SourceView
from kiosk.storage import shapes
from kiosk.views.view import NarrationView
from kiosk.web.access import AccessLevel
from rules.game import LONGEST_NAME, Command, name_of

Chance = Annotated[float, Meta(ge=0.0, le=1.0)]
"""How likely something is, from 0 (never) to 1 (always)."""


class Applied(Struct, frozen=True, kw_only=True):
    """A command was applied and is durable; `events` is empty for a throw that came again."""

    sequence: int
    events: tuple[shapes.AnyEvent, ...]
    narration: NarrationView | None


class JournalEvent(Struct, frozen=True, kw_only=True):
    """One event of the journal as `GET /api/v1/events` sends it."""

    sequence: int
    decision: int
    by: str
    person: Annotated[str, Meta(description="Id of the person whose decision it was; empty where it was nobody's.")]
    event: shapes.AnyEvent


class Join(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of the two codes, and what whoever joins is called."""

    code: Annotated[str | None, Meta(description="The table code that the display shows.")] = None
    gamemaster_code: Annotated[str | None, Meta(description="The gamemaster's code, shown on the kiosk itself.")] = None
    name: Annotated[str, Meta(max_length=4 * LONGEST_NAME, description="It may be given later.")] = ""


class Joined(Struct, frozen=True, kw_only=True):
    """What the visitor may do from now on."""

    role: Literal["player", "gamemaster"]


class Throw(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a demonstration throws what is awaited, or two d20s when nothing is."""

    where: Literal["tray", "camera"]


class Thrown(Struct, frozen=True, kw_only=True):
    """What was thrown; how it landed is for the source to see."""

    where: Literal["tray", "camera"]
    kind: str
    count: int


class MoreDice(Struct, frozen=True, kw_only=True):
    """What a bigger pool would bring; `price` is what its last die costs in Momentum or Threat."""

    dice: int
    chance: Chance
    price: int


class Bill(Struct, frozen=True, kw_only=True):
    """What the bonus dice of a declaration would cost, in words; whether it can be paid is settled by declaring."""

    dice: Annotated[tuple[str, ...], Meta(description="The price of each die, in the order bought.")]
    total: str


class Odds(Struct, frozen=True, kw_only=True):
    """The exact chances of a Task as declared, its action's Difficulty and all that holds at the table included.

    Of an `opposed` Task they are those against its Difficulty alone, before the other side's dice. Of the Task against
    one that has succeeded they are those of winning, and `to_win` says how many successes that takes. Dice that the
    declaration lets be thrown again are, while the Task would fail; Determination's are left out.
    """

    words: Annotated[str, Meta(description="The chances, and what the bonus dice cost, as a person reads them.")]
    difficulty: int
    target_number: int
    opposed: bool
    to_win: int | None
    chance: Chance
    expected_momentum: float
    complication_chance: Chance
    more_dice: tuple[MoreDice, ...]
    bill: Bill


class Health(Struct, frozen=True, kw_only=True):
    """`ok` when every part that is wanted works, `degraded` when one does not, `broken` when nothing can be decided."""

    status: Literal["ok", "degraded", "broken"]
    sequence: int
    subscribers: int
    parts: tuple[SourceView, ...]


class Problem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What went wrong and what the person can do (RFC 9457). `rule` names the rule of the game that refused."""

    type: str
    title: str
    status: int
    detail: str
    rule: str | UnsetType = UNSET
    place: Annotated[str | UnsetType, Meta(description="Where in the request, as a path from `$`.")] = UNSET
    near: Annotated[tuple[str, ...] | UnsetType, Meta(description="Names most like the one that is unknown.")] = UNSET


GAMEMASTER_COMMANDS: frozenset[str] = frozenset(
    {
        "set_up_table",
        "change_options",
        "adopt_house_tables",
        "begin_extended_task",
        "end_extended_task",
        "remove_player",
        "restore_everybody",
        "start_session",
        "start_scene",
        "adjust_pool",
        "ask_for_task",
        "take_back_asking",
        "set_complication_range",
        "set_difficulty",
        "start_fight",
        "gain_threat",
        "spend_threat",
        "draw_map",
        "put_map_away",
        "change_zone",
        "place_at",
    }
)
"""Commands that are the gamemaster's to give."""


def role_needed(command: Command) -> AccessLevel:
    """Who may give `command`."""
    return AccessLevel.GAMEMASTER if name_of(command) in GAMEMASTER_COMMANDS else AccessLevel.PLAYER
