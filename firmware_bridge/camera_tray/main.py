"""The camera tray's program, for MicroPython: copy this one file to the board. docs/camera-tray.md says how.

It looks at the tray with the board's camera, finds out when dice roll and when they have come to rest, and sends the
picture of the dice at rest by the tray protocol 1.1 (docs/tray-protocol.md). It reads no die itself.

Boards: OpenMV (`Csi`), and an ESP32-S3 with a camera under the firmware of micropython-camera-API (`Esp`). The first
lines below `Settings` are what an owner may change. Neither was tried on a real board; the tests run this file on
MicroPython's Unix port with a stand-in camera. It names no types: MicroPython would keep them in its memory.
"""

import binascii
import io
import os
import select
import struct
import sys
import time

# Settings

LIGHT_PIN = 1
"""The pin of the lamp ring (WS2812); None without one. On an OpenMV its pins have names, such as "P7"."""
LIGHT_LAMPS = 12
"""How many lamps the ring has."""
LIGHT = (70, 70, 64)
"""Red, green and blue of each lamp, 0 to 255. Twelve of them so take 200 mA, and the board 250: USB gives 500."""
MIRRORED = False
"""Whether the camera's picture has to be turned round like a page: of a mirrored picture no d20 is read."""

# What counts as motion and as rest

LEVEL = 24
"""How many of 256 greys a sample has to change by; noise in a lit tray stays under half of it."""
MOVED = 4
"""Samples that have to change; a die covers at least six."""
SETTLE = 400
"""Milliseconds without a change after which dice lie still."""
_DARKEST, _BRIGHTEST = 16, 240
"""The mean grey below and above which no die can be read."""
LOOK_EVERY = 66
"""Milliseconds between two looks."""

# The protocol

_HELLO_REQ, _PING, _ACK, _SNAPSHOT, _RING, _CONFIG, _RESET, _WANT = 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x09
"""The types of frames that the host sends (docs/tray-protocol.md)."""
_HELLO, _PONG, _BEAT, _RESULT, _FAULT, _PICTURE, _CHUNK, _SCENE = 0x81, 0x82, 0x85, 0x86, 0x87, 0x89, 0x8A, 0x8B
"""The types of frames that the tray sends."""
_FIRMWARE = 0x0100
"""Version 1.0: the major number in the upper byte."""
_CAPABILITIES = 32
"""What HELLO says that the tray can: pictures alone."""
_CAUSE_UNKNOWN = 0
"""Why it restarted, as far as it knows."""
_RESET_MAGIC = b"\xa5\x5a"
"""What RESET has to hold, so that no noise restarts the tray."""
_CAMERA_FAILS, _WHOLE_TRAY = 7, 0xFF
"""The code of the camera's FAULT, and the slot that stands for the whole tray."""
_NO_OVERRUNS = 0
"""Bytes of the host that were lost: none, because USB waits until the board takes them."""
_UNKNOWN = 1
"""The RESULT of a command that the tray does not know."""
_REST, _ROLLING, _DARK = 0, 1, 2
"""What SCENE says of the picture: at rest, in motion, too dark or too bright."""
_MOST_STUFFED = 53
"""Bytes of the longest frame that a host sends, stuffed by COBS."""
PIECE = 1024
"""Bytes of a picture in one chunk."""
BURST = 8
"""Chunks between two looks at what the host says."""
_BEAT_EVERY, _REPEAT_EVERY, _FAULT_EVERY = 500, 225, 5000
"""Milliseconds between two of BEAT, of a repeated PICTURE, of FAULT."""
LISTEN = 5
"""Milliseconds that the tray waits for the host's bytes at a time."""

# MicroPython's prompt, for tools that copy another program

_WISH = b"\r\x03\r\x01"
"""What mpremote sends first, and no host: the bytes of a frame end with 0."""
_WISH_RESTS = 50
"""Milliseconds without another byte that make it a wish, so that a damaged frame is none."""
_PROMPT = b"raw REPL; CTRL-B to exit\r\n>"
"""What the prompt says of itself, as `pyexec` of MicroPython does."""
_PROMPT_LASTS = 20000
"""Milliseconds without a byte after which nobody is there any more, and the tray goes on."""
_MOST_TYPED = 32768
"""Bytes of code that are kept; more is an error at its end, as where MicroPython's own prompt has no memory left."""


