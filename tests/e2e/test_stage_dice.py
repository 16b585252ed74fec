"""Dice that lie on the table's screen: both throws of a duel, all of a throw in one size, and damage beside a fight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import count

import cv2
import numpy as np
import pytest
from flask import Flask, g
from msgspec import structs, to_builtins
from playwright.sync_api import Page, expect

from kiosk.i18n.current import page_catalog
from kiosk.storage.wire import in_words_of
from kiosk.views.stage.now import stage
from kiosk.views.stage.values import StageView
from rules.dice import DieKind, DieReading, DieState, Face, Guess, Symbol
from rules.state.tasks import Purchase
from rules.state.vocabulary import Payer, Pool
from rules.tasks.challenge_rolls import DeclareChallenge
from rules.tasks.pools import AdjustPool
from rules.tasks.words import question_sentences
from tests.e2e.conftest import OpenPage
from tests.e2e.program import Program
from tests.e2e.scenes import Evening
from tests.e2e.test_distance import too_small
from tests.e2e.test_fitting import BROKEN, SHOW
from tests.e2e.test_pages import live
from tests.kiosk.desk import LANGUAGES, Desk
from tests.rules.squadron import Squadron
from tests.rules.tabletop import Game, challenge_die, die, reading

SCREENS = ((1920, 1080), (1024, 600))

LABELS = """() => [...document.querySelectorAll(
    "#stage :is(.stage-who, .stage-lines p, .facts dt, .duel-name > *, .die-words, .die-value)")]
    .filter((one) => one.checkVisibility() && one.textContent.trim() && one.getBoundingClientRect().height > 2)
    .map((one) => [one.textContent, parseFloat(getComputedStyle(one).fontSize)])"""
"""The words of a stage with their sizes."""

UNLIKE = """() => {
    const parts = ":scope > :is(.die-face, .die-shown, .die-picture)";
    const areas = [...document.querySelectorAll("#stage .die")].map((one) =>
        getComputedStyle([...one.querySelectorAll(parts)].find((each) => each.checkVisibility())));
    return Math.max(...["width", "height"].map((name) => {
        const sizes = areas.map((one) => parseFloat(one[name]));
        return Math.max(...sizes) - Math.min(...sizes);
    }));
}"""
"""By how much the room of one die is larger than that of another, in CSS pixels."""

EDGES = 10
"""As much comes from their edges, which tell what each is worth."""

APART = """() => {
    const box = (one) => one.getBoundingClientRect();
    const [first, second, ...more] = [...document.querySelectorAll("#stage .duel-side")].map(box);
    const stage = document.getElementById("stage").getBoundingClientRect();
    const outside = [...document.querySelectorAll("#stage :is(.duel-side, .duel-side *)")].filter((one) => {
        const { left, right, bottom, width } = one.getBoundingClientRect();
        return width > 2 && (left < stage.left || right > stage.right + 1 || bottom > stage.bottom + 1);
    }).map((one) => one.getAttribute("class"));
    return more.length || first.right > second.left || first.top !== second.top ? ["not side by side"] : outside;
}"""
"""What is wrong with two sides that stand side by side, with all that is in them on the stage."""


COME = """() => [...document.querySelectorAll("#stage .die > img, #stage .die-photograph")]
    .every((one) => "came" in one.dataset)"""
"""Whether all pictures of dice are there."""

FITTED = """async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const stage = document.getElementById("stage");
    const box = stage.getBoundingClientRect();
    const outside = [...stage.querySelectorAll(".die, .die-value, .stage-word")].filter((one) => {
        const own = one.getBoundingClientRect();
        return own.bottom > box.bottom || own.top < box.top || own.left < box.left || own.right > box.right;
    });
    const fits = stage.scrollHeight <= stage.clientHeight && stage.scrollWidth <= stage.clientWidth;
    const dice = [...stage.querySelectorAll(".die")].filter((one) => one.checkVisibility()).length;
    return { fits, outside: outside.length, dice };
}"""
"""How what is shown fits, once it is fitted."""


@cache
def renderer() -> Flask:
    """A kiosk's pages, without a kiosk."""
    with Desk() as desk:
        return desk.app


