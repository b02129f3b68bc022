/* C = beta C + alpha A A', the lower triangle's last rows. */
#include "kernel.h"

static size_t n, rows;
static float *a, *c;

void kernel_setup(size_t columns, size_t n_rows)
{
	n = columns;
	rows = n_rows;
	a = kernel_array(n * n);
	c = kernel_array(n * n);
}

float kernel_run(void)
{
	for (size_t i = n - rows; i < n; i++) {
		for (size_t j = 0; j <= i; j++)
			c[i * n + j] *= 0.5f;
		for (size_t k = 0; k < n; k++)
			for (size_t j = 0; j <= i; j++)
				c[i * n + j] +=
					1.5f * a[i * n + k] * a[j * n + k];
	}
	return c[n * n - 1];
}
