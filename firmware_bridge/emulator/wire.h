/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cable: a pseudo-terminal under a stable link, and what can go wrong with it.
 *
 * Bytes sent while nobody has the port open are lost, as on a UART. DTR is high while the port is open, and after
 * closing unless the host left HUPCL set, as the kernel's serial drivers do it. */
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wire {
    const char *link; /* NULL: none */
    char path[128];
    int master; /* -1 while cut */
    bool open;  /* somebody has the port open */
    bool dtr;
    bool pulses; /* each opening pulses DTR, as avrdude does by an ioctl that a pseudo-terminal does not know */
    unsigned noise; /* per cent of bytes garbled, both ways */
    uint64_t random;
    unsigned long drop, lose; /* bytes still to be lost, to the host and from it */
    long cut_after;           /* bytes to the host until the cable is cut; -1: never */
};

/* Make the port and print `pty PATH`. False, with a line on stderr, if it cannot be made. */
bool wire_join(struct wire *wire);

/* Take the port and its link away. */
void wire_cut(struct wire *wire);

/* Look whether somebody opened or closed the port. True when DTR has just fallen and risen: an Uno resets. */
bool wire_look(struct wire *wire);

/* One byte from the tray. */
void wire_to_host(struct wire *wire, uint8_t byte);

/* What the host sent, at most `most` bytes; 0: nothing. */
size_t wire_from_host(struct wire *wire, uint8_t *bytes, size_t most);

#endif
