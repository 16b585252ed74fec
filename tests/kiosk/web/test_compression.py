"""What goes out compressed, and what does not."""

from __future__ import annotations

import gzip

import pytest
from flask.testing import FlaskClient

SCRIPT = "/static/js/shell.js"


@pytest.mark.parametrize("path", ["/play", SCRIPT, "/static/base.css", "/api/v1/openapi.json"])
def test_words_are_sent_in_a_third_of_their_bytes(client: FlaskClient, path: str) -> None:
    whole = client.get(path, buffered=True)
    small = client.get(path, headers={"Accept-Encoding": "br, gzip"}, buffered=True)
    assert "Content-Encoding" not in whole.headers
    assert small.headers["Content-Encoding"] == "gzip"
    assert small.content_length == len(small.data) < len(whole.data) / 2
    assert whole.headers["Vary"] == small.headers["Vary"]
    if path != "/play":  # a page is drawn with new keys
        assert gzip.decompress(small.data) == whole.data


@pytest.mark.parametrize(
    ("path", "accepted"), [("/play", "gzip;q=0"), ("/play", ""), ("/healthz", "gzip"), ("/static/app-192.png", "gzip")]
)
def test_the_rest_goes_out_as_it_is(client: FlaskClient, path: str, accepted: str) -> None:
    answer = client.get(path, headers={"Accept-Encoding": accepted}, buffered=True)
    assert (answer.status_code, "Content-Encoding" in answer.headers) == (200, False)


def test_what_a_browser_has_is_not_sent_again(client: FlaskClient) -> None:
    taken = {"Accept-Encoding": "gzip"}
    first = client.get(SCRIPT, headers=taken, buffered=True)
    again = client.get(SCRIPT, headers=taken | {"If-None-Match": first.headers["ETag"]}, buffered=True)
    assert (again.status_code, again.data) == (304, b"")
