"""Sentences that remember how they were made, so that each listener can have them in a language of their own.

A `Phrase` is its English words: whatever treats a text as `str` goes on working. Beside them it keeps its template and
what fills it; `translated` says it again with the words of a catalog. Templates are literals where they are written,
for they are collected from the source. What people typed stays plain `str` and is never translated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from string import Formatter
from typing import Final, LiteralString, Protocol, TypeAlias

Fill: TypeAlias = str | int
"""What a place takes: somebody's own words, a number, a `Phrase`, or a member of the vocabulary (see `glossary`)."""


NUMBER: Final = "number"
"""The place of the number in what counts something; the words for one may leave it out."""


class Catalog(Protocol):
    """The words of one language; `gettext.NullTranslations` and what inherits from it fit."""

    def gettext(self, message: str, /) -> str:
        """The template in this language, or the template itself where there is none."""

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        """The template for this number in this language, or the English one."""


class SetApart:
    """The words of `catalog`, with what people typed set apart by `apart` from the words round it."""

    def __init__(self, catalog: Catalog, apart: Callable[[str], str]) -> None:
        self._catalog = catalog
        self.apart: Final = apart

    def gettext(self, message: str, /) -> str:
        """See `Catalog`."""
        return self._catalog.gettext(message)

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        """See `Catalog`."""
        return self._catalog.ngettext(singular, plural, number)


class Phrase(str):
    """English words that can be said in another language: see `translated`. Compares, sorts and prints as `str`."""

    __slots__ = ()

    def rendered(self, catalog: Catalog) -> str:  # noqa: ARG002 - what there is to say without a template
        """These words in the language of `catalog`."""
        return str(self)

    def inside(self) -> Iterator[Fill]:
        """Its outermost fills, including numbers and names that people typed."""
        return iter(())


class Said(Phrase):
    """A template with its places filled."""

    __slots__ = ("fills", "template")
    template: str
    fills: Mapping[str, Fill]

    def rendered(self, catalog: Catalog) -> str:
        """See `Phrase`. A translation whose places are not the template's own is left aside for the English words."""
        if not self.template:
            return ""
        translation = catalog.gettext(self.template)
        if translation is self.template:
            return _filled(translation, self.fills, catalog)
        same = places_of(translation) == places_of(self.template) if self.fills else _braces(translation, self.template)
        return _filled(translation if same else self.template, self.fills, catalog)

    def inside(self) -> Iterator[Fill]:
        """See `Phrase`."""
        return iter(self.fills.values())


class Counted(Said):
    """A template for one and one for several, of which the number chooses."""

    __slots__ = ("quantity", "several")
    several: str
    quantity: int

    def rendered(self, catalog: Catalog) -> str:
        """See `Said`."""
        translation = catalog.ngettext(self.template, self.several, self.quantity)
        wanted = places_of(self.several)
        found = places_of(translation)
        if wanted is None or found is None or found | {NUMBER} != wanted | {NUMBER}:
            translation = self.template if self.quantity == 1 else self.several
        return _filled(translation, self.fills, catalog)


class JoinedPhrase(Phrase):
    """Parts that stand one after the other; what stands between them is not translated."""

    __slots__ = ("joint", "parts")
    joint: str
    parts: tuple[Fill, ...]

    def rendered(self, catalog: Catalog) -> str:
        """See `Phrase`."""
        return self.joint.join(_word(one, catalog) for one in self.parts)

    def inside(self) -> Iterator[Fill]:
        """See `Phrase`."""
        return iter(self.parts)


class Altered(Phrase):
    """Words that are changed as a whole, in whatever language they are said."""

    __slots__ = ("alter", "words")
    alter: Callable[[str], str]
    words: str

    def rendered(self, catalog: Catalog) -> str:
        """See `Phrase`. What somebody typed is altered before it is set apart."""
        if isinstance(self.words, Phrase | StrEnum):
            return self.alter(_word(self.words, catalog))
        return _word(self.alter(self.words), catalog)

    def inside(self) -> Iterator[Fill]:
        """See `Phrase`."""
        return iter((self.words,))


