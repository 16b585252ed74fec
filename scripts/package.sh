#!/bin/sh
# Makes a Debian package of this source: the program with all its libraries, so that installing it fetches nothing of
# ours. Usage: scripts/package.sh [SUITE [ARCHITECTURE]]      for example: scripts/package.sh trixie arm64
# Without words it is for this computer's Debian. WHEELS names a folder that scripts/wheels.sh has filled already, OUT
# the folder for the package (build).
# What the package does when it is installed, upgraded and taken away is in scripts/debian. Needs no root.
set -eu
cd "$(dirname "$0")/.."
# shellcheck disable=SC1091  # the system's
suite=${1:-$(. /etc/os-release && echo "${VERSION_CODENAME:-}")}
architecture=${2:-$(dpkg --print-architecture)}
case $suite in bookworm) debian=12 minor=11 ;; trixie) debian=13 minor=13 ;; *) echo "package.sh knows bookworm and trixie." >&2; exit 2 ;; esac
case $architecture in arm64) processor=aarch64 ;; amd64) processor=x86_64 ;; *) echo "package.sh knows arm64 and amd64." >&2; exit 2 ;; esac
command -v dpkg-deb > /dev/null || { echo "dpkg-deb is missing: make the package on a Debian." >&2; exit 1; }
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
files=scripts/debian
root=$room/root
lib=$root/usr/lib/trueroll

wheels=${WHEELS:-}
if [ -z "$wheels" ]; then
    wheels=$room/wheels
    scripts/wheels.sh "$wheels" "3.$minor-$processor"
fi
mkdir -p "$lib"
for one in "$wheels"/*.whl; do .venv/bin/python -m zipfile -e "$one" "$lib"; done
# Of a wheel's files the kiosk needs only its modules.
rm -rf "$lib"/*.data "${lib:?}/bin"
cat > "$lib/__main__.py" << 'END'
"""What /usr/bin/trueroll and the service start: this folder, which holds trueroll with all its libraries."""

from kiosk.cli import main

main(prog_name="trueroll")
END

# Later commits are later versions, and one for a later Debian is later than its twin.
committed=$(git log -1 --format=%ct)
own=$(sed -n 's/^version = "\(.*\)"$/\1/p' pyproject.toml)
version="$own+$(date -u -d "@$committed" +%Y%m%d%H%M%S).$(git rev-parse --short=8 HEAD)~deb$debian"

put() { install -D -m "$1" "$2" "$root/$3"; }
put 755 $files/trueroll usr/bin/trueroll
put 644 hardware/os/70-trueroll-tray.rules usr/lib/udev/rules.d/70-trueroll-tray.rules
put 644 $files/copyright usr/share/doc/trueroll/copyright
put 644 README.md usr/share/doc/trueroll/README.md
put 644 hardware/os/trueroll.service usr/lib/systemd/system/trueroll.service
# apt chooses the version here, not trueroll-versions.
sed -i -e '/trueroll-versions/d' -e '/^# A version on trial/,/^# read-only card/d' \
    -e 's|^ExecStart=.*|ExecStart=/usr/bin/python3 -s /usr/lib/trueroll run --data %S/trueroll|' \
    -e 's|^Documentation=.*|Documentation=file:/usr/share/doc/trueroll/README.md|' \
    -e 's|^# The trueroll kiosk as a system service.*|# The trueroll kiosk as a system service, from its Debian package.|' \
    "$root/usr/lib/systemd/system/trueroll.service"
cat > "$root/usr/share/doc/trueroll/changelog.Debian" << END
trueroll ($version) $suite; urgency=medium

  * What changed is told at the source, in CHANGELOG.md.

 -- trueroll contributors <trueroll@localhost>  $(date -u -R -d "@$committed")
END
gzip -9n "$root/usr/share/doc/trueroll/changelog.Debian"

mkdir "$root/DEBIAN"
for one in preinst postinst prerm postrm; do install -m 755 $files/$one "$root/DEBIAN/$one"; done
install -m 644 $files/templates "$root/DEBIAN/templates"
find "$root/usr" -type d -exec chmod 755 {} +
find "$lib" -type f -exec chmod 644 {} +
cat > "$root/DEBIAN/control" << END
Package: trueroll
Version: $version
Architecture: $architecture
Maintainer: trueroll contributors <trueroll@localhost>
Installed-Size: $(du -sk "$root/usr" | cut -f 1)
Depends: python3 (>= 3.$minor~), python3 (<< 3.$((minor + 1))~), libc6 (>= 2.34), libstdc++6, libgcc-s1, adduser, debconf (>= 0.5) | debconf-2.0
Recommends: espeak-ng, alsa-utils, avahi-daemon, python3-lgpio
Suggests: chromium, python3-picamera2
Section: misc
Priority: optional
Description: kiosk that reads real dice and scores them
 trueroll reads twenty-sided and Challenge Dice by a camera or a serial tray,
 scores them by the rules of 2d20 tables, shows the outcome and says it. It
 never rolls a die.
END
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums)
out=${OUT:-build}
file=$out/trueroll_${version}_$architecture.deb
mkdir -p "$out"
# Packed lightly: libraries hardly get smaller, and a board has to unpack them.
SOURCE_DATE_EPOCH=$committed dpkg-deb -Zxz -z1 --root-owner-group --build "$root" "$file" > /dev/null
echo "$file: $(du -h "$file" | cut -f 1). Install it with: sudo apt install ./$file"