def shown(page: Page, view: StageView, language: str = "en") -> dict[str, object]:
    """How that stage fits on the display in that language, its photographs and pictures there."""
    app = renderer()
    with app.test_request_context():
        g.language = LANGUAGES.language(language)
        told = to_builtins(view, enc_hook=in_words_of(page_catalog(g.language)))
        parts = app.jinja_env.get_template("_parts.html").make_module({"picture_kept": bool})
        html = str(getattr(parts, "stage")(told, photographs=True, said=True))  # noqa: B009 - a macro
    page.evaluate(SHOW, html)
    page.wait_for_function(COME)
    found: dict[str, object] = page.evaluate(FITTED)
    return found


_keys = count()


def seen(one: DieReading, **changes: object) -> DieReading:
    """`one` with a picture of its own."""
    return replace(one, picture=f"key-{next(_keys)}", **changes)  # type: ignore[arg-type]  # whatever a reading has


def throw(game: Game, kind: DieKind, *faces: Face) -> None:
    """Dice that a camera read."""
    game.do(reading(*(seen(die(one) if kind is DieKind.D20 else challenge_die(one)) for one in faces)))


@pytest.fixture(scope="module")
def display(standing_kiosk: Program, open_standing: OpenPage) -> Page:
    """The display beside no fight; whatever picture it asks for is one of a die."""
    drawn = np.full((160, 160, 3), 90, np.uint8)
    picture = bytes(cv2.imencode(".png", drawn)[1])
    page = open_standing("/healthz", 1920, 1080, bypass_csp=True)
    page.route("**/api/v1/pictures/**", lambda route: route.fulfill(body=picture, content_type="image/png"))
    page.goto(f"{standing_kiosk.address}/display")
    return live(page)


@pytest.fixture(scope="module")
def evening(standing_kiosk: Program) -> Evening:
    """Two of the crew, and a foe."""
    made = Evening(standing_kiosk)
    made.send("set_up_table", ruleset="core-1e", players=["Ada", "Ben"])
    for name in ("Ada Lindqvist", "Ben Okafor"):
        made.join(name)
    made.join("Brack", standing="notable_npc")
    return made


@pytest.fixture
def beside_a_fight(evening: Evening, display: Page) -> Iterator[Page]:
    """The same beside a fight of three, which it has come to show."""
    evening.fight("Ada Lindqvist")
    expect(display.locator("#stage")).to_have_attribute("data-kind", "turn")
    expect(display.locator("#caption")).to_contain_text("Conflict")
    yield display
    evening.send("end_conflict")
    expect(display.locator("#stage")).to_have_attribute("data-kind", "idle")
    expect(display.locator("#caption")).to_contain_text("over")
    evening.send("start_scene", name="Afterwards")
    expect(display.locator("#fight"), "who fell is shown until then").to_be_hidden()


def duel(*reactive: int) -> StageView:
    """Okafor against Brack, who has thrown last."""
    game = Game()
    game.declare(opposed=True)
    throw(game, DieKind.D20, 2, 20)
    game.declare(game.brack)
    if reactive:
        throw(game, DieKind.D20, *reactive)
    return stage(game.table, (), "")


@pytest.mark.parametrize("place", ["display", "beside_a_fight"])
@pytest.mark.parametrize("reactive", [(9, 20), ()])
def test_both_throws_of_a_duel_stand_side_by_side_in_letters_read_from_where_players_sit(
    place: str, reactive: tuple[int, ...], request: pytest.FixtureRequest
) -> None:
    """15 minutes of arc at 24 inches and 2 m, also while the second throw is awaited."""
    page: Page = request.getfixturevalue(place)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        found = shown(page, duel(*reactive))
        assert found["dice"] == 2 + len(reactive)
        assert page.locator("#stage .duel-side .awaited:visible").count() == (0 if reactive else 2)
        assert page.evaluate(APART) == []
        assert too_small(page, LABELS, 24.0, 2.0, 15.0) == []
        if reactive:
            assert page.evaluate(UNLIKE) <= EDGES
    page.add_style_tag(content=".duel-name span { font-size: 1rem !important }")
    assert too_small(page, LABELS, 24.0, 2.0, 15.0), "a page made bad"
    page.evaluate("() => document.querySelectorAll('body style, head style').forEach((one) => one.remove())")


