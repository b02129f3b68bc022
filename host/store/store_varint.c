/* LEB128; see store_varint.h. */
#include "host/store/store_varint.h"

enum { PAYLOAD_BITS = 7, PAYLOAD = 0x7f, MORE = 0x80, LAST_SHIFT = 63 };

size_t varint_encode(const uint64_t *values, size_t n, unsigned char *bytes)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t v = values[i];

		while (v > PAYLOAD) {
			bytes[at++] = (unsigned char)(v | MORE);
			v >>= PAYLOAD_BITS;
		}
		bytes[at++] = (unsigned char)v;
	}
	return at;
}

bool varint_decode(const unsigned char *bytes, size_t n_bytes, uint64_t *values,
		   size_t n)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t v = 0;
		int shift = 0;

		for (;; shift += PAYLOAD_BITS) {
			if (at == n_bytes || shift > LAST_SHIFT ||
			    (shift == LAST_SHIFT && bytes[at] > 1))
				return false;
			v |= (uint64_t)(bytes[at] & PAYLOAD) << shift;
			if (!(bytes[at++] & MORE))
				break;
		}
		values[i] = v;
	}
	return at == n_bytes;
}
