"""Settings from a TOML file and from the command line: read strictly, shown with where each came from.

An unknown key is an error that names it and the nearest known one, so that a typing mistake never goes unnoticed.
"""

from __future__ import annotations

import ipaddress
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, get_type_hints

import msgspec
from msgspec import inspect

from kiosk.errors import ConfigError, system_words
from kiosk.settings import (
    LANGUAGE_CODE,
    WEB_ADDRESS,
    AccessSettings,
    CameraSettings,
    DisplaySettings,
    LanguageSettings,
    LogSettings,
    PanelSettings,
    RulesSettings,
    Section,
    ServerSettings,
    Settings,
    SpeechSettings,
    TraySettings,
)
from rules.words import Phrase, masked_address, say

DEFAULT_ORIGIN: Final = "default"
"""The origin of a setting that nobody changed."""
OVERRIDE_ORIGIN: Final = "command line"
"""The origin of a setting that the command line gave."""
_ORIGINS: Final = {OVERRIDE_ORIGIN: say("command line")}
"""Where a setting comes from that is in no file, as a sentence names it."""

LARGEST_FILE: Final = 256 * 1024
"""A settings file has some fifty lines; anything near this is another kind of file."""

_REACHED_BY: Final = ("server.open_to_network", "server.host")
"""What says who reaches the kiosk."""

_LINE: Final = re.compile(r"\(at line (?P<line>\d+), column \d+\)")
"""Where the parser of TOML says that it stopped."""

_SECTIONS: Final[dict[str, type[Section]]] = {
    "server": ServerSettings,
    "camera": CameraSettings,
    "tray": TraySettings,
    "voice": SpeechSettings,
    "panel": PanelSettings,
    "display": DisplaySettings,
    "language": LanguageSettings,
    "rules": RulesSettings,
    "access": AccessSettings,
    "log": LogSettings,
}
"""The sections of a configuration, in the order of its file."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as the reference documents it; `default` and `allowed` are words for a person."""

    key: str
    description: str
    allowed: str
    default: str


@dataclass(frozen=True, slots=True)
class Config:
    """The settings in force. `origins` says where each key that is not at its default came from."""

    settings: Settings
    origins: Mapping[str, str]
    path: Path | None = None

    @property
    def server(self) -> ServerSettings:
        """Where the pages are found."""
        return self.settings.server

    @property
    def camera(self) -> CameraSettings:
        """The camera over the table."""
        return self.settings.camera

    @property
    def tray(self) -> TraySettings:
        """The serial dice tray."""
        return self.settings.tray

    @property
    def voice(self) -> SpeechSettings:
        """What is said aloud."""
        return self.settings.voice

    @property
    def panel(self) -> PanelSettings:
        """Buttons, lamp and ring light."""
        return self.settings.panel

    @property
    def display(self) -> DisplaySettings:
        """The table's screen."""
        return self.settings.display

    @property
    def language(self) -> LanguageSettings:
        """The room's language."""
        return self.settings.language

    @property
    def rules(self) -> RulesSettings:
        """What this house plays otherwise."""
        return self.settings.rules

    @property
    def access(self) -> AccessSettings:
        """Who may change things."""
        return self.settings.access

    @property
    def log(self) -> LogSettings:
        """What the kiosk writes about itself."""
        return self.settings.log

    @property
    def host(self) -> str:
        """The address to listen on, with the empty setting resolved."""
        return self.server.host or ("0.0.0.0" if self.server.open_to_network else "127.0.0.1")  # noqa: S104  # the owner opened it