def crc16(data):
    """CRC-16/CCITT-FALSE."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021) & 0xFFFF if crc & 0x8000 else crc << 1
    return crc


def stuffed(data):
    """COBS of `data` (bytes)."""
    out, start, size = bytearray(), 0, len(data)
    while True:
        end = data.find(b"\x00", start)
        if end < 0:
            end = size
        while end - start >= 254:
            out.append(255)
            out += data[start : start + 254]
            start += 254
        out.append(end - start + 1)
        out += data[start:end]
        if end == size:
            return out
        start = end + 1


def unstuffed(data):
    """What was stuffed; None for what no stuffing makes."""
    out, at, size = bytearray(), 0, len(data)
    while at < size:
        count = data[at]
        if count == 0 or at + count > size:
            return None
        out += data[at + 1 : at + count]
        at += count
        if count < 255 and at < size:
            out.append(0)
    return out


def framed(code, sequence, payload):
    """One frame as it goes over the wire."""
    body = bytes((code, sequence)) + payload
    check = struct.pack("<I", binascii.crc32(body)) if code == _CHUNK else struct.pack("<H", crc16(body))
    return b"\x00" + bytes(stuffed(body + check)) + b"\x00"


class Frames:
    """Finds the host's frames in what arrives."""

    def __init__(self):
        self._pending = bytearray()
        self._skipping = False
        self._newest = b""
        self.bad_checksum = 0
        self.overlong = 0
        self.malformed = 0
        self.short = 0

    def wish(self):
        """Whether a tool asks for MicroPython's prompt in place of frames."""
        return self._newest == _WISH

    def feed(self, data):
        """The frames that `data` completes, each as (type, sequence, payload)."""
        found = []
        self._newest = (self._newest + bytes(data))[-len(_WISH) :]
        for byte in data:
            if byte:
                if len(self._pending) < _MOST_STUFFED:
                    self._pending.append(byte)
                elif not self._skipping:
                    self._skipping = True
                    self.overlong = self.overlong + 1 & 0xFFFF
                continue
            pending, self._pending = self._pending, bytearray()
            skipping, self._skipping = self._skipping, False
            if skipping or not pending:
                continue
            body = unstuffed(pending)
            if body is None:
                self.malformed = self.malformed + 1 & 0xFFFF
            elif len(body) < 4:
                self.short = self.short + 1 & 0xFFFF
            elif crc16(body[:-2]) == body[-2] | body[-1] << 8:
                found.append((body[0], body[1], bytes(body[2:-2])))
            else:
                self.bad_checksum = self.bad_checksum + 1 & 0xFFFF
        return found


