#include "../kernels/kernel.h"

#ifdef __x86_64__
#include <immintrin.h>

__attribute__((target("aes,sse4.1"))) KERNEL(out, rows, s, n)
{
	__m128i x = _mm_set1_epi8(1), key = _mm_set1_epi8(3);

	for (long i = 0; i < n; i++)
		x = _mm_aesenc_si128(x, key);
	return (double)_mm_cvtsi128_si64(x);
}
#endif
