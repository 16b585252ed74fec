/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ring of WS2812 lamps, decoded from the edges of its data line. Times are CPU cycles at 16 MHz. */
#ifndef RING_H
#define RING_H

#include <stdbool.h>
#include <stdint.h>

enum { RING_LAMPS = 12, RING_BYTES = RING_LAMPS * 3 };

struct ring {
    bool level;
    uint64_t edge_at;
    unsigned bits;
    uint8_t arriving[RING_BYTES]; /* green, red, blue of each lamp */
    uint8_t shown[RING_BYTES];
};

/* The data line takes this level now. */
void ring_edge(struct ring *ring, bool level, uint64_t cycle);

/* Latch what arrived if the line has rested long enough; true when the colours changed. */
bool ring_latch(struct ring *ring, uint64_t cycle);

#endif