def load_config(
    path: Path | None = None, overrides: Mapping[str, object] | None = None, *, text: str | None = None
) -> Config:
    """Read the file at `path` (None: embedded defaults) and lay `overrides` (`{"server.port": 8081}`) over it.

    With `text`, that is taken for what the file holds.
    Raises `ConfigError` for a file that cannot be read, is no TOML, or holds a key or value that is not allowed.
    """
    values: dict[str, dict[str, object]] = {}
    origins: dict[str, str] = {}
    if path is not None:
        values = _checked(_parsed(path, settings_text(path) if text is None else text), str(path))
        origins = {f"{section}.{key}": str(path) for section, keys in values.items() for key in keys}
    for dotted, value in (overrides or {}).items():
        section, _, key = dotted.partition(".")
        _checked({section: {key: value}}, OVERRIDE_ORIGIN)
        values.setdefault(section, {})[key] = value
        origins[dotted] = OVERRIDE_ORIGIN
    config = Config(_settings(values, origins), origins, path)
    if not config.server.open_to_network and not is_loopback(config.host):
        raise ConfigError(
            say(
                "server.host = {host} would let others in, but server.open_to_network is false. "
                "Set open_to_network = true if that is wanted, or leave host empty.",
                host=_toml(config.host),
            )
        )
    return config


def settled_by(config: Config) -> Phrase | None:
    """That the settings say who reaches the kiosk, and where; None where they leave it open."""
    named = [one for one in _REACHED_BY if one in config.origins and (one != "server.host" or config.server.host)]
    if not named:
        return None
    if OVERRIDE_ORIGIN in {config.origins[one] for one in named}:
        return say("The command line that started the kiosk says who reaches it; leave its option out to choose here.")
    return say("The settings in {file} say who reaches the kiosk.", file=str(config.path))


@lru_cache(maxsize=256)
def is_loopback(host: str) -> bool:
    """Whether only this machine can reach `host`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def show(config: Config) -> str:
    """The effective settings as TOML, each with where it came from; passwords in addresses are masked."""
    lines: list[str] = []
    for name in _SECTIONS:
        lines.append(f"[{name}]")
        section = getattr(config.settings, name)
        for key in section.__struct_fields__:
            origin = config.origins.get(f"{name}.{key}", DEFAULT_ORIGIN)
            value = _toml(_shown(getattr(section, key)))
            lines.append(f"{key} = {value}  # {origin}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def as_dict(config: Config) -> dict[str, dict[str, object]]:
    """The effective settings for `--json`: each as `{"value", "from"}` under `section` and `key`, masked."""
    return {
        name: {
            key: {
                "value": _shown(getattr(getattr(config.settings, name), key)),
                "from": config.origins.get(f"{name}.{key}", DEFAULT_ORIGIN),
            }
            for key in getattr(config.settings, name).__struct_fields__
        }
        for name in _SECTIONS
    }


def _shown(value: object) -> object:
    """A value as it is shown, of its type or of a wrong one: what lets somebody in is hidden in its addresses."""
    if isinstance(value, str):
        return masked_address(value)
    if isinstance(value, Mapping):
        return {_shown(key): _shown(one) for key, one in value.items()}
    return [_shown(one) for one in value] if isinstance(value, list | tuple) else value


def settings_reference() -> Iterator[tuple[str, str, tuple[Setting, ...]]]:
    """Each section with its name, its purpose and its settings, in order."""
    for name, section in _SECTIONS.items():
        hints = get_type_hints(section, include_extras=True)
        fields = {field.name: field for field in msgspec.structs.fields(section)}
        rows = []
        for key, field in fields.items():
            description = next(
                (
                    meta.description
                    for meta in reversed(hints[key].__metadata__)
                    if getattr(meta, "description", None) is not None
                ),
                "",
            )
            rows.append(Setting(key, description, _allowed(inspect.type_info(hints[key])), _toml(field.default)))
        yield name, (section.__doc__ or "").strip(), tuple(rows)


def reference_markdown() -> str:
    """The page `docs/configuration.md`."""
    lines = [
        "# Settings",
        "",
        "The kiosk runs without a settings file. In one (`trueroll run --config FILE`, TOML), every key below may be",
        "set; a key that is not listed is refused by name. `trueroll config show` prints what is in force and where",
        "each value came from. This page is written from the program's own definitions: `python -m kiosk.config`.",
        "",
    ]
    for name, purpose, settings in settings_reference():
        lines += [f"## [{name}]", "", purpose, "", "| key | default | allowed | meaning |", "|---|---|---|---|"]
        lines += [
            f"| `{setting.key}` | `{setting.default}` | {setting.allowed} | {setting.description} |"
            for setting in settings
        ]
        lines.append("")
    return "\n".join(lines)


def settings_text(path: Path) -> str:
    """What the settings file at `path` holds, line ends as they are. Raises `ConfigError` where it cannot be read."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ConfigError(
                say("{path} is too large to be a settings file. Give the TOML file with --config.", path=str(path))
            )
        return path.read_bytes().decode()
    except FileNotFoundError:
        raise ConfigError(
            say("There is no settings file at {path}. Check the path, or leave --config out.", path=str(path))
        ) from None
    except OSError as error:
        raise ConfigError(
            say("{path} cannot be read: {why}. Check its permissions.", path=str(path), why=system_words(error))
        ) from error
    except UnicodeDecodeError:
        raise ConfigError(
            say("{path} is not a text file. Settings are written as TOML in UTF-8.", path=str(path))
        ) from None


