#include "kernel.h"

double kernel(double *restrict out, const double *const *rows, double s, long n)
{
	double sum = 0;

	(void)out;
	(void)rows;
	for (int i = 0; i < (int)n; i++) {
		double x = (i + 0.5) * s;

		sum += 4 / (1 + x * x);
	}
	return sum * s;
}
