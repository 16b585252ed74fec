"""What every decision is made of: commands, events, the draft that collects them, and the playbook of the rooms."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar, Final, TypeVar

from rules.deciding.fields import FieldRow
from rules.deciding.rows import AbilityRow, SpendRule, ThreatRow
from rules.deciding.telling import Narration, why_changed
from rules.errors import Refusal
from rules.state.changing import replace
from rules.state.conflict import Action, Combatant, Step
from rules.state.table import Table
from rules.state.tasks import Assistance, Declaration, ExtendedTrack, Modifier, Task
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import ActionScope, Attribute, Discipline, Pool, Ruleset, StepKind
from rules.words import Phrase

_WORD_START: Final = re.compile(r"(?<!^)(?=[A-Z])")
"""Where a word begins in the name of a class, the first one left out."""

_Message = TypeVar("_Message")


def name_of(message: object) -> str:
    """The snake-case name of a command or an event, or of its class: `DeclareTask` is `declare_task`."""
    kind = message if isinstance(message, type) else type(message)
    return _WORD_START.sub("_", kind.__name__).lower()


def _enter(kinds: dict[str, type[_Message]], kind: type[_Message]) -> None:
    """Enter a class by its name. Raises `TypeError` where another class has that name: journals hold the name alone."""
    name = name_of(kind)
    before = kinds.get(name, kind)
    # A dataclass with slots is made twice, so the class of the same place comes again.
    if (before.__module__, before.__name__) != (kind.__module__, kind.__name__):
        raise TypeError(f"{kind.__module__}.{kind.__name__} needs another name: {before.__module__} has {name} already")
    kinds[name] = kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened at the table: a fact that the journal keeps, with its result.

    Each event is a frozen dataclass of its own: what it carries, how it changes the table, and how it is told. Folding
    and telling need no rule, so that a journal is replayed as it was written. Its name in JSON is the class name in
    snake case (`TaskDeclared` is `task_declared`). Where an event hands out numbers, `next_number` is the table's next
    number afterwards.
    """

    kinds: ClassVar[dict[str, type[Event]]] = {}
    """Every event's class by its name; a class enters as it is defined."""

    weight: ClassVar[int | None] = None
    """Which event of a decision is told: the one with the lowest number; None for those of a chain, which are all told
    in order."""

    def __init_subclass__(cls) -> None:
        _enter(Event.kinds, cls)

    def fold(self, table: Table) -> Table:
        """The table after this event. Never fails on an event that was decided."""
        return table

    def told(self, before: Table, after: Table) -> Narration | None:  # noqa: ARG002 - most events say more than this
        """What is said of it, from the tables before and after its decision; None where there is nothing to say."""
        return None

    def covers(self, other: Event) -> bool:  # noqa: ARG002 - most events say nothing of another
        """Whether its words also tell `other` of the same decision, which then is not told itself."""
        return False

    def joined_with(self, later: Event) -> Event | None:  # noqa: ARG002 - most events are told by themselves
        """This event joined with `later` of the same decision; None if each is told by itself."""
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Something that a person or a source asks of the table; each is a frozen dataclass of its own.

    Its name in JSON is the class name in snake case (`DeclareTask` is `declare_task`).
    """

    kinds: ClassVar[dict[str, type[Command]]] = {}
    """Every command's class by its name; a class enters as it is defined."""

    undone: ClassVar[Phrase | None] = None
    """The words of undo for it, after "take back"; None if the command's name says it."""

    def __init_subclass__(cls) -> None:
        _enter(Command.kinds, cls)

    def decide(self, draft: Draft) -> None:
        """Record what it makes happen. Raises `Refusal` with the rule that forbids it."""
        raise NotImplementedError

    def payer(self, table: Table) -> str | None:  # noqa: ARG002 - most commands pay for nothing
        """The id of who pays, empty if the gamemaster pays for nobody in particular (THR-6).

        None if it is no payment.
        """
        return None


EVERY_RULESET: Final = frozenset(Ruleset)
"""The rulesets of an action that all of them have."""


def nothing(_: Draft, __: Task) -> None:
    """Do nothing: the default of most moments of an action."""


def as_declared(_: Table, declaration: Declaration) -> Declaration:
    """The declaration unchanged."""
    return declaration


