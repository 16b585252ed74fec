/* Fuzzing the codec: any bytes at all go through the decoder, and the same bytes as a payload through both ways. */
#include <stdlib.h>
#include <string.h>

#include "../../../firmware_bridge/firmware/core/framing.h"
#include "../../../firmware_bridge/firmware/core/messages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t fuzz_first(uint8_t *data, size_t most, unsigned number);

static void demand(bool holds)
{
    if (!holds)
        abort();
}

#define AGAIN(code, name, FIELDS)                                                     \
    case code: {                                                                      \
        struct message_##name message;                                                \
        uint8_t payload[FRAME_PAYLOAD_MOST];                                          \
        bool fits = message_##name##_unpack(&message, frame->payload, frame->length); \
        demand(fits == (frame->length >= message_##name##_size));                     \
        if (!fits)                                                                    \
            break;                                                                    \
        message_##name##_pack(payload, &message);                                     \
        demand(memcmp(payload, frame->payload, message_##name##_size) == 0);          \
        break;                                                                        \
    }

/* A frame that was understood says the same when it is written and read again. */
static void both_ways(const struct frame *frame)
{
    uint8_t wire[FRAME_WIRE_MOST];
    uint8_t count = frame_encode(wire, frame->type, frame->sequence, frame->payload, frame->length);
    struct decoder decoder;
    struct frame again;
    demand(frame->length <= FRAME_PAYLOAD_MOST && count <= FRAME_WIRE_MOST);
    decoder_start(&decoder);
    for (uint8_t at = 0; at + 1 < count; at++)
        demand(!decoder_take(&decoder, wire[at], &again) && (at == 0) == (wire[at] == 0));
    demand(decoder_take(&decoder, wire[count - 1], &again));
    demand(again.type == frame->type && again.sequence == frame->sequence && again.length == frame->length);
    demand(memcmp(again.payload, frame->payload, frame->length) == 0);
    switch (frame->type) {
        EVERY_MESSAGE(AGAIN)
    default:
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct decoder decoder;
    struct frame frame;
    decoder_start(&decoder);
    for (size_t at = 0; at < size; at++) {
        if (decoder_take(&decoder, data[at], &frame))
            both_ways(&frame);
    }
    demand(decoder.count <= FRAME_STUFFED_MOST);
    if (size >= 2 && size <= FRAME_HEAD + FRAME_PAYLOAD_MOST) {
        const struct frame made = {
            .type = data[0], .sequence = data[1], .length = (uint8_t)(size - 2), .payload = data + 2};
        both_ways(&made);
    }
    return 0;
}

/* One good frame to begin with: chance alone rarely finds a checksum. */
size_t fuzz_first(uint8_t *data, size_t most, unsigned number)
{
    static const uint8_t payload[FRAME_PAYLOAD_MOST] = {1, 0, 0x34, 0x12};
    (void)most;
    uint8_t length = (uint8_t)(number == 7 ? sizeof payload : 4 * number);
    return number > 7 ? 0 : frame_encode(data, (uint8_t)(number + 1), 9, payload, length);
}
