"""Pages, scripts and tables go out compressed where a browser takes that: over a weak network they arrive sooner."""

from __future__ import annotations

import gzip
from functools import lru_cache
from http import HTTPStatus
from typing import Final

from flask import Response, request

WORDY: Final = frozenset(
    {
        "application/json",
        "application/manifest+json",
        "application/problem+json",
        "image/svg+xml",
        "text/css",
        "text/html",
        "text/javascript",
    }
)
"""Media types that shrink. Pictures, fonts and sound are compressed already, and live events must not wait."""

SMALL: Final = 1_000
"""Bytes below which it is not worth it."""

LEVEL: Final = 6
"""The usual level of zlib: the largest page takes a millisecond of a desktop's processor."""


def compressed(answer: Response) -> Response:
    """`answer` in gzip where whoever asked takes that, else as it was."""
    if answer.status_code != HTTPStatus.OK or answer.mimetype not in WORDY or request.method == "HEAD":
        return answer
    answer.vary.add("Accept-Encoding")
    if not request.accept_encodings.quality("gzip"):
        return answer
    answer.direct_passthrough = False  # a file is read here, not by the server
    whole = answer.get_data()
    if len(whole) < SMALL:
        return answer
    answer.set_data(_kept(whole) if answer.cache_control.immutable else _gzip(whole))
    answer.content_encoding = "gzip"
    etag, _ = answer.get_etag()
    if etag:
        answer.set_etag(etag, weak=True)  # the same words in other bytes
    return answer


def _gzip(whole: bytes) -> bytes:
    return gzip.compress(whole, LEVEL, mtime=0)


_kept: Final = lru_cache(64)(_gzip)
"""Cached for static content: each new screen asks for it. All of that are files of ours, which fill no memory."""
