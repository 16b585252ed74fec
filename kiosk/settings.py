"""Every setting of the kiosk: what it means, its range, its default. Frozen, and unknown keys are refused.

The reference in `docs/configuration.md` is written from these definitions.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

WEB_ADDRESS: Final = r"^(https?://[A-Za-z0-9.:\[\]-]+)?$"
"""The form of an address of pages: neither who asks nor which page."""

LANGUAGE_CODE: Final = r"^[A-Za-z-]*$"
"""The form of a language code; empty leaves it open."""

ShortText = Annotated[str, Meta(max_length=500)]
"""A setting in words, of 500 characters at most."""
Pin = Annotated[int, Meta(ge=-1, le=27)]
"""A pin of the Raspberry Pi by its GPIO number; -1 where nothing is connected."""


class Section(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the settings file."""


class ServerSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the kiosk's pages are found."""

    host: Annotated[
        ShortText,
        Meta(
            description=(
                "Address to listen on. Empty means 127.0.0.1, and every address of this machine "
                "while phones are let in."
            )
        ),
    ] = ""
    port: Annotated[int, Meta(ge=0, le=65535, description="Port to listen on; 0 takes any free one.")] = 8080
    open_to_network: Annotated[
        bool,
        Meta(
            description=(
                "Let phones on the local network in. Changing things from them then needs the table code "
                "shown on the display. Where it is left out, it is chosen at the kiosk while that runs, and is false "
                "until then; what stands here holds."
            )
        ),
    ] = False
    address: Annotated[
        str,
        Meta(
            max_length=300,
            pattern=WEB_ADDRESS,
            description=(
                "Where phones find the kiosk if that is not its own address, such as `https://table.home`: a proxy of "
                "yours answers there. The code on the display leads to it. See `docs/phones.md`."
            ),
        ),
    ] = ""
    names: Annotated[
        tuple[Annotated[str, Meta(max_length=253)], ...],
        Meta(
            max_length=16,
            description=(
                "Further host names by which the kiosk may be called. Addresses, `localhost` and the machine's "
                "own name are always answered."
            ),
        ),
    ] = ()


class CameraSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The camera over the table."""

    source: Annotated[
        ShortText,
        Meta(
            description=(
                "`auto` looks for a camera, `off` uses none; otherwise a number such as `0`, a device, `picamera2`, "
                "an MJPEG or RTSP address, a video file, or a folder of pictures."
            )
        ),
    ] = "auto"
    hfov: Annotated[
        Annotated[float, Meta(ge=10.0, le=170.0)] | Literal["auto"],
        Meta(
            description=(
                "Field of view of the camera along the longer side of its pictures, in degrees. `auto` is what a "
                "Raspberry Pi's camera module or the pictures of a folder tell, else 60."
            )
        ),
    ] = "auto"


class TraySettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The serial dice tray."""

    url: Annotated[
        ShortText,
        Meta(
            description=(
                "`auto` looks for trays, `off` uses none; otherwise a port such as `/dev/ttyACM0`, a USB device as "
                "`usb:VID:PID` or `usb:VID:PID:SERIAL`, or a pyserial address such as `socket://host:port`. Several "
                "have blanks between them."
            )
        ),
    ] = "auto"
    second_view: Annotated[
        bool,
        Meta(
            description=(
                "Whether the table's camera looks into the tray as well. Then it and a tray's own camera see the same "
                "throws, which count once: what both read alike is surer, what differs is asked about."
            )
        ),
    ] = False


class SpeechSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is said aloud. Captions are always shown."""

    enabled: Annotated[bool, Meta(description="Speak through the kiosk's own speaker, where there is a voice.")] = True
    rate: Annotated[int, Meta(ge=80, le=450, description="Words a minute.")] = 175
    voice: Annotated[
        str,
        Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9+_-]+$", description="Name of the espeak-ng voice."),
    ] = "en-gb"
    loudness: Annotated[int, Meta(ge=0, le=200, description="Loudness of the voice; 100 is its own.")] = 100
    length: Annotated[Literal["terse", "normal", "full"], Meta(description="How much is said of each outcome.")] = (
        "normal"
    )


class PanelSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Buttons, lamp, ring light and buzzer on GPIO pins. Pins are GPIO (BCM) numbers; -1 is a part not fitted."""

    enabled: Annotated[bool, Meta(description="Use the panel where the machine has GPIO pins.")] = True
    confirm_pin: Annotated[Pin, Meta(description="Button that chooses what was said last; held, it goes back.")] = 17
    undo_pin: Annotated[Pin, Meta(description="Button that takes the last decision back.")] = 27
    repeat_pin: Annotated[Pin, Meta(description="Button that says it again; pressed twice, with more.")] = 22
    next_pin: Annotated[Pin, Meta(description="Button that moves on in the spoken menu; held, it says it again.")] = 23
    previous_pin: Annotated[Pin, Meta(description="Button that moves back in the spoken menu.")] = 24
    lamp_red_pin: Annotated[Pin, Meta(description="Red part of the status lamp.")] = 5
    lamp_green_pin: Annotated[Pin, Meta(description="Green part of the status lamp.")] = 6
    lamp_blue_pin: Annotated[Pin, Meta(description="Blue part of the status lamp.")] = 26
    ring_pin: Annotated[Pin, Meta(description="Ring light over the tray, dimmed by pulse width.")] = 12
    lamp_common_anode: Annotated[bool, Meta(description="The lamp's shared leg goes to 3.3 V instead of ground.")] = (
        False
    )
    ring_level: Annotated[
        float,
        Meta(ge=0.0, le=1.0, description="Brightness of the ring light while the camera looks for dice, 0 to 1."),
    ] = 0.6
    ring_rest_level: Annotated[
        float, Meta(ge=0.0, le=1.0, description="Brightness of the ring light otherwise, until somebody dims it.")
    ] = 0.1
    buzzer_pin: Annotated[Pin, Meta(description="Passive piezo buzzer, played by pulse width.")] = 13
    buzzer: Annotated[
        bool, Meta(description="Sound the buzzer for questions, for what is done or refused, and for trouble.")
    ] = True


Diagonal = Annotated[float, Meta(ge=3.0, le=120.0)]
"""A screen's diagonal in inches."""

Distance = Annotated[float, Meta(ge=0.3, le=10.0)]
"""From a screen to whoever sits farthest, in metres."""

Theme = Literal["dark", "light", "paper", "candlelight", "black-yellow"]
"""The colours of the pages: each is a set of custom properties at the top of `static/base.css`."""


class DisplaySettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table's screen, until somebody chooses otherwise at the kiosk."""

    diagonal_inches: Annotated[Diagonal, Meta(description="Diagonal of the display; letters are sized by it.")] = 24.0
    distance_metres: Annotated[Distance, Meta(description="How far the farthest player sits from the display.")] = 2.0
    theme: Annotated[Theme, Meta(description="Colours of the pages, until a device chooses its own.")] = "dark"
    wait_for_voice: Annotated[
        bool,
        Meta(
            description=(
                "Show an outcome, on every screen, only when the room's voice begins to say it; "
                "never later than a few seconds."
            )
        ),
    ] = False
    flip: Annotated[bool, Meta(description="Turn the display by half a turn, for a screen that lies on the table.")] = (
        False
    )


class LanguageSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Languages. Each device chooses its own; these are the room's. See `docs/languages.md`."""

    room: Annotated[
        str,
        Meta(
            max_length=12,
            pattern=LANGUAGE_CODE,
            description=(
                "Language of the table's screen and of the speaker, such as `de`, until somebody chooses otherwise at "
                "the kiosk. Empty leaves it open: English, and each browser as it prefers."
            ),
        ),
    ] = ""
    voices: Annotated[
        tuple[Annotated[str, Meta(max_length=60, pattern=r"^[a-z]{2,3}=[A-Za-z0-9+_-]+$")], ...],
        Meta(
            max_length=16,
            description=(
                'espeak-ng voices for other languages than English, such as `"de=mb-de5"`. A language without one '
                "is spoken with the voice of its own name."
            ),
        ),
    ] = ()


class RulesSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules that this house plays differently."""

    house_tables: Annotated[
        ShortText,
        Meta(
            description=(
                "TOML file with the house's own weapons, stations, spends and options; a relative path is looked for "
                "beside this file. Empty plays the rules' own tables. See `docs/house-rules.md`."
            )
        ),
    ] = ""


class AccessSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who may change things once the kiosk is open to the network."""

    trust_this_machine: Annotated[
        bool,
        Meta(
            description=(
                "Pages opened on the kiosk itself need no code. Set false where a proxy on this machine passes "
                "others' requests on."
            )
        ),
    ] = True
    wrong_codes_per_minute: Annotated[
        int, Meta(ge=1, le=60, description="Wrong codes allowed a minute from one address.")
    ] = 6


class LogSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the kiosk writes about itself."""

    level: Annotated[
        Literal["debug", "info", "warning", "error"], Meta(description="How much is written to standard error.")
    ] = "info"


class Settings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole settings file."""

    server: ServerSettings = ServerSettings()
    camera: CameraSettings = CameraSettings()
    tray: TraySettings = TraySettings()
    voice: SpeechSettings = SpeechSettings()
    panel: PanelSettings = PanelSettings()
    display: DisplaySettings = DisplaySettings()
    language: LanguageSettings = LanguageSettings()
    rules: RulesSettings = RulesSettings()
    access: AccessSettings = AccessSettings()
    log: LogSettings = LogSettings()
