"""The rule terms of a language in all their forms, and a table's own words for them.

`translations/<language>.glossary.toml` says what each term is called in the translations: a table of forms for each
English term. A table writes the same forms with its own words into `glossary.<language>.toml`; they then stand in every
text of that language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from kiosk.errors import GlossaryError

LARGEST_FILE: Final = 256 * 1024
"""A glossary has some hundred terms; anything near this is another kind of file."""

LONGEST_FORM: Final = 80
"""Characters of one form: a term is a few words."""

_SIGNS: Final = "{}%<>&"
"""Characters that have a meaning in pages or templates."""

_ALLOWED: Final = f"words in one line, {LONGEST_FORM} characters at most, without any of {_SIGNS}"
"""What a form of a term may be, in words."""

Glossary = Mapping[str, Mapping[str, str]]
"""For each English term its forms: the form's name, such as `singular` or `dative_plural`, and the words."""

_PLACE: Final = r"\{\w*\}|%\(\w+\)s"
"""A placeholder in a template of `say` or gettext."""


class Replacing:
    """Replaces whole words: each key by its value, the longest first, places of templates left alone.

    Where a form begins a sentence with a large letter, so does what replaces it.
    """

    def __init__(self, words: Mapping[str, str]) -> None:
        self._words = {**{_capital(old): _capital(new) for old, new in words.items()}, **words}
        longest = sorted(self._words, key=len, reverse=True)
        found = "|".join(re.escape(one) for one in longest)
        self._pattern = re.compile(rf"({_PLACE})|(?<!\w)(?:{found})(?!\w)") if found else None

    def applied(self, text: str) -> str:
        """`text` with the table's own words."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: found[1] or self._words[found[0]], text)


def replacing(folder: Path, own: Path | None, language: str) -> Replacing:
    """The replacements from the glossary of `folder` to `own`; none without `own`. Raises `GlossaryError`."""
    if own is None:
        return Replacing({})
    ours = read_glossary(folder / f"{language}.glossary.toml")
    words: dict[str, str] = {}
    for term, forms in read_glossary(own).items():
        if term not in ours:
            raise GlossaryError(f"{own}: there is no term {term!r}. There are: {_named(ours)}.")
        for form in forms:
            if form not in ours[term]:
                raise GlossaryError(f"{own}: {term!r} has no form {form!r}. It has: {_named(ours[term])}.")
        for form, theirs in ours[term].items():
            if form not in forms:
                raise GlossaryError(f"{own}: {term!r} lacks the form {form!r}; the translations say {theirs!r} there.")
            if words.setdefault(theirs, forms[form]) != forms[form]:
                raise GlossaryError(
                    f"{own}: {theirs!r} would be both {words[theirs]!r} and {forms[form]!r}. "
                    f"Give {term!r}, form {form!r}, the same words as the other."
                )
    return Replacing({old: new for old, new in words.items() if old != new})


def own_file(folders: Iterable[Path], language: str) -> Path | None:
    """The table's own glossary of `language` in the first of `folders` that has one."""
    places = (folder / f"glossary.{language}.toml" for folder in folders)
    return next((place for place in places if place.is_file()), None)


def read_glossary(path: Path) -> Glossary:
    """The terms of the file at `path`. Raises `GlossaryError` that names the file and the place."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise GlossaryError(f"{path} is too large to be a glossary.")
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise GlossaryError(f"{path} cannot be read: {error.strerror}. Check its permissions.") from error
    except UnicodeDecodeError:
        raise GlossaryError(f"{path} is not a text file. A glossary is written as TOML in UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise GlossaryError(f"{path} is not valid TOML: {error}.") from None
    for term, forms in raw.items():
        if not isinstance(forms, Mapping):
            raise GlossaryError(f"{path}: {term!r} needs its forms: write [{_quoted(term)}], then the forms below it.")
        for form, words in forms.items():
            if not _fit(words):
                raise GlossaryError(f"{path}: {term!r}, form {form!r}: write {_ALLOWED}.")
    return raw


def _fit(words: object) -> bool:
    if not isinstance(words, str) or not words.strip() or len(words) > LONGEST_FORM:
        return False
    return words.isprintable() and not any(sign in words for sign in _SIGNS)


def _named(names: Iterable[str]) -> str:
    return ", ".join(names)


def _quoted(term: str) -> str:
    return term if term.isidentifier() and term.isascii() else f'"{term}"'


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
