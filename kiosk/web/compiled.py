"""Templates as Jinja compiled them, kept as Python keeps modules: beside them in `__pycache__`, where it may write.

To compile what the first pages need takes ten times as long as to show them, and 2 MB that stay. What is kept serves
until a template changes, the code that it was compiled with, or Jinja or Python themselves.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import marshal
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import CodeType
from typing import Final

import jinja2
import markupsafe
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from rules import words

COMPILED_WITH: Final = (
    *(Path(__file__).parents[1] / one for one in ("web", "views", "i18n")),
    *(Path(inspect.getfile(one)).parent for one in (words, jinja2, markupsafe)),
)
"""Where the filters and the compiler lie: what Jinja works out once of words that never change is in what is kept."""

SEAL_BYTES: Final = hashlib.sha256().digest_size
"""What stands before the code: it answers for the code and for all that it was compiled of."""


class KeptTemplates(BytecodeCache):
    """What was compiled of the templates in `folder`. Where nothing can be kept or read, they are compiled anew."""

    def __init__(self, folder: Path) -> None:
        self.folder: Final = folder / "__pycache__"
        self._compiler = _compiler()  # of the code that this process runs: a later one on the disk is not what compiles

    def get_cache_key(self, name: str, filename: str | None = None) -> str:  # noqa: ARG002 - Jinja's signature
        """The template's name: all of them lie in one folder."""
        return name

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what is kept, if it is whole and of this very template."""
        with suppress(OSError):
            kept = self._file(bucket).read_bytes()
            seal, code = kept[:SEAL_BYTES], kept[SEAL_BYTES:]
            if seal == self._seal(bucket, code):
                bucket.code = marshal.loads(code)  # noqa: S302 - as Python's own modules, from where only their owner writes

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled, unless Python is told to keep nothing. Torn by a pulled plug, its seal is broken."""
        if sys.dont_write_bytecode or not isinstance(bucket.code, CodeType):
            return
        code = marshal.dumps(bucket.code)
        file = self._file(bucket)
        beside = file.with_name(f"{file.name}.{os.getpid()}")
        with suppress(OSError):
            self.folder.mkdir(exist_ok=True)
            try:
                beside.write_bytes(self._seal(bucket, code) + code)
                beside.replace(file)
            finally:
                beside.unlink(missing_ok=True)

    def _file(self, bucket: Bucket) -> Path:
        return self.folder / f"{bucket.key}.{sys.implementation.cache_tag}"

    def _seal(self, bucket: Bucket, code: bytes) -> bytes:
        return hashlib.sha256(b"\0".join((*self._compiler, bucket.checksum.encode(), code))).digest()


def _compiler() -> tuple[bytes, ...]:
    """What a template's code depends on besides the template."""
    files = (f"{path} {size} {changed}" for path, size, changed in sorted(_files()))
    return importlib.util.MAGIC_NUMBER, *(one.encode() for one in files)


def _files() -> Iterator[tuple[str, int, int]]:
    for folder in COMPILED_WITH:
        with os.scandir(folder) as found:
            for one in found:
                if one.name.endswith(".py"):
                    there = one.stat()
                    yield f"{folder.name}/{one.name}", there.st_size, there.st_mtime_ns
