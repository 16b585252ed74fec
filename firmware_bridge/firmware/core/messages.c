/* Packing and unpacking, made from the lists in messages.h. */
#include "messages.h"

#include "framing.h"

static uint8_t *put_8(uint8_t *to, uint8_t value)
{
    *to++ = value;
    return to;
}

static uint8_t *put_16(uint8_t *to, uint16_t value)
{
    return put_8(put_8(to, (uint8_t)(value & 0xFF)), (uint8_t)(value >> 8));
}

static uint8_t *put_32(uint8_t *to, uint32_t value)
{
    return put_16(put_16(to, (uint16_t)(value & 0xFFFF)), (uint16_t)(value >> 16));
}

static uint8_t get_8(const uint8_t **from)
{
    return *(*from)++;
}

static uint16_t get_16(const uint8_t **from)
{
    uint16_t low = get_8(from);
    return (uint16_t)(low | (uint16_t)((uint16_t)get_8(from) << 8));
}

static uint32_t get_32(const uint8_t **from)
{
    uint32_t low = get_16(from);
    return low | (uint32_t)get_16(from) << 16;
}

#define PUT(bits, name) payload = put_##bits(payload, message->name);
#define GET(bits, name) message->name = get_##bits(&payload);
#define MESSAGE_DEFINE(code, name, FIELDS)                                                                 \
    _Static_assert((int)message_##name##_size <= (int)FRAME_PAYLOAD_MOST, "a message must fit a frame");   \
    _Static_assert((int)message_##name##_size <= (int)MESSAGE_LONGEST, "no message is longer than HELLO"); \
    void message_##name##_pack(uint8_t *payload, const struct message_##name *message)                     \
    {                                                                                                      \
        FIELDS(PUT)                                                                                        \
        (void)payload;                                                                                     \
    }                                                                                                      \
    bool message_##name##_unpack(struct message_##name *message, const uint8_t *payload, uint8_t length)   \
    {                                                                                                      \
        if (length < message_##name##_size)                                                                \
            return false;                                                                                  \
        FIELDS(GET)                                                                                        \
        return true;                                                                                       \
    }

EVERY_MESSAGE(MESSAGE_DEFINE)
