/* What the parts of the board's own layer ask of one another. */
#ifndef PARTS_H
#define PARTS_H

#include <stdint.h>

void serial_start(void);
void clock_start(void);
void piezo_start(void);
void pins_start(void);

/* How far the millisecond has run, in steps of 4 us. */
uint8_t clock_fraction(void);

#endif
