"""An evening that is posted: each step is JSON over HTTP as the API describes it, and in between the plug is pulled."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, Final

from tests.e2e.program import Program
from tests.e2e.scenes import Evening

OF_THE_TASK: Final = ("attribute", "discipline", "focus", "purchases", "assists", "opposed")
"""What is said of a Task; all else is said of its action."""


class PostedEvening(Evening):
    """People and ships are called by their names here; over the wire they go by their ids."""

    def __init__(self, program: Program, scope: str) -> None:
        super().__init__(program)
        self.scope = scope
        self.cuts = 0

    def id_of(self, name: str) -> str:
        return self.people.get(name) or self.ships[name]

    # --- Turns ------------------------------------------------------------------------------------------------

    def begin(self, name: str) -> None:
        self.send("begin_turn", combatant_id=self.id_of(name))

    def act(self, who: str, name: str, **more: object) -> None:
        """A Task of the conflict, with what its action settles left out."""
        self.send("declare_task", declaration=self._declared(who, name, more))

    def minor(self, who: str, name: str, **more: object) -> None:
        self.send("take_minor_action", character_id=self.id_of(who), action=self._action(name, more))

    def succeeds(self, *dice: tuple[int, ...]) -> None:
        """Throw after throw, and then what a Task brings is settled."""
        for faces in dice:
            self.throw(*faces)
        self.settle()

    # --- what is refused --------------------------------------------------------------------------------------

    def refused(self, rule: str, command: str, **fields: object) -> str:
        """Send what the rules refuse by `rule`, which changes nothing; the words of the refusal."""
        before = self.program.table()
        answer = self.program.post("/api/v1/commands", {"command": command, **fields})
        assert (answer.status, answer.body.get("rule")) == (409, rule), answer
        assert self.program.table() == before
        return str(answer.body["detail"])

    def refused_task(self, rule: str, who: str, name: str, **more: object) -> str:
        return self.refused(rule, "declare_task", declaration=self._declared(who, name, more))

    def refused_minor(self, rule: str, who: str, name: str, **more: object) -> str:
        return self.refused(rule, "take_minor_action", character_id=self.id_of(who), action=self._action(name, more))

    # --- what is there ----------------------------------------------------------------------------------------

    @property
    def task(self) -> dict[str, Any]:
        whole: dict[str, Any] = self.table["task"]
        return whole

    @property
    def thrown_against(self) -> tuple[int, int]:
        """Target Number and Difficulty of the Task in hand."""
        task = self.task
        return task["target_number"], task["difficulty"]

    @property
    def pools(self) -> tuple[int, int]:
        """Momentum and Threat."""
        table = self.table
        return table["momentum"], table["threat"]

    @property
    def turn(self) -> dict[str, Any]:
        whole: dict[str, Any] = self.table["conflict"]["turn"]
        return whole

    @property
    def traits(self) -> list[str]:
        return [one["name"] for one in self.table["traits"]]

    def person(self, name: str) -> dict[str, Any]:
        return _with_id(self.table["characters"], "character_id", self.people[name])

    def ship(self, name: str) -> dict[str, Any]:
        return _with_id(self.table["ships"], "ship_id", self.ships[name])

    def menu(self, name: str) -> dict[str, dict[str, Any]]:
        """Every action that somebody has, by name."""
        answer = self.program.get(f"/api/v1/menu?actor={self.id_of(name)}")
        assert answer.status == 200, answer
        return {one["name"]: one for one in answer.body["actions"]}

    # --- the plug ---------------------------------------------------------------------------------------------

    def power_cut(self) -> None:
        """SIGKILL, and a start on the same folder: the table, its offers, menu and log are as they were."""
        before = self._everything()
        self.program.kill()
        self.program.start()
        assert self._everything() == before
        self.cuts += 1

    def _everything(self) -> tuple[object, ...]:
        view = self.program.table()
        stands = {one: view[one] for one in ("sequence", "table", "options", "declarers", "helpers", "undo", "redo")}
        snapshot, *log = islice(self.program.events(last_event_id=0), 1 + view["sequence"])
        assert (snapshot[0], {kind for kind, _, _ in log}) == ("snapshot", {"journal"})
        return stands, self.program.get("/api/v1/menu").body, log

    # --- JSON -------------------------------------------------------------------------------------------------

    def _declared(self, who: str, name: str, more: dict[str, object]) -> dict[str, object]:
        of_the_task: dict[str, object] = {one: more.pop(one) for one in OF_THE_TASK if one in more}
        return {"character_id": self.id_of(who), "action": self._action(name, more), **of_the_task}

    def _action(self, name: str, more: dict[str, object]) -> dict[str, object]:
        scope, target = more.pop("scope", self.scope), more.pop("target", None)
        aimed = {} if target is None else {"target_id": self.id_of(str(target))}
        return {"name": name, "scope": scope, **aimed, **more}


def _with_id(those: Iterable[dict[str, Any]], key: str, value: str) -> dict[str, Any]:
    return next(one for one in those if one[key] == value)
