/* Compression of runs of zeros, for packs on the wire, whose register images
 * and padding are mostly zeros.
 *
 *	(number of bytes, number of zeros after them, the bytes)*
 *
 * Both numbers are one byte. */
#ifndef COMMON_SQUEEZE_H
#define COMMON_SQUEEZE_H

#include "common/types.h"

/* Compress n bytes into at most `room` bytes.  Returns the compressed length, 0
 * if it does not fit. */
size_t squeeze(const unsigned char *bytes, size_t n, unsigned char *ret,
	       size_t room);

/* Decompress to exactly n bytes.  False if the input is malformed; the content
 * of the output is then undefined. */
bool unsqueeze(const unsigned char *squeezed, size_t n_squeezed,
	       unsigned char *ret_bytes, size_t n) MUST_CHECK;

#endif
