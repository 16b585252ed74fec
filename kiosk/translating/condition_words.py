"""What camera, tray and panel say of themselves, for those who translate: their folders know nothing of languages.

They give whole English sentences; the kiosk knows them again here, by their templates, and says them in each listener's
language. A test walks the sources of those folders for a sentence that is not listed.
"""

from __future__ import annotations

from typing import Final

from rules.phrases import Phrase, say

CAMERA: Final[tuple[Phrase, ...]] = (
    say("Looking at {source}."),
    say("{source} watches the tray."),
    say("{source} shows its next picture when dice are called for."),
    say("{source} has come to its end."),
    say("With a camera above the table, dice are read as they lie."),
    say("The camera sees the dice, but their reader fails."),
    say("Enter the dice by hand; the next throw is tried again."),
    say("The camera's part failed; it starts again."),
    say("Enter the dice by hand."),
    say("{source} stopped sending pictures."),
    say("Check its cable, power and network."),
    say("{source} holds no picture that can be decoded."),
    say("Convert it to MP4 or MJPG."),
    say("There is no {source} ({device} does not exist)."),
    say("Plug the camera in, or name another one; a CSI camera is called picamera2."),
    say("{source} cannot be opened."),
    say("Close the other program that uses it, or name another camera."),
    say("{source} does not answer with pictures."),
    say("Check the address and the network."),
    say("There is no video file {path}."),
    say("Check the name."),
    say("{path} is no video or picture that can be read."),
    say("Use MJPG, MP4 or WebM, or a picture file."),
    say("{source} may not be opened by this user."),
    say("Add the user to the group video."),
    say("The CSI camera stopped: {reason}."),
    say("Check its ribbon cable."),
    say("picamera2 cannot be used here: {error}: {reason}."),
    say("On a Raspberry Pi: sudo apt install python3-picamera2, and make .venv with --system-site-packages."),
    say("The CSI camera does not start: {reason}."),
    say("Check its ribbon cable; rpicam-hello --list-cameras lists it."),
    say("{shown} of {folder} shown; waiting for new ones put there."),
    say("All {count} pictures"),
    say("The one picture"),
    say("The picture {name} stays as it is."),
    say("There is no picture in {path}."),
    say("Put JPEG or PNG files there."),
    say("None of the pictures in {path} can be read."),
    say("The folder {path} cannot be read: {reason}."),
    say("Check its name and its rights."),
    say("The driver of {source} hangs."),
    say("Unplug it, or restart the computer."),
    say("{source} has sent no picture for {seconds} s."),
    say("{source} cannot be opened: {reason}."),
    say("Try another camera."),
    say("{source} failed: {reason}."),
    say("Unplug it and plug it in again."),
    say("{source} ended."),
    say("Start the stream again."),
    say("There is no file or folder {path}, and no camera of that name."),
    say("Use 0, /dev/video0, picamera2, an address (http://, rtsp://), a video file or a folder of pictures."),
    say("{path} is neither a file nor a folder."),
    say("Name a camera, an address, a file or a folder."),
    say("The stream's address is not complete."),
    say("Write it as http://name:port/path or rtsp://name/path."),
    say("Addresses of the sort {sort}:// are not known."),
    say("The reader's model {name} is missing. Install trueroll again, or run `make train`."),
    say("The reader's model {name} is damaged. Install trueroll again."),
    say("No source is named."),
    say("Use 0, /dev/video0, picamera2, an address, a video file or a folder."),
    say("Use {sorts}."),
    say("A folder is played by fps or by hold, not by both."),
    say("Leave one of them out."),
    say("Give such a number, or leave them out."),
    say("There is no camera picture now."),
    say("Wait until the camera is ready."),
    say("camera {number}"),
    say("Camera {number}"),
    say("the CSI camera"),
    say("The CSI camera"),
    say("the stream {address}"),
    say("The stream {address}"),
    say("the video {name}"),
    say("The video {name}"),
    say("the folder {name}"),
    say("The folder {name}"),
    say("the picture {name}"),
    say("The picture {name}"),
)
"""`vision`: its sources of pictures and the watcher. What a source is called stands last: it fits many."""

