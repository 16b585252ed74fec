/* A contact or a light barrier as people mean it: a level counts when it has held long enough.
 *
 * The two directions may take different times: a die that flies through the beam breaks it for some 10 ms and is no
 * hand, while a hand with spread fingers lets light through now and then and is still there. */
#ifndef DEBOUNCE_H
#define DEBOUNCE_H

#include "timing.h"

struct debounce {
    bool on;       /* what counts */
    bool pending;  /* the raw level differs from it, since when `hold` runs */
    struct timer hold;
};

/* Take the raw level; true when what counts has just changed. */
bool debounce_take(struct debounce *debounce, bool raw, uint32_t now, uint16_t on_milliseconds,
                   uint16_t off_milliseconds);

#endif
