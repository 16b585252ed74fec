"""A conflict as a value: whose Turn it is, what lasts, the attack in hand, and the steps still to be taken.

In: events alone. Out: frozen values on a `Table`; nothing here decides anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rules.dice import Face
from rules.state.changing import replace
from rules.state.thrown import ThrownDie
from rules.state.vocabulary import (
    ActionScope,
    Attribute,
    ConflictKind,
    Discipline,
    EffectEnd,
    Range,
    Side,
    StepKind,
    System,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What a Task in a conflict, or an action without dice, is for: a row of the action tables and what it is aimed at.

    * `name` within `scope`: a row of `rules.table.PLAYBOOK`'s actions ("attack", "recover", "fire_weapon").
    * `target_id`: the character or ship it is aimed at; `ship_id`: the ship whose station acts.
    * `also_id`: the second ally whom a commander assists (S2E-C1).
    * `weapon`: by name; `lethal`: the intent declared (ATK-4);
    * `one_handed`: a two-handed weapon held in one hand (ATK-5); `effect`: the Damage Effect that Charge adds (QUAL-2).
    * `weakness`: it strikes what an Invulnerable creature is not proof against (NPC-2).
    * `at_range`: distance to the target; `system`: aimed at, repaired, restored; `zones`: to move or to send.
    * `zone_id`: where to move, to send or to scan; where a map is kept it settles `zones` and `at_range` (RNG-1).
    * `level`: a Difficulty that the player or gamemaster chooses where the table leaves it open.
    * `threat_part`: points of an Immediate price of its own (Direct, C-82) that are added to Threat instead.
    * `in_cover`: who recovers is in Cover already (ACT-5, C-54).
    * `note`: what it is about, in words.
    """

    name: str
    scope: ActionScope = ActionScope.PERSONAL
    target_id: str = ""
    ship_id: str = ""
    also_id: str = ""
    weapon: str = ""
    lethal: bool = False
    one_handed: bool = False
    effect: str = ""
    weakness: bool = False
    at_range: Range | None = None
    system: System | None = None
    zones: int = 0
    level: int | None = None
    threat_part: int = 0
    in_cover: bool = False
    note: str = ""
    zone_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Combatant:
    """A character or a ship that takes Turns (TURN-1); NPC ships take as many as their Scale (NSHIP-2).

    `station` is the seat of a character on the bridge, `roles` the roles of an NPC ship that acted this Round, `tasks`
    how many Tasks it took this Round, also when directed (C-8). `passed` may still act (TURN-6); `opened` says that
    what the start of its Turn brings has come already.
    """

    combatant_id: str
    side: Side
    turns: int = 1
    turns_taken: int = 0
    tasks: int = 0
    passed: bool = False
    opened: bool = False
    ship_id: str = ""
    station: str = ""
    arriving: str = ""
    roles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The Turn in hand (TURN-5, ACT-1): what it has used of its budget.

    `tasks_allowed` rises with Swift Task, Surge of Activity and Direct, up to the ruleset's cap (C-8); `harder` is
    what Swift Task adds to the next one. `task_names` and `minor_actions` are names in the order taken;
    `minor_actions_paid` more Minor Actions were bought in advance. `guest_id` is the ally who was directed to act now.
    """

    combatant_id: str
    side: Side
    minor_actions: tuple[str, ...] = ()
    tasks: int = 0
    task_names: tuple[str, ...] = ()
    tasks_allowed: int = 1
    harder: int = 0
    minor_actions_paid: int = 0
    directed: bool = False
    guest_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Rounds and Turns (TURN-1 to TURN-6).

    * `kept_initiative`: the side that kept it and may not again before the other had a Turn (TURN-4, C-53).
    * `next_id`: who was named to have the next Turn: to begin (TURN-2), or with the Initiative kept.
    * `reach`: pairs of combatants within each other's Reach, or ships in Contact (RNG-1).
    * `once`: names of what may be done once a scene or Round and was done, as "scene:direct:character-3".
    """

    kind: ConflictKind
    round: int
    combatants: tuple[Combatant, ...]
    last_side: Side | None = None
    turn: Turn | None = None
    kept_initiative: Side | None = None
    next_id: str = ""
    reach: tuple[tuple[str, str], ...] = ()
    once: tuple[str, ...] = ()

    def combatants_with(self, who: str, **changes: Any) -> tuple[Combatant, ...]:  # noqa: ANN401 - `Combatant`'s fields
        """`combatants`, one of whom is changed."""
        return tuple(replace(one, **changes) if one.combatant_id == who else one for one in self.combatants)

    def combatant(self, combatant_id: str) -> Combatant | None:
        """The combatant with that id, if it takes part."""
        return next((one for one in self.combatants if one.combatant_id == combatant_id), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictEnd:
    """The end of the conflict that was over last: in which Round, and what the table numbered next then.

    What has a lower `number` was thrown before. `foes` are those of the gamemaster's side who took part to the end,
    people and ships, and `crew` the player characters who did; in an older state neither is known, and both are empty.
    """

    round: int
    number: int
    foes: tuple[str, ...] = ()
    crew: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LastingEffect:
    """Something that holds until its end: Guard, Aim, Evasive Action, Persistent damage, a readied Task.

    * `name`: a row of `rules.conflict.lasting`; `owner_id`: whose Turn or Task ends it; `target_id`: whom it is about.
    * `against_id`: the only one whom it counts against (S2E-X4, S2E-T3); empty where it counts against anybody.
    * `amount`: its number; `rounds_left` counts down where `ends` is ROUNDS; `role` for ROLE_NEXT_TASK.
    * `attribute`, `discipline`, `focus`: what a helper throws against (ASST-4).
    * `zone_id`: where it is: a probe's (STN-25, S2E-X2).
    """

    effect_id: str
    name: str
    owner_id: str
    target_id: str = ""
    against_id: str = ""
    amount: int = 0
    ends: EffectEnd = EffectEnd.SCENE
    rounds_left: int = 0
    role: str = ""
    note: str = ""
    attribute: Attribute | None = None
    discipline: Discipline | None = None
    focus: bool = False
    zone_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Something that a chain has still to do: dice to be thrown, a choice to be made, a result to be applied.

    `subject_id` is who or what it happens to, `by_id` who does it; `count` dice, or an amount. The rest says what
    the kind needs.
    """

    kind: StepKind
    subject_id: str = ""
    by_id: str = ""
    count: int = 0
    system: System | None = None
    discipline: Discipline | None = None
    name: str = ""
    lethal: bool = False
    faces: tuple[Face, ...] = ()
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """An attack whose Task has struck, or a hazard, until every hit is settled (ATK-1, C-61).

    * `dice`: Challenge Dice of the damage (DMG-1), or none where damage is flat (S2E-10), and then `flat`.
    * `faces`: those thrown; `effects` and `qualities` apply as "name" or "name:X".
    * `unchecked` and `entered`: which of those, from 0, came without a check on their way, and which by hand.
    * `pictures`: the key of each one's picture, in their order; empty where no die has one.
    * `bonus_damage`, `penetration`: bought so far; `hits_settled`: how many targets or systems are done with.
    * `hit_ids`: who was hit by it already, so that nobody is hit twice (EFF-1, MOM-8).
    * `damage_done`: what the first hit's whole damage was before Resistance, for halves (C-69).
    * `cover`: the dice of the first target's cover (DMG-2).
    * `once`: what happens once per attack only and has happened or was bought, as "high_yield:ship-6:engines"
      or "shaken:ship-6" (S2E-11).
    """

    number: int
    action: Action
    attacker_id: str
    attacker: str
    npc: bool
    dice: int = 0
    flat: int = 0
    faces: tuple[Face, ...] = ()
    unchecked: tuple[int, ...] = ()
    entered: tuple[int, ...] = ()
    pictures: tuple[str | None, ...] = ()
    cover: tuple[ThrownDie, ...] = ()
    effects: tuple[str, ...] = ()
    qualities: tuple[str, ...] = ()
    bonus_damage: int = 0
    penetration: int = 0
    damage_done: int = 0
    hits_settled: int = 0
    hit_ids: tuple[str, ...] = ()
    breached: tuple[System, ...] = ()
    rerolled: bool = False
    once: tuple[str, ...] = ()
