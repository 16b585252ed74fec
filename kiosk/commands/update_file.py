"""One new version of trueroll in one file: wheels, the list of them, and a manifest with a checksum of each.

In: a folder of wheels with `requirements.txt`, which names each library with its version. Out: a zip whose
`manifest.json` comes last. A file that is not whole is never unpacked.

`python -m kiosk.commands.update_file FOLDER FILE` packs one; scripts/update-file.sh makes the folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import zipfile
from pathlib import Path
from typing import IO, Annotated, Final

import msgspec
from msgspec import Meta, Struct

from kiosk.storage.backup import BROKEN, Sha256
from kiosk.storage.replacing import sync

FORM: Final = 1
"""The form of the manifest that this version writes and reads."""
MANIFEST: Final = "manifest.json"
"""The file in an update that names the others."""
REQUIREMENTS: Final = "requirements.txt"
"""The file in an update that names each library, as pip reads it."""
CHUNK: Final = 1 << 18
"""Bytes copied at a time."""
MOST_FILES: Final = 1_000
"""Files in an update at most: some thirty libraries for a few versions of Python."""
MOST_BYTES: Final = 4 << 30
"""Bytes that an update may unpack to: OpenCV and NumPy for three versions of Python are a tenth of it."""
LARGEST_MANIFEST: Final = 1 << 20
"""Bytes of the longest manifest that is read."""
DIGITS_OF_NAME: Final = 8
"""Digits of the checksum in the name of an installed version: two builds of one version are told apart."""


class UpdateError(Exception):
    """An update or a way back that was not taken; the message says why, what still runs, and what to do."""


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file of an update. Its name has no folder."""

    name: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.+!-]*$")]
    size: Annotated[int, Meta(ge=0)]
    sha256: Sha256


class UpdateManifest(Struct, frozen=True, kw_only=True):
    """What an update brings: the version, and each file."""

    form: int
    version: Annotated[str, Meta(pattern=r"^[0-9][0-9A-Za-z.+]{0,39}$")]
    parts: tuple[Part, ...]

    @property
    def name(self) -> str:
        """What the installed version is called: the version, and digits that depend on every file."""
        digest = hashlib.sha256("".join(sorted(one.sha256 for one in self.parts)).encode())
        return f"{self.version}-{digest.hexdigest()[:DIGITS_OF_NAME]}"


def pack(folder: Path, file: Path) -> UpdateManifest:
    """Write the update that `folder` holds to `file`. Raises `UpdateError` where it holds none, or `OSError`."""
    own = sorted(folder.glob("trueroll-*.whl"))
    if len(own) != 1 or not (folder / REQUIREMENTS).is_file():
        raise UpdateError(f"{folder} must hold one wheel of trueroll and {REQUIREMENTS}.")
    files = sorted([*folder.glob("*.whl"), folder / REQUIREMENTS])
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:  # wheels are packed already
        manifest = UpdateManifest(form=FORM, version=own[0].name.split("-")[1], parts=tuple(map(_part, files)))
        for one in files:
            archive.write(one, one.name)
        archive.writestr(MANIFEST, json.dumps(msgspec.to_builtins(manifest), indent=1))
    return unpack(file)


def _part(path: Path) -> Part:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Part(name=path.name, size=path.stat().st_size, sha256=digest)


def manifest_of(file: Path) -> UpdateManifest:
    """The manifest of an update; its files are not looked at. Raises `UpdateError` for any other file."""
    try:
        with zipfile.ZipFile(file) as archive:
            return _manifest(archive)
    except OSError as error:
        raise UpdateError(f"{file} cannot be read: {error.strerror or error}. Nothing was changed.") from error
    except BROKEN as error:
        raise _no_update(file) from error


def unpack(file: Path, folder: Path | None = None) -> UpdateManifest:
    """Check every file of an update, and write each into `folder` if one is given.

    Raises `UpdateError` where a file is not as the manifest says; what was written until then is left.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            manifest = _manifest(archive)
            for part in manifest.parts:
                target = Path(os.devnull) if folder is None else folder / part.name
                with archive.open(part.name) as source, target.open("wb") as out:
                    if not _copied(source, out, part):
                        raise UpdateError(f"{file} is damaged: {part.name} is not as it was. Fetch it once more.")
            if folder is not None:
                sync(folder)
            return manifest
    except OSError as error:
        raise UpdateError(f"{file} cannot be unpacked: {error.strerror or error}. Nothing was changed.") from error
    except BROKEN as error:
        raise _no_update(file) from error


def _no_update(file: Path) -> UpdateError:
    return UpdateError(f"{file} is no update of trueroll, or a damaged one. Nothing was changed. Fetch it once more.")


def _copied(source: IO[bytes], out: IO[bytes], part: Part) -> bool:
    """Whether the copy is what the manifest says."""
    digest, size = hashlib.sha256(), 0
    while size <= part.size and (chunk := source.read(CHUNK)):
        size += len(chunk)
        digest.update(chunk)
        out.write(chunk)
    return size == part.size and digest.hexdigest() == part.sha256


def _manifest(archive: zipfile.ZipFile) -> UpdateManifest:
    if archive.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
        raise ValueError("too long a manifest")
    raw = json.loads(archive.read(MANIFEST))
    if isinstance(raw, dict) and isinstance(raw.get("form"), int) and raw["form"] > FORM:
        raise UpdateError("This update is of a later form. Install the version before it first. Nothing was changed.")
    manifest = msgspec.convert(raw, UpdateManifest)
    names = [one.name for one in manifest.parts]
    if sorted([MANIFEST, *names]) != sorted(archive.namelist()) or REQUIREMENTS not in names:
        raise ValueError("the manifest names other files")
    if len(names) > MOST_FILES or sum(one.size for one in manifest.parts) > MOST_BYTES:
        raise ValueError("too much")
    if sum(name.startswith("trueroll-") for name in names) != 1:
        raise ValueError("no wheel of trueroll")
    return manifest


if __name__ == "__main__":
    try:
        packed = pack(Path(sys.argv[1]), Path(sys.argv[2]))
    except (UpdateError, OSError) as trouble:
        sys.exit(str(trouble))
    sys.stdout.write(f"{sys.argv[2]} holds trueroll {packed.version} as {packed.name}: {len(packed.parts)} files.\n")
