#!/bin/sh
# Installs a package of scripts/package.sh into a fresh Debian, rolls, upgrades, removes and purges it, and prints how
# that went; ends with 1 where a roll was lost. Usage, as root: scripts/try-package.sh PACKAGE SUITE [FOLDER]
# FOLDER: build/package-SUITE-ARCHITECTURE; debian-folder.sh says how it is used.
set -eu
cd "$(dirname "$0")/.."
package=$(realpath "${1:?"Which package? Make one with make package."}")
suite=${2:?"Which Debian? Say bookworm or trixie."}
architecture=$(dpkg-deb -f "$package" Architecture)
folder=$(realpath -m "${3:-build/package-$suite-$architecture}")
include=ca-certificates
. scripts/debian-folder.sh

data=/var/lib/trueroll
apt() { inside apt-get -y -qq --no-install-recommends "$@" >> "$folder.log" 2>&1 || { tail -n 20 "$folder.log"; exit 1; }; }
# shellcheck disable=SC2016  # dpkg fills this in, not the shell
version() { inside dpkg-query -W -f '${Version}' trueroll; }
export_table() { inside trueroll export --json --data $data > "$folder.$1.json"; }
stays() { # WHEN
    export_table after
    cmp -s "$folder.before.json" "$folder.after.json" || { say "the table is another one $1"; exit 1; }
    say "$1 the table is what it was"
}
inside dpkg --purge trueroll >> "$folder.log" 2>&1 || true
rm -rf --one-file-system "${folder:?}$data"

# The same files as a version before, for the upgrade.
older=$(mktemp -d)
dpkg-deb -R "$package" "$older/root"
sed -i 's/^Version: .*/Version: 0.0.1/' "$older/root/DEBIAN/control"
dpkg-deb -Zgzip -z1 --root-owner-group --build "$older/root" "$folder/opt/older.deb" > /dev/null
rm -rf "$older"
cp "$package" "$folder/opt/newer.deb"

apt update
apt install /opt/older.deb
say "installed $(version) with apt alone, by $(inside python3 --version)"
say "$(inside sh -c "cd /opt/source && python3 -m tests.hardware.scored_roll /usr/bin/trueroll $data")"
export_table before
apt install /opt/newer.deb
say "upgraded to $(version); beside it $(inside sh -c "ls $data/backups")"
stays "after the upgrade"
apt remove trueroll
inside test -e $data/journal.sqlite3
if inside test -e /usr/lib/trueroll; then say "left over: $(inside find /usr/lib/trueroll)"; exit 1; fi
apt install /opt/newer.deb
stays "after removal and a new install"
apt purge trueroll
inside test -e $data/journal.sqlite3
say "purged without an answer: $data stays"
apt install /opt/newer.deb
echo 'trueroll trueroll/purge_data boolean true' | inside debconf-set-selections
apt purge trueroll
if inside test -e $data || inside getent passwd trueroll; then say "$data or the user stayed"; exit 1; fi
say "purged with the answer that the data go: they and the user are gone"
