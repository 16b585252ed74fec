/* The readers: up to four MFRC522 on one SPI bus, one under each well, looked at in turn.
 *
 * A look switches the reader's field on, wakes every tag in it, reads up to two of them, and switches the field off
 * again. One field at a time keeps neighbours from hearing each other and the supply small; and because a tag
 * without field forgets everything, each look sees all tags anew. A look is a row of short exchanges, each begun in
 * one call of readers_work and collected in a later one, so that nobody ever waits: it takes 9 ms without a tag, 12
 * to 17 ms with one.
 *
 * Register names and numbers: MFRC522 product data sheet 3.9; tags: ISO/IEC 14443-3 type A. */
#ifndef READERS_H
#define READERS_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "timing.h"

enum {
    READERS_TAGS_MOST = 2, /* two are already too many for a value; more change nothing */
    READERS_UID_MOST = 10,
    READERS_FAILURES = 3,  /* looks in a row that a reader may fail before it counts as broken */
};

enum look_result {
    LOOK_NOTHING, /* no tag answered */
    LOOK_TAGS,    /* `count` tags, by number, were read whole */
    LOOK_DAMAGED, /* something answered and could not be read */
    LOOK_BROKEN,  /* the reader itself does not answer as it should, and did not for READERS_FAILURES looks */
};

struct look {
    uint8_t slot;
    uint8_t result; /* enum look_result */
    uint8_t count;
    uint32_t tags[READERS_TAGS_MOST];
};

enum readers_stage {
    READERS_RESETTING,
    READERS_WAKING,
    READERS_COUNTING,
    READERS_STARTING_LOOK,
    READERS_POWERING, /* the field is on; tags start */
    READERS_REQUESTING,
    READERS_COLLIDING, /* anticollision */
    READERS_SELECTING,
    READERS_HALTING,
};

struct readers {
    uint8_t stage; /* enum readers_stage */
    uint8_t slot;
    uint8_t present;   /* bits: which slots have a reader, known after the start; later ones join, none leaves */
    uint8_t failures[BOARD_SLOTS];
    uint16_t errors;   /* answers that were damaged or did not come, modulo 65536 */
    uint16_t slot_errors[BOARD_SLOTS]; /* the same of each reader */
    uint32_t last_tags[BOARD_SLOTS];   /* the number of the tag that each read last; 0 before */
    uint32_t since;    /* when this stage or exchange began */
    struct timer rescue;
    /* The look that is going on. */
    struct look look;
    uint8_t level;     /* cascade level, from 0 */
    uint8_t known;     /* bits of this level that a collision has settled */
    uint8_t uid_length;
    uint8_t part[5];   /* this level's four bytes and their exclusive-or */
    uint8_t uid[READERS_UID_MOST];
};

void readers_start(struct readers *readers, uint32_t now);

/* Whether the readers have been counted; one that answers later joins `present` within 5 s. */
bool readers_are_counted(const struct readers *readers);

/* Go on; true when a look has been completed. Takes 0.2 ms at most. */
bool readers_work(struct readers *readers, uint32_t now, struct look *look);

#endif
