/* CRC-32 as used by Ethernet, zlib and EFI: polynomial 0x04c11db7 reflected,
 * initial value and final xor all ones (IEEE 802.3 clause 3.2.9). */
#ifndef COMMON_CRC32_H
#define COMMON_CRC32_H

#include "common/types.h"

/* Extend `crc` (0 for the first call) by the n bytes at p; returns the CRC of
 * everything fed so far, so calls can be chained. */
uint32_t crc32_update(uint32_t crc, const void *p, size_t n);

#endif
