#!/bin/sh
# Makes this computer the table's kiosk: program, service, screen, voice, network name, watchdogs, limits of the log.
#
# Usage, as root: install.sh [OPTIONS] [UPDATE-FILE]
#   UPDATE-FILE          the program, as scripts/update-file.sh makes it; from a stick it is found by itself
#   --dry-run            say what would be done, and do nothing
#   --undo               take away all that this script made, and bring back what it replaced; the table's data stay
#   --purge              with --undo: the table's data too
#   --name NAME          call the computer NAME, so that phones find it as NAME.local
#   --screen-user USER   the display opens full screen where USER is logged in; usually user 1000
#   --no-screen          no display here: no browser
#   --no-packages        install no package of the system: somebody else does
#   --read-only-root     the system's partition is never written to; program and data are on one labelled trueroll-data
#   --destdir FOLDER     put the files under FOLDER; no packages, users, services, program
#
# A second run changes nothing. What was replaced is kept beside, with .before-trueroll at its end.
# In a folder that hardware/os/make-stick.sh made, no network is needed.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root="" dry="" undo="" purge="" name="" screen=yes screen_user="" read_only="" file="" with_packages=yes
while [ $# -gt 0 ]; do
    case $1 in
    --dry-run) dry=yes ;;
    --undo) undo=yes ;;
    --purge) purge=yes ;;
    --name) name=${2:?"Give --name a name."}; shift ;;
    --screen-user) screen_user=${2:?"Give --screen-user a user."}; shift ;;
    --no-screen) screen="" ;;
    --no-packages) with_packages="" ;;
    --read-only-root) read_only=yes ;;
    --destdir) root=$(realpath -m "${2:?"Give --destdir a folder."}"); shift ;;
    -h | --help) sed -n '2,/^set/{/^set/d; s/^# \{0,1\}//; p;}' "$0"; exit 0 ;;
    -*) echo "install.sh: there is no option $1. See: install.sh --help" >&2; exit 2 ;;
    *) file=$(realpath "$1") ;;
    esac
    shift
done
case $name in *[!a-z0-9-]* | -* | *-) echo "install.sh: --name takes small letters, digits, and hyphens between them." >&2; exit 2 ;; esac
if [ -z "$root$dry" ] && [ "$(id -u)" -ne 0 ]; then
    echo "install.sh changes the system. Run it as root: sudo $0" >&2
    exit 1
fi

opt=/opt/trueroll
data=/var/lib/trueroll
list=$root/etc/trueroll-installed
packages="python3 python3-venv espeak-ng alsa-utils avahi-daemon fonts-dejavu-core"
changes=0

say() { echo "$*"; }
change() { changes=$((changes + 1)); say "$*"; }
whole_system() { [ -z "$root" ]; }
booted() { whole_system && [ -d /run/systemd/system ]; }
there() { command -v "$1" > /dev/null 2>&1; }

# is_update FILE: whether it is a zip whose manifest names a wheel of trueroll that is in it. Where there is no Python yet, as
# in a dry run before its packages are there, it is looked at later.
is_update() {
    there python3 || return 0
    python3 -I - "$1" << 'END' 2> /dev/null
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    parts = {part["name"] for part in json.loads(archive.read("manifest.json"))["parts"]}
    ours = [name for name in parts if name.startswith("trueroll-") and name.endswith(".whl")]
    sys.exit(not ours or not parts <= set(archive.namelist()))
END
}

require_update() {
    is_update "$file" && return
    echo "install.sh: $file is no update of trueroll, or a damaged one. Make it with scripts/update-file.sh." >&2
    exit 1
}
if [ -n "$file" ] && [ -z "$undo" ]; then require_update; fi

# Files are listed before they are made, so that an undo finds them even after a power cut.
listed() { [ -e "$list" ] && grep -qxF -- "$1" "$list"; }
enlist() {
    listed "$1" && return
    [ -d "$root/etc" ] || { mkdir -p "$root/etc"; echo "folder /etc" > "$list"; }
    [ "$1" != "folder /etc" ] || return 0
    printf '%s\n' "$1" >> "$list"
}

