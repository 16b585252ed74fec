/* The serial port: 115,200 Bd by interrupt, a ring of bytes each way.
 *
 * The chip itself holds two bytes and shifts in a third, 260 us altogether. Nothing here keeps interrupts off for
 * longer than one lamp's byte takes (10 us, ring.c), so no byte is lost in the chip; and the receiving ring holds
 * 11 ms of a line that never rests, several times the main loop's longest turn (3 ms). */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "../core/board.h"
#include "../core/framing.h"
#include "hal.h"
#include "parts.h"

enum { RECEIVE_BYTES = 128, SEND_BYTES = 256, RECEIVE_MASK = RECEIVE_BYTES - 1 };
_Static_assert(SEND_BYTES == 256, "the sending ring's places wrap as a byte does");
_Static_assert((RECEIVE_BYTES & RECEIVE_MASK) == 0, "a mask finds a place in the receiving ring");
_Static_assert((int)FRAME_WIRE_MOST < (int)SEND_BYTES, "a frame must fit the ring");

/* One side writes each place, and a byte is read and written whole: no lock is needed between an interrupt and the
 * rest. */
static volatile uint8_t received[RECEIVE_BYTES], received_to, received_from;
static volatile uint8_t sending[SEND_BYTES], sending_to, sending_from;
static volatile uint16_t overruns;

void serial_start(void)
{
    /* Double speed first: 115,200 Bd is then 2.1 % fast, the same as the Uno's own USB chip; without it, 3.5 % slow. */
    UCSR0A = _BV(U2X0);
    UBRR0 = F_CPU / 4 / 115200 / 2 - 1;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
}

ISR(USART_RX_vect)
{
    /* Read before the byte: the chip lost at least one behind it. */
    bool lost = (UCSR0A & _BV(DOR0)) != 0;
    uint8_t byte = UDR0;
    uint8_t to = received_to, next = (uint8_t)((to + 1) & RECEIVE_MASK);
    /* A full ring loses this byte; the frame's checksum tells. */
    if (next != received_from) {
        received[to] = byte;
        received_to = next;
    } else {
        overruns++;
    }
    if (lost)
        overruns++;
}

uint16_t board_overruns(void)
{
    /* Two bytes, which the interrupt must not change in between. */
    uint8_t status = SREG;
    cli();
    uint16_t count = overruns;
    SREG = status;
    return count;
}

ISR(USART_UDRE_vect)
{
    uint8_t from = sending_from;
    if (from == sending_to) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
        return;
    }
    UDR0 = sending[from];
    sending_from = (uint8_t)(from + 1);
}

bool hal_receive(uint8_t *byte)
{
    uint8_t from = received_from;
    if (from == received_to)
        return false;
    *byte = received[from];
    received_from = (uint8_t)((from + 1) & RECEIVE_MASK);
    return true;
}

uint8_t board_send_room(void)
{
    return (uint8_t)(sending_from - sending_to - 1);
}

bool board_send(const uint8_t *bytes, uint8_t count)
{
    uint8_t to = sending_to;
    if (board_send_room() < count)
        return false;
    while (count-- > 0)
        sending[to++] = *bytes++;
    sending_to = to;
    /* UCSR0B lies beyond the reach of sbi: the interrupt also changes it, so these three instructions are kept
     * whole. */
    uint8_t status = SREG;
    cli();
    UCSR0B |= _BV(UDRIE0);
    SREG = status;
    return true;
}
