/* One well, see well.h. */
#include "well.h"

#include <string.h>

void well_start(struct well *well)
{
    memset(well, 0, sizeof *well);
}

bool well_is_taken(const struct well *well)
{
    return well->count > 0 || well->unreadable;
}

static bool holds(const struct well *well, uint32_t tag)
{
    for (uint8_t at = 0; at < well->count; at++) {
        if (well->tags[at] == tag)
            return true;
    }
    return false;
}

static uint8_t shared(const struct well *well, const struct look *look)
{
    uint8_t number = 0;
    for (uint8_t at = 0; at < look->count; at++)
        number = (uint8_t)(number + (holds(well, look->tags[at]) ? 1 : 0));
    return number;
}

/* The tag is back after looks without it, or a second one comes and goes beside it. Once may be a bad look. */
static void gap(struct well *well, bool quiet, uint32_t now)
{
    timer_start(&well->steady, now, WELL_STEADY_MILLISECONDS);
    if (!quiet)
        return;
    if (well->dead || timer_runs(&well->restless, now)) {
        well->dead = true;
        timer_start(&well->dead_until, now, WELL_DEAD_MILLISECONDS);
    }
    timer_start(&well->restless, now, WELL_RESTLESS_MILLISECONDS);
}

/* Other tags than before: those that stay keep their meaning, the others are to be asked about. */
static void replace(struct well *well, const struct look *look, uint32_t now)
{
    struct meaning meanings[READERS_TAGS_MOST];
    memset(meanings, 0, sizeof meanings);
    for (uint8_t at = 0; at < look->count; at++) {
        meanings[at].asking = true;
        meanings[at].ask_due = now;
        for (uint8_t old = 0; old < well->count; old++) {
            if (well->tags[old] == look->tags[at])
                meanings[at] = well->meanings[old];
        }
    }
    well->count = look->count;
    memcpy(well->tags, look->tags, sizeof well->tags);
    memcpy(well->meanings, meanings, sizeof well->meanings);
    well->unreadable = false;
    well->same = 1;
}

static enum well_news take_tags(struct well *well, const struct look *look, bool quiet, uint32_t now)
{
    uint8_t kept = shared(well, look);
    bool as_before = kept == look->count && kept == well->count;
    bool came_back = !well_is_taken(well) && look->tags[0] == well->last_tag && timer_runs(&well->absent, now);
    bool interrupted = well->interrupted;
    well->missed = well->garbled = 0;
    well->interrupted = false;
    if (as_before) {
        well->same = (uint8_t)(well->same < WELL_LOOKS_SAME ? well->same + 1 : well->same);
        if (interrupted) {
            well->same = 1;
            gap(well, quiet, now);
        }
        return WELL_NO_NEWS;
    }
    if (kept > 0 || came_back)
        gap(well, quiet, now);
    else
        well->dead = well->restless.running = false; /* another die: what the last one did is not its fault */
    replace(well, look, now);
    timer_start(&well->steady, now, WELL_STEADY_MILLISECONDS);
    return came_back ? WELL_RETURNED : WELL_CHANGED;
}

static enum well_news leave(struct well *well, uint32_t now)
{
    well->last_tag = well->count > 0 ? well->tags[0] : 0;
    timer_start(&well->absent, now, WELL_ABSENT_MILLISECONDS);
    /* A tag that leaves and is back soon has come and gone: the first gap is counted here. */
    timer_start(&well->restless, now, WELL_RESTLESS_MILLISECONDS);
    well->count = well->same = 0;
    well->unreadable = false;
    memset(well->meanings, 0, sizeof well->meanings);
    return WELL_LEFT;
}

static enum well_news take_nothing(struct well *well, uint32_t now)
{
    if (well->missed == 0)
        timer_start(&well->absent, now, WELL_ABSENT_MILLISECONDS);
    well->missed = (uint8_t)(well->missed < UINT8_MAX ? well->missed + 1 : well->missed);
    well->garbled = 0;
    well->interrupted = true;
    if (!well_is_taken(well) || well->missed < WELL_LOOKS_SAME)
        return WELL_NO_NEWS;
    if (well->dead && timer_runs(&well->absent, now))
        return WELL_NO_NEWS;
    return leave(well, now);
}

static enum well_news take_damaged(struct well *well, uint32_t now)
{
    well->missed = 0;
    well->interrupted = true;
    well->garbled = (uint8_t)(well->garbled < UINT8_MAX ? well->garbled + 1 : well->garbled);
    if (well->unreadable || well->garbled < WELL_LOOKS_SAME)
        return WELL_NO_NEWS;
    /* Something answers and will not be read: three dice at once, a tag half out of reach. It is there, that is all. */
    memset(well->meanings, 0, sizeof well->meanings);
    well->count = 0;
    well->unreadable = true;
    timer_start(&well->steady, now, WELL_STEADY_MILLISECONDS);
    return WELL_CHANGED;
}

