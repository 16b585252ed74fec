/* Debouncing, see debounce.h. */
#include "debounce.h"

bool debounce_take(struct debounce *debounce, bool raw, uint32_t now, uint16_t on_milliseconds,
                   uint16_t off_milliseconds)
{
    if (raw == debounce->on) {
        debounce->pending = false;
        return false;
    }
    if (!debounce->pending) {
        debounce->pending = true;
        timer_start(&debounce->hold, now, raw ? on_milliseconds : off_milliseconds);
    }
    if (timer_runs(&debounce->hold, now))
        return false;
    debounce->pending = false;
    debounce->on = raw;
    return true;
}
