/* Encodes counter values as unsigned LEB128: few bytes for small values, exact
 * for all 64-bit values. */
#ifndef STORE_VARINT_H
#define STORE_VARINT_H

#include "common/types.h"

enum { VARINT_MAX_BYTES = 10 }; /* maximum for one 64-bit value */

/* Encode n values; `bytes` must have room for n * VARINT_MAX_BYTES.  Returns
 * the number of bytes written. */
size_t varint_encode(const uint64_t *values, size_t n, unsigned char *bytes);

/* Decode exactly n values from exactly n_bytes bytes; false if the counts do
 * not match or a value does not fit 64 bits. */
bool varint_decode(const unsigned char *bytes, size_t n_bytes, uint64_t *values,
		   size_t n) MUST_CHECK;

#endif
