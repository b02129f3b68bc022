/* How long a search for ports may take; see ports.h. */
#include <stdlib.h>

#include "host/cli/duration.h"
#include "host/cli/ports.h"

int ports_budget(const char *text, double *ret_seconds, size_t *ret_kernels,
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
			       "--budget: a time as 90s, 10m or 1h, or a "
			       "number of kernels, not '%s'",
			       text);
	*ret_kernels = (size_t)n;
	return ERR_OK;
}
