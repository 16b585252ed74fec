#!/bin/sh
# Writes the lock files: hashes for every wheel of every platform, and no registry's address.
set -eu
cd "$(dirname "$0")/.."
tools="$(mktemp -d)"
trap 'rm -rf "$tools"' EXIT
python3 -m venv "$tools"
"$tools/bin/pip" install --quiet uv
compile() {
    "$tools/bin/uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-header --no-annotate pyproject.toml --extra build "$@"
}
compile --output-file requirements/kiosk.txt
compile --extra test --constraint requirements/kiosk.txt --output-file requirements/test.txt
compile --extra training --constraint requirements/kiosk.txt --output-file requirements/training.txt
compile requirements/lowest.in --resolution lowest-direct --output-file requirements/lowest.txt
