/* Fuzzing the whole portable tray: an input is a little script of what befalls it; what it says is held to the
 * protocol.
 *
 * Whatever happens: no die and no beat before SNAPSHOT; a settled die lies alone on its reader, and in no other place,
 * with a tag whose meaning the host gave, and shows just that face; ROLL_END has the count and digest of the dice as
 * they were told; events are numbered one after the other. What is too short is answered by nothing, a pattern that no
 * lamp has is refused, and a FAULT is of a place or of the whole tray. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../firmware_bridge/firmware/core/checksum.h"
#include "desk_board.h"

enum { TURNS_MOST = 6000, TAGS = 6, UID_MOST = 10, ENDLESS = 224 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t fuzz_first(uint8_t *data, size_t most, unsigned number);

static struct decoder host;
static struct message_die told[BOARD_SLOTS];
static bool known;
static uint16_t newest;
static unsigned turns;
static uint8_t spoilt; /* which bit of the next frame is wrong; 0: none */
static bool mute;      /* what is being said is answered by nothing */
static uint8_t pattern;
static struct message_taught taught[TAGS]; /* what the host says of each tag; the tag number is filled in */

/* A broken promise is named, so that whoever ran it sees which one. */
#define demand(holds) demanded(holds, #holds)

static void demanded(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "not so: %s\n", what);
    abort();
}

/* The bytes that a message of the host has at least; 0 where the type is none of its. */
static uint8_t least(uint8_t type)
{
    switch (type) {
    case message_hello_request_type:
        return message_hello_request_size;
    case message_ping_type:
        return message_ping_size;
    case message_ring_type:
        return message_ring_size;
    case message_configure_type:
        return message_configure_size;
    case message_sense_type:
        return message_sense_size;
    default:
        return 0;
    }
}

static void say(uint8_t type, const uint8_t *payload, uint8_t length)
{
    if (type == message_ring_type && length > 0)
        pattern = payload[0];
    mute = length < least(type);
    uint8_t wire[FRAME_WIRE_MOST], count = frame_encode(wire, type, 0, payload, length);
    if (spoilt != 0)
        wire[1 + spoilt % (count - 2)] ^= (uint8_t)(1u << spoilt / 32);
    spoilt = 0;
    for (uint8_t at = 0; at < count; at++)
        tray_hear(&desk.tray, wire[at], desk_now());
    mute = false;
}

/* One has a UID of two levels, one of three. */
static uint8_t uid_length(uint8_t tag)
{
    return tag < TAGS - 2 ? 4 : tag < TAGS - 1 ? UID_MOST : 7;
}

static const uint8_t *uid_of(uint8_t tag)
{
    static uint8_t uid[UID_MOST];
    /* Two on one reader part at a late bit, so that the rest of an answer is joined to what is known. The last level of
     * the longest one begins as if another followed, which no honest tag does: one wrong bit more says that it does. */
    const uint8_t made[UID_MOST] = {
        0x10, (uint8_t)(0x22 + tag / 3), 0x44, (uint8_t)(tag * 31 + 1), 0x55, 0x66, 0x88, 0x99, 0xAA, 0xBB};
    memcpy(uid, made, sizeof uid);
    return uid;
}

/* Whether what the host ever said of a tag makes this face. */
static bool was_taught(const struct message_die *die)
{
    for (uint8_t tag = 0; tag < TAGS; tag++) {
        const struct message_taught *one = &taught[tag];
        uint8_t faces = one->kind == KIND_D20 ? 20 : one->kind == KIND_D6 ? 6 : 4;
        uint8_t up = one->side == SIDE_UP ? one->face : (uint8_t)(faces + 1 - one->face);
        if (one->die_id == die->die_id && one->kind == die->kind && up == die->face && up >= 1 && up <= faces)
            return true;
    }
    return false;
}

static void note_event(uint16_t event)
{
    uint16_t ahead = (uint16_t)(event - newest);
    if (ahead < 0x8000 && ahead > 0)
        newest = event;
}

