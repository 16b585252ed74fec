/* The two checksums of the tray protocol: CRC-16 guards a frame, CRC-32 makes a tag's number from its UID.
 *
 * Both work byte by byte without tables: 512 bytes of table cost more on this chip than the microseconds saved. */
#ifndef CHECKSUM_H
#define CHECKSUM_H

#include <stdint.h>

#define CHECKSUM_START UINT16_C(0xFFFF)

/* CRC-16/CCITT-FALSE over one more byte; begin with CHECKSUM_START. "123456789" gives 0x29B1. */
uint16_t checksum_add(uint16_t checksum, uint8_t byte);

/* CRC-16/CCITT-FALSE over `count` bytes. */
uint16_t checksum_of(const uint8_t *bytes, uint8_t count);

/* The tag number of a UID: its CRC-32 (IEEE, as zlib has it), where 0 counts as 1 so that 0 can mean "no tag". */
uint32_t checksum_tag(const uint8_t *uid, uint8_t count);

#endif
