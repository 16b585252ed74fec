/* Frames on the wire: 00 | COBS(type, sequence, payload, CRC-16) | 00.
 *
 * The decoder takes one byte at a time, keeps at most one frame, and never writes past it, whatever arrives: the
 * wire is the one place where anybody's bytes reach the tray. What is no frame is dropped and counted. */
#ifndef FRAMING_H
#define FRAMING_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FRAME_PAYLOAD_MOST = 48,
    FRAME_HEAD = 2,     /* type and sequence */
    FRAME_CHECKSUM = 2,
    FRAME_STUFFED_MOST = FRAME_HEAD + FRAME_PAYLOAD_MOST + FRAME_CHECKSUM + 1, /* COBS adds one byte below 254 */
    FRAME_WIRE_MOST = FRAME_STUFFED_MOST + 2,
};

struct frame {
    uint8_t type;
    uint8_t sequence;
    uint8_t length; /* of the payload */
    const uint8_t *payload;
};

struct frame_counts {
    uint16_t good, bad_checksum, overlong, too_short, malformed;
};

struct decoder {
    uint8_t bytes[FRAME_STUFFED_MOST];
    uint8_t count;
    bool skipping; /* an overlong frame is thrown away up to the next zero */
    struct frame_counts counts;
};

/* Write a frame with both delimiters; returns its length, at most FRAME_WIRE_MOST. `length` must not exceed
 * FRAME_PAYLOAD_MOST. */
uint8_t frame_encode(uint8_t wire[FRAME_WIRE_MOST], uint8_t type, uint8_t sequence, const uint8_t *payload,
                     uint8_t length);

void decoder_start(struct decoder *decoder);

/* One byte of the wire. True when it completed a frame, which then points into the decoder and lives until the next
 * byte. */
bool decoder_take(struct decoder *decoder, uint8_t byte, struct frame *frame);

#endif
