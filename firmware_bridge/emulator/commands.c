/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "commands.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MOST = 4, LINE_MOST = 256 };

typedef const char *(*action)(struct runner *runner, int count, char **word);

static bool number(const char *text, double least, double most, double *value) {
    char *end;
    *value = strtod(text, &end);
    return *text && !*end && *value >= least && *value <= most;
}

static struct mfrc522 *reader(struct runner *runner, const char *text) {
    double slot;
    if (!number(text, 0, BOARD_READERS - 1, &slot) || slot != (int)slot) return NULL;
    return &runner->board.reader[(int)slot];
}

static unsigned uid(const char *text, uint8_t *bytes) {
    size_t length = strlen(text);
    if (length % 2 || !picc_length_exists((unsigned)length / 2)) return 0;
    for (size_t at = 0; at < length; at++) {
        if (!isxdigit((unsigned char)text[at])) return 0;
    }
    for (size_t at = 0; at < length / 2; at++) {
        char pair[] = {text[2 * at], text[2 * at + 1], 0};
        bytes[at] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return (unsigned)length / 2;
}

static const char *NO_SLOT = "the slot is a number from 0 to 3";
static const char *NO_UID = "a UID has 4, 7 or 10 bytes, in hexadecimal";

static const char *put(struct runner *runner, char **word, unsigned percent) {
    uint8_t bytes[PICC_UID_LONGEST];
    struct mfrc522 *chip = reader(runner, word[1]);
    unsigned length = uid(word[2], bytes);
    if (!chip) return NO_SLOT;
    if (!length) return NO_UID;
    if (picc_add(&chip->field, bytes, length, percent, board_microseconds(&runner->board))) return NULL;
    return "that tag lies there already, or four do";
}

static const char *tag(struct runner *runner, int count, char **word) {
    return count == 3 ? put(runner, word, 100) : "tag SLOT UID";
}

static const char *weak(struct runner *runner, int count, char **word) {
    double percent;
    if (count != 4 || !number(word[3], 0, 100, &percent)) return "weak SLOT UID PERCENT";
    return put(runner, word, (unsigned)percent);
}

static const char *lift(struct runner *runner, int count, char **word) {
    uint8_t bytes[PICC_UID_LONGEST] = {0};
    struct mfrc522 *chip = count > 1 ? reader(runner, word[1]) : NULL;
    unsigned length = count == 3 ? uid(word[2], bytes) : 0;
    if (!chip || count > 3) return NO_SLOT;
    if (count == 3 && !length) return NO_UID;
    return picc_lift(&chip->field, bytes, length) ? NULL : "no such tag lies there";
}

static const char *health(struct runner *runner, int count, char **word) {
    static const char *const NAMES[] = {
        [MFRC522_PRESENT] = "present", [MFRC522_ABSENT] = "absent", [MFRC522_STUCK] = "stuck", [MFRC522_HUNG] = "hung"};
    struct mfrc522 *chip = count == 3 ? reader(runner, word[1]) : NULL;
    for (unsigned name = 0; chip && name < sizeof NAMES / sizeof *NAMES; name++) {
        if (strcmp(NAMES[name], word[2])) continue;
        chip->health = (enum mfrc522_health)name;
        return NULL;
    }
    return "reader SLOT absent|present|stuck|hung";
}

static const char *piezo(struct runner *runner, int count, char **word) {
    double millivolts, milliseconds;
    if (count != 3 || !number(word[1], 0, 5000, &millivolts) || !number(word[2], 1, 60000, &milliseconds))
        return "piezo MILLIVOLTS MILLISECONDS";
    board_hit(&runner->board, millivolts, milliseconds);
    return NULL;
}

static const char *beam(struct runner *runner, int count, char **word) {
    if (count != 2 || (strcmp(word[1], "broken") && strcmp(word[1], "clear"))) return "beam broken|clear";
    board_beam(&runner->board, !strcmp(word[1], "broken"));
    return NULL;
}

static const char *button(struct runner *runner, int count, char **word) {
    if (count != 2 || (strcmp(word[1], "down") && strcmp(word[1], "up"))) return "button down|up";
    board_button(&runner->board, !strcmp(word[1], "down"));
    return NULL;
}

static const char *reset(struct runner *runner, int count, char **word) {
    if (count != 2 || (strcmp(word[1], "power") && strcmp(word[1], "external"))) return "reset power|external";
    board_reset(&runner->board, strcmp(word[1], "power") ? RESET_EXTERNAL : RESET_POWER);
    return NULL;
}

static const char *stall(struct runner *runner, int count, char **word) {
    double seconds;
    if (count != 2 || !number(word[1], 0, 3600, &seconds)) return "stall SECONDS";
    runner->stalled_for = (uint64_t)(seconds * 1000);
    return NULL;
}

static const char *hang(struct runner *runner, int count, char **word) {
    (void)word;
    if (count != 1) return "hang";
    board_hang(&runner->board);
    return NULL;
}

static const char *noise(struct runner *runner, int count, char **word) {
    double percent, seed = 1;
    if (count < 2 || count > 3 || !number(word[1], 0, 100, &percent) || (count == 3 && !number(word[2], 0, 1e15, &seed)))
        return "noise PERCENT [SEED]";
    runner->board.wire.noise = (unsigned)percent;
    runner->board.wire.random = (uint64_t)seed * 0x9E3779B97F4A7C15u | 1;
    return NULL;
}

static const char *cut(struct runner *runner, int count, char **word) {
    double bytes = 0;
    if (count > 2 || (count == 2 && !number(word[1], 1, 1e9, &bytes))) return "cut [AFTER_SO_MANY_BYTES_TO_THE_HOST]";
    if (count == 2) {
        runner->board.wire.cut_after = (long)bytes;
    } else {
        wire_cut(&runner->board.wire);
    }
    return NULL;
}

static const char *join(struct runner *runner, int count, char **word) {
    (void)word;
    if (count != 1) return "join";
    return wire_join(&runner->board.wire) ? NULL : "the port cannot be made";
}

static const char *unplug(struct runner *runner, int count, char **word) {
    (void)word;
    if (count != 1) return "unplug";
    wire_cut(&runner->board.wire);
    runner->powered = false;
    return NULL;
}

static const char *replug(struct runner *runner, int count, char **word) {
    const char *why = join(runner, count, word);
    if (why) return why;
    if (!runner->powered) board_reset(&runner->board, RESET_POWER);
    runner->powered = true;
    return NULL;
}

static const char *drop(struct runner *runner, int count, char **word) {
    double bytes;
    if (count != 2 || !number(word[1], 0, 1e9, &bytes)) return "drop BYTES";
    runner->board.wire.drop = (unsigned long)bytes;
    return NULL;
}

static const char *lose(struct runner *runner, int count, char **word) {
    double bytes;
    if (count != 2 || !number(word[1], 0, 1e9, &bytes)) return "lose BYTES";
    runner->board.wire.lose = (unsigned long)bytes;
    return NULL;
}

static const char *wait_for(struct runner *runner, int count, char **word) {
    double milliseconds;
    if (count != 2 || !number(word[1], 0, 3600000, &milliseconds)) return "wait MILLISECONDS";
    if (!runner->powered) return "without power no time passes";
    runner->waiting = true;
    runner->waiting_since_start = (uint64_t)(milliseconds * 1000);
    return NULL;
}

void command_waited(struct runner *runner) {
    const struct board *board = &runner->board;
    if (!runner->waiting || board_microseconds(board) - board->started_at < runner->waiting_since_start) return;
    runner->waiting = false;
    printf("ok %s\n", runner->waiting_line);
}

static const char *quit(struct runner *runner, int count, char **word) {
    (void)word;
    if (count != 1) return "quit";
    runner->quit = true;
    return NULL;
}

static const struct { const char *name; action act; } ACTIONS[] = {
    {"tag", tag},       {"lift", lift},     {"weak", weak},   {"reader", health}, {"piezo", piezo}, {"beam", beam},
    {"button", button}, {"reset", reset},   {"stall", stall}, {"hang", hang},     {"noise", noise}, {"cut", cut},
    {"join", join},     {"unplug", unplug}, {"replug", replug}, {"drop", drop},   {"lose", lose},   {"wait", wait_for},
    {"quit", quit},
};

void command(struct runner *runner, const char *line) {
    char copy[LINE_MOST], *word[WORDS_MOST + 1], *rest = copy;
    int count = 0;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *part; count <= WORDS_MOST && (part = strtok_r(rest, " \t\r", &rest));) word[count++] = part;
    if (!count) return;
    for (unsigned at = 0; at < sizeof ACTIONS / sizeof *ACTIONS; at++) {
        if (strcmp(ACTIONS[at].name, word[0])) continue;
        const char *why = ACTIONS[at].act(runner, count, word);
        if (why) {
            printf("error %s\n", why);
        } else if (runner->waiting) {
            snprintf(runner->waiting_line, sizeof runner->waiting_line, "%s", line);
        } else {
            printf("ok %s\n", line);
        }
        return;
    }
    printf("error no command is called %s\n", word[0]);
}
