/* The tray's identity, see identity.h. */
#include "identity.h"

#include "checksum.h"

/* A cell is a number and its CRC-16; the first cell is the tray's own number, the others count starts. */
static bool read_cell(uint8_t cell, uint32_t *number)
{
    uint8_t bytes[IDENTITY_CELL_BYTES];
    for (uint8_t at = 0; at < sizeof bytes; at++)
        bytes[at] = board_memory_read((uint16_t)(cell * IDENTITY_CELL_BYTES + at));
    *number = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    return checksum_of(bytes, 4) == (uint16_t)(bytes[4] | (uint16_t)((uint16_t)bytes[5] << 8)) && *number != 0;
}

static bool write_cell(uint8_t cell, uint32_t number)
{
    uint8_t bytes[IDENTITY_CELL_BYTES];
    for (uint8_t at = 0; at < 4; at++)
        bytes[at] = (uint8_t)(number >> 8 * at & 0xFF);
    uint16_t checksum = checksum_of(bytes, 4);
    bytes[4] = (uint8_t)(checksum & 0xFF);
    bytes[5] = (uint8_t)(checksum >> 8);
    for (uint8_t at = 0; at < sizeof bytes; at++)
        board_memory_write((uint16_t)(cell * IDENTITY_CELL_BYTES + at), bytes[at]);
    uint32_t found = 0;
    return read_cell(cell, &found) && found == number;
}

bool identity_is_kept(void)
{
    uint32_t number = 0;
    return read_cell(0, &number);
}

struct identity identity_begin(uint32_t noise, uint8_t reset_cause)
{
    struct identity identity = {.reset_cause = reset_cause, .kept = true};
    uint32_t newest = 0;
    uint8_t next = 0;
    if (!read_cell(0, &identity.tray_id)) {
        identity.tray_id = noise != 0 ? noise : 1;
        identity.kept = write_cell(0, identity.tray_id);
    }
    for (uint8_t cell = 0; cell < IDENTITY_CELLS; cell++) {
        uint32_t number = 0;
        if (read_cell((uint8_t)(cell + 1), &number) && number > newest) {
            newest = number;
            next = (uint8_t)((cell + 1) % IDENTITY_CELLS);
        }
    }
    identity.boot_id = newest + 1;
    if (!write_cell((uint8_t)(next + 1), identity.boot_id)) {
        /* Worn out: the count stands still, so the start's number has to come from noise. */
        identity.kept = false;
        identity.boot_id = noise != 0 ? noise : 1;
    }
    return identity;
}
