#!/bin/sh
# Fills a folder with all that install.sh needs where there is no network: the program, the system's packages, itself.
# Usage: make-stick.sh FOLDER [SUITE] [ARCHITECTURE]     (trixie arm64), on a Debian with apt; needs the network, not root
# Take the Debian that the kiosk has: bookworm or trixie. What the kiosk has already is not installed from here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(realpath -m "${1:?Which folder? For example: make-stick.sh /media/stick trixie arm64}")
suite=${2:-trixie}
architecture=${3:-arm64}
case $suite in bookworm) python=3.11 ;; trixie) python=3.13 ;; *) echo "make-stick.sh knows bookworm and trixie." >&2; exit 2 ;; esac
case $architecture in arm64) processor=aarch64 ;; amd64) processor=x86_64 ;; *) echo "make-stick.sh knows arm64 and amd64." >&2; exit 2 ;; esac

mkdir -p "$folder/debs" "$folder/fonts"
cp "$here"/install.sh "$here"/trueroll* "$here"/70-trueroll-tray.rules "$here"/starting.html "$here"/labwc-autostart "$folder/"
cp "$here"/../../kiosk/static/fonts/*.woff2 "$folder/fonts/"
"$here/../../scripts/update-file.sh" "$folder/trueroll.update" "$python-$processor"

# apt finds the packages for an empty computer of that kind, in a world of its own.
world=$(mktemp -d)
trap 'rm -rf "$world"' EXIT
mkdir -p "$world/etc/preferences.d" "$world/lists/partial" "$world/archives/partial"
: > "$world/status"
# shellcheck disable=SC2016  # apt fills this in, not the shell
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Label: Debian' 'Created-By: Packages' | head -n 1)
[ -n "$mirror" ] || { echo "apt knows no Debian here: run apt-get update first, or use a computer with Debian." >&2; exit 1; }
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" > "$world/sources"
in_world() {
    apt-get -qq -o "APT::Architecture=$architecture" -o "APT::Architectures::=$architecture" -o "Dir::Etc=$world/etc" \
        -o "Dir::Etc::SourceList=$world/sources" -o "Dir::State::Lists=$world/lists" -o "Dir::State::status=$world/status" \
        -o "Dir::Cache=$world" -o "Dir::Cache::archives=$world/archives" -o Debug::NoLocking=1 -o APT::Sandbox::User=root "$@"
}
in_world update
# shellcheck disable=SC2046  # the words of the list are words
in_world install --download-only --yes --no-install-recommends $(sed -n 's/^packages="\(.*\)"$/\1/p' "$here/install.sh")
cp "$world"/archives/*.deb "$folder/debs/"
# The list of them, from which apt on the kiosk takes what it lacks.
for one in "$folder"/debs/*.deb; do
    dpkg-deb -f "$one"
    printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n\n' "$(basename "$one")" "$(stat -c %s "$one")" \
        "$(sha256sum "$one" | cut -d ' ' -f 1)"
done > "$folder/debs/Packages"
du -sh "$folder"
echo "On the kiosk: sudo sh $(basename "$folder")/install.sh"