def uneven(active: tuple[int, ...]) -> StageView:
    """Brack, with dice bought for Threat, against Okafor, whose throw has a Complication."""
    game = Game()
    game.do(AdjustPool(pool=Pool.THREAT, change=6))
    game.declare(game.brack, opposed=True, purchases=(Purchase(payer=Payer.THREAT),) * (len(active) - 2))
    throw(game, DieKind.D20, *active)
    game.declare(game.okafor)
    throw(game, DieKind.D20, 20, 15)
    return stage(game.table, (), "")


SIZES = """() => [".stage-word", ".die-face, .die-shown"].map((one) => {
    const found = document.querySelector(`#stage :is(${one})`);
    return one === ".stage-word" ? parseFloat(getComputedStyle(found).fontSize) : found.getBoundingClientRect().height;
})"""
"""The size of the headline, and the height of a die."""


@pytest.mark.parametrize("active", [(2, 3, 9), (2, 3, 9, 8, 4)])
def test_many_dice_against_few_break_no_word_and_keep_the_headline_large(
    beside_a_fight: Page, active: tuple[int, ...]
) -> None:
    for width, height in SCREENS:
        beside_a_fight.set_viewport_size({"width": width, "height": height})
        shown(beside_a_fight, duel(9, 20))
        usual, _ = beside_a_fight.evaluate(SIZES)
        found = shown(beside_a_fight, uneven(active))
        assert (found["dice"], found["fits"], found["outside"]) == (len(active) + 2, True, 0)
        assert beside_a_fight.locator("#stage").evaluate(BROKEN) == []
        headline, die = beside_a_fight.evaluate(SIZES)
        assert headline > 0.7 * usual, (width, headline, usual)
        assert die > 0.08 * height, (width, die)
        assert beside_a_fight.evaluate(UNLIKE) <= EDGES


LONG = "Commander Aurelianne Vandersloot-Quigglesworth of Far Lantern"
"""A name of sixty letters."""


def long_named(view: StageView, place: int) -> StageView:
    """`view` with a long name on that side of its duel."""
    assert view.duel is not None
    sides = list(view.duel.sides)
    sides[place] = structs.replace(sides[place], name=LONG)
    return structs.replace(view, duel=structs.replace(view.duel, sides=tuple(sides)))


@pytest.mark.parametrize("place", [0, 1])
def test_a_long_name_makes_no_sides_dice_smaller_than_the_others(display: Page, place: int) -> None:
    for width, height in SCREENS:
        display.set_viewport_size({"width": width, "height": height})
        found = shown(display, long_named(duel(9, 20), place))
        assert (found["dice"], found["fits"], found["outside"]) == (4, True, 0)
        assert display.evaluate(APART) == []
        assert display.evaluate(UNLIKE) <= EDGES
    display.add_style_tag(content=".display .duel-side { grid-template-rows: auto 1fr !important }")
    assert display.evaluate(UNLIKE) > EDGES, "a page made bad"
    display.evaluate("() => document.querySelectorAll('body style, head style').forEach((one) => one.remove())")


TOLD = """() => {
    const traits = document.getElementById("scene-traits");
    traits.hidden = false;
    traits.textContent = "The relays overheat (Complication)";
    document.getElementById("caption").textContent =
        "Ben Okafor, Difficulty 1. Against Ada Lindqvist: 2 successes, 2 to win. Target Number 15. Throw 2 d20s.";
}"""
"""What stands round a stage in mid-game: a trait that lasts, and two lines of what was said."""


