/* The firmware's codec as a filter, so that tests can hold it against the host's.
 *
 * `wire HEX` feeds the decoder and prints each frame as `frame TYPE SEQUENCE PAYLOAD` and then `fields …`, `short` or
 * `unknown`, and at last `counts GOOD BAD_CHECKSUM OVERLONG SHORT MALFORMED`; `fresh` begins with a new decoder;
 * `message TYPE SEQUENCE FIELD…` prints the bytes of a message, `frame TYPE SEQUENCE PAYLOAD` those of a frame;
 * `checksum HEX` and `tag HEX` print the two checksums. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../firmware_bridge/firmware/core/checksum.h"
#include "../../../firmware_bridge/firmware/core/framing.h"
#include "../../../firmware_bridge/firmware/core/messages.h"

static struct decoder decoder;

static void print_hex(const uint8_t *bytes, size_t count)
{
    for (size_t at = 0; at < count; at++)
        printf("%02x", bytes[at]);
    putchar('\n');
}

static size_t from_hex(const char *text, uint8_t *bytes)
{
    static const char digits[] = "0123456789abcdef";
    size_t count = 0;
    for (; text[0] && strchr(digits, text[0]) && text[1]; text += 2)
        bytes[count++] = (uint8_t)((strchr(digits, text[0]) - digits) << 4 | (strchr(digits, text[1]) - digits));
    return count;
}

#define PRINT(bits, name) printf(" %lu", (unsigned long)message.name);
#define SHOW(code, name, FIELDS)                                              \
    case code: {                                                              \
        struct message_##name message;                                        \
        if (!message_##name##_unpack(&message, frame->payload, frame->length)) { \
            puts("short");                                                    \
            break;                                                            \
        }                                                                     \
        printf("fields");                                                     \
        FIELDS(PRINT)                                                         \
        putchar('\n');                                                        \
        break;                                                                \
    }

static void show(const struct frame *frame)
{
    printf("frame %u %u ", frame->type, frame->sequence);
    print_hex(frame->payload, frame->length);
    switch (frame->type) {
        EVERY_MESSAGE(SHOW)
    default:
        puts("unknown");
    }
}

#define READ(bits, name) message.name = (uint##bits##_t)strtoul(words, &words, 0);
#define BUILD(code, name, FIELDS)                      \
    case code: {                                       \
        struct message_##name message;                 \
        FIELDS(READ)                                   \
        message_##name##_pack(payload, &message);      \
        length = message_##name##_size;                \
        break;                                         \
    }

static void build(char *words)
{
    uint8_t payload[FRAME_PAYLOAD_MOST], wire[FRAME_WIRE_MOST], length = 0;
    uint8_t type = (uint8_t)strtoul(words, &words, 0), sequence = (uint8_t)strtoul(words, &words, 0);
    switch (type) {
        EVERY_MESSAGE(BUILD)
    default:
        abort();
    }
    print_hex(wire, frame_encode(wire, type, sequence, payload, length));
}

static void feed(const uint8_t *bytes, size_t count)
{
    struct frame frame;
    for (size_t at = 0; at < count; at++) {
        if (decoder_take(&decoder, bytes[at], &frame))
            show(&frame);
    }
    printf("counts %u %u %u %u %u\n", decoder.counts.good, decoder.counts.bad_checksum, decoder.counts.overlong,
           decoder.counts.too_short, decoder.counts.malformed);
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    decoder_start(&decoder);
    while (getline(&line, &room, stdin) > 0) {
        uint8_t *bytes = malloc(strlen(line) + 1), wire[FRAME_WIRE_MOST];
        char *words = line + strcspn(line, " \n");
        words += *words == ' ';
        if (!strncmp(line, "wire", 4)) {
            feed(bytes, from_hex(words, bytes));
        } else if (!strncmp(line, "fresh", 5)) {
            decoder_start(&decoder);
        } else if (!strncmp(line, "message", 7)) {
            build(words);
        } else if (!strncmp(line, "frame", 5)) {
            uint8_t type = (uint8_t)strtoul(words, &words, 0), sequence = (uint8_t)strtoul(words, &words, 0);
            uint8_t length = (uint8_t)from_hex(words + 1, bytes);
            print_hex(wire, frame_encode(wire, type, sequence, bytes, length));
        } else if (!strncmp(line, "checksum", 8)) {
            printf("%u\n", checksum_of(bytes, (uint8_t)from_hex(words, bytes)));
        } else if (!strncmp(line, "tag", 3)) {
            printf("%lu\n", (unsigned long)checksum_tag(bytes, (uint8_t)from_hex(words, bytes)));
        }
        free(bytes);
    }
    free(line);
    return 0;
}
