"""People as values: players, characters, what they carry, Stress and Injuries (DMG, WPN, NPC)."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.state.vocabulary import AttackType, Availability, InjuryState, Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponTrait:
    """One Damage Effect or Quality of a weapon by its name in the tables, with its number X (EFF, QUAL, SWPN)."""

    name: str
    amount: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon:
    """A row of the weapons table (WPN-1). `rating` is Challenge Dice before Security is added (DMG-1).

    `opportunity` is the Momentum and `escalation` the Threat that taking it along costs (C-26).
    """

    name: str
    label: str
    attack: AttackType
    rating: int
    two_handed: bool = False
    effects: tuple[WeaponTrait, ...] = ()
    qualities: tuple[WeaponTrait, ...] = ()
    availability: Availability = Availability.STANDARD
    opportunity: int = 0
    escalation: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ability:
    """NPC-2: a special ability by its name in the playbook, with its number X or what it is about."""

    name: str
    amount: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """How someone stands in a fight (DMG-3 to DMG-7).

    * `stress_max`, `stress`: Stress still left to lose; both 0 for who was never in a fight.
    * `resistance`: static Resistance (DMG-2).
    * `injury`: how badly hurt; `stabilised` once First Aid held a lethal Injury (ACT-7).
    * `debilitated`: the Injury came from a Debilitating weapon (DMG-8, QUAL-5).
    * `avoided`: avoiding an Injury was used this scene (DMG-7); `pushing_on`: acts in spite of one (DET-9, C-24).
    * `prone`: lies on the ground (ACT-3, EFF-3); `staggered`: loses its next Turn (NPC-2).
    * `drawn`: the weapon in hand, by its name in the weapons table; `disarmed`: those that were knocked away (MOM-2).
    * `private_threat`: points that only this creature may spend (THR-6); `drawn_threat`: those of them that lie in the
      common pool for its next payment; `entered`: it came into this scene (NPC-2).
    """

    stress_max: int = 0
    stress: int = 0
    resistance: int = 0
    injury: InjuryState = InjuryState.NONE
    stabilised: bool = False
    debilitated: bool = False
    avoided: bool = False
    pushing_on: bool = False
    prone: bool = False
    staggered: bool = False
    drawn: str = ""
    disarmed: tuple[str, ...] = ()
    private_threat: int = 0
    drawn_threat: int = 0
    entered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Attributes:
    """CHAR-1: six attributes, 7 to 12 each for player characters."""

    control: int
    daring: int
    fitness: int
    insight: int
    presence: int
    reason: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Disciplines:
    """CHAR-2: six disciplines of a character, or the departments of a ship."""

    command: int
    conn: int
    security: int
    engineering: int
    science: int
    medicine: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """CHAR-4: a character's Value; `struck` once it was challenged (DET-7)."""

    text: str
    struck: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A person at the table."""

    player_id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Character:
    """A character card. `player_id` is empty for the gamemaster's characters.

    `weapons` are names of the weapons table (WPN-1), `abilities` those of NPC-2.
    """

    character_id: str
    name: str
    attributes: Attributes
    disciplines: Disciplines
    focuses: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()
    determination: int = 1
    standing: Standing = Standing.PLAYER
    player_id: str = ""
    challenged_this_session: bool = False
    weapons: tuple[str, ...] = ()
    abilities: tuple[Ability, ...] = ()
    body: Body = field(default_factory=Body)
