# Read by userland.sh and try-package.sh: a fresh Debian of any processor in a folder, and commands in it. As root.
# In: $suite, $architecture, and $folder, which is used again where the Debian in it is complete, and emptied where it is
# not; a folder that was not made here is left alone. $include: packages that it begins with. Out: `inside COMMAND`.
# The kernel runs foreign programs by itself where it has binfmt_misc, else by proot, which is slower.
# shellcheck shell=sh disable=SC2154  # whoever reads this has set them

say() { printf '%s  %s\n' "$(date -u +%H:%M:%S)" "$*"; }
need() { command -v "$1" > /dev/null || { echo "$1 is missing. Install it with: sudo apt-get install $2" >&2; exit 1; }; }
inside() {
    # shellcheck disable=SC2086  # the words of `runs` are words
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
        DEBIAN_FRONTEND=noninteractive ${runs:-chroot} "$folder" "$@"
}

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
    if [ -z "$runs" ] && command -v mmdebstrap > /dev/null; then
        # What has to be installed, this computer finds out by itself: emulated, that takes a quarter of an hour.
        mmdebstrap --quiet --skip=check/qemu --variant=minbase --architectures="$architecture" --include="$include" "$suite" "$folder" \
            >> "$folder.log" 2>&1 || { tail -n 20 "$folder.log"; exit 1; }
    else
        need debootstrap debootstrap
        debootstrap --foreign --arch="$architecture" --variant=minbase --include="$include" "$suite" "$folder" > "$folder.log"
        inside /debootstrap/debootstrap --second-stage >> "$folder.log"
    fi
    touch "$folder/whole"
fi
# The certificates and the way into the network are this computer's.
mkdir -p "$folder/etc/ssl/certs"
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
say "$(inside sh -c '. /etc/os-release; echo "$PRETTY_NAME, $(uname -m)"')"
say "the project at $(git rev-parse --short HEAD)"
rm -rf --one-file-system "$folder/opt/source"
mkdir -p "$folder/opt/source"
git ls-files -z | tar --null --files-from=- --create | tar --extract --directory "$folder/opt/source"
