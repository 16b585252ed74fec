/* What the tray's portable part asks of the board below it, and nothing else.
 *
 * avr/ answers for the Uno and the Nano; the tests answer on a desktop computer. To move the tray to another chip,
 * write these functions for it. None of them may wait longer than stated. */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

enum { BOARD_SLOTS = 4, BOARD_LAMPS = 12, BOARD_COLOURS = 3 };

/* Hand bytes to the serial port; all of them or, when its buffer has no room, none and false. Never waits. */
bool board_send(const uint8_t *bytes, uint8_t count);

/* How many bytes board_send would take now. */
uint8_t board_send_room(void);

/* Bytes of the host that were lost because nobody fetched them in time, modulo 65536. */
uint16_t board_overruns(void);

/* The readers' bus: one byte out and one in, about 5 us; which reader listens; and their common reset line. */
uint8_t board_spi(uint8_t byte);
void board_select(uint8_t slot, bool selected);
void board_readers_run(bool run);

/* Show colours, three bytes a lamp in the order green, red, blue, which is the lamps' own. About 0.5 ms. */
void board_show(const uint8_t *colours);

/* Begin anew and say `cause` (an enum reset_cause) in the next HELLO. Does not return on a real board. */
void board_restart(uint8_t cause);

/* One byte of memory that outlives the power. Writing may take 4 ms and is done at the start only. */
uint8_t board_memory_read(uint16_t address);
void board_memory_write(uint16_t address, uint8_t value);

#endif
