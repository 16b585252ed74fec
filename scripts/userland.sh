#!/bin/sh
# Installs this project into a fresh Debian of another processor, from nothing to a scored roll, and prints how that went.
# Usage, as root: scripts/userland.sh SUITE [ARCHITECTURE] [FOLDER]     for example: scripts/userland.sh trixie arm64
# FOLDER: build/userland-SUITE-ARCHITECTURE; debian-folder.sh says how it is used. It takes up to an hour.
set -eu
cd "$(dirname "$0")/.."
suite=${1:?"Which Debian? Say bookworm or trixie."}
architecture=${2:-arm64}
folder=$(realpath -m "${3:-build/userland-$suite-$architecture}")
include=ca-certificates,make,python3,python3-venv
. scripts/debian-folder.sh

say "the library of the pins, from the system"
inside apt-get update -qq >> "$folder.log" 2>&1
inside apt-get install -y -qq --no-install-recommends python3-lgpio >> "$folder.log" 2>&1 ||
    say "this Debian has no python3-lgpio"
say "make install, with $(inside python3 --version)"
inside make -C /opt/source install >> "$folder.log" 2>&1 || { tail -n 20 "$folder.log"; exit 1; }
say "$(inside /opt/source/.venv/bin/python -c 'import cv2, numpy; print("OpenCV", cv2.__version__, "and NumPy", numpy.__version__)')"
say "$(inside /opt/source/.venv/bin/python -c '
import importlib.util as found
print("lgpio", found.find_spec("lgpio").origin if found.find_spec("lgpio") else "is not there")')"
say "trueroll run --demo"
roll=$(inside sh -c 'cd /opt/source && python3 -m tests.hardware.scored_roll .venv/bin/trueroll')
say "$roll"
say "done; all that was printed is in $folder.log"