# make_folder FOLDER: with all above it that lack
make_folder() {
    [ -d "$root$1" ] && return
    case $1 in /*/*) make_folder "$(dirname "$1")" ;; esac
    [ -n "$dry" ] || { enlist "folder $1"; mkdir -p "$root$1"; } # the list's own folder is there by then
}

# put MODE TARGET < CONTENT: in one step; the one that was there is kept beside
put() {
    content=$(mktemp)
    cat > "$content"
    target=$root$2
    if [ -e "$target" ] && cmp -s "$content" "$target" && [ "$(stat -c %a "$target")" = "$1" ]; then
        rm -f "$content"
        return
    fi
    change "write $2"
    if [ -z "$dry" ]; then
        make_folder "$(dirname "$2")"
        if [ -e "$target" ] && ! listed "file $2"; then cp -p "$target" "$target.before-trueroll"; fi
        enlist "file $2"
        install -m "$1" "$content" "$target.new"
        mv "$target.new" "$target"
    fi
    rm -f "$content"
}
copy() { put "$1" "$3" < "$2"; }

# add_part TARGET < LINES: lines of ours in a file of the system, between two marks; a last line without an end gets one
without_part() { if [ -e "$1" ]; then sed -e '/^# trueroll: begin$/,/^# trueroll: end$/d' "$1" | sed -e '$a\'; fi; }
add_part() {
    part=$(cat)
    target=$root$1
    with=$(mktemp)
    { without_part "$target"; printf '# trueroll: begin\n%s\n# trueroll: end\n' "$part"; } > "$with"
    if ! cmp -s "$with" "$target"; then
        change "add lines to $1"
        if [ -z "$dry" ]; then
            make_folder "$(dirname "$1")"
            if [ -s "$target" ] && [ -n "$(tail -c 1 "$target")" ]; then enlist "newline $1"; fi
            enlist "part $1"
            replace "$with" "$target"
        fi
    fi
    rm -f "$with"
}
# replace CONTENT TARGET: in one step; owner and mode stay
replace() {
    if [ -e "$2" ]; then cp -p "$2" "$2.new"; else install -m 644 /dev/null "$2.new"; fi
    cat "$1" > "$2.new"
    mv "$2.new" "$2"
}

run() { change "$*"; [ -n "$dry" ] || "$@"; }

# --- undo ------------------------------------------------------------------------------------------------------------

# Whether the system's partition is covered by memory now: what is changed on it is gone after the next start.
covered() { grep -qs 'overlayroot=' "$root/proc/cmdline" && grep -qs '^[^ ]* / overlay ' "$root/proc/mounts"; }

# empty FOLDER: what is in it, and itself where nothing is mounted there
empty() {
    [ -d "$1" ] || return 0
    find "$1" -xdev -mindepth 1 -delete
    rmdir "$1" 2> /dev/null || true
}

take_away() {
    [ -e "$list" ] || { say "Nothing of trueroll is installed here."; exit 0; }
    if covered; then
        sed -n 's/^word //p' "$list" | while read -r what; do drop_word "$what"; done
        say "The system's partition cannot be written to before the next start. Start this computer anew, and run this once more."
        exit 0
    fi
    if booted; then run systemctl disable --now trueroll.service trueroll-settled.timer || true; fi
    sed '1!G;h;$!d' "$list" | while read -r kind what; do
        case $kind in
        file)
            change "take away $what"
            [ -z "$dry" ] || continue
            rm -f "$root$what"
            [ ! -e "$root$what.before-trueroll" ] || mv "$root$what.before-trueroll" "$root$what"
            ;;
        part)
            change "take lines from $what"
            [ -z "$dry" ] || continue
            without=$(mktemp)
            without_part "$root$what" > "$without"
            # The last line had no end before: it has none again, unless somebody has added lines behind ours.
            if listed "newline $what" && [ "$(tail -n 1 "$root$what")" = "# trueroll: end" ]; then truncate -s -1 "$without"; fi
            if [ -s "$without" ]; then replace "$without" "$root$what"; else rm -f "$root$what"; fi
            rm -f "$without"
            ;;
        folder) [ -n "$dry" ] || rmdir "$root$what" 2> /dev/null || true ;;
        link) change "take away $what"; [ -n "$dry" ] || rm -f "$root$what" ;;
        tree) change "take away $what"; [ -n "$dry" ] || empty "$root$what" ;;
        user) if whole_system && getent passwd "$what" > /dev/null; then run userdel "$what"; fi ;;
        word) drop_word "$what" ;;
        esac
    done
    if [ -n "$purge" ] && whole_system; then run empty $data; fi
    where=$data
    if whole_system; then
        ! mountpoint -q $data || where="the folder data of the partition trueroll-data"
        for one in $opt $data /srv/trueroll; do ! mountpoint -q "$one" || run umount "$one"; done
        [ -n "$dry" ] || rmdir $data 2> /dev/null || true # an empty one is nobody's data
    fi
    if [ -z "$dry" ]; then
        folders=$(sed -n 's/^folder //p' "$list" | sed '1!G;h;$!d')
        rm -f "$list"
        for one in $folders; do rmdir "$root$one" 2> /dev/null || true; done
    fi
    if booted; then run systemctl daemon-reload; fi
    say "Packages stay, and so do the table's data in $where${purge:+, unless --purge took them}."
}

# --- parts -----------------------------------------------------------------------------------------------------------

lacking() {
    for one in "$@"; do
        dpkg-query -W -f '${Status}' "$one" 2> /dev/null | grep -q 'ok installed' || printf '%s ' "$one"
    done
}

add_packages() {
    [ -z "$screen" ] || there chromium || there chromium-browser || packages="$packages chromium"
    [ -z "$read_only" ] || packages="$packages overlayroot"
    # shellcheck disable=SC2086  # the words of `packages` are words
    missing=$(lacking $packages)
    [ -n "$missing" ] || return 0
    export DEBIAN_FRONTEND=noninteractive
    if [ -d "$here/debs" ]; then
        lists=$(mktemp -d)
        chmod 755 "$lists"
        mkdir "$lists/index"
        echo "deb [trusted=yes] file:$here/debs ./" > "$lists/stick.list"
        from="-o Dir::Etc::SourceList=$lists/stick.list -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists=$lists/index"
        # shellcheck disable=SC2086  # the words are words
        run apt-get update -qq $from
        # shellcheck disable=SC2086  # the words are words
        run apt-get install -y -qq --no-install-recommends $from $missing
        rm -rf "$lists"
    else
        run apt-get update -qq
        # shellcheck disable=SC2086  # the words are words
        run apt-get install -y -qq --no-install-recommends $missing
    fi
}

add_user() {
    if ! getent passwd trueroll > /dev/null; then
        [ -n "$dry" ] || enlist "user trueroll"
        run useradd --system --user-group --home-dir "$data" --shell /usr/sbin/nologin trueroll
    fi
    for group in gpio dialout video render audio; do
        getent group $group > /dev/null || continue
        id -nG trueroll 2> /dev/null | tr ' ' '\n' | grep -qx $group || run usermod -aG $group trueroll
    done
    if [ ! -d $data ]; then run install -d -m 0700 -o trueroll -g trueroll $data; fi
}

add_files() {
    for one in trueroll.service trueroll-settled.service trueroll-settled.timer; do
        copy 644 "$here/$one" /etc/systemd/system/$one
    done
    copy 644 "$here/70-trueroll-tray.rules" /etc/udev/rules.d/70-trueroll-tray.rules
    copy 755 "$here/trueroll-versions" $opt/trueroll-versions
    put 755 /usr/local/bin/trueroll << 'END'
#!/bin/sh
# trueroll as the service runs it: the same data, the same settings, the same user.
export XDG_DATA_HOME=/var/lib XDG_CONFIG_HOME=/var/lib/trueroll/.config
case ${1:-} in update | rollback) ;; *)
    [ "$(id -u)" -ne 0 ] || exec setpriv --reuid=trueroll --regid=trueroll --init-groups /opt/trueroll/current/.venv/bin/trueroll "$@" ;;
esac
exec /opt/trueroll/current/.venv/bin/trueroll "$@"
END
    # A hang of the whole board ends with a restart. 14 s: the Pi's own watchdog counts to 15.
    put 644 /etc/systemd/system.conf.d/trueroll.conf << 'END'
[Manager]
RuntimeWatchdogSec=14s
RebootWatchdogSec=2min
END
    put 644 /etc/systemd/journald.conf.d/trueroll.conf << 'END'
[Journal]
SystemMaxUse=64M
RuntimeMaxUse=16M
MaxRetentionSec=3month
END
    put 644 /etc/avahi/services/trueroll.service << 'END'
<?xml version="1.0" standalone="no"?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<service-group>
  <name replace-wildcards="yes">trueroll on %h</name>
  <service><type>_http._tcp</type><port>8080</port></service>
</service-group>
END
    disks | add_part /etc/fstab
    link_unit multi-user.target trueroll.service
    link_unit timers.target trueroll-settled.timer
}

# The lines of /etc/fstab: a stick for backups, and the partition that is written to where the system's is not.
disks() {
    echo "LABEL=TRUEROLL /mnt/trueroll vfat nofail,x-systemd.automount,x-systemd.device-timeout=2s,x-systemd.idle-timeout=30s,uid=trueroll,umask=0077 0 0"
    [ -n "$read_only" ] || return 0
    echo "LABEL=trueroll-data /srv/trueroll ext4 noatime 0 2"
    echo "/srv/trueroll/program /opt/trueroll none bind,x-systemd.requires-mounts-for=/srv/trueroll 0 0"
    echo "/srv/trueroll/data /var/lib/trueroll none bind,x-systemd.requires-mounts-for=/srv/trueroll 0 0"
}

# As `systemctl enable` does, also where systemd does not run.
link_unit() {
    [ "$(readlink "$root/etc/systemd/system/$1.wants/$2" 2> /dev/null)" = "/etc/systemd/system/$2" ] && return
    change "enable $2"
    [ -z "$dry" ] || return 0
    make_folder "/etc/systemd/system/$1.wants"
    enlist "link /etc/systemd/system/$1.wants/$2"
    ln -sf "/etc/systemd/system/$2" "$root/etc/systemd/system/$1.wants/$2"
}

add_screen() {
    copy 755 "$here/trueroll-browser" $opt/screen/trueroll-browser
    copy 644 "$here/starting.html" $opt/screen/starting.html
    for fonts in "$here/fonts" "$here/../../kiosk/static/fonts"; do
        [ -d "$fonts" ] || continue
        for one in "$fonts"/*.woff2; do copy 644 "$one" "/usr/local/share/fonts/trueroll/$(basename "$one")"; done
        break
    done
    whole_system || return 0
    [ -n "$screen_user" ] || screen_user=$(getent passwd 1000 | cut -d: -f1)
    [ -n "$screen_user" ] || { say "There is no user 1000; name who is logged in at the screen with --screen-user."; return 0; }
    home=$(getent passwd "$screen_user" | cut -d: -f6)
    [ -d "$home" ] || { say "$screen_user has no folder, so the display does not open by itself."; return 0; }
    copy 644 "$here/labwc-autostart" "$home/.config/labwc/autostart"
    [ -n "$dry" ] || chown "$screen_user:" "$home/.config" "$home/.config/labwc" "$home/.config/labwc/autostart"
    [ ! -d /etc/lightdm ] || put 644 /etc/lightdm/lightdm.conf.d/60-trueroll.conf << END
[Seat:*]
autologin-user=$screen_user
END
}

# It holds from the next start: nothing of a running system is renamed.
add_name() {
    [ -n "$name" ] || return 0
    echo "$name" | put 644 /etc/hostname
    add_part /etc/hosts << END
127.0.1.1 $name
END
}

boot_line() { for one in "$root/boot/firmware/cmdline.txt" "$root/boot/cmdline.txt"; do [ ! -f "$one" ] || { echo "$one"; return; }; done; }
drop_word() {
    line=$(boot_line)
    [ -n "$line" ] && grep -qw -- "$1" "$line" || return 0
    change "take $1 from ${line#"$root"}"
    [ -n "$dry" ] || { sed "s/ *$1//" "$line" > "$line.new" && put_line; }
}
# Without it nothing starts any more, and its file system keeps no order of its own.
put_line() {
    sync "$line.new"
    mv "$line.new" "$line"
    sync "$(dirname "$line")"
}

add_read_only() {
    [ -n "$read_only" ] || return 0
    line=$(boot_line)
    [ -n "$line" ] || { echo "install.sh: cmdline.txt is not there, so --read-only-root works on a Raspberry Pi alone." >&2; exit 1; }
    if whole_system && ! blkid -L trueroll-data > /dev/null; then
        echo "install.sh: no partition is labelled trueroll-data. Make one (mkfs.ext4 -L trueroll-data /dev/…) first." >&2
        exit 1
    fi
    word=overlayroot=tmpfs:recurse=0
    if ! grep -qw -- "$word" "$line"; then
        change "add $word to ${line#"$root"}: it holds from the next start"
        [ -n "$dry" ] || { enlist "word $word"; sed "s/\$/ $word/" "$line" > "$line.new"; put_line; }
    fi
}

mount_data() {
    whole_system && [ -n "$read_only" ] || return 0
    make_folder /srv/trueroll
    make_folder $opt
    mountpoint -q /srv/trueroll || run mount LABEL=trueroll-data /srv/trueroll
    for one in program data; do [ -d "/srv/trueroll/$one" ] || run mkdir "/srv/trueroll/$one"; done
    mountpoint -q $opt || run mount --bind /srv/trueroll/program $opt
    mountpoint -q $data || run mount --bind /srv/trueroll/data $data
    [ "$(stat -c %U $data)" = trueroll ] || run chown trueroll:trueroll $data
}

add_program() {
    [ -n "$file" ] || file=$(find "$here" -maxdepth 1 -name '*.update' | sort | tail -n 1)
    if [ -z "$file" ]; then
        [ -e $opt/current ] || say "There is no program yet. Make its file with scripts/update-file.sh, and name it."
        return 0
    fi
    require_update
    sum=$(sha256sum "$file" | cut -d ' ' -f 1)
    # Another Debian brings another Python, for which the libraries of the program are none.
    lives=""
    if $opt/current/.venv/bin/trueroll --version > /dev/null 2>&1; then lives=yes; fi
    [ -z "$lives" ] || [ "$(cat $opt/installed-from 2> /dev/null)" != "$sum" ] || return 0
    change "install $file"
    [ -z "$dry" ] || return 0
    enlist "tree $opt"
    if [ -n "$lives" ]; then
        $opt/current/.venv/bin/trueroll update --data $data "$file"
    else
        first_program
    fi
    echo "$sum" > $opt/installed-from
}

# The first one is installed by itself, from a folder that is thrown away.
first_program() {
    room=$(mktemp -d)
    site=""
    ! python3 -I -c 'from importlib.util import find_spec; assert find_spec("lgpio") or find_spec("picamera2")' 2> /dev/null ||
        site=--system-site-packages
    python3 -I -m zipfile -e "$file" "$room/wheels"
    python3 -I - "$room/wheels" << 'END'
import hashlib, json, sys
from pathlib import Path
folder = Path(sys.argv[1])
for part in json.loads((folder / "manifest.json").read_text())["parts"]:
    if hashlib.sha256((folder / part["name"]).read_bytes()).hexdigest() != part["sha256"]:
        sys.exit(f"The update is damaged: {part['name']} is not as it was. Fetch it once more.")
END
    # shellcheck disable=SC2086  # empty, or one word
    python3 -I -m venv $site "$room/first"
    "$room/first/bin/python" -I -m pip install --quiet --disable-pip-version-check --no-cache-dir --no-index \
        --find-links "$room/wheels" --only-binary=:all: --requirement "$room/wheels/requirements.txt"
    "$room/first/bin/python" -I -m pip install --quiet --disable-pip-version-check --no-cache-dir --no-index --no-deps \
        "$room"/wheels/trueroll-*.whl
    rm -f $opt/current/whole
    "$room/first/bin/trueroll" update --root $opt --data $data "$file"
    rm -rf "$room"
}

# --- all of it ---------------------------------------------------------------------------------------------------------

if [ -n "$undo" ]; then
    take_away
    exit 0
fi
if covered; then
    say "The system's partition is not written to now: what is changed here would be gone after the next start. Take in a new" \
        "version with: trueroll update FILE. For anything else run --undo, start this computer anew, and install again."
    exit 1
fi
if whole_system && [ -z "$(lacking trueroll)" ]; then
    say "trueroll is installed here by its Debian package. Take that away first (apt remove trueroll); the table's data stay."
    exit 1
fi
# Earlier choices stay when this is run again.
! grep -qs "^LABEL=trueroll-data " "$root/etc/fstab" || read_only=yes
if whole_system; then
    [ -z "$with_packages" ] || add_packages
    add_user
fi
mount_data
add_files
[ -z "$screen" ] || add_screen
add_name
add_read_only
if whole_system; then add_program; fi
if [ "$changes" -eq 0 ]; then
    say "Nothing to change."
elif booted && [ -z "$dry" ]; then
    systemctl daemon-reload
    udevadm control --reload || true
    systemctl restart systemd-journald || true
    systemctl start trueroll-settled.timer
    if [ -e $opt/current ]; then systemctl start trueroll.service; fi
fi
