/* The board below board.h: clock, serial port, pins, piezo, lamps, memory and resets of an ATmega328P at 16 MHz. */
#ifndef HAL_H
#define HAL_H

#include <stdbool.h>
#include <stdint.h>

/* Find out why the chip started, and let the watchdog watch. First of all. */
void hal_resets_start(void);

/* Milliseconds since the start. */
uint32_t hal_now(void);

/* The next byte from the host; false when there is none. */
bool hal_receive(uint8_t *byte);

/* The highest piezo reading since the last call. */
uint16_t hal_piezo_peak(void);

bool hal_beam_broken(void);
bool hal_button_down(void);

/* The watchdog bites when this has not been called for 2 s. */
void hal_alive(void);

/* Why the chip started, an enum reset_cause. */
uint8_t hal_reset_cause(void);

/* A number from noise: the piezo's and a floating pin's lowest bits, and how two unequal clocks drift. About 55 ms. */
uint32_t hal_noise(void);

#endif
