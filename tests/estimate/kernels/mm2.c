/* D = A B C: two products, each element in one go. */
#include "kernel.h"

static size_t n, rows;
static float *a, *b, *c, *d, *t;

void kernel_setup(size_t columns, size_t n_rows)
{
	n = columns;
	rows = n_rows;
	a = kernel_array(rows * n);
	b = kernel_array(n * n);
	c = kernel_array(n * n);
	d = kernel_array(rows * n);
	t = kernel_array(rows * n);
}

static void product(float *to, const float *x, const float *y)
{
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < n; j++) {
			float sum = 0;

			for (size_t k = 0; k < n; k++)
				sum += x[i * n + k] * y[k * n + j];
			to[i * n + j] = sum;
		}
}

float kernel_run(void)
{
	product(t, a, b);
	product(d, t, c);
	return d[rows * n / 2];
}