@pytest.mark.parametrize("reactive", [(2, 2), ()])
def test_both_throws_of_a_duel_fit_on_a_small_screen_below_a_trait_and_above_what_was_said(
    display: Page, reactive: tuple[int, ...]
) -> None:
    """Awaited, and with the winner's Momentum; its numbers keep the size that is read from the farthest seat."""
    display.set_viewport_size({"width": 1024, "height": 600})
    display.evaluate(TOLD)
    found = shown(display, duel(*reactive))
    assert (found["dice"], found["fits"], found["outside"]) == (2 + len(reactive), True, 0)
    assert display.locator("#stage .facts dt:visible").count() == (1 if reactive else 3)
    assert display.evaluate(APART) == []
    assert "reach" not in str(display.locator("#stage").get_attribute("data-without"))
    if reactive:
        name, number = (display.locator(f"#stage .facts {part}").bounding_box() for part in ("dt", "dd"))
        assert name is not None
        assert number is not None
        assert name["y"] + name["height"] > number["y"] + number["height"] / 2, "beside it, not above"


def questioned() -> StageView:
    """Six Challenge Dice: two are doubtful, one is cocked, one was entered, and two are read."""
    game = Game()
    game.do(DeclareChallenge(count=6))
    effect, two, blank, one, other, entered = (
        challenge_die(face) for face in (Symbol.EFFECT, 2, Symbol.BLANK, 1, 1, 2)
    )
    doubt = {"face": None, "state": DieState.DOUBTFUL, "guesses": (Guess(1, 0.5), Guess(2, 0.4))}
    read = (seen(effect), seen(one), replace(entered, picture=None))
    game.do(reading(*read, seen(two, **doubt), seen(blank, state=DieState.COCKED), seen(other, **doubt)))
    assert game.held is not None
    assert game.table.request is not None
    return stage(game.table, question_sentences(game.held, game.table.request), "")


def damaged(dice: int) -> StageView:
    """Damage that a camera read."""
    game = Squadron()
    game.threaten(6)
    game.fire(1, 1, target_id=game.ship, character_id=game.raider)
    game.throw(12)
    faces = (1, 2, Symbol.EFFECT, Symbol.BLANK)
    assert game.table.attack is not None
    assert game.table.request is not None
    throw(game, DieKind.CHALLENGE, *(faces[place % 4] for place in range(game.table.request.count)))
    made = stage(game.table, (), "Choose.")
    lying = (made.dice * 4)[:dice]
    keyed = tuple(structs.replace(one, photograph=f"damage-{place}") for place, one in enumerate(lying))
    return structs.replace(made, dice=keyed)


def test_all_dice_of_a_throw_have_one_size_whichever_are_doubtful(display: Page) -> None:
    for width, height in SCREENS:
        display.set_viewport_size({"width": width, "height": height})
        found = shown(display, questioned())
        assert (found["dice"], found["fits"], found["outside"]) == (6, True, 0)
        assert display.evaluate(UNLIKE) <= EDGES
    display.add_style_tag(content=".die-picture { min-height: 0 !important; height: 50% !important }")
    assert display.evaluate(UNLIKE) > EDGES, "a page made bad"
    display.evaluate("() => document.querySelectorAll('body style, head style').forEach((one) => one.remove())")


GROUND_OF_THE_SIGN = """() => {
    const sign = document.querySelector("#stage .die-origin .sign");
    const probe = sign.parentElement.appendChild(document.createElement("i"));
    probe.style.background = "var(--panel)";
    const [own, panel] = [sign, probe].map((one) => getComputedStyle(one).backgroundColor);
    probe.remove();
    return [own, panel];
}"""
"""The ground of the pencil, and that of its die."""


def test_no_edge_of_a_die_crosses_its_pencil(display: Page) -> None:
    """A square die is as large as its place: its corner lies below the pencil, which has a ground of its own."""
    made = damaged(4)
    by_hand = tuple(structs.replace(one, photograph="", origin="(entered)") for one in made.dice)
    assert shown(display, structs.replace(made, dice=by_hand))["dice"] == 4
    own, panel = display.evaluate(GROUND_OF_THE_SIGN)
    assert own == panel


