#!/bin/sh
# Installs the system packages that the tests drive, through apt where it may; says what is missing where it may not.
set -eu
missing=""
for pair in chromium:chromium espeak-ng:espeak-ng gcc:gcc avr-gcc:gcc-avr; do
    command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair##*:}"
done
for pair in /usr/include/stdio.h:libc6-dev /usr/lib/avr/include/avr/io.h:avr-libc \
    /usr/include/simavr/sim_avr.h:libsimavr-dev /usr/include/libelf.h:libelf-dev; do
    [ -e "${pair%%:*}" ] || missing="$missing ${pair##*:}"
done
[ -n "$missing" ] || exit 0
run=""
if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        run="sudo -n"
    else
        echo "The tests need:$missing. Install them (sudo apt-get install$missing) and run make test again." >&2
        exit 1
    fi
fi
command -v apt-get >/dev/null 2>&1 || { echo "The tests need:$missing. Install them with your system's package manager." >&2; exit 1; }
$run apt-get -o DPkg::Lock::Timeout=400 update -qq
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive $run apt-get -o DPkg::Lock::Timeout=400 install -y -qq --no-install-recommends $missing
