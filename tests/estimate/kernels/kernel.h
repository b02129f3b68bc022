/* A kernel of the checks of estimates: float arrays, one repetition a call. */
#ifndef TESTS_ESTIMATE_KERNEL_H
#define TESTS_ESTIMATE_KERNEL_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Make the arrays for n columns and `rows` rows of the result. */
void kernel_setup(size_t n, size_t rows);

/* Compute once; returns something that depends on the result. */
float kernel_run(void);

static inline float *kernel_array(size_t n)
{
	float *p = aligned_alloc(64, (n * sizeof(*p) + 63) / 64 * 64);

	if (!p)
		abort();
	for (size_t i = 0; i < n; i++)
		p[i] = (float)(i % 17) * 0.125f - 1;
	return p;
}

#endif
