/* Lamp patterns, see lamp.h. */
#include "lamp.h"

/* 0 up to 255 and down again over one breath, squared because eyes see brightness so. */
static uint8_t breath(uint32_t now)
{
    uint16_t phase = (uint16_t)(now % LAMP_BREATH_MILLISECONDS / 8); /* 0 to 511 */
    uint16_t level = phase < 256 ? phase : (uint16_t)(511 - phase);
    return (uint8_t)((uint32_t)level * level / 255);
}

/* The bright lamp and the two behind it, each a third as bright as the one before. */
static uint8_t tail(uint8_t lamp, uint32_t now)
{
    static const uint8_t levels[] = {255, 85, 28};
    uint8_t head = (uint8_t)(now % LAMP_TURN_MILLISECONDS * BOARD_LAMPS / LAMP_TURN_MILLISECONDS);
    uint8_t behind = (uint8_t)((head + BOARD_LAMPS - lamp) % BOARD_LAMPS);
    return behind < sizeof levels ? levels[behind] : 0;
}

static uint8_t scaled(uint8_t colour, uint8_t level, uint16_t sum)
{
    uint32_t bright = (uint32_t)colour * level / 255;
    return (uint8_t)(sum > LAMP_COLOUR_MOST ? bright * LAMP_COLOUR_MOST / sum : bright);
}

bool lamp_colours(const struct message_ring *wish, uint32_t now, uint8_t colours[BOARD_LAMPS * BOARD_COLOURS])
{
    uint16_t sum = (uint16_t)(wish->red + wish->green + wish->blue);
    if (wish->pattern > LAMP_TURNING)
        return false;
    for (uint8_t lamp = 0; lamp < BOARD_LAMPS; lamp++) {
        uint8_t level = 255;
        if (wish->pattern == LAMP_OFF)
            level = 0;
        else if (wish->pattern == LAMP_BREATHING)
            level = breath(now);
        else if (wish->pattern == LAMP_TURNING)
            level = tail(lamp, now);
        *colours++ = scaled(wish->green, level, sum);
        *colours++ = scaled(wish->red, level, sum);
        *colours++ = scaled(wish->blue, level, sum);
    }
    return true;
}
