#include "common/crc32.h"

/* CRCs of the bytes 0x00..0x0f and 0x00..0xf0, for the reflected polynomial
 * 0xedb88320.  The tables have only 128 bytes, so they do not evict the
 * measured code from caches. */
static const uint32_t low[16] = {
	0x00000000, 0x77073096, 0xee0e612c, 0x990951ba, 0x076dc419, 0x706af48f,
	0xe963a535, 0x9e6495a3, 0x0edb8832, 0x79dcb8a4, 0xe0d5e91e, 0x97d2d988,
	0x09b64c2b, 0x7eb17cbd, 0xe7b82d07, 0x90bf1d91,
};
static const uint32_t high[16] = {
	0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
	0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
	0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

static uint32_t crc_byte(uint32_t crc)
{
	return (crc >> 8) ^ low[crc & 15] ^ high[crc >> 4 & 15];
}

static uint32_t bytewise(uint32_t crc, const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		crc = crc_byte(crc ^ p[i]);
	return crc;
}

/* Large inputs are packs, of up to 100 MB, not lines between two measurements.
 * They are processed eight bytes at a time, with a table for each byte position
 * (M. E. Kounavis and F. L. Berry, "A Systematic Approach to Building High
 * Performance Software-based CRC Generators", ISCC 2005). */
enum { AT_ONCE = 8, LARGE = 64 * 1024 };

/* Side by side, so that one sum addresses all: simple cores have no other way
 * to add an index. */
struct crc_table {
	uint32_t of[256][AT_ONCE];
};

static void fill_table(struct crc_table *t)
{
	for (uint32_t i = 0; i < ARRAY_LEN(t->of); i++) {
		uint32_t crc = i;

		for (int k = 0; k < AT_ONCE; k++)
			t->of[i][k] = crc = crc_byte(crc);
	}
}

static uint32_t crc_word(const struct crc_table *t, uint32_t crc, uint64_t w)
{
	w ^= crc;
	return t->of[w & 255][7] ^ t->of[w >> 8 & 255][6] ^
	       t->of[w >> 16 & 255][5] ^ t->of[w >> 24 & 255][4] ^
	       t->of[w >> 32 & 255][3] ^ t->of[w >> 40 & 255][2] ^
	       t->of[w >> 48 & 255][1] ^ t->of[w >> 56][0];
}

/* The table is the caller's own, 8 KiB of its stack: threads share nothing. */
static uint32_t eightwise(uint32_t crc, const unsigned char *p, size_t n)
{
	size_t head = -(uintptr_t)p % AT_ONCE;
	struct crc_table t;

	fill_table(&t);
	crc = bytewise(crc, p, head);
	for (p += head, n -= head; n >= AT_ONCE; p += AT_ONCE, n -= AT_ONCE)
		crc = crc_word(&t, crc, load_u64(p));
	return bytewise(crc, p, n);
}

uint32_t crc32_update(uint32_t crc, const void *p, size_t n)
{
	return ~(n < LARGE ? bytewise(~crc, p, n) : eightwise(~crc, p, n));
}
