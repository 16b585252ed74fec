/* Who this tray is, and which start of it this is, from memory that outlives the power.
 *
 * The tray's number is drawn once, from noise, and kept. Starts are counted in a ring of cells, each with its own
 * checksum: a power cut while one is written spoils that cell alone, and the start it belonged to never said a word, so
 * that no number is ever heard twice. The ring also spreads the wear: eight cells bear 800,000 starts. */
#ifndef IDENTITY_H
#define IDENTITY_H

#include "link.h"

enum { IDENTITY_CELLS = 8, IDENTITY_CELL_BYTES = 6, IDENTITY_BYTES = (IDENTITY_CELLS + 1) * IDENTITY_CELL_BYTES };

/* Whether this memory already holds a tray's number; if not, noise is wanted. */
bool identity_is_kept(void);

/* Read the identity, draw what is missing from `noise`, count this start and write it down. About 25 ms. */
struct identity identity_begin(uint32_t noise, uint8_t reset_cause);

#endif
