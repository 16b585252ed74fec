/* SPDX-License-Identifier: MIT */
#include "picc.h"

#include <string.h>

enum {
    REQA = 0x26,
    WUPA = 0x52,
    HLTA = 0x50,
    CASCADE_TAG = 0x88,
    SELECT_FIRST = 0x93, /* the next levels follow in steps of two */
    SELECT_STEP = 2,
    NVB_WHOLE = 0x70,
    LEVEL_BYTES = 5, /* four of the UID (or cascade tag and three) and their exclusive-or */
    LEVEL_BITS = LEVEL_BYTES * 8,
    SAK_INCOMPLETE = 0x04,
    SAK_COMPLETE = 0x08,
    CRC_A_PRESET = 0x6363,
};

bool picc_length_exists(unsigned length) { return length == 4 || length == 7 || length == 10; }

static struct picc *find(struct picc_field *field, const uint8_t *uid, unsigned length) {
    for (unsigned place = 0; place < PICC_TAGS_MOST; place++) {
        struct picc *tag = &field->tag[place];
        if (tag->uid_length == length && (length == 0 || memcmp(tag->uid, uid, length) == 0)) return tag;
    }
    return NULL;
}

bool picc_add(struct picc_field *field, const uint8_t *uid, unsigned length, unsigned percent, uint64_t now) {
    struct picc *there = find(field, uid, length);
    if (there) {
        bool changed = there->percent != percent;
        there->percent = (uint8_t)percent;
        return changed;
    }
    struct picc *tag = find(field, NULL, 0);
    if (!tag) return false;
    memcpy(tag->uid, uid, length);
    tag->uid_length = (uint8_t)length;
    tag->percent = (uint8_t)percent;
    tag->state = field->powered ? PICC_IDLE : PICC_OFF;
    tag->powered_at = now;
    return true;
}

bool picc_lift(struct picc_field *field, const uint8_t *uid, unsigned length) {
    bool lifted = false;
    for (unsigned place = 0; place < PICC_TAGS_MOST; place++) {
        struct picc *tag = &field->tag[place];
        bool meant = length == 0 || (tag->uid_length == length && memcmp(tag->uid, uid, length) == 0);
        if (!tag->uid_length || !meant) continue;
        memset(tag, 0, sizeof *tag);
        lifted = true;
    }
    return lifted;
}

void picc_power(struct picc_field *field, bool on, uint64_t now) {
    if (field->powered == on) return;
    field->powered = on;
    for (unsigned place = 0; place < PICC_TAGS_MOST; place++) {
        field->tag[place].state = on ? PICC_IDLE : PICC_OFF;
        field->tag[place].powered_at = now;
    }
}

uint16_t picc_crc(uint16_t preset, const uint8_t *data, unsigned length) {
    uint16_t crc = preset;
    for (unsigned at = 0; at < length; at++) {
        crc ^= data[at];
        for (int bit = 0; bit < 8; bit++) crc = (uint16_t)(crc & 1 ? (crc >> 1) ^ 0x8408 : crc >> 1);
    }
    return crc;
}

static unsigned levels(const struct picc *tag) { return tag->uid_length == 4 ? 1 : tag->uid_length == 7 ? 2 : 3; }

static void level_bytes(const struct picc *tag, bool more, uint8_t out[LEVEL_BYTES]) {
    const uint8_t *part = tag->uid + 3 * (tag->level % levels(tag));
    if (more) {
        out[0] = CASCADE_TAG;
        memcpy(out + 1, part, 3);
    } else {
        memcpy(out, part, 4);
    }
    out[4] = out[0] ^ out[1] ^ out[2] ^ out[3];
}

static void put_byte(struct picc_bits *bits, uint8_t byte) {
    for (int bit = 0; bit < 8; bit++) bits->bit[bits->length++] = byte >> bit & 1;
}

static uint8_t byte_at(const struct picc_bits *bits, unsigned from) {
    uint8_t byte = 0;
    for (unsigned bit = 0; bit < 8 && from + bit < bits->length; bit++) byte |= (uint8_t)(bits->bit[from + bit] << bit);
    return byte;
}

static bool crc_fits(const struct picc_bits *sent) {
    uint8_t bytes[PICC_FRAME_BITS / 8];
    unsigned length = sent->length / 8;
    if (sent->length % 8 || length < 3) return false;
    for (unsigned at = 0; at < length; at++) bytes[at] = byte_at(sent, 8 * at);
    uint16_t crc = picc_crc(CRC_A_PRESET, bytes, length - 2);
    return bytes[length - 2] == (crc & 0xFF) && bytes[length - 1] == crc >> 8;
}

static bool starred(const struct picc *tag) {
    return tag->state == PICC_HALT || tag->state == PICC_READY_AGAIN || tag->state == PICC_ACTIVE_AGAIN;
}

