"""The API for sound: narrations and answers as audio, short sounds, and the room's speaker."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from flask import Response, request
from msgspec import Meta, Struct

from kiosk.errors import WireError
from kiosk.i18n.current import language_now, said_now
from kiosk.ports import Length, Manner, Rate, Timbre, Volume
from kiosk.speech.earcons import NAMES, SILENCE, sound
from kiosk.storage.type_registration import registered
from kiosk.storage.wire import decode_as
from kiosk.views.reference import PART, reference_of, row_named
from kiosk.views.view import VoiceView, voice_view
from kiosk.web.access import COOKIE, AccessLevel
from kiosk.web.asking import sender
from kiosk.web.listeners import listener_of
from kiosk.web.problems import http_problem
from kiosk.web.route import CHANGE_FAILS, LANGUAGE, Route, answered
from kiosk.web.services import Services
from rules.game import Narration, ReferenceTable, Topic, pools_told, turn_told, where_told
from rules.words import joined_by, say

POOLS: Final = "pools"
"""Asks for Momentum and Threat."""
TURN: Final = "turn"
"""Asks whose Turn it is."""
WHERE: Final = "where"
"""Asks where everybody is."""
ROW: Final = "row"
"""Asks for a row of a table of the books."""
AGAIN: Final = "again"
"""Asks for the newest decision again; like the three before it at any time, where decisions go by their number."""


Asked = Literal["again", "more", "pools", "turn", "where", "row"]
"""What can be asked for at any time; where everybody is, while the table keeps a map."""


class VoiceChoice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """New choices for the room's speaker, kept across restarts; omitted fields stay as they are."""

    muted: bool | None = None
    length: Annotated[Length | None, Meta(description="How much is said of each outcome.")] = None
    rate: Annotated[Rate | None, Meta(description="How fast, as a multiple of the usual.")] = None
    volume: Annotated[Volume | None, Meta(description="How loud, in hundredths of the usual.")] = None
    voice: Annotated[Timbre | None, Meta(description="The sound of the voice.")] = None
    earcons: Annotated[bool | None, Meta(description="Each player's own sound before their results.")] = None
    tones: Annotated[bool | None, Meta(description="A sound that tells how a result went.")] = None


class VoiceQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the room's speaker is asked for: the last outcome again, or more; the pools; whose turn; who is where.

    Or a row of the books.
    """

    what: Asked
    row: Annotated[str, Meta(max_length=80, description="Of `row` which one, as /api/v1/reference names it.")] = ""


def get_speech(kiosk: Services) -> Response:
    """A narration as audio."""
    narration = narration_of(kiosk, str((request.view_args or {})["narration_id"]))
    if narration is None:
        return http_problem(404, "This narration is no longer kept. Ask for the table to have the newest.")
    length, manner = _asked_manner()
    kiosk.speech_allowance.take(kiosk.knows(sender(kiosk), request.cookies.get(COOKIE)))
    audio = kiosk.voice.wav(said_now(getattr(narration, length)), manner, language_now().code)
    if audio is None:
        return http_problem(404, "The kiosk has no voice. Install espeak-ng on it, or let the browser speak.")
    # the same id means other words in another evening's journal, and to a listener who has chosen anew
    return Response(audio, mimetype="audio/wav", headers={"Cache-Control": "no-store"})


def narration_of(kiosk: Services, narration_id: str) -> Narration | None:
    """The narration of that id, or the answer to a standing question.

    None if it is no longer kept, or tells of something that may not be seen yet.
    """
    present = kiosk.views.present()
    if narration_id == POOLS:
        return pools_told(present.table)
    if narration_id == AGAIN:
        return kiosk.views.again()
    if narration_id == TURN:
        return turn_told(present.table)
    if narration_id == WHERE:
        return where_told(present.table)
    found = kiosk.engine.narration(narration_id)
    newest = int(present.said.narration_id) if present.said is not None else 0
    return found if found is not None and int(narration_id) <= newest else None


def get_sound(kiosk: Services) -> Response:  # noqa: ARG001  # every handler takes the services
    """One of the short sounds."""
    name = str((request.view_args or {})["name"])
    if name not in {*NAMES, SILENCE}:
        return http_problem(
            404, say("There is no sound of that name. There are {names}.", names=joined_by(", ", NAMES))
        )
    return Response(sound(name), mimetype="audio/wav", headers={"Cache-Control": "public, max-age=86400"})


def post_voice(kiosk: Services) -> Response:
    """Mute the speaker or let it speak again, and choose how it speaks and how much it says."""
    wanted = decode_as(request.get_data(), VoiceChoice)
    choose_for_room(kiosk, wanted)
    return _voice(kiosk)


def choose_for_room(kiosk: Services, wanted: VoiceChoice) -> None:
    """Set the room's speaker to `wanted`, save it, and inform every page."""
    chosen = {key: value for key, value in msgspec.structs.asdict(wanted).items() if value is not None}
    if (length := chosen.pop("length", None)) is not None:
        kiosk.voice.length = length
    if (muted := chosen.pop("muted", None)) is not None:
        kiosk.voice.muted = muted
    if chosen:
        kiosk.voice.manner = msgspec.structs.replace(kiosk.voice.manner, **chosen)
    kiosk.hub.publish_table()