def always(_: Table, __: Declaration) -> bool:
    """Dice are thrown for it, whatever its Difficulty."""
    return True


def never(_: Table, __: Declaration) -> bool:
    """Nothing is thrown for it, and nothing makes it harder (TASK-9)."""
    return False


def by_choice(_: Table, declaration: Declaration) -> bool:
    """Whoever declares it says whether dice are thrown, as long as its Difficulty stays 0 (TASK-9)."""
    return declaration.rolled


def as_printed(row: ActionRow, _: Table, __: str) -> ActionRow:
    """The row unchanged, whatever the table and the actor."""
    return row


def from_any_seat(_: Table, __: str) -> int:
    """No added Difficulty, wherever the actor sits."""
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRow:
    """One Task, major or minor action of a conflict (ACT-3, ACT-4, STN, S2E), and what it sets off.

    * `plan` fills in what the rules set (attribute, discipline, ship's help, Difficulty, modifiers) and refuses what
      is not possible; it gets the declaration with its `action` and returns it complete.
    * `rolled` says of what `plan` returned whether dice are thrown. Where it says no, nothing makes the Task harder,
      nobody helps with it, and `result` follows at once; where it is `by_choice`, only a Difficulty of 0 needs none.
    * `pay` takes what the attempt itself costs: Power, Threat of a lethal attack (C-65).
    * `struck` follows the outcome at once on success, while Momentum may still be spent (an attack's damage).
    * `result` follows a success once its spending is finished; `failed` follows a failure then.
    * `minor`: a Minor Action, without dice, out of the Turn's other budget (ACT-1); it only has `perform`, which gets
      who does it and the action, and refuses what is not possible.
    * `free`: takes nothing of a Turn's budget.
    * `attributes`, `disciplines`: what it may be thrown with, the first suggested; empty where anything fits.
    * `difficulty`: its base while nothing is chosen that may be left out; None where a choice, an opponent or the table
      decides. `power`: the least that it takes.
    * `harder` gets the table and who would act, and says what their seat adds to the Difficulty.
    * `needs`: the fields of `Action` that a person may choose; `fields`: what may be chosen for those of them, and of
      others, for which it is not what any action takes (`rules.legal.choices`).
    * `unasked`: further fields that a program may fill in, and no menu asks for.
    * `here` gets the row, the table and who would act, and says what holds of these there: the house's numbers, an
      option's, what a ship has come to.
    * `listed`: a menu has it; False of a name that older programs use for what another row is now.
    * `settled`: nobody chooses what it is thrown with: the weapon decides, or nothing is thrown at all.
    * `later`: what it is thrown with counts with other Tasks that follow: an Assist, an Attack Pattern (S2E-H3).
    * `to_zone`: where a map is kept it leads to a zone, or is about one (`Action.zone_id`).
    * `free_form`: the people at the table say what it is. It alone is opposed because somebody says so (OPP-1); of
      every other action its `plan` knows whether the rules oppose it.
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
    harder: Callable[[Table, str], int] = from_any_seat
    power: int = 0
    needs: tuple[str, ...] = ()
    fields: tuple[FieldRow, ...] = ()
    unasked: tuple[str, ...] = ()
    here: Callable[[ActionRow, Table, str], ActionRow] = as_printed
    listed: bool = True
    settled: bool = False
    later: bool = False
    to_zone: bool = False
    free_form: bool = False
    plan: Callable[[Table, Declaration], Declaration] = as_declared
    rolled: Callable[[Table, Declaration], bool] = always
    perform: Callable[[Draft, str, Action], None] | None = None
    pay: Callable[[Draft, Task], None] = nothing
    struck: Callable[[Draft, Task], None] = nothing
    result: Callable[[Draft, Task], None] = nothing
    failed: Callable[[Draft, Task], None] = nothing

    @property
    def strikes(self) -> bool:
        """Whether it is an attack: something follows its success before its spending is finished (C-61)."""
        return self.struck is not nothing

    def takes(self, field: str) -> bool:
        """Whether it uses a field of `Action`; every action may have a note."""
        named = {"name", "scope", "note", *self.needs, *self.unasked, *(one.name for one in self.fields)}
        if self.scope is ActionScope.BRIDGE:
            named.add("ship_id")
        if self.to_zone:
            named |= {"zones", "zone_id"}
        if self.minor:
            named.add("threat_part")
        return field in named

    @property
    def asks_words(self) -> bool:
        """Whether it uses words of its own, which are then not told beside it."""
        return "note" in self.needs or self.field("note") is not None

    def field(self, name: str) -> FieldRow | None:
        """Its own row for a field of `Action`."""
        return next((one for one in self.fields if one.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRow:
    """How a kind of step is taken.

    `begin` is called when the step comes to the front. It asks for dice through `agenda.ask_for_dice`, or leaves a
    choice open for a command to make, or applies itself; whoever completes it calls `agenda.finish_step`. `count`
    gets the dice that were asked for. A die that was misread is put right by undo. `asks` says what people are asked
    for while it leaves a choice open, and `beside` what else they should know while it asks for dice.
    """

    kind: StepKind
    begin: Callable[[Draft, Step], None]
    count: Callable[[Draft, Step, tuple[ThrownDie, ...]], None] | None = None
    asks: Callable[[Table, Step], Phrase] | None = None
    beside: Callable[[Table, Step], Phrase] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Who may answer a Task that waits for the other side's, and with what (OPP-1).

    * `who`: ids of characters and of NPC ships' crews, the expected first.
    * `actions`: the names of the actions that answer it; the empty name is a Task that names none.
    * `rule`, `otherwise`: what somebody is told who would answer it with something else.
    """

    who: tuple[str, ...]
    actions: frozenset[str]
    rule: str
    otherwise: Phrase


