"""A throw photographed with a phone on /play: the file field, a real photograph, the outcome on the table's screen."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Route, expect

from rules.dice import DieKind
from tests.e2e.conftest import OpenPage
from tests.e2e.crew import DISCIPLINES, declaration, set_up
from tests.e2e.program import Program
from tests.e2e.test_pages import live, press
from tests.e2e.test_stage_dice import renderer
from tests.e2e.thumbs import PHONE, touchable
from tests.vision.photographs import ABSENT, FOLDER
from tests.vision.taken import by_phone, lens_of, with_exif
from vision.frames.pictures import encode_jpeg, encode_png, load_picture
from vision.training.scenes import scene

TAKE = "Photograph the dice"

OWN_DOING = "() => window.ownDoing()"
"""Whether the page takes what comes now for what its person did, once it tells."""


def telling(route: Route) -> None:
    """The script of a page that lets it be asked so."""
    answer = route.fetch()
    route.fulfill(response=answer, body=f"{answer.text()}\nwindow.ownDoing = $shell.ownDoing;")


def awaiting_the_ship(kiosk: Program) -> None:
    """A Task that waits for one d20, the ship's."""
    character = set_up(kiosk)
    systems = dict.fromkeys(("communications", "computers", "engines", "sensors", "structure", "weapons"), 9)
    kiosk.send("save_ship", name="Far Lantern", scale=4, systems=systems, departments=DISCIPLINES)
    ship = kiosk.table()["table"]["ships"][0]["ship_id"]
    helped = declaration(character, ship={"ship_id": ship, "system": "sensors", "department": "science"})
    kiosk.send("declare_task", declaration=helped)
    kiosk.send("enter_dice", request=kiosk.table()["table"]["request"]["number"], faces=[9, 19])


@pytest.mark.skipif(not FOLDER.is_dir(), reason=ABSENT)
def test_a_real_photograph_of_twelve_megapixels_taken_upright_counts(
    kiosk: Program, open_page: OpenPage, tmp_path: Path
) -> None:
    awaiting_the_ship(kiosk)
    file = tmp_path / "IMG_0001.JPG"
    file.write_bytes(by_phone(load_picture(FOLDER / "dicetower" / "d20_04.jpg").pixels))
    display = live(open_page("/display", 1280, 720))
    phone = live(open_page("/play", 390, 844, bypass_csp=True, **PHONE))
    expect(phone.locator(".stage-word")).to_have_text("Throw 1 d20")
    touchable(phone)
    field = phone.get_by_label(TAKE)
    expect(field).to_have_attribute("accept", "image/*")
    expect(field).to_have_attribute("capture", "environment")
    field.set_input_files(file)
    expect(phone.locator(".stage-word")).to_have_text("Ada Lindqvist succeeds")
    expect(display.locator(".stage-word")).to_have_text("Ada Lindqvist succeeds")
    die = kiosk.table()["table"]["task"]["dice"][-1]["die"]
    assert (die["face"], die["source"]) == (4, "phone")
    assert not [one for one in kiosk.data.rglob("*") if one.stat().st_size > 1_000_000], "the picture is not kept"


def test_a_picture_of_an_ultra_wide_camera_counts_by_what_it_tells_of_its_lens(
    kiosk: Program, open_page: OpenPage, tmp_path: Path
) -> None:
    """Read as of a usual phone, both dice would be asked about (tests/vision/desk/test_snapshots.py)."""
    kiosk.send("declare_task", declaration=declaration(set_up(kiosk)))
    phone = live(open_page("/play", 390, 844))
    wide = scene(6_200_000, (DieKind.D20,) * 2, size=(1280, 960), hfov=104.0)
    file = tmp_path / "IMG_0002.JPG"
    file.write_bytes(with_exif(encode_jpeg(wide.picture, quality=95), lens=lens_of(104.0, 1280, 960)))
    phone.get_by_label(TAKE).set_input_files(file)
    expect(phone.locator(".stage-word")).to_have_text(re.compile("succeeds|fails|triumphs"))
    dice = [one["die"] for one in kiosk.table()["table"]["task"]["dice"]]
    assert sorted(die["face"] for die in dice) == sorted(one.face for one in wide.dice if isinstance(one.face, int))
    assert [die["source"] for die in dice] == ["phone", "phone"]


def test_what_else_lies_there_is_shown_until_whoever_took_the_picture_goes_on(
    kiosk: Program, open_page: OpenPage, tmp_path: Path
) -> None:
    def with_notice(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "notice": "A d8 lies there and is not counted."})

    character = set_up(kiosk)
    kiosk.send("declare_task", declaration=declaration(character))
    phone = live(open_page("/play", 390, 844))
    phone.route("**/api/v1/pictures?*", with_notice)
    cv2.imwrite(str(tmp_path / "two.jpg"), np.ascontiguousarray(scene(44, (DieKind.D20,) * 2).picture))
    phone.get_by_label(TAKE).set_input_files(tmp_path / "two.jpg")
    shown = phone.locator("#main p.caption").filter(has_text="A d8 lies there and is not counted.")
    expect(shown).to_be_visible()
    expect(phone.locator(".stage-word")).to_have_text(re.compile("succeeds|fails|triumphs"))
    kiosk.send("finish_spending")
    kiosk.send("declare_task", declaration=declaration(character))
    expect(phone.get_by_label(TAKE)).to_be_visible()
    expect(shown, "the next throw may follow before anybody has read it").to_be_visible()
    phone.locator(".entry input").first.click()
    expect(shown).to_have_count(0)


