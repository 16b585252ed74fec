"""Addresses as people may see them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rules.words import masked, masked_address


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("rtsp://me:secret@camera.local/stream", "rtsp://***@camera.local/stream"),
        ("rtsp://secret@camera.local:554/stream", "rtsp://***@camera.local:554/stream"),
        ("rtsp://me:se/cr?e#t@camera/1", "rtsp://***@camera/1"),
        ("rtsp://admin:it's@cam/s", "rtsp://***@cam/s"),
        ("rtsp://admin:my pass@cam/s", "rtsp://***@cam/s"),
        ("rtsp://admin:a<b@cam/s", "rtsp://***@cam/s"),
        ('rtsp://admin:a"b@cam/s', "rtsp://***@cam/s"),
        ("rtsp://me:a://b@camera/1", "rtsp://***@camera/1"),
        ("http://u:p@[::1]:80/x?pwd=z", "http://***@[::1]:80/x?***"),
        ("http://camera/x?token=secret&password=secret#secret", "http://camera/x?***"),
        ("http://camera/s?token=abc/def+ghi==", "http://camera/s?***"),
        ("http://camera/s?pw=ab!!", "http://camera/s?***"),
        ("http://camera/s?secret", "http://camera/s?***"),
        ("http://camera/x#secret", "http://camera/x#***"),
        ("http://camera/user=a&password=b/c", "http://camera/user=***"),
        ("http://camera/?pw=sec@ret", "http://***"),
        ("http://sec/ret@camera/", "http://***"),
        ("http://[fe80::1]:80/?pw=sec@ret", "http://***"),
        ("http://camera/?to=http://u:secret@other/x", "http://***"),
        ("socket://a:1,socket://u:secret@b:2", "socket://a:1,socket://***@b:2"),
        ("http://h1/x?pw=1,http://h2/y", "http://h1/x?***,http://h2/y"),
        ("/dev/ttyACM0 socket://u:secret@b:2 socket://c:3", "/dev/ttyACM0 socket://***@b:2 socket://c:3"),
        ("RTSP://U:secret@H", "RTSP://***@H"),
        ("http://camera:8080/a/b.mjpg", "http://camera:8080/a/b.mjpg"),
        ("hwgrep://2341:0043", "hwgrep://2341:0043"),
        ("/dev/video0", "/dev/video0"),
        ("ada@bridge?a=b", "ada@bridge?a=b"),
        ("loop://", "loop://"),
    ],
)
def test_what_lets_somebody_in_is_hidden_in_a_setting_and_in_a_sentence(text: str, shown: str) -> None:
    assert masked_address(text) == masked(text) == shown
    assert masked_address(shown) == masked(shown) == shown
    assert masked(f"'{shown}' is gone.") == f"'{shown}' is gone."
    assert masked(f"No tray at {shown}. Plug it in.") == f"No tray at {shown}. Plug it in."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("No tray at socket://u:secret@127.0.0.1:9.", "No tray at socket://***@127.0.0.1:9."),
        ("Error('http://h/x?k=secret'), then", "Error('http://h/x?***'), then"),
        ("Error('rtsp://u:it's@h/x'), then", "Error('rtsp://***@h/x'), then"),
        ("see (http://h/a) or <http://h/b>", "see (http://h/a) or <http://h/b>"),
        ("see (http://h/a)=http://h/?k=secret", "see (http://h/a)=***"),
        ("see http://h/a to=http://h/?k=secret", "see http://h/a to=http://h/?***"),
        ("a://u:secret@h b://u:secret@h", "a://***@h b://***@h"),
        ("at http://h/a\nat=http://h/?secret\n b@c", "at http://h/a\nat=http://h/?***\n b@c"),
        ("rtsp://u:secret@cam/x: refused; ask bob@home", "rtsp://***@home"),
        ("http://h/x?k=ab!!. Then", "http://h/x?***"),
        ("No tray at socket://h:1?pw=my secret", "No tray at socket://h:1?***"),
        ("Error('http://h/x?pw=my sec ret'), then", "Error('http://h/x?***'), then"),
        ("http://h/x?pw= secret", "http://h/x?***"),
        ("http://h/?pw=a@b secret", "http://***"),
    ],
)
def test_what_lets_somebody_in_is_hidden_in_the_sentences_of_others(text: str, shown: str) -> None:
    assert masked(text) == shown
    assert masked(shown) == shown


SECRET = some.text(some.characters(codec="utf-8", exclude_characters="xyz"), min_size=1, max_size=8)
"""Signs of any kind, put between two that are looked for."""


@given(
    SECRET, some.sampled_from(["rtsp://me:{}@cam/s", "rtsp://{}@cam:554", "http://cam/s?pw={}", "rtsp://cam/pw={}&a=1"])
)
def test_no_sign_in_a_secret_makes_a_setting_show_it(secret: str, address: str) -> None:
    shown = masked_address(address.format(f"x{secret}y" if "://" not in secret else "x"))
    assert not {"x", "y"} & set(shown)


@pytest.mark.parametrize("sign", ["x", "://", "a://", "a://b@ ", "@", "=http://h/?k", "'a://b' "])
def test_a_long_word_costs_little(sign: str) -> None:
    """A line of the log may have one, as of a request's path, and no other thread runs meanwhile."""
    text = "http://" + sign * (100_000 // len(sign))
    began = time.process_time()
    for one in (text, text.removeprefix("http://")):
        masked(one)
        masked_address(one)
    assert time.process_time() - began < 2.0


def test_a_semicolon_after_an_address_belongs_to_the_sentence() -> None:
    said = "One answers at http://127.0.0.1:8080/; it may be of another folder."
    assert masked(said) == said
