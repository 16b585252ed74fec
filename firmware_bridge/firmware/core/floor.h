/* The floor of the tray: its wells, the dice in them, and the rolls that they make. Every change becomes an event.
 *
 * What a roll is (docs/tray-protocol.md, "Rolls"), as this tray can tell it:
 *
 *   - Dice that come to lie there after the tray has felt a hit were thrown, and begin a new roll, together with
 *     those that lay still. Until it has ended, every die that comes belongs to it.
 *   - What changes without a hit, or under a hand that moves dice about, was nudged, put upright or placed: a
 *     change of the roll there is. A die that was neither thrown nor lay there before has roll 0: nobody saw it
 *     thrown.
 *   - While the tray is felt or a hand is over it, a die that changes is rolling or handling, and no roll ends. */
#ifndef FLOOR_H
#define FLOOR_H

#include "link.h"
#include "well.h"

enum {
    FLOOR_QUIET_MILLISECONDS = 300, /* the settle window: without a hit for so long, dice lie still */
    FLOOR_FELT_MILLISECONDS = 5000, /* so long after a hit a die may still come to be read: it was thrown */
    FLOOR_LATE_MILLISECONDS = 2000, /* so long after a roll ended a straggler without a hit still belongs to it */
};

/* One event's memory: the newest of its slot, repeated until the host has it. */
struct repeat {
    bool pending;
    uint32_t due;
};

struct place {
    struct well well;
    struct message_die die; /* as last reported; STATE_REMOVED when nothing lies there */
    struct repeat repeat;
};

struct floor {
    struct place places[BOARD_SLOTS];
    struct message_roll_end end;
    struct repeat end_repeat;
    bool has_end;
    uint16_t event; /* the newest event's number */
    uint16_t roll;
    bool rolling;   /* a roll has begun and not ended */
    bool changed;   /* a die of the roll has come to rest since the roll was last reported at rest */
    bool hand;      /* over the tray now */
    bool hand_felt; /* a hand was over it at the last hit, or came right after */
    struct timer moving, felt, late;
};

void floor_start(struct floor *floor);

/* The tray was hit. */
void floor_hit(struct floor *floor, uint32_t now);

/* A hand came over the tray, or left. */
void floor_hand(struct floor *floor, bool over);

/* A reader has looked. */
void floor_look(struct floor *floor, const struct look *look, uint32_t now);

void floor_taught(struct floor *floor, const struct message_taught *taught);
void floor_acknowledge(struct floor *floor, uint16_t event);

/* SNAPSHOT: everything that lies there, and the last end, under the numbers that they had; ask for all meanings
 * anew. */
void floor_snapshot(struct floor *floor, uint32_t now);

/* Judge every well, end the roll when it is at rest, and send what is due. */
void floor_work(struct floor *floor, struct link *link, uint32_t now);

#endif
