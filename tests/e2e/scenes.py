"""Evenings at the table, scene after scene: every state that the table's screen shows is come by as people come by it.

The pictures in docs/screens.md and the checks of type size and of what fits are made from these.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from tests.e2e.crew import ATTRIBUTES, DISCIPLINES, declaration, set_up
from tests.e2e.program import Program

_SYSTEMS: Final = {"communications": 9, "computers": 9, "engines": 9, "sensors": 9, "structure": 9, "weapons": 9}
_WHOLE: Final = {"kind": "d20", "confidence": 1.0, "state": "read", "source": "manual"}
_DOUBTFUL: Final = {
    **_WHOLE,
    "face": None,
    "state": "doubtful",
    "confidence": 0.5,
    "guesses": [{"face": 6, "chance": 0.5}, {"face": 9, "chance": 0.4}],
}

_LOOK: Final = "Look at the dice"
_TURN: Final = "Ada Lindqvist's Turn"
_SUCCEEDS: Final = "Seal the hatch: Lindqvist succeeds"
_FIRST: Final = "Ada Lindqvist: 3 successes"
_AT_COST: Final = "Ada Lindqvist succeeds 1 Complication, open"
_WINS: Final = "Talk the guard round: Lindqvist wins"
_WORKED: Final = "Pump out the hold: Lindqvist gets 5 Work and 1 Breakthrough"
_BREACHED: Final = "2 Breaches on Far Lantern: Engines The players choose"


def _not_kept() -> str:
    return "a/b"


@dataclass
class Evening:
    """A running kiosk with the people and ships that its scenes name."""

    program: Program
    people: dict[str, str] = field(default_factory=dict)
    ships: dict[str, str] = field(default_factory=dict)
    photographed: Callable[[], str] = _not_kept
    """Gives the key of the picture of a doubtful die while a throw is awaited."""

    @property
    def table(self) -> dict[str, Any]:
        """The table as it is now."""
        whole: dict[str, Any] = self.program.table()["table"]
        return whole

    def send(self, command: str, **fields: object) -> None:
        """One command that must be taken."""
        self.program.send(command, **fields)

    def throw(self, *faces: int | str) -> None:
        """The dice that are asked for, entered by hand."""
        self.send("enter_dice", request=self.table["request"]["number"], faces=list(faces))

    def report(self, *dice: dict[str, Any]) -> None:
        """A throw as a source reports it."""
        whole = [{**_WHOLE, **die} for die in dice]
        reading = {"reading_id": f"scene-{self.program.table()['sequence']}", "source": "manual", "dice": whole}
        self.send("report_reading", reading=reading)

    def declare(self, who: str = "Ada Lindqvist", **changes: object) -> None:
        """A Task of somebody, against Target Number 15 with focus and Difficulty 2 where nothing else is said."""
        self.send("declare_task", declaration=declaration(self.people[who], **changes))

    def settle(self) -> None:
        """Everything that the last throw left to decide: Momentum is saved, Complications are taken."""
        if self.table["task"] is not None:
            self.send("finish_spending")
        while any(one["command"]["command"] == "take_complication" for one in self.program.table()["options"]):
            self.send("take_complication")

    def join(self, name: str, **more: object) -> None:
        """One more character, known by `name`."""
        self.send("save_character", name=name, attributes=ATTRIBUTES, disciplines=DISCIPLINES, **more)
        self.people[name] = str(self.table["characters"][-1]["character_id"])

    def fight(self, first: str) -> str:
        """A new conflict on foot of everybody, before the first Turn; the id of who begins."""
        while self.table["task"] is not None:
            self.send("undo")
        if self.table["conflict"] is not None:
            self.send("end_conflict")
        seats = [{"combatant_id": one} for one in self.people.values()]
        self.send("start_conflict", kind="personal", combatants=seats, begins=self.people[first])
        return self.people[first]

    def launch(self, name: str, **more: object) -> None:
        """One more ship, known by `name`."""
        self.send("save_ship", **{"name": name, "systems": _SYSTEMS, "departments": DISCIPLINES, **more})
        self.ships[name] = str(self.table["ships"][-1]["ship_id"])


@dataclass(frozen=True, slots=True)
class Scene:
    """One state: its picture's name, what is seen in it, how the table comes to it, the stage's kind and word then."""

    name: str
    seen: str
    play: Callable[[Evening], None]
    kind: str
    word: str


ZONES: Final = ("Bridge", "Jefferies tube junction", "Main Engineering", "Cargo hold", "Turbolift")


def draw_map(program: Program, who_ids: list[str]) -> None:
    """A map with every feature of a zone on foot, and a name that the picture shortens; all are in the first zone."""
    program.send("draw_map", zones=ZONES, links=[["Bridge", "Turbolift"]])
    first, second = (one["zone_id"] for one in program.table()["table"]["zone_map"]["zones"][:2])
    program.send("place_at", who_ids=who_ids, zone_id=first)
    program.send("change_zone", zone_id=second, difficulty=1, concealment=2, dark=True, cover=2, hazard=3)


def _set_up(evening: Evening) -> None:
    evening.people["Ada Lindqvist"] = set_up(evening.program)
    evening.join("Ben Adeyemi")
    evening.send("start_scene", name="Deck 12, the flooded hold")


def _ask(evening: Evening) -> None:
    evening.send("adjust_pool", pool="momentum", change=3)
    evening.declare(
        label="Seal the hatch before the hold floods", purchases=[{"payer": "threat"}], complication_range=2
    )


def _rolling(evening: Evening) -> None:
    evening.send("undo")
    helper = {"character_id": evening.people["Ben Adeyemi"], "attribute": "reason", "discipline": "science"}
    evening.declare(label="Seal the hatch", purchases=[{"payer": "threat"}], assists=[{**helper, "focus": True}])
    evening.throw(6, 9, 20)


def _doubtful(evening: Evening) -> None:
    evening.send("undo")
    evening.report({"face": 4}, {**_DOUBTFUL, "picture": evening.photographed()}, {"face": 14})


def _wrong_count(evening: Evening) -> None:
    evening.send("undo")
    evening.report({"face": 4}, {"face": 7}, {"face": 9}, {"face": 12})


def _success(evening: Evening) -> None:
    evening.send("undo")
    evening.throw(4, 6, 9)
    if evening.table["request"] is not None:
        evening.throw(16)


def _complication(evening: Evening) -> None:
    evening.settle()
    evening.declare(label="Bring everyone back aboard", purchases=[{"payer": "threat"}])
    evening.throw(4, 3, 20)


def _failure(evening: Evening) -> None:
    evening.settle()
    evening.declare(label="Cross the gap", difficulty=3)
    evening.throw(18, 9)


def _opposed_first(evening: Evening) -> None:
    evening.settle()
    evening.declare(label="Talk the guard round", opposed=True)
    evening.throw(3, 12)


def _opposed(evening: Evening) -> None:
    evening.declare("Ben Adeyemi", label="See through it")
    evening.throw(2, 16)


def _challenge(evening: Evening) -> None:
    evening.settle()
    evening.send("declare_challenge", count=4, label="Falling rocks")
    evening.throw(1, 2, "blank", "effect")


def _free(evening: Evening) -> None:
    evening.send("close_challenge")
    evening.report({"face": 6}, {"face": 9})


def _extended(evening: Evening) -> None:
    evening.send("begin_extended_task", label="Pump out the hold", work=8, magnitude=2, resistance=1, difficulty=2)
    track = evening.table["extended"][0]["track_id"]
    evening.declare(label="", action={"name": "extended", "target_id": track})
    evening.throw(4, 12)


def _opposed_done(evening: Evening) -> None:
    evening.settle()
    while evening.table["task"] is not None:
        evening.settle()


def _extended_done(evening: Evening) -> None:
    evening.settle()


def _extended_worked(evening: Evening) -> None:
    evening.throw(2, 2, "effect", 1, "blank", "blank")


def _fight(evening: Evening) -> None:
    evening.settle()
    for track in evening.table["extended"]:
        evening.send("end_extended_task", track_id=track["track_id"])
    evening.join("Brack", standing="notable_npc")
    evening.join("Smuggler", standing="minor_npc")
    seats = [{"combatant_id": one} for one in evening.people.values()]
    evening.send("start_conflict", kind="personal", combatants=seats, begins=evening.people["Ada Lindqvist"])
    evening.send("begin_turn", combatant_id=evening.people["Ada Lindqvist"])


def _injury(evening: Evening) -> None:
    evening.send("strike_hazard", target_id=evening.people["Ben Adeyemi"], rating=3, reason="Falling rocks")
    evening.throw(2, 2, 1)


def _crew(evening: Evening, ruleset: str) -> None:
    evening.people["Ada Lindqvist"] = set_up(evening.program, ruleset=ruleset)
    evening.join("Ben Adeyemi")
    arms = [{"name": "Phasers", "kind": "energy", "rating": 7, "optimal_range": "medium"}]
    evening.launch("Far Lantern", scale=4, shields=9, resistance=4, weapons=arms)
    evening.launch("Black Comet", scale=4, shields=6, resistance=2, crew="talented", weapons=arms)
    evening.send("start_scene", name="At the edge of the nebula")
    seats = [
        {
            "combatant_id": evening.people["Ada Lindqvist"],
            "ship_id": evening.ships["Far Lantern"],
            "station": "tactical",
        },
        {"combatant_id": evening.people["Ben Adeyemi"], "ship_id": evening.ships["Far Lantern"], "station": "helm"},
        {"combatant_id": evening.ships["Black Comet"]},
    ]
    evening.send("start_conflict", kind="starship", combatants=seats, begins=evening.people["Ada Lindqvist"])
    evening.send("begin_turn", combatant_id=evening.people["Ada Lindqvist"])


def _bridge(evening: Evening) -> None:
    _crew(evening, "core-1e")


def _second_bridge(evening: Evening) -> None:
    _crew(evening, "second-edition")


def _breach(evening: Evening) -> None:
    evening.send("strike_ship", ship_id=evening.ships["Far Lantern"], damage=14, reason="Debris", system="engines")


_TABLE: Final = (
    Scene("no-table", "Nobody has set a table up yet.", lambda _: None, "setup", "No table yet"),
    Scene("ready", "A scene has begun; nothing is asked for.", _set_up, "idle", "Ready"),
    Scene("ask", "A Task is declared: who throws, how many dice, against what.", _ask, "ask", "Throw 3 d20s"),
    Scene("helper", "The leader has thrown; a helper's die is awaited.", _rolling, "ask", "Throw 1 d20"),
    Scene("doubtful", "A die that the reader is not sure of, with its picture.", _doubtful, "question", _LOOK),
    Scene("wrong-count", "More dice lie there than were asked for.", _wrong_count, "question", "1 die too many"),
    Scene("success", "A success, with Momentum to spend.", _success, "outcome", _SUCCEEDS),
    Scene("complication", "A success with an open Complication.", _complication, "outcome", _AT_COST),
    Scene("failure", "A failure.", _failure, "outcome", "Cross the gap: Lindqvist fails"),
    Scene("opposed-first", "The first side of an Opposed Task.", _opposed_first, "outcome", _FIRST),
    Scene("opposed", "The other side has thrown: who won.", _opposed, "outcome", _WINS),
    Scene("opposed-saved", "The winner's Momentum is saved; the outcome stays.", _opposed_done, "outcome", _WINS),
    Scene("challenge", "Challenge Dice, points and Effects.", _challenge, "challenge", "4 points"),
    Scene("free", "Dice that nobody asked for: shown, not scored.", _free, "free", "Free roll"),
    Scene("extended", "Work on an Extended Task.", _extended, "outcome", "Pump out the hold: Lindqvist succeeds"),
    Scene("extended-work", "The Challenge Dice of that work.", _extended_done, "ask", "Throw 6 Challenge Dice"),
    Scene("extended-worked", "These dice on the table, with what they came to.", _extended_worked, "outcome", _WORKED),
    Scene("conflict", "A fight between two throws.", _fight, "turn", _TURN),
    Scene("injury", "A hit: somebody has to choose.", _injury, "chain", "Ben Adeyemi is hit Adeyemi chooses"),
)
_FIRST_BRIDGE: Final = (
    Scene("bridge", "A ship duel of the first edition.", _bridge, "turn", _TURN),
    Scene("bridge-breach", "The same after a hit on the Engines.", _breach, "turn", _TURN),
)
_SECOND_BRIDGE: Final = (
    Scene("bridge-2e", "A ship duel of the second edition.", _second_bridge, "turn", _TURN),
    Scene("bridge-2e-breach", "A hit that shakes the ship.", _breach, "chain", _BREACHED),
)
EVENINGS: Final = (_TABLE, _FIRST_BRIDGE, _SECOND_BRIDGE)
"""Each is played from its first scene on a kiosk of its own."""


def every_other(scenes: tuple[Scene, ...], first: int) -> list[Scene]:
    """Every second scene from that place on, and one of each kind of stage: what two tests share between them."""
    chosen = [*scenes[first::2]]
    for one in scenes:
        if one.kind not in {other.kind for other in chosen}:
            chosen.append(one)
    return chosen
