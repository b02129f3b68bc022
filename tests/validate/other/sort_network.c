#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const int32_t *a = (const void *)rows[0], *b = (const void *)rows[1];
	const int32_t *c = (const void *)rows[2], *d = (const void *)rows[3];
	int32_t *o = (void *)out;

#define ORDER(x, y)                            \
	do {                                   \
		int32_t least = x < y ? x : y; \
		y = x < y ? y : x;             \
		x = least;                     \
	} while (0)
	for (long i = 0; i < n; i++) {
		int32_t p = a[i], q = b[i], r = c[i], t = d[i];

		ORDER(p, q);
		ORDER(r, t);
		ORDER(p, r);
		ORDER(q, t);
		ORDER(q, r);
		o[i] = 2 * q + r - p - t;
	}
	return 0;
}
