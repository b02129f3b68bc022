/* CRC-32, four bits at a time: a 64-byte table is small enough to sit beside
 * the measured code without disturbing it. */
#include "common/crc32.h"

uint32_t crc32_update(uint32_t crc, const void *p, size_t n)
{
	/* Remainders of 0..15 under the reflected polynomial 0xedb88320. */
	static const uint32_t table[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
		0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
		0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};
	const unsigned char *bytes = p;

	crc = ~crc;
	for (size_t i = 0; i < n; i++) {
		crc ^= bytes[i];
		crc = (crc >> 4) ^ table[crc & 15];
		crc = (crc >> 4) ^ table[crc & 15];
	}
	return ~crc;
}
