"""The serial port: real pyserial on pseudo-terminals, loop:// and socket://, and every way of failing."""

from __future__ import annotations

import array
import fcntl
import os
import socket
import subprocess
import sys
import termios
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from firmware_bridge.errors import (
    AddressError,
    LinkLostError,
    PortBrokenError,
    PortBusyError,
    PortForbiddenError,
    PortMissingError,
    TrayError,
)
from firmware_bridge.link import SerialLink, open_link

TIOCGEXCL = 0x80045440
"""Linux: is the terminal reserved? Python's termios does not name it."""


@pytest.fixture
def pty() -> Iterator[tuple[int, str]]:
    master, slave = os.openpty()
    tty.setraw(slave)
    path = os.ttyname(slave)
    os.close(slave)
    yield master, path
    try:
        os.close(master)
    except OSError:
        assert True  # the test pulled the cable


def is_reserved(path: str) -> bool:
    file = os.open(path, os.O_RDWR | os.O_NOCTTY)
    try:
        answer = array.array("i", [0])
        fcntl.ioctl(file, TIOCGEXCL, answer)
        return bool(answer[0])
    finally:
        os.close(file)


def test_bytes_both_ways(pty: tuple[int, str]) -> None:
    master, path = pty
    link = open_link(path)
    link.write(b"\x00out\x00")
    assert os.read(master, 100) == b"\x00out\x00"
    os.write(master, b"\x00\x11\x13in\r\n\x00")
    assert link.read(5.0) == b"\x00\x11\x13in\r\n\x00"
    assert link.read(0.0) == b""
    link.close()
    link.close()


def test_a_waiting_read_can_be_woken(pty: tuple[int, str]) -> None:
    link = open_link(pty[1])
    threading.Timer(0.1, link.wake).start()
    start = time.monotonic()
    assert link.read(30.0) == b""
    assert time.monotonic() - start < 10
    link.close()
    link.wake()


def test_unplugged_is_link_lost_for_reading_and_writing(pty: tuple[int, str]) -> None:
    master, path = pty
    link = open_link(path)
    os.close(master)
    with pytest.raises(LinkLostError, match="is gone"):
        link.read(1.0)
    with pytest.raises(LinkLostError) as caught:
        link.write(b"x")
    assert isinstance(caught.value, ConnectionError)
    assert caught.value.remedy
    link.close()


@pytest.mark.parametrize("error", [serial.SerialException("x"), OSError(5, "x"), termios.error(25, "x")])
def test_all_three_kinds_of_failure_are_one(
    error: Exception, pty: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    link = open_link(pty[1])

    def fail(*_: object) -> int:
        raise error

    monkeypatch.setattr(serial.Serial, "write", fail)
    with pytest.raises(LinkLostError):
        link.write(b"x")
    link.close()


def test_a_frozen_device_is_named() -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    link = open_link(os.ttyname(slave))
    with pytest.raises(LinkLostError, match="has frozen"):
        link.write(b"x" * 400_000)
    link.close()
    os.close(slave)
    os.close(master)


def test_the_port_is_kept_from_others_and_given_back(pty: tuple[int, str]) -> None:
    path = pty[1]
    link = open_link(path)
    assert is_reserved(path)
    with pytest.raises(PortBusyError, match="Another program"):
        open_link(path)
    link.close()
    assert not is_reserved(path)
    open_link(path).close()


def test_a_refused_second_opener_leaves_the_first_alone(pty: tuple[int, str]) -> None:
    master, path = pty
    link = open_link(path)
    with pytest.raises(PortBusyError):
        open_link(path)
    os.write(master, b"still here")
    assert link.read(5.0) == b"still here"
    assert is_reserved(path)
    link.close()


def test_another_process_is_refused_too(pty: tuple[int, str]) -> None:
    link = open_link(pty[1])
    code = "import sys; from firmware_bridge.link import open_link; open_link(sys.argv[1])"
    run = subprocess.run([sys.executable, "-c", code, pty[1]], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "PortBusyError: Another program has the dice tray's port" in run.stderr
    assert f"(process {os.getpid()})." in run.stderr, "who holds it is named"
    link.close()


def test_closing_does_not_hang_up(pty: tuple[int, str]) -> None:
    file = os.open(pty[1], os.O_RDWR | os.O_NOCTTY)
    settings = termios.tcgetattr(file)
    settings[2] |= termios.HUPCL
    termios.tcsetattr(file, termios.TCSANOW, settings)
    assert termios.tcgetattr(file)[2] & termios.HUPCL
    link = open_link(pty[1])
    assert not termios.tcgetattr(file)[2] & termios.HUPCL
    os.close(file)
    link.close()


@pytest.mark.parametrize(
    ("address", "kind", "words"),
    [
        ("/dev/there-is-none", PortMissingError, "No dice tray is connected at /dev/there-is-none"),
        ("nonsense://x", AddressError, "no address"),
        ("loop://?speed=1", AddressError, "no address"),
        ("hwgrep://no such tray", PortMissingError, "No dice tray is connected"),
        ("", PortMissingError, "No dice tray is connected"),
        ("/dev/null", PortBrokenError, "will not open"),
        ("/", PortBrokenError, "will not open"),
        ("socket://127.0.0.1:1", PortBrokenError, "will not open"),
    ],
)
def test_what_will_not_open_says_why(address: str, kind: type[TrayError], words: str) -> None:
    with pytest.raises(kind, match=words) as caught:
        open_link(address)
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("number", "kind"), [(13, PortForbiddenError), (1, PortForbiddenError), (16, PortBusyError), (6, PortMissingError)]
)
def test_the_systems_refusals_are_named(number: int, kind: type[TrayError], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(kind) as caught:
        open_link("/dev/ttyACM7")
    assert caught.value.remedy


def test_a_loop_brings_back_what_was_sent() -> None:
    link = open_link("loop://")
    link.write(b"abc")
    assert link.read(1.0) == b"abc"
    assert link.read(0.0) == b""
    link.close()


def test_a_socket_works_and_its_end_is_a_loss() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        link: SerialLink = open_link(f"socket://127.0.0.1:{server.getsockname()[1]}")
        peer, _ = server.accept()
        peer.sendall(b"hello")
        assert link.read(5.0) == b"hello"
        link.write(b"answer")
        assert peer.recv(100) == b"answer"
        peer.close()
        with pytest.raises(LinkLostError):
            link.read(5.0)
        link.close()


def test_nothing_is_left_open(pty: tuple[int, str]) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(5):
        link = open_link(pty[1])
        link.read(0.0)
        with pytest.raises(PortBusyError):
            open_link(pty[1])
        link.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