static void check_end(const struct message_roll_end *end)
{
    uint16_t digest = CHECKSUM_START;
    uint8_t count = 0;
    if (end->event != newest)
        return; /* told again while dice have moved on */
    for (uint8_t slot = 0; slot < BOARD_SLOTS; slot++) {
        const struct message_die *die = &desk.tray.floor.places[slot].die;
        if (die->roll != end->roll || die->state == STATE_REMOVED)
            continue;
        uint8_t bytes[] = {die->slot, (uint8_t)die->die_id, (uint8_t)(die->die_id >> 8), (uint8_t)(die->die_id >> 16),
                           (uint8_t)(die->die_id >> 24), die->kind, die->face, die->state, die->confidence};
        demand(die->state != STATE_ROLLING && die->state != STATE_HANDLING);
        for (size_t at = 0; at < sizeof bytes; at++)
            digest = checksum_add(digest, bytes[at]);
        count++;
    }
    demand(end->count == count && end->digest == digest && end->roll != 0);
}

static void check_die(const struct message_die *die)
{
    demand(die->slot < BOARD_SLOTS && die->state <= STATE_FAULT);
    demand(die->confidence == (die->state == STATE_SETTLED ? 100 : 0));
    demand((die->face != 0) == (die->state == STATE_SETTLED));
    demand(die->kind != KIND_NOT_KNOWN || die->face == 0);
    demand(die->state != STATE_SETTLED || was_taught(die));
    for (uint8_t slot = 0; slot < BOARD_SLOTS && die->state == STATE_SETTLED; slot++) {
        const struct message_die *other = &desk.tray.floor.places[slot].die;
        demand(slot == die->slot || other->state != STATE_SETTLED || other->die_id != die->die_id);
    }
    told[die->slot] = *die;
}

static void hear(const struct frame *frame)
{
    struct message_die die;
    struct message_roll_end end;
    struct message_hello hello;
    struct message_fault fault;
    struct message_result result;
    bool free = frame->type == message_hello_type || frame->type == message_pong_type ||
                frame->type == message_result_type;
    demand(known || free);
    demand(!mute);
    if (frame->type == message_hello_type) {
        demand(message_hello_unpack(&hello, frame->payload, frame->length) && hello.slots <= BOARD_SLOTS);
    } else if (frame->type == message_die_type) {
        demand(message_die_unpack(&die, frame->payload, frame->length));
        note_event(die.event);
        check_die(&die);
    } else if (frame->type == message_roll_end_type) {
        demand(message_roll_end_unpack(&end, frame->payload, frame->length));
        note_event(end.event);
        check_end(&end);
    } else if (frame->type == message_fault_type) {
        demand(message_fault_unpack(&fault, frame->payload, frame->length));
        demand(fault.slot < BOARD_SLOTS || fault.slot == WHOLE_TRAY);
    } else if (frame->type == message_result_type) {
        demand(message_result_unpack(&result, frame->payload, frame->length));
        demand(result.command != message_ring_type || (result.code == RESULT_DONE) == (pattern <= LAMP_TURNING));
    }
}

void desk_sent(const uint8_t *bytes, uint8_t count)
{
    struct frame frame;
    unsigned frames = 0;
    for (uint8_t at = 0; at < count; at++) {
        if (decoder_take(&host, bytes[at], &frame)) {
            hear(&frame);
            frames++;
        }
    }
    demand(frames == 1);
}

void desk_showed(const uint8_t *colours)
{
    for (uint8_t lamp = 0; lamp < BOARD_LAMPS; lamp++)
        demand(colours[3 * lamp] + colours[3 * lamp + 1] + colours[3 * lamp + 2] <= LAMP_COLOUR_MOST);
}

static void run(unsigned milliseconds)
{
    for (unsigned left = milliseconds * 2; left > 0 && turns < TURNS_MOST; left--, turns++) {
        desk_turn();
        demand(desk.tray.readers.uid_length <= READERS_UID_MOST);
    }
}

