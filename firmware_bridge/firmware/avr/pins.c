/* Pins, the readers' SPI bus, and the memory. docs/tray.md draws the same wiring. */
#include <avr/eeprom.h>
#include <avr/io.h>

#include "../core/board.h"
#include "hal.h"
#include "parts.h"

enum {
    B_SELECT_2 = _BV(0), /* D8 */
    B_SELECT_1 = _BV(1), /* D9 */
    B_SELECT_0 = _BV(2), /* D10; also the chip's own SS, which must be an output for the bus to stay master */
    B_MOSI = _BV(3),     /* D11 */
    B_MISO = _BV(4),     /* D12 */
    B_SCK = _BV(5),      /* D13 */
    D_BUTTON = _BV(2),
    D_BEAM = _BV(3),
    D_LAMPS = _BV(5),
    D_READERS_RUN = _BV(6),
    D_SELECT_3 = _BV(7),
};

void pins_start(void)
{
    PORTB = B_SELECT_0 | B_SELECT_1 | B_SELECT_2;
    DDRB = B_SELECT_0 | B_SELECT_1 | B_SELECT_2 | B_MOSI | B_SCK;
    /* A pull-up, and nobody selected; the readers rest in reset. The beam has a pull-up of its own: this chip's, of 20
     * to 50 kOhm, would ask for more light than reaches across the tray. */
    PORTD = D_BUTTON | D_SELECT_3;
    DDRD = D_LAMPS | D_READERS_RUN | D_SELECT_3;
    /* Mode 0, most significant bit first, 2 MHz: the readers take 10, a maker's wires and level shifters may not. */
    SPCR = _BV(SPE) | _BV(MSTR) | _BV(SPR0);
    SPSR = _BV(SPI2X);
}

uint8_t board_spi(uint8_t byte)
{
    SPDR = byte;
    /* Four microseconds, made by this chip's own clock: no reader, present or not, can prolong it. */
    while ((SPSR & _BV(SPIF)) == 0)
        continue;
    return SPDR;
}

void board_select(uint8_t slot, bool selected)
{
    static const uint8_t masks[BOARD_SLOTS] = {B_SELECT_0, B_SELECT_1, B_SELECT_2, D_SELECT_3};
    volatile uint8_t *port = slot < 3 ? &PORTB : &PORTD;
    if (selected)
        *port &= (uint8_t)~masks[slot];
    else
        *port |= masks[slot];
}

void board_readers_run(bool run)
{
    if (run)
        PORTD |= D_READERS_RUN;
    else
        PORTD &= (uint8_t)~D_READERS_RUN;
}

bool hal_beam_broken(void)
{
    return (PIND & D_BEAM) != 0;
}

bool hal_button_down(void)
{
    return (PIND & D_BUTTON) == 0;
}

uint8_t board_memory_read(uint16_t address)
{
    return eeprom_read_byte((const uint8_t *)address);
}

void board_memory_write(uint16_t address, uint8_t value)
{
    eeprom_update_byte((uint8_t *)address, value);
}
