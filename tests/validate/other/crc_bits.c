#include "../kernels/kernel.h"

#include <stdint.h>

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	const uint32_t *a = (const void *)rows[0];
	uint32_t crc = ~0u;

	(void)out;
	(void)s;
	for (long i = 0; i < n; i++) {
		crc ^= a[i];
		for (int k = 0; k < 4; k++)
			crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
	}
	return crc;
}
