#!/bin/sh
# Installs the system packages that the tests drive, through apt where it may; says what is missing where it may not.
# Arguments: packages that are wanted besides, and done without where they cannot be had.
set -eu
missing=""
there() { command -v "$1" >/dev/null 2>&1; }
# Orca, the screen reader, reads the whole browser on a display in memory: tests/e2e/orca.py.
for pair in espeak-ng:espeak-ng gcc:gcc avr-gcc:gcc-avr orca:orca chromium:chromium Xvfb:xvfb openbox:openbox \
    xdotool:xdotool dbus-daemon:dbus-daemon; do
    there "${pair%%:*}" || missing="$missing ${pair##*:}"
done
for pair in /usr/include/stdio.h:libc6-dev /usr/lib/avr/include/avr/io.h:avr-libc \
    /usr/include/simavr/sim_avr.h:libsimavr-dev /usr/include/libelf.h:libelf-dev \
    /usr/libexec/at-spi-bus-launcher:at-spi2-core; do
    [ -e "${pair%%:*}" ] || missing="$missing ${pair##*:}"
done
# MicroPython runs the camera tray's program; the tests bring it as a wheel where there is one (x86-64).
[ "$(uname -m)" = x86_64 ] || there micropython || missing="$missing micropython"
# The browser's engine alone loads pages quicker; the whole browser serves where that cannot be had.
wished=chromium-headless-shell
there $wished && wished=""
for one in "$@"; do dpkg -s "$one" >/dev/null 2>&1 || wished="$wished $one"; done
[ -n "$missing$wished" ] || exit 0
run=""
if [ "$(id -u)" -ne 0 ]; then
    if there sudo && sudo -n true 2>/dev/null; then
        run="sudo -n"
    elif [ -z "$missing" ]; then
        exit 0
    else
        echo "The tests need:$missing. Install them (sudo apt-get install$missing) and run make test again." >&2
        exit 1
    fi
fi
if ! there apt-get; then
    [ -n "$missing" ] || exit 0
    echo "The tests need:$missing. Install them with your system's package manager." >&2
    exit 1
fi
install() {
    DEBIAN_FRONTEND=noninteractive $run apt-get -o DPkg::Lock::Timeout=400 install -y -qq --no-install-recommends "$@"
}
$run apt-get -o DPkg::Lock::Timeout=400 update -qq || [ -z "$missing" ]
# shellcheck disable=SC2086
[ -z "$missing" ] || install $missing
for one in $wished; do install "$one" || true; done
