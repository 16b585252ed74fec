/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ring.h"

#include <string.h>

/* WS2812 data sheet: high 0.35 us is a 0, 0.7 us a 1; a rest of 50 us latches. The middle decides. */
enum { ONE_FROM_CYCLES = 9, HIGH_MOST_CYCLES = 160, LATCH_CYCLES = 800 };

void ring_edge(struct ring *ring, bool level, uint64_t cycle) {
    if (level == ring->level) return;
    uint64_t length = cycle - ring->edge_at;
    ring->level = level;
    ring->edge_at = cycle;
    if (level) {
        if (length >= LATCH_CYCLES) ring->bits = 0;
        return;
    }
    if (length > HIGH_MOST_CYCLES || ring->bits >= 8 * RING_BYTES) return;
    uint8_t mask = (uint8_t)(0x80 >> ring->bits % 8), *byte = &ring->arriving[ring->bits / 8];
    *byte = (uint8_t)(length >= ONE_FROM_CYCLES ? *byte | mask : *byte & ~mask);
    ring->bits++;
}

bool ring_latch(struct ring *ring, uint64_t cycle) {
    if (ring->level || !ring->bits || cycle - ring->edge_at < LATCH_CYCLES) return false;
    unsigned bytes = ring->bits / 24 * 3; /* a lamp takes its colour when all of it has come */
    ring->bits = 0;
    if (!memcmp(ring->shown, ring->arriving, bytes)) return false;
    memcpy(ring->shown, ring->arriving, bytes);
    return true;
}
