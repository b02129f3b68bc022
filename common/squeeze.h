/* Squeeze: bytes with runs of zeros left out, for packs on the wire, whose
 * register images and padding are mostly zeros.
 *
 *	(number of bytes, number of zeros behind them, the bytes)*
 *
 * Both numbers are one byte. */
#ifndef COMMON_SQUEEZE_H
#define COMMON_SQUEEZE_H

#include "common/types.h"

/* Squeeze n bytes into at most `room`; returns the length, 0 when they do not
 * fit. */
size_t squeeze(const unsigned char *bytes, size_t n, unsigned char *ret,
	       size_t room);

/* Write exactly n bytes back; false, with nothing promised of them, when the
 * squeezed ones are not made so. */
bool unsqueeze(const unsigned char *squeezed, size_t n_squeezed,
	       unsigned char *ret_bytes, size_t n) MUST_CHECK;

#endif
