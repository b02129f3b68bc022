/* See duration.h. */
#include "host/cli/duration.h"

#include <stdlib.h>
#include <string.h>

bool duration_parse(const char *text, double *ret_seconds)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = { { "s", 1 }, { "m", 60 }, { "h", 3600 } };
	const double most = 1e9;
	char *end = NULL;
	double n = strtod(text, &end);

	for (size_t i = 0; n > 0 && n < most && i < ARRAY_LEN(units); i++)
		if (strcmp(end, units[i].unit) == 0) {
			*ret_seconds = n * units[i].seconds;
			return true;
		}
	return false;
}