def alike(one: object, other: object) -> bool:
    """Whether two values are equal and of the same types throughout, each `Phrase` in every language."""
    if one is other:
        return True
    if type(one) is not type(other) or one != other:
        return False
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return all(alike(value, other[key]) for key, value in one.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return all(map(alike, one, other))
    slots = (slot for kind in type(one).__mro__ for slot in getattr(kind, "__slots__", ()))
    return not isinstance(one, Phrase) or all(alike(getattr(one, slot), getattr(other, slot)) for slot in slots)


def say(template: LiteralString, /, **fills: Fill) -> Phrase:
    """The template with its places filled: `say("{name} takes {damage} damage.", name="Ada", damage=2)`.

    Each place is a plain name. A template without places is taken as it stands.
    """
    phrase = str.__new__(Said, template.format(**fills) if fills else template)
    phrase.template = template
    phrase.fills = fills
    return phrase


def say_count(count: int, one: LiteralString, several: LiteralString, /, **fills: Fill) -> Phrase:
    """The template for one or for several: `say_count(2, "{number} success", "{number} successes")`.

    The place `number` is filled with the count, in words that a voice can say; the others as in `say`.
    """
    fills[NUMBER] = signless(count)
    phrase = str.__new__(Counted, (one if count == 1 else several).format(**fills))
    phrase.template = one
    phrase.several = several
    phrase.quantity = count
    phrase.fills = fills
    return phrase


def known(text: str) -> Phrase:
    """Words of the program that came as `str`, translated where the catalog has them; never what a person typed."""
    if isinstance(text, Phrase):
        return text
    phrase = str.__new__(Said, text)
    phrase.template = str(text)
    phrase.fills = {}
    return phrase


_NO_WORDS: Final = ""
"""No words, by a name, so that nobody is asked to translate it."""
NOTHING: Final = known(_NO_WORDS)
"""The empty sentence, where there is nothing to say."""


def worded(name: str) -> Phrase:
    """A name of a table or of the vocabulary as it is said, an underscore as a space: "dust cloud"."""
    return known(name.replace("_", " "))


def sentences(*parts: str) -> Phrase:
    """Whole sentences one after the other, the empty ones left out."""
    return joined_by(" ", [one for one in parts if one])


def joined_by(joint: str, parts: Iterable[Fill]) -> Phrase:
    """Parts with the same joint between all of them, such as a comma."""
    kept = tuple(parts)
    if len(kept) == 1 and isinstance(kept[0], Phrase):
        return kept[0]
    phrase = str.__new__(JoinedPhrase, joint.join([str(one) for one in kept]))
    phrase.joint = joint
    phrase.parts = kept
    return phrase


def listed(parts: Iterable[Fill]) -> Phrase:
    """A list as it is said: "1, 2 and 3"."""
    *first, last = tuple(parts) or ("",)
    return say("{first} and {last}", first=joined_by(", ", first), last=last) if first else joined_by("", (last,))


def either(parts: Iterable[Fill]) -> Phrase:
    """What can be chosen among: "1, 2 or 3"."""
    *first, last = tuple(parts) or ("",)
    return say("{first} or {last}", first=joined_by(", ", first), last=last) if first else joined_by("", (last,))


def altered(words: str, alter: Callable[[str], str]) -> Phrase:
    """Words that are changed as a whole in each language; `alter` is a function of a module.

    What a journal keeps is altered by a function of `rules.words.kept` only.
    """
    phrase = str.__new__(Altered, alter(words))
    phrase.words = words
    phrase.alter = alter
    return phrase


def capitalized(words: str) -> Phrase:
    """The words with their first letter large; the others stay as they are."""
    return altered(words, capital)


def signless(number: int) -> str:
    """A number without a sign that a voice would mumble: "minus 2"."""
    return say("minus {number}", number=-number) if number < 0 else str(number)


def renamed(words: str, places: frozenset[str], names: Mapping[str, str]) -> str:
    """`words` with what fills one of `places` called as `names` has it; whatever else fills them stays as it is."""
    if isinstance(words, Said) and words.fills:
        fills: dict[str, Fill] = {}
        for place, one in words.fills.items():
            if isinstance(one, Phrase):
                fills[place] = renamed(one, places, names)
            else:
                fills[place] = names.get(one, one) if place in places and isinstance(one, str) else one
        template = words.several if isinstance(words, Counted) and words.quantity != 1 else words.template
        phrase = str.__new__(type(words), template.format(**fills))
        for slot in (slot for kind in type(words).__mro__ for slot in getattr(kind, "__slots__", ())):
            setattr(phrase, slot, fills if slot == "fills" else getattr(words, slot))
        return phrase
    if isinstance(words, JoinedPhrase):
        return joined_by(
            words.joint, [renamed(one, places, names) if isinstance(one, Phrase) else one for one in words.parts]
        )
    return words


def translated(text: str, catalog: Catalog) -> str:
    """`text` in the language of `catalog`; what is no `Phrase` comes back as it is."""
    return text.rendered(catalog) if isinstance(text, Phrase) else text


@lru_cache(maxsize=8192)
def places_of(template: str) -> frozenset[str] | None:
    """The names of a template's places; None where it is broken or asks for more than to be filled."""
    if "{" not in template and "}" not in template:
        return frozenset()
    found = set()
    try:
        for _, place, form, conversion in Formatter().parse(template):
            if place is not None:
                found.add(place if place.isidentifier() and not form and not conversion else "")
    except ValueError:
        return None
    return None if "" in found else frozenset(found)


def _braces(translation: str, template: str) -> bool:
    """Whether a text that takes nothing has the same braces in both languages, as one that shows a line of JSON."""
    return [one for one in translation if one in "{}"] == [one for one in template if one in "{}"]


def _filled(template: str, fills: Mapping[str, Fill], catalog: Catalog) -> str:
    if not fills:
        return template
    return template.format(**{place: _word(fill, catalog) for place, fill in fills.items()})


def _word(fill: Fill, catalog: Catalog) -> str:
    if isinstance(fill, Phrase):
        return fill.rendered(catalog)
    if isinstance(fill, StrEnum):
        return known(fill.value).rendered(catalog)
    if isinstance(catalog, SetApart) and isinstance(fill, str):
        return catalog.apart(fill)
    return str(fill)


def capital(words: str) -> str:
    """See `capitalized`, for one language."""
    return words[:1].upper() + words[1:]
