"""What happened in a conflict: Rounds and Turns, attacks, damage, Injuries, creatures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rules.conflict.lasting import LASTING, EffectBegan
from rules.conflict.order import combatant_name, may_begin, round_is_over
from rules.conflict.positions import close_words, feature_words, place_of, ranges_words, zone_of
from rules.deciding.agenda import OfChain
from rules.deciding.decision import Event
from rules.deciding.telling import Narration, NarrationKind, ended, longer, reason, same
from rules.dice import Face
from rules.rulesets.weapons import UNARMED
from rules.state.changing import replace
from rules.state.conflict import Attack, Combatant, Conflict, ConflictEnd
from rules.state.folding import with_character
from rules.state.people import Body
from rules.state.places import Zone, ZoneMap
from rules.state.table import Table
from rules.state.vocabulary import ConflictKind, InjuryState, Side, Standing, StepKind
from rules.tasks.events import weapon_words
from rules.words import (
    NOTHING,
    Phrase,
    counted,
    either,
    faces_words,
    joined_by,
    listed,
    say,
    say_count,
    sentences,
    spoken,
)


def is_undecided(table: Table, character_id: str) -> bool:
    """Whether somebody's Injury waits for whether it is avoided (DMG-7)."""
    step = table.agenda[0] if table.agenda else None
    return step is not None and step.kind is StepKind.INJURY and step.subject_id == character_id


def harm_words(table: Table, struck_id: str, name: str, damage: int) -> Phrase:
    """The damage that somebody or a ship takes: of the attack's own hit who did it, and with what (DMG-3, SDMG-1)."""
    attack, struck = table.attack, spoken(name)
    if attack is None or not attack.attacker_id or struck_id == attack.attacker_id:
        return _taken(struck, damage)
    if struck_id not in {attack.action.target_id, *attack.hit_ids}:
        return _taken(struck, damage)
    who, weapon = spoken(attack.attacker), weapon_words(table, attack.action)
    harm = say("{damage} damage", damage=damage) if damage else say("no damage")
    if not weapon or attack.action.weapon == UNARMED:
        return say("{attacker} hits {name}: {harm}.", attacker=who, name=struck, harm=harm)
    return say("{attacker} hits {name} with {weapon}: {harm}.", attacker=who, name=struck, weapon=weapon, harm=harm)