TRAY: Final[tuple[Phrase, ...]] = (
    say("The battery of {die} is low: charge or replace it soon. It is read until it is empty."),
    say("The sensor of {die} fails: enter it by hand, or take another die."),
    say("No dice tray is connected."),
    say("A plain dice tray is connected. It reads no tags, so that no die can be taught on it."),
    say("Plug one in and the dice thrown in it are read without a camera; until then nothing is missing."),
    say("Another tray is at {address}; it is not used. To choose, name one as tray.url in the settings."),
    say("The dice tray's port cannot be used ({reason})."),
    say("Unplug the tray and plug it in again; trueroll tries again by itself. Until then enter dice by hand."),
    say("The dice tray was unplugged."),
    say("Plug it in again; trueroll reconnects by itself. Until then enter dice by hand."),
    say("No dice tray is connected as {address}."),
    say("No dice tray is connected at {address}."),
    say("{address} names no USB device."),
    say("Write usb:2341:0043, or usb:2341:0043:SERIAL where several are alike."),
    say("The dice tray's port {address} will not open ({reason})."),
    say("Unplug the tray and plug it in again."),
    say("Start what listens at this address; trueroll tries again by itself."),
    say("The dice tray at {address} is gone ({reason})."),
    say("Plug it in again; trueroll reconnects by itself."),
    say("Another program has the dice tray's port {address} open."),
    say("Close it (a second trueroll, a serial monitor, ModemManager); trueroll tries again by itself."),
    say("This user may not open the dice tray's port {address}."),
    say("Add the user to the group that owns the port (on Debian: sudo usermod -aG dialout USER) and log in again."),
    say("Plug it in; trueroll notices by itself."),
    say("The dice tray at {address} takes no more data; it has frozen."),
    say("The dice tray at {address} is gone: it was unplugged, or a second program reads its port."),
    say("Plug it in again, or close the other program; trueroll reconnects by itself."),
    say("{address} is no address of a serial port ({reason})."),
    say("Use a device such as /dev/serial/by-id/… or a URL such as socket://host:port."),
    say("The dice tray is not in use."),
    say("The dice tray cannot be used: {reason}."),
    say("Install trueroll again (make install), then restart it."),
    say("The port of the dice tray is open; waiting for the tray to answer."),
    say("The dice tray is connected but says nothing any more."),
    say(
        "Nothing is lost: enter dice by hand. If it does not come back by itself, unplug the tray and plug it in again."
    ),
    say("Something is connected, but it does not answer as a dice tray does."),
    say(
        "Check that this is the tray's port, that no other program reads it, and that the tray's firmware is "
        "installed. A plain tray shows up with its first throw."
    ),
    say("A plain dice tray is sending lines of text. It has no checksum, so look at what it reads."),
    say("The tray says that {part} fails."),
    say("Enter the dice that it cannot read by hand, and have the tray looked after."),
    say("Dice tray {tray} is ready: {places} places for dice, firmware {firmware}."),
    say("Update the tray's firmware, or enter dice by hand until then."),
    say("Update trueroll, or enter dice by hand until then."),
    say("The dice tray speaks version {version} of the tray protocol; this trueroll speaks version {own}."),
    say("It reported a die of a kind that this trueroll does not know. Update trueroll."),
    say(
        "Nobody has taught the dice in places {first} and {last}. Teach them on the tray's page, or enter them by hand."
    ),
    say("Nobody has taught the die in place {place}. Teach it on the tray's page, or enter it by hand."),
    say(
        "Dice lie on the tray that it did not see thrown. If they are this throw, throw them again or enter them "
        "by hand."
    ),
    say("the die in place {place}"),
    say("No port of a dice tray is open now."),
    say("Plug the tray in, then try again."),
    say("{count} look on already."),
    say("End one of them first."),
)
"""`firmware_bridge`: the link, the supervisor and what the tray says of itself."""

