/* The tray's portable part on a desk: a board made of nothing but time, scripted from standard input.
 *
 * Commands are lines, times are the tray's own: `run MILLISECONDS`, `hear HEX` (bytes of the host), `tag SLOT UID`,
 * `weak SLOT UID PERCENT`, `lift SLOT [UID]`, `reader SLOT present|absent|stuck|hung`, `hit PEAK MILLISECONDS`,
 * `beam 0|1`, `button 0|1`, `garble PERMILLE` (of the bytes from the readers), `room BYTES` (how much the port takes,
 * until it is told otherwise), `event NUMBER` and `roll NUMBER` (as if so much had happened), `cut BYTES` (the memory
 * loses power after so many writes), `overruns NUMBER` (of the serial port so far), `wear` (the memory takes nothing any more), `start CAUSE UPTIME` (power up anew,
 * with the clock at so many milliseconds). Each is answered
 * by what the tray did meanwhile: `sent TIME HEX`, `lamps HEX`, `restart CAUSE` or `lost` (the power), `bus
 * MICROSECONDS` (the longest that one turn kept the bus) and, at last, `done`. */
#include <stdio.h>
#include <string.h>

#include "desk_board.h"

enum { LINE_MOST = 4096 };

static uint8_t shown[BOARD_LAMPS * BOARD_COLOURS];

static void print_hex(const uint8_t *bytes, unsigned count)
{
    for (unsigned at = 0; at < count; at++)
        printf("%02x", bytes[at]);
    putchar('\n');
}

void desk_sent(const uint8_t *bytes, uint8_t count)
{
    printf("sent %u ", desk_now());
    print_hex(bytes, count);
}

void desk_showed(const uint8_t *colours)
{
    if (memcmp(shown, colours, sizeof shown) == 0)
        return;
    memcpy(shown, colours, sizeof shown);
    printf("lamps ");
    print_hex(shown, sizeof shown);
}

static unsigned from_hex(const char *text, uint8_t *bytes, unsigned most)
{
    unsigned count = 0, value;
    for (; count < most && sscanf(text + 2 * count, "%2x", &value) == 1; count++)
        bytes[count] = (uint8_t)value;
    return count;
}

static bool act(char *line)
{
    static const char *const HEALTH[] = {"present", "absent", "stuck", "hung"};
    static uint8_t bytes[LINE_MOST];
    char word[32] = "", text[LINE_MOST] = "";
    unsigned one = 0, two = 100;
    sscanf(line, "%31s", word);
    const char *rest = line + strlen(word);
    if (!strcmp(word, "run") && sscanf(rest, "%u", &one) == 1) {
        for (uint64_t until = desk.nanoseconds + one * 1000000ull; desk.nanoseconds < until;)
            desk_turn();
    } else if (!strcmp(word, "hear") && sscanf(rest, "%4095s", text) == 1) {
        for (unsigned at = 0, count = from_hex(text, bytes, sizeof bytes); at < count; at++)
            tray_hear(&desk.tray, bytes[at], desk_now());
    } else if ((!strcmp(word, "tag") || !strcmp(word, "weak")) && sscanf(rest, "%u %4095s %u", &one, text, &two) >= 2) {
        return picc_add(&desk.chips[one].field, bytes, from_hex(text, bytes, 10), two, desk.nanoseconds / 1000);
    } else if (!strcmp(word, "lift") && sscanf(rest, "%u %4095s", &one, text) >= 1) {
        return picc_lift(&desk.chips[one].field, bytes, from_hex(text, bytes, 10));
    } else if (!strcmp(word, "reader") && sscanf(rest, "%u %4095s", &one, text) == 2) {
        for (unsigned at = 0; at < 4; at++) {
            if (!strcmp(text, HEALTH[at]))
                desk.chips[one].health = (enum mfrc522_health)at;
        }
    } else if (!strcmp(word, "hit") && sscanf(rest, "%u %u", &one, &two) == 2) {
        desk.hit_peak = one;
        desk.hit_until = desk.nanoseconds + two * 1000000ull;
    } else if (!strcmp(word, "start") && sscanf(rest, "%u %u", &one, &two) == 2) {
        desk_power_up((uint8_t)one, two);
    } else if (sscanf(rest, "%u", &one) == 1) {
        if (!strcmp(word, "beam")) desk.beam = one;
        else if (!strcmp(word, "button")) desk.button = one;
        else if (!strcmp(word, "garble")) desk.garbled = one;
        else if (!strcmp(word, "room")) desk.room = one;
        else if (!strcmp(word, "event")) desk.tray.floor.event = (uint16_t)one;
        else if (!strcmp(word, "roll")) desk.tray.floor.roll = (uint16_t)one;
        else if (!strcmp(word, "overruns")) desk.overruns = (uint16_t)one;
        else if (!strcmp(word, "cut")) desk.writes_left = (long)one;
        else return false;
    } else if (!strcmp(word, "wear")) {
        desk.worn = true;
    } else {
        return false;
    }
    return true;
}

int main(void)
{
    static char line[2 * LINE_MOST];
    desk_make(1);
    int cause = setjmp(desk.restarted);
    if (cause == DESK_POWER_LOST) {
        desk.writes_left = -1;
        puts("lost");
    } else if (cause > 0) {
        printf("restart %d\n", cause - 1);
        desk_power_up((uint8_t)(cause - 1), 0);
    }
    if (cause != 0) {
        puts("done");
        fflush(stdout);
    }
    while (fgets(line, sizeof line, stdin)) {
        desk.bus_longest = 0;
        bool done = act(line);
        printf("bus %llu\n%s\n", (unsigned long long)(desk.bus_longest / 1000), done ? "done" : "wrong");
        fflush(stdout);
    }
    return 0;
}
