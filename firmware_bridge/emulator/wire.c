/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

enum { CHUNK = 256 };

static bool failed(const char *what) {
    fprintf(stderr, "The emulated tray cannot %s: %s.\n", what, strerror(errno));
    return false;
}

/* The link moves in one step, so that a host that looks always finds a port. */
static bool point(const struct wire *wire) {
    struct stat there;
    if (!lstat(wire->link, &there) && !S_ISLNK(there.st_mode)) {
        fprintf(stderr, "%s is there and no link; choose another path.\n", wire->link);
        return false;
    }
    char fresh[4096];
    if (snprintf(fresh, sizeof fresh, "%s.new", wire->link) >= (int)sizeof fresh) return false;
    unlink(fresh);
    if (symlink(wire->path, fresh) || rename(fresh, wire->link)) return failed("make its link");
    return true;
}

bool wire_join(struct wire *wire) {
    if (wire->master >= 0) return true;
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0 || grantpt(master) || unlockpt(master)) return failed("make a pseudo-terminal");
    if (ptsname_r(master, wire->path, sizeof wire->path)) return failed("name its pseudo-terminal");
    struct termios settings;
    if (tcgetattr(master, &settings)) return failed("read the port's settings");
    cfmakeraw(&settings);
    settings.c_cflag |= HUPCL; /* a serial port's default; a pseudo-terminal's is without */
    if (tcsetattr(master, TCSANOW, &settings)) return failed("set the port up");
    /* Opened and closed once, the port reports a hang-up until a host opens it. */
    int slave = open(wire->path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave < 0) return failed("open its port");
    close(slave);
    fcntl(master, F_SETFL, O_NONBLOCK);
    wire->master = master;
    wire->open = wire->dtr = false;
    if (wire->link && !point(wire)) return false;
    printf("pty %s\n", wire->path);
    return true;
}

void wire_cut(struct wire *wire) {
    if (wire->master < 0) return;
    char target[sizeof wire->path];
    ssize_t length = wire->link ? readlink(wire->link, target, sizeof target - 1) : -1;
    if (length > 0) {
        target[length] = 0;
        if (!strcmp(target, wire->path)) unlink(wire->link);
    }
    close(wire->master);
    wire->master = -1;
    wire->open = wire->dtr = false;
    wire->cut_after = -1;
}

static bool hung_up(const struct wire *wire) {
    struct pollfd look = {.fd = wire->master, .events = POLLIN};
    return poll(&look, 1, 0) > 0 && look.revents & POLLHUP;
}

static bool reserved(const struct wire *wire) {
    int slave = open(wire->path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (slave >= 0) close(slave);
    return slave < 0 && errno == EBUSY;
}

static void closed(struct wire *wire) {
    uint8_t rest[CHUNK];
    while (read(wire->master, rest, sizeof rest) > 0) continue;
    struct termios settings;
    if (!tcgetattr(wire->master, &settings) && settings.c_cflag & HUPCL) wire->dtr = false;
    wire->open = false;
    /* TIOCEXCL outlives the last closing of a pseudo-terminal, which on a serial port it does not. */
    if (reserved(wire) && hung_up(wire)) {
        bool dtr = wire->dtr;
        wire_cut(wire);
        wire_join(wire);
        wire->dtr = dtr;
    }
}

bool wire_look(struct wire *wire) {
    if (wire->master < 0) return false;
    bool open = !hung_up(wire);
    if (!open) {
        if (wire->open) closed(wire);
        return false;
    }
    bool rises = !wire->dtr || (wire->pulses && !wire->open);
    wire->open = true;
    wire->dtr = true;
    return rises;
}

static uint64_t next(struct wire *wire) {
    wire->random ^= wire->random << 13;
    wire->random ^= wire->random >> 7;
    wire->random ^= wire->random << 17;
    return wire->random;
}

static uint8_t garbled(struct wire *wire, uint8_t byte) {
    if (!wire->noise || next(wire) / 7 % 100 >= wire->noise) return byte;
    return (uint8_t)(byte ^ (1 + next(wire) / 7 % 255));
}

void wire_to_host(struct wire *wire, uint8_t byte) {
    if (wire->master < 0) return;
    if (wire->drop) {
        wire->drop--;
        return;
    }
    byte = garbled(wire, byte);
    if (wire->open && write(wire->master, &byte, 1) < 0 && errno != EAGAIN && errno != EIO) failed("write to its port");
    if (wire->cut_after >= 0 && wire->open && --wire->cut_after <= 0) wire_cut(wire);
}

size_t wire_from_host(struct wire *wire, uint8_t *bytes, size_t most) {
    if (wire->master < 0 || !wire->open) return 0;
    ssize_t length = read(wire->master, bytes, most);
    size_t kept = 0;
    for (ssize_t at = 0; at < length; at++) {
        if (wire->lose) {
            wire->lose--;
        } else {
            bytes[kept++] = garbled(wire, bytes[at]);
        }
    }
    return kept;
}
