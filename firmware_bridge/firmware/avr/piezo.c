/* The piezo disc on A0, read some 9,600 times a second; an interrupt keeps the highest value, because a die's knock is
 * over in a millisecond or two. The same converter gives the noise for the tray's number. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "hal.h"
#include "parts.h"

enum { CHANNEL_PIEZO = 0, CHANNEL_FLOATING = 3, NOISE_ROUNDS = 512 };

static volatile uint16_t peak;

void piezo_start(void)
{
    ADMUX = _BV(REFS0) | CHANNEL_PIEZO;
    ADCSRB = 0;
    DIDR0 = _BV(ADC0D); /* no digital input on a pin that rests between the levels */
    ADCSRA = _BV(ADEN) | _BV(ADSC) | _BV(ADATE) | _BV(ADIE) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);
}

ISR(ADC_vect)
{
    uint16_t level = ADC;
    if (level > peak)
        peak = level;
}

uint16_t hal_piezo_peak(void)
{
    uint8_t status = SREG;
    cli();
    uint16_t highest = peak;
    peak = 0;
    SREG = status;
    return highest;
}

static uint16_t convert(uint8_t channel)
{
    ADMUX = (uint8_t)(_BV(REFS0) | channel);
    ADCSRA = _BV(ADEN) | _BV(ADSC) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);
    while ((ADCSRA & _BV(ADSC)) != 0)
        continue;
    return ADC;
}

uint32_t hal_noise(void)
{
    /* FNV-1a over readings whose lowest bits nobody can foresee; one round gives a fraction of a bit, 512 give
     * plenty. */
    uint32_t noise = UINT32_C(2166136261);
    ADCSRA = 0;
    for (uint16_t round = 0; round < NOISE_ROUNDS; round++) {
        uint16_t level = convert((round & 1) != 0 ? CHANNEL_FLOATING : CHANNEL_PIEZO);
        noise = (noise ^ (uint8_t)(level & 0xFF)) * UINT32_C(16777619);
        noise = (noise ^ clock_fraction()) * UINT32_C(16777619);
    }
    piezo_start();
    return noise;
}
