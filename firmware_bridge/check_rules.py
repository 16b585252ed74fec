"""The rules of docs/tray-protocol.md that a tray can be tried on, and what to mend in one that breaks them.

For the terminal, which speaks English alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from firmware_bridge.messages import MAJOR


class Verdict(StrEnum):
    """What became of a rule."""

    HELD = "held"
    BROKEN = "broken"
    UNTRIED = "untried"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the page: its `name`, and what to `mend` in a tray that breaks it."""

    name: str
    mend: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule came to; `what` says what was seen where it is not held."""

    rule: Rule
    verdict: Verdict
    what: str = ""


GREETING: Final = Rule("greeting", "Answer HELLO_REQ at once with HELLO and the same nonce.")
VERSION: Final = Rule("version", f"Send major {MAJOR} in HELLO, and build the tray by this version of the page.")
PLACES: Final = Rule("places", "Count in slots the places that can be read; none means that no reader answers.")
BOOT_ID: Final = Rule("boot id", "Give each start another boot_id: a counter in EEPROM, or good noise.")
RESTART: Final = Rule("restart", "Restart at RESET with 0x5AA5 and at no other value; count uptime from 0 then.")
HELLOS: Final = Rule("hello unasked", "Send HELLO with nonce 0 every 500 ms until SNAPSHOT has come.")
SILENCE: Final = Rule("silence before SNAPSHOT", "Say nothing of dice, and no BEAT, before SNAPSHOT with this boot_id.")
BEATS: Final = Rule("heartbeat", "After SNAPSHOT send BEAT every 500 ms, and no HELLO unasked.")
UPTIME: Final = Rule("uptime", "Count milliseconds in uptime; it never runs back within one start.")
PINGS: Final = Rule("ping", "Answer every PING within 0.1 s with PONG and the same nonce.")
SEQUENCE: Final = Rule("sequence", "Count every frame that is sent, repeats too, modulo 256.")
RESULTS: Final = Rule("results", "Answer RING and CONFIG with RESULT: the host's sequence, its type, and a code.")
UNKNOWN: Final = Rule("later versions", "Ignore unknown types, and bytes after the last field that is known.")
DAMAGED: Final = Rule("damaged frames", "Drop what is no frame, be in step at the next zero, count it in BEAT.")
FIELDS: Final = Rule("fields", "Send in DIE only what the page's table has; without a sure face send face 0.")
EVENTS: Final = Rule("events", "Number the events of each start from 1, each by its own; BEAT names the newest.")
REPEATS: Final = Rule("repeats", "Repeat an event, with its number, every 200 to 250 ms until ACK names it.")
ACKNOWLEDGED: Final = Rule("acknowledgement", "Stop repeating an event once ACK has named it.")
ROLLS: Final = Rule("end of a roll", "Close a roll with ROLL_END: its number, count and digest over its dice by slot.")
ONE_PLACE: Final = Rule("one die in one place", "A die_id in two slots at once is cocked in both, with face 0.")
TAGS: Final = Rule("tags", "Repeat TAG every 200 to 250 ms until TAUGHT names the tag, and ask anew after SNAPSHOT.")
AGAIN: Final = Rule("snapshot", "After SNAPSHOT send all dice that lie there and the last ROLL_END, as they were.")
NOT_SEEN: Final = Rule("dice that lay there", "Give dice that lie there at the start roll 0; close no roll of theirs.")
CLEARED: Final = Rule("cleared tray", "Close the roll with count 0 and digest 0xFFFF when the last die is taken away.")

RULES: Final = (
    GREETING, VERSION, PLACES, BOOT_ID, RESTART, HELLOS, SILENCE, BEATS, UPTIME, PINGS, SEQUENCE, RESULTS, UNKNOWN,
    DAMAGED, FIELDS, EVENTS, REPEATS, ACKNOWLEDGED, ROLLS, ONE_PLACE, TAGS, AGAIN, NOT_SEEN, CLEARED,
)  # fmt: skip
"""All rules that are tried, in the order of their findings."""


def finding_words(finding: Finding) -> str:
    """`finding` on one line or two: what was seen, and what to mend."""
    line = f"{finding.verdict.value:<8} {finding.rule.name}"
    if finding.verdict is Verdict.BROKEN:
        return f"{line}: {finding.what}\n{'':<9}{finding.rule.mend}"
    return line


def finding_data(finding: Finding) -> dict[str, str]:
    """The same as data for JSON."""
    mend = finding.rule.mend if finding.verdict is Verdict.BROKEN else ""
    return {"rule": finding.rule.name, "verdict": finding.verdict.value, "what": finding.what, "mend": mend}
