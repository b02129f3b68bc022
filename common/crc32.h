/* CRC-32 as in Ethernet, zlib and EFI: polynomial 0x04c11db7 reflected, initial
 * value and final xor all ones (IEEE 802.3 clause 3.2.9). */
#ifndef COMMON_CRC32_H
#define COMMON_CRC32_H

#include "common/types.h"

/* Continue a CRC with the n bytes at p.  `crc` is 0 for the first call, then
 * the previous result.  Returns the CRC of all bytes so far. */
uint32_t crc32_update(uint32_t crc, const void *p, size_t n);

#endif
