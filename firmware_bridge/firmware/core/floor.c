/* Dice and rolls, see floor.h. */
#include "floor.h"

#include <string.h>

#include "checksum.h"

void floor_start(struct floor *floor)
{
    memset(floor, 0, sizeof *floor);
    for (uint8_t slot = 0; slot < BOARD_SLOTS; slot++) {
        well_start(&floor->places[slot].well);
        floor->places[slot].die.slot = slot;
    }
}

static bool is_moving(const struct message_die *die)
{
    return die->state == STATE_ROLLING || die->state == STATE_HANDLING;
}

static bool is_there(const struct message_die *die)
{
    return die->state != STATE_REMOVED;
}

static bool is_quiet(struct floor *floor, uint32_t now)
{
    return !timer_runs(&floor->moving, now) && !floor->hand;
}

static void make_due(struct repeat *repeat, uint32_t now)
{
    repeat->pending = true;
    repeat->due = now;
}

/* Tell `die` as its slot's newest event. */
static void tell(struct floor *floor, const struct message_die *die, uint32_t now)
{
    struct place *place = &floor->places[die->slot];
    place->die = *die;
    place->die.event = ++floor->event;
    place->die.device_time = now;
    place->die.flags = place->well.broken ? FLAG_SENSOR_FAULT : 0;
    make_due(&place->repeat, now);
    if (!is_moving(die) && is_there(die) && die->roll == floor->roll)
        floor->changed = true;
}

static bool says_the_same(const struct message_die *one, const struct message_die *other)
{
    return one->die_id == other->die_id && one->kind == other->kind && one->face == other->face &&
           one->state == other->state && one->confidence == other->confidence;
}

/* Without a face: what a die that cannot be read, or is not there, shows. */
static void blank(struct message_die *die, enum state state)
{
    die->state = (uint8_t)state;
    die->face = 0;
    die->confidence = 0;
}

/* A die of the roll is on its way: picked up, knocked, or between two wells. */
static bool any_displaced(const struct floor *floor)
{
    for (uint8_t slot = 0; slot < BOARD_SLOTS; slot++) {
        const struct place *place = &floor->places[slot];
        if (is_moving(&place->die) && !well_is_taken(&place->well))
            return true;
    }
    return false;
}

static void begin_roll(struct floor *floor, uint32_t now)
{
    floor->roll = floor->roll == UINT16_MAX ? 1 : (uint16_t)(floor->roll + 1);
    floor->rolling = true;
    for (uint8_t slot = 0; slot < BOARD_SLOTS; slot++) {
        struct message_die die = floor->places[slot].die;
        if (!is_there(&die))
            continue;
        die.roll = floor->roll;
        tell(floor, &die, now);
    }
}

/* Tags came to lie in a well: which roll is that? */
static uint16_t roll_of_arrival(struct floor *floor, const struct message_die *before, bool returned, uint32_t now)
{
    bool displaced = is_there(before) || any_displaced(floor);
    if (floor->rolling)
        return floor->roll;
    if (timer_runs(&floor->felt, now) && !(floor->hand_felt && displaced)) {
        begin_roll(floor, now);
        return floor->roll;
    }
    if (is_there(before) || returned)
        return before->roll;
    if (displaced || timer_runs(&floor->late, now))
        return floor->roll;
    return 0;
}

static void arrive(struct floor *floor, struct place *place, bool returned, uint32_t now)
{
    uint16_t roll = roll_of_arrival(floor, &place->die, returned, now);
    if (!is_there(&place->die) && !returned) {
        place->die.die_id = 0;
        place->die.kind = KIND_NOT_KNOWN;
    }
    struct message_die die = place->die;
    blank(&die, floor->hand ? STATE_HANDLING : STATE_ROLLING);
    die.roll = roll;
    if (!says_the_same(&die, &place->die) || roll != place->die.roll)
        tell(floor, &die, now);
}

void floor_hit(struct floor *floor, uint32_t now)
{
    timer_start(&floor->moving, now, FLOOR_QUIET_MILLISECONDS);
    timer_start(&floor->felt, now, FLOOR_FELT_MILLISECONDS);
    floor->hand_felt = floor->hand;
}

void floor_hand(struct floor *floor, bool over)
{
    floor->hand = over;
    /* A bump just before a hand came is that hand's, or forgotten: either way it makes no throw of what the hand
     * moves. */
    floor->hand_felt = floor->hand_felt || over;
}

void floor_look(struct floor *floor, const struct look *look, uint32_t now)
{
    struct place *place = &floor->places[look->slot];
    enum well_news news = well_take(&place->well, look, is_quiet(floor, now), now);
    if (news == WELL_CHANGED || news == WELL_RETURNED)
        arrive(floor, place, news == WELL_RETURNED, now);
}

void floor_taught(struct floor *floor, const struct message_taught *taught)
{
    for (uint8_t slot = 0; slot < BOARD_SLOTS; slot++)
        well_hear(&floor->places[slot].well, taught);
}

void floor_acknowledge(struct floor *floor, uint16_t event)
{
    for (uint8_t slot = 0; slot < BOARD_SLOTS; slot++) {
        struct place *place = &floor->places[slot];
        if (place->die.event == event)
            place->repeat.pending = false;
    }
    if (floor->has_end && floor->end.event == event)
        floor->end_repeat.pending = false;
}

