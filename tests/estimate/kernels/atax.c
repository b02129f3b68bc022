/* y = A' (A x) of the first rows. */
#include "kernel.h"

static size_t n, rows;
static float *a, *x, *y, *t;

void kernel_setup(size_t columns, size_t n_rows)
{
	n = columns;
	rows = n_rows;
	a = kernel_array(rows * n);
	x = kernel_array(n);
	y = kernel_array(n);
	t = kernel_array(rows);
}

float kernel_run(void)
{
	for (size_t i = 0; i < rows; i++) {
		float sum = 0;

		for (size_t j = 0; j < n; j++)
			sum += a[i * n + j] * x[j];
		t[i] = sum;
		for (size_t j = 0; j < n; j++)
			y[j] += a[i * n + j] * sum;
	}
	return y[n / 2];
}