def _taken(name: str, damage: int) -> Phrase:
    if not damage:
        return say("{name} takes no damage.", name=name)
    return say("{name} takes {damage} damage.", name=name, damage=damage)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfConflict:
    """What an event of Rounds and Turns carries: the conflict from then on.

    `conflict` is None where the event changes nothing of it, and in older journals, which keep a `ConflictChanged`
    beside it.
    """

    conflict: Conflict | None = None

    def fold(self, table: Table) -> Table:
        return table if self.conflict is None else replace(table, conflict=self.conflict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictChanged(Event):
    """Something of Rounds and Turns changed that no other event names; in older journals None once they are over."""

    conflict: Conflict | None

    def fold(self, table: Table) -> Table:
        return replace(table, conflict=self.conflict)


def with_attack(table: Table, attack: Attack | None) -> Table:
    """The table with that attack in hand, whose number is taken; as it is where `attack` is None."""
    if attack is None:
        return table
    return replace(table, attack=attack, next_number=max(table.next_number, attack.number + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class OfAttack:
    """What an event of an attack carries: the attack in hand from then on.

    `attack` is None where the event changes nothing of it, and in older journals, which keep an `AttackChanged`
    beside it.
    """

    attack: Attack | None = None

    def fold(self, table: Table) -> Table:
        return with_attack(table, self.attack)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackChanged(Event):
    """Something of the attack in hand changed that no other event names; None when every hit is settled."""

    attack: Attack | None
    next_number: int

    def fold(self, table: Table) -> Table:
        return replace(table, attack=self.attack, next_number=self.next_number)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfPerson:
    """What an event of one character carries: who it is, and what their body is like from then on.

    `body` is None where the event changes nothing of it, and in older journals, which keep a `BodyChanged` beside it.
    """

    character_id: str
    name: str
    body: Body | None = None

    def fold(self, table: Table) -> Table:
        return table if self.body is None else _embodied(table, self.character_id, self.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyChanged(Event):
    """Something of a character's body changed that no other event names; `why` in words."""

    character_id: str
    name: str
    body: Body
    why: str

    def fold(self, table: Table) -> Table:
        return _embodied(table, self.character_id, self.body)


def _embodied(table: Table, character_id: str, body: Body) -> Table:
    return with_character(table, character_id, lambda one: replace(one, body=body))


MOST_NAMED: Final = 8
"""Most who are named as a conflict begins; of more their number is told, for nobody listens to forty names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictStarted(OfConflict, Event):
    """A conflict began, Round 1; `begins` is the name of who has the first Turn, empty if nobody was named."""

    kind: ConflictKind
    names: tuple[str, ...]
    begins: str

    def fold(self, table: Table) -> Table:
        return replace(OfConflict.fold(self, table), conflict_end=None)

    def told(self, before: Table, after: Table) -> Narration:
        """Who takes part; of many, and of those who come with it, how many."""
        names = listed([spoken(one) for one in self.names])
        begins = say("{begins} begins.", begins=spoken(self.begins)) if self.begins else ""
        part = say_count(len(self.names), "{names} takes part.", "{names} take part.", names=names)
        following = "" if self.begins else next_words(after)
        foes = [one for one in self.conflict.combatants if one.side is Side.NPC] if self.conflict is not None else []
        known = {*(one.character_id for one in before.characters), *(one.ship_id for one in before.ships)}
        if len(self.names) > MOST_NAMED or any(one.combatant_id not in known for one in foes):
            allies = len(allies_among(self.conflict.combatants if self.conflict is not None else (), after))
            crew = len(self.names) - len(foes) - allies
            beside = [
                *([say_count(crew, "{number} of the crew", "{number} of the crew")] if crew or not allies else []),
                *([say_count(allies, "{number} ally", "{number} allies")] if allies else []),
            ]
            sides = say(
                "{foes} against {crew}.",
                foes=say_count(len(foes), "{number} foe", "{number} foes"),
                crew=listed(beside),
            )
            choose = "" if self.begins else say("Choose who acts next.")
            return longer(
                sentences(_KINDS[self.kind], begins),
                sentences(sides if foes else "", choose),
                part,
                NarrationKind.DECLARED,
            )
        return longer(sentences(_KINDS[self.kind], begins), part, following, NarrationKind.DECLARED)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictOver(Event):
    """A conflict is over, in that Round; `foes` and `crew` as of `ConflictEnd`."""

    round: int
    foes: tuple[str, ...] = ()
    crew: tuple[str, ...] = ()

    def fold(self, table: Table) -> Table:
        end = ConflictEnd(round=self.round, number=table.next_number, foes=self.foes, crew=self.crew)
        return replace(table, conflict=None, conflict_end=end, fought=_fought(table, self.foes))

    def told(self, _: Table, __: Table) -> Narration:
        return longer(
            say("The conflict is over."), "", say("It ends in Round {round}.", round=self.round), NarrationKind.CHANGE
        )


def foes_among(some: Iterable[Combatant]) -> tuple[str, ...]:
    """The ids of those of the gamemaster's side, and of their ships."""
    foes = (one for each in some if each.side is Side.NPC for one in (each.combatant_id, each.ship_id) if one)
    return tuple(dict.fromkeys(foes))


def allies_among(some: Iterable[Combatant], table: Table) -> tuple[str, ...]:
    """The ids of those who fight beside the crew and are none of it: NPCs, and ships with crews of their own."""
    crew = {one.character_id for one in table.characters if one.standing is Standing.PLAYER}
    return tuple(one.combatant_id for one in some if one.side is Side.PC and one.combatant_id not in crew)


def crew_among(some: Iterable[Combatant], table: Table) -> tuple[str, ...]:
    """The ids of the player characters who fight on their side."""
    crew = {one.character_id for one in table.characters if one.standing is Standing.PLAYER}
    return tuple(one.combatant_id for one in some if one.side is Side.PC and one.combatant_id in crew)


def _fought(table: Table, foes: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*table.fought, *foes)))


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatantJoined(OfConflict, Event):
    """Someone takes part from now on."""

    combatant_id: str
    name: str
    side: Side

    def told(self, _: Table, __: Table) -> Narration:
        return longer(
            say("{name} joins the conflict.", name=spoken(self.name)),
            "",
            ended(_SIDES[self.side]),
            NarrationKind.CHANGE,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatantLeft(OfConflict, Event):
    """Someone takes part no longer; `foes` as of `ConflictOver`."""

    combatant_id: str
    name: str
    foes: tuple[str, ...] = ()

    def fold(self, table: Table) -> Table:
        return OfConflict.fold(self, replace(table, fought=_fought(table, self.foes)))

    def told(self, _: Table, __: Table) -> Narration:
        return same(say("{name} leaves the conflict.", name=spoken(self.name)), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan(OfConflict, Event):
    """A Turn began; `able` is False where it begins only to be lost (a Staggered creature's, NPC-2)."""

    combatant_id: str
    name: str
    side: Side
    able: bool = True

    def told(self, _: Table, __: Table) -> Narration:
        lost = NOTHING if self.able else say("Staggered, this Turn is lost.")
        text = sentences(say("{name}'s Turn.", name=spoken(self.name)), lost)
        return longer(text, "", say("{side} acts.", side=_SIDES[self.side]), NarrationKind.DECLARED)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOver(OfConflict, Event):
    """A Turn is over."""

    combatant_id: str
    name: str

    def told(self, _: Table, after: Table) -> Narration:
        return longer(say("{name} is done.", name=spoken(self.name)), next_words(after), "", NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPassed(OfConflict, Event):
    """Someone passed; `may_act_later` in this Round (TURN-6)."""

    combatant_id: str
    name: str
    may_act_later: bool

    def told(self, _: Table, after: Table) -> Narration:
        later = say("The Turn may still come this Round.") if self.may_act_later else NOTHING
        return longer(say("{name} passes.", name=spoken(self.name)), next_words(after), later, NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeKept(OfConflict, Event):
    """A side kept the Initiative: `name` has the next Turn (TURN-4)."""

    side: Side
    ally_id: str
    name: str

    def told(self, _: Table, __: Table) -> Narration:
        text = say("Initiative kept. Next {name}.", name=spoken(self.name))
        return longer(text, "", say("{side} goes on.", side=_SIDES[self.side]), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBegan(OfConflict, Event):
    """A Round began. `side` may open it, `names` are those who may begin."""

    round: int
    side: Side
    names: tuple[str, ...]

    def told(self, _: Table, after: Table) -> Narration:
        return longer(
            say("Round {round}.", round=self.round),
            say("{side} begins.", side=_SIDES[self.side]),
            next_words(after),
            NarrationKind.DECLARED,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachChanged(OfConflict, Event):
    """Two came within each other's Reach, or left it; two `ships` into Contact (RNG-1, SHIP-9)."""

    first: str
    second: str
    in_reach: bool
    ships: bool = False

    def told(self, _: Table, __: Table) -> Narration:
        first, second = spoken(self.first), spoken(self.second)
        if self.ships and self.in_reach:
            text = say("{first} and {second} are in Contact.", first=first, second=second)
        elif self.in_reach:
            text = say("{first} and {second} are within each other's Reach.", first=first, second=second)
        else:
            text = say("{first} and {second} are out of each other's Reach.", first=first, second=second)
        return same(text, NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class MinorActionTaken(OfConflict, Event):
    """Someone took a Minor Action; `label` is its name in words, `note` what was said of it."""

    combatant_id: str
    name: str
    action: str
    label: str
    note: str = ""

    def told(self, _: Table, __: Table) -> Narration:
        meaning = MINOR_MEANINGS.get(self.action, "")
        text = say("{name}: {action}.", name=spoken(self.name), action=spoken(self.label))
        noted = ended(spoken(self.note)) if self.note else NOTHING
        return longer(text, sentences(meaning, noted), say("A Minor Action."), NarrationKind.CHANGE)

    def leading(self, then: Narration) -> Narration:
        """The action and what it did at once, which is told of who took it: the name is said once."""
        head = say("{action}:", action=spoken(self.label))
        noted = ended(spoken(self.note)) if self.note else NOTHING
        return replace(
            then,
            terse=sentences(head, then.terse),
            normal=sentences(head, then.normal, noted),
            full=sentences(head, then.full, noted, say("A Minor Action.")),
        )

    def covers(self, other: Event) -> bool:
        """Something that begins to last, and is called what the action is called."""
        if not isinstance(other, EffectBegan) or other.effect.target_id:
            return False
        row = LASTING.get(other.effect.name)
        return row is not None and (row.label, other.effect.owner_id) == (self.label, self.combatant_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class AllyDirected(OfConflict, Event):
    """ACT-4: `leader` directed `ally`, who acts at once."""

    leader: str
    ally_id: str
    ally: str

    def told(self, _: Table, __: Table) -> Narration:
        leader, ally = spoken(self.leader), spoken(self.ally)
        return longer(
            say("{leader} directs {ally}.", leader=leader, ally=ally),
            say("{ally} acts at once, {leader} helps.", ally=ally, leader=leader),
            "",
            NarrationKind.DECLARED,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnGivenUp(OfConflict, Event):
    """ASST-4: somebody gave up the Turn of this Round to help `ally` at once."""

    combatant_id: str
    name: str
    ally: str

    def told(self, _: Table, __: Table) -> Narration:
        name, ally = spoken(self.name), spoken(self.ally)
        return same(say("{name} gives up the Turn to help {ally}.", name=name, ally=ally), NarrationKind.CHANGE)


_KINDS: Final = {
    ConflictKind.PERSONAL: say("Conflict, Round 1."),
    ConflictKind.STARSHIP: say("Starship conflict, Round 1."),
}
"""What is said as a conflict of each kind begins."""


_SIDES: Final = {Side.PC: say("The players' side"), Side.NPC: say("The gamemaster's side")}
"""What each side is called at the start of a sentence."""


def next_words(table: Table) -> Phrase:
    """Who may act now that nobody has the Turn, or that the Round is over. Empty during a Turn."""
    conflict = table.conflict
    if conflict is None or conflict.turn is not None or table.agenda:
        return NOTHING
    if round_is_over(table):
        return say("Round {round} is over.", round=conflict.round)
    names = [spoken(combatant_name(table, one.combatant_id)) for one in may_begin(table)]
    if len(names) == 1:
        return say("Next {name}.", name=names[0])
    return say("Next may be {names}.", names=either(names))


def after_turn_words(table: Table) -> Phrase:
    """Who may act once the Turn in hand is over. Empty where nobody has it."""
    conflict = table.conflict
    if conflict is None or conflict.turn is None:
        return NOTHING
    over = replace(conflict, turn=None, last_side=conflict.turn.side)
    return next_words(replace(table, conflict=over, agenda=()))


MINOR_MEANINGS: Final = {"drop_prone": say("Ranged attacks on one who lies on the ground are harder.")}
"""What a Minor Action does where nothing else tells it (ACT-3, C-20)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Struck(OfAttack, Event):
    """An attack has hit, or a hazard struck: its damage is thrown next (ATK-1, DMG-1).

    `attacker` is who strikes `name`; of a `hazard`, what does: "falling rocks".
    """

    attacker: str
    name: str
    hazard: bool

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        if self.hazard:
            return longer(say("{name} is hit.", name=name), reason(self.attacker), "", NarrationKind.CHANGE)
        return same(say("{attacker} hits {name}.", attacker=spoken(self.attacker), name=name), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateThreatDrawn(OfPerson, Event):
    """A creature put points of its own Threat beside the pool; `left` are still its own (THR-6)."""

    points: int
    left: int

    def told(self, _: Table, __: Table) -> Narration:
        first = say("{name} uses {points} Threat of its own.", name=spoken(self.name), points=self.points)
        return longer(first, say("{left} of it left.", left=self.left), "", NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateThreatReturned(OfPerson, Event):
    """Points that a creature drew and did not spend are its own again; it has `own` of them now (THR-6)."""

    points: int
    own: int

    def told(self, _: Table, __: Table) -> Narration:
        first = say("{name} keeps {points} Threat of its own.", name=spoken(self.name), points=self.points)
        return longer(first, say("{own} of it left.", own=self.own), "", NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageCounted(OfAttack, Event):
    """The damage's Challenge Dice were counted: total with Vicious, Effects, before Resistance (DMG-1, DMG-3)."""

    attacker: str
    faces: tuple[Face, ...]
    total: int
    effects: int

    def told(self, _: Table, __: Table) -> Narration:
        effects = counted(self.effects, "Effect") if self.effects else say("no Effect")
        first = say("{total} damage before Resistance, {effects}.", total=self.total, effects=effects)
        return longer(first, "", say("The dice show {faces}.", faces=faces_words(self.faces)), NarrationKind.OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageRerollStarted(OfAttack, Event):
    """Some of the damage's dice are thrown again (MOM-6)."""

    positions: tuple[int, ...]
    faces: tuple[Face, ...]

    def told(self, _: Table, __: Table) -> Narration:
        again = say_count(
            len(self.positions),
            "{number} Challenge Die of the damage is thrown again.",
            "{number} Challenge Dice of the damage are thrown again.",
        )
        return longer(again, say("In place of {faces}.", faces=faces_words(self.faces)), "", NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverCounted(OfChain, Event):
    """The cover's Challenge Dice were counted (DMG-2)."""

    name: str
    resistance: int
    attack: Attack | None = None

    def fold(self, table: Table) -> Table:
        """The Resistance goes to the hit, and its dice to the attack in hand."""
        return with_attack(OfChain.fold(self, table), self.attack)

    def told(self, _: Table, __: Table) -> Narration:
        return same(
            say("The cover gives {name} Resistance {resistance}.", name=spoken(self.name), resistance=self.resistance),
            NarrationKind.CHANGE,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageSettled(OfPerson, Event):
    """One was hit: damage after `resistance`, Stress left, Injuries that follow (DMG-3 to DMG-5)."""

    damage: int
    resistance: int
    stress: int
    stress_max: int
    injuries: int
    attack: Attack | None = None

    def fold(self, table: Table) -> Table:
        """Who was hit, and the attack with one hit more settled."""
        return with_attack(OfPerson.fold(self, table), self.attack)

    def told(self, before: Table, after: Table) -> Narration:
        harm = harm_words(before, self.character_id, self.name, self.damage)
        if not self.damage:
            return longer(
                harm,
                say("Resistance {resistance}.", resistance=self.resistance),
                "",
                NarrationKind.OUTCOME,
            )
        injuries = ended(counted(self.injuries, "Injury")) if self.injuries else NOTHING
        if self.injuries and is_undecided(after, self.character_id):
            injuries = say_count(
                self.injuries,
                "{number} Injury, unless it is avoided.",
                "{number} Injuries, unless they are avoided.",
            )
        return longer(
            sentences(harm, injuries),
            say("Stress {stress} of {stress_max}.", stress=self.stress, stress_max=self.stress_max),
            say("Resistance {resistance}.", resistance=self.resistance),
            NarrationKind.OUTCOME,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class InjuryAvoided(OfPerson, Event):
    """An Injury was not suffered, for points or a Complication (DMG-7)."""

    price: int
    complication: str

    def told(self, _: Table, __: Table) -> Narration:
        complication = (
            say("Complication: {complication}.", complication=spoken(self.complication))
            if self.complication
            else NOTHING
        )
        return longer(say("{name} avoids the Injury.", name=spoken(self.name)), complication, "", NarrationKind.OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class InjurySuffered(OfPerson, Event):
    """Someone is hurt worse than before (DMG-6)."""

    before: InjuryState
    after: InjuryState

    def joined_with(self, later: Event) -> Event | None:
        """Injuries of one hit are told as the worst of them."""
        if not isinstance(later, InjurySuffered) or later.character_id != self.character_id:
            return None
        return replace(later, before=self.before)

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        out = self.before is InjuryState.NONE and self.after is not InjuryState.DEAD  # of who lay there it was said
        more = say("{name} cannot act for the rest of the scene.", name=name) if out else NOTHING
        return longer(_HURT[self.after](name), more, "", NarrationKind.OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class InjuryWithstood(OfPerson, Event):
    """An Invulnerable creature takes no Injury; `staggered` it loses its next Turn, `threat` is added (NPC-2)."""

    staggered: bool
    threat: int

    def told(self, _: Table, __: Table) -> Narration:
        lost = say("It loses its next Turn.") if self.staggered else NOTHING
        return longer(say("{name} withstands the Injury.", name=spoken(self.name)), lost, "", NarrationKind.OUTCOME)


@dataclass(frozen=True, slots=True, kw_only=True)
class InjuryEnded(OfPerson, Event):
    """An Injury is gone; `why` in words."""

    why: str

    def told(self, _: Table, __: Table) -> Narration:
        text = say("{name} is not injured any more.", name=spoken(self.name))
        return longer(text, "", reason(self.why), NarrationKind.CHANGE)


class Relief(StrEnum):
    """How somebody hurt or hunted is better off (ACT-5, ACT-7)."""

    STABILISED = "stabilised"
    BACK_IN_ACTION = "back_in_action"
    MAY_AVOID_AGAIN = "may_avoid_again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relieved(OfPerson, Event):
    """First Aid or Recover made somebody better off (ACT-5, ACT-7)."""

    relief: Relief

    def told(self, _: Table, __: Table) -> Narration:
        return same(_RELIEFS[self.relief](spoken(self.name)), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnockedDown(OfPerson, Event):
    """Someone fell, or stayed up (EFF-3)."""

    fell: bool

    def told(self, _: Table, __: Table) -> Narration:
        name = spoken(self.name)
        return same(
            say("{name} is knocked down.", name=name) if self.fell else say("{name} stays up.", name=name),
            NarrationKind.OUTCOME,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetsChosen(OfChain, Event):
    """Who else is hit (EFF-1, MOM-8)."""

    names: tuple[str, ...]

    def told(self, _: Table, __: Table) -> Narration:
        names = listed([spoken(one) for one in self.names])
        return same(
            say("Also hit: {names}.", names=names) if names else say("Nobody else is hit."), NarrationKind.CHANGE
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackSettled(Event):
    """Every hit of an attack is done with (C-61)."""

    attacker: str

    def fold(self, table: Table) -> Table:
        return replace(table, attack=None)

    def told(self, _: Table, after: Table) -> Narration:
        task = after.task
        left = task.momentum_left if task is not None else 0
        return longer(
            say("The attack is settled."),
            say("{left} Momentum left of it.", left=left) if left else "",
            "",
            NarrationKind.CHANGE,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FendedOff(OfConflict, Event):
    """Who won a melee attack left Reach instead (ATK-6)."""

    name: str
    other: str

    def told(self, _: Table, __: Table) -> Narration:
        return same(
            say("{name} breaks away from {other}.", name=spoken(self.name), other=spoken(self.other)),
            NarrationKind.OUTCOME,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Disarmed(OfPerson, Event):
    """A weapon was knocked out of somebody's hand (MOM-2)."""

    weapon: str
    label: str = ""

    def told(self, _: Table, __: Table) -> Narration:
        more = say("{label} lies on the ground.", label=spoken(self.label)) if self.label else ""
        return longer(say("{name} is disarmed.", name=spoken(self.name)), more, "", NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponTaken(Event):
    """Someone takes a weapon along (C-26)."""

    character_id: str
    name: str
    weapon: str
    label: str

    def fold(self, table: Table) -> Table:
        return with_character(table, self.character_id, lambda one: replace(one, weapons=(*one.weapons, self.weapon)))

    def told(self, _: Table, __: Table) -> Narration:
        return same(
            say("{name} takes along: {label}.", name=spoken(self.name), label=spoken(self.label)),
            NarrationKind.CHANGE,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PushedOn(OfPerson, Event):
    """Someone acts in spite of an Injury (DET-9)."""

    def told(self, _: Table, __: Table) -> Narration:
        return same(say("{name} acts in spite of the Injury.", name=spoken(self.name)), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtIn(OfPerson, Event):
    """An NPC entered the scene; `private_threat` is its own (NPC-2, THR-6)."""

    private_threat: int

    def told(self, _: Table, __: Table) -> Narration:
        own = (
            say("{private_threat} Threat of its own.", private_threat=self.private_threat)
            if self.private_threat
            else ""
        )
        return longer(say("{name} enters.", name=spoken(self.name)), own, "", NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class StressChanged(OfPerson, Event):
    """Stress was regained or put right, outside a hit."""

    stress: int
    stress_max: int
    why: str

    def told(self, _: Table, __: Table) -> Narration:
        first = say(
            "{name}, Stress {stress} of {stress_max}.",
            name=spoken(self.name),
            stress=self.stress,
            stress_max=self.stress_max,
        )
        return longer(first, "", reason(self.why), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class EverybodyRestored(Event):
    """The Stress of these is whole again, after a scene (C-75)."""

    character_ids: tuple[str, ...]

    def fold(self, table: Table) -> Table:
        for one in table.characters:
            if one.character_id in self.character_ids:
                table = _embodied(table, one.character_id, replace(one.body, stress=one.body.stress_max))
        return table

    def told(self, _: Table, __: Table) -> Narration:
        return same(say("Everybody's Stress is restored."), NarrationKind.CHANGE)


_HURT: Final[dict[InjuryState, Callable[[str], Phrase]]] = {
    InjuryState.NONE: lambda name: say("{name} is not hurt.", name=name),
    InjuryState.NONLETHAL: lambda name: say("{name} is injured.", name=name),
    InjuryState.LETHAL: lambda name: say("{name} is lethally injured.", name=name),
    InjuryState.DEAD: lambda name: say("{name} is dead.", name=name),
}
"""What is said of somebody whose Injury is of that severity now."""


_RELIEFS: Final[dict[Relief, Callable[[str], Phrase]]] = {
    Relief.STABILISED: lambda name: say("{name} is stabilised.", name=name),
    Relief.BACK_IN_ACTION: lambda name: say("{name} acts again.", name=name),
    Relief.MAY_AVOID_AGAIN: lambda name: say("{name} may avoid an Injury again.", name=name),
}
"""What is said of each relief of an Injury."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapDrawn(OfConflict, Event):
    """The zones of the scene are named, with which of them adjoin, and who of those placed before is where (RNG-1)."""

    zone_map: ZoneMap

    def fold(self, table: Table) -> Table:
        return replace(OfConflict.fold(self, table), zone_map=self.zone_map)

    def told(self, _: Table, __: Table) -> Narration:
        names = listed([spoken(one.name) for one in self.zone_map.zones])
        return same(say("The map: {names}.", names=names), NarrationKind.INFO)


@dataclass(frozen=True, slots=True, kw_only=True)
class MapPutAway(Event):
    """The table keeps no map any more; ranges are said by hand."""

    def fold(self, table: Table) -> Table:
        return replace(table, zone_map=None)

    def told(self, _: Table, __: Table) -> Narration:
        return longer(say("The map is put away."), say("Ranges are said by hand."), "", NarrationKind.INFO)


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneChanged(Event):
    """What a zone is called and what counts in it (S2E-5, S2E-9, DMG-2)."""

    zone: Zone

    def fold(self, table: Table) -> Table:
        if table.zone_map is None:
            return table
        zones = tuple(self.zone if one.zone_id == self.zone.zone_id else one for one in table.zone_map.zones)
        return replace(table, zone_map=replace(table.zone_map, zones=zones))

    def told(self, _: Table, after: Table) -> Narration:
        features = feature_words(after, self.zone) or (say("nothing special"),)
        text = say("{zone}: {features}.", zone=spoken(self.zone.name), features=joined_by(", ", features))
        return same(text, NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfPlace(OfConflict):
    """What an event of one who is on the map carries: who it is and in which zone from then on.

    Off the map where `zone_id` is empty.
    """

    who_id: str
    name: str
    zone_id: str
    zone: str

    def fold(self, table: Table) -> Table:
        table = OfConflict.fold(self, table)
        if table.zone_map is None:
            return table
        return replace(table, zone_map=table.zone_map.with_place(self.who_id, self.zone_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed(OfPlace, Event):
    """The gamemaster said where somebody is."""

    def told(self, _: Table, after: Table) -> Narration:
        name = spoken(self.name)
        place = place_of(after, self.who_id)
        if not self.zone_id and place != self.who_id and zone_of(after, place) is not None:
            ship = spoken(combatant_name(after, place))
            return same(say("{name} is where {ship} is.", name=name, ship=ship), NarrationKind.CHANGE)
        if not self.zone_id:
            return same(say("{name} is off the map.", name=name), NarrationKind.CHANGE)
        text = say("{name} is in {zone}.", name=name, zone=spoken(self.zone))
        return longer(text, "", ranges_words(after, self.who_id), NarrationKind.CHANGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(OfPlace, Event):
    """Somebody moved to another zone, or left the map (RNG-1)."""

    def told(self, _: Table, after: Table) -> Narration:
        name = spoken(self.name)
        if not self.zone_id:
            return same(say("{name} leaves the map.", name=name), NarrationKind.CHANGE)
        text = say("{name} moves to {zone}.", name=name, zone=spoken(self.zone))
        near = close_words(after, self.who_id)
        return Narration(
            terse=text,
            normal=sentences(text, near),
            full=sentences(text, ranges_words(after, self.who_id) or near),
            kind=NarrationKind.CHANGE,
        )
