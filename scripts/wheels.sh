#!/bin/sh
# Fills a folder with trueroll's wheel and those of every library, for each computer that is named.
# Usage: scripts/wheels.sh FOLDER PYTHON-PROCESSOR...      for example: scripts/wheels.sh build/wheels 3.13-aarch64
# `requirements.txt` in it names them all. Needs `make install` first, and a network.
set -eu
cd "$(dirname "$0")/.."
wheels=$(realpath "${1:?Which folder? For example: scripts/wheels.sh build/wheels 3.13-aarch64}")
shift
python=.venv/bin/python
[ -x $python ] || { echo "Run make install first." >&2; exit 1; }
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
mkdir -p "$wheels"

# From what git knows, in a copy: nothing that merely lies here gets into the wheel.
mkdir "$room/source"
git ls-files -z | tar --null --files-from=- --create | tar --extract --directory "$room/source"
$python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$wheels" "$room/source"
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
$python "$room/pick.py" 3.11 none names > "$wheels/requirements.txt"
$python "$room/pick.py" 3.11 none sources > "$room/requirements.txt"
# Without a compiler it becomes a wheel of Python alone, for every computer.
CC=false $python -m pip wheel --quiet --no-cache-dir --no-deps --require-hashes --wheel-dir "$wheels" \
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
        --platform "linux_$processor" --dest "$wheels" --requirement "$room/requirements.txt"
done
