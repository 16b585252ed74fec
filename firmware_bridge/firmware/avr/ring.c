/* The lamp ring: WS2812 lamps on D5, a data line without a clock where the length of a pulse is the bit.
 *
 * A 0 is high for 0.375 us and a 1 for 0.75 us, of 1.25 us and more a bit: counted instructions with interrupts off.
 * But only for one byte, 11 us, at a time: between bytes interrupts have their turn, so that the serial port (a byte
 * every 87 us, three held by the chip) loses nothing. All interrupts together take under 15 us; the lamps take a
 * pause for the end only from 50 us on. Should a pause ever be too long, a ring looks odd for 40 ms. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "../core/board.h"
#include "hal.h"

_Static_assert(F_CPU == 16000000, "the pulses are counted for 16 MHz");

static void send_byte(uint8_t byte)
{
    uint8_t status = SREG;
    cli();
    uint8_t low = (uint8_t)(PORTD & ~_BV(5));
    uint8_t high = (uint8_t)(low | _BV(5));
    uint8_t bits = 8;
    __asm__ volatile(
        "1: out %[port], %[high]\n" /* cycle 0 */
        "   nop\n   nop\n   nop\n   nop\n"
        "   sbrs %[byte], 7\n"     /* 5: a 1 skips the fall */
        "   out %[port], %[low]\n" /* 0: falls at 6 */
        "   lsl %[byte]\n"
        "   nop\n   nop\n   nop\n   nop\n"
        "   out %[port], %[low]\n" /* 1: falls at 12 */
        "   nop\n   nop\n   nop\n   nop\n"
        "   dec %[bits]\n"
        "   brne 1b\n" /* 20 cycles a bit */
        : [byte] "+r"(byte), [bits] "+r"(bits)
        : [port] "I"(_SFR_IO_ADDR(PORTD)), [high] "r"(high), [low] "r"(low));
    SREG = status;
}

void board_show(const uint8_t *colours)
{
    for (uint8_t at = 0; at < BOARD_LAMPS * BOARD_COLOURS; at++)
        send_byte(colours[at]);
}
