/* Framing, see framing.h. */
#include "framing.h"

#include <string.h>

#include "checksum.h"

_Static_assert(FRAME_STUFFED_MOST < 0xFF, "one COBS block must hold a frame, and a count must fit a byte");

struct stuffer {
    uint8_t *wire;
    uint8_t at;   /* where the next byte goes */
    uint8_t code; /* where the count of the open block stands */
};

static void stuff(struct stuffer *stuffer, uint8_t byte)
{
    if (byte != 0) {
        stuffer->wire[stuffer->at++] = byte;
        return;
    }
    stuffer->wire[stuffer->code] = (uint8_t)(stuffer->at - stuffer->code);
    stuffer->code = stuffer->at++;
}

uint8_t frame_encode(uint8_t wire[FRAME_WIRE_MOST], uint8_t type, uint8_t sequence, const uint8_t *payload,
                     uint8_t length)
{
    uint16_t checksum = checksum_add(checksum_add(CHECKSUM_START, type), sequence);
    struct stuffer stuffer = {.wire = wire, .at = 2, .code = 1};
    wire[0] = 0;
    stuff(&stuffer, type);
    stuff(&stuffer, sequence);
    for (uint8_t at = 0; at < length; at++) {
        checksum = checksum_add(checksum, payload[at]);
        stuff(&stuffer, payload[at]);
    }
    stuff(&stuffer, (uint8_t)(checksum & 0xFF));
    stuff(&stuffer, (uint8_t)(checksum >> 8));
    wire[stuffer.code] = (uint8_t)(stuffer.at - stuffer.code);
    wire[stuffer.at++] = 0;
    return stuffer.at;
}

void decoder_start(struct decoder *decoder)
{
    memset(decoder, 0, sizeof *decoder);
}

/* Undo COBS in place: what comes out is always shorter than what went in. Returns its length, 0 when it is
 * malformed. */
static uint8_t unstuff(uint8_t *bytes, uint8_t count)
{
    uint8_t from = 0, to = 0;
    while (from < count) {
        uint8_t block = bytes[from++];
        if (block == 0 || block - 1 > count - from)
            return 0;
        for (uint8_t left = (uint8_t)(block - 1); left > 0; left--)
            bytes[to++] = bytes[from++];
        if (from < count)
            bytes[to++] = 0;
    }
    return to;
}

static bool finish(struct decoder *decoder, uint8_t count, struct frame *frame)
{
    /* A lone 01 is well formed and empty; every other count that ends empty is malformed. */
    bool empty = count == 1 && decoder->bytes[0] == 1;
    uint8_t length = unstuff(decoder->bytes, count);
    if (length == 0 && !empty) {
        decoder->counts.malformed++;
        return false;
    }
    if (length < FRAME_HEAD + FRAME_CHECKSUM) {
        decoder->counts.too_short++;
        return false;
    }
    uint8_t content = (uint8_t)(length - FRAME_CHECKSUM);
    const uint8_t *end = decoder->bytes + content;
    if (checksum_of(decoder->bytes, content) != (uint16_t)(end[0] | (uint16_t)((uint16_t)end[1] << 8))) {
        decoder->counts.bad_checksum++;
        return false;
    }
    decoder->counts.good++;
    frame->type = decoder->bytes[0];
    frame->sequence = decoder->bytes[1];
    frame->length = (uint8_t)(content - FRAME_HEAD);
    frame->payload = decoder->bytes + FRAME_HEAD;
    return true;
}

bool decoder_take(struct decoder *decoder, uint8_t byte, struct frame *frame)
{
    if (byte == 0) {
        uint8_t count = decoder->count;
        decoder->count = 0;
        decoder->skipping = false;
        return count > 0 && finish(decoder, count, frame);
    }
    if (decoder->skipping)
        return false;
    if (decoder->count == FRAME_STUFFED_MOST) {
        decoder->count = 0;
        decoder->skipping = true;
        decoder->counts.overlong++;
        return false;
    }
    decoder->bytes[decoder->count++] = byte;
    return false;
}
