/* x1 += A y1 and x2 += A' y2, of the first rows. */
#include "kernel.h"

static size_t n, rows;
static float *a, *x1, *x2, *y1, *y2;

void kernel_setup(size_t columns, size_t n_rows)
{
	n = columns;
	rows = n_rows;
	a = kernel_array(n * n);
	x1 = kernel_array(n);
	x2 = kernel_array(n);
	y1 = kernel_array(n);
	y2 = kernel_array(n);
}

float kernel_run(void)
{
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < n; j++)
			x1[i] += a[i * n + j] * y1[j];
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < n; j++)
			x2[i] += a[j * n + i] * y2[j];
	return x1[rows / 2] + x2[rows / 2];
}