/* Of this start of the tray, or of another one. */
static void snapshot(bool mine)
{
    const struct message_snapshot message = {.boot_id = desk.tray.identity.boot_id + (mine ? 0 : 1)};
    uint8_t payload[message_snapshot_size];
    known = known || (mine && desk.tray.ready && spoilt == 0);
    message_snapshot_pack(payload, &message);
    say(message_snapshot_type, payload, sizeof payload);
}

/* A frame that is too short, and one that is malformed. */
static void drop(void)
{
    static const uint8_t wrong[] = {0, 2, 5, 0, 9, 5, 0};
    const struct frame_counts *counts = &desk.tray.link.decoder.counts;
    uint16_t shorts = counts->too_short, malformed = counts->malformed;
    for (uint8_t at = 0; at < sizeof wrong; at++) {
        tray_hear(&desk.tray, wrong[at], desk_now());
        if (at == 0 && desk.tray.ready)
            shorts = counts->too_short, malformed = counts->malformed;
    }
    if (!desk.tray.ready)
        return;
    demand(counts->too_short == (uint16_t)(shorts + 1));
    demand(counts->malformed == (uint16_t)(malformed + 1));
}

static void teach(uint8_t tag)
{
    uint8_t payload[message_taught_size];
    message_taught_pack(payload, &taught[tag]);
    say(message_taught_type, payload, sizeof payload);
}

static void acknowledge(uint16_t event)
{
    const uint8_t payload[] = {(uint8_t)event, (uint8_t)(event >> 8)};
    say(message_acknowledge_type, payload, sizeof payload);
}

static const uint8_t *step(const uint8_t *data, const uint8_t *end)
{
    uint8_t what = *data++, value = data < end ? *data++ : 0;
    uint8_t slot = value % BOARD_SLOTS, tag = value / BOARD_SLOTS % TAGS;
    switch (what % 16) {
    case 0:
        run(value);
        break;
    case 1:
        run(4u * value);
        break;
    case 2:
        picc_add(&desk.chips[slot].field, uid_of(tag), uid_length(tag), value > 200 ? 50 : 100, desk.nanoseconds / 1000);
        break;
    case 3:
        picc_lift(&desk.chips[slot].field, uid_of(tag), value > 100 ? 0 : uid_length(tag));
        break;
    case 4:
        desk.hit_peak = value * 4u;
        desk.hit_until = desk.nanoseconds + 100 * UINT64_C(1000000);
        break;
    case 5:
        desk.beam = value & 1;
        break;
    case 6:
        desk.chips[slot].health = (enum mfrc522_health)(value / BOARD_SLOTS % 4);
        desk.chips[slot].field.endless = value >= ENDLESS;
        break;
    case 7:
        snapshot(value % 4 != 3);
        break;
    case 8:
        teach(value % TAGS);
        break;
    case 9:
        acknowledge((uint16_t)(newest - value % 8));
        break;
    case 10: /* any message with any payload, except those whose effect only the model above may have */
        if (value % 16 != message_snapshot_type && value % 16 != message_taught_type) {
            uint8_t length = (uint8_t)(end - data < FRAME_PAYLOAD_MOST ? end - data : FRAME_PAYLOAD_MOST);
            say(value % 16, data, length);
        }
        break;
    case 11:
        for (; value > 0 && data < end; value--)
            tray_hear(&desk.tray, *data++, desk_now());
        break;
    case 14: /* the readers' wires: so many of a thousand bytes arrive with a flipped bit */
        desk.garbled = value;
        desk.chance = desk.chance * 31 + value;
        break;
    case 15: /* what is no frame is counted as what it is; SNAPSHOT with a wrong bit is none */
        drop();
        spoilt = value;
        snapshot(true);
        break;
    case 12:
        desk.room = value % 2 ? 255 : value;
        break;
    default:
        desk.button = value & 1;
    }
    return data;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *volatile at = data; /* lives through longjmp */
    desk_make(1);
    desk.turn_nanoseconds = 500000;
    turns = 0;
    spoilt = 0;
    for (uint8_t tag = 0; tag < TAGS; tag++) {
        const struct message_taught all[TAGS] = {
            {.die_id = 7, .kind = KIND_D20, .face = 17, .side = SIDE_DOWN},
            {.die_id = 7, .kind = KIND_D20, .face = 20},
            {.die_id = 8, .kind = KIND_CHALLENGE, .face = 4},
            {.die_id = 9, .kind = KIND_D6, .face = 1, .side = SIDE_DOWN},
            {.die_id = 0, .kind = KIND_NOT_KNOWN},
            {.die_id = 9, .kind = KIND_D6, .face = 7}, /* no such face */
        };
        taught[tag] = all[tag];
        taught[tag].tag = checksum_tag(uid_of(tag), uid_length(tag));
    }
    int cause = setjmp(desk.restarted);
    known = false;
    newest = 0;
    memset(told, 0, sizeof told);
    decoder_start(&host);
    desk_power_up((uint8_t)(cause > 0 ? cause - 1 : RESET_POWER), 0);
    run(200);
    while (at < data + size && turns < TURNS_MOST)
        at = step(at, data + size);
    run(50);
    return 0;
}

