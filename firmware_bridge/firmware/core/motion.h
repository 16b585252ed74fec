/* Is something hitting the tray? A piezo disc under the floor tells, as the highest voltage of each short window.
 *
 * What counts as a hit is judged against a floor that follows the room: a fan or music under the table lifts it within
 * some seconds, and it sinks again at once. A floor so high that dice could not be felt any more is a fault. */
#ifndef MOTION_H
#define MOTION_H

#include "timing.h"

enum {
    MOTION_WINDOW_MILLISECONDS = 8,
    MOTION_ABOVE_FLOOR = 40,   /* steps of 5 V / 1024: about 0.2 V; a die dropped from 5 cm gives 1 V and more */
    MOTION_FLOOR_MOST = 500,
    MOTION_WARM_UP_WINDOWS = 32, /* after power-up the disc and its divider still charge */
};

struct motion {
    uint32_t floor;  /* in 1/1024 steps, so that it can follow slowly */
    uint8_t warm_up; /* windows still to come */
};

void motion_start(struct motion *motion);

/* One window's highest reading, 0 to 1023; true when it was a hit. */
bool motion_take(struct motion *motion, uint16_t peak);

/* The floor, in the readings' own steps. */
uint16_t motion_floor(const struct motion *motion);

/* Whether the floor hides the dice. */
bool motion_is_deaf(const struct motion *motion);

#endif
