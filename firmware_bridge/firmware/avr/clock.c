/* The clock: timer 0 strikes every millisecond. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "hal.h"
#include "parts.h"

static volatile uint32_t milliseconds;

void clock_start(void)
{
    TCCR0A = _BV(WGM01);
    TCCR0B = _BV(CS01) | _BV(CS00);
    OCR0A = F_CPU / 64 / 1000 - 1;
    TIMSK0 = _BV(OCIE0A);
}

ISR(TIMER0_COMPA_vect)
{
    milliseconds++;
}

uint32_t hal_now(void)
{
    /* Four bytes: a strike between two of them would tear the number. */
    uint8_t status = SREG;
    cli();
    uint32_t now = milliseconds;
    SREG = status;
    return now;
}

uint8_t clock_fraction(void)
{
    return TCNT0;
}
