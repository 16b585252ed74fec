/* The tray's end of the line, see link.h. */
#include "link.h"

#include <string.h>

void link_start(struct link *link, const struct identity *identity, uint8_t slots, uint32_t now)
{
    memset(link, 0, sizeof *link);
    decoder_start(&link->decoder);
    link->identity = *identity;
    link->beat_due = now;
    link_fault(link, FAULT_AT_MEMORY, !identity->kept, 0, now);
    link_places(link, slots, now);
}

void link_places(struct link *link, uint8_t slots, uint32_t now)
{
    if (slots > link->slots) {
        link->slots = slots;
        link->known = false;
        link->beat_due = now;
    }
    /* One reader that is absent is a smaller tray; all of them are most likely a supply that failed. */
    link_fault(link, FAULT_AT_READERS, slots == 0, 0, now);
}

bool link_send(struct link *link, uint8_t type, const uint8_t *payload, uint8_t length)
{
    uint8_t wire[FRAME_WIRE_MOST];
    uint8_t count = frame_encode(wire, type, ++link->sequence, payload, length);
    if (board_send(wire, count))
        return true;
    link->unsent++;
    return false;
}

bool link_has_room(void)
{
    /* The longest message stuffed, and its two zeros. */
    return board_send_room() >= FRAME_HEAD + MESSAGE_LONGEST + FRAME_CHECKSUM + 3;
}

void link_hello(struct link *link, uint16_t nonce, uint32_t now)
{
    const struct message_hello hello = {
        .major = PROTOCOL_MAJOR,
        .minor = PROTOCOL_MINOR,
        .nonce = nonce,
        .firmware = FIRMWARE_VERSION,
        .tray_id = link->identity.tray_id,
        .boot_id = link->identity.boot_id,
        .reset_cause = link->identity.reset_cause,
        .slots = link->slots,
        .capabilities = CAPABILITY_LAMP | CAPABILITY_MOTION | CAPABILITY_HAND | CAPABILITY_DIE_IDENTITY,
        .uptime = now,
    };
    LINK_SAY(link, hello, &hello);
}

static void beat(struct link *link, uint32_t now)
{
    const struct message_beat beat = {
        .uptime = now,
        .last_event = link->last_event,
        .bad_checksum = link->decoder.counts.bad_checksum,
        .overlong = link->decoder.counts.overlong,
        .unsent = link->unsent,
        .reader_errors = link->reader_errors,
        .malformed = link->decoder.counts.malformed,
        .too_short = link->decoder.counts.too_short,
        .overruns = board_overruns(),
    };
    LINK_SAY(link, beat, &beat);
}

void link_fault(struct link *link, uint8_t place, bool lasts, uint16_t detail, uint32_t now)
{
    struct fault *fault = &link->faults[place];
    if (lasts && !fault->lasts)
        fault->due = now;
    fault->lasts = lasts;
    fault->detail = detail;
}

static uint8_t fault_code(uint8_t place)
{
    switch (place) {
    case FAULT_AT_MOTION:
        return FAULT_MOTION;
    case FAULT_AT_BEAM:
        return FAULT_BEAM;
    case FAULT_AT_MEMORY:
        return FAULT_MEMORY;
    default:
        return FAULT_READER;
    }
}

static void tell_faults(struct link *link, uint32_t now)
{
    for (uint8_t place = 0; place < FAULT_PLACES; place++) {
        struct fault *fault = &link->faults[place];
        if (!fault->lasts || !timing_reached(now, fault->due) || !link_has_room())
            continue;
        const struct message_fault message = {
            .code = fault_code(place),
            .slot = place < BOARD_SLOTS ? place : WHOLE_TRAY,
            .detail = fault->detail,
        };
        fault->due = now + FAULT_MILLISECONDS;
        LINK_SAY(link, fault, &message);
    }
}

void link_work(struct link *link, uint32_t now)
{
    if (timing_reached(now, link->beat_due)) {
        link->beat_due = now + BEAT_MILLISECONDS;
        if (link->known)
            beat(link, now);
        else
            link_hello(link, 0, now);
    }
    if (link->known)
        tell_faults(link, now);
}