@pytest.mark.parametrize("dice", [3, 6, 9, 12])
def test_dice_of_damage_stay_on_the_stage_beside_a_fight(beside_a_fight: Page, dice: int) -> None:
    for width, height in SCREENS:
        beside_a_fight.set_viewport_size({"width": width, "height": height})
        found = shown(beside_a_fight, damaged(dice))
        assert (found["dice"], found["fits"], found["outside"]) == (dice, True, 0), (width, height, found)
        assert beside_a_fight.evaluate(UNLIKE) <= EDGES


SAID = """() => [...document.querySelectorAll("#stage .die")].map((one) => [".die-value", ".die-words"]
    .map((place) => one.querySelector(place))
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.getBoundingClientRect().width > 2)
    .map((each) => each.textContent))"""
"""What is seen of each die's face in words, and of its worth."""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", [["1", "1 point"], ["2", "2 points"], ["effect", "1 point"], ["blank"]]),
        ("de", [["1", "1 Punkt"], ["2", "2 Punkte"], ["Effekt", "1 Punkt"], ["leer"]]),
    ],
)
def test_the_face_of_a_photographed_die_is_said_once(display: Page, language: str, said: list[list[str]]) -> None:
    display.set_viewport_size({"width": 1920, "height": 1080})
    assert shown(display, damaged(4), language)["dice"] == 4
    assert display.evaluate(SAID) == said


BESIDE_ITS_WORDS = """() => [...document.querySelectorAll("#stage .die")].filter((one) => {
    const [value, words] = [".die-value", ".die-words"].map((place) => one.querySelector(place));
    const letters = parseFloat(getComputedStyle(value).fontSize);
    return words.getBoundingClientRect().top < value.getBoundingClientRect().bottom - 1
        || value.getBoundingClientRect().height > 1.5 * letters;
}).length"""
"""How many dice have their words beside their number, or their number in two lines."""


@pytest.mark.parametrize("place", ["display", "beside_a_fight"])
def test_what_a_die_is_worth_stands_below_its_number(place: str, request: pytest.FixtureRequest) -> None:
    page: Page = request.getfixturevalue(place)
    game = Game()
    game.declare(purchases=(Purchase(payer=Payer.THREAT),))
    throw(game, DieKind.D20, 19, 11, 18)
    for width, height in ((1920, 1080), (1280, 800), (1024, 600)):
        page.set_viewport_size({"width": width, "height": height})
        found = shown(page, stage(game.table, (), ""))
        assert (found["dice"], found["fits"], found["outside"]) == (3, True, 0)
        assert page.evaluate(BESIDE_ITS_WORDS) == 0


ROUND = """() => {
    const number = document.querySelector("#stage .facts dd");
    const { width, height } = number.getBoundingClientRect();
    return [getComputedStyle(number, "::before").content !== "none", Math.abs(width - height) < 1];
}"""
"""Whether the number has rays round it, and they are a circle."""


def test_the_rays_of_a_triumph_are_a_circle(display: Page) -> None:
    game = Game()
    game.declare(difficulty=0)
    throw(game, DieKind.D20, 1, 1)
    for width, height in (*SCREENS, (1080, 1920)):
        display.set_viewport_size({"width": width, "height": height})
        shown(display, stage(game.table, (), ""))
        expect(display.locator("#stage")).to_have_attribute("data-weight", "triumph")
        assert display.evaluate(ROUND) == [True, True], (width, height)


@pytest.mark.parametrize(
    ("face", "words", "numbers"), [("blank", "blank", 0), ("effect", "Effect", 0), ("2", "2 points", 1)]
)
def test_what_a_photographed_die_shows_is_said_once_on_a_phone(face: str, words: str, numbers: int) -> None:
    app = renderer()
    with app.test_request_context():
        parts = app.jinja_env.get_template("_parts.html").make_module({"back": "/play"})
        one = {"photograph": "a/b", "face": face, "words": words, "name": f"Challenge Die: {face}"}
        html = str(getattr(parts, "in_hand")(one))  # noqa: B009 - a macro
    assert html.count("die-number") == numbers
