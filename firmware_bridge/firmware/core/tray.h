/* The whole tray above its board: what it hears, feels and sees, and what it says about it.
 *
 * The board calls tray_hear for each byte of the host, tray_sense and tray_work as often as it can; everything else
 * happens in here. No call waits for anything. */
#ifndef TRAY_H
#define TRAY_H

#include "debounce.h"
#include "floor.h"
#include "lamp.h"
#include "link.h"
#include "messages.h"
#include "motion.h"
#include "readers.h"

enum {
    BUTTON_MILLISECONDS = 20,
    BUTTON_HELD_MILLISECONDS = 3000,
    BEAM_BROKEN_MILLISECONDS = 40,
    BEAM_CLEAR_MILLISECONDS = 100,
};

/* Nobody holds a hand there so long: a lamp is dark or a wire is cut. (An int of this chip ends at 32767.) */
#define BEAM_FAULT_MILLISECONDS UINT32_C(60000)

struct tray {
    struct identity identity;
    struct link link;
    struct readers readers;
    struct floor floor;
    struct motion motion;
    struct debounce beam, button;
    struct timer beam_fault, button_held;
    struct message_ring wish;
    uint32_t lamps_due;
    uint16_t felt; /* the highest piezo reading since LEVELS was sent */
    bool button_was_up;
    bool ready; /* the readers have been counted, so the tray may say what it is */
};

void tray_start(struct tray *tray, const struct identity *identity, uint32_t now);

/* One byte from the host. */
void tray_hear(struct tray *tray, uint8_t byte, uint32_t now);

/* The highest piezo reading of one motion window. */
void tray_feel(struct tray *tray, uint16_t peak, uint32_t now);

/* The raw pins: is the beam interrupted, is the button pressed. */
void tray_sense(struct tray *tray, bool beam_broken, bool button_down, uint32_t now);

/* Look at the readers, judge the dice, say what is due. At most one exchange with a reader begins per call. */
void tray_work(struct tray *tray, uint32_t now);

#endif
