/* The messages of protocol 1.1: docs/tray-protocol.md's two tables, said once.
 *
 * Each list below names the fields of one message in the order and width in which they go over the wire. From it the
 * compiler makes the struct, its packer and its unpacker, so that the three cannot disagree. A field is little-endian
 * and there are no gaps. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

enum { PROTOCOL_MAJOR = 1, PROTOCOL_MINOR = 1 };

/* MESSAGE(type, name, FIELDS): host to tray below 0x80, tray to host from there on. */
#define EVERY_MESSAGE(MESSAGE)                 \
    MESSAGE(0x01, hello_request, HELLO_REQUEST_FIELDS) \
    MESSAGE(0x02, ping, NONCE_FIELDS)          \
    MESSAGE(0x03, acknowledge, ACKNOWLEDGE_FIELDS) \
    MESSAGE(0x04, snapshot, SNAPSHOT_FIELDS)   \
    MESSAGE(0x05, ring, RING_FIELDS)           \
    MESSAGE(0x06, configure, CONFIGURE_FIELDS) \
    MESSAGE(0x07, reset, RESET_FIELDS)         \
    MESSAGE(0x08, taught, TAUGHT_FIELDS)       \
    MESSAGE(0x0A, sense, NONCE_FIELDS)         \
    MESSAGE(0x81, hello, HELLO_FIELDS)         \
    MESSAGE(0x82, pong, NONCE_FIELDS)          \
    MESSAGE(0x83, die, DIE_FIELDS)             \
    MESSAGE(0x84, roll_end, ROLL_END_FIELDS)   \
    MESSAGE(0x85, beat, BEAT_FIELDS)           \
    MESSAGE(0x86, result, RESULT_FIELDS)       \
    MESSAGE(0x87, fault, FAULT_FIELDS)         \
    MESSAGE(0x88, tag, TAG_FIELDS)             \
    MESSAGE(0x8C, levels, LEVELS_FIELDS)       \
    MESSAGE(0x8D, reader, READER_FIELDS)

#define HELLO_REQUEST_FIELDS(FIELD) FIELD(8, major) FIELD(8, minor) FIELD(16, nonce)
#define NONCE_FIELDS(FIELD) FIELD(16, nonce)
#define ACKNOWLEDGE_FIELDS(FIELD) FIELD(16, event)
#define SNAPSHOT_FIELDS(FIELD) FIELD(32, boot_id)
#define RING_FIELDS(FIELD) FIELD(8, pattern) FIELD(8, red) FIELD(8, green) FIELD(8, blue)
#define CONFIGURE_FIELDS(FIELD) FIELD(8, key) FIELD(32, value)
#define RESET_FIELDS(FIELD) FIELD(16, magic)
#define TAUGHT_FIELDS(FIELD) FIELD(32, tag) FIELD(32, die_id) FIELD(8, kind) FIELD(8, face) FIELD(8, side)
#define HELLO_FIELDS(FIELD)                                                                          \
    FIELD(8, major) FIELD(8, minor) FIELD(16, nonce) FIELD(16, firmware) FIELD(32, tray_id)          \
    FIELD(32, boot_id) FIELD(8, reset_cause) FIELD(8, slots) FIELD(16, capabilities) FIELD(32, uptime)
#define DIE_FIELDS(FIELD)                                                                            \
    FIELD(16, event) FIELD(16, roll) FIELD(8, slot) FIELD(32, die_id) FIELD(8, kind) FIELD(8, face)  \
    FIELD(8, state) FIELD(8, confidence) FIELD(32, device_time) FIELD(8, flags)
#define ROLL_END_FIELDS(FIELD) FIELD(16, event) FIELD(16, roll) FIELD(8, count) FIELD(16, digest)
#define BEAT_FIELDS(FIELD)                                                                           \
    FIELD(32, uptime) FIELD(16, last_event) FIELD(16, bad_checksum) FIELD(16, overlong)              \
    FIELD(16, unsent) FIELD(16, reader_errors)                                                       \
    FIELD(16, malformed) FIELD(16, too_short) FIELD(16, overruns)
#define RESULT_FIELDS(FIELD) FIELD(8, sequence) FIELD(8, command) FIELD(8, code)
#define FAULT_FIELDS(FIELD) FIELD(8, code) FIELD(8, slot) FIELD(16, detail)
#define TAG_FIELDS(FIELD) FIELD(8, slot) FIELD(32, tag)
#define LEVELS_FIELDS(FIELD) FIELD(16, piezo) FIELD(16, floor) FIELD(8, flags)
#define READER_FIELDS(FIELD) FIELD(8, slot) FIELD(8, version) FIELD(16, errors) FIELD(32, tag)

#define MESSAGE_FIELD(bits, name) uint##bits##_t name;
#define MESSAGE_WIDTH(bits, name) +(bits) / 8
#define MESSAGE_DECLARE(code, name, FIELDS)                                                          \
    struct message_##name {                                                                          \
        FIELDS(MESSAGE_FIELD)                                                                        \
    };                                                                                               \
    enum { message_##name##_type = (code), message_##name##_size = 0 FIELDS(MESSAGE_WIDTH) };        \
    /* Write the payload, message_..._size bytes of it. */                                           \
    void message_##name##_pack(uint8_t *payload, const struct message_##name *message);              \
    /* Read a payload; false when it is too short. What follows the last field is a later version's. */ \
    bool message_##name##_unpack(struct message_##name *message, const uint8_t *payload, uint8_t length);

EVERY_MESSAGE(MESSAGE_DECLARE)

enum message_longest { MESSAGE_LONGEST = message_hello_size };

enum kind { KIND_NOT_KNOWN = 0, KIND_D20 = 1, KIND_CHALLENGE = 2, KIND_D6 = 3 };
enum state {
    STATE_REMOVED = 0,
    STATE_HANDLING = 1,
    STATE_ROLLING = 2,
    STATE_SETTLED = 3,
    STATE_COCKED = 4,
    STATE_FAULT = 5,
};
enum side { SIDE_UP = 0, SIDE_DOWN = 1 };
enum reset_cause {
    RESET_UNKNOWN = 0,
    RESET_POWER = 1,
    RESET_BUTTON = 2,
    RESET_BROWN_OUT = 3,
    RESET_WATCHDOG = 4,
    RESET_COMMAND = 5,
};
enum fault_code {
    FAULT_READER = 1,
    FAULT_MOTION = 2,
    FAULT_BEAM = 3,
    FAULT_LAMP = 4,
    FAULT_POWER = 5,
    FAULT_MEMORY = 6,
};
enum result_code { RESULT_DONE = 0, RESULT_UNKNOWN = 1, RESULT_BAD_VALUE = 2, RESULT_NOT_NOW = 3 };
enum capability { CAPABILITY_LAMP = 1, CAPABILITY_MOTION = 2, CAPABILITY_HAND = 4, CAPABILITY_DIE_IDENTITY = 8 };
enum sensed_flag { SENSED_BEAM_INTERRUPTED = 1, SENSED_BUTTON_PRESSED = 2 };
enum die_flag { FLAG_SENSOR_FAULT = 2 };
enum { WHOLE_TRAY = 0xFF, RESET_MAGIC = 0x5AA5 };

#endif