static void fall_back(struct picc *tag) { tag->state = starred(tag) ? PICC_HALT : PICC_IDLE; }

static bool heard(struct picc_field *field, unsigned percent) {
    field->random ^= field->random << 13; /* xorshift: repeatable, and good enough for a weak signal */
    field->random ^= field->random >> 7;
    field->random ^= field->random << 17;
    return field->random % 100 < percent;
}

static void answer_request(struct picc_field *field, struct picc *tag, bool wake_up, struct picc_bits *answer) {
    bool waits = tag->state == PICC_IDLE || (tag->state == PICC_HALT && wake_up);
    if (tag->percent < 100 && !heard(field, tag->percent)) {
        tag->state = PICC_IDLE; /* without power it forgets that it was halted */
        return;
    }
    if (!waits) {
        fall_back(tag);
        return;
    }
    tag->state = starred(tag) ? PICC_READY_AGAIN : PICC_READY;
    tag->level = 0;
    put_byte(answer, (uint8_t)(0x04 | (levels(tag) - 1) << 6)); /* bit frame anticollision, and the UID's size */
    put_byte(answer, 0x00);
}

static void answer_select(bool endless, struct picc *tag, const struct picc_bits *sent, struct picc_bits *answer) {
    uint8_t mine[LEVEL_BYTES];
    bool more = endless || tag->level + 1u < levels(tag);
    level_bytes(tag, more, mine);
    uint8_t valid = byte_at(sent, 8);
    unsigned known = (unsigned)((valid >> 4) * 8 + (valid & 7)) - 16;
    if (valid == NVB_WHOLE) {
        if (sent->length != 16 + LEVEL_BITS + 16 || !crc_fits(sent)) {
            fall_back(tag);
            return;
        }
        for (unsigned at = 0; at < LEVEL_BYTES; at++) {
            if (byte_at(sent, 16 + 8 * at) != mine[at]) {
                fall_back(tag);
                return;
            }
        }
        tag->level++;
        if (!more) tag->state = starred(tag) ? PICC_ACTIVE_AGAIN : PICC_ACTIVE;
        uint8_t sak = more ? SAK_INCOMPLETE : SAK_COMPLETE;
        uint16_t crc = picc_crc(CRC_A_PRESET, &sak, 1);
        put_byte(answer, sak);
        put_byte(answer, (uint8_t)crc);
        put_byte(answer, (uint8_t)(crc >> 8));
        return;
    }
    if (valid < 0x20 || valid > NVB_WHOLE || sent->length != 16 + known) {
        fall_back(tag);
        return;
    }
    for (unsigned at = 0; at < known; at++) {
        if (sent->bit[16 + at] != (mine[at / 8] >> at % 8 & 1)) return; /* not meant: silent, and READY still */
    }
    for (unsigned at = known; at < LEVEL_BITS; at++) answer->bit[answer->length++] = mine[at / 8] >> at % 8 & 1;
}

static struct picc_bits answer_of(struct picc_field *field, struct picc *tag, const struct picc_bits *sent) {
    struct picc_bits answer = {0};
    uint8_t first = byte_at(sent, 0);
    if (sent->length == 7 && (first == REQA || first == WUPA)) {
        answer_request(field, tag, first == WUPA, &answer);
        return answer;
    }
    switch (tag->state) {
    case PICC_READY:
    case PICC_READY_AGAIN:
        if (sent->length >= 16 && first == SELECT_FIRST + SELECT_STEP * tag->level) {
            answer_select(field->endless, tag, sent, &answer);
        } else {
            fall_back(tag);
        }
        break;
    case PICC_ACTIVE:
    case PICC_ACTIVE_AGAIN:
        if (sent->length == 32 && first == HLTA && byte_at(sent, 8) == 0 && crc_fits(sent)) {
            tag->state = PICC_HALT;
        } else {
            fall_back(tag);
        }
        break;
    default:
        break;
    }
    return answer;
}

struct picc_bits picc_exchange(struct picc_field *field, const struct picc_bits *sent, uint64_t now) {
    struct picc_bits all = {0};
    for (unsigned place = 0; place < PICC_TAGS_MOST; place++) {
        struct picc *tag = &field->tag[place];
        if (!tag->uid_length || tag->state == PICC_OFF || now - tag->powered_at < PICC_START_MICROSECONDS) continue;
        struct picc_bits one = answer_of(field, tag, sent);
        for (unsigned at = 0; at < one.length; at++) {
            if (at < all.length && all.bit[at] != one.bit[at]) all.collided[at] = true;
            all.bit[at] = all.bit[at] || one.bit[at];
        }
        if (one.length > all.length) all.length = one.length;
    }
    return all;
}
