/* How long a search for ports may take; see ports.h. */
#include <stdlib.h>
#include <string.h>

#include "host/cli/ports.h"

int ports_budget(const char *text, double *ret_seconds, size_t *ret_kernels,
		 struct err *e)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = { { "s", 1 }, { "m", 60 }, { "h", 3600 } };
	char *end = NULL;
	double n = text ? strtod(text, &end) : 0;
	bool fits = n > 0 && n < 1e9;

	if (!text)
		return ERR_OK;
	for (size_t i = 0; fits && i < ARRAY_LEN(units); i++)
		if (strcmp(end, units[i].unit) == 0) {
			*ret_seconds = n * units[i].seconds;
			return ERR_OK;
		}
	if (!fits || n < 1 || *end != '\0')
		return err_set(e, ERR_USAGE,
			       "--budget: a time as 90s, 10m or 1h, or a "
			       "number of kernels, not '%s'",
			       text);
	*ret_kernels = (size_t)n;
	return ERR_OK;
}
