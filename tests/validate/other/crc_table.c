#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const unsigned char *a = (const void *)rows[0];
	const uint32_t *table = (const void *)rows[1];
	uint32_t crc = ~0u;

	(void)out;
	(void)s;
	for (long i = 0; i < 8 * n; i++)
		crc = table[(crc ^ a[i]) & 255] ^ crc >> 8;
	return crc;
}
