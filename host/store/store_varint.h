/* Raw counter values as bytes: unsigned LEB128, a few bytes for the usual
 * tick counts and exact for any. */
#ifndef STORE_VARINT_H
#define STORE_VARINT_H

#include "common/types.h"

enum { VARINT_MAX_BYTES = 10 }; /* of one 64-bit value */

/* Write n values; `bytes` has room for n * VARINT_MAX_BYTES.  Returns the
 * number of bytes written. */
size_t varint_encode(const uint64_t *values, size_t n, unsigned char *bytes);

/* Read exactly n values from exactly n_bytes bytes; false when they do not
 * match, or a value does not fit 64 bits. */
bool varint_decode(const unsigned char *bytes, size_t n_bytes, uint64_t *values,
		   size_t n) MUST_CHECK;

#endif
