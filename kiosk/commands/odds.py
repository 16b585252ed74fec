"""`trueroll odds`: exact chances of a Task, and what each further die would buy."""

from __future__ import annotations

import json

import click

from rules.game import (
    BASE_DICE,
    MOST_BONUS_DICE,
    Aim,
    DicePool,
    FurtherDie,
    Payer,
    Purchase,
    Ruleset,
    TableOptions,
    TaskOdds,
    chance,
    double_at_most,
    further_dice,
    profile_of,
    target_number,
)


@click.command()
@click.option("--attribute", type=click.IntRange(1, 20), required=True, help="The attribute's rating.")
@click.option("--discipline", type=click.IntRange(0, 20), required=True, help="The discipline's rating.")
@click.option("--focus", is_flag=True, help="An applicable focus: the discipline counts double.")
@click.option("--difficulty", type=click.IntRange(0, 20), default=1, show_default=True)
@click.option("--complication-range", type=click.IntRange(1, 5), default=1, show_default=True)
@click.option("--bonus-dice", type=click.IntRange(0, 3), default=0, show_default=True, help="Bought d20s to throw.")
@click.option("--determination", is_flag=True, help="With a Determination die, which takes one of the three places.")
@click.option("--assist", nargs=2, type=click.IntRange(0, 20), multiple=True, help="A helper: attribute, discipline.")
@click.option("--ship", nargs=2, type=click.IntRange(0, 20), help="The ship's help: system, department.")
@click.option(
    "--ruleset", type=click.Choice([one.value for one in Ruleset]), default=Ruleset.CORE_1E.value, show_default=True
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def odds(
    *,
    attribute: int,
    discipline: int,
    focus: bool,
    difficulty: int,
    complication_range: int,
    bonus_dice: int,
    determination: bool,
    assist: tuple[tuple[int, int], ...],
    ship: tuple[int, int] | None,
    ruleset: str,
    as_json: bool,
) -> None:
    """Say how likely a Task is to succeed, exactly, and what each further die would buy."""
    purchases = [Purchase(payer=Payer.DETERMINATION)] * determination + [Purchase(payer=Payer.MOMENTUM)] * bonus_dice
    if len(purchases) > MOST_BONUS_DICE:
        raise click.UsageError("At most three bonus d20s, the Determination die among them (BUY-1).")
    helpers = [_aim(one, focus=False) for one in assist]
    pool = DicePool(
        leader=_aim((attribute, discipline), focus=focus),
        dice=BASE_DICE + bonus_dice,
        difficulty=difficulty,
        complication_range=complication_range,
        determination_die=determination,
        helpers=(*helpers, _aim(ship, focus=True)) if ship else tuple(helpers),
    )
    now = chance(pool)
    further = further_dice(pool, purchases, profile_of(Ruleset(ruleset), TableOptions()))
    if as_json:
        more = [{"dice": one.dice, "price": one.price, **_figures(one.odds)} for one in further]
        click.echo(json.dumps({"target_number": pool.leader.target_number, **_figures(now), "more_dice": more}))
        return
    click.echo(f"Target Number {pool.leader.target_number}, Difficulty {difficulty}, {pool.dice} d20s to throw.")
    click.echo(_words(now))
    for one in further:
        click.echo(_further_words(one))


def _aim(ratings: tuple[int, int], *, focus: bool) -> Aim:
    return Aim(target_number=target_number(*ratings), double_at_most=double_at_most(ratings[1], focus=focus))


def _figures(found: TaskOdds) -> dict[str, float]:
    return {
        "chance": found.chance,
        "expected_momentum": found.expected_momentum,
        "complication_chance": found.complication_chance,
    }


def _words(found: TaskOdds) -> str:
    return (
        f"Success {found.chance:.1%}, expected Momentum {found.expected_momentum:.2f}, "
        f"at least one Complication {found.complication_chance:.1%}."
    )


def _further_words(one: FurtherDie) -> str:
    return f"With {one.dice} d20s, for {one.price} more: {_words(one.odds)}"