/* Two whole throws, told and acknowledged, and a die lifted: of two tags in one well, and of long UIDs and all that is
 * taught wrongly; then bytes that are no frame, and too many of them. The throws also while the readers' wires are
 * bad, and two tags in one well, and long UIDs, on wires that are worse; and a tag of which another level follows for
 * ever, which no honest one does. The rest is the fuzzer's own invention. */
size_t fuzz_first(uint8_t *data, size_t most, unsigned number)
{
    static const uint8_t throws[2][32] = {
        {7, 0, 1, 75, 4, 200, 0, 100, 2, 0, 2, 9, 2, 4, 1, 20, 8, 0, 8, 2, 1, 200, 9, 0, 9, 1, 9, 2, 3, 0, 1, 80},
        {7, 0, 1, 75, 4, 200, 0, 100, 2, 16, 2, 21, 2, 10, 1, 20, 8, 2, 8, 4, 8, 5, 1, 200, 9, 0, 9, 1, 9, 2, 1, 80},
    };
    static const uint8_t bad[] = {14, 20}, damaged[] = {15, 40, 0, 200, 7, 3, 1, 200, 7, 0, 11, 5, 3, 1, 1, 0, 0, 11, 70};
    static const uint8_t noisy[2][14] = {{14, 60, 2, 0, 2, 4, 1, 250, 14, 61, 1, 250, 1, 250},
                                         {14, 60, 2, 16, 2, 21, 1, 250, 14, 61, 1, 250, 1, 250}};
    static const uint8_t asked[2][10] = {{7, 0, 10, message_ring_type, 9, 1, 2, 3, 5, 1}, {10, message_ring_type, 1}};
    static const uint8_t endless[] = {6, ENDLESS, 2, 0, 1, 250};
    size_t wires = number % 2 * sizeof bad;
    (void)most;
    if (number == 9) {
        memcpy(data, endless, sizeof endless);
        return sizeof endless;
    }
    if (number > 6 && number < 9) {
        memcpy(data, asked[number - 7], sizeof asked[0]);
        return number == 7 ? sizeof asked[0] : 3;
    }
    if (number == 4) {
        memcpy(data, damaged, sizeof damaged);
        memset(data + sizeof damaged, 0x11, 70);
        return sizeof damaged + 70;
    }
    if (number > 6)
        return 0;
    if (number > 4) {
        memcpy(data, noisy[number - 5], sizeof noisy[0]);
        return sizeof noisy[0];
    }
    memcpy(data, bad, wires);
    memcpy(data + wires, throws[number / 2], sizeof throws[0]);
    return wires + sizeof throws[0];
}
