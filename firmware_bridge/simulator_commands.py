"""What a person can tell the simulated tray: throwing, touching dice, and every fault, as lines of text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from firmware_bridge.errors import SimulatorError
from firmware_bridge.messages import StateCode
from firmware_bridge.rolls import CHALLENGE_FACES, KINDS
from firmware_bridge.simulator import SLOTS, SimulatedTray
from rules.dice import DiceError, DieKind, Face, Symbol

_DICE: Final = re.compile(r"([0-9]{0,2})(d20|d6|challenge)")
"""A number of dice of one kind, as it is typed: 2d20, 3challenge."""
_HIGHEST_MAJOR: Final = 255
"""The highest major version, which has one byte."""
_ALL: Final = 100.0
"""The highest percentage."""

Perform = Callable[[SimulatedTray, Sequence[str], float], str]
"""Does a command with its words at a time in seconds; what it says of it comes back."""


@dataclass(frozen=True, slots=True)
class SimulatorCommand:
    """One command: how it is written, what it does, and how."""

    usage: str
    does: str
    perform: Perform


def perform(tray: SimulatedTray, line: str, now: float) -> str:
    """Carry out `line` on `tray` and say what happened. Raises `SimulatorError` for what cannot be done."""
    words = line.split()
    if not words:
        return ""
    name, arguments = words[0].lower(), words[1:]
    if name == "help":
        return help_text()
    command = COMMANDS.get(name)
    if command is None:
        raise SimulatorError(f"{name!r} is no command", "help lists the commands.")
    try:
        return command.perform(tray, arguments, now)
    except (DiceError, IndexError) as error:
        raise SimulatorError(f"{name}: {error}" if str(error) else name, f"It is written: {command.usage}") from error


def help_text() -> str:
    """All commands with what they do."""
    return "\n".join(help_line(command.usage, command.does) for command in COMMANDS.values())


def help_line(usage: str, does: str) -> str:
    """One line of help, in step with those of `help_text`."""
    width = max(len(command.usage) for command in COMMANDS.values())
    return f"{usage:<{width}}  {does}"


def parse_die(text: str) -> tuple[DieKind, Face]:
    """The die and face in `d20:17` or `challenge:effect`; any number passes. Raises `SimulatorError`."""
    kind, _, face = text.lower().partition(":")
    try:
        return DieKind(kind), int(face) if face.isdecimal() else Symbol(face)
    except ValueError as error:
        raise SimulatorError(f"{text!r} is no die", "Dice are written d20:17, challenge:effect or d6:3.") from error


def parse_kinds(words: Sequence[str]) -> tuple[DieKind, ...]:
    """The dice in `2d20 4challenge`. Raises `SimulatorError`."""
    kinds: list[DieKind] = []
    for word in words:
        match = _DICE.fullmatch(word.lower())
        if match is None:
            raise SimulatorError(f"{word!r} is no number of dice", "Write for example: roll 2d20 4challenge")
        kinds += [DieKind(match[2])] * int(match[1] or 1)
    return tuple(kinds)


def _number(arguments: Sequence[str], lowest: float, highest: float, what: str) -> float:
    try:
        number = float(arguments[0])
    except (ValueError, IndexError):
        number = lowest - 1
    if not lowest <= number <= highest:
        raise SimulatorError(f"give {what} from {lowest:g} to {highest:g}")
    return number


def _slot(arguments: Sequence[str]) -> int:
    return int(_number(arguments, 0, SLOTS - 1, "a slot"))


def _named(kind: DieKind, face: Face) -> str:
    return f"{kind} {face}"


def _throw(tray: SimulatedTray, arguments: Sequence[str], now: float) -> str:
    faces = [parse_die(word) for word in arguments]
    tray.throw(faces, now)
    return "thrown: " + ", ".join(_named(*die) for die in faces)


def _tags(tray: SimulatedTray, arguments: Sequence[str], now: float) -> str:
    if not arguments:
        raise IndexError
    lying: dict[int, list[int]] = {}
    for word in arguments:
        slot, _, tag = word.partition(":")
        try:
            lying.setdefault(int(slot), []).append(int(tag, 16))
        except ValueError as error:
            raise SimulatorError(f"{word!r} is no tag in a slot", "Write for example: tags 0:f1ad3adf") from error
    tray.throw_tags(lying, now)
    return "tagged dice thrown: " + ", ".join(arguments)


def _roll(tray: SimulatedTray, arguments: Sequence[str], now: float) -> str:
    faces = tray.throw_some(parse_kinds(arguments), now)
    return "rolled: " + ", ".join(_named(*die) for die in faces)


def _clear(tray: SimulatedTray, arguments: Sequence[str], now: float) -> str:
    del arguments
    tray.clear(now)
    return "the tray is empty"


def _turning(state: StateCode, words: str) -> Perform:
    def turn(tray: SimulatedTray, arguments: Sequence[str], now: float) -> str:
        slot = _slot(arguments)
        kind, face = parse_die(arguments[1]) if len(arguments) > 1 else (None, None)
        lying = next((KINDS.get(die.kind) for die in tray.dice if die.slot == slot), None)
        if kind is not None and lying is not None and kind is not lying:
            raise SimulatorError(f"the die in slot {slot} is a {lying}, not a {kind}")
        tray.turn(slot, state, now, face=face)
        return f"the die in slot {slot} {words}"

    return turn


def _garble(tray: SimulatedTray, arguments: Sequence[str], now: float) -> str:
    del now
    tray.faults.garble = _number(arguments, 0.0, _ALL, "a percentage")
    return f"{tray.faults.garble:g} % of the bytes are damaged, each way"


def _drop(tray: SimulatedTray, arguments: Sequence[str], now: float) -> str:
    del now
    if list(arguments) not in (["on"], ["off"]):
        raise SimulatorError("say on or off")
    tray.faults.drop_acknowledgements = arguments[0] == "on"
    return f"acknowledgements are {'ignored' if tray.faults.drop_acknowledgements else 'heard'}"


def _stalling(stalled: bool) -> Perform:  # noqa: FBT001 - the two commands differ in exactly this
    def stall(tray: SimulatedTray, arguments: Sequence[str], now: float) -> str:
        del arguments, now
        tray.faults.stalled = stalled
        return "the tray has frozen" if stalled else "the tray runs"

    return stall


def _restart(tray: SimulatedTray, arguments: Sequence[str], now: float) -> str:
    del arguments
    tray.restart(now)
    return f"the tray restarted; boot id {tray.boot_id:08x}"


def _major(tray: SimulatedTray, arguments: Sequence[str], now: float) -> str:
    tray.faults.major = int(_number(arguments, 0, _HIGHEST_MAJOR, "a major version"))
    tray.restart(now)
    return f"the tray restarted with protocol version {tray.faults.major}"


def _places(tray: SimulatedTray, arguments: Sequence[str], now: float) -> str:
    tray.faults.places = int(_number(arguments, 0, SLOTS, "a number of places"))
    tray.restart(now)
    return f"the tray restarted and says that it has {tray.faults.places} places"


def _noise(tray: SimulatedTray, arguments: Sequence[str], now: float) -> str:
    del arguments, now
    tray.make_noise()
    return "the boot loader's noise went over the wire"


def _status(tray: SimulatedTray, arguments: Sequence[str], now: float) -> str:
    del arguments, now
    faults = tray.faults
    hearing = "ignored" if faults.drop_acknowledgements else "heard"
    running = "frozen" if faults.stalled else "running"
    lines = [
        f"tray {tray.tray_id:08x}, boot {tray.boot_id:08x}, protocol {faults.major}, {running}",
        f"{tray.unacknowledged} events unacknowledged, acknowledgements {hearing}, garble {faults.garble:g} %",
    ]
    for die in tray.dice:
        kind = KINDS.get(die.kind)
        face = CHALLENGE_FACES.get(die.face, die.face) if kind is DieKind.CHALLENGE else die.face
        named = f"die {die.die_id:08x}, not taught" if kind is None else _named(kind, face)
        lines.append(f"slot {die.slot}: {named}, {StateCode(die.state).name.lower()}, roll {die.roll}")
    return "\n".join(lines)


COMMANDS: Final[dict[str, SimulatorCommand]] = {
    command.usage.split(maxsplit=1)[0]: command
    for command in (
        SimulatorCommand("throw DIE:FACE…", "dice land with these faces: throw d20:17 d20:3 challenge:effect", _throw),
        SimulatorCommand("roll NUMBER+DIE…", "dice land as chance has it: roll 2d20 4challenge", _roll),
        SimulatorCommand("tags SLOT:TAG…", "dice with tags land on readers: tags 0:f1ad3adf 1:0000abcd", _tags),
        SimulatorCommand("clear", "take all dice off the tray", _clear),
        SimulatorCommand("cocked SLOT", "the die leans", _turning(StateCode.COCKED, "leans")),
        SimulatorCommand("hold SLOT", "a hand takes the die", _turning(StateCode.HANDLING, "is in a hand")),
        SimulatorCommand("settle SLOT [DIE:FACE]", "the die lies still again, turned if you say so",
                _turning(StateCode.SETTLED, "lies still")),
        SimulatorCommand("fault SLOT", "the place under the die fails", _turning(StateCode.FAULT, "cannot be read")),
        SimulatorCommand("remove SLOT", "take one die off", _turning(StateCode.REMOVED, "is gone")),
        SimulatorCommand("garble PERCENT", "damage this many of every 100 bytes, each way; 0 ends it", _garble),
        SimulatorCommand("drop-acks on|off", "ignore the host's acknowledgements", _drop),
        SimulatorCommand("stall", "freeze: the wire stays, nothing comes", _stalling(stalled=True)),
        SimulatorCommand("resume", "end a freeze", _stalling(stalled=False)),
        SimulatorCommand("restart", "press the reset button: a new boot id", _restart),
        SimulatorCommand("major NUMBER", "restart with firmware of another major protocol version", _major),
        SimulatorCommand("places NUMBER", "restart and report this many places, wherever the dice lie", _places),
        SimulatorCommand("noise", "send a boot loader's noise", _noise),
        SimulatorCommand("status", "say what lies on the tray and what is wrong with it", _status),
    )
}  # fmt: skip
"""Every command of the tray itself by its first word; plugging belongs to the wire (`pty_simulator`)."""
