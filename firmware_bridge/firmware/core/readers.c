/* Looking at the readers in turn, see readers.h. */
#include "readers.h"

#include <string.h>

#include "checksum.h"
#include "mfrc522.h"

enum {
    RESET_MILLISECONDS = 3,
    WAKING_MILLISECONDS = 10,    /* the chip's oscillator starts */
    COUNTING_MILLISECONDS = 60,  /* a slow supply may bring a reader up late */
    POWERING_MILLISECONDS = 6,   /* a tag has 5 ms to start; one more because a millisecond may have just begun */
    PAUSE_MILLISECONDS = 2,      /* a chip that was reset by software is deaf for 0.1 ms */
    STUCK_MILLISECONDS = 20,     /* an exchange takes 2 ms at most; simulators of this chip pace its bus slower */
    RESCUE_MILLISECONDS = 5000,  /* how often a broken reader is worth resetting all of them, an absent one a look */
};

enum {
    WAKE_ALL = 0x52,       /* WUPA, 7 bits */
    REQUEST_IDLE = 0x26,   /* REQA, 7 bits: those that have been read and halted stay silent */
    HALT = 0x50,
    SELECT_LEVEL_1 = 0x93, /* the next levels follow in steps of two */
    SELECT_STEP = 2,
    SELECT_WHOLE = 0x70,
    SELECT_NOTHING_KNOWN = 0x20,
    CASCADE_TAG = 0x88,    /* in place of a UID byte: more follows at the next level */
    ACKNOWLEDGE_MORE = 0x04,
    LEVELS = 3,
    PART_BITS = 32,
};

static void enter(struct readers *readers, enum readers_stage stage, uint32_t now)
{
    readers->stage = (uint8_t)stage;
    readers->since = now;
}

static bool passed(const struct readers *readers, uint32_t now, uint32_t milliseconds)
{
    return now - readers->since >= milliseconds;
}

static void send(struct readers *readers, enum readers_stage stage, const struct mfrc522_request *request, uint32_t now)
{
    mfrc522_send(readers->slot, request);
    enter(readers, stage, now);
}

static void reset_all(struct readers *readers, uint32_t now)
{
    board_readers_run(false);
    enter(readers, READERS_RESETTING, now);
}

void readers_start(struct readers *readers, uint32_t now)
{
    memset(readers, 0, sizeof *readers);
    timer_start(&readers->rescue, now, RESCUE_MILLISECONDS);
    reset_all(readers, now);
}

bool readers_are_counted(const struct readers *readers)
{
    return readers->stage >= READERS_STARTING_LOOK;
}

/* Whether the start is over: later resets find the readers that there are. */
static bool was_counted(const struct readers *readers)
{
    return readers->present != 0;
}

static void count(struct readers *readers, uint32_t now)
{
    uint8_t found = 0;
    for (uint8_t slot = 0; slot < BOARD_SLOTS; slot++) {
        if (mfrc522_is_there(slot)) {
            mfrc522_configure(slot);
            found = (uint8_t)(found | 1u << slot);
        }
    }
    if (!was_counted(readers)) {
        bool all = found == (1u << BOARD_SLOTS) - 1;
        if (!all && !passed(readers, now, COUNTING_MILLISECONDS))
            return;
        readers->present = found;
    }
    enter(readers, READERS_STARTING_LOOK, now);
}

static bool any_broken(const struct readers *readers)
{
    for (uint8_t slot = 0; slot < BOARD_SLOTS; slot++) {
        if (readers->failures[slot] >= READERS_FAILURES)
            return true;
    }
    return false;
}

/* Readers that were absent and answer now, as after a loose wire, are there from now on. Noise on the bus may look like
 * a version; only a chip keeps what it is told. */
static void find_again(struct readers *readers)
{
    for (uint8_t slot = 0; slot < BOARD_SLOTS; slot++) {
        if ((readers->present >> slot & 1) != 0 || !mfrc522_is_there(slot))
            continue;
        mfrc522_configure(slot);
        if (mfrc522_is_configured(slot))
            readers->present = (uint8_t)(readers->present | 1u << slot);
    }
}

static void note_error(struct readers *readers)
{
    readers->errors++;
    readers->slot_errors[readers->slot]++;
}

/* The look is over: hand it out, and turn to the next reader. */
static bool finish(struct readers *readers, enum look_result result, uint32_t now, struct look *look)
{
    uint8_t *failures = &readers->failures[readers->slot];
    if (result == LOOK_BROKEN) {
        note_error(readers);
        if (*failures < READERS_FAILURES)
            (*failures)++;
        mfrc522_reset(readers->slot);
    } else {
        *failures = 0;
        mfrc522_field(readers->slot, false);
        if (result == LOOK_DAMAGED)
            note_error(readers);
    }
    readers->look.slot = readers->slot;
    readers->look.result = (uint8_t)result;
    *look = readers->look;
    readers->slot = (uint8_t)((readers->slot + 1) % BOARD_SLOTS);
    enter(readers, READERS_STARTING_LOOK, now);
    /* One failure may be a spark; only a series of them is reported. */
    return result != LOOK_BROKEN || *failures == READERS_FAILURES;
}