@dataclass(frozen=True, kw_only=True)
class Playbook:
    """The rooms' contributions to a game, as data; `bound` joins them.

    Functions refuse by raising `Refusal`; one that returns None for a question leaves it to another room.
    """

    actions: tuple[ActionRow, ...] = ()
    """Every action."""

    steps: tuple[StepRow, ...] = ()
    """How each step of a chain is taken."""

    spends: tuple[SpendRule, ...] = ()
    """What Momentum buys."""

    threat_gains: tuple[ThreatRow, ...] = ()
    """What raises Threat."""

    threat_spends: tuple[ThreatRow, ...] = ()
    """What Threat buys."""

    abilities: tuple[AbilityRow, ...] = ()
    """The special abilities of creatures."""

    may_act: tuple[Callable[[Table, str], None], ...] = ()
    """Refuses a character that cannot act now."""

    own_task: tuple[Callable[[Table, Declaration], Declaration], ...] = ()
    """Makes a Task that names no action one of its Turn's."""

    uses_task: tuple[Callable[[Draft, str, ActionRow], None], ...] = ()
    """Takes the Task that an action costs from whoever acts."""

    task_begins: tuple[Callable[[Draft, Declaration], None], ...] = ()
    """Follows a declaration."""

    adds_help: tuple[Callable[[Table, Declaration], Declaration], ...] = ()
    """Adds the help that was promised for a Task."""

    pays_help: tuple[Callable[[Draft, str, Assistance], Assistance], ...] = ()
    """Takes what helping costs a helper who is named with the Task of the character of that id."""

    ship_may_help: tuple[Callable[[Table, str, str], None], ...] = ()
    """Refuses a ship, by its id, that may not help with a Task of the character of the first id."""

    situates: tuple[Callable[[Table, str, ActionRow, Action], Action], ...] = ()
    """Fills in what the map says of an action of whoever acts (RNG-1)."""

    answers: tuple[Callable[[Table, Task], Answer | None], ...] = ()
    """Who may answer a Task that waits for the other side's; by itself that is a plain Task (OPP-1)."""

    modifiers: tuple[Callable[[Table, Declaration], tuple[Modifier, ...]], ...] = ()
    """The modifiers that a Task has of itself: range, effects that last (RNG-2)."""

    completes: tuple[Callable[[Table, Declaration], Declaration], ...] = ()
    """Changes or refuses a declaration that has its modifiers (BRCH-2 to BRCH-4)."""

    may_sit: tuple[Callable[[Table, tuple[Combatant, ...], Combatant], None], ...] = ()
    """Refuses somebody who takes part, beside the others, where their place is taken."""

    turn_starts: tuple[Callable[[Draft, str], None], ...] = ()
    """Follows the start of the Turn of the combatant of that id."""

    turn_ends: tuple[Callable[[Draft, str], None], ...] = ()
    """Goes before the end of the Turn of the combatant of that id, which also ends one that was never taken."""

    turns_lost: tuple[Callable[[Draft, str], int], ...] = ()
    """Takes from the combatant of that id the Turns that it loses in a new Round; how many."""

    round_ends: tuple[Callable[[Draft], None], ...] = ()
    """Follows the last Turn of a Round. What it plans comes before the next Round begins."""

    scene_ends: tuple[Callable[[Draft], None], ...] = ()
    """Ends what lasts for a scene, before the next scene or session; its conflict is still there for the first."""

    scene_starts: tuple[Callable[[Draft], None], ...] = ()
    """Follows the start of a scene or session, with the pools as they are then."""

    surge_refused: tuple[Callable[[Table, str], str | None], ...] = ()
    """Why a Surge of Activity gives a character no Task now; None where it does."""

    spend_refused: tuple[Callable[[Table, Task, SpendRule], str | None], ...] = ()
    """Why a Momentum spend is not possible on a Task now; None where it is."""

    serves: tuple[Callable[[Draft, Task, str], int | None], ...] = ()
    """How many times more a spend can serve on a Task (POOL-4); None of one that always does."""

    bought_before: tuple[Callable[[Table, str], int | None], ...] = ()
    """How often a spend was bought that counts beyond its Task; None of any other spend."""

    spent: tuple[Callable[[Draft, Task, str, int], None], ...] = ()
    """Follows a Momentum spend on a Task, taken that number of times."""

    decided: tuple[Callable[[Table, Draft, Command], None], ...] = ()
    """Follows every command, with the table before it, once it has recorded all that it brings."""

    ends: tuple[Callable[[Table, Draft], None], ...] = ()
    """Follows the last command of every decision, with the table before that, once it has recorded all it brings."""

    extended_done: Mapping[str, Callable[[Draft, ExtendedTrack], None]] = field(default_factory=dict)
    """What follows a finished Extended Task, by its purpose."""

    @cached_property
    def rows(self) -> Mapping[tuple[ActionScope, str, Ruleset], ActionRow]:
        """The row of each action by its scope, its name and a ruleset that has it."""
        return {(row.scope, row.name, ruleset): row for row in self.actions for ruleset in row.rulesets}

    @cached_property
    def step_rows(self) -> Mapping[StepKind, StepRow]:
        """The row of each kind of step."""
        return {row.kind: row for row in self.steps}

    @cached_property
    def spend_rows(self) -> Mapping[str, SpendRule]:
        """The row of each Momentum spend by its name, as the rules have it."""
        return {row.name: row for row in self.spends}

    @cached_property
    def gain_rows(self) -> Mapping[str, ThreatRow]:
        """The row of each reason for which Threat rises, by its name."""
        return {row.name: row for row in self.threat_gains}

    @cached_property
    def threat_rows(self) -> Mapping[str, ThreatRow]:
        """The row of each reason for which Threat is spent, by its name."""
        return {row.name: row for row in self.threat_spends}

    @cached_property
    def ability_rows(self) -> Mapping[str, AbilityRow]:
        """The row of each special ability by its name."""
        return {row.name: row for row in self.abilities}

    def played(self, edition_of: Callable[[str], Ruleset]) -> tuple[ActionRow, ...]:
        """The rows of every action of a table, each of the ruleset whose form of it is played there (section 19)."""
        return tuple(row for (_, name, ruleset), row in self.rows.items() if edition_of(name) is ruleset)

    def require_able(self, table: Table, character_id: str) -> None:
        """Refuse somebody who cannot act now."""
        for may_act in self.may_act:
            may_act(table, character_id)

    def is_able(self, table: Table, character_id: str) -> bool:
        """Whether somebody can act now."""
        try:
            self.require_able(table, character_id)
        except Refusal:
            return False
        return True

    def declared(self, table: Table, declaration: Declaration) -> Declaration:
        """The declaration as one of the Tasks of its Turn."""
        for own_task in self.own_task:
            declaration = own_task(table, declaration)
        return declaration

    def with_help(self, table: Table, declaration: Declaration) -> Declaration:
        """The declaration with the help that was promised for it."""
        for adds_help in self.adds_help:
            declaration = adds_help(table, declaration)
        return declaration

    def situated(self, table: Table, actor_id: str, row: ActionRow, action: Action) -> Action:
        """The action with what the map says of it."""
        for situates in self.situates:
            action = situates(table, actor_id, row, action)
        return action

    def take_help(self, draft: Draft, leader_id: str, helper: Assistance) -> Assistance:
        """Take what a helper gives who is named with somebody's Task."""
        for pays_help in self.pays_help:
            helper = pays_help(draft, leader_id, helper)
        return helper

    def require_ship_helps(self, table: Table, character_id: str, ship_id: str) -> None:
        """Refuse a ship that may not help with a Task of that character."""
        for may_help in self.ship_may_help:
            may_help(table, character_id, ship_id)

    def take_task(self, draft: Draft, character_id: str, row: ActionRow) -> None:
        """Take the Task that an action costs."""
        for uses_task in self.uses_task:
            uses_task(draft, character_id, row)

    def begin_task(self, draft: Draft, declaration: Declaration) -> None:
        """Do what follows a declaration."""
        for task_begins in self.task_begins:
            task_begins(draft, declaration)

    def action(self, action: Action, ruleset: Ruleset) -> ActionRow | None:
        """The row of an action in a ruleset, None where the ruleset has none."""
        return self.rows.get((action.scope, action.name, ruleset))


