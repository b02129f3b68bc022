#include "../kernels/kernel.h"

#ifdef __x86_64__
#include <immintrin.h>

__attribute__((target("pclmul,sse4.1"))) KERNEL(out, rows, s, n)
{
	const __m128i *a = (const void *)rows[0];
	__m128i x = _mm_set1_epi8(1), key = _mm_set1_epi8(3);

	for (long i = 0; i < n / 2; i++) {
		x = _mm_xor_si128(x, _mm_loadu_si128(a + i));
		x = _mm_xor_si128(_mm_clmulepi64_si128(x, key, 0x00),
				  _mm_clmulepi64_si128(x, key, 0x11));
	}
	return (double)_mm_cvtsi128_si64(x);
}
#endif
