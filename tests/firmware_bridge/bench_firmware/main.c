/* A small firmware that lets a test put its hands on the emulated board: every command is a letter, its arguments are
 * bytes, and every answer has the length that the letter promises. It waits at each step, so it needs no interrupts. */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>
#include <stdbool.h>
#include <stdint.h>

static uint8_t reset_flags __attribute__((section(".noinit")));
static volatile uint32_t milliseconds;

ISR(TIMER0_COMPA_vect) { milliseconds++; }

static void send(uint8_t byte) {
    while (!(UCSR0A & _BV(UDRE0))) continue;
    UDR0 = byte;
}

static uint8_t take(void) {
    while (!(UCSR0A & _BV(RXC0))) continue;
    return UDR0;
}

static uint8_t exchange(uint8_t byte) {
    SPDR = byte;
    while (!(SPSR & _BV(SPIF))) continue;
    return SPDR;
}

static void select(uint8_t slot, bool selected) {
    static volatile uint8_t *const PORTS[] = {&PORTB, &PORTB, &PORTB, &PORTD};
    static const uint8_t MASKS[] = {_BV(2), _BV(1), _BV(0), _BV(7)};
    if (selected) *PORTS[slot] &= (uint8_t)~MASKS[slot];
    else *PORTS[slot] |= MASKS[slot];
}

static uint16_t piezo(void) {
    ADMUX = _BV(REFS0);
    ADCSRA = _BV(ADEN) | _BV(ADSC) | 7;
    while (ADCSRA & _BV(ADSC)) continue;
    return ADC;
}

static void lamp(uint8_t byte) {
    for (uint8_t bit = 0; bit < 8; bit++, byte <<= 1) {
        if (byte & 0x80) {
            PORTD |= _BV(5);
            __builtin_avr_delay_cycles(10);
            PORTD &= (uint8_t)~_BV(5);
        } else {
            PORTD |= _BV(5);
            __builtin_avr_delay_cycles(3);
            PORTD &= (uint8_t)~_BV(5);
        }
    }
}

int main(void) {
    reset_flags = MCUSR;
    MCUSR = 0;
    wdt_enable(WDTO_2S); /* also after a reset by the watchdog, which leaves it at its shortest */
    __builtin_avr_delay_cycles(16000UL * 40);
    wdt_disable();
    PORTB = _BV(0) | _BV(1) | _BV(2);
    DDRB = _BV(0) | _BV(1) | _BV(2) | _BV(3) | _BV(5);
    PORTD = _BV(2) | _BV(3) | _BV(6) | _BV(7);
    DDRD = _BV(5) | _BV(6) | _BV(7);
    SPCR = _BV(SPE) | _BV(MSTR);
    UCSR0A = _BV(U2X0);
    UBRR0 = 16;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);
    TCCR0A = _BV(WGM01);
    TCCR0B = _BV(CS01) | _BV(CS00);
    OCR0A = 249;
    TIMSK0 = _BV(OCIE0A);
    sei();
    send('!');
    for (;;) {
        static uint8_t colours[36];
        uint8_t command = take(), first, second;
        switch (command) {
        case 'e': /* echo */
            send(take());
            break;
        case 'm': /* why it started */
            send(reset_flags);
            break;
        case 't': /* milliseconds, four bytes */
            cli();
            uint32_t now = milliseconds;
            sei();
            for (uint8_t at = 0; at < 4; at++) send((uint8_t)(now >> 8 * at));
            break;
        case 'p': /* the pins of port D */
            send(PIND);
            break;
        case 'a': { /* the piezo, two bytes */
            uint16_t level = piezo();
            send((uint8_t)level);
            send((uint8_t)(level >> 8));
            break;
        }
        case 'x': /* slot, count, bytes: one SPI transfer, answered byte by byte */
            first = take();
            second = take();
            select(first, true);
            while (second--) send(exchange(take()));
            select(first, false);
            break;
        case 'w': /* EEPROM address, value */
            first = take();
            eeprom_write_byte((uint8_t *)(uint16_t)first, take());
            eeprom_busy_wait();
            send('w');
            break;
        case 'r': /* EEPROM address */
            send(eeprom_read_byte((uint8_t *)(uint16_t)take()));
            break;
        case 'l': /* count, bytes for the ring */
            first = take();
            for (uint8_t at = 0; at < first; at++) colours[at] = take();
            cli();
            for (uint8_t at = 0; at < first; at++) lamp(colours[at]);
            sei();
            send('l');
            break;
        case 's': /* milliseconds, deaf for so long */
            for (first = take(); first--;) __builtin_avr_delay_cycles(16000);
            send('s');
            break;
        case 'd': /* the watchdog, 15 ms, and no more resets of it */
            wdt_enable(WDTO_15MS);
            send('d');
            break;
        case 'f': /* count: so many bytes as fast as the wire takes them */
            for (first = take(); first--;) send(first);
            break;
        default:
            send('?');
        }
    }
}