class Motion:
    """Whether what the camera sees changes. A look is bytes of greys; each is compared with the one before."""

    def __init__(self):
        self._before = None
        self.mean = 128

    def moved(self, look):
        """Whether `look` differs from the look before it."""
        before, self._before = self._before, look
        step = max(len(look) // 1200, 1)
        if step > 1:
            step |= 1  # an odd step does not stand on the same columns of each row
        total = samples = changed = 0
        for at in range(0, len(look), step):
            grey = look[at]
            total += grey
            samples += 1
            if before is not None and not -LEVEL < grey - before[at] < LEVEL:
                changed += 1
        self.mean = total // samples
        return changed >= MOVED


class Tray:
    """The tray's side of the protocol. `eyes` look and take pictures, `wire` carries bytes, `clock` is milliseconds."""

    def __init__(self, eyes, wire, clock, tray_id, boot_id):
        self._eyes, self._wire, self._clock = eyes, wire, clock
        self._tray_id, self._boot_id = tray_id, boot_id
        self._last, self._uptime = clock(), 0
        self._frames, self._motion = Frames(), Motion()
        self._sequence = self._event = self._roll = 0
        self._known = False
        self._scene = _REST
        self._since = self._still_since = self._blind_until = 0
        self._picture, self._announce, self._acknowledged = b"", b"", True
        self._picture_event = 0
        self._want = (0, 0)
        self._beat_at = self._repeat_at = self._look_at = 50
        self._fault_at = -1
        self._unsent = self._camera_errors = 0
        self._heard_at = 0

    def wish(self):
        """Whether a tool asks for MicroPython's prompt: to be served before the next step, which begins anew."""
        if not self._frames.wish() or self._uptime - self._heard_at < _WISH_RESTS:
            return False
        self._frames, self._known = Frames(), False
        return True

    def step(self):
        """Do what is due, and wait a little for the host. Returns False once it asked for a restart."""
        now = self._clock()
        self._uptime += time.ticks_diff(now, self._last)
        self._last = now
        wanted = self._want[0] < self._want[1]
        going_on = True
        heard = self._wire.read(0 if wanted else LISTEN)
        if heard:
            self._heard_at = self._uptime
        for code, sequence, payload in self._frames.feed(heard):
            going_on = self._hear(code, sequence, payload) and going_on
        for _ in range(BURST):
            self._send_piece()
        if not wanted and self._uptime >= self._look_at:
            self._look_at = self._uptime + LOOK_EVERY
            self._look()
        self._tell()
        return going_on

    def _say(self, code, layout, *fields):
        self._send(framed(code, self._next(), struct.pack("<" + layout, *fields)))

    def _next(self):
        self._sequence = self._sequence + 1 & 0xFF
        return self._sequence

    def _send(self, data):
        if not self._wire.write(data):
            self._unsent = self._unsent + 1 & 0xFFFF

    def _hello(self, nonce):
        self._say(
            _HELLO,
            "BBHHIIBBHI",
            *(1, 1, nonce, _FIRMWARE, self._tray_id, self._boot_id, _CAUSE_UNKNOWN, 0, _CAPABILITIES),
            self._uptime & 0xFFFFFFFF,
        )

    def _hear(self, code, sequence, payload):
        if code == _HELLO_REQ and len(payload) >= 4:
            self._hello(struct.unpack_from("<H", payload, 2)[0])
        elif code == _PING and len(payload) >= 2:
            self._say(_PONG, "H", struct.unpack_from("<H", payload)[0])
        elif code == _ACK and len(payload) >= 2:
            if struct.unpack_from("<H", payload)[0] == self._picture_event:
                self._acknowledged = True
        elif code == _SNAPSHOT and len(payload) >= 4:
            if struct.unpack_from("<I", payload)[0] == self._boot_id:
                self._known, self._acknowledged = True, not self._announce
                self._repeat_at = self._uptime
        elif code == _WANT and len(payload) >= 10:
            event, offset, length = struct.unpack_from("<HII", payload)
            if event == self._picture_event and self._picture:
                self._want = (offset, min(offset + length, len(self._picture)))
        elif code in (_RING, _CONFIG):
            self._say(_RESULT, "BBB", sequence, code, _UNKNOWN)
        return code != _RESET or payload[:2] != _RESET_MAGIC

    def _send_piece(self):
        start, end = self._want
        if start >= end:
            return
        stop = min(start + PIECE, end)
        head = struct.pack("<HI", self._picture_event, start)
        self._want = (stop, end)
        self._send(framed(_CHUNK, self._next(), head + self._picture[start:stop]))

    def _look(self):
        try:
            moved = self._motion.moved(self._eyes.look())
            if moved and self._uptime >= self._blind_until:
                self._still_since = self._uptime
                if self._scene != _ROLLING:
                    self._roll = self._roll % 0xFFFF + 1
                    self._become(_ROLLING)
            elif self._scene == _ROLLING and self._uptime - self._still_since >= SETTLE:
                self._take_picture()
            elif self._scene != _ROLLING:
                self._become(_REST if _DARKEST <= self._motion.mean <= _BRIGHTEST else _DARK)
        except (OSError, RuntimeError, MemoryError):  # what cameras and their drivers raise
            self._camera_errors = self._camera_errors + 1 & 0xFFFF
            if self._fault_at < 0:
                self._fault_at = self._uptime
            return
        self._fault_at = -1

    def _take_picture(self):
        rested = self._uptime
        data, width, height = self._eyes.picture()
        self._blind_until = rested + time.ticks_diff(self._clock(), self._last) + self._eyes.BLIND
        self._event = self._event + 1 & 0xFFFF
        self._picture, self._picture_event, self._want = data, self._event, (0, 0)
        self._announce = struct.pack(
            "<HHIIHHI", self._event, self._roll, len(data), binascii.crc32(data), width, height, rested & 0xFFFFFFFF
        )
        self._acknowledged, self._repeat_at = False, rested
        self._become(_REST)

    def _become(self, scene):
        if scene != self._scene:
            self._scene, self._since = scene, self._uptime
            if self._known:
                self._say_scene()

    def _say_scene(self):
        self._say(_SCENE, "BHI", self._scene, self._roll, self._since & 0xFFFFFFFF)

    def _tell(self):
        if self._uptime >= self._beat_at:
            self._beat_at = self._uptime + _BEAT_EVERY
            if not self._known:
                self._hello(0)
                return
            frames = self._frames
            self._say(
                _BEAT,
                "IHHHHHHHH",
                *(self._uptime & 0xFFFFFFFF, self._event, frames.bad_checksum, frames.overlong),
                *(self._unsent, self._camera_errors, frames.malformed, frames.short, _NO_OVERRUNS),
            )
            self._say_scene()
        if not self._known:
            return
        if not self._acknowledged and self._uptime >= self._repeat_at and self._want[0] >= self._want[1]:
            self._repeat_at = self._uptime + _REPEAT_EVERY
            self._send(framed(_PICTURE, self._next(), self._announce))
        if 0 <= self._fault_at <= self._uptime:
            self._fault_at = self._uptime + _FAULT_EVERY
            self._say(_FAULT, "BBH", _CAMERA_FAILS, _WHOLE_TRAY, self._camera_errors)


class Console:
    """The board's own USB port, as MicroPython's standard input and output."""

    PATIENCE = 200
    """Milliseconds that a write waits for a host that takes nothing; then the frame is lost, as on a real wire."""

    def __init__(self, source, sink):
        self._source, self._sink = source, sink
        self._incoming, self._outgoing = select.poll(), select.poll()
        self._incoming.register(source, select.POLLIN)
        self._outgoing.register(sink, select.POLLOUT)
        self._stuck = False

    def read(self, patience):
        """What has arrived, waiting up to `patience` milliseconds for the first byte."""
        out = bytearray()
        try:
            while len(out) < 256 and self._incoming.poll(0 if out else patience):
                byte = self._source.read(1)  # a longer read would wait for all of it
                if not byte:
                    break
                out += byte
        except OSError:  # nobody has the port open
            time.sleep_ms(20)
        return out

    def write(self, data):
        """Send `data`; whether all of it went."""
        rest = memoryview(data)
        end = time.ticks_add(time.ticks_ms(), 0 if self._stuck else self.PATIENCE)
        try:
            while rest:
                if self._outgoing.poll(1):
                    sent = self._sink.write(rest)
                    rest = rest[sent or 0 :]
                if rest and time.ticks_diff(end, time.ticks_ms()) <= 0:
                    self._stuck = True
                    return False
        except OSError:
            self._stuck = True
            return False
        self._stuck = False
        return True


class Vcp:
    """The USB port of an OpenMV, or of another board with `pyb`."""

    def __init__(self, port):
        port.setinterrupt(-1)  # 0x03 is a byte like any other
        self._port = port

    def read(self, patience):
        """See `Console`."""
        waiting = self._port.any()
        if not waiting:
            time.sleep_ms(patience)
            waiting = self._port.any()
        return self._port.read(waiting) if waiting else b""

    def write(self, data):
        """See `Console`."""
        return self._port.send(data, timeout=Console.PATIENCE) == len(data)


class Prompt:
    """MicroPython's raw prompt, as mpremote speaks to it: the board's own is shut while 0x03 is a byte like any other.

    So another program is copied onto a tray that runs.
    """

    def __init__(self, wire, feed):
        self._wire, self._feed = wire, feed
        self._names = {"__name__": "__main__"}
        self._code, self._swallow = bytearray(), 0

    def serve(self):
        """Until it is left, or nobody is there any more."""
        heard_at = time.ticks_ms()
        self._wire.write(_PROMPT)
        while time.ticks_diff(time.ticks_ms(), heard_at) < _PROMPT_LASTS:
            self._feed()
            for byte in self._wire.read(LISTEN):
                heard_at = time.ticks_ms()
                if byte == 2 and not self._swallow:
                    return
                self._typed(byte)

    def _typed(self, byte):
        if self._swallow:
            self._swallow -= 1
            if not self._swallow:
                self._wire.write(b"R\x00")  # pasting by windows is understood, and not done
        elif byte in (1, 3):
            self._code = bytearray()
            self._wire.write(_PROMPT if byte == 1 else b"")
        elif byte == 5 and not self._code:
            self._swallow = 2
        elif byte != 4:
            if len(self._code) <= _MOST_TYPED:
                self._code.append(byte)
        elif self._code.strip():
            code, self._code = self._code, bytearray()
            self._run(code)
        else:  # a tool's soft reset, so that nothing of another program is left: nothing is
            self._wire.write(b"OK\r\nMPY: soft reboot\r\n" + _PROMPT)

    def _run(self, code):
        self._wire.write(b"OK")
        told = io.StringIO()
        try:
            if len(code) > _MOST_TYPED:
                raise MemoryError("more code than the tray keeps")  # noqa: TRY301 - told as what the code itself raises
            exec(code.decode(), self._names)  # noqa: S102 - that is what a prompt is for
        except Exception as error:  # noqa: BLE001 - it is told to whoever typed
            sys.print_exception(error, told)
        self._wire.write(b"\x04" + told.getvalue().encode() + b"\x04>")


class Csi:
    """An OpenMV's camera: greys by pooling a picture, and the next one as JPEG. One mode for both: nothing switches."""

    BLIND = 0
    """Milliseconds after a picture in which a change is the camera's own."""

    def __init__(self, sensor):
        sensor.reset()
        sensor.set_pixformat(sensor.GRAYSCALE)
        sensor.set_framesize(sensor.SXGA)
        sensor.set_hmirror(MIRRORED)
        sensor.skip_frames(time=1500)
        sensor.set_auto_gain(False)
        sensor.set_auto_exposure(False)
        self._sensor = sensor

    def look(self):
        """Greys, row by row."""
        return self._sensor.snapshot().mean_pooled(16, 16).bytearray()

    def picture(self):
        """A JPEG file, its width and its height."""
        image = self._sensor.snapshot()
        width, height = image.width(), image.height()
        return bytes(image.to_jpeg(quality=85).bytearray()), width, height


class Esp:
    """The camera of an ESP32-S3. It has no JPEG and greys at once, so that a picture takes it some 0.3 s more."""

    BLIND = 300
    """See `Csi`: it comes back from another mode. Dice that are thrown meanwhile still roll when it is over."""

    def __init__(self, camera):
        self._kinds = camera
        self._camera = camera.Camera(
            pixel_format=camera.PixelFormat.GRAYSCALE, frame_size=camera.FrameSize.QQVGA, fb_count=1
        )
        self._camera.set_hmirror(MIRRORED)

    def look(self):
        """Greys, row by row."""
        return bytes(self._camera.capture())

    def picture(self):
        """A JPEG file, its width and its height."""
        kinds, camera = self._kinds, self._camera
        camera.reconfigure(pixel_format=kinds.PixelFormat.JPEG, frame_size=kinds.FrameSize.SXGA)
        try:
            for _ in range(2):  # the first picture of a mode has the exposure of the other
                camera.capture()
                camera.free_buffer()
            data = bytes(camera.capture())
            width, height = camera.get_pixel_width(), camera.get_pixel_height()
        finally:
            camera.reconfigure(pixel_format=kinds.PixelFormat.GRAYSCALE, frame_size=kinds.FrameSize.QQVGA)
        return data, width, height


def lit():
    """Light the ring."""
    if LIGHT_PIN is None:
        return
    try:
        import machine
        import neopixel

        ring = neopixel.NeoPixel(machine.Pin(LIGHT_PIN, machine.Pin.OUT), LIGHT_LAMPS)
        ring.fill(LIGHT)
        ring.write()
    except (ImportError, OSError, ValueError):  # no such pin or driver here: the tray works by the room's light
        return


def run(eyes, wire, tray_id, boot_id, feed=lambda: None):
    """Be a tray until the host asks for a restart."""
    tray = Tray(eyes, wire, time.ticks_ms, tray_id, boot_id)
    while tray.step():
        feed()
        if tray.wish():
            Prompt(wire, feed).serve()


def openmv_port():
    """The USB port of an OpenMV. Those without an STM32, as the RT1062, have no `pyb`, and some only a part of it."""
    try:
        import pyb

        return Vcp(pyb.USB_VCP())
    except (ImportError, AttributeError):
        return console()


def console():
    """The board's own port, with 0x03 a byte like any other."""
    import micropython

    micropython.kbd_intr(-1)
    return Console(sys.stdin.buffer, sys.stdout.buffer)


def board():
    """The board's camera and its port, by what can be imported here: each kind of board has its own camera."""
    try:
        import sensor
    except ImportError:
        sensor = None
    if sensor is not None:
        return Csi(sensor), openmv_port()
    try:
        import camera
    except ImportError:
        raise RuntimeError("no camera: neither `sensor` nor `camera` is here; see docs/camera-tray.md") from None
    return Esp(camera), console()


def main():
    """Find the board's camera and port, and be a tray."""
    import machine

    lit()
    eyes, wire = board()
    watchdog = machine.WDT(timeout=8000)
    boot_id = struct.unpack("<I", os.urandom(4))[0]
    run(eyes, wire, binascii.crc32(machine.unique_id()) or 1, boot_id, watchdog.feed)
    machine.reset()


if __name__ == "__main__":
    main()
