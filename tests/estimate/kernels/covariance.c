/* Covariance of the first columns with all others. */
#include "kernel.h"

static size_t n, rows;
static float *data, *cov, *mean;

void kernel_setup(size_t columns, size_t n_rows)
{
	n = columns;
	rows = n_rows;
	data = kernel_array(n * n);
	cov = kernel_array(rows * n);
	mean = kernel_array(n);
}

float kernel_run(void)
{
	for (size_t j = 0; j < rows; j++) {
		mean[j] = 0;
		for (size_t i = 0; i < n; i++)
			mean[j] += data[i * n + j];
		mean[j] /= (float)n;
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < rows; j++)
			data[i * n + j] -= mean[j];
	for (size_t i = 0; i < rows; i++)
		for (size_t j = i; j < n; j++) {
			float sum = 0;

			for (size_t k = 0; k < n; k++)
				sum += data[k * n + i] * data[k * n + j];
			cov[i * n + j] = sum / (float)(n - 1);
		}
	return cov[rows * n / 2];
}
