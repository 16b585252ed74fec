"""Phrases are their English words, and say the same in another language: nothing leaks, nothing breaks."""

from __future__ import annotations

import ast
import copy
import gettext
import pickle
import string

from hypothesis import given
from hypothesis import strategies as st

from rules.errors import Refusal
from rules.state.glossary import RANGE_WORDS, STATIONS, TOLD
from rules.state.vocabulary import Range, Spend, System
from rules.table import PLAYBOOK
from rules.words import (
    COUNTED,
    Catalog,
    Phrase,
    alike,
    capitalized,
    counted,
    either,
    joined_by,
    known,
    listed,
    places_of,
    renamed,
    say,
    say_count,
    sentences,
    spoken,
    translated,
    worded,
)
from tests.rules.languages import Strange, told

NOBODY: Catalog = gettext.NullTranslations()


class Words:
    """A catalog with the translations it is given; one for several numbers."""

    def __init__(self, **words: str) -> None:
        self.words = words

    def gettext(self, message: str, /) -> str:
        return self.words.get(message.strip("{}., ").split(" ")[-1], message)

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        return self.words.get("one" if number == 1 else "many", singular if number == 1 else plural)


def test_only_whole_names_in_their_places_are_called_otherwise() -> None:
    short = {"Bea Reed": "Reed"}
    places = frozenset({"name"})
    thrown = say_count(
        2, "{name} throws a die", "{name} throws {number} dice, by {value}", name="Bea Reed", value="Bea Reed"
    )
    known_to = say("{name} of {what}", name="Bea Reed's Guard", what=thrown)
    said = renamed(joined_by(": ", [known_to, "Bea Reed"]), places, short)
    assert said == "Bea Reed's Guard of Reed throws 2 dice, by Bea Reed: Bea Reed"
    assert translated(said, NOBODY) == said
    assert renamed("Bea Reed", places, short) == "Bea Reed"
    one = renamed(say_count(1, "{name} throws a die", "{name} throws {number} dice", name="Bea Reed"), places, short)
    assert (one, translated(one, NOBODY)) == ("Reed throws a die", "Reed throws a die")


OWN_CALLS = ("words/terms.py:", "errors.py:")
"""Where templates are handed on: what counts a noun of the table, and the refusal that keeps its own."""

TEXTS = st.text(max_size=12)
LEAVES = st.one_of(
    TEXTS,
    st.integers(-99, 99),
    st.sampled_from(System),
    TEXTS.map(known),
    st.just(say("the engines")),
)
PHRASES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(lambda name, damage: say("{name} takes {damage} damage.", name=name, damage=damage), inner, inner),
        st.builds(
            lambda count, of: say_count(count, "{number} success of {of}", "{number} successes of {of}", of=of),
            st.integers(-9, 9),
            inner,
        ),
        st.lists(inner, max_size=4).map(listed),
        st.lists(inner, max_size=4).map(either),
        st.lists(inner, max_size=4).map(lambda parts: joined_by("; ", parts)),
        st.lists(inner.map(str), max_size=4).map(lambda parts: sentences(*parts)),
        inner.map(lambda one: capitalized(one if isinstance(one, Phrase) else known(str(one)))),
        inner.map(lambda one: spoken(one if isinstance(one, Phrase) else known(str(one)))),
    ),
    max_leaves=12,
)


@given(PHRASES)
def test_without_a_translation_the_english_words_are_said(one: str | int) -> None:
    if isinstance(one, Phrase):
        assert translated(one, NOBODY) == one
        assert type(translated(one, NOBODY)) is str


@given(PHRASES)
def test_a_phrase_is_a_text_like_any_other(one: str | int) -> None:
    if isinstance(one, Phrase):
        plain = str(one)
        assert type(plain) is str
        assert (one, hash(one)) == (plain, hash(plain))
        for again in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):  # noqa: S301 - just made
            assert again == one
            assert translated(again, Strange()) == translated(one, Strange())


@given(name=TEXTS, damage=st.integers())
def test_what_people_typed_is_never_taken_for_a_place(name: str, damage: int) -> None:
    typed = f"{{damage}}{name}{{0.__class__}}"
    text = say("{name} takes {damage} damage.", name=typed, damage=damage)
    assert text == f"{typed} takes {damage} damage."
    assert translated(text, NOBODY) == text
    assert translated(known(typed), Strange()) == typed


@given(
    broken=st.one_of(
        st.text(alphabet=string.printable, max_size=20),
        st.sampled_from(
            [
                "{name} nimmt Schaden.",
                "{name} {damage} {else}",
                "{name!r} {damage}",
                "{name.__class__} {damage}",
                "{name[0]} {damage}",
                "{name:>9} {damage}",
                "{} {}",
                "{0} {1}",
                "{name} {damage",
                "name} {damage}",
            ]
        ),
    )
)
def test_a_translation_with_other_places_falls_back_to_the_english_words(broken: str) -> None:
    text = say("{name} takes {damage} damage", name="Ada", damage=2)
    same = places_of(broken) == frozenset({"name", "damage"})
    assert same or translated(text, Words(damage=broken)) == "Ada takes 2 damage"
    bare = say("no damage")
    assert "{" not in translated(bare, Words(damage=broken))


