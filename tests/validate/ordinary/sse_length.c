#include "../kernels/kernel.h"

#ifdef __x86_64__
#include <immintrin.h>

__attribute__((target("sse2"))) KERNEL(out, rows, s, n)
{
	const float *a = (const void *)rows[0];
	float *o = (void *)out;

	for (long i = 0; i < n; i++)
		_mm_store_ss(o + i, _mm_rsqrt_ss(_mm_load_ss(a + i)));
	return 0;
}
#endif
