/* The board that the tray's portable part runs on in tests: time, four reader chips, memory, and nothing to wait
 * for.
 *
 * The chips are the emulator's, register by register; a byte on their bus takes the 5 us that it takes on the real
 * board, a turn of the main loop `desk_turn_nanoseconds`. */
#ifndef DESK_BOARD_H
#define DESK_BOARD_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "../../../firmware_bridge/emulator/mfrc522.h"
#include "../../../firmware_bridge/firmware/core/tray.h"

enum { DESK_MEMORY_BYTES = 1024, DESK_POWER_LOST = -1 };

struct desk {
    struct tray tray;
    struct mfrc522 chips[BOARD_SLOTS];
    uint8_t memory[DESK_MEMORY_BYTES];
    uint64_t nanoseconds, started, hit_until, next_window, turn_nanoseconds;
    unsigned hit_peak, room;
    unsigned garbled; /* of a thousand bytes from the readers, how many arrive with a flipped bit */
    uint64_t chance;
    long writes_left; /* to the memory, until the power fails; below 0: for ever */
    bool worn, beam, button;
    uint16_t overruns;
    uint64_t bus_time, bus_longest; /* nanoseconds that the last turn, and the longest one, kept the bus */
    jmp_buf restarted; /* taken with the cause of a restart + 1, or DESK_POWER_LOST */
};

extern struct desk desk;

/* Told of what the tray says and shows. */
void desk_sent(const uint8_t *bytes, uint8_t count);
void desk_showed(const uint8_t *colours);

void desk_make(uint64_t seed);
void desk_power_up(uint8_t cause, uint32_t uptime);
void desk_turn(void);
uint32_t desk_now(void);

#endif