def test_a_translation_may_put_its_places_elsewhere_and_say_one_twice() -> None:
    text = say("{name} takes {damage} damage", name="Ada", damage=2)
    assert translated(text, Words(damage="{damage} Schaden: {name}, ja, {name}")) == "2 Schaden: Ada, ja, Ada"


def test_the_number_chooses_the_words_and_may_be_left_out_of_them() -> None:
    german = Words(one="ein Erfolg", many="{number} Erfolge")
    assert [translated(counted(number, "success"), german) for number in (1, 2, -3)] == [
        "ein Erfolg",
        "2 Erfolge",
        "minus 3 Erfolge",
    ]
    assert translated(counted(2, "success"), Words(many="{anzahl} Erfolge")) == "2 successes"


def test_what_is_within_is_translated_too() -> None:
    catalog = Words(engines="Antrieb", hit="{system} getroffen", Ada="Eva")
    assert translated(say("{system} hit", system=System.ENGINES), catalog) == "Antrieb getroffen"
    assert translated(say("{system} hit", system=capitalized(known("engines"))), catalog) == "Antrieb getroffen"
    assert translated(say("{system} hit", system="Ada"), catalog) == "Ada getroffen"
    assert translated(spoken(known("the-engines")), Words(**{"the-engines": "Haupt/Antrieb"})) == "Haupt Antrieb"
    assert translated("engines", catalog) == "engines"


def test_nothing_said_is_nothing_in_any_language() -> None:
    """The empty template is where a catalog keeps its own head."""

    class Head(gettext.NullTranslations):
        def gettext(self, message: str) -> str:
            return message or "Project-Id-Version: trueroll"

    for nothing in (say(""), known(""), sentences("", ""), listed([])):
        assert translated(nothing, Head()) == ""
        assert not nothing


def test_a_refusal_is_said_as_it_is_given() -> None:
    refusal = Refusal("RULE", "{ship} is lost.", ship="Far Lantern")
    assert str(refusal) == refusal.message == "Far Lantern is lost."
    assert translated(refusal.message, Words(lost="Verloren: {ship}")) == "Verloren: Far Lantern"
    again = copy.copy(refusal)
    assert translated(again.message, Words(lost="Verloren: {ship}")) == "Verloren: Far Lantern"
    assert Refusal("RULE", known("{ship}")).message == "{ship}"


def test_every_template_is_a_literal_whose_places_are_filled() -> None:
    """Only literals are collected for those who translate; a place without its fill would fail while somebody plays."""
    for call in told():
        texts = [str(one.value) for one in call.templates if isinstance(one, ast.Constant)]
        if call.name == "Refusal" and not texts:
            assert not call.fills, f"{call.where}: a phrase has its fills already"
            continue
        if call.where.startswith(OWN_CALLS):
            continue
        assert len(texts) == len(call.templates), f"{call.where}: write the template out"
        wanted = frozenset().union(*(places_of(text) or {"broken"} for text in texts if "{" in text))
        filled = call.fills | {"number"} if call.name in {"say_count", "_plural"} else call.fills
        assert wanted <= filled, f"{call.where}: {wanted - filled} is not filled"
        assert call.fills <= wanted, f"{call.where}: {call.fills - wanted} has no place"


def test_the_glossary_has_every_word_of_the_vocabulary_that_is_said() -> None:
    for vocabulary, words in TOLD.items():
        assert [str(one) for one in words] == [worded(one.value) for one in vocabulary]
    assert list(RANGE_WORDS) == list(Range)
    assert all(f"{where} range" == words for where, words in RANGE_WORDS.items())
    assert {row.station for row in PLAYBOOK.actions} - {""} <= set(STATIONS)
    assert set(Spend) <= PLAYBOOK.spend_rows.keys()


def test_every_noun_is_counted_by_its_own_name() -> None:
    for noun, (one, several) in COUNTED.items():
        assert one == f"{{number}} {noun}"
        assert places_of(several) == frozenset({"number"})
        assert counted(1, noun) == f"1 {noun}"


def test_a_double_name_keeps_its_hyphen_and_other_signs_are_left_out() -> None:
    assert spoken("Lt. Mara Osei-Bonsu") == "Lt. Mara Osei-Bonsu"
    assert spoken("<Deck> 12 - the -hold- 4-5") == "Deck 12 the hold 4 5"


def test_words_are_alike_that_are_the_same_in_every_language() -> None:
    typed = "The gamemaster"
    named, fixed = say("{name} chooses", name=typed), say("The gamemaster chooses")
    assert named == fixed
    assert not alike(named, fixed), "a translation has other words for the one that nobody typed"
    assert alike(named, say("{name} chooses", name=typed))
    assert not alike({"who": [named]}, {"who": [fixed]})
    assert alike({"who": (1, "a", None)}, {"who": (1, "a", None)})
    assert not alike({"who": 1}, {"who": True})
    assert not alike([sentences(named, fixed)], [sentences(fixed, fixed)])
    assert alike(capitalized(fixed), capitalized(fixed))
