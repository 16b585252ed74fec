#!/bin/sh
# Installs this project into a fresh Debian of another processor, from nothing to a scored roll, and prints how that went.
# Usage, as root: scripts/userland.sh SUITE [ARCHITECTURE] [FOLDER]     for example: scripts/userland.sh trixie arm64
# The kernel runs foreign programs by itself where it has binfmt_misc, else by proot, which is slower. It takes up to an
# hour. FOLDER (build/userland-SUITE-ARCHITECTURE) is used again where the Debian in it is complete, and emptied where
# it is not; a folder that this script did not make is left alone.
set -eu
cd "$(dirname "$0")/.."
suite=${1:?"Which Debian? Say bookworm or trixie."}
architecture=${2:-arm64}
folder=$(realpath -m "${3:-build/userland-$suite-$architecture}")

say() { printf '%s  %s\n' "$(date -u +%H:%M:%S)" "$*"; }
need() { command -v "$1" > /dev/null || { echo "$1 is missing. Install it with: sudo apt-get install $2" >&2; exit 1; }; }
need debootstrap debootstrap

runs=""
if [ "$architecture" != "$(dpkg --print-architecture)" ]; then
    case $architecture in arm64) processor=aarch64 ;; armhf) processor=arm ;; *) processor=$architecture ;; esac
    need "qemu-$processor-static" qemu-user-static
    formats=/proc/sys/fs/binfmt_misc
    [ -e $formats/register ] || mount -t binfmt_misc none $formats 2> /dev/null || true
    if [ ! -e "$formats/qemu-$processor" ] && [ -e $formats/register ]; then
        tr -d '\n' < "/usr/lib/binfmt.d/qemu-$processor.conf" > $formats/register || true
    fi
    if [ ! -e "$formats/qemu-$processor" ]; then
        need proot proot
        runs="proot -0 -b /proc -b /dev -b /sys -q qemu-$processor-static -w / -r"
    fi
fi
inside() {
    # shellcheck disable=SC2086  # the words of `runs` are words
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
        ${runs:-chroot} "$folder" "$@"
}

if [ ! -e "$folder/whole" ]; then
    if [ ! -e "$folder.log" ] && [ -n "$(ls -A "$folder" 2> /dev/null)" ]; then
        echo "$folder is not empty, and not of this script. Name another folder." >&2
        exit 1
    fi
    say "Debian $suite for $architecture into an empty folder"
    mkdir -p "$(dirname "$folder")"
    : > "$folder.log"
    rm -rf --one-file-system "$folder"
    mkdir "$folder"
    debootstrap --foreign --arch="$architecture" --variant=minbase \
        --include=ca-certificates,make,python3,python3-venv "$suite" "$folder" > "$folder.log"
    inside /debootstrap/debootstrap --second-stage >> "$folder.log"
    touch "$folder/whole"
fi
# The certificates and the way into the network are this computer's.
cp /etc/ssl/certs/ca-certificates.crt "$folder/etc/ssl/certs/"
cp /etc/resolv.conf /etc/hosts "$folder/etc/"
# The simulated tray is a terminal, so it needs those of /dev/pts.
if [ -z "$runs" ]; then
    mountpoint -q "$folder/proc" || mount -t proc proc "$folder/proc"
    mountpoint -q "$folder/dev/pts" || mount -t devpts -o newinstance,ptmxmode=0666 devpts "$folder/dev/pts"
    ln -sfn pts/ptmx "$folder/dev/ptmx"
    trap 'umount "$folder/dev/pts" "$folder/proc"' EXIT
fi

# shellcheck disable=SC2016  # what is asked is asked inside
say "$(inside sh -c '. /etc/os-release; echo "$PRETTY_NAME, $(uname -m), $(python3 --version)"')"
say "the library of the pins, from the system"
inside apt-get install -y -qq --no-install-recommends python3-lgpio >> "$folder.log" 2>&1 ||
    say "this Debian has no python3-lgpio"
say "the project at $(git rev-parse --short HEAD)"
rm -rf --one-file-system "$folder/opt/trueroll"
mkdir -p "$folder/opt/trueroll"
git ls-files -z | tar --null --files-from=- --create | tar --extract --directory "$folder/opt/trueroll"
say "make install"
inside make -C /opt/trueroll install >> "$folder.log" 2>&1 || { tail -n 20 "$folder.log"; exit 1; }
say "$(inside /opt/trueroll/.venv/bin/python -c 'import cv2, numpy; print("OpenCV", cv2.__version__, "and NumPy", numpy.__version__)')"
say "$(inside /opt/trueroll/.venv/bin/python -c '
import importlib.util as found
print("lgpio", found.find_spec("lgpio").origin if found.find_spec("lgpio") else "is not there")')"
say "trueroll run --demo"
roll=$(inside sh -c 'cd /opt/trueroll && python3 -m tests.hardware.scored_roll .venv/bin/trueroll')
say "$roll"
say "done; all that was printed is in $folder.log"
