/* SPDX-License-Identifier: MIT */
/* Tags (PICCs) of ISO/IEC 14443-3 type A in the field of one reader, bit by bit.
 *
 * Each tag follows the standard's state machine (IDLE, READY, ACTIVE, HALT and their starred twins): REQA and WUPA,
 * anticollision and SELECT at one to three cascade levels, HLTA. All answers of a field come at the same instant and
 * are laid over one another; where two differ, that bit is a collision. Nothing above selection is modelled. */
#ifndef PICC_H
#define PICC_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PICC_UID_LONGEST = 10,
    PICC_TAGS_MOST = 4,
    PICC_FRAME_BITS = 64 * 8,
    PICC_START_MICROSECONDS = 5000, /* unmodulated field before a tag has to hear a request (ISO/IEC 14443-3, 5) */
};

enum picc_state { PICC_OFF, PICC_IDLE, PICC_READY, PICC_ACTIVE, PICC_HALT, PICC_READY_AGAIN, PICC_ACTIVE_AGAIN };

struct picc {
    uint8_t uid[PICC_UID_LONGEST];
    uint8_t uid_length; /* 4, 7 or 10; 0: no tag */
    uint8_t percent;    /* share of polls in which it has power enough to answer */
    enum picc_state state;
    uint8_t level; /* cascade level it waits for while READY, from 0 */
    uint64_t powered_at;
};

struct picc_field {
    struct picc tag[PICC_TAGS_MOST];
    bool powered;
    bool endless; /* its tags say at each level that another follows, as only hostile or broken ones do */
    uint64_t random; /* of the weak tags */
};

/* Bits in the order in which they go over the air. */
struct picc_bits {
    unsigned length;
    bool bit[PICC_FRAME_BITS];
    bool collided[PICC_FRAME_BITS];
};

/* Whether a length of UID exists: 4, 7 or 10 bytes. */
bool picc_length_exists(unsigned length);

/* Put a tag into the field; false when it is there already or there is no room. A tag there only changes `percent`. */
bool picc_add(struct picc_field *field, const uint8_t *uid, unsigned length, unsigned percent, uint64_t now);

/* Take one tag (or with `length` 0 all of them) away; false when it was not there. */
bool picc_lift(struct picc_field *field, const uint8_t *uid, unsigned length);

/* Switch the field; without it tags forget everything. `now` in microseconds. */
void picc_power(struct picc_field *field, bool on, uint64_t now);

/* What comes back when the reader sends these bits; length 0: silence. */
struct picc_bits picc_exchange(struct picc_field *field, const struct picc_bits *sent, uint64_t now);

/* CRC_A of ISO/IEC 14443-3 over whole bytes, least significant bit first, from `preset`. */
uint16_t picc_crc(uint16_t preset, const uint8_t *data, unsigned length);

#endif
