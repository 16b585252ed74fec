/* The tray's end of the line: sends messages, greets, beats, and repeats what fails.
 *
 * Until the host has sent SNAPSHOT with this start's boot id it may not hear a word about dice: it could take them for
 * those of an earlier start. `known` says that it has. */
#ifndef LINK_H
#define LINK_H

#include "board.h"
#include "framing.h"
#include "messages.h"
#include "timing.h"

enum {
    FIRMWARE_VERSION = 0x0101,
    BEAT_MILLISECONDS = 500,
    REPEAT_MILLISECONDS = 225,
    FAULT_MILLISECONDS = 5000,
    FAULT_PLACES = BOARD_SLOTS + 4, /* each reader, then motion sensor, light beam, memory, all readers */
    FAULT_AT_MOTION = BOARD_SLOTS,
    FAULT_AT_BEAM,
    FAULT_AT_MEMORY,
    FAULT_AT_READERS,
};

struct identity {
    uint32_t tray_id;
    uint32_t boot_id;
    uint8_t reset_cause;
    bool kept; /* the memory took what was written */
};

struct fault {
    bool lasts;
    uint16_t detail;
    uint32_t due;
};

struct link {
    struct identity identity;
    struct decoder decoder;
    uint32_t beat_due;
    uint16_t unsent;
    uint16_t reader_errors;
    uint16_t last_event;
    uint8_t sequence;
    uint8_t slots;
    bool known;
    struct fault faults[FAULT_PLACES];
};

void link_start(struct link *link, const struct identity *identity, uint8_t slots, uint32_t now);

/* How many places there are now. Where they have become more, the tray greets anew: what it then tells of them has to
 * wait until the host has heard how many there are. */
void link_places(struct link *link, uint8_t slots, uint32_t now);

/* Send one payload now; false, and counted, when the serial port has no room. */
bool link_send(struct link *link, uint8_t type, const uint8_t *payload, uint8_t length);

/* Whether any message would be taken now: what can wait asks before it sends. */
bool link_has_room(void);

void link_hello(struct link *link, uint16_t nonce, uint32_t now);

/* Something fails, or does no longer. `place` is a slot or one of FAULT_AT_... */
void link_fault(struct link *link, uint8_t place, bool lasts, uint16_t detail, uint32_t now);

/* Send what is due: HELLO or BEAT, and the faults. */
void link_work(struct link *link, uint32_t now);

/* Send `message`, a struct message_<name>. */
#define LINK_SAY(link, name, message)                                                     \
    do {                                                                                  \
        uint8_t link_payload[message_##name##_size];                                      \
        message_##name##_pack(link_payload, message);                                     \
        (void)link_send(link, message_##name##_type, link_payload, message_##name##_size); \
    } while (false)

#endif