def only_in(rulesets: frozenset[Ruleset], follows: Callable[[Draft], None]) -> Callable[[Draft], None]:
    """A moment only for tables of these rulesets."""

    def at_table(draft: Draft) -> None:
        if draft.table.ruleset in rulesets:
            follows(draft)

    return at_table


def bound(*parts: Playbook) -> Playbook:
    """One playbook of all `parts`; moments follow each other in the order of the parts.

    Raises `ValueError` where two rows claim the same place.
    """
    together: dict[str, Any] = {
        one.name: tuple(row for part in parts for row in getattr(part, one.name))
        for one in fields(Playbook)
        if one.name != "extended_done"
    }
    done = {purpose: follows for part in parts for purpose, follows in part.extended_done.items()}
    whole = Playbook(**together, extended_done=done)
    if len(whole.rows) < sum(len(row.rulesets) for row in whole.actions):
        raise ValueError("two rows of actions claim the same place")
    if len(whole.step_rows) < len(whole.steps):
        raise ValueError("two rows take the same step")
    for rows in (whole.spends, whole.threat_gains, whole.threat_spends, whole.abilities):
        if len({row.name for row in rows}) < len(rows):
            raise ValueError("two rows of a table have one name")
    if len(done) < sum(len(part.extended_done) for part in parts):
        raise ValueError("two rooms wait for Extended Tasks of one purpose")
    return whole


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolChanged(Event):
    """A pool rose or fell by `change` to `after`; `reason` in plain words."""

    pool: Pool
    change: int
    after: int
    reason: str

    weight: ClassVar[int | None] = 340

    def fold(self, table: Table) -> Table:
        if self.pool is Pool.MOMENTUM:
            return replace(table, momentum=self.after)
        return replace(table, threat=self.after)

    def told(self, _: Table, __: Table) -> Narration:
        return why_changed(self.reason)


class Draft:
    """Collects the events of one decision; `table` is always the table after the latest of them.

    `playbook` is what the rooms bring to this table's game.
    """

    __slots__ = ("events", "playbook", "table")

    def __init__(self, table: Table, playbook: Playbook) -> None:
        self.table = table
        self.playbook = playbook
        self.events: list[Event] = []

    def record(self, event: Event) -> None:
        """Add one event and fold it at once, so that what follows is decided on the table it leaves."""
        self.events.append(event)
        self.table = event.fold(self.table)

    def change_pool(self, pool: Pool, change: int, reason: str) -> None:
        """Record a change of a pool, if it is one. The caller has made sure that the pool can bear it."""
        if change:
            before = self.table.momentum if pool is Pool.MOMENTUM else self.table.threat
            self.record(PoolChanged(pool=pool, change=change, after=before + change, reason=reason))
