"""What a stage holds: the values that a page draws, and nothing of how they are worked out."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field

from kiosk.views.stage.dice import StageDie


class StageFact(Struct, frozen=True):
    """A number that matters now, with its name."""

    name: str
    value: str
    mark: Annotated[str, Meta(description="Empty or `complication`.")] = ""
    note: Annotated[str, Meta(description="What else is to be known of it, in a word or two; else empty.")] = ""


class Telling(Struct, frozen=True, kw_only=True):
    """How screens show an outcome: once, in a sentence and one number. The voice has its caption."""

    headline: Annotated[str, Meta(description="Who did what, as a sentence.")]
    banner: Annotated[str, Meta(description="A triumph's first word, where it has one of its own; else empty.")] = ""
    cost: Annotated[str, Meta(description="The Complications that it cost; else empty.")] = ""
    chooses: Annotated[str, Meta(description="Who chooses what comes of it; empty where nobody does.")] = ""
    about: Annotated[str, Meta(description="What it was about, without whose it was.")] = ""
    number: Annotated[StageFact | None, Meta(description="The one number that matters; null where none does.")] = None
    lines: Annotated[tuple[str, ...], Meta(description="What headline and number leave open.")] = ()
    hint: Annotated[str, Meta(description="For who spends: what becomes of what is left, where it is not saved.")] = ""


class DuelSide(Struct, frozen=True, kw_only=True):
    """One side of an Opposed Task: who threw, what it came to, and the dice."""

    name: Annotated[str, Meta(description="Who throws for it.")]
    words: Annotated[str, Meta(description="What the dice came to; empty before they are thrown.")] = ""
    cost: Annotated[str, Meta(description="The Complications that it cost; else empty.")] = ""
    mark: Annotated[
        str, Meta(description="`won`, of a foe `npc-won`, or `lost`; empty before it is decided, and if neither won.")
    ] = ""
    dice: tuple[StageDie, ...] = ()
    awaited: Annotated[int, Meta(description="How many d20s are awaited.")] = 0
    lies: Annotated[bool, Meta(description="Whether the other side threw after it.")] = False


class Duel(Struct, frozen=True, kw_only=True):
    """Both throws of an Opposed Task side by side, for the room: from the second side's throw on, the winner large."""

    sides: tuple[DuelSide, ...]
    headline: Annotated[str, Meta(description="Who won, as a sentence; empty where the telling says it.")] = ""
    about: Annotated[str, Meta(description="What the headline was about.")] = ""
    number: Annotated[StageFact | None, Meta(description="The one number that matters; null where none does.")] = None
    lines: Annotated[tuple[str, ...], Meta(description="What headline, sides and number leave open.")] = ()
    mark: Annotated[str, Meta(description="As `StageView.mark`, as the players see it.")] = ""
    weight: Annotated[str, Meta(description="As `StageView.weight`, as the players see it.")] = ""
    beat: Annotated[str, Meta(description="Names both throws: settling keeps it; empty before both are there.")] = ""


class Blow(Struct, frozen=True, kw_only=True):
    """A settled attack as the room sees it: the dice of its damage, whom it hit, and what came of it."""

    headline: Annotated[str, Meta(description="Who hit whom, and the harm, as a sentence.")]
    cost: Annotated[str, Meta(description="As `Telling.cost`.")] = ""
    about: Annotated[str, Meta(description="The damage before Resistance, else what was thrown for.")] = ""
    number: Annotated[StageFact | None, Meta(description="What is left of Stress or Shields; else null.")] = None
    lines: Annotated[tuple[str, ...], Meta(description="The systems that were breached, and who else was hit.")] = ()
    dice: Annotated[tuple[StageDie, ...], Meta(description="Those of the damage; empty where it is flat.")] = ()
    counts: Annotated[tuple[int, ...], Meta(description="The damage after each die.")] = ()
    mark: Annotated[str, Meta(description="As `StageView.mark`.")] = ""
    weight: Annotated[str, Meta(description="As `StageView.weight`.")] = ""
    beat: Annotated[str, Meta(description="Names the throw of the damage.")] = ""
    struck: Annotated[str, Meta(description="The id of the ship that was hit; else empty.")] = ""
    system: Annotated[str, Meta(description="Its system that was harmed most; empty where none is known.")] = ""
    next: Annotated[tuple[str, ...], Meta(description="What the attack leaves to be decided.")] = ()


class StageView(Struct, frozen=True, kw_only=True):
    """What is shown large now, in words."""

    kind: Annotated[
        str, Meta(description="`setup`, `idle`, `turn`, `ask`, `question`, `chain`, `outcome`, `challenge` or `free`.")
    ]
    who: str
    whose: Annotated[str, Meta(description="The id of whoever threw for this outcome; else empty.")] = ""
    word: Annotated[str, Meta(description="What matters most.")]
    lines: tuple[str, ...] = ()
    before: Annotated[str, Meta(description="What ended in the moment in which this Task began; else empty.")] = ""
    facts: tuple[StageFact, ...] = ()
    dice: tuple[StageDie, ...] = ()
    mark: Annotated[
        str, Meta(description="`success` or `failure` of an outcome; of a foe's `npc-success` or `npc-failure`.")
    ] = field(default="")
    weight: Annotated[
        str, Meta(description="Of an outcome but a foe's: `failure`, `success`, `cost` or `triumph`; else empty.")
    ] = field(default="")
    beat: Annotated[str, Meta(description="Names the throw whose outcome this is; else empty.")] = field(default="")
    counts: Annotated[
        tuple[int, ...], Meta(description="Of an outcome: the successes after each die; else empty.")
    ] = ()
    next: Annotated[tuple[str, ...], Meta(description="What the gamemaster asks for next, beside the rest.")] = ()
    struck: Annotated[str, Meta(description="The id of the ship that is asked about once it was hit; else empty.")] = ""
    system: Annotated[str, Meta(description="The system that was hit there; empty where none is known.")] = ""
    telling: Annotated[Telling | None, Meta(description="Of dice that lie there scored; else null.")] = None
    duel: Annotated[Duel | None, Meta(description="Both throws of an Opposed Task; null of any other.")] = None
    blow: Annotated[Blow | None, Meta(description="Of an attack that is settled; else null.")] = None
    says_all: Annotated[bool, Meta(description="Whether it has all that was said last: no caption repeats it.")] = False
    says_it_large: Annotated[
        bool, Meta(description="Whether its largest words are what was said last: the screen's caption leaves it out.")
    ] = False
    asks: Annotated[
        tuple[str, ...], Meta(description="Sentences that ask for the dice that it asks for: no caption repeats them.")
    ] = ()
    has: Annotated[
        tuple[str, ...],
        Meta(description="What the outcome that it shows comes to, in each length: a phone's caption has the rest."),
    ] = ()
