#include "host/node/recur.h"

#include <stdlib.h>

enum { LEAST = 3, SHARE = 10, TOP = 4 };

static const double near = 0.99;

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x < y) - (x > y);
}

struct node_value recur(double *rates, size_t n)
{
	size_t need = n / SHARE > LEAST ? n / SHARE : LEAST;
	struct node_value v = { .n_windows = n };

	if (n == 0)
		return v;
	qsort(rates, n, sizeof(*rates), by_size);
	v.value = rates[n / 2];
	v.high = rates[n / 10];
	v.low = rates[n - 1 - n / 10];
	for (size_t i = 0; i <= n / TOP && i + need <= n && !v.steady; i++) {
		size_t k = i;

		while (k < n && rates[k] >= near * rates[i])
			k++;
		if (k - i < need)
			continue;
		v.value = rates[i + (k - i) / 2];
		v.steady = true;
	}
	if (v.high < v.value)
		v.high = v.value;
	if (v.low > v.value)
		v.low = v.value;
	return v;
}