static void request(struct readers *readers, uint8_t command, uint32_t now)
{
    const struct mfrc522_request wake = {.bytes = &command, .count = 1, .last_bits = 7};
    send(readers, READERS_REQUESTING, &wake, now);
}

/* Ask who continues the bits that are known of this level; nobody's first, then those up to a collision. */
static void ask_part(struct readers *readers, uint32_t now)
{
    uint8_t whole = readers->known / 8, bits = readers->known % 8;
    uint8_t bytes[2 + sizeof readers->part];
    bytes[0] = (uint8_t)(SELECT_LEVEL_1 + SELECT_STEP * readers->level);
    bytes[1] = (uint8_t)(SELECT_NOTHING_KNOWN + (whole << 4 | bits));
    memcpy(bytes + 2, readers->part, sizeof readers->part);
    const struct mfrc522_request ask = {
        .bytes = bytes, .count = (uint8_t)(2 + whole + (bits != 0 ? 1 : 0)), .last_bits = bits, .answer_bits = bits};
    send(readers, READERS_COLLIDING, &ask, now);
}

static void begin_tag(struct readers *readers, uint32_t now)
{
    readers->level = 0;
    readers->known = 0;
    readers->uid_length = 0;
    ask_part(readers, now);
}

static void select_part(struct readers *readers, uint32_t now)
{
    uint8_t bytes[2 + sizeof readers->part];
    bytes[0] = (uint8_t)(SELECT_LEVEL_1 + SELECT_STEP * readers->level);
    bytes[1] = SELECT_WHOLE;
    memcpy(bytes + 2, readers->part, sizeof readers->part);
    const struct mfrc522_request select = {.bytes = bytes, .count = sizeof bytes, .checked = true};
    send(readers, READERS_SELECTING, &select, now);
}

static void halt(struct readers *readers, uint32_t now)
{
    static const uint8_t bytes[] = {HALT, 0};
    const struct mfrc522_request rest = {.bytes = bytes, .count = sizeof bytes, .checked = true};
    send(readers, READERS_HALTING, &rest, now);
}

/* Put an answer behind the bits that are known; false when it does not make up the five bytes. */
static bool join(struct readers *readers, const struct mfrc522_reply *reply)
{
    uint8_t whole = readers->known / 8, bits = readers->known % 8;
    if (whole + reply->count > (int)sizeof readers->part)
        return false;
    for (uint8_t at = 0; at < reply->count; at++) {
        uint8_t kept = at == 0 ? (uint8_t)((1u << bits) - 1) : 0;
        uint8_t *byte = &readers->part[whole + at];
        *byte = (uint8_t)((*byte & kept) | (reply->bytes[at] & ~kept));
    }
    return whole + reply->count == (int)sizeof readers->part;
}

/* Several tags differ from one bit on: follow those with a 1 there. False when that leads nowhere. */
static bool follow_collision(struct readers *readers, const struct mfrc522_reply *reply)
{
    /* Two tags part at one bit. Where they part again there are three, and nobody needs the third one's number. */
    if (readers->known != 0 || reply->collision == 0 || reply->collision > PART_BITS)
        return false;
    (void)join(readers, reply);
    uint8_t bit = (uint8_t)(reply->collision - 1);
    readers->part[bit / 8] = (uint8_t)(readers->part[bit / 8] | 1u << bit % 8);
    readers->known = reply->collision;
    return true;
}

static bool part_is_sound(const uint8_t *part)
{
    return (part[0] ^ part[1] ^ part[2] ^ part[3]) == part[4];
}

/* A level has been selected: its bytes join the UID. False when they cannot. */
static bool keep_part(struct readers *readers, bool more)
{
    bool cascades = readers->part[0] == CASCADE_TAG;
    if (more != cascades || (more && readers->level + 1 >= LEVELS))
        return false;
    const uint8_t *from = readers->part + (more ? 1 : 0);
    uint8_t length = more ? 3 : 4;
    memcpy(readers->uid + readers->uid_length, from, length);
    readers->uid_length = (uint8_t)(readers->uid_length + length);
    return true;
}

_Static_assert((LEVELS - 1) * 3 + 4 == READERS_UID_MOST, "three levels make the longest UID");