def test_by_keyboard_and_ear_a_picture_is_sent_refused_in_words_and_another_one_asked_about(
    kiosk: Program, open_page: OpenPage, tmp_path: Path
) -> None:
    kiosk.send("declare_task", declaration=declaration(set_up(kiosk)))
    phone = open_page("/play", 390, 844)
    phone.route("**/linked/js/play*.js", telling)
    phone.reload()
    live(phone)
    field = phone.get_by_label(TAKE)
    with phone.expect_file_chooser() as chooser:
        field.focus()
        expect(field).to_be_focused()
        phone.keyboard.press("Enter")
    (tmp_path / "notes.jpg").write_bytes(b"no picture")
    chooser.value.set_files(tmp_path / "notes.jpg")
    refused = re.compile("^This picture cannot be read: the file is no picture")
    expect(phone.locator("#answer [data-error]:visible")).to_have_text(refused)
    expect(phone.locator("[id^=status-]").filter(has_text="This picture cannot be read")).to_have_count(1)
    expect(field).to_be_focused()

    (tmp_path / "large.jpg").write_bytes(bytes(20_000_001))
    field.set_input_files(tmp_path / "large.jpg")
    expect(phone.locator("#answer [data-error]:visible")).to_contain_text("more than 20 megabytes")
    press(phone, "Count these dice")
    expect(phone.get_by_text("Die 1 has no value yet", exact=False).and_(phone.locator("[data-error]"))).to_be_visible()
    assert phone.evaluate(OWN_DOING) is False, "nothing was done: what comes now moves nobody's focus"

    three = scene(44, (DieKind.D20,) * 3)
    cv2.imwrite(str(tmp_path / "three.jpg"), np.ascontiguousarray(three.picture))
    field.set_input_files(tmp_path / "three.jpg")
    expect(phone.locator("#question-title")).to_be_visible()
    expect(phone.locator("#alert")).to_contain_text("3 d20s in the photograph, 2 expected")
    expect(phone.locator("#answer .die-picture").first).to_be_attached()
    out = phone.get_by_role("button", name=re.compile("^Leave out .*: die 1"))
    expect(out, "one tap, in sight").to_be_in_viewport(ratio=1)
    out.click()
    expect(phone.locator(".stage-word")).to_have_text(re.compile("succeeds|fails|triumphs"))
    assert [one["die"]["source"] for one in kiosk.table()["table"]["task"]["dice"]] == ["phone", "phone"]


SEEN = """() => [...document.querySelectorAll("#stage .die-kept")].map((one) => {
    const box = one.getBoundingClientRect();
    const whole = [...one.children].map((each) => each.getBoundingClientRect())
        .map(({ width, top, bottom }) => width > 40 && bottom - top > 40 && top >= box.top && bottom < box.bottom + 1);
    return [...one.children].filter((_, place) => whole[place]).map(({ localName }) => localName).join();
})"""
"""What is seen of each photographed die: its picture, or the drawing."""


@pytest.mark.parametrize(("there", "seen"), [(True, "img"), (False, "svg")])
def test_a_photograph_that_is_gone_leaves_the_drawn_die(open_page: OpenPage, *, there: bool, seen: str) -> None:
    """A picture that was deleted showed the browser's mark of a broken one. No script takes part."""
    app = renderer()
    with app.test_request_context():
        parts = app.jinja_env.get_template("_parts.html").make_module({"back": "/play"})
        one = {"shape": "d20", "face": "17", "name": "17, success", "words": "Success", "mark": "success"}
        dice = [{**one, "photograph": f"a/{place}"} for place in (1, 2)]
        html = str(getattr(parts, "thrown")(dice, photographs=False, awaited=0, shape="d20"))  # noqa: B009 - a macro
    phone = open_page("/play", 390, 844, java_script_enabled=False)
    file = {"status": 200, "content_type": "image/png", "body": encode_png(np.full((90, 90, 3), 200, np.uint8))}
    phone.route("**/api/v1/pictures/*", lambda route: route.fulfill(**(file if there else {"status": 404})))
    page = phone.content().replace('<ol class="dice">', html + '<ol class="dice">', 1)
    phone.route("**/play", lambda route: route.fulfill(status=200, content_type="text/html", body=page))
    phone.reload()
    expect(phone.locator("#stage .die-kept")).to_have_count(2)
    phone.wait_for_load_state("networkidle")
    assert phone.evaluate(SEEN) == [seen, seen]
    expect(phone.locator("#stage").get_by_role("img", name="17, success")).to_have_count(2)