TAGS: Final[tuple[Phrase, ...]] = (
    say("The file of taught dice was changed by hand and has been read anew."),
    say("Mend the file, or move it away and teach the dice again."),
    say("Call it as you would at the table, for example Red d20."),
    say("Look at the list of dice again."),
    say("Give one of them another name."),
    say("{die} is complete."),
    say("Step {step} of {steps}: lay the die on the tray with {face} up."),
    say("Step {step} of {steps}: lay down the tag for {face}, alone."),
    say("The tray reads no tag."),
    say("Lay the die on a reader. If it lies there, move it to the middle of the place."),
    say("Something lies on places {places}."),
    say("Leave only the die that is being taught."),
    say("A Challenge Die can only be taught by the face that is up."),
    say("Its opposite sides follow no sum."),
    say("{die} has all its sides already."),
    say("Lay the die flat, let go, and try again."),
    say("This is the tag that was just taught as {face}."),
    say("Turn it so that it shows {now}, or undo a step if {before} was wrong."),
    say("This tag belongs to {die} already."),
    say("Lay the right die there. If this is {die}, teach that one again or forget it first."),
    say("There is no step to undo."),
    say("tag {tag}, not taught yet"),
    say("{die}, {face} up"),
)
"""`firmware_bridge`: teaching the tray which tag is which face."""

PANEL: Final[tuple[Phrase, ...]] = (
    say("Everything the panel does can be done by keyboard, touch screen and phone."),
    say("Every part of the panel is set as not fitted, so there is no panel."),
    say("For a panel, set the pins of the parts that are there."),
    say("This computer ({model}) has no Raspberry Pi pins, so there is no panel."),
    say("This computer has no Raspberry Pi pins, so there is no panel."),
    say("For a panel, run trueroll on a Raspberry Pi."),
    say("The panel's library gpiozero cannot be loaded ({reason})."),
    say("Install trueroll again with 'make install'."),
    say("The pins of this Raspberry Pi need lgpio, which cannot be loaded ({reason})."),
    say("Install it beside trueroll with '.venv/bin/pip install lgpio'."),
    say("The pins of this Raspberry Pi cannot be opened ({reason})."),
    say(
        "Put the person or service running trueroll into the group 'gpio', and start it in a folder that it may write "
        "to, for lgpio keeps a pipe there."
    ),
    say("The pins that GPIOZERO_PIN_FACTORY={named} names cannot be opened ({reason})."),
    say("Unset GPIOZERO_PIN_FACTORY to use this board's own pins, or correct it."),
    say("The panel's pins cannot be used ({reason})."),
    say(
        "Check that no other program uses them, that the pins in the settings are the ones wired, and that the person "
        "or service running trueroll is in the group 'gpio'."
    ),
    say("With buttons and a lamp on GPIO pins, a roll needs no screen."),
    say(
        "{use} is set to {pin}, which is no GPIO of the header; choose from 4 to 27, or -1 for a part that is not "
        "there."
    ),
    say("GPIO {pin} is set for {use} but belongs to {owner}; choose another for {same}."),
    say("GPIO {pin} is set for both {one} and {other}; give one of them another."),
    say("the confirm button"),
    say("the undo button"),
    say("the repeat button"),
    say("the next button"),
    say("the previous button"),
    say("the lamp's red"),
    say("the lamp's green"),
    say("the lamp's blue"),
    say("the ring light"),
    say("the buzzer"),
    say("The confirm button"),
    say("The undo button"),
    say("The repeat button"),
    say("The next button"),
    say("The previous button"),
    say("The lamp's red"),
    say("The lamp's green"),
    say("The lamp's blue"),
    say("The ring light"),
    say("The buzzer"),
    say("the identity chip of add-on boards"),
    say("the I2C bus, whose pull-up resistor cannot be turned off"),
    say("the serial console, which sends text at start-up"),
    say("the serial console, which listens at start-up"),
)
"""`hardware`: the panel."""

CONDITIONS: Final = (*TRAY, *TAGS, *PANEL, *CAMERA)
"""Every sentence that comes from a folder which knows nothing of languages."""