/* Turn to the next reader that there is and switch its field on; true when that look is over already, because the
 * reader is gone. */
static bool start_look(struct readers *readers, uint32_t now, struct look *look)
{
    while ((readers->present >> readers->slot & 1) == 0)
        readers->slot = (uint8_t)((readers->slot + 1) % BOARD_SLOTS);
    memset(&readers->look, 0, sizeof readers->look);
    if (!mfrc522_is_there(readers->slot))
        return finish(readers, LOOK_BROKEN, now, look);
    if (!mfrc522_is_configured(readers->slot)) {
        note_error(readers);
        mfrc522_configure(readers->slot);
    }
    mfrc522_field(readers->slot, true);
    enter(readers, READERS_POWERING, now);
    return false;
}

static enum look_result summed_up(const struct readers *readers)
{
    return readers->look.count > 0 ? LOOK_TAGS : LOOK_NOTHING;
}

/* An exchange is over: what comes next? */
static bool go_on(struct readers *readers, enum mfrc522_answer answer, const struct mfrc522_reply *reply, uint32_t now,
                  struct look *look)
{
    switch (readers->stage) {
    case READERS_REQUESTING:
        if (answer == MFRC522_SILENCE)
            return finish(readers, summed_up(readers), now, look);
        if (readers->look.count == READERS_TAGS_MOST)
            return finish(readers, LOOK_TAGS, now, look);
        /* Whatever came, even garbled by tags of several kinds: somebody is there. */
        begin_tag(readers, now);
        return false;
    case READERS_COLLIDING:
        if (answer == MFRC522_COLLISION && follow_collision(readers, reply)) {
            ask_part(readers, now);
            return false;
        }
        if (answer != MFRC522_ANSWER || !join(readers, reply) || !part_is_sound(readers->part))
            return finish(readers, LOOK_DAMAGED, now, look);
        select_part(readers, now);
        return false;
    case READERS_SELECTING: {
        bool more = (reply->bytes[0] & ACKNOWLEDGE_MORE) != 0;
        if (answer != MFRC522_ANSWER || reply->count != 1 || !keep_part(readers, more))
            return finish(readers, LOOK_DAMAGED, now, look);
        if (more) {
            readers->level++;
            readers->known = 0;
            ask_part(readers, now);
            return false;
        }
        readers->last_tags[readers->slot] = checksum_tag(readers->uid, readers->uid_length);
        readers->look.tags[readers->look.count++] = readers->last_tags[readers->slot];
        halt(readers, now);
        return false;
    }
    default: /* READERS_HALTING: silence means success, and a tag that did not halt is simply read again */
        if (readers->look.count == READERS_TAGS_MOST)
            return finish(readers, LOOK_TAGS, now, look);
        request(readers, REQUEST_IDLE, now);
        return false;
    }
}

/* Between two looks: now and then look for readers that were absent, and give broken ones the only thing that may help
 * them, a reset of the whole bus. Where none was ever there, that is also how they are counted anew. */
static bool between_looks(struct readers *readers, uint32_t now, struct look *look)
{
    if (!passed(readers, now, PAUSE_MILLISECONDS))
        return false;
    if (!timer_runs(&readers->rescue, now)) {
        timer_start(&readers->rescue, now, RESCUE_MILLISECONDS);
        if (readers->present != 0)
            find_again(readers);
        if (readers->present == 0 || any_broken(readers)) {
            reset_all(readers, now);
            return false;
        }
    }
    return readers->present != 0 && start_look(readers, now, look);
}

static bool collect(struct readers *readers, uint32_t now, struct look *look)
{
    struct mfrc522_reply reply;
    enum mfrc522_answer answer = mfrc522_collect(readers->slot, &reply);
    if (answer != MFRC522_BUSY)
        return go_on(readers, answer, &reply, now, look);
    return passed(readers, now, STUCK_MILLISECONDS) && finish(readers, LOOK_BROKEN, now, look);
}

bool readers_work(struct readers *readers, uint32_t now, struct look *look)
{
    switch (readers->stage) {
    case READERS_RESETTING:
        if (passed(readers, now, RESET_MILLISECONDS)) {
            board_readers_run(true);
            enter(readers, READERS_WAKING, now);
        }
        return false;
    case READERS_WAKING:
        if (passed(readers, now, WAKING_MILLISECONDS))
            enter(readers, READERS_COUNTING, now);
        return false;
    case READERS_COUNTING:
        count(readers, now);
        return false;
    case READERS_STARTING_LOOK:
        return between_looks(readers, now, look);
    case READERS_POWERING:
        if (passed(readers, now, POWERING_MILLISECONDS))
            request(readers, WAKE_ALL, now);
        return false;
    default:
        return collect(readers, now, look);
    }
}
