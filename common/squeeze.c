/* Compresses runs of zeros; see squeeze.h. */
#include "common/squeeze.h"

enum {
	MOST = 255,
	LEAST = 3, /* a shorter run costs as much as it saves */
};

/* Number of zeros at `at`, at most MOST. */
static size_t zeros_at(const unsigned char *bytes, size_t n, size_t at)
{
	size_t run = 0;

	while (at + run < n && run < MOST && bytes[at + run] == 0)
		run++;
	return run;
}

size_t squeeze(const unsigned char *bytes, size_t n, unsigned char *ret,
	       size_t room)
{
	size_t length = 0;

	for (size_t at = 0; at < n;) {
		size_t from = at;
		size_t zeros = 0;

		while (at < n && at - from < MOST) {
			zeros = zeros_at(bytes, n, at);
			if (zeros >= LEAST)
				break;
			zeros = 0;
			at++;
		}
		if (2 + at - from > room - length)
			return 0;
		ret[length++] = (unsigned char)(at - from);
		ret[length++] = (unsigned char)zeros;
		while (from < at)
			ret[length++] = bytes[from++];
		at += zeros;
	}
	return length;
}

bool unsqueeze(const unsigned char *squeezed, size_t n_squeezed,
	       unsigned char *ret_bytes, size_t n)
{
	size_t at = 0;

	for (size_t i = 0; i < n_squeezed;) {
		size_t left = n_squeezed - i;
		size_t literals = squeezed[i];
		size_t zeros = left > 1 ? squeezed[i + 1] : 0;

		if (left < 2 || literals > left - 2 || literals > n - at ||
		    zeros > n - at - literals)
			return false;
		i += 2;
		while (literals-- > 0)
			ret_bytes[at++] = squeezed[i++];
		while (zeros-- > 0)
			ret_bytes[at++] = 0;
	}
	return at == n;
}
