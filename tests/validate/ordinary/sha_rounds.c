#include "../kernels/kernel.h"

#ifdef __x86_64__
#include <immintrin.h>

__attribute__((target("sha,sse4.1"))) KERNEL(out, rows, s, n)
{
	__m128i x = _mm_set1_epi8(1), y = _mm_set1_epi8(3),
		m = _mm_set1_epi8(7);

	for (long i = 0; i < n; i++) {
		__m128i z = _mm_sha256rnds2_epu32(x, y, m);

		x = y;
		y = z;
		m = _mm_sha256msg1_epu32(m, z);
	}
	return (double)_mm_cvtsi128_si64(_mm_add_epi32(y, m));
}
#endif
