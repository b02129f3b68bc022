/* Encodes bits, lowest first; see armor.h. */
#include "common/armor.h"

enum {
	BITS = 13, /* 2^13 = 8192 <= 91 * 91 */
	BASE = 91,
};

size_t armor_length(size_t n)
{
	size_t whole = n / BITS;
	size_t rest = n % BITS;

	return whole * 16 + (rest * 8 + BITS - 1) / BITS * 2;
}

/* Printable characters, except the two that mark a record's start and end. */
static char digit(unsigned value)
{
	unsigned c = '!' + value;

	c += c >= '*';
	c += c >= '@';
	return (char)c;
}

/* Value of a digit; BASE or more if the character is no digit. */
static unsigned value_of(char c)
{
	unsigned u = (unsigned char)c;

	if (u < '!' || u == '*' || u == '@')
		return BASE;
	return u - '!' - (u > '*') - (u > '@');
}

void armor_encode(const void *p, size_t n, char *ret_text)
{
	const unsigned char *bytes = p;
	uint32_t bits = 0;
	unsigned n_bits = 0;

	for (size_t i = 0; i < n || n_bits > 0;) {
		for (; i < n && n_bits < BITS; i++, n_bits += 8)
			bits |= (uint32_t)bytes[i] << n_bits;

		uint32_t pair = bits & ((1u << BITS) - 1);

		*ret_text++ = digit(pair % BASE);
		*ret_text++ = digit(pair / BASE);
		bits >>= BITS;
		n_bits = n_bits > BITS ? n_bits - BITS : 0;
	}
}

bool armor_decode(const char *text, size_t n_text, void *ret_bytes, size_t n)
{
	unsigned char *bytes = ret_bytes;
	uint32_t bits = 0;
	unsigned n_bits = 0;
	size_t at = 0;

	if (n_text != armor_length(n))
		return false;
	for (size_t i = 0; i < n_text; i += 2) {
		unsigned low = value_of(text[i]);
		unsigned high = value_of(text[i + 1]);

		if (low >= BASE || high >= BASE ||
		    high * BASE + low >= 1u << BITS)
			return false;
		bits |= (uint32_t)(high * BASE + low) << n_bits;
		for (n_bits += BITS; n_bits >= 8 && at < n; n_bits -= 8) {
			bytes[at++] = (unsigned char)bits;
			bits >>= 8;
		}
	}
	return at == n && bits == 0;
}
