/* The lamp ring: what the host asked for, as colours; and before it has asked, a sign of life.
 *
 * Nothing here flashes: the quickest change is a lamp that moves round the ring in two seconds. */
#ifndef LAMP_H
#define LAMP_H

#include "board.h"
#include "messages.h"
#include "timing.h"

enum {
    LAMP_OFF = 0,
    LAMP_STEADY = 1,
    LAMP_BREATHING = 2,
    LAMP_TURNING = 3,
    LAMP_FRAME_MILLISECONDS = 40,
    LAMP_BREATH_MILLISECONDS = 4096,
    LAMP_TURN_MILLISECONDS = 2048,
    /* Red, green and blue together: at 20 mA for each 255, 12 lamps stay under 250 mA of a USB port's 500. */
    LAMP_COLOUR_MOST = 256,
};

/* Every lamp's colour at `now` for the host's wish; false when it names a pattern that does not exist. */
bool lamp_colours(const struct message_ring *wish, uint32_t now, uint8_t colours[BOARD_LAMPS * BOARD_COLOURS]);

#endif