enum well_news well_take(struct well *well, const struct look *look, bool quiet, uint32_t now)
{
    well->broken = look->result == LOOK_BROKEN;
    switch (look->result) {
    case LOOK_TAGS:
        return take_tags(well, look, quiet, now);
    case LOOK_NOTHING:
        return take_nothing(well, now);
    case LOOK_DAMAGED:
        return take_damaged(well, now);
    default:
        /* Nothing that was seen before counts any more once the reader answers again. */
        well->same = 0;
        timer_start(&well->steady, now, WELL_STEADY_MILLISECONDS);
        return WELL_NO_NEWS;
    }
}

bool well_is_steady(struct well *well, uint32_t now)
{
    bool steady = !timer_runs(&well->steady, now);
    (void)timer_runs(&well->restless, now);
    (void)timer_runs(&well->absent, now);
    if (!timer_runs(&well->dead_until, now))
        well->dead = false;
    return well->dead || well->unreadable || (steady && well->same >= WELL_LOOKS_SAME);
}

void well_forget(struct well *well, uint32_t now)
{
    for (uint8_t at = 0; at < well->count; at++) {
        well->meanings[at].asking = true;
        well->meanings[at].ask_due = now;
        timer_start(&well->meanings[at].patience, now, WELL_PATIENCE_MILLISECONDS);
    }
}

/* How many faces a kind has, as DIE counts them; 0 for a kind that does not exist. */
static uint8_t faces(uint8_t kind)
{
    switch (kind) {
    case KIND_D20:
        return 20;
    case KIND_CHALLENGE:
        return 4;
    case KIND_D6:
        return 6;
    default:
        return 0;
    }
}

static bool is_legal(const struct message_taught *taught)
{
    return taught->face >= 1 && taught->face <= faces(taught->kind) &&
           (taught->side == SIDE_UP || (taught->side == SIDE_DOWN && taught->kind != KIND_CHALLENGE));
}

void well_hear(struct well *well, const struct message_taught *taught)
{
    for (uint8_t at = 0; at < well->count; at++) {
        struct meaning *meaning = &well->meanings[at];
        if (well->tags[at] != taught->tag)
            continue;
        meaning->known = true;
        meaning->asking = false;
        meaning->kind = KIND_NOT_KNOWN;
        meaning->die_id = 0;
        meaning->face = 0;
        if (!is_legal(taught))
            continue;
        meaning->kind = taught->kind;
        meaning->die_id = taught->die_id;
        /* Opposite faces of a die add to one more than it has. */
        meaning->face = taught->side == SIDE_UP ? taught->face : (uint8_t)(faces(taught->kind) + 1 - taught->face);
    }
}

bool well_question(struct well *well, bool may_ask, uint32_t now, uint32_t *tag)
{
    for (uint8_t at = 0; at < well->count; at++) {
        struct meaning *meaning = &well->meanings[at];
        if (!meaning->asking)
            continue;
        if (may_ask && !meaning->known && !meaning->patience.running)
            timer_start(&meaning->patience, now, WELL_PATIENCE_MILLISECONDS);
        else if (meaning->patience.running && !timer_runs(&meaning->patience, now)) {
            meaning->known = true;
            meaning->kind = KIND_NOT_KNOWN;
            meaning->die_id = 0;
            meaning->face = 0;
        }
        if (may_ask && timing_reached(now, meaning->ask_due)) {
            meaning->ask_due = now + WELL_ASK_MILLISECONDS;
            *tag = well->tags[at];
            return true;
        }
    }
    return false;
}

bool well_holds(const struct well *well, uint32_t die_id)
{
    for (uint8_t at = 0; at < well->count; at++) {
        const struct meaning *meaning = &well->meanings[at];
        if (meaning->known && meaning->kind != KIND_NOT_KNOWN && meaning->die_id == die_id)
            return true;
    }
    return false;
}

bool well_verdict(const struct well *well, struct message_die *die)
{
    const struct meaning *first = &well->meanings[0], *second = &well->meanings[1];
    die->die_id = 0;
    die->kind = KIND_NOT_KNOWN;
    die->face = 0;
    die->state = STATE_COCKED;
    die->confidence = 0;
    if (well->unreadable)
        return true;
    if (!first->known || (well->count == 2 && !second->known))
        return false;
    if (well->count == 2) {
        if (first->kind == second->kind && first->die_id == second->die_id) {
            die->kind = first->kind;
            die->die_id = first->die_id;
        }
        return true;
    }
    if (first->kind == KIND_NOT_KNOWN) {
        die->die_id = well->tags[0];
        die->state = STATE_FAULT;
        return true;
    }
    die->die_id = first->die_id;
    die->kind = first->kind;
    if (well->dead)
        return true;
    die->face = first->face;
    die->state = STATE_SETTLED;
    die->confidence = 100;
    return true;
}
