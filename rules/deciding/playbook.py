"""What a table can do beyond the common Task, as data: actions, steps of chains, and what happens at set moments.

In: rows that the packages of `rules.deciding` offer. Out: one `Playbook`, composed in `rules.table` and carried by
every `Draft`, so that the common code asks the playbook and knows none of the packages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rules.state import Declaration, Modifier, Table, Task, ThrownDie
from rules.state_conflict import Action, Step
from rules.state_extended import ExtendedTrack
from rules.vocabulary import ActionScope, Attribute, Discipline, Ruleset, StepKind

if TYPE_CHECKING:
    from rules.deciding.draft import Draft

EVERY_RULESET = frozenset(Ruleset)


def nothing(_: Draft, __: Task) -> None:
    """What most moments of most actions bring: nothing of their own."""


def as_declared(_: Table, declaration: Declaration) -> Declaration:
    """A Task that is thrown as the people at the table declared it."""
    return declaration


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRow:
    """One Task, major or minor action of a conflict (ACT-3, ACT-4, STN, S2E), and what it sets off.

    * `plan` fills in what the rules set (attribute, discipline, ship's help, Difficulty, modifiers) and refuses what
      is not possible; it gets the declaration with its `action` and returns it complete. With `rolled` False in what
      it returns there are no dice and `result` follows at once.
    * `pay` takes what the attempt itself costs: Power, Threat of a lethal attack (C-65).
    * `struck` follows the outcome at once on success, while Momentum may still be spent (an attack's damage).
    * `result` follows a success once its spending is finished; `failed` follows a failure then.
    * `minor`: a Minor Action, without dice, out of the Turn's other budget (ACT-1); it only has `perform`, which gets
      who does it and the action, and refuses what is not possible.
    * `free`: takes nothing of a Turn's budget.
    * `attributes`, `disciplines`, `difficulty`, `power`, `needs`: what a menu says of it beforehand. `needs` names the
      fields of `Action` that a person has to choose; the first attribute and discipline are suggested.
    * `settled`: nobody chooses what it is thrown with: the weapon decides, or nothing is thrown at all.
    """

    name: str
    rule: str
    label: str
    scope: ActionScope
    station: str = ""
    minor: bool = False
    free: bool = False
    rulesets: frozenset[Ruleset] = EVERY_RULESET
    attributes: tuple[Attribute, ...] = ()
    disciplines: tuple[Discipline, ...] = ()
    difficulty: int | None = None
    power: int = 0
    needs: tuple[str, ...] = ()
    settled: bool = False
    plan: Callable[[Table, Declaration], Declaration] = as_declared
    perform: Callable[[Draft, str, Action], None] | None = None
    pay: Callable[[Draft, Task], None] = nothing
    struck: Callable[[Draft, Task], None] = nothing
    result: Callable[[Draft, Task], None] = nothing
    failed: Callable[[Draft, Task], None] = nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRow:
    """How a kind of step is taken.

    `begin` is called when the step comes to the front. It asks for dice through `agenda.ask_for_dice`, or leaves a
    choice open for a command to make, or applies itself; whoever completes it calls `agenda.finish_step`. `count`
    gets the dice that were asked for. A die that was misread is put right by undo.
    """

    kind: StepKind
    begin: Callable[[Draft, Step], None]
    count: Callable[[Draft, Step, tuple[ThrownDie, ...]], None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Playbook:
    """Everything that the packages offer, by name, and what each does at set moments.

    `turn_starts` and `turn_ends` get the combatant's id. `modifiers` are those a Task has of itself (RNG-2, effects
    that last); `completes` get the declaration with these, and change or refuse it (BRCH-2 to BRCH-4). `spend_refused`
    says why a Momentum spend is not possible now, None if it is; `spent` follows one. `extended_done` is called when an
    Extended Task of that purpose is finished.
    """

    actions: Mapping[tuple[ActionScope, str, Ruleset], ActionRow] = field(default_factory=dict)
    steps: Mapping[StepKind, StepRow] = field(default_factory=dict)
    modifiers: tuple[Callable[[Table, Declaration], tuple[Modifier, ...]], ...] = ()
    completes: tuple[Callable[[Table, Declaration], Declaration], ...] = ()
    turn_starts: tuple[Callable[[Draft, str], None], ...] = ()
    turn_ends: tuple[Callable[[Draft, str], None], ...] = ()
    round_ends: tuple[Callable[[Draft], None], ...] = ()
    scene_ends: tuple[Callable[[Draft], None], ...] = ()
    scene_starts: tuple[Callable[[Draft], None], ...] = ()
    spend_refused: tuple[Callable[[Table, Task, str], str | None], ...] = ()
    spent: tuple[Callable[[Draft, Task, str, int], None], ...] = ()
    extended_done: Mapping[str, Callable[[Draft, ExtendedTrack], None]] = field(default_factory=dict)

    def action(self, action: Action, ruleset: Ruleset) -> ActionRow | None:
        """The row of an action in a ruleset, None where the ruleset has none."""
        return self.actions.get((action.scope, action.name, ruleset))


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """What one package of `rules.deciding` brings to the playbook."""

    actions: tuple[ActionRow, ...] = ()
    steps: tuple[StepRow, ...] = ()
    modifiers: tuple[Callable[[Table, Declaration], tuple[Modifier, ...]], ...] = ()
    completes: tuple[Callable[[Table, Declaration], Declaration], ...] = ()
    turn_starts: tuple[Callable[[Draft, str], None], ...] = ()
    turn_ends: tuple[Callable[[Draft, str], None], ...] = ()
    round_ends: tuple[Callable[[Draft], None], ...] = ()
    scene_ends: tuple[Callable[[Draft], None], ...] = ()
    scene_starts: tuple[Callable[[Draft], None], ...] = ()
    spend_refused: tuple[Callable[[Table, Task, str], str | None], ...] = ()
    spent: tuple[Callable[[Draft, Task, str, int], None], ...] = ()
    extended_done: Mapping[str, Callable[[Draft, ExtendedTrack], None]] = field(default_factory=dict)


def bound(*chapters: Chapter) -> Playbook:
    """One playbook of all chapters; moments follow each other in the chapters' order.

    Raises `ValueError` where two rows claim the same place.
    """
    actions: dict[tuple[ActionScope, str, Ruleset], ActionRow] = {}
    steps: dict[StepKind, StepRow] = {}
    extended_done: dict[str, Callable[[Draft, ExtendedTrack], None]] = {}
    for chapter in chapters:
        for row in chapter.actions:
            for ruleset in row.rulesets:
                if actions.setdefault((row.scope, row.name, ruleset), row) is not row:
                    raise ValueError(f"two rows are called {row.name} in {ruleset}")
        for step in chapter.steps:
            if steps.setdefault(step.kind, step) is not step:
                raise ValueError(f"two rows take the step {step.kind}")
        for purpose, done in chapter.extended_done.items():
            if extended_done.setdefault(purpose, done) is not done:
                raise ValueError(f"two chapters wait for Extended Tasks to {purpose}")
    return Playbook(
        actions=actions,
        steps=steps,
        modifiers=tuple(one for chapter in chapters for one in chapter.modifiers),
        completes=tuple(one for chapter in chapters for one in chapter.completes),
        turn_starts=tuple(one for chapter in chapters for one in chapter.turn_starts),
        turn_ends=tuple(one for chapter in chapters for one in chapter.turn_ends),
        round_ends=tuple(one for chapter in chapters for one in chapter.round_ends),
        scene_ends=tuple(one for chapter in chapters for one in chapter.scene_ends),
        scene_starts=tuple(one for chapter in chapters for one in chapter.scene_starts),
        spend_refused=tuple(one for chapter in chapters for one in chapter.spend_refused),
        spent=tuple(one for chapter in chapters for one in chapter.spent),
        extended_done=extended_done,
    )
