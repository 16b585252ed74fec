/* The whole tray, see tray.h. */
#include "tray.h"

#include <string.h>

#include "mfrc522.h"

_Static_assert(sizeof(struct tray) < 1024, "half of the chip's 2048 bytes; buffers and stack need the rest");

void tray_start(struct tray *tray, const struct identity *identity, uint32_t now)
{
    memset(tray, 0, sizeof *tray);
    tray->identity = *identity;
    tray->lamps_due = now;
    /* Until the host has a wish of its own: a faint breath of blue says that there is power. */
    tray->wish.pattern = LAMP_BREATHING;
    tray->wish.blue = 24;
    motion_start(&tray->motion);
    floor_start(&tray->floor);
    readers_start(&tray->readers, now);
}

static void answer(struct tray *tray, const struct frame *frame, enum result_code code)
{
    const struct message_result result = {.sequence = frame->sequence, .command = frame->type, .code = (uint8_t)code};
    LINK_SAY(&tray->link, result, &result);
}

static void light(struct tray *tray, const struct frame *frame, const struct message_ring *wish)
{
    bool exists = wish->pattern <= LAMP_TURNING;
    if (exists)
        tray->wish = *wish;
    answer(tray, frame, exists ? RESULT_DONE : RESULT_BAD_VALUE);
}

/* For a person who looks after the tray. */
static void tell_health(struct tray *tray)
{
    uint8_t beam = tray->beam.on ? SENSED_BEAM_INTERRUPTED : 0, button = tray->button.on ? SENSED_BUTTON_PRESSED : 0;
    const struct message_levels levels = {
        .piezo = tray->felt, .floor = motion_floor(&tray->motion), .flags = beam | button};
    tray->felt = 0;
    LINK_SAY(&tray->link, levels, &levels);
    for (uint8_t slot = 0; slot < BOARD_SLOTS; slot++) {
        const struct message_reader reader = {
            .slot = slot,
            .version = mfrc522_version(slot),
            .errors = tray->readers.slot_errors[slot],
            .tag = tray->readers.last_tags[slot],
        };
        LINK_SAY(&tray->link, reader, &reader);
    }
}

static void hear(struct tray *tray, const struct frame *frame, uint32_t now)
{
    union {
        struct message_hello_request hello_request;
        struct message_ping ping;
        struct message_acknowledge acknowledge;
        struct message_snapshot snapshot;
        struct message_ring ring;
        struct message_configure configure;
        struct message_reset reset;
        struct message_taught taught;
        struct message_sense sense;
    } heard;
#define IS(name)                             \
    (frame->type == message_##name##_type && \
     message_##name##_unpack(&heard.name, frame->payload, frame->length))
    if (IS(hello_request)) {
        link_hello(&tray->link, heard.hello_request.nonce, now);
    } else if (IS(ping)) {
        const struct message_pong pong = {.nonce = heard.ping.nonce};
        LINK_SAY(&tray->link, pong, &pong);
    } else if (IS(acknowledge)) {
        floor_acknowledge(&tray->floor, heard.acknowledge.event);
    } else if (IS(snapshot)) {
        if (heard.snapshot.boot_id != tray->identity.boot_id)
            return;
        tray->link.known = true;
        floor_snapshot(&tray->floor, now);
    } else if (IS(taught)) {
        floor_taught(&tray->floor, &heard.taught);
    } else if (IS(sense)) {
        if (tray->link.known)
            tell_health(tray);
    } else if (IS(ring)) {
        light(tray, frame, &heard.ring);
    } else if (IS(configure)) {
        /* This tray has no settings: what a maker may want to tune is a constant in its source. */
        answer(tray, frame, RESULT_UNKNOWN);
    } else if (IS(reset) && heard.reset.magic == RESET_MAGIC) {
        board_restart(RESET_COMMAND);
    }
#undef IS
}

void tray_hear(struct tray *tray, uint8_t byte, uint32_t now)
{
    struct frame frame;
    if (tray->ready && decoder_take(&tray->link.decoder, byte, &frame))
        hear(tray, &frame, now);
}

void tray_feel(struct tray *tray, uint16_t peak, uint32_t now)
{
    tray->felt = peak > tray->felt ? peak : tray->felt;
    if (motion_take(&tray->motion, peak))
        floor_hit(&tray->floor, now);
}

void tray_sense(struct tray *tray, bool beam_broken, bool button_down, uint32_t now)
{
    if (debounce_take(&tray->beam, beam_broken, now, BEAM_BROKEN_MILLISECONDS, BEAM_CLEAR_MILLISECONDS)) {
        floor_hand(&tray->floor, tray->beam.on);
        timer_start(&tray->beam_fault, now, BEAM_FAULT_MILLISECONDS);
    }
    /* A button that was down when the tray started is stuck, or has just restarted it: wait until it has been up. */
    tray->button_was_up = tray->button_was_up || !button_down;
    if (debounce_take(&tray->button, button_down && tray->button_was_up, now, BUTTON_MILLISECONDS, BUTTON_MILLISECONDS))
        timer_start(&tray->button_held, now, BUTTON_HELD_MILLISECONDS);
    bool held = !timer_runs(&tray->button_held, now);
    if (tray->button.on && held)
        board_restart(RESET_BUTTON);
}

static uint8_t places(const struct tray *tray)
{
    uint8_t slots = BOARD_SLOTS;
    while (slots > 0 && (tray->readers.present >> (slots - 1) & 1) == 0)
        slots--;
    return slots;
}

static void tell_faults(struct tray *tray, uint32_t now)
{
    bool beam_lost = !timer_runs(&tray->beam_fault, now) && tray->beam.on;
    for (uint8_t slot = 0; slot < BOARD_SLOTS; slot++) {
        bool broken = tray->readers.failures[slot] >= READERS_FAILURES;
        link_fault(&tray->link, slot, broken, tray->readers.errors, now);
    }
    link_fault(&tray->link, FAULT_AT_BEAM, beam_lost, 0, now);
    link_fault(&tray->link, FAULT_AT_MOTION, motion_is_deaf(&tray->motion), motion_floor(&tray->motion), now);
    tray->link.reader_errors = tray->readers.errors;
}

static void shine(struct tray *tray, uint32_t now)
{
    uint8_t colours[BOARD_LAMPS * BOARD_COLOURS];
    if (!timing_reached(now, tray->lamps_due))
        return;
    tray->lamps_due = now + LAMP_FRAME_MILLISECONDS;
    if (lamp_colours(&tray->wish, now, colours))
        board_show(colours);
}

void tray_work(struct tray *tray, uint32_t now)
{
    struct look look;
    if (readers_work(&tray->readers, now, &look))
        floor_look(&tray->floor, &look, now);
    if (!tray->ready) {
        if (!readers_are_counted(&tray->readers))
            return;
        link_start(&tray->link, &tray->identity, places(tray), now);
        tray->ready = true;
    }
    link_places(&tray->link, places(tray), now);
    shine(tray, now);
    tell_faults(tray, now);
    floor_work(&tray->floor, &tray->link, now);
    link_work(&tray->link, now);
}