def post_voice_say(kiosk: Services) -> Response:
    """Let the room's speaker answer somebody who asked."""
    asked = decode_as(request.get_data(), VoiceQuestion)
    if asked.what == ROW:
        say_row(kiosk, asked.row)
    else:
        answer_in_room(kiosk, asked.what)
    return _voice(kiosk)


def say_row(kiosk: Services, name: str) -> None:
    """Say a row of the books on the room's speaker; raises `WireError` for an unknown row."""
    row = row_named(kiosk.views.present().table, name)
    if row is None:
        raise WireError("No table of these rules has that row. Choose one of those on the page of the rules.", "row")
    kiosk.voice.ask(row.told)


def answer_in_room(kiosk: Services, what: Asked) -> None:
    """Say on the room's speaker what was asked for."""
    if what in {"again", "more"}:
        kiosk.voice.repeat(kiosk.views.again(), full=what == "more")
    else:
        table = kiosk.views.present().table
        where = where_told(table) if what == WHERE else None
        kiosk.voice.ask(where or (pools_told(table) if what == POOLS else turn_told(table)))


class ReferenceRowView(Struct, frozen=True, kw_only=True):
    """A row of the books; `row` names it where one asks to hear it."""

    row: str
    rule: str
    label: str
    meaning: str
    price: str


class ReferenceTableView(Struct, frozen=True, kw_only=True):
    """A table of the books."""

    topic: Topic
    heading: str
    rows: tuple[ReferenceRowView, ...]


class ReferenceView(Struct, frozen=True, kw_only=True):
    """Every table of the books, as this table plays them."""

    tables: tuple[ReferenceTableView, ...]


def get_reference(kiosk: Services) -> Response:
    """The tables of the books in words."""
    tables = reference_of(kiosk.views.present().table).tables
    return answered(ReferenceView(tables=tuple(_table_view(one) for one in tables)))


def _table_view(one: ReferenceTable) -> ReferenceTableView:
    rows = tuple(
        ReferenceRowView(
            row=f"{one.topic}{PART}{row.key}", rule=row.rule, label=row.label, meaning=row.meaning, price=row.price
        )
        for row in one.rows
    )
    return ReferenceTableView(topic=one.topic, heading=one.heading, rows=rows)


def _voice(kiosk: Services) -> Response:
    return answered(voice_view(kiosk.voice))


def _asked_manner() -> tuple[Length, Manner]:
    """The manner from the query, else the listener's; raises `WireError` for values out of range."""
    given, listener = request.args, listener_of(request.cookies)
    length = given.get("length", listener.length)
    if length not in {"terse", "normal", "full"}:
        raise WireError("The length is terse, normal or full.", "length")
    try:
        kept = msgspec.structs.asdict(listener.manner)
        asked = {key: given[key] for key in ("rate", "volume", "voice") if key in given}
        manner = msgspec.convert(kept | asked, registered(Manner), strict=False)
    except msgspec.ValidationError as error:
        raise WireError(say("The voice cannot speak so: {error}.", error=str(error)), "rate") from None
    return length, manner  # type: ignore[return-value]  # it is one of the three


_LENGTH: Final = ("length", {"enum": ["terse", "normal", "full"], "default": "normal"}, "How much is said.")
"""The query that says how much is said."""
_RATE: Final = ("rate", {"type": "number", "minimum": 0.8, "maximum": 2.5, "default": 1.0}, "How fast.")
"""The query that says how fast it is said."""
_VOLUME: Final = ("volume", {"type": "integer", "minimum": 10, "maximum": 200, "default": 100}, "How loud.")
"""The query that says how loud it is said."""
_TIMBRE: Final = ("voice", {"enum": ["plain", "deep", "bright", "soft"], "default": "plain"}, "The sound of the voice.")
"""The query that says with which voice it is said."""

HEARING: Final[tuple[Route, ...]] = (
    Route(
        method="GET",
        path="/api/v1/reference",
        name="getReference",
        summary="The tables of the books in words, as this table plays them",
        handler=get_reference,
        answer=ReferenceView,
        query=(LANGUAGE,),
    ),
    Route(
        method="GET",
        path="/api/v1/speech/<narration_id>.wav",
        name="getSpeech",
        summary="A narration as audio; `again`, `pools` and `turn` answer what is asked at any time",
        handler=get_speech,
        media_type="audio/wav",
        problems=(400, 404, 429),
        query=(_LENGTH, _RATE, _VOLUME, _TIMBRE, LANGUAGE),
    ),
    Route(
        method="GET",
        path="/api/v1/sounds/<name>.wav",
        name="getSound",
        summary="A short sound: a player's own, or one that tells how a result went",
        handler=get_sound,
        media_type="audio/wav",
        problems=(404,),
    ),
    Route(
        method="POST",
        path="/api/v1/voice",
        name="setVoice",
        summary="Mute the kiosk's speaker or let it speak, and choose how it speaks and how much it says",
        handler=post_voice,
        needs=AccessLevel.PLAYER,
        body=VoiceChoice,
        answer=VoiceView,
        problems=CHANGE_FAILS,
    ),
    Route(
        method="POST",
        path="/api/v1/voice/say",
        name="askVoice",
        summary="Let the kiosk's speaker say the last outcome again, the pools, whose turn it is, a row of the books",
        handler=post_voice_say,
        needs=AccessLevel.PLAYER,
        body=VoiceQuestion,
        answer=VoiceView,
        problems=CHANGE_FAILS,
    ),
)
"""The operations by which a device asks for what was said, and hears it."""
