#include "kernel.h"

KERNEL(out, rows, s, n)
{
	double sum = 0;

	for (int i = 0; i < (int)n; i++) {
		double x = (i + 0.5) * s;

		sum += 4 / (1 + x * x);
	}
	return sum * s;
}