def _parsed(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(_unreadable(str(path), text, str(error))) from None


def _unreadable(path: str, text: str, error: str) -> Phrase:
    """In which line a file stops being TOML; what the parser says of it is English and left out."""
    found = _LINE.search(error)
    line = found["line"] if found else str(len(text.splitlines()))
    if error.startswith("Cannot "):
        return say(
            "{path} is not valid TOML: line {line} sets again what was set before. Take one of the two away.",
            path=path,
            line=line,
        )
    return say("{path} is not valid TOML: line {line} cannot be read. Put that line right.", path=path, line=line)


def _checked(raw: Mapping[str, object], origin: str) -> dict[str, dict[str, object]]:
    """`raw` with every key known; raises `ConfigError` naming the first that is not."""
    checked: dict[str, dict[str, object]] = {}
    named = _ORIGINS.get(origin, origin)
    for section, keys in raw.items():
        if section not in _SECTIONS:
            raise ConfigError(_unknown(named, section, tuple(_SECTIONS)))
        if not isinstance(keys, Mapping):
            raise ConfigError(
                say(
                    "{origin}: '{section}' is a section; write its settings under [{section}].",
                    origin=named,
                    section=section,
                )
            )
        known = _SECTIONS[section].__struct_fields__
        for key in keys:
            if key not in known:
                raise ConfigError(_unknown(named, str(key), known, f"{section}."))
        checked[section] = dict(keys)
    return checked


def _settings(values: dict[str, dict[str, object]], origins: Mapping[str, str]) -> Settings:
    sections: dict[str, Section] = {}
    for name, kind in _SECTIONS.items():
        given = values.get(name, {})
        for key, value in given.items():
            try:
                msgspec.convert({key: value}, kind)
            except msgspec.ValidationError:
                dotted = f"{name}.{key}"
                wanted = inspect.type_info(get_type_hints(kind, include_extras=True)[key])
                raise ConfigError(_unfit(origins[dotted], dotted, _toml(_shown(value)), wanted)) from None
        sections[name] = msgspec.convert(given, kind)
    return msgspec.convert(sections, Settings)


def _unknown(origin: str, name: str, known: tuple[str, ...], prefix: str = "") -> Phrase:
    near = get_close_matches(name, known, n=1)
    key = prefix + name
    if near:
        return say(
            "{origin}: unknown key '{key}'. Did you mean '{near}'?", origin=origin, key=key, near=prefix + near[0]
        )
    return say("{origin}: unknown key '{key}'. Known are {known}.", origin=origin, key=key, known=", ".join(known))


def _unfit(origin: str, key: str, value: str, wanted: inspect.Type) -> Phrase:  # noqa: C901, PLR0911 - one for each kind
    """That `value`, as `_shown`, cannot be used, and what can be: `_allowed` as a sentence in the reader's language."""
    given = {"origin": _ORIGINS.get(origin, origin), "key": key, "value": value}
    match wanted:
        case inspect.Metadata():
            return _unfit(origin, key, value, wanted.type)
        case inspect.BoolType():
            return say("{origin}: {key} = {value} cannot be used. Write true or false.", **given)
        case inspect.IntType():
            bounds = {"least": str(wanted.ge), "most": str(wanted.le)}
            return say(
                "{origin}: {key} = {value} cannot be used. Write a whole number from {least} to {most}.",
                **given,
                **bounds,
            )
        case inspect.FloatType():
            bounds = {"least": f"{wanted.ge:g}", "most": f"{wanted.le:g}"}
            return say(
                "{origin}: {key} = {value} cannot be used. Write a number from {least} to {most}.", **given, **bounds
            )
        case inspect.UnionType(types=(inspect.FloatType() as number, inspect.LiteralType(values=(word,)))):
            bounds = {"least": f"{number.ge:g}", "most": f"{number.le:g}"}
            return say(
                "{origin}: {key} = {value} cannot be used. Write a number from {least} to {most}, or {word}.",
                **given,
                **bounds,
                word=_toml(word),
            )
        case inspect.LiteralType():
            return say(
                "{origin}: {key} = {value} cannot be used. Write one of {choices}.",
                **given,
                choices=", ".join(_toml(one) for one in wanted.values),
            )
        case inspect.VarTupleType(item_type=inspect.StrType(pattern=None) as item):
            return say(
                "{origin}: {key} = {value} cannot be used. Write a list of texts, {most} of them at most, "
                "each of {longest} characters at most.",
                **given,
                most=str(wanted.max_length),
                longest=str(item.max_length),
            )
        case inspect.VarTupleType():
            return say(
                "{origin}: {key} = {value} cannot be used. Write a list of texts, {most} of them at most, "
                'each a language and its voice, such as "de=mb-de5".',
                **given,
                most=str(wanted.max_length),
            )
        case inspect.StrType(pattern=None):
            return say(
                "{origin}: {key} = {value} cannot be used. Write a text of {longest} characters at most.",
                **given,
                longest=str(wanted.max_length),
            )
        case inspect.StrType(pattern=pattern) if pattern == LANGUAGE_CODE:
            return say(
                '{origin}: {key} = {value} cannot be used. Write the code of a language, such as "de", or "".', **given
            )
        case inspect.StrType(pattern=pattern) if pattern == WEB_ADDRESS:
            return say(
                "{origin}: {key} = {value} cannot be used. Write how it begins and its name, such as "
                '"https://table.home": no user, no password and no page.',
                **given,
            )
        case _:
            return say(
                "{origin}: {key} = {value} cannot be used. Write a text of letters, digits, +, - and _ only.", **given
            )


def _allowed(kind: inspect.Type) -> str:  # noqa: PLR0911 - one return for each kind of setting
    match kind:
        case inspect.Metadata():
            return _allowed(kind.type)
        case inspect.UnionType():
            return ", or ".join(_allowed(one) for one in kind.types)
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return f"a whole number from {kind.ge} to {kind.le}"
        case inspect.FloatType():
            return f"a number from {kind.ge:g} to {kind.le:g}"
        case inspect.LiteralType():
            return ", ".join(f"`{value}`" for value in kind.values)
        case inspect.VarTupleType():
            return f"a list of texts, up to {kind.max_length}"
        case inspect.StrType(pattern=None):
            return f"text of up to {kind.max_length} characters"
        case inspect.StrType(pattern=pattern) if pattern == LANGUAGE_CODE:
            return "the code of a language, or nothing"
        case _:
            return "letters, digits, `+`, `-` and `_`"


def _toml(value: object) -> str:
    if isinstance(value, tuple | list):
        return "[" + ", ".join(_toml(one) for one in value) + "]"
    return msgspec.json.encode(value).decode()


if __name__ == "__main__":
    print(reference_markdown(), end="")  # noqa: T201  # the page goes to standard output
