/* See duration.h. */
#include "host/base/duration.h"

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

int budget_parse(const char *text, double *ret_seconds, size_t *ret_kernels,
		 struct err *e)
{
	const double most = 1e9;
	char *end = NULL;
	double n;

	if (!text || duration_parse(text, ret_seconds))
		return ERR_OK;
	n = strtod(text, &end);
	if (!(n >= 1 && n < most) || *end != '\0')
		return err_set(e, ERR_USAGE,
			       "--budget must be a time such as 90s, 10m or "
			       "1h, or a number of kernels, not '%s'",
			       text);
	*ret_kernels = (size_t)n;
	return ERR_OK;
}
