#include "host/base/scale.h"

#include <math.h>

#include "common/types.h"

double scale_step(double x)
{
	static const double steps[] = { 1, 2, 5, 10 };
	double power = pow(10, floor(log10(x)));

	for (size_t i = 0; i < ARRAY_LEN(steps); i++)
		if (steps[i] * power >= x * (1 - 1e-9))
			return steps[i] * power;
	return 10 * power;
}
