#!/bin/sh
# Makes an update file of this source: trueroll's wheel and every library for the computers that run it.
# Usage: scripts/update-file.sh FILE [PYTHON-PROCESSOR...]      for example: scripts/update-file.sh new.update 3.13-aarch64
# Without a list it is for Raspberry Pi OS Bookworm (3.11-aarch64) and Trixie (3.13-aarch64), about 150 MB.
set -eu
cd "$(dirname "$0")/.."
file=$(realpath "${1:?Which file? For example: scripts/update-file.sh new.update}")
shift
[ $# -gt 0 ] || set -- 3.11-aarch64 3.13-aarch64
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
scripts/wheels.sh "$room" "$@"
.venv/bin/python -m kiosk.commands.update_file "$room" "$file"
