/* C = beta C + alpha A B, in the order of loops of PolyBench. */
#include "kernel.h"

static size_t n, rows;
static float *a, *b, *c;

void kernel_setup(size_t columns, size_t n_rows)
{
	n = columns;
	rows = n_rows;
	a = kernel_array(rows * n);
	b = kernel_array(n * n);
	c = kernel_array(rows * n);
}

float kernel_run(void)
{
	for (size_t i = 0; i < rows; i++) {
		for (size_t j = 0; j < n; j++)
			c[i * n + j] *= 0.5f;
		for (size_t k = 0; k < n; k++)
			for (size_t j = 0; j < n; j++)
				c[i * n + j] +=
					1.5f * a[i * n + k] * b[k * n + j];
	}
	return c[rows * n / 2];
}
