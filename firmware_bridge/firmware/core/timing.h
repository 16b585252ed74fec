/* Time in the tray: milliseconds since this start, 32 bits, which come round after 49.7 days.
 *
 * Nobody compares two times with < here. A `timer` remembers that it has run out, so that a time from 49 days ago can
 * never look like one from just now; ask each timer at least once in 24 days (the main loop asks all of them a
 * thousand times a second). */
#ifndef TIMING_H
#define TIMING_H

#include <stdbool.h>
#include <stdint.h>

struct timer {
    uint32_t end;
    bool running;
};

static inline bool timing_reached(uint32_t now, uint32_t due)
{
    return now - due < UINT32_C(0x80000000);
}

static inline void timer_start(struct timer *timer, uint32_t now, uint32_t milliseconds)
{
    timer->end = now + milliseconds;
    timer->running = true;
}

static inline bool timer_runs(struct timer *timer, uint32_t now)
{
    timer->running = timer->running && !timing_reached(now, timer->end);
    return timer->running;
}

#endif