void floor_snapshot(struct floor *floor, uint32_t now)
{
    for (uint8_t slot = 0; slot < BOARD_SLOTS; slot++) {
        struct place *place = &floor->places[slot];
        well_forget(&place->well, now);
        if (is_there(&place->die))
            make_due(&place->repeat, now);
    }
    if (floor->has_end)
        make_due(&floor->end_repeat, now);
}

/* A die cannot show two faces: with tags of it in two wells it lies over the wall between them, and is cocked in both.
 * False while it may only be on its way from one to the other. */
static bool judge_place(struct floor *floor, const struct place *place, struct message_die *die, uint32_t now)
{
    for (uint8_t slot = 0; slot < BOARD_SLOTS && die->kind != KIND_NOT_KNOWN; slot++) {
        struct place *other = &floor->places[slot];
        if (other == place || other->well.broken || !well_holds(&other->well, die->die_id))
            continue;
        if (place->well.missed > 0 || other->well.missed > 0 || !well_is_steady(&other->well, now))
            return false;
        blank(die, STATE_COCKED);
    }
    return true;
}

/* What is there to be said of the die in a well, as far as it differs from `die`, what was said last. False while
 * nothing can be said for sure. */
static bool opinion(struct floor *floor, struct place *place, struct message_die *die, uint32_t now)
{
    bool quiet = is_quiet(floor, now);
    bool steady = well_is_steady(&place->well, now);
    bool unsettled = is_moving(die) || (die->flags & FLAG_SENSOR_FAULT) != 0;
    uint8_t before = die->state;
    if (place->well.broken) {
        blank(die, STATE_FAULT);
        return is_there(&place->die);
    }
    if (!well_is_taken(&place->well)) {
        if (quiet)
            blank(die, STATE_REMOVED);
        else
            blank(die, floor->hand ? STATE_HANDLING : STATE_ROLLING);
        return is_there(&place->die);
    }
    if (unsettled && !(quiet && steady))
        return false;
    /* An unmoved die keeps its reported state through a bump or a hand: it is judged anew only at rest. */
    return well_verdict(&place->well, die) && judge_place(floor, place, die, now) && (quiet || die->state == before);
}

static void judge(struct floor *floor, struct place *place, uint32_t now)
{
    struct message_die die = place->die;
    if (opinion(floor, place, &die, now) && !says_the_same(&die, &place->die))
        tell(floor, &die, now);
}

static uint16_t add_32(uint16_t digest, uint32_t value)
{
    for (uint8_t byte = 0; byte < 4; byte++, value >>= 8)
        digest = checksum_add(digest, (uint8_t)(value & 0xFF));
    return digest;
}

static uint16_t add_die(uint16_t digest, const struct message_die *die)
{
    digest = add_32(checksum_add(digest, die->slot), die->die_id);
    digest = checksum_add(checksum_add(digest, die->kind), die->face);
    return checksum_add(checksum_add(digest, die->state), die->confidence);
}

static void end_roll_at_rest(struct floor *floor, uint32_t now)
{
    struct message_roll_end end = {.roll = floor->roll, .count = 0, .digest = CHECKSUM_START};
    if (floor->roll == 0 || !is_quiet(floor, now))
        return;
    for (uint8_t slot = 0; slot < BOARD_SLOTS; slot++) {
        const struct message_die *die = &floor->places[slot].die;
        if (die->roll != floor->roll || !is_there(die))
            continue;
        if (is_moving(die))
            return;
        end.count++;
        end.digest = add_die(end.digest, die);
    }
    /* Taking some of the dice away is no news of the roll; taking the last one is. */
    bool cleared = end.count == 0 && (floor->rolling || (floor->has_end && floor->end.count > 0));
    if (!floor->changed && !cleared)
        return;
    end.event = ++floor->event;
    floor->end = end;
    floor->has_end = true;
    floor->rolling = floor->changed = false;
    floor->felt.running = false;
    timer_start(&floor->late, now, FLOOR_LATE_MILLISECONDS);
    make_due(&floor->end_repeat, now);
}

static bool is_due(struct repeat *repeat, uint32_t now)
{
    if (!repeat->pending || !timing_reached(now, repeat->due) || !link_has_room())
        return false;
    repeat->due = now + REPEAT_MILLISECONDS;
    return true;
}

static void send_events(struct floor *floor, struct link *link, uint32_t now)
{
    for (uint8_t slot = 0; slot < BOARD_SLOTS; slot++) {
        struct place *place = &floor->places[slot];
        if (is_due(&place->repeat, now))
            LINK_SAY(link, die, &place->die);
    }
    if (is_due(&floor->end_repeat, now))
        LINK_SAY(link, roll_end, &floor->end);
}

static void ask(struct floor *floor, struct link *link, uint32_t now)
{
    for (uint8_t slot = 0; slot < BOARD_SLOTS; slot++) {
        struct message_tag question = {.slot = slot};
        if (well_question(&floor->places[slot].well, link->known && link_has_room(), now, &question.tag))
            LINK_SAY(link, tag, &question);
    }
}

void floor_work(struct floor *floor, struct link *link, uint32_t now)
{
    (void)timer_runs(&floor->felt, now);
    (void)timer_runs(&floor->late, now);
    for (uint8_t slot = 0; slot < BOARD_SLOTS; slot++)
        judge(floor, &floor->places[slot], now);
    end_roll_at_rest(floor, now);
    link->last_event = floor->event;
    ask(floor, link, now);
    if (link->known)
        send_events(floor, link, now);
}
