#include "../kernels/kernel.h"

KERNEL(out, rows, s, n)
{
	const float *a = (const void *)rows[0];
	float *o = (void *)out, f = (float)s;

	for (long i = 0; i < n; i++) {
		float x = a[i] * f * 1.442695f;
		int32_t whole = (int32_t)x;
		float y = x - (float)whole;
		union {
			int32_t bits;
			float value;
		} scale = { (whole + 127) << 23 };

		y = ((0.0555f * y + 0.2402f) * y + 0.6931f) * y + 1;
		o[i] = y * scale.value;
	}
	return 0;
}
