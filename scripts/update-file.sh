#!/bin/sh
# Makes an update file of this source: trueroll's wheel and every library for the computers that run it.
# Usage: scripts/update-file.sh FILE [PYTHON-PROCESSOR...]      for example: scripts/update-file.sh new.update 3.13-aarch64
# Without a list it is for Raspberry Pi OS Bookworm (3.11-aarch64) and Trixie (3.13-aarch64), about 150 MB.
set -eu
cd "$(dirname "$0")/.."
file=$(realpath "${1:?Which file? For example: scripts/update-file.sh new.update}")
shift
[ $# -gt 0 ] || set -- 3.11-aarch64 3.13-aarch64
python=.venv/bin/python
[ -x $python ] || { echo "Run make install first." >&2; exit 1; }
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
mkdir "$room/wheels"

# From what git knows, in a copy: nothing that merely lies here gets into the wheel.
mkdir "$room/source"
git ls-files -z | tar --null --files-from=- --create | tar --extract --directory "$room/source"
$python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$room/wheels" "$room/source"
cat > "$room/pick.py" << 'END'
import sys
from pathlib import Path

from pip._vendor.packaging.requirements import Requirement

SOURCES = {"cobs"}  # no wheels of it for Linux
version, processor, wanted_of = sys.argv[1:]
there = {"python_version": version, "python_full_version": f"{version}.0", "platform_machine": processor,
         "sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "implementation_name": "cpython"}
lines = Path("requirements/kiosk.txt").read_text().replace("\\\n", " ").splitlines()
for line in lines:
    name, *hashes = line.split(" --hash=")
    if name.strip() and not name.startswith("#"):
        wanted = Requirement(name.strip())
        if wanted_of == "names":
            print(wanted)
        elif (wanted.name in SOURCES) == (wanted_of == "sources") and (not wanted.marker or wanted.marker.evaluate(there)):
            print(wanted.name + str(wanted.specifier), *(f"--hash={one.strip()}" for one in hashes))
END
# What is unpacked on the kiosk is held by the checksums of the update itself, so that its list needs names alone.
$python "$room/pick.py" 3.11 none names > "$room/wheels/requirements.txt"
$python "$room/pick.py" 3.11 none sources > "$room/requirements.txt"
# Without a compiler it becomes a wheel of Python alone, for every computer.
CC=false $python -m pip wheel --quiet --no-cache-dir --no-deps --require-hashes --wheel-dir "$room/wheels" \
    --requirement "$room/requirements.txt"
for one in "$@"; do
    processor=${one#*-}
    platforms=""
    for libc in 5 12 17 24 26 27 28 31 34 35 36; do platforms="$platforms --platform manylinux_2_${libc}_$processor"; done
    # pip itself reads the conditions of the list as this computer's, not as those of the one that it fetches for.
    $python "$room/pick.py" "${one%%-*}" "$processor" wheels > "$room/requirements.txt"
    # shellcheck disable=SC2086  # the words of `platforms` are words
    $python -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
        --python-version "${one%%-*}" --implementation cp $platforms --platform "manylinux2014_$processor" \
        --platform "linux_$processor" --dest "$room/wheels" --requirement "$room/requirements.txt"
done
$python -m kiosk.commands.update_file "$room/wheels" "$file"
