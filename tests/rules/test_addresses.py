"""Addresses as people may see them."""

from __future__ import annotations

import pytest

from rules.words import masked


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("rtsp://me:secret@camera.local/stream", "rtsp://***@camera.local/stream"),
        ("rtsp://secret@camera.local:554/stream", "rtsp://***@camera.local:554/stream"),
        ("rtsp://me:se/cr?e#t@camera/1", "rtsp://***@camera/1"),
        ("http://camera/x?token=secret&password=secret#secret", "http://camera/x?token=***&password=***#***"),
        ("http://camera?secret", "http://camera?***"),
        ("http://camera/?a=&secret;b=1=secret", "http://camera/?a=&***;b=***"),
        ("http://camera/x#id=secret", "http://camera/x#id=***"),
        ("rtsp://camera/user=admin&password=secret&channel=1.sdp", "rtsp://camera/user=***&password=***&channel=***"),
        ("No tray at socket://u:secret@127.0.0.1:9.", "No tray at socket://***@127.0.0.1:9."),
        ("Error('http://h/x?k=secret'), then", "Error('http://h/x?k=***'), then"),
        ("a://u:secret@h b://u:secret@h", "a://***@h b://***@h"),
        ("RTSP://U:secret@H", "RTSP://***@H"),
        ("http://camera:8080/a/b.mjpg", "http://camera:8080/a/b.mjpg"),
        ("/dev/video0", "/dev/video0"),
        ("ada@bridge?a=b", "ada@bridge?a=b"),
        ("loop://", "loop://"),
    ],
)
def test_what_lets_somebody_in_is_hidden(text: str, shown: str) -> None:
    assert masked(text) == shown
    assert masked(shown) == shown
