/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tray's board: an ATmega328P at 16 MHz on libsimavr, with the reference tray's readers, sensors and lamps. */
#ifndef BOARD_H
#define BOARD_H

#include <simavr/sim_avr.h>

#include "mfrc522.h"
#include "ring.h"
#include "wire.h"

enum { BOARD_READERS = 4, BOARD_HERTZ = 16000000, BOARD_EEPROM = 1024, BOARD_QUEUE = 4096 };

enum board_reset { RESET_POWER, RESET_EXTERNAL };

struct board {
    avr_t *avr;
    struct mfrc522 reader[BOARD_READERS];
    struct ring ring;
    struct wire wire;
    uint8_t *eeprom;
    uint8_t saved[BOARD_EEPROM];
    const char *eeprom_file; /* NULL: forgotten at the end */
    const char *loader_file; /* a boot loader as Intel HEX, which then runs first after each reset; NULL: none */
    uint8_t queue[BOARD_QUEUE]; /* from the host, on their way down the wire */
    size_t queue_start, queue_length;
    uint64_t next_byte_at;
    unsigned long overruns; /* bytes that the firmware took too late */
    bool button_down, beam_broken;
    double hit_millivolts, hit_milliseconds;
    uint64_t hit_at;
    uint64_t started_at; /* microseconds of the board's time at its last reset */
    uint64_t random;
    void (*run)(avr_t *avr); /* libsimavr's own; it swaps it while the watchdog resets */
};

/* Load the firmware and give it power. False, with a line on stderr, if the files are no use. */
bool board_start(struct board *board, const char *elf, uint64_t seed);

/* Run for that number of cycles; what the firmware sends goes to the wire at once. */
void board_run(struct board *board, uint64_t cycles);

void board_reset(struct board *board, enum board_reset cause);

/* Make the firmware loop with interrupts off, as one that hangs. */
void board_hang(struct board *board);

void board_button(struct board *board, bool down);
void board_beam(struct board *board, bool broken);
void board_hit(struct board *board, double millivolts, double milliseconds);

/* Write the EEPROM into its file if it changed. */
void board_save(struct board *board);

/* Microseconds of the board's own time. */
uint64_t board_microseconds(const struct board *board);

#endif
