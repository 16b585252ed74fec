/* The checksums, see checksum.h. */
#include "checksum.h"

uint16_t checksum_add(uint16_t checksum, uint8_t byte)
{
    /* Polynomial 0x1021 with a whole byte at a time: the byte's own feedback is folded by shifts instead of eight
     * turns. */
    uint8_t mixed = (uint8_t)((checksum >> 8) ^ byte);
    mixed = (uint8_t)(mixed ^ (mixed >> 4));
    return (uint16_t)((uint16_t)(checksum << 8) ^ (uint16_t)((uint16_t)mixed << 12) ^ (uint16_t)((uint16_t)mixed << 5) ^
                      mixed);
}

uint16_t checksum_of(const uint8_t *bytes, uint8_t count)
{
    uint16_t checksum = CHECKSUM_START;
    while (count-- > 0)
        checksum = checksum_add(checksum, *bytes++);
    return checksum;
}

uint32_t checksum_tag(const uint8_t *uid, uint8_t count)
{
    uint32_t checksum = UINT32_MAX;
    while (count-- > 0) {
        checksum ^= *uid++;
        for (uint8_t bit = 0; bit < 8; bit++)
            checksum = (checksum & 1) != 0 ? (checksum >> 1) ^ UINT32_C(0xEDB88320) : checksum >> 1;
    }
    checksum = ~checksum;
    return checksum != 0 ? checksum : 1;
}
