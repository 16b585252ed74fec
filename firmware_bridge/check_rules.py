"""The rules of docs/tray-protocol.md that a tray can be tried on, and what to mend in one that breaks them.

For the terminal, which speaks English alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final

from firmware_bridge.messages import MAJOR


class RuleVerdict(StrEnum):
    """What became of a rule."""

    HELD = "held"
    BROKEN = "broken"
    UNTRIED = "untried"


class Rule(Enum):
    """One rule of the page, in the order of the findings: its `label`, and what to `mend` in a tray that breaks it."""

    GREETING = "greeting", "Answer HELLO_REQ at once with HELLO and the same nonce."
    VERSION = "version", f"Send major {MAJOR} in HELLO, and build the tray by this version of the page."
    PLACES = "places", "Count in slots the places that can be read; none means that no reader answers."
    BOOT_ID = "boot id", "Give each start another boot_id: a counter in EEPROM, or good noise."
    RESTART = "restart", "Restart at RESET with 0x5AA5 and at no other value; count uptime from 0 then."
    HELLOS = "hello unasked", "Send HELLO with nonce 0 every 500 ms until SNAPSHOT has come."
    SILENCE = "silence before SNAPSHOT", "Say nothing of dice, and no BEAT, before SNAPSHOT with this boot_id."
    BEATS = "heartbeat", "After SNAPSHOT send BEAT every 500 ms, and no HELLO unasked."
    UPTIME = "uptime", "Count milliseconds in uptime; it never runs back within one start."
    PINGS = "ping", "Answer every PING within 0.1 s with PONG and the same nonce."
    SEQUENCE = "sequence", "Count every frame that is sent, repeats too, modulo 256."
    ONLY_FRAMES = (
        "only frames",
        "Send nothing but frames, no text for yourself; look at the wire if it is not the program.",
    )
    RESULTS = "results", "Answer RING and CONFIG with RESULT: the host's sequence, its type, and a code."
    UNKNOWN = "later versions", "Ignore unknown types, and bytes after the last field that is known."
    DAMAGED = "damaged frames", "Drop what is no frame, be in step at the next zero, count it in BEAT."
    FIELDS = "fields", "Send in DIE only what the page's table has; without a sure face send face 0."
    EVENTS = "events", "Number the events of each start from 1, each by its own; BEAT names the newest."
    REPEATS = "repeats", "Repeat an event, with its number, every 200 to 250 ms until ACK names it."
    ACKNOWLEDGED = "acknowledgement", "Stop repeating an event once ACK has named it."
    ROLLS = "end of a roll", "Close a roll with ROLL_END: its number, count and digest over its dice by slot."
    ONE_PLACE = "one die in one place", "A die_id in two slots at once is cocked in both, with face 0."
    TAGS = "tags", "Repeat TAG every 200 to 250 ms until TAUGHT names the tag, and ask anew after SNAPSHOT."
    AGAIN = "snapshot", "After SNAPSHOT send all dice that lie there and the last ROLL_END, as they were."
    NOT_SEEN = "dice that lay there", "Give dice that lie there at the start roll 0; close no roll of theirs."
    PICTURES = (
        "pictures",
        "Answer WANT with CHUNKs of just those bytes, in order; they are the JPEG file of CRC-32 check.",
    )
    CLEARED = "cleared tray", "Close the roll with count 0 and digest 0xFFFF when the last die is taken away."

    def __init__(self, label: str, mend: str) -> None:
        self.label: Final = label
        self.mend: Final = mend


@dataclass(frozen=True, slots=True)
class RuleFinding:
    """The result for a rule; `what` describes what was seen if it is broken."""

    rule: Rule
    verdict: RuleVerdict
    what: str = ""


def finding_words(finding: RuleFinding) -> str:
    """`finding` on one line or two: what was seen, and what to mend."""
    line = f"{finding.verdict.value:<8} {finding.rule.label}"
    if finding.verdict is RuleVerdict.BROKEN:
        return f"{line}: {finding.what}\n{'':<9}{finding.rule.mend}"
    return line


def finding_data(finding: RuleFinding) -> dict[str, str]:
    """The same as data for JSON."""
    mend = finding.rule.mend if finding.verdict is RuleVerdict.BROKEN else ""
    return {"rule": finding.rule.label, "verdict": finding.verdict.value, "what": finding.what, "mend": mend}
